// Accesses that go nowhere: what hardware answers with zero or drops in silence.
#include "check/checkers.h"
#include "check/place.h"
#include "check/provenance.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::check {

namespace {

using machine::AccessKind;
using machine::MemoryEvent;
using machine::Space;
using machine::UndefinedKind;

std::string_view verb(AccessKind kind) {
    switch (kind) {
    case AccessKind::read:
        return "reads";
    case AccessKind::write:
        return "writes";
    case AccessKind::atomic:
        return "updates";
    }
    return "";
}

std::string_view noun(AccessKind kind) {
    return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "update";
}

// Bytes of what the event's surface stands for, and its name.
struct Target {
    std::string name;
    uint64_t bytes = 0; // without padding
};
Target target(const MemoryEvent& event) {
    const machine::Thread& thread = event.thread;
    if (event.space == Space::slm)
        return {"shared local memory", thread.group->slm.size()};
    if (event.space == Space::scratch)
        return {"the thread's scratch memory", thread.scratch.size()};
    const auto& surfaces = thread.launch->surfaces;
    if (event.surface >= surfaces.size() || surfaces[event.surface].kind == machine::SurfaceKind::none)
        return {};
    const machine::Surface& surface = surfaces[event.surface];
    const machine::Allocation* in = thread.launch->memory->find(surface.address, 1);
    return {in == nullptr ? fmt::format("surface {}", event.surface) : in->label,
            surface.bytes - surface.padding};
}

// Offsets have 32 bits: a large one is meant to be negative, where the surface itself is not as large.
bool is_below(uint64_t offset, uint64_t bytes) {
    return offset > INT32_MAX && offset <= UINT32_MAX && bytes != 0 && bytes <= INT32_MAX;
}
std::string_view side(uint64_t offset, uint64_t bytes) {
    if (is_below(offset, bytes))
        return "before the start";
    return offset < bytes ? "across the end" : "past the end";
}

bool starts_inside(const MemoryEvent& event) {
    return event.addresses[0] < target(event).bytes;
}

// Lanes that touch a buffer's padding, other than loads from within the buffer.
uint32_t lanes_in_padding(const MemoryEvent& event) {
    const auto& surfaces = event.thread.launch->surfaces;
    if (event.space != Space::surface || event.surface >= surfaces.size() ||
        surfaces[event.surface].padding == 0)
        return 0;
    const uint64_t end = surfaces[event.surface].bytes - surfaces[event.surface].padding;
    uint32_t lanes = 0;
    for (uint32_t rest = event.lanes & ~(event.dropped | event.across); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (event.addresses[lane] + event.bytes > end)
            lanes |= 1U << lane;
    }
    return lanes;
}

// Whether the kernel may reach the allocation by what the application has said.
bool is_declared(const machine::Launch& launch, const machine::Allocation& allocation) {
    if (launch.reach == nullptr || allocation.kind == machine::AllocationKind::other)
        return true;
    const auto& [kinds, allocations] = *launch.reach;
    return std::ranges::find(kinds, allocation.kind) != kinds.end() ||
           std::ranges::find(allocations, allocation.address) != allocations.end();
}

class MemoryChecker final : public MemoryWatcher {
public:
    explicit MemoryChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

    void launch_began(const machine::Launch& launch) override { provenance_ = Provenance(launch); }

    // As check_flat finds.
    [[nodiscard]] machine::AddressRange unreported_range(const machine::Thread& thread,
                                                         const PreparedInstruction& instruction,
                                                         const machine::Allocation& allocation,
                                                         uint64_t address) const override {
        if (!is_declared(*thread.launch, allocation))
            return {};
        const Provenance::Set made_of = provenance_.of(*thread.program, instruction);
        if (made_of != 0 && provenance_.left_by(made_of, address) != nullptr)
            return {};
        if (!holds_private(*thread.launch, allocation))
            return {allocation.address, allocation.bytes};
        const machine::AddressRange own = own_block(*thread.launch, thread.index);
        return address - own.address < own.bytes ? own : machine::AddressRange{};
    }

