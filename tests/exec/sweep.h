// A kernel of many planned instructions, its data, and what the oracle says it leaves behind.
#pragma once

#include "exec/launcher.h"
#include "exec/plan.h"

#include <span>
#include <string>
#include <vector>

namespace visor::exec_test {

class SweepKernel {
public:
    // All planned instructions have one device, one set of modes, and all of them want some lanes to be off,
    // or none.
    SweepKernel(const CaseFile& file, std::span<const Planned> planned);

    [[nodiscard]] Launch launch() const;
    // "" or how results differ, at most a few of them; adds to `failures`.
    [[nodiscard]] std::string differences(const Outcome& outcome, size_t& failures) const;

    // Whether two can share a kernel.
    [[nodiscard]] static bool together(const Planned& a, const Planned& b);

private:
    // A lane whose bits are not the only right ones.
    struct Loose {
        size_t at = 0;
        oracle::Type type = oracle::Type::f;
        oracle::Lane lane;
        bool bounded = false; // within the bound of ulps
    };
    struct Result {
        Planned planned;
        std::string line;
        size_t at = 0; // in OUT
        Bytes want;
        std::vector<Loose> loose;
        std::string sources;
    };
    struct Maker;

    const CaseFile& file_;
    std::vector<Result> results_;
    std::string text_;
    Bytes in_;
    size_t out_ = 0;
    Launch launch_;
};

} // namespace visor::exec_test
