// Code of one function `f`, written as LLVM's text, to be changed by a pass, looked at, and run.
#pragma once

#include "jit/object.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace visor::jit {

class Assembled {
public:
    // A failure of the test, and false, when it is no text of LLVM's. Forgets what was there before.
    bool parse(const std::string& text) {
        initialize_target();
        module_.reset();
        context_ = std::make_unique<llvm::LLVMContext>();
        llvm::SMDiagnostic problem;
        module_ = llvm::parseAssemblyString(text, problem, *context_);
        EXPECT_NE(module_, nullptr) << problem.getMessage().str();
        return module_ != nullptr;
    }
    // Until `link`.
    [[nodiscard]] llvm::Module& module() { return *module_; }
    [[nodiscard]] llvm::Function& function() { return *module_->getFunction("f"); }
    void verify() {
        std::string error;
        llvm::raw_string_ostream stream(error);
        EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << error;
    }
    void link() {
        auto jit = llvm::orc::LLJITBuilder().create();
        ASSERT_TRUE(static_cast<bool>(jit));
        jit_ = std::move(*jit);
        module_->setDataLayout(jit_->getDataLayout());
        ASSERT_FALSE(static_cast<bool>(
            jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module_), std::move(context_)))));
    }
    // Linked code, which lives as long as this.
    template <typename Type>
    [[nodiscard]] Type* linked() {
        auto address = jit_->lookup("f");
        EXPECT_TRUE(static_cast<bool>(address));
        return address->toPtr<Type>();
    }

private:
    std::unique_ptr<llvm::LLVMContext> context_;
    std::unique_ptr<llvm::Module> module_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
};

} // namespace visor::jit