    void memory(const MemoryEvent& event) override {
        if (event.across != 0)
            tell_across(event);
        if (event.space == Space::flat)
            return check_flat(event);
        const uint32_t outside = event.dropped | lanes_in_padding(event);
        if (outside == 0)
            return;
        const bool read = event.kind == AccessKind::read;
        // The compiler reads whole blocks where a few bytes of them are wanted.
        const bool whole_block = read && event.addresses.size() == 1 && starts_inside(event);
        const std::string_view rule = whole_block ? "block-across-the-end"
                                      : read      ? "out-of-bounds-read"
                                                  : "out-of-bounds-write";
        const auto number = findings_.claim(event.thread, rule, event.instruction.source);
        if (!number)
            return;
        const auto lane = static_cast<unsigned>(std::countr_zero(outside));
        const uint64_t offset = event.addresses[lane];
        const Target of = target(event);
        Finding finding{
            .kind = Kind::memory, .severity = whole_block ? Severity::note : Severity::error, .rule = rule};
        if (of.name.empty())
            finding.message = fmt::format("access through binding-table index {}, which nothing is bound to",
                                          event.surface);
        else
            finding.message = fmt::format("{} of {} bytes {} of {} ({} bytes)", noun(event.kind), event.bytes,
                                          side(offset, of.bytes), of.name, of.bytes);
        const std::string_view name = of.name.empty() ? "surface" : std::string_view(of.name);
        finding.place = is_below(offset, of.bytes) ? fmt::format("{} - 0x{:x}", name, -offset & UINT32_MAX)
                                                   : fmt::format("{} + 0x{:x}", name, offset);
        finding.party = who(event, lane);
        const bool padding = (event.dropped >> lane & 1U) == 0;
        finding.notes.emplace_back(padding ? "the device reaches what pads the buffer to whole dwords"
                                   : read  ? "the device answers with zero"
                                           : "the device drops it in silence");
        findings_.add(*number, event.thread, std::move(finding));
    }

    void undefined(const machine::UndefinedEvent& event) override {
        if (event.kind == UndefinedKind::unset_surface)
            add(event, "unset-surface", "use of a surface variable that nothing was moved to");
        else if (event.kind == UndefinedKind::register_bounds)
            add(event, "register-bounds", "an indirect operand lies outside its variable");
    }

private:
    // Ruling 145. What comes of the bytes behind the end is the init checker's.
    void tell_across(const MemoryEvent& event) {
        const auto number = findings_.claim(event.thread, "block-across-the-end", event.instruction.source);
        if (!number)
            return;
        const auto lane = static_cast<unsigned>(std::countr_zero(event.across));
        const Place place = place_of(event, lane);
        // A part of it may begin behind the end.
        const machine::Memory& memory = *event.thread.launch->memory;
        const machine::Allocation* of = memory.find(place.address, 1);
        if (of == nullptr)
            of = memory.find(place.address - machine::Memory::tail_bytes, 1);
        const Target buffer =
            event.space == Space::flat && of != nullptr ? Target{of->label, of->bytes} : target(event);
        Finding finding{.kind = Kind::memory, .severity = Severity::note, .rule = "block-across-the-end"};
        finding.message = fmt::format("read of {} bytes across the end of {} ({} bytes)", event.bytes,
                                      buffer.name, buffer.bytes);
        finding.place = name_of(event.thread, place);
        finding.party = who(event, lane);
        finding.notes.emplace_back(
            "compiled code reads whole blocks and vectors, and finds there what belongs to nobody");
        findings_.add(*number, event.thread, std::move(finding));
    }

    // Inside some allocation, or the run would have ended; but inside the right one?
    void check_flat(const MemoryEvent& event) {
        const machine::Thread& thread = event.thread;
        if (thread.launch->reach != nullptr)
            check_declared(event);
        const bool has_blocks = has_private(*thread.launch);
        const Provenance::Set made_of = provenance_.of(*thread.program, event.instruction);
        if (!has_blocks && made_of == 0)
            return;
        const uint32_t lanes = event.lanes & ~(event.dropped | event.across);
        // Private memory is an allocation, too, and made of nothing that is judged.
        if (provenance_.only_one_holds(made_of, event.addresses, lanes))
            return;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const uint64_t address = event.addresses[lane];
            const auto owner = has_blocks ? private_owner(*thread.launch, address) : std::nullopt;
            if (owner && *owner != thread.index)
                return left_block(event, lane, *owner);
            if (made_of != 0)
                if (const machine::Allocation* const left = provenance_.left_by(made_of, address))
                    return left_allocation(event, lane, *left);
        }
    }

