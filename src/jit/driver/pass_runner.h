// Runs passes of the list: those of the tier, whose condition holds, and which are not disabled; prints,
// times and verifies as the switches say.
#pragma once

#include "jit/driver/pass.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::jit {

// Error: a name that is no pass, or a required pass that is disabled.
[[nodiscard]] std::optional<std::string> invalid_switch(const PassSwitches& switches);

// What LLVM's verifier finds wrong.
[[nodiscard]] std::optional<std::string> verification_error(const llvm::Module& module);

class PassRunner {
public:
    // The context and the switches, which are valid, outlive it.
    PassRunner(PassContext& context, const PassSwitches& switches) : context_(context), switches_(switches) {}

    // Error: why there is no code.
    [[nodiscard]] std::optional<std::string> run(std::span<const Pass> passes);
    // One pass, whatever its tier is.
    [[nodiscard]] std::optional<std::string> run(const Pass& pass);
    // Adds a line to the log's times, also for a stage that is no pass.
    void add_time(std::string_view name, std::chrono::steady_clock::duration time, char mark = '+');

    // What the switches asked for: the module after passes, and a line for each pass that ran: a mark if it
    // changed the module (`*`, of required ones `+`), its time, the number of LLVM instructions after it, its
    // name.
    [[nodiscard]] std::string take_log();

private:
    [[nodiscard]] bool applies(const Pass& pass);
    [[nodiscard]] size_t fingerprint() const; // of the module, if times are wanted

    PassContext& context_;
    const PassSwitches& switches_;
    std::string printed_;
    std::string times_;
};

} // namespace visor::jit
