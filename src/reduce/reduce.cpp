#include "reduce/reduce.h"

#include "reduce/search.h"

#include <array>

namespace visor::reduce {

namespace {

struct Pass {
    const char* name;
    void (*run)(Search& search);
};

// The cheap ones that take most first.
constexpr std::array passes{Pass{"functions", remove_functions}, Pass{"instructions", remove_instructions},
                            Pass{"lines", remove_other_lines},   Pass{"declarations", remove_declarations},
                            Pass{"comments", strip_comments},    Pass{"results", substitute_results},
                            Pass{"aliases", merge_aliases},      Pass{"operands", simplify_instructions},
                            Pass{"sizes", shrink_declarations}};

} // namespace

std::expected<Reduced, Refusal> minimize(std::string_view text, const Options& options, const Judge& judge) {
    Search search(split(text), options, judge);
    switch (search.first()) {
    case Answer::interesting:
        break;
    case Answer::boring:
        return std::unexpected(Refusal::boring);
    case Answer::stop:
        return std::unexpected(Refusal::stopped);
    }
    // Each round takes something away, so that there is a last one.
    for (uint64_t before = UINT64_MAX; before != search.kept() && !search.stopped();) {
        before = search.kept();
        for (const Pass& pass : passes) {
            if (search.stopped())
                break;
            pass.run(search);
            if (options.on_progress)
                options.on_progress({pass.name, search.lines().size(), search.tests()});
        }
    }
    return search.result();
}

} // namespace visor::reduce
