// Accesses that go nowhere: what hardware answers with zero or drops in silence.
#include "check/checkers.h"
#include "check/place.h"

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

// Bytes of what the event's surface stands for, and its name.
struct Target {
    std::string name;
    uint64_t bytes = 0;
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
    return {in == nullptr ? fmt::format("surface {}", event.surface) : in->label, surface.bytes};
}

bool starts_inside(const MemoryEvent& event) {
    return event.addresses[0] < target(event).bytes;
}

class MemoryChecker final : public machine::Watcher {
public:
    explicit MemoryChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

    void memory(const MemoryEvent& event) override {
        if (event.dropped == 0 || event.space == Space::flat)
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
        const auto lane = static_cast<unsigned>(std::countr_zero(event.dropped));
        const uint64_t offset = event.addresses[lane];
        const Target of = target(event);
        Finding finding{
            .kind = Kind::memory, .severity = whole_block ? Severity::note : Severity::error, .rule = rule};
        if (of.name.empty())
            finding.message = fmt::format("access through binding-table index {}, which nothing is bound to",
                                          event.surface);
        else
            finding.message = fmt::format("{} {} {} the end of {} ({} bytes)",
                                          read                              ? "read of"
                                          : event.kind == AccessKind::write ? "write of"
                                                                            : "update of",
                                          fmt::format("{} bytes", event.bytes),
                                          offset < of.bytes ? "across" : "past", of.name, of.bytes);
        finding.place = fmt::format("{} + 0x{:x}", of.name.empty() ? "surface" : of.name, offset);
        finding.party = party(event.thread, event.instruction,
                              event.addresses.size() == 1 ? -1 : channel(event.instruction, lane),
                              fmt::format("{} {} bytes", verb(event.kind), event.bytes));
        finding.notes.emplace_back(read ? "the device answers with zero" : "the device drops it in silence");
        findings_.add(*number, event.thread, std::move(finding));
    }

    void undefined(const machine::UndefinedEvent& event) override {
        if (event.kind == UndefinedKind::unset_surface)
            add(event, "unset-surface", "use of a surface variable that nothing was moved to");
        else if (event.kind == UndefinedKind::register_bounds)
            add(event, "register-bounds", "an indirect operand lies outside its variable");
    }

private:
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
};

} // namespace

std::unique_ptr<machine::Watcher> memory_checker(Findings& findings) {
    return std::make_unique<MemoryChecker>(findings);
}

} // namespace visor::check
