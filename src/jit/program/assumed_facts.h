// The list of facts that compiled code assumes without a check. Each entry says where the fact comes from and
// why no kernel can falsify it; tests/containment has a kernel for each that tries. Includes no LLVM. Refuses
// facts that hold only for well-behaved kernels.
//
// All of them rest on two rules. Direct operands alone change a register: an indirect operand outside the
// address-taken variables is a fault (ruling 147), and those live in memory, of which nothing is assumed
// (Root::pinned). Inputs do not overlap: such launches are rejected, or the inputs' facts are dropped
// (machine::lane_steps, machine::shared_inputs).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace visor::jit {

enum class Fact : uint8_t {
    local_id_range,
    lane_steps,
    shared_inputs,
    constant_inputs,
    shared_local_bytes,
    scratch_bytes,
    surface_windows,
    given_handles,
    full_mask,
    uniform_predicates,
    float_mode,
    kept_registers,
    symbols,
};

struct FactEntry {
    Fact fact;
    std::string_view name;
    std::string_view taken_from;
    std::string_view why; // no kernel can falsify it
};

inline constexpr std::array facts{
    FactEntry{Fact::local_id_range, "local_id_range",
              "!range on the first lane of an input of lanes: no thread's is above LaneSteps::most",
              "read where a thread begins from a register that no instruction names before, or none at all "
              "(Root::constant); such registers are never pinned"},
    FactEntry{Fact::lane_steps, "lane_steps",
              "add nuw nsw of LaneSteps::steps to the first lane: the other lanes of such an input",
              "as local_id_range; the sums were computed for all threads of the launch"},
    FactEntry{Fact::shared_inputs, "shared_inputs",
              "inputs that all threads of a launch share are loaded once for all (CodeOptions::shared)",
              "registers that no instruction writes"},
    FactEntry{Fact::constant_inputs, "constant_inputs",
              "inputs that nobody writes are loaded again where a thread goes on (Root::constant)",
              "their place in the register file is not addressable"},
    FactEntry{Fact::shared_local_bytes, "shared_local_bytes",
              "!range on the size of shared local memory: at least CodeOptions::slm_bytes",
              "the window is the engine's, filled from the launch that the code was chosen for (InputShape)"},
    FactEntry{Fact::scratch_bytes, "scratch_bytes",
              "!range on the size of a thread's scratch block: at least CodeOptions::scratch_bytes",
              "as shared_local_bytes"},
    FactEntry{
        Fact::surface_windows, "surface_windows",
        "windows of binding-table indices that the code names do not change in a launch (!invariant.load)",
        "State and Window lie in the engine's memory; which one an element of a state variable selects is "
        "looked up each time that the element was set"},
    FactEntry{
        Fact::given_handles, "given_handles",
        "handles in inputs that nobody writes name what they did when the thread began (!invariant.load)",
        "as shared_inputs; the engine resolves them itself, and gives windows of the launch's buffers alone"},
    FactEntry{Fact::full_mask, "full_mask", "all lanes of a full thread run where none can wait elsewhere",
              "threads with lanes off have code of their own; the masks are values of the code"},
    FactEntry{Fact::uniform_predicates, "uniform_predicates",
              "predicates that all lanes agree on make a goto a plain branch (uniform_predicates.h)",
              "predicates have no addresses; the analysis follows each instruction that writes one"},
    FactEntry{
        Fact::float_mode, "float_mode", "the rounding mode before an instruction (FunctionInfo::float_mode)",
        "an indirect result counts as a write of %cr0 if %cr0 is addressable; others are range-checked"},
    FactEntry{Fact::kept_registers, "kept_registers",
              "registers of a thread that has stopped come back as they were kept, vectors with a form as "
              "their first lane (lane_affine.h)",
              "they are kept in a file of their own (State::saved), which no operand reaches"},
    FactEntry{Fact::symbols, "symbols", "what faddr gives is the same in a whole launch (!invariant.load)",
              "the table is the engine's"},
};

} // namespace visor::jit
