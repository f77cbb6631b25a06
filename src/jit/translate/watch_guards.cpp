// Guards of checked runs: each message tests whether listeners would report it. Nearly always they would not,
// and compiled code executes it; else it is an interpreter fallback, which reports. A false positive costs
// time, a false negative loses a finding.
#include "jit/translate/memory_message.h"

namespace visor::jit {

using llvm::Value;

// A surface variable that was never set has no window data. Its messages are reported even if no lane is
// active.
Value* Messages::all_inside(const SurfaceWindow& window, Value* offsets, Value* on, uint32_t end) {
    Value* const masked = masked_offsets(window, offsets);
    Value* const in = translator_.every(ir_.CreateOr(inside(window, masked, end), ir_.CreateNot(on)));
    return ir_.CreateAnd(in, ir_.CreateIsNotNull(window.data));
}

void Messages::with_watch_guard(MessageKind kind, const SurfaceWindow* window, Value* addresses, Value* on,
                                uint32_t end, const std::function<void()>& body) {
    const machine::EventKinds& reported = translator_.options().reported;
    if (!reported.any())
        return body();
    const uint32_t lanes = Translator::lanes_of(addresses);
    // Conflict listeners record every read, so all of them go to the interpreter.
    if (end == 0 || (reported.conflicts && lanes > 1 && kind == MessageKind::read))
        return translator_.call_out();
    Value* unreported = ir_.getTrue();
    if (reported.alignment && aligned_.bytes > 1)
        unreported = ir_.CreateAnd(unreported, aligned(aligned_.addresses, aligned_.bytes, on));
    if (reported.conflicts && lanes > 1 && kind == MessageKind::write) {
        Value* const mask = window == nullptr ? static_cast<Value*>(ir_.getInt64(UINT64_MAX)) : window->mask;
        unreported = ir_.CreateAnd(unreported, create_disjoint_check(ir_, addresses, mask, end));
    }
    if (reported.outside && window != nullptr)
        unreported = ir_.CreateAnd(unreported, all_inside(*window, addresses, on, end));
    if (unreported == ir_.getTrue())
        return body();
    translator_.guarded(unreported, body);
}

} // namespace visor::jit
