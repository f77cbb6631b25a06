#include "edges.h"

#include "isa/device.h"
#include "isa/predefined.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <sstream>

namespace visor::fuzz {

using exec_test::Random;
using jit_fuzz::Node;

namespace {

constexpr std::array names{"ub", "uw", "ud", "uq", "f", "df"};
constexpr std::array sizes{1, 2, 4, 8, 4, 8};

struct Variable {
    std::string name;
    uint32_t bytes = 0;
    uint32_t element = 1; // its bytes
};

std::vector<Variable> variables_of(const jit_fuzz::Recipe& recipe) {
    std::vector<Variable> all;
    for (const jit_fuzz::Declaration& declaration : recipe.declarations) {
        std::array<char, 32> type{};
        unsigned count = 0;
        const size_t at = declaration.line.find(" v_type=G ");
        if (declaration.base.empty() && at != std::string::npos &&
            std::sscanf(declaration.line.c_str() + at, " v_type=G type=%31s num_elts=%u", type.data(),
                        &count) == 2)
            for (size_t k = 0; k < names.size(); ++k)
                if (std::string_view(type.data()) == names.at(k))
                    all.push_back({declaration.name, count * static_cast<uint32_t>(sizes.at(k)),
                                   static_cast<uint32_t>(sizes.at(k))});
    }
    return all;
}

// A byte of a variable, one of its ends, just outside, or far away.
int64_t offset_in(uint32_t bytes, Random& random) {
    const auto end = static_cast<int64_t>(bytes);
    const std::array<int64_t, 14> edges{0,        end - 1, end - 8, end, end + 1, end + 63, end + 64,
                                        end - 64, end / 2, -1,      -8,  -64,     0x7ff0,   -0x8000};
    return edges.at(random.below(edges.size()));
}

std::string execution(Random& random, unsigned& lanes) {
    lanes = 1U << random.below(5);
    return fmt::format("({}, {})", random.below(2) == 0 ? "M1" : "M1_NM", lanes);
}

Node through_an_address(const Variable& to, const Variable& other, Random& random) {
    const auto kind = random.below(names.size());
    const bool reads = random.below(4) == 0;
    const int64_t offset = offset_in(to.bytes, random);
    const int64_t immediate = random.below(3) == 0 ? (random.below(2) == 0 ? 511 : -512) : 0;
    const unsigned address = random.below(4);
    unsigned lanes = 1;
    const std::string by = execution(random, lanes);
    const std::string place = fmt::format("r[A{}(0),{}]", address, immediate);
    Node node;
    node.before.push_back(
        fmt::format("addr_add (M1_NM, 1) A{}(0)<1> &{} {}:w", address, to.name, offset - immediate));
    if (reads)
        node.before.push_back(fmt::format("mov {} {}_{}(0,0)<1> {}<{};1,0>:{}", by, "V9", names.at(kind),
                                          place, lanes == 1 ? 0 : 1, names.at(kind)));
    else
        node.before.push_back(fmt::format("mov {} {}<{}>:{} {}_{}(0,0)<0;1,0>", by, place,
                                          1 + random.below(2), names.at(kind), other.name, names.at(kind)));
    return node;
}

Node by_name(const Variable& to, uint32_t grf_bytes, Random& random) {
    const uint64_t value = exec_test::sample(oracle::Type::ud, false, random) & 0xffffffff;
    const uint32_t byte = random.below(2) == 0 ? 0 : to.bytes - to.element;
    unsigned lanes = 1;
    const std::string by = execution(random, lanes);
    return {.before = {fmt::format("mov {} {}({},{})<1> 0x{:x}:ud", by, to.name, byte / grf_bytes,
                                   byte % grf_bytes / to.element, value)}};
}

Node predefined(Random& random) {
    const auto& all = isa::predefined_variables;
    const isa::PredefinedVariable& to = all.at(random.below(all.size()));
    return {.before = {fmt::format("mov (M1_NM, 1) {}(0,{})<1> 0x{:x}:ud", to.name,
                                   random.below(2) * (to.elements - 1), random.next() & 0xffffffff)}};
}

Node predicate(Random& random) {
    constexpr std::array all{"P1", "P2", "P3", "P4", "PA1", "PL0", "PL1", "PL2", "PL3"};
    return {.before = {fmt::format("setp (M1_NM, {}) {} 0x{:x}:ud", 1U << random.below(6),
                                   all.at(random.below(all.size())), random.next() & 0xffffffff)}};
}

} // namespace

void add_edges(jit_fuzz::Recipe& recipe, Random& random) {
    const std::vector<Variable> variables = variables_of(recipe);
    if (variables.empty())
        return;
    const uint32_t grf_bytes = isa::device_named(recipe.setting.device)->grf_bytes;
    const auto some = [&] { return variables.at(random.below(static_cast<unsigned>(variables.size()))); };
    std::vector<Node>& body = recipe.code.body;
    for (unsigned count = 1 + random.below(8); count > 0; --count) {
        const unsigned kind = random.below(8);
        Node node = kind < 4    ? through_an_address(some(), {"V0"}, random)
                    : kind < 6  ? by_name(some(), grf_bytes, random)
                    : kind == 6 ? predefined(random)
                                : predicate(random);
        const auto at = random.below(static_cast<unsigned>(body.size()) + 1);
        body.insert(body.begin() + at, std::move(node));
    }
}

std::string without(const std::vector<uint32_t>& lines, const std::string& text) {
    std::istringstream all(text);
    std::string rest;
    std::string line;
    for (uint32_t number = 1; std::getline(all, line); ++number)
        if (!std::ranges::binary_search(lines, number))
            rest += line + '\n';
    return rest;
}

} // namespace visor::fuzz
