// Lane-affine analysis: vectors that are `base + step[lane]` with constant steps. Such are a thread's local
// ids and most addresses computed from them. Accesses to them need one range check and no gather. Runs after
// SROA, when registers are SSA values. A form holds for all lanes, active or not, or under run-time
// conditions.
#pragma once

#include "jit/analysis/element_origin.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace visor::jit {

class LaneAffine {
public:
    // Each chunk of `grain` lanes has its own form; 0: whole vectors. `assumes`: also finds forms that most
    // threads have, and compares the lanes at run time: coordinates that are clamped at an edge, masked low
    // bits, counters of divergent loops. Analyzes the function once. Passes may insert code afterwards, but
    // must keep the analyzed code until the last query.
    LaneAffine(llvm::Function& function, uint32_t grain, bool assumes = false);

    struct Form {
        llvm::Value* base = nullptr;          // an integer as wide as an element: lane 0
        std::vector<int64_t> steps;           // per lane, modulo 2^width; the first is 0
        std::vector<llvm::Value*> conditions; // i1: the form holds if all are true
        bool assumed = false;                 // a condition is an assumption, which may well fail
        [[nodiscard]] int64_t lowest() const;
        [[nodiscard]] int64_t highest() const;
        [[nodiscard]] bool uniform() const;
    };
    // The form of lanes [chunk * grain, ...). Inserts scalar code after definitions, and conditions at `at`.
    std::optional<Form> form(llvm::Value* vector, uint32_t chunk, llvm::Instruction* at);

private:
    using Value = llvm::Value;
    // What has to hold at run time, of a chunk of the instruction's lanes.
    struct Check {
        llvm::Instruction* instruction = nullptr;
        uint32_t chunk = 0;
        bool operator==(const Check&) const = default;
    };
    struct State {
        enum class Kind : uint8_t { open, affine, none } kind = Kind::open;
        std::vector<int64_t> steps;
        std::vector<Check> checks; // need a run-time condition
        bool operator==(const State&) const = default;
    };
    using Key = std::pair<Value*, uint32_t>;
    // The element that an element, or a part of it, comes from.
    struct Source {
        Value* vector = nullptr;
        uint32_t chunk = 0;
        int64_t step = 0; // from the chunk's base
        uint32_t byte = 0;
    };

    [[nodiscard]] uint32_t chunk_lanes(const Value* value) const;
    [[nodiscard]] uint32_t chunks(const Value* value) const;
    [[nodiscard]] static bool is_candidate(const Value* value);
    [[nodiscard]] static bool is_carried(const Value* value);
    [[nodiscard]] static bool is_flat(const State& state);
    // A minimum or maximum of a row and of equal lanes.
    struct Clamp {
        Value* row;
        Value* bound;
        bool largest; // a maximum
        bool is_signed;
    };
    [[nodiscard]] std::optional<Clamp> clamp_of(Value* value, uint32_t chunk) const;
    [[nodiscard]] static bool is_assumption(const llvm::Instruction& check);
    State state_of(Value* value, uint32_t chunk) const;
    State evaluate(llvm::Instruction& instruction, uint32_t chunk);
    State of_phi(llvm::PHINode& phi, uint32_t chunk) const;
    State of_binary(llvm::BinaryOperator& instruction, uint32_t chunk) const;
    State of_cast(llvm::CastInst& instruction, uint32_t chunk) const;
    [[nodiscard]] bool clamps_row(Value* value, uint32_t chunk) const;
    State of_choice(llvm::Instruction& instruction, uint32_t chunk) const;
    State of_low_bits(llvm::BinaryOperator& instruction, uint32_t chunk, State state) const;
    State of_elements(Value* vector, uint32_t chunk) const;
    static State none() { return {.kind = State::Kind::none, .steps = {}, .checks = {}}; }
    static State assumed(const Check& check, std::vector<int64_t> steps);
    static bool join_conditions(std::vector<Check>& all, const std::vector<Check>& more);
    State uniform(const Value* value) const;
    [[nodiscard]] ElementOrigin whole_origin(Value* vector, uint32_t byte, uint32_t bytes,
                                             bool through) const;
    [[nodiscard]] bool is_joined(Value* vector, uint32_t chunk) const;
    State of_part(Value* vector, uint32_t chunk, uint32_t offset, uint32_t bytes) const;
    [[nodiscard]] std::optional<Source> source_of(Value* vector, uint32_t chunk, uint32_t offset,
                                                  uint32_t bytes) const;

    Value* base(Value* value, uint32_t chunk);
    bool ready(Value* value, uint32_t chunk, std::vector<Key>& missing) const;
    Value* build(Value* value, uint32_t chunk);
    Value* build_element(Value* vector, uint32_t chunk);
    Value* build_part(Value* vector, uint32_t chunk, uint32_t offset, uint32_t bytes);
    Value* known_base(Value* value, uint32_t chunk) const;
    Value* condition(llvm::IRBuilder<>& ir, const Check& check);
    [[nodiscard]] bool is_assumed(Value* value, uint32_t chunk) const;
    Value* takes_row(const Clamp& clamp, uint32_t chunk, llvm::IRBuilder<>& ir);
    Value* assumption(llvm::Instruction& instruction, uint32_t chunk);
    Value* lanes_keep_steps(llvm::IRBuilder<>& ir, Value* lanes, const std::vector<int64_t>& steps,
                            uint32_t chunk) const;
    [[nodiscard]] bool keeps_steps(const llvm::PHINode& phi, Value* incoming, uint32_t chunk) const;
    [[nodiscard]] bool steps_in_loop(const llvm::PHINode& phi, uint32_t chunk) const;
    Value* carried_assumption(llvm::PHINode& phi, uint32_t chunk);

    llvm::Function& function_;
    uint32_t grain_;
    bool assumes_;
    std::map<Key, State> states_;
    std::map<Key, Value*> bases_;
    std::map<Key, Value*> assumptions_;                     // i1, behind the instruction
    std::vector<std::pair<llvm::PHINode*, Key>> open_phis_; // scalar phis without operands yet
    KeptValues kept_;
};

} // namespace visor::jit
