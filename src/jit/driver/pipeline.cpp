#include "jit/driver/pipeline.h"

#include "jit/analysis/lane_affine.h"
#include "jit/ir/bounds.h"
#include "jit/memory/access_verifier.h"
#include "jit/memory/buffer_rows.h"
#include "jit/memory/lowering.h"
#include "jit/program/single_lane_moves.h"
#include "jit/target/broadcast_loads.h"
#include "jit/target/legalize_vectors.h"
#include "jit/target/llvm19/mask_complement.h"
#include "jit/target/llvm19/ternlog_select.h"
#include "jit/target/llvm19/zero_division.h"
#include "jit/target/nontemporal_stores.h"
#include "jit/target/pack_extracts.h"
#include "jit/target/prepare_fastisel.h"
#include "jit/target/x86/ternary_logic.h"
#include "jit/transform/association_order.h"
#include "jit/transform/combine_shuffles.h"
#include "jit/transform/demand_prefetch.h"
#include "jit/transform/eliminate_zero_init.h"
#include "jit/transform/hoist_last_uses.h"
#include "jit/transform/next_thread_prefetch.h"
#include "jit/transform/outline_loops.h"
#include "jit/transform/reassociate_adds.h"
#include "jit/transform/recognize_i64.h"
#include "jit/transform/recognize_i64_compare.h"
#include "jit/transform/scalarize_uniform.h"
#include "jit/transform/schedule_prefetches.h"
#include "jit/transform/serialize_divergent_loops.h"
#include "jit/transform/sink_cold.h"
#include "jit/transform/streaming_prefetch.h"
#include "jit/transform/strip_mine_lanes.h"
#include "jit/transform/unroll_and_jam_threads.h"
#include "jit/transform/widen_range_checks.h"
#include "jit/translate/translator.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

namespace visor::jit {

void initialize_target() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

namespace {

struct Cpu {
    std::string name;
    std::string features;
    bool half_convert = false;
    NontemporalStores nontemporal = NontemporalStores::no;
    bool avx512 = false; // BW, DQ and VL: fast gathers, masks, embedded rounding, estimates
};

Cpu cpu_of(Level level) {
    switch (level) {
    case Level::avx2:
        return {.name = "haswell", .half_convert = true};
    case Level::sse4:
        return {.name = "nehalem"};
    case Level::host:
        break;
    }
    llvm::SubtargetFeatures features;
    Cpu cpu{.name = llvm::sys::getHostCPUName().str()};
#if defined(__x86_64__)
    cpu.nontemporal =
        NontemporalStores::large; // if the launch measures that it is faster (engine/nontemporal_tuner.h)
#endif
    const auto host = llvm::sys::getHostCPUFeatures();
    for (const auto& feature : host)
        features.AddFeature(feature.first(), feature.second);
    cpu.avx512 = host.lookup("avx512bw") && host.lookup("avx512dq") && host.lookup("avx512vl");
    cpu.half_convert = host.lookup("f16c");
#if !defined(__x86_64__)
    cpu.half_convert = true;
#endif
    cpu.features = features.getString();
    return cpu;
}

std::expected<std::unique_ptr<llvm::TargetMachine>, std::string> target_machine(const Cpu& cpu, Tier tier) {
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr)
        return std::unexpected(error);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // only mad is fused
    std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
        triple, cpu.name, cpu.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
        tier == Tier::quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
    if (machine == nullptr)
        return std::unexpected(fmt::format("LLVM has no code generator for {}", triple));
    return machine;
}

using Rejection = std::optional<std::string>; // an access that the verifier rejects

// Runs passes on a module, with LLVM's analysis managers.
class Optimizer {
public:
    // `register_bytes`: of the register file.
    Optimizer(llvm::Module& module, llvm::TargetMachine& machine, uint64_t register_bytes)
        : module_(module), machine_(machine), register_bytes_(register_bytes), builder_(&machine) {
        builder_.registerModuleAnalyses(modules_);
        builder_.registerCGSCCAnalyses(graphs_);
        builder_.registerFunctionAnalyses(functions_);
        builder_.registerLoopAnalyses(loops_);
        builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
    }

