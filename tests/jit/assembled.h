// Code of one function `f`, written as LLVM's text, to be changed by a pass, looked at, and run. LLVM's
// linker stays in assembled.cpp: its headers take longer to compile than most tests that use this.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace visor::jit {

class Assembled {
public:
    Assembled();
    Assembled(Assembled&&) noexcept;
    Assembled& operator=(Assembled&&) noexcept;
    Assembled(const Assembled&) = delete;
    Assembled& operator=(const Assembled&) = delete;
    ~Assembled();

    // A failure of the test, and false, when it is no text of LLVM's. Forgets what was there before.
    bool parse(const std::string& text);
    // Until `link`.
    [[nodiscard]] llvm::Module& module() { return *module_; }
    [[nodiscard]] llvm::Function& function() { return *module_->getFunction("f"); }
    void verify();
    void link();
    // Loaded code, which lives as long as this.
    template <typename Type>
    [[nodiscard]] Type* linked() {
        return reinterpret_cast<Type*>(address());
    }

private:
    [[nodiscard]] void* address(); // of the linked function; nullptr, and a failure of the test, without one

    std::unique_ptr<llvm::LLVMContext> context_;
    std::unique_ptr<llvm::Module> module_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
};

} // namespace visor::jit
