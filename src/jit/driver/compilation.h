// One function on its way to machine code: vISA to LLVM IR, the passes, the object file.
#pragma once

#include "jit/driver/pass_runner.h"
#include "jit/engine/object.h"
#include "program/program.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace visor::jit {

// Used by one thread at a time. Never moved: the parts refer to each other.
class Compilation {
public:
    // Error: why there is no code. `program` outlives nothing: it is translated here.
    [[nodiscard]] static std::expected<std::unique_ptr<Compilation>, std::string>
    of_program(const Program& program, const CompileOptions& options);
    // LLVM's text, for tests of passes: the function `function_name`, else the first definition.
    // `register_bytes`: of the register file that its State has. Error: as LLVM reports it.
    [[nodiscard]] static std::expected<std::unique_ptr<Compilation>, std::string>
    of_text(const std::string& text, const CompileOptions& options, uint64_t register_bytes);

    // All passes of the tier, in order.
    [[nodiscard]] std::optional<std::string> optimize() { return runner_->run(pass_list()); }
    // These passes, whatever their tier is.
    [[nodiscard]] std::optional<std::string> run(const std::vector<const Pass*>& passes);
    // An object file, or assembly.
    [[nodiscard]] std::optional<std::string> emit(llvm::CodeGenFileType type);

    [[nodiscard]] llvm::Module& module() { return *module_; }
    // What is known so far.
    [[nodiscard]] Object take_object();

private:
    explicit Compilation(const CompileOptions& options)
        : options_(options), cpu_(target_cpu(options.level)) {}
    [[nodiscard]] std::optional<std::string> create_machine();
    [[nodiscard]] std::optional<std::string> translate(const Program& program);
    void prepare_passes(llvm::Function& function, uint64_t register_bytes);

    CompileOptions options_;
    TargetCpu cpu_;
    llvm::LLVMContext context_;
    std::unique_ptr<llvm::TargetMachine> machine_;
    std::unique_ptr<llvm::Module> module_;
    std::optional<PassContext> passes_;
    std::optional<PassRunner> runner_;
    Object object_;
};

} // namespace visor::jit
