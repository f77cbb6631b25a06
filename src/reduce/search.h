// The text that is being reduced, and what becomes of a candidate for its place.
#pragma once

#include "module/module.h"
#include "reduce/lines.h"
#include "reduce/reduce.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

namespace visor::reduce {

class Search {
public:
    // Both outlive it.
    Search(Lines lines, const Options& options, const Judge& judge);

    // The smallest text so far.
    [[nodiscard]] const Lines& lines() const { return lines_; }
    // It as the parser has it; absent where the parser refuses it.
    [[nodiscard]] const std::optional<Module>& module() const { return module_; }
    [[nodiscard]] LineKind kind(size_t line) const;
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] uint64_t tests() const { return counts_.tests; }
    [[nodiscard]] uint64_t kept() const { return counts_.kept; }

    // Takes the candidate for the text if it is valid, new and interesting.
    bool take(const Lines& candidate);
    // What is_valid alone says.
    bool is_valid(const Lines& candidate);
    // The answer on the text as it is.
    [[nodiscard]] Answer first();

    [[nodiscard]] Reduced result() const;

private:
    [[nodiscard]] Answer ask(const std::string& text);
    void parse(const std::string& text);

    Lines lines_;
    std::optional<Module> module_;
    const Options& options_;
    const Judge& judge_;
    // Hashes of candidates: what the passes come back to is not asked again. A collision passes one over.
    std::unordered_set<size_t> seen_;
    Reduced counts_;
    bool stopped_ = false;
};

// Takes away as many of these lines (ascending numbers) as `accept` lets go: first all, then halves, down to
// single ones, from the last to the first, because what comes later uses what comes before.
void remove_lines(const Lines& lines, std::vector<size_t> removable,
                  const std::function<bool(const Lines& candidate)>& accept);

// The passes.
void remove_functions(Search& search);
void remove_instructions(Search& search);
void remove_other_lines(Search& search);
void remove_declarations(Search& search);
void shrink_declarations(Search& search);
void substitute_results(Search& search);
void merge_aliases(Search& search);
void strip_comments(Search& search);
void simplify_instructions(Search& search);

} // namespace visor::reduce
