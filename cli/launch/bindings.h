// From matched VALUEs to what a launch takes: arrays and images get device memory and their content,
// everything else its bytes. The arrays stay findable for the outputs.
#pragma once

#include "cli/launch/arguments.h"
#include "cli/value/output.h"
#include "launch/bind.h"
#include "vm/vm.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

struct BoundArray { // or image
    std::string name;
    std::optional<size_t> parameter; // that it was given to
    launch::Buffer buffer;
    ArrayFacts facts;
};

// `--bti N=ARRAY`, `--sampler N=SAMPLER`
struct StateText {
    uint32_t index = 0;
    std::string text;
    Value value;
};

struct Bindings {
    std::vector<launch::ArgumentValue> values; // compiled kernels
    std::vector<launch::HandInput> inputs;     // hand-written ones
    std::vector<launch::HandState> states;     //
    std::vector<BoundArray> arrays;
    std::vector<std::string> warnings;

    // By name or index; `bti0` is what --bti 0 was given.
    [[nodiscard]] std::expected<const BoundArray*, std::string> find(std::string_view target) const;
};

// New device memory with an array's content. `hint` is the type of raw bytes that nobody gave one.
[[nodiscard]] std::expected<BoundArray, Failure> make_array(vm::Context& context, const std::string& label,
                                                            const Value& value, std::optional<Element> hint);

// The same in host memory, with all its bytes. An image of which nobody gave the format has `format`.
struct HostArray {
    ArrayFacts facts;
    std::vector<std::byte> bytes;
};
[[nodiscard]] std::expected<HostArray, Failure> array_content(const Value& value, std::optional<Element> hint,
                                                              std::optional<machine::ImageFormat> format);

// `named` are the arrays that launches share; `states` are for hand-written kernels only.
[[nodiscard]] std::expected<Bindings, Failure> bind(vm::Context& context, const vm::KernelFacts& kernel,
                                                    std::span<const ArgumentText> arguments,
                                                    std::span<const StateText> states,
                                                    std::span<const BoundArray> named);

} // namespace visor::cli
