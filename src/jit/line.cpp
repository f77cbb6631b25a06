#include "jit/line.h"

namespace visor::jit {

void fetch_line(llvm::IRBuilder<>& ir, llvm::Value* place) {
    ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                       {place, ir.getInt32(0), ir.getInt32(3), ir.getInt32(1)}); // to read, near, as data
}

} // namespace visor::jit
