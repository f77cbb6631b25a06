// What a compile for listeners asks in front of each message: whether they would have anything to hear of it.
// Nearly always they do not, and the message is the code's own; where they may, the reference executes it and
// tells them. To ask too often costs time, to ask too little a finding.
#include "jit/translate/memory_message.h"

namespace visor::jit {

using llvm::Value;

// A surface that nothing was moved to has no bytes anywhere, and is told of when no lane is on as well.
Value* Messages::all_inside(const SurfaceWindow& window, Value* places, Value* on, uint32_t end) {
    Value* const offsets = masked_offsets(window, places);
    Value* const in = translator_.every(ir_.CreateOr(inside(window, offsets, end), ir_.CreateNot(on)));
    return ir_.CreateAnd(in, ir_.CreateIsNotNull(window.data));
}

void Messages::quietly(Does does, const SurfaceWindow* window, Value* places, Value* on, uint32_t end,
                       const std::function<void()>& body) {
    const machine::EventKinds& reported = translator_.options().reported;
    if (!reported.any())
        return body();
    const uint32_t lanes = Translator::lanes_of(places);
    // What lanes read is remembered by who listens, whatever it is.
    if (end == 0 || (reported.conflicts && lanes > 1 && does == Does::read))
        return translator_.call_out();
    Value* quiet = ir_.getTrue();
    if (reported.alignment && aligned_.bytes > 1)
        quiet = ir_.CreateAnd(quiet, aligned(aligned_.addresses, aligned_.bytes, on));
    if (reported.conflicts && lanes > 1 && does == Does::write) {
        Value* const mask = window == nullptr ? static_cast<Value*>(ir_.getInt64(UINT64_MAX)) : window->mask;
        quiet = ir_.CreateAnd(quiet, create_disjoint_check(ir_, places, mask, end));
    }
    if (reported.outside && window != nullptr)
        quiet = ir_.CreateAnd(quiet, all_inside(*window, places, on, end));
    if (quiet == ir_.getTrue())
        return body();
    translator_.guarded(quiet, body);
}

} // namespace visor::jit
