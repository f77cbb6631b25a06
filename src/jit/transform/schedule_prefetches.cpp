#include "jit/transform/schedule_prefetches.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace visor::jit {

namespace {

using llvm::Instruction;

constexpr size_t many_fetches = 16;
constexpr size_t long_block = 1000; // instructions of LLVM, of lanes most of them
constexpr size_t pieces = 8;

bool is_fetch(const Instruction& code) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&code);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
}

// LLVM's scheduler moves nothing over a label. Without any it puts all fetches, which need no registers, in a
// row where it is short of them.
void set_label(Instruction& behind) {
    llvm::IRBuilder<> ir(behind.getNextNode());
    llvm::LLVMContext& context = ir.getContext();
    auto* const name = llvm::MDNode::get(context, llvm::MDString::get(context, "fetches"));
    ir.CreateIntrinsic(llvm::Intrinsic::codeview_annotation, {}, {llvm::MetadataAsValue::get(context, name)});
}

struct Fetch {
    Instruction* code = nullptr;
    size_t behind = 0; // so many others
};

void spread(llvm::BasicBlock& block) {
    std::vector<Fetch> fetches;
    std::vector<Instruction*> others; // behind the first fetch
    for (Instruction& code : block)
        if (is_fetch(code))
            fetches.push_back({&code, others.size()});
        else if (!fetches.empty() && !code.isTerminator())
            others.push_back(&code);
    if (fetches.size() < many_fetches || others.size() < long_block)
        return;
    for (size_t piece = 0; piece < pieces; ++piece) {
        const size_t place = (piece + 1) * others.size() / (pieces + 1);
        Instruction* at = others[place];
        const size_t end = (piece + 1) * fetches.size() / pieces;
        for (size_t k = piece * fetches.size() / pieces; k < end; ++k) {
            if (fetches[k].behind > place)
                continue; // it may ask for what is not known before
            fetches[k].code->moveAfter(at);
            at = fetches[k].code;
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
