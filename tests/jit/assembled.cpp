#include "assembled.h"

#include "jit/driver/pipeline.h"
#include "jit/ir/bounds.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

namespace visor::jit {

Assembled::Assembled() = default;
Assembled::Assembled(Assembled&&) noexcept = default;
Assembled& Assembled::operator=(Assembled&&) noexcept = default;
Assembled::~Assembled() = default;

bool Assembled::parse(const std::string& text) {
    initialize_target();
    module_.reset();
    context_ = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, *context_);
    EXPECT_NE(module_, nullptr) << problem.getMessage().str();
    return module_ != nullptr;
}

void Assembled::verify() {
    std::string error;
    llvm::raw_string_ostream stream(error);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << error;
}

void Assembled::link() {
    remove_marks(*module_); // of pointers, which compile() takes away as well
    auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
    ASSERT_TRUE(static_cast<bool>(target));
    target->addFeatures(
        {"-vzeroupper"}); // which clears registers that cold paths preserve (preserve-vector-registers)
    auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*target)).create();
    ASSERT_TRUE(static_cast<bool>(jit));
    jit_ = std::move(*jit);
    module_->setDataLayout(jit_->getDataLayout());
    ASSERT_FALSE(static_cast<bool>(
        jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module_), std::move(context_)))));
}

void* Assembled::address() {
    auto found = jit_->lookup("f");
    EXPECT_TRUE(static_cast<bool>(found));
    return found ? found->toPtr<void*>() : nullptr;
}

} // namespace visor::jit
