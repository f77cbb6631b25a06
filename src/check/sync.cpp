// Barriers that not everybody comes to.
#include "check/checkers.h"

#include <bit>
#include <fmt/format.h>

namespace visor::check {

namespace {

class SyncChecker final : public machine::Watcher {
public:
    explicit SyncChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int /*barrier*/) override {
        const uint32_t away = thread.dispatch_mask & ~thread.execution_mask;
        if (away == 0)
            return;
        const auto number = findings_.claim(thread, "divergent-barrier", instruction.source);
        if (!number)
            return;
        findings_.add(*number, thread,
                      {.kind = Kind::sync,
                       .rule = "divergent-barrier",
                       .message = fmt::format("a barrier in divergent flow: {} of the thread's {} lanes are "
                                              "elsewhere",
                                              std::popcount(away), std::popcount(thread.dispatch_mask)),
                       .party = party(thread, instruction, std::countr_zero(away)),
                       .notes = {"the thread arrives for all its lanes; OpenCL wants every work-item to come "
                                 "to a barrier, or none"}});
    }

    void undefined(const machine::UndefinedEvent& event) override {
        if (event.kind != machine::UndefinedKind::early_exit)
            return;
        const auto number = findings_.claim(event.thread, "missed-barrier", event.instruction.source);
        if (!number)
            return;
        findings_.add(*number, event.thread,
                      {.kind = Kind::sync,
                       .rule = "missed-barrier",
                       .message = "threads of the group wait at a barrier and this one has ended",
                       .party = party(event.thread, event.instruction, -1),
                       .notes = {"Visor counts a thread that has ended as arrived (ruling 37); a device may "
                                 "wait for ever"}});
    }

private:
    Findings& findings_;
};

} // namespace

std::unique_ptr<machine::Watcher> sync_checker(Findings& findings) {
    return std::make_unique<SyncChecker>(findings);
}

} // namespace visor::check
