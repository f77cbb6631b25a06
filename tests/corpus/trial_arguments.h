// Device memory of a trial: its arrays and images as they are when the launch begins, given back at its end.
#pragma once

#include "examples/launch.h"
#include "vm/vm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace visor::corpus {

class TrialArguments {
public:
    // The context outlives it. Throws std::runtime_error where the context has no memory left.
    TrialArguments(vm::Context& context, const vm::KernelFacts& kernel, const test::Launch& launch);
    ~TrialArguments();
    TrialArguments(const TrialArguments&) = delete;
    TrialArguments& operator=(const TrialArguments&) = delete;
    TrialArguments(TrialArguments&&) = delete;
    TrialArguments& operator=(TrialArguments&&) = delete;

    [[nodiscard]] std::span<const launch::ArgumentValue> values() const { return values_; }
    [[nodiscard]] std::span<const launch::Buffer> buffers() const { return buffers_; } // the arrays
    // Copies what the arrays hold now to the launch's.
    void read_back(test::Launch& launch) const;

private:
    launch::ArgumentValue value_of(const test::Argument& argument, const std::string& label);

    vm::Context& context_;
    std::vector<launch::ArgumentValue> values_;
    std::vector<launch::Buffer> buffers_;
    std::vector<uint64_t> image_addresses_;
};

[[nodiscard]] launch::Geometry geometry_of(const test::Launch& launch);

} // namespace visor::corpus
