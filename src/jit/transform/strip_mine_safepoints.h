// Loops of few turns whose number is known can be written out: what several turns do stands in a row.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

struct WrittenOut {
    llvm::BasicBlock* begin = nullptr;                             // of the first turn
    std::vector<std::map<const llvm::Value*, llvm::Value*>> turns; // the loop's values in each
    std::vector<llvm::BasicBlock*> blocks;
    llvm::BasicBlock* exit = nullptr; // where the last turn goes on, as the loop does
};

// The innermost loop that begins with HEADER, if it has TURNS turns. The loop stays, behind what is written
// out, for a thread that is asked to stop, or whose fuel does not last for all turns: in what is written out
// nobody looks at the clock. Wants the code generator's loops (Emitter), before messages are expanded.
// Changes nothing otherwise.
[[nodiscard]] std::optional<WrittenOut> write_out(llvm::BasicBlock& header, uint32_t turns);

} // namespace visor::jit
