// Runs a program's launches on the interpreter and on the JIT, whose code is generated in this process, and
// compares what they leave behind: every byte of every buffer, the verdict, the instructions counted; where
// checkers listen, all that these find.
#pragma once

#include "jit/engine/native_engine.h"
#include "launch/bind.h"
#include "machine/dispatch.h"
#include "program/program.h"
#include "recipe.h"

#include <memory>
#include <string>
#include <vector>

namespace visor::jit_fuzz {

enum class Verdict : uint8_t {
    same,
    differs,
    refused, // no program: `lines` are to blame
    endless, // the interpreter's fuel was spent
    no_code, // the JIT has none for it
};

struct Trial {
    Verdict verdict = Verdict::same;
    std::string what;            // how they differ, or why there was nothing to compare
    std::vector<uint32_t> lines; // ascending, from 1
    bool faulted = false;
    bool nan_bits = false;      // differ, in what ruling 105 leaves open
    uint64_t instructions = 0;  // of the interpreter
    uint64_t called_out = 0;    // of them by the JIT
    uint64_t findings = 0;      // launches that had some
    uint64_t lines_refused = 0; // of a drawn program, before it ran
};

// What this process is at, for whoever finds it dead.
enum class Stage : uint8_t { making, interpreting, generating, running };

class Rig {
public:
    // Told when it is engines that take memory, and when it is others again (tests/containment/fence.h).
    using Fence = void (*)(bool on);

    // `mistaken`: the JIT takes ADD for AVG; for the test of the test.
    Rig(volatile Stage& stage, bool mistaken, Fence fence = [](bool) {});

    [[nodiscard]] Trial run(const Setting& setting, const std::string& text);

private:
    struct State { // after a launch
        machine::RunResult result;
        std::vector<std::byte> memory;
        std::string findings;
    };
    struct Buffer {
        std::string name;
        uint64_t address = 0;
        uint64_t bytes = 0;
    };
    [[nodiscard]] std::shared_ptr<const Program> prepare(const Setting& setting, const std::string& text,
                                                         Trial& trial) const;
    [[nodiscard]] std::vector<std::byte> first_content(uint64_t seed) const;
    // What an input that is a surface or a sampler is given.
    [[nodiscard]] launch::HandInput state_of(const Function& function, const Input& input) const;
    // What the setting's checkers find on either.
    [[nodiscard]] State checked(const Program& program, const Setting& setting, uint64_t data,
                                const machine::Engine& engine, jit::Engine* native, std::string& problem);
    [[nodiscard]] State launch(const Program& program, const Setting& setting, uint64_t data,
                               const machine::Engine& engine, machine::Watcher* watcher,
                               std::string& problem);
    [[nodiscard]] std::string difference(const State& want, const State& got) const;
    // Whether the difference is nothing but what NaN bits make.
    [[nodiscard]] bool is_of_nans(const Program& program, const Setting& setting, uint64_t data,
                                  const machine::Engine& reference, const State& want, const State& got);

    volatile Stage& stage_;
    bool mistaken_;
    Fence fence_;
    machine::Memory memory_;
    std::vector<Buffer> buffers_;
};

// Of OUT, by thread.
inline constexpr uint64_t out_bytes = 64U << 10U;

} // namespace visor::jit_fuzz
