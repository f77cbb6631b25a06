// An example's launches: carried out once, in process, for its own check in tests/examples, and kept so that
// they can be carried out again, by another program, on the same arguments and the same memory.
#pragma once

#include "mutation.h"

#include "by_hand.h"

#include "examples/launch.h"
#include "machine/fault.h"
#include "vm/vm.h"

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace visor::seeded {

using Bytes = std::vector<std::byte>;

// A function of a program: 0 is the kernel of a launch, others count the program's functions from 1.
struct FunctionName {
    std::string kernel; // "" for a function
    uint32_t index = 0;
    auto operator<=>(const FunctionName&) const = default;
};

// What a launch leaves: arrays by argument, then the program's own data.
struct Outcome {
    machine::Fault fault;
    std::string error; // it could not be launched
    std::vector<Bytes> memory;
    std::string printed;
};

struct Recorded {
    std::shared_ptr<const vm::Program> program;
    std::string kernel;
    test::Launch launch;            // as it was before
    std::optional<ByHand> by_hand;  // instead of it
    std::vector<Bytes> data;        // program-scope data, likewise
    Outcome outcome;                // of the original, in the plain order
    uint64_t most_instructions = 0; // of a hardware thread
    // What each function of it did in this launch; nothing of those that were not called.
    std::map<FunctionName, Behaviour> behaviour;
    // By instruction: the arrays that a flat access went to.
    std::map<std::pair<FunctionName, uint32_t>, std::vector<std::string>> reached;
};

class Replay {
public:
    explicit Replay(const isa::Device& device);

    // For tests/examples: as the command line would do it, and kept. False: `problem` has the reason.
    [[nodiscard]] bool run(const test::Place& place, test::Launch& launch);
    // Likewise, vISA text that people wrote.
    [[nodiscard]] bool run(const ByHand& example);
    [[nodiscard]] const std::vector<Recorded>& recorded() const { return recorded_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }

    struct Settings {
        uint64_t seed = 0;
        uint64_t fuel = 0; // of a hardware thread; 0 = no limit
        machine::Watcher* watcher = nullptr;
        const std::atomic<bool>* stop = nullptr;
    };
    [[nodiscard]] Outcome play(const Recorded& recorded, const vm::Program& program,
                               const Settings& settings);

private:
    [[nodiscard]] std::expected<std::shared_ptr<const vm::Program>, std::string>
    program_of(const std::string& path, const std::string& options);
    [[nodiscard]] std::vector<Bytes> data() const;
    [[nodiscard]] bool record(Recorded recorded);
    Outcome carry_out(const Recorded& launch, const vm::Program& program, const Settings& settings);
    using Report = std::expected<vm::RunReport, vm::Error>;
    Report launch(const Recorded& launch, const vm::Program& program, const vm::RunSettings& run,
                  std::vector<launch::Buffer>& buffers, std::string& problem);
    Report launch(const ByHand& example, const vm::Program& program, const vm::RunSettings& run,
                  std::vector<launch::Buffer>& buffers, std::string& problem);

    const isa::Device& device_;
    vm::Context context_;
    std::map<std::string, std::shared_ptr<const vm::Program>> programs_; // by options
    std::vector<launch::Buffer> data_;                                   // of all programs
    std::vector<Recorded> recorded_;
    std::string problem_;
};

// The program with another function in the place of one of its own.
[[nodiscard]] std::shared_ptr<const vm::Program> replaced(const vm::Program& program,
                                                          const FunctionName& name, Function function);
[[nodiscard]] std::shared_ptr<const Function> function_of(const vm::Program& program,
                                                          const FunctionName& name);
// The name of the function that a thread is in.
[[nodiscard]] FunctionName name_of(const vm::Program& program, const Function* function);

} // namespace visor::seeded
