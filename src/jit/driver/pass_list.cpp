#include "jit/driver/pass.h"

#include "jit/ir/bounds.h"
#include "jit/memory/access_verifier.h"
#include "jit/memory/buffer_rows.h"
#include "jit/memory/lowering.h"
#include "jit/target/broadcast_loads.h"
#include "jit/target/legalize_vectors.h"
#include "jit/target/llvm19/mask_complement.h"
#include "jit/target/llvm19/ternlog_select.h"
#include "jit/target/llvm19/zero_division.h"
#include "jit/target/nontemporal_stores.h"
#include "jit/target/prepare_fastisel.h"
#include "jit/target/x86/mask_expansion.h"
#include "jit/target/x86/ternary_logic.h"
#include "jit/transform/association_order.h"
#include "jit/transform/combine_shuffles.h"
#include "jit/transform/demand_prefetch.h"
#include "jit/transform/eliminate_redundant_saves.h"
#include "jit/transform/eliminate_zero_init.h"
#include "jit/transform/hoist_last_uses.h"
#include "jit/transform/loop_data_prefetch.h"
#include "jit/transform/next_thread_prefetch.h"
#include "jit/transform/outline_loops.h"
#include "jit/transform/promote_short_lived.h"
#include "jit/transform/reassociate_adds.h"
#include "jit/transform/recognize_i64.h"
#include "jit/transform/recognize_i64_compare.h"
#include "jit/transform/scalarize_uniform.h"
#include "jit/transform/schedule_prefetches.h"
#include "jit/transform/serialize_divergent_loops.h"
#include "jit/transform/sink_cold.h"
#include "jit/transform/streaming_prefetch.h"
#include "jit/transform/strip_mine_lanes.h"

#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::jit {

namespace {

using Error = std::optional<std::string>;

template <auto transform>
Error on_function(PassContext& context) {
    transform(context.function());
    return std::nullopt;
}

// Cold paths and outlined loops are functions of their own.
template <auto transform>
Error on_module(PassContext& context) {
    for (llvm::Function& function : context.module())
        transform(function);
    return std::nullopt;
}

Error promote_registers(PassContext& context) {
    for (llvm::Function& function : context.module())
        promote_short_lived_slots(function, context.options().eager);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::ADCEPass());
    context.run(passes);
    return std::nullopt;
}

// Merges what is computed twice afterwards, so that recognize-i64 sees one value.
Error combine_all_shuffles(PassContext& context) {
    combine_shuffles(context.function());
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass());
    context.run(passes);
    return std::nullopt;
}

Error expand_all_masks(PassContext& context) {
    constexpr uint32_t avx_bits = 256;
    if (!context.cpu().avx512)
        for (llvm::Function& function : context.module())
            expand_masks(function, context.registers().bits >= avx_bits);
    return std::nullopt;
}

// Some of LLVM's passes take more than linear time.
Error limit_size(PassContext& context) {
    const unsigned tier2_limit = context.options().waits ? 40'000 : 100'000;
    const unsigned most = context.options().tier == Tier::quick ? 800'000 : tier2_limit;
    const unsigned instructions = context.module().getInstructionCount();
    if (instructions <= most)
        return std::nullopt;
    return fmt::format("its code is too long ({} instructions of LLVM)", instructions);
}

Error lower_memory(PassContext& context) {
    lower_memory_intrinsics(context.function(), context.cpu().avx512, context.options().tier == Tier::quick);
    return std::nullopt;
}

Error verify_accesses(PassContext& context) {
    llvm::Module& module = context.module();
    if (const auto& unmarked = context.options().unmarked; unmarked && remove_marks(module, *unmarked) == 0)
        return fmt::format("{}no pointer of that kind: {}", internal_error,
                           fmt::join(names_of_marks(module), " "));
    if (const Error violation = unchecked_access(module, context.register_bytes()))
        return fmt::format("{}{}", internal_error, *violation);
    remove_marks(module);
    return std::nullopt;
}

// Else LLVM emits vzeroupper before returns, which clears callee-saved vector registers.
Error preserve_vector_registers(PassContext& context) {
#if defined(__x86_64__)
    const TargetCpu& cpu = context.cpu();
    for (llvm::Function& function : context.module())
        if (function.getCallingConv() == llvm::CallingConv::PreserveAll) {
            function.addFnAttr("target-cpu", cpu.name);
            function.addFnAttr("target-features",
                               cpu.features + (cpu.features.empty() ? "" : ",") + "-vzeroupper");
        }
#else
    (void)context;
#endif
    return std::nullopt;
}