    // Promotes registers to values, and removes dead code.
    void promote_registers() {
        llvm::FunctionPassManager passes;
        passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
        passes.addPass(llvm::EarlyCSEPass());
        passes.addPass(llvm::ADCEPass());
        llvm::Function& function = *module_.getFunction(function_name);
        functions_.invalidate(function, passes.run(function, functions_));
    }

    // Lowers memory intrinsics by the form of their addresses, then verifies accesses.
    Rejection lower(const Cpu& cpu, const CompileOptions& options) {
        lower_memory_intrinsics(*module_.getFunction(function_name), cpu.avx512, options.tier == Tier::quick);
        if (options.unmarked && remove_marks(module_, *options.unmarked) == 0)
            return fmt::format("no pointer of that kind: {}", fmt::join(names_of_marks(module_), " "));
        if (Rejection rejection = unchecked_access(module_, register_bytes_))
            return rejection;
        remove_marks(module_);
        for (llvm::Function& other : module_)
            if (other.getCallingConv() == llvm::CallingConv::PreserveAll)
                preserve_vectors(other, cpu);
        return std::nullopt;
    }

    // Lowers, and prepares for FastISel.
    Rejection lower_tier1(const Cpu& cpu, const CompileOptions& options) {
        if (Rejection rejection = lower(cpu, options))
            return rejection;
        llvm::Function& function = *module_.getFunction(function_name);
        legalize_vectors(function, register_bits(function));
        prepare_for_fastisel(function, register_bits(function));
        hide_zero_dividends(function);
        return std::nullopt;
    }

    // Optimizes memory intrinsics, lowers them, and runs LLVM's passes.
    Rejection optimize(const Cpu& cpu, const CompileOptions& options) {
        llvm::Function& function = *module_.getFunction(function_name);
        eliminate_zero_init(function, options.scratch_bytes);
        combine_shuffles(function);
        recognize_i64(function);
        scalarize_uniform(function);
        serialize_divergent_loops(function, options.simd);
        shorten_kept(function);
        if (auto thread_entry = ThreadEntry::of(function)) {
            if (!options.reported.outside)
                unroll_and_jam_threads(function, *thread_entry, registers(function));
            prefetch_for_group(function, *thread_entry);
        } else {
            prefetch_streams(function, options.eager);
        }
        prefetch_for_next_thread(function, options.simd, options.eager);
        if (cpu.avx512)
            buffer_lane_rows(function, options.eager);
        if (!options.reported.outside) // reports need a site for each instruction
            widen_range_checks(function);
        if (Rejection rejection = lower(cpu, options))
            return rejection;
        optimize_lowered(cpu, options);
        return std::nullopt;
    }

private:
    // Of a vector register.
    uint32_t register_bits(const llvm::Function& function) {
        return static_cast<uint32_t>(machine_.getTargetTransformInfo(function)
                                         .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                                         .getFixedValue());
    }
    VectorRegisters registers(const llvm::Function& function) {
        const llvm::TargetTransformInfo target = machine_.getTargetTransformInfo(function);
        return {.bits = register_bits(function),
                .count = target.getNumberOfRegisters(target.getRegisterClassForType(true))};
    }

    void optimize_lowered(const Cpu& cpu, const CompileOptions& options) {
        llvm::Function& function = *module_.getFunction(function_name);
        reassociate_adds(function);
        hoist_last_uses(function);
        sink_into_cold_blocks(function);
        functions_.invalidate(function, llvm::PreservedAnalyses::none());
        builder_.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1).run(module_, modules_);
        recognize_i64_compares(function);
        outline_lane_loops(function);
        pack_extracts(function);
        form_broadcast_loads(function);
        use_nontemporal_stores(function, options.eager ? NontemporalStores::any : cpu.nontemporal);
        const VectorRegisters vectors = registers(function);
        strip_mine_lanes(function, vectors.bits, vectors.count, options.eager);
        schedule_prefetches(function);
        pin_association_order(function);
        for (llvm::Function& made : module_) {
            if (cpu.avx512)
                map_ternary_logic(made);
            avoid_ternlog_of_blends(made);
            complement_masks_by_and(made);
            hide_zero_dividends(made);
        }
    }

    // Else LLVM emits vzeroupper before returns, which clears callee-saved vector registers.
    static void preserve_vectors(llvm::Function& function, const Cpu& cpu) {
#if defined(__x86_64__)
        function.addFnAttr("target-cpu", cpu.name);
        function.addFnAttr("target-features",
                           cpu.features + (cpu.features.empty() ? "" : ",") + "-vzeroupper");
#else
        (void)function, (void)cpu;
#endif
    }