    // Each lane's allocation is an argument's, or one that the application has declared.
    void check_declared(const MemoryEvent& event) {
        const machine::Launch& launch = *event.thread.launch;
        const machine::Allocation* last = nullptr; // declared
        for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const machine::Allocation* const in = launch.memory->find(event.addresses[lane], 1);
            if (in == nullptr || in == last)
                continue;
            if (!is_declared(launch, *in))
                return undeclared(event, lane, *in);
            last = in;
        }
    }

    void undeclared(const MemoryEvent& event, unsigned lane, const machine::Allocation& in) {
        const auto number = findings_.claim(event.thread, "undeclared-access", event.instruction.source);
        if (!number)
            return;
        Finding finding{.kind = Kind::memory, .rule = "undeclared-access"};
        finding.message = fmt::format("{} of {} bytes in {}, which is no argument and was not declared",
                                      noun(event.kind), event.bytes, in.label);
        finding.place = name_of(event.thread, place_of(event, lane));
        finding.party = who(event, lane);
        finding.notes.emplace_back("clSetKernelExecInfo declares what a kernel reaches beside its arguments; "
                                   "on a device the memory may be elsewhere without it");
        findings_.add(*number, event.thread, std::move(finding));
    }

    static Party who(const MemoryEvent& event, unsigned lane) {
        return party(event.thread, event.instruction,
                     event.addresses.size() == 1 ? -1 : channel(event.instruction, lane),
                     fmt::format("{} {} bytes", verb(event.kind), event.bytes));
    }

    void left_block(const MemoryEvent& event, unsigned lane, uint32_t owner) {
        const bool read = event.kind == AccessKind::read;
        const std::string_view rule = read ? "out-of-bounds-read" : "out-of-bounds-write";
        const auto number = findings_.claim(event.thread, rule, event.instruction.source);
        if (!number)
            return;
        Finding finding{.kind = Kind::memory, .rule = rule};
        finding.message = fmt::format("{} of {} bytes outside the thread's private memory ({} bytes)",
                                      noun(event.kind), event.bytes, event.thread.launch->private_bytes);
        finding.place = fmt::format("private memory of hardware thread {}", owner);
        finding.party = who(event, lane);
        findings_.add(*number, event.thread, std::move(finding));
    }

    void left_allocation(const MemoryEvent& event, unsigned lane, const machine::Allocation& left) {
        const auto number = findings_.claim(event.thread, "other-allocation", event.instruction.source);
        if (!number)
            return;
        const uint64_t address = event.addresses[lane];
        const bool behind = address >= left.address;
        Finding finding{.kind = Kind::memory, .rule = "other-allocation"};
        finding.message = fmt::format("{} of {} bytes with an address made of {}, which lies elsewhere",
                                      noun(event.kind), event.bytes, left.label);
        finding.place = name_of(event.thread, place_of(event, lane));
        finding.party = who(event, lane);
        finding.notes.push_back(
            fmt::format("{} bytes {} of {} ({} bytes)",
                        behind ? address - left.address - left.bytes : left.address - address,
                        behind ? "past the end" : "before the start", left.label, left.bytes));
        findings_.add(*number, event.thread, std::move(finding));
    }

    void add(const machine::UndefinedEvent& event, std::string_view rule, const char* message) {
        const auto number = findings_.claim(event.thread, rule, event.instruction.source);
        if (!number)
            return;
        const int lane = event.lanes == 0 ? -1
                                          : channel(event.instruction,
                                                    static_cast<unsigned>(std::countr_zero(event.lanes)));
        findings_.add(*number, event.thread,
                      {.kind = Kind::memory,
                       .rule = rule,
                       .message = message,
                       .party = party(event.thread, event.instruction, lane)});
    }

    Findings& findings_;
    Provenance provenance_;
};

} // namespace

std::unique_ptr<MemoryWatcher> memory_checker(Findings& findings) {
    return std::make_unique<MemoryChecker>(findings);
}

} // namespace visor::check
