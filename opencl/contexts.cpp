#include "opencl/contexts.h"

#include "opencl/context.h"

#include <fmt/format.h>

namespace visor::opencl {

void Contexts::add(_cl_context& context) {
    const std::lock_guard guard(lock_);
    for (std::atomic<_cl_context*>& slot : slots_) {
        if (slot.load(std::memory_order_relaxed) == nullptr) {
            slot.store(&context, std::memory_order_release);
            return;
        }
    }
}

void Contexts::remove(_cl_context& context) {
    const std::lock_guard guard(lock_);
    for (std::atomic<_cl_context*>& slot : slots_)
        if (slot.load(std::memory_order_relaxed) == &context)
            slot.store(nullptr, std::memory_order_release);
}

Ref<_cl_context> Contexts::owner_of(const void* pointer) {
    const std::lock_guard guard(lock_);
    Ref<_cl_context> found;
    each([&](_cl_context& context) {
        if (context.machine.memory().contains(reinterpret_cast<uint64_t>(pointer)))
            found = Ref(&context);
    });
    return found;
}

std::optional<Misuse> misuse_of(_cl_context& context, const void* pointer, size_t bytes) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const machine::Memory& own = context.machine.memory();
    if (bytes == 0 || own.find(address, bytes) != nullptr)
        return std::nullopt;
    const std::string what =
        bytes == 1 ? fmt::format("0x{:x}", address) : fmt::format("{} bytes at 0x{:x}", bytes, address);
    if (!own.contains(address)) {
        const Ref<_cl_context> other = platform().contexts.owner_of(pointer);
        if (!other)
            return std::nullopt;
        const machine::Allocation* const there = other->machine.memory().find(address, bytes);
        return Misuse{
            "other-context",
            fmt::format("{}: in {} of another context", what, there == nullptr ? "the memory" : there->label),
            there != nullptr};
    }
    if (const auto freed = own.freed_at(address))
        return Misuse{"use-after-free",
                      fmt::format("{}: in {} ({} bytes), which was freed", what, freed->label, freed->bytes)};
    const machine::Allocation* const begins = own.find(address, 1);
    if (begins == nullptr)
        return Misuse{"out-of-bounds", fmt::format("{}: nothing is allocated there", what)};
    return Misuse{"out-of-bounds",
                  fmt::format("{}: past the end of {} ({} bytes)", what, begins->label, begins->bytes)};
}

void tell_misuse(std::string_view call, const Misuse& misuse) {
    if (platform().settings.checks_memory())
        platform().record.found(true, fmt::format("{}: error: {} [{}]\n", call, misuse.text, misuse.rule));
}

cl_int check_bytes(_cl_context& context, std::string_view call, const void* pointer, size_t bytes) {
    const auto misuse = misuse_of(context, pointer, bytes);
    if (!misuse)
        return CL_SUCCESS;
    tell_misuse(call, *misuse);
    return misuse->is_readable ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int check_bytes_again(_cl_context& context, std::string_view call, const void* pointer, size_t bytes) {
    const auto misuse = misuse_of(context, pointer, bytes);
    if (!misuse || misuse->is_readable)
        return CL_SUCCESS;
    tell_misuse(call, *misuse);
    platform().record.failed(vm::ErrorKind::fault, fmt::format("error: {}: {}", call, misuse->text));
    return CL_INVALID_VALUE;
}

} // namespace visor::opencl
