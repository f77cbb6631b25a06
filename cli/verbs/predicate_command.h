// A command that is asked about many files: exit code 0 is yes.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace visor::cli {

enum class CommandEnd : uint8_t {
    yes,         // exit code 0
    no,          // another one, or a signal
    late,        // it was ended when its time was over
    interrupted, // it was ended because `interrupted` became true
};

class PredicateCommand {
public:
    // `words` are the program (looked for in PATH) and its arguments; `{}` in one stands for the file, which
    // is the last argument where no word has it. `seconds`: of wall-clock time; 0: any.
    PredicateCommand(std::vector<std::string> words, double seconds, const std::atomic<bool>& interrupted);

    // Runs it in a session of its own, which is killed whole when its time is over. Its standard streams are
    // /dev/null; with `shown` those for output are ours. Error: it cannot be started, in a sentence.
    [[nodiscard]] std::expected<CommandEnd, std::string> ask(const std::string& file, bool shown) const;

private:
    std::vector<std::string> words_;
    double seconds_;
    const std::atomic<bool>& interrupted_;
};

} // namespace visor::cli
