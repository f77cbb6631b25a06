// A kernel's text as LLVM's code, before any pass: function `f`, for 16 lanes of skl.
#pragma once

#include "jit/translate/translator.h"

#include "planned.h"

#include <memory>

namespace visor::jit {

struct Emitted {
    std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> module = std::make_unique<llvm::Module>("emitted", *context);
};

// Empty, and a failure of the test, when the text is no kernel's.
inline Emitted emitted(const std::string& code, const CodeOptions& options) {
    Emitted made;
    const auto program = prepared(code);
    EXPECT_TRUE(program.has_value()) << code;
    if (!program)
        return made;
    const FunctionInfo plan = analyze_function(*program, 16, true);
    Translator(*made.module, *program, plan, options).emit("f");
    return made;
}

} // namespace visor::jit
