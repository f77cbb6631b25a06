#include "jit/ir/prefetch.h"

namespace visor::jit {

void prefetch_line(llvm::IRBuilder<>& ir, llvm::Value* address, CacheLevel level) {
    ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                       {address, ir.getInt32(0), ir.getInt32(level == CacheLevel::first_cache ? 3 : 2),
                        ir.getInt32(1)}); // a read, of data
}

} // namespace visor::jit
