// Where a run stops: lines, instructions, entries of kernels, with conditions.
#pragma once

#include "debug/code.h"
#include "debug/expression.h"

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace visor::debug {

struct BreakpointRequest {
    enum class Kind : uint8_t { line, instruction, entry } kind = Kind::line;
    std::string file;  // line: the end of its path, or the vISA text's name; "": the first source there is
    uint32_t line = 0; // likewise
    uint32_t instruction = 0;  // its index in the code of `function`
    std::string function;      // of an instruction or an entry; "" of an entry: every kernel
    std::string condition;     // an expression; "": always
    std::string hit_condition; // "3": from the third time on, "=3", "%3"; "": always
    std::string log;           // said instead of stopping; {EXPRESSION} in it is its value
    bool once = false;
};

struct Breakpoint {
    uint32_t id = 0;
    BreakpointRequest request;
    bool bound = false; // it is somewhere in the code
    Line where;         // the line that was found
    std::string problem;
    uint64_t hits = 0;

    std::optional<Expression> condition{};
};

class Breakpoints {
public:
    // Error: a condition that cannot be understood.
    [[nodiscard]] std::expected<uint32_t, std::string> add(BreakpointRequest request);
    // False: there is none.
    bool remove(uint32_t id);
    void clear() { all_.clear(); }
    [[nodiscard]] const std::map<uint32_t, Breakpoint>& all() const { return all_; }

    // Finds them in the code; again after each change of either.
    void bind(const std::vector<std::shared_ptr<const Code>>& codes);
    // By instruction: those that are there; nullptr: the function has none.
    using Marks = std::vector<std::vector<uint32_t>>;
    [[nodiscard]] const Marks* marks_of(const Function& function) const;

    // Whether it stops the thread, which is about to run an instruction of its; a log is appended to `said`.
    // `counts`: the hit is a new one.
    [[nodiscard]] bool stops(uint32_t id, const Scope& scope, bool counts, std::string& said);

private:
    std::map<uint32_t, Breakpoint> all_; // by id
    std::map<const Function*, Marks> marks_;
    uint32_t next_ = 1;
};

} // namespace visor::debug
