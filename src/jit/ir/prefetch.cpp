#include "jit/ir/prefetch.h"

namespace visor::jit {

void prefetch_line(llvm::IRBuilder<>& ir, llvm::Value* address, CacheLevel level) {
    ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                       {address, ir.getInt32(0), ir.getInt32(level == CacheLevel::first_cache ? 3 : 2),
                        ir.getInt32(1)}); // a read, of data
}

void prefetch_row(llvm::IRBuilder<>& ir, llvm::Value* base, int64_t offset, int64_t bytes) {
    for (int64_t at = 0; at < bytes; at += line_bytes)
        prefetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), base, static_cast<uint64_t>(offset + at)));
}

} // namespace visor::jit
