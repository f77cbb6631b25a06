// Kernels of many memory messages that share their surfaces, shared local memory and flat memory; each has
// the registers to itself, which are stored behind it. All that can be seen is compared with the oracle's
// world.
#pragma once

#include "exec/message_plan.h"
#include "vm/vm.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace visor::exec_test {

inline constexpr size_t messages_in_kernel = 40;

struct MessageKernel {
    uint64_t number = 0; // its seed
    uint32_t simd = 32;
    std::string text;
    std::vector<MessagePlan> plans;
    std::vector<oracle::Bytes> after; // the registers behind each message
    oracle::World start;
    oracle::World end;
    std::optional<oracle::MemoryFault> fault; // of the last message
};

// A device with memory whose addresses stay the same.
class MessageRig {
public:
    // `mistaken`: the oracle takes the first lane of each message for off when it is on, and for on when it
    // is off. What a sweep is worth is whether it notices.
    MessageRig(const isa::Device& device, vm::EngineKind engine, bool mistaken);

    [[nodiscard]] const isa::Device& device() const { return context_.device(); }
    // `shapes` empty: random ones. `only` picks one message of the kernel.
    [[nodiscard]] MessageKernel kernel(uint64_t number, std::span<const MessageShape> shapes,
                                       std::optional<size_t> only = std::nullopt) const;
    // "" or how results differ.
    [[nodiscard]] std::string run(const MessageKernel& kernel);

private:
    vm::Context context_;
    vm::EngineKind engine_;
    bool mistaken_;
    std::vector<std::pair<std::string, launch::Buffer>> buffers_; // the oracle's regions
    launch::Buffer in_;
    launch::Buffer out_;

    [[nodiscard]] Setting setting(uint32_t active) const;
    [[nodiscard]] oracle::World world(Random& random) const;
    void add(MessageKernel& kernel, MessagePlan plan, bool fault) const;
    [[nodiscard]] std::string text(const MessageKernel& kernel, uint32_t active) const;
    void fill(const MessageKernel& kernel);
    [[nodiscard]] std::string compare(const MessageKernel& kernel, const vm::RunReport& report);
};

} // namespace visor::exec_test
