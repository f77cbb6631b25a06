#include "opencl/contexts.h"

#include "machine/arena_address.h"
#include "opencl/context.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace visor::opencl {

void Contexts::add(_cl_context& context) {
    const std::lock_guard guard(lock_);
    for (size_t k = 0; k < slots_.size(); ++k) {
        if (slots_[k].load(std::memory_order_relaxed) != nullptr)
            continue;
        slots_[k].store(&context, std::memory_order_release);
        used_.store(std::max(used_.load(std::memory_order_relaxed), k + 1), std::memory_order_release);
        return;
    }
}

void Contexts::remove(_cl_context& context) {
    const std::lock_guard guard(lock_);
    for (std::atomic<_cl_context*>& slot : slots_)
        if (slot.load(std::memory_order_relaxed) == &context)
            slot.store(nullptr, std::memory_order_release);
    const machine::Memory& memory = context.machine.memory();
    ending_.push_back({&context, memory.base(), memory.reserved()});
}

void Contexts::memory_is_gone(const _cl_context& context) {
    const std::lock_guard guard(lock_);
    std::erase_if(ending_, [&](const Ending& one) { return one.context == &context; });
}

Contexts::Owner Contexts::owner_of(const void* pointer) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const std::lock_guard guard(lock_);
    Owner found;
    found.is_ending =
        std::ranges::any_of(ending_, [&](const Ending& one) { return address - one.base < one.bytes; });
    each([&](_cl_context& context) {
        if (!context.machine.memory().contains(address))
            return;
        found.context = Ref(&context);
        found.is_ending = !found.context;
    });
    return found;
}

namespace {

// "64 bytes at 0x2000: in"
std::string bytes_in(uint64_t address, size_t bytes) {
    return bytes == 1 ? fmt::format("0x{:x}: in", address)
                      : fmt::format("{} bytes at 0x{:x}: in", bytes, address);
}

Misuse freed(uint64_t address, size_t bytes, const machine::Allocation& of) {
    return {"use-after-free",
            fmt::format("{} {} ({} bytes), which was freed", bytes_in(address, bytes), of.label, of.bytes)};
}

bool is_inside(const machine::Allocation& one, uint64_t address, size_t bytes) {
    return bytes <= one.bytes - (address - one.address);
}

// The misuse of another context's memory, or of stale memory.
std::optional<Misuse> foreign(const void* pointer, size_t bytes) {
    const auto [other, is_ending] = platform().contexts.owner_of(pointer);
    const auto address = reinterpret_cast<uint64_t>(pointer);
    if (!other && (is_ending || machine::is_unmapped_arena_address(address)))
        return Misuse{"use-after-free",
                      fmt::format("{} the memory of a context that has ended", bytes_in(address, bytes))};
    if (!other)
        return std::nullopt;
    const auto there = other->allocation_at(address);
    return Misuse{"other-context",
                  fmt::format("{} {} of another context", bytes_in(address, bytes),
                              there ? there->allocation.label : "the memory"),
                  there && !there->is_freed && is_inside(there->allocation, address, bytes)};
}

} // namespace

std::optional<Misuse> misuse_of(_cl_context& context, const void* pointer, size_t bytes) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const machine::Memory& own = context.machine.memory();
    if (bytes == 0)
        return std::nullopt;
    if (!own.contains(address))
        return foreign(pointer, bytes);
    const auto found = context.allocation_at(address);
    if (found && found->is_freed)
        return freed(address, bytes, found->allocation);
    if (found && is_inside(found->allocation, address, bytes))
        return std::nullopt;
    if (found)
        return Misuse{"out-of-bounds",
                      fmt::format("{} bytes at 0x{:x}: past the end of {} ({} bytes)", bytes, address,
                                  found->allocation.label, found->allocation.bytes)};
    if (const auto before = own.freed_at(address))
        return freed(address, bytes, *before);
    return Misuse{"out-of-bounds", fmt::format("{} the device's memory, and nothing is allocated there",
                                               bytes_in(address, bytes))};
}

Misuse misuse_of_free(_cl_context& context, const void* pointer, std::string_view kind) {
    if (auto known = misuse_of(context, pointer, 1))
        return *std::move(known);
    return {"not-an-allocation", fmt::format("0x{:x} is not the begin of an allocation of {}",
                                             reinterpret_cast<uint64_t>(pointer), kind)};
}

void report_misuse(std::string_view call, const Misuse& misuse) {
    if (platform().settings.checks_memory())
        platform().record.found(true, fmt::format("{}: error: {} [{}]\n", call, misuse.text, misuse.rule));
}

cl_int check_bytes(_cl_context& context, std::string_view call, const void* pointer, size_t bytes) {
    const auto misuse = misuse_of(context, pointer, bytes);
    if (!misuse)
        return CL_SUCCESS;
    report_misuse(call, *misuse);
    return misuse->is_readable ? CL_SUCCESS : CL_INVALID_VALUE;
}

class BytesInUse::Foreign {
public:
    explicit Foreign(Ref<_cl_context> owner) : owner_(std::move(owner)), command_(*owner_) {}

private:
    Ref<_cl_context> owner_;
    _cl_context::Command command_;
};

BytesInUse::BytesInUse(_cl_context& context, std::string_view call, const void* pointer, size_t bytes) {
    if (!context.machine.memory().contains(reinterpret_cast<uint64_t>(pointer)))
        if (Ref<_cl_context> owner = platform().contexts.owner_of(pointer).context)
            foreign_ = std::make_unique<Foreign>(std::move(owner));
    const auto misuse = misuse_of(context, pointer, bytes);
    if (!misuse || misuse->is_readable)
        return;
    report_misuse(call, *misuse);
    platform().record.failed(vm::ErrorKind::fault, fmt::format("error: {}: {}", call, misuse->text));
    problem_ = CL_INVALID_VALUE;
}

BytesInUse::~BytesInUse() = default;

} // namespace visor::opencl
