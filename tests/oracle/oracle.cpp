#include "oracle/oracle.h"

#include <algorithm>

namespace oracle {

std::optional<Answer> answer(const Question& question) {
    const bool real = std::ranges::any_of(question.sources, [](const Source& s) { return is_float(s.type); });
    Answer out;
    bool known = false;
    const bool converts = question.mnemonic == "mov" && is_float(question.to);
    if (real || converts)
        known = answer_real(question, out);
    else
        known = answer_integer(question, out);
    if (!known)
        return std::nullopt;
    // Comparisons of integers may go to a float, whose bits are all ones too.
    if (question.mnemonic == "cmp") {
        for (unsigned lane = 0; lane < question.lanes; ++lane)
            out.first.at(lane).bits = out.second.at(lane) != 0 ? 2 * sign_bit(question.to) - 1 : 0;
    }
    return out;
}

} // namespace oracle
