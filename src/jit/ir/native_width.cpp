#include "jit/ir/native_width.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace visor::jit {

llvm::Value* in_native_width(llvm::IRBuilder<>& ir, llvm::ArrayRef<llvm::Value*> values, uint32_t part,
                             llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> make) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(values.front()->getType());
    const uint32_t lanes = vector == nullptr ? 1 : vector->getNumElements();
    llvm::SmallVector<llvm::Value*> made;
    for (uint32_t first = 0; first < lanes; first += part) {
        const uint32_t count = std::min(part, lanes - first);
        llvm::SmallVector<llvm::Value*> own;
        for (llvm::Value* const value : values)
            own.push_back(vector == nullptr ? ir.CreateVectorSplat(part, value)
                          : lanes == part   ? value
                                            : ir.CreateShuffleVector(value, llvm::createSequentialMask(
                                                                              first, count, part - count)));
        made.push_back(make(own));
    }
    if (vector == nullptr)
        return ir.CreateExtractElement(made.front(), uint64_t{0});
    if (lanes < part)
        return ir.CreateShuffleVector(made.front(), llvm::createSequentialMask(0, lanes, 0));
    return made.size() == 1 ? made.front() : llvm::concatenateVectors(ir, made);
}

} // namespace visor::jit
