// Functions from text, for the tests of this folder.
#pragma once

#include "compare/compare.h"
#include "text/text.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace visor::compare {

inline Module parsed(std::string_view text) {
    Diagnostics diagnostics;
    auto module = text::parse(text, {}, diagnostics);
    if (module)
        return *std::move(module);
    ADD_FAILURE() << diagnostics.all().front().message << " in\n" << text;
    Module none;
    none.functions.emplace_back();
    return none;
}

// Two integers, two floats, a word, an alias, an address, two predicates and a surface.
inline constexpr std::string_view declarations = R"(.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl B v_type=G type=d num_elts=32 align=GRF
.decl C v_type=G type=d num_elts=32 align=GRF
.decl F v_type=G type=f num_elts=32 align=GRF
.decl L v_type=G type=d num_elts=16 align=GRF alias=<A, 0>
.decl H v_type=G type=d num_elts=16 align=GRF alias=<A, 64>
.decl X v_type=A num_elts=1
.decl P v_type=P num_elts=16
.decl Q v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
)";

inline Module code(std::string_view instructions) {
    return parsed(std::string(declarations) + std::string(instructions));
}

// What is said of the first difference; "" when there is none.
inline std::string first_difference(const Module& first, const Module& second) {
    const Comparison compared = compare(first.functions.front(), second.functions.front(), {});
    return compared.equal() ? "" : compared.differences.front().message;
}

inline bool equal(std::string_view first, std::string_view second) {
    return first_difference(code(first), code(second)).empty();
}

} // namespace visor::compare
