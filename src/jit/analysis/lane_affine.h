// Lane-affine analysis: which vectors are one number plus what is known of each lane, `base + step[lane]`.
// Such are the local ids of a thread, and most addresses that kernels compute from them. Works on what SROA
// leaves, where registers are values already; accesses with such addresses need one range check and no
// gather. Never guesses: a form holds for every lane, on or off, or under conditions that the code can
// check.
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

// What a value was that a thread keeps where it stops: tells the copy that it goes on with from others.
// Number of the entry and of the item.
inline constexpr const char* kept_mark = "visor.kept";

class LaneAffine {
public:
    // Chunks of `grain` lanes have a form each; 0: vectors as a whole. Reads the function once; it may grow
    // afterwards, but what was there has to stay until the last form was asked for.
    LaneAffine(llvm::Function& function, uint32_t grain);

    struct Form {
        llvm::Value* base = nullptr;          // an integer as wide as an element: lane 0's value
        std::vector<int64_t> steps;           // of each lane, modulo 2^width; the first is 0
        std::vector<llvm::Value*> conditions; // i1: the form holds when all of them do
        [[nodiscard]] int64_t lowest() const;
        [[nodiscard]] int64_t highest() const;
        [[nodiscard]] bool uniform() const;
    };
    // Of lanes [chunk * grain, ...). Adds scalar code behind definitions, and conditions at `at`.
    std::optional<Form> form(llvm::Value* vector, uint32_t chunk, llvm::Instruction* at);
    // Copies that a thread goes on with, and what was kept.
    [[nodiscard]] const std::vector<std::pair<llvm::LoadInst*, llvm::StoreInst*>>& kept() const {
        return copies_;
    }

private:
    using Value = llvm::Value;
    struct State {
        enum class Kind : uint8_t { open, affine, none } kind = Kind::open;
        std::vector<int64_t> steps;
        std::vector<llvm::Instruction*> wraps; // whose lanes may wrap: to be asked
        bool operator==(const State&) const = default;
    };
    using Key = std::pair<Value*, uint32_t>;
    // An element that another one, or a part of it, was made of.
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
    State state_of(Value* value, uint32_t chunk) const;
    State evaluate(llvm::Instruction& instruction, uint32_t chunk);
    State of_phi(const llvm::PHINode& phi, uint32_t chunk) const;
    State of_binary(llvm::BinaryOperator& instruction, uint32_t chunk) const;
    State of_cast(llvm::CastInst& instruction, uint32_t chunk) const;
    State of_elements(Value* vector, uint32_t chunk) const;
    static State none() { return {.kind = State::Kind::none, .steps = {}, .wraps = {}}; }
    State uniform(const Value* value) const;
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
    Value* condition(llvm::IRBuilder<>& ir, llvm::Instruction* wrap, uint32_t chunk);

    llvm::Function& function_;
    uint32_t grain_;
    std::map<Key, State> states_;
    std::map<Key, Value*> bases_;
    std::vector<std::pair<llvm::PHINode*, Key>> open_phis_; // scalar ones whose sources are not there yet
    KeptValues kept_;
    std::vector<std::pair<llvm::LoadInst*, llvm::StoreInst*>> copies_;
};

// Of what a thread keeps where it stops, vectors with a form are kept as their first lane.
void shorten_kept(llvm::Function& function);

} // namespace visor::jit
