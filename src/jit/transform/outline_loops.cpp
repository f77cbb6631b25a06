#include "jit/transform/outline_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <initializer_list>

namespace visor::jit {

namespace {

constexpr const char* lanes_mark = "visor.lanes";

void mark(llvm::BranchInst& back, std::initializer_list<const char*> names) {
    llvm::LLVMContext& context = back.getContext();
    llvm::SmallVector<llvm::Metadata*> options{nullptr};
    for (const char* const name : names)
        options.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, name)));
    llvm::MDNode* const loop = llvm::MDNode::getDistinct(context, options);
    loop->replaceOperandWith(0, loop);
    back.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

} // namespace

void mark_as_iterations(llvm::BranchInst& back) {
    mark(back, {"llvm.loop.unroll.disable"});
}

void mark_as_lanes(llvm::BranchInst& back) {
    mark(back, {"llvm.loop.unroll.disable", lanes_mark});
}

void outline_lane_loops(llvm::Function& function) {
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    std::vector<std::vector<llvm::BasicBlock*>> found;
    for (llvm::Loop* const loop : loops.getLoopsInPreorder())
        if (llvm::findOptionMDForLoop(loop, lanes_mark) != nullptr)
            found.push_back(loop->getBlocksVector());
    for (const auto& blocks : found) {
        const llvm::CodeExtractorAnalysisCache cache(function);
        llvm::CodeExtractor extractor(blocks);
        if (!extractor.isEligible())
            continue;
        if (llvm::Function* const outlined = extractor.extractCodeRegion(cache); outlined != nullptr)
            outlined->addFnAttr(llvm::Attribute::NoInline);
    }
}

} // namespace visor::jit
