// Programs on both engines, which have to leave the same behind: those of tests/jit/fuzz with writes to every
// register at its edges, and any that the generator draws. What engines take ends at pages that nobody may
// touch (tests/containment/fence.h). The input's bytes are what the drawing chooses.
#include "edges.h"
#include "finding.h"

#include "../containment/fence.h"
#include "../jit/fuzz/maker.h"
#include "../jit/fuzz/minimise.h"
#include "../jit/fuzz/rig.h"
#include "generator.h"
#include "text/text.h"

#include <algorithm>

using namespace visor;

namespace {

constexpr double seconds = 20; // to make a finding small
volatile jit_fuzz::Stage stage;
jit_fuzz::Rig& rig() {
    static jit_fuzz::Rig one(stage, false, containment::arm);
    return one;
}

// Lines that are refused go, until the rest runs or nothing is left to take out.
jit_fuzz::Trial run_text(const jit_fuzz::Setting& setting, std::string& text) {
    jit_fuzz::Trial trial = rig().run(setting, text);
    const auto can_mend = [&] {
        return trial.verdict == jit_fuzz::Verdict::refused && !trial.lines.empty() && trial.lines[0] != 0;
    };
    for (int round = 0; round < 40 && can_mend(); ++round) {
        text = fuzz::without(trial.lines, text);
        trial = rig().run(setting, text);
    }
    return trial;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span head(data, std::min<size_t>(size, 64));
    exec_test::Random random(head);
    if (random.below(4) == 0) {
        const jit_fuzz::Setting setting{.device = random.below(2) == 0 ? "skl" : "pvc",
                                        .data = random.next()};
        std::string text = text::print(generator::generate(random.next(), {.most_functions = 1}));
        const jit_fuzz::Trial trial = run_text(setting, text);
        fuzz::require(trial.verdict != jit_fuzz::Verdict::differs, trial.what + "\n" + text);
        return 0;
    }
    const exec_test::Random rest(std::span(data + head.size(), size - head.size()));
    jit_fuzz::Recipe recipe = jit_fuzz::Maker(rest).make();
    fuzz::add_edges(recipe, random);
    const jit_fuzz::Trial trial = jit_fuzz::run_drawn(rig(), recipe);
    if (trial.verdict == jit_fuzz::Verdict::differs)
        fuzz::require_none(trial.what + jit_fuzz::text_of(jit_fuzz::minimised(rig(), recipe, seconds)));
    return 0;
}