Error run_llvm(PassContext& context) {
    llvm::ModulePassManager passes =
        context.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1);
    context.run(passes);
    return std::nullopt;
}

constexpr auto tier1 = Tiers::tier1;
constexpr auto tier2 = Tiers::tier2;
constexpr auto both = Tiers::both;
constexpr auto always = Condition::always;

constexpr auto list = std::to_array<Pass>(
    {{"promote-registers", both, always, true, "LLVM", "registers in stack slots",
      "makes them values (SROA), and removes what is computed twice or never used", promote_registers},
     {"limit-size", both, always, true, "driver/pass_list", "all code",
      "rejects more than 100,000 instructions of LLVM, 40,000 if a launch waits, 800,000 in tier 1",
      limit_size},
     {"eliminate-zero-init", tier2, always, false, "transform/eliminate_zero_init", "scratch memory",
      "no clearing between groups where each read is dominated by a write of the same thread",
      [](PassContext& context) -> Error {
          eliminate_zero_init(context.function(), context.options().scratch_bytes);
          return std::nullopt;
      }},
     {"combine-shuffles", tier2, always, false, "transform/combine_shuffles", "registers accessed in parts",
      "one shuffle for a chain; halves that the same operations compute become whole vectors",
      combine_all_shuffles},
     {"recognize-i64", tier2, always, false, "transform/recognize_i64", "64-bit arithmetic in 32-bit halves",
      "64-bit operations, whose addresses the analyses understand", on_function<recognize_i64>},
     {"scalarize-uniform", tier2, always, false, "transform/scalarize_uniform", "vectors of equal lanes",
      "scalars, splat where needed", on_function<scalarize_uniform>},
     {"serialize-divergent-loops", tier2, always, false, "transform/serialize_divergent_loops",
      "read-only loops with unpredictable addresses (sparse rows, searches)",
      "scalar iterations for each lane; the original loop is the fallback",
      [](PassContext& context) -> Error {
          serialize_divergent_loops(context.function(), context.options().simd);
          return std::nullopt;
      }},
     {"unroll-and-jam-threads", tier2, Condition::unreported_barriers, false,
      "transform/unroll_and_jam_threads", "reductions of eight rows or more, consecutive threads on them",
      "thread 0 reduces for all threads in address order",
      [](PassContext& context) -> Error {
          unroll_and_jam_threads(context.function(), *context.thread_entry(), context.registers());
          return std::nullopt;
      }},
     {"demand-prefetch", tier2, Condition::barriers, false, "transform/demand_prefetch",
      "scattered lines that the threads of a group read",
      "the group's first thread loads them in address order",
      [](PassContext& context) -> Error {
          prefetch_for_group(context.function(), *context.thread_entry());
          return std::nullopt;
      }},
     {"streaming-prefetch", tier2, Condition::no_barriers, false, "transform/streaming_prefetch",
      "long threads on consecutive rows", "prefetches the rows of threads to come",
      [](PassContext& context) -> Error {
          prefetch_streams(context.function(), context.options().eager);
          return std::nullopt;
      }},
     {"loop-data-prefetch", tier2, always, false, "transform/loop_data_prefetch",
      "long loops that step over pages", "prefetches what the next iteration loads",
      [](PassContext& context) -> Error {
          prefetch_next_iterations(context.function(), context.options().eager);
          return std::nullopt;
      }},
     {"next-thread-prefetch", tier2, always, false, "transform/next_thread_prefetch",
      "very long threads with predictable addresses", "prefetches what the next thread loads first",
      [](PassContext& context) -> Error {
          prefetch_for_next_thread(context.function(), context.options().simd, context.options().eager);
          return std::nullopt;
      }},
     {"buffer-rows", tier2, always, false, "memory/buffer_rows", "loops whose lanes each read a row",
      "64 bytes of each row at once, transposed in registers; with AVX-512 loops of sixteen iterations "
      "unrolled",
      [](PassContext& context) -> Error {
          // Whole lines are transposed in registers of 64 bytes, whatever width LLVM prefers.
          const uint32_t bits = context.cpu().avx512 ? 512 : context.registers().bits;
          buffer_lane_rows(context.function(), bits, context.options().eager);
          return std::nullopt;
      }},
     {"lower-memory", both, always, true, "memory/lowering", "each memory intrinsic",
      "contiguous, strided, interleaved or single accesses; rare cases in outlined cold paths", lower_memory},
     {"verify-accesses", both, always, true, "memory/access_verifier", "every access",
      "rejects code with an access that nothing has checked; removes the marks", verify_accesses},
     {"preserve-vector-registers", both, always, true, "driver/pass_list", "cold paths",
      "returns that leave the caller's vector registers", preserve_vector_registers},
     {"legalize-vectors", tier1, always, true, "target/legalize_vectors", "vectors wider than a register",
      "as many of the CPU's width",
      [](PassContext& context) -> Error {
          legalize_vectors(context.function(), context.registers().bits);
          return std::nullopt;
      }},
     {"prepare-fastisel", tier1, always, true, "target/prepare_fastisel", "what FastISel does not take",
      "forms that it does",
      [](PassContext& context) -> Error {
          prepare_for_fastisel(context.function(), context.registers().bits);
          return std::nullopt;
      }},
     {"reassociate-adds", tier2, always, false, "transform/reassociate_adds", "integer sums of hashes",
      "fewer additions", on_function<reassociate_adds>},
     {"hoist-last-uses", tier2, always, false, "transform/hoist_last_uses", "long blocks",
      "last uses move up to their operands, which frees registers", on_function<hoist_last_uses>},
     {"sink-cold", tier2, always, false, "transform/sink_cold", "values that cold paths alone use",
      "computed there", on_function<sink_into_cold_blocks>},
     {"eliminate-redundant-saves", tier2, Condition::barriers, false, "transform/eliminate_redundant_saves",
      "values that threads keep over barriers", "saves only what changed since the last one",
      on_function<eliminate_redundant_saves>},
     {"llvm-o1", tier2, always, false, "LLVM", "all code", "LLVM's default pipeline of level O1", run_llvm},
     {"recognize-i64-compare", tier2, always, false, "transform/recognize_i64_compare",
      "64-bit comparisons in 32-bit halves", "64-bit comparisons", on_function<recognize_i64_compares>},
     {"outline-loops", tier2, always, false, "transform/outline_loops",
      "loops that serialize-divergent-loops made", "functions of their own, with all registers",
      on_function<outline_lane_loops>},
     {"broadcast-loads", tier2, always, false, "target/broadcast_loads", "elements that all lanes take",
      "loads that broadcast", on_function<form_broadcast_loads>},
     {"nontemporal-stores", tier2, always, false, "target/nontemporal_stores",
      "full lines of stores of 32 MiB and more", "bypass the caches where the launch gains by it",
      [](PassContext& context) -> Error {
          use_nontemporal_stores(context.function(), context.options().eager ? NontemporalStores::any
                                                                             : context.cpu().nontemporal);
          return std::nullopt;
      }},
     {"strip-mine-lanes", tier2, always, false, "transform/strip_mine_lanes",
      "blocks of 256 elementwise operations and three times as many live values as registers",
      "a loop over parts of the lanes",
      [](PassContext& context) -> Error {
          const VectorRegisters vectors = context.registers();
          strip_mine_lanes(context.function(), vectors.bits, vectors.count, context.options().eager);
          return std::nullopt;
      }},
     {"schedule-prefetches", tier2, always, false, "transform/schedule_prefetches",
      "prefetches in long blocks", "spread over the computation", on_function<schedule_prefetches>},
     {"association-order", tier2, always, false, "transform/association_order",
      "sums with constants in long blocks", "constants stay in the middle of the sum",
      on_function<static_cast<void (*)(llvm::Function&)>(pin_association_order)>},
     {"ternary-logic", tier2, Condition::avx512, false, "target/x86/ternary_logic",
      "bitwise functions of three vectors", "one VPTERNLOG", on_module<map_ternary_logic>},
     {"expand-masks", tier2, always, false, "target/x86/mask_expansion",
      "lane masks from integers (no AVX-512)", "vectors from the beginning, where LLVM would take each bit",
      expand_all_masks},
     {"avoid-ternlog-of-blends", tier2, always, true, "target/llvm19/ternlog_select",
      "blends of bitwise results", "workaround for LLVM 19", on_module<avoid_ternlog_of_blends>},
     {"complement-masks", tier2, always, true, "target/llvm19/mask_complement", "complements of lane masks",
      "workaround for LLVM 19", on_module<complement_masks_by_and>},
     {"hide-zero-dividends", both, always, true, "target/llvm19/zero_division", "quotients of zeros",
      "workaround for LLVM 19", on_module<hide_zero_dividends>}});

} // namespace

std::span<const Pass> pass_list() {
    return list;
}

const Pass* pass_named(std::string_view name) {
    const auto* const found = std::ranges::find(list, name, &Pass::name);
    return found == list.end() ? nullptr : found;
}

} // namespace visor::jit
