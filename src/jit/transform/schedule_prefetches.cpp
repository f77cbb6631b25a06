#include "jit/transform/schedule_prefetches.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace visor::jit {

namespace {

using llvm::Instruction;

constexpr size_t min_prefetches = 16;
constexpr size_t long_block = 1000; // of LLVM IR, mostly vector operations
constexpr size_t pieces = 8;

bool is_prefetch(const Instruction& code) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&code);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
}

// A label is a scheduling barrier. Without one, LLVM's scheduler groups all prefetches under register
// pressure, as they need no registers.
void set_label(Instruction& preceding) {
    llvm::IRBuilder<> ir(preceding.getNextNode());
    llvm::LLVMContext& context = ir.getContext();
    auto* const name = llvm::MDNode::get(context, llvm::MDString::get(context, "fetches"));
    ir.CreateIntrinsic(llvm::Intrinsic::codeview_annotation, {}, {llvm::MetadataAsValue::get(context, name)});
}

struct Prefetch {
    Instruction* code = nullptr;
    size_t preceding = 0; // instructions before it
};

void spread(llvm::BasicBlock& block) {
    std::vector<Prefetch> prefetches;
    std::vector<Instruction*> instructions; // after the first prefetch
    for (Instruction& code : block)
        if (is_prefetch(code))
            prefetches.push_back({&code, instructions.size()});
        else if (!prefetches.empty() && !code.isTerminator())
            instructions.push_back(&code);
    if (prefetches.size() < min_prefetches || instructions.size() < long_block)
        return;
    for (size_t piece = 0; piece < pieces; ++piece) {
        const size_t position = (piece + 1) * instructions.size() / (pieces + 1);
        Instruction* at = instructions[position];
        const size_t end = (piece + 1) * prefetches.size() / pieces;
        for (size_t k = piece * prefetches.size() / pieces; k < end; ++k) {
            if (prefetches[k].preceding > position)
                continue; // its address may not be available yet
            prefetches[k].code->moveAfter(at);
            at = prefetches[k].code;
        }
        set_label(*at);
    }
}

} // namespace

void schedule_prefetches(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        spread(block);
}

} // namespace visor::jit
