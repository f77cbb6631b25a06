#include "jit/transform/shorten_kept.h"

#include "jit/analysis/lane_affine.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace visor::jit {

namespace {

// Phis of vectors that most users need only as a base.
std::vector<std::pair<llvm::PHINode*, LaneAffine::Form>> phis_with_form(llvm::Function& function,
                                                                        LaneAffine& affine) {
    std::vector<std::pair<llvm::PHINode*, LaneAffine::Form>> found;
    for (llvm::BasicBlock& block : function) {
        std::vector<llvm::PHINode*> phis; // form() inserts phis
        for (llvm::PHINode& phi : block.phis())
            if (phi.getType()->isVectorTy() && phi.getType()->isIntOrIntVectorTy())
                phis.push_back(&phi);
        for (llvm::PHINode* const phi : phis)
            if (auto form = affine.form(phi, 0, &*block.getFirstInsertionPt());
                form && form->conditions.empty())
                found.emplace_back(phi, std::move(*form));
    }
    return found;
}

} // namespace

void shorten_kept(llvm::Function& function) {
    LaneAffine affine(function, 0);
    struct Copy {
        llvm::LoadInst* load;
        llvm::StoreInst* store;
        LaneAffine::Form form;
    };
    std::vector<Copy> copies; // forms first: changes would invalidate them
    for (const auto& [load, store] : affine.kept())
        if (auto form = affine.form(store->getValueOperand(), 0, store); form && form->conditions.empty())
            copies.push_back({load, store, std::move(*form)});
    const auto phis = phis_with_form(function, affine);
    llvm::IRBuilder<> ir(function.getContext());
    for (const auto& [load, store, form] : copies) {
        ir.SetInsertPoint(store);
        ir.CreateAlignedStore(form.base, store->getPointerOperand(), llvm::Align());
        ir.SetInsertPoint(load);
        llvm::Type* const type = load->getType()->getScalarType();
        llvm::Value* const first = ir.CreateAlignedLoad(type, load->getPointerOperand(), llvm::Align());
        load->replaceAllUsesWith(LaneAffine::vector_of(ir, form.steps, first));
    }
    for (const auto& [load, store, form] : copies) {
        load->eraseFromParent();
        store->eraseFromParent();
    }
    for (const auto& [phi, form] : phis) {
        ir.SetInsertPoint(&*phi->getParent()->getFirstInsertionPt());
        phi->replaceAllUsesWith(LaneAffine::vector_of(ir, form.steps, form.base));
        phi->eraseFromParent();
    }
}

} // namespace visor::jit
