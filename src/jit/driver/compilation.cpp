#include "jit/driver/compilation.h"

#include "jit/driver/pipeline.h"
#include "jit/ir/runtime_call.h"
#include "jit/program/single_lane_moves.h"
#include "jit/translate/translator.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <fmt/format.h>
#include <mutex>
#include <set>

namespace visor::jit {

namespace {

// Disables three passes of the code generator. Machine sinking undoes jit/transform/hoist_last_uses.h. Domain
// reassignment, which moves integers to mask registers, loses zero extensions of 16 bits and so enables lanes
// that do not exist; interleaved accesses take a shuffle with few defined lanes in front of a store for four
// interleaved vectors, and the first element of one that begins with an undefined lane from anywhere (both
// LLVM 19, docs/dev/llvm-workarounds.md). LLVM has only global options for them; the worker process does
// nothing else.
void set_code_generator_options() {
    static std::once_flag once;
    std::call_once(once, [] {
        constexpr std::array words{"visor-jit-worker", "-disable-machine-sink",
                                   "-lower-interleaved-accesses=false",
#if defined(__x86_64__)
                                   "-disable-x86-domain-reassignment"
#endif
        };
        llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data());
    });
}

// Before any pass: later, several calls may be one.
std::vector<InstructionCall> instruction_calls(const llvm::Module& module) {
    std::set<InstructionCall> calls;
    for (const llvm::Function& function : module)
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            if (const auto* const fallback = llvm::dyn_cast<FallbackCall>(&instruction))
                calls.insert({fallback->instruction(), fallback->entry()});
            else if (const auto* const poll = llvm::dyn_cast<PollCall>(&instruction))
                calls.insert({poll->instruction(), poll->entry()});
            else if (const auto* const barrier = llvm::dyn_cast<BarrierCall>(&instruction))
                calls.insert({barrier->instruction(), barrier->entry()});
            else if (const auto* const check = llvm::dyn_cast<CheckCall>(&instruction))
                calls.insert({check->instruction(), check->entry()});
        }
    return {calls.begin(), calls.end()};
}

} // namespace

std::expected<std::unique_ptr<Compilation>, std::string>
Compilation::of_program(const Program& program, const CompileOptions& options) {
    std::unique_ptr<Compilation> compilation(new Compilation(options));
    if (auto error = compilation->create_machine())
        return std::unexpected(std::move(*error));
    const std::optional<Program> narrower = narrowed(program);
    if (auto error = compilation->translate(narrower ? *narrower : program))
        return std::unexpected(std::move(*error));
    return compilation;
}

std::expected<std::unique_ptr<Compilation>, std::string>
Compilation::of_text(const std::string& text, const CompileOptions& options, uint64_t register_bytes) {
    std::unique_ptr<Compilation> compilation(new Compilation(options));
    if (auto error = compilation->create_machine())
        return std::unexpected(std::move(*error));
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text, diagnostic, compilation->context_);
    if (!module)
        return std::unexpected(fmt::format("{}:{}: {}", diagnostic.getLineNo(), diagnostic.getColumnNo(),
                                           diagnostic.getMessage().str()));
    module->setDataLayout(compilation->module_->getDataLayout());
    module->setTargetTriple(compilation->module_->getTargetTriple());
    compilation->module_ = std::move(module);
    llvm::Function* function = compilation->module_->getFunction(function_name);
    if (function == nullptr)
        for (llvm::Function& candidate : *compilation->module_)
            if (function == nullptr && !candidate.isDeclaration())
                function = &candidate;
    if (function == nullptr)
        return std::unexpected("no function is defined");
    compilation->prepare_passes(*function, register_bytes);
    return compilation;
}

std::optional<std::string> Compilation::create_machine() {
    set_code_generator_options();
    initialize_target();
    if (auto error = invalid_switch(options_.switches))
        return error;
    auto machine = create_target_machine(cpu_, options_.tier);
    if (!machine)
        return std::move(machine.error());
    machine_ = std::move(*machine);
    module_ = std::make_unique<llvm::Module>("visor", context_);
    module_->setDataLayout(machine_->createDataLayout());
    module_->setTargetTriple(machine_->getTargetTriple().str());
    return std::nullopt;
}

std::optional<std::string> Compilation::translate(const Program& program) {
    const auto begin = std::chrono::steady_clock::now();
    const FunctionInfo info = analyze_function(program, options_.simd, options_.full);
    Translator translator(*module_, program, info,
                          {.simd = options_.simd,
                           .full = options_.full,
                           .lowered = options_.lowered,
                           .brief = options_.tier == Tier::quick,
                           .half_convert = cpu_.half_convert,
                           .fma = cpu_.fma,
                           .rounds = cpu_.avx512 && options_.tier == Tier::best,
                           .estimates = cpu_.avx512,
                           .inputs = options_.inputs,
                           .shared = options_.shared,
                           .slm_bytes = options_.slm_bytes,
                           .scratch_bytes = options_.scratch_bytes,
                           .reported = options_.reported,
                           .images = options_.images});
    translator.emit(function_name);
    if (const auto error = verification_error(*module_))
        return fmt::format("{}invalid code: {}", internal_error, *error);
    object_.sites = translator.sites();
    object_.surfaces = translator.surfaces();
    object_.named_surfaces = translator.named_surfaces();
    object_.handles = translator.handles();
    object_.looks_up = translator.looks_up();
    object_.interpreted = translator.interpreted();
    object_.calls = instruction_calls(*module_);
    for (const Root& root : info.roots)
        if (root.pinned)
            object_.pinned.insert(object_.pinned.end(), {root.base, root.bytes});
    prepare_passes(*module_->getFunction(function_name), program.register_bytes);
    runner_->add_time("(translation)", std::chrono::steady_clock::now() - begin);
    return std::nullopt;
}

void Compilation::prepare_passes(llvm::Function& function, uint64_t register_bytes) {
    passes_.emplace(function, *machine_, cpu_, options_, register_bytes);
    runner_.emplace(*passes_, options_.switches);
}

std::optional<std::string> Compilation::run(const std::vector<const Pass*>& passes) {
    for (const Pass* const pass : passes)
        if (auto error = runner_->run(*pass))
            return error;
    return std::nullopt;
}

std::optional<std::string> Compilation::emit(llvm::CodeGenFileType type) {
    const auto begin = std::chrono::steady_clock::now();
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    if (machine_->addPassesToEmitFile(passes, out, nullptr, type))
        return "LLVM cannot write object files for this CPU";
    passes.run(*module_);
    object_.bytes.assign(bytes.begin(), bytes.end());
    runner_->add_time("(machine code)", std::chrono::steady_clock::now() - begin);
    return std::nullopt;
}

Object Compilation::take_object() {
    object_.log = runner_->take_log();
    return std::move(object_);
}

} // namespace visor::jit
