#include "jit/driver/target_cpu.h"

#include "jit/driver/pipeline.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include <fmt/format.h>
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

#if defined(__x86_64__)
// If the launch measures that it is faster (engine/nontemporal_tuner.h).
constexpr NontemporalStores large_stores = NontemporalStores::large;
#else
constexpr NontemporalStores large_stores = NontemporalStores::no;
#endif

TargetCpu host_cpu() {
    llvm::SubtargetFeatures features;
    TargetCpu cpu{.name = llvm::sys::getHostCPUName().str(), .nontemporal = large_stores};
    const auto host = llvm::sys::getHostCPUFeatures();
    for (const auto& feature : host)
        features.AddFeature(feature.first(), feature.second);
    cpu.avx512 = host.lookup("avx512bw") && host.lookup("avx512dq") && host.lookup("avx512vl");
    cpu.half_convert = host.lookup("f16c");
    cpu.fma = host.lookup("fma");
#if !defined(__x86_64__)
    cpu.half_convert = true;
    cpu.fma = true;
#endif
    cpu.features = features.getString();
    return cpu;
}

} // namespace

TargetCpu target_cpu(Level level) {
    switch (level) {
    case Level::avx512:
        return {.name = "skylake-avx512",
                .half_convert = true,
                .fma = true,
                .nontemporal = large_stores,
                .avx512 = true};
    case Level::avx2:
        return {.name = "haswell", .half_convert = true, .fma = true, .nontemporal = large_stores};
    case Level::sse4:
        return {.name = "nehalem", .nontemporal = large_stores};
    case Level::host:
        break;
    }
    return host_cpu();
}

std::expected<std::unique_ptr<llvm::TargetMachine>, std::string> create_target_machine(const TargetCpu& cpu,
                                                                                       Tier tier) {
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

} // namespace visor::jit
