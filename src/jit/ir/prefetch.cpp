#include "jit/ir/prefetch.h"

namespace visor::jit {

void prefetch_line(llvm::IRBuilder<>& ir, llvm::Value* place, CacheLevel near) {
    ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                       {place, ir.getInt32(0), ir.getInt32(near == CacheLevel::first_cache ? 3 : 2),
                        ir.getInt32(1)}); // to read, as data
}

} // namespace visor::jit
