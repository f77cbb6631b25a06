#include "jit/ir/native_width.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace visor::jit {

llvm::Value* in_native_width(llvm::IRBuilder<>& ir, llvm::ArrayRef<llvm::Value*> values, uint32_t width,
                             llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> emit) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(values.front()->getType());
    const uint32_t lanes = vector == nullptr ? 1 : vector->getNumElements();
    llvm::SmallVector<llvm::Value*> results;
    for (uint32_t first = 0; first < lanes; first += width) {
        const uint32_t count = std::min(width, lanes - first);
        llvm::SmallVector<llvm::Value*> chunk;
        for (llvm::Value* const value : values)
            chunk.push_back(
                vector == nullptr ? ir.CreateVectorSplat(width, value)
                : lanes == width
                    ? value
                    : ir.CreateShuffleVector(value, llvm::createSequentialMask(first, count, width - count)));
        results.push_back(emit(chunk));
    }
    if (vector == nullptr)
        return ir.CreateExtractElement(results.front(), uint64_t{0});
    if (lanes < width)
        return ir.CreateShuffleVector(results.front(), llvm::createSequentialMask(0, lanes, 0));
    return results.size() == 1 ? results.front() : llvm::concatenateVectors(ir, results);
}

} // namespace visor::jit