    llvm::Module& module_;
    llvm::TargetMachine& machine_;
    uint64_t register_bytes_;
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager graphs_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
};

// Some of LLVM's passes take more than linear time.
constexpr unsigned most_instructions(Tier tier) {
    return tier == Tier::quick ? 800'000 : 40'000;
}

struct Built {
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    Object object;
};

std::expected<Built, std::string> build(llvm::LLVMContext& context, const Program& given,
                                        const CompileOptions& options) {
    initialize_target();
    const std::optional<Program> shorter = narrowed(given);
    const Program& program = shorter ? *shorter : given;
    const Cpu cpu = cpu_of(options.level);
    auto machine = target_machine(cpu, options.tier);
    if (!machine)
        return std::unexpected(machine.error());
    Built built{.machine = std::move(*machine),
                .module = std::make_unique<llvm::Module>("visor", context),
                .object = {}};
    built.module->setDataLayout(built.machine->createDataLayout());
    built.module->setTargetTriple(built.machine->getTargetTriple().str());
    const FunctionInfo info = analyze_function(program, options.simd, options.full);
    Translator translator(*built.module, program, info,
                          {.simd = options.simd,
                           .full = options.full,
                           .lowered = options.lowered,
                           .brief = options.tier == Tier::quick,
                           .half_convert = cpu.half_convert,
                           .rounds = cpu.avx512 && options.tier == Tier::best,
                           .estimates = cpu.avx512,
                           .inputs = options.inputs,
                           .shared = options.shared,
                           .slm_bytes = options.slm_bytes,
                           .scratch_bytes = options.scratch_bytes,
                           .reported = options.reported});
    translator.emit(function_name);
    std::string error;
    llvm::raw_string_ostream errors(error);
    if (llvm::verifyModule(*built.module, &errors))
        return std::unexpected(fmt::format("{}invalid code: {}", internal_error, error));
    Optimizer optimizer(*built.module, *built.machine, program.register_bytes);
    optimizer.promote_registers();
    const unsigned instructions = built.module->getInstructionCount();
    if (instructions > most_instructions(options.tier))
        return std::unexpected(fmt::format("its code is too long ({} instructions of LLVM)", instructions));
    built.object.sites = translator.sites();
    built.object.surfaces = translator.surfaces();
    built.object.named_surfaces = translator.named_surfaces();
    built.object.handles = translator.handles();
    built.object.looks_up = translator.looks_up();
    for (const Root& root : info.roots)
        if (root.pinned)
            built.object.pinned.insert(built.object.pinned.end(), {root.base, root.bytes});
    const Rejection rejection =
        options.tier == Tier::quick ? optimizer.lower_tier1(cpu, options) : optimizer.optimize(cpu, options);
    if (rejection)
        return std::unexpected(fmt::format("{}{}", internal_error, *rejection));
    return built;
}

// Disables two machine passes. Machine sinking undoes jit/transform/hoist_last_uses.h. Domain reassignment,
// which moves integers to mask registers, loses zero extensions of 16 bits and so enables lanes that do not
// exist (LLVM 19; tests/jit/fuzz/found/mask_extended_by_zeros.visaasm). LLVM has only global options for
// them; the worker process does nothing else.
void set_code_generator_options() {
    static std::once_flag once;
    std::call_once(once, [] {
        constexpr std::array words{"visor-jit-worker", "-disable-machine-sink",
#if defined(__x86_64__)
                                   "-disable-x86-domain-reassignment"
#endif
        };
        llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data());
    });
}

} // namespace

std::expected<Object, std::string> compile(const Program& program, const CompileOptions& options,
                                           const std::function<bool()>& is_cancelled) {
    set_code_generator_options();
    llvm::LLVMContext context;
    auto built = build(context, program, options);
    if (!built)
        return std::unexpected(built.error());
    if (is_cancelled && is_cancelled())
        return std::unexpected("nobody wants it any more");
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    if (built->machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
        return std::unexpected("LLVM cannot write object files for this CPU");
    passes.run(*built->module);
    built->object.bytes.assign(bytes.begin(), bytes.end());
    return std::move(built->object);
}

} // namespace visor::jit
