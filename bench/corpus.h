// Texts to measure on: what the outside compiler printed for a real kernel, as often as a size asks for. It
// only copies and renames; the instructions stay as they are.
#pragma once

#include "module/module.h"

#include <cstddef>
#include <string>
#include <vector>

namespace visor::bench {

struct Corpus {
    std::string name; // "compiled-skl", "200k"
    const char* device;
    std::string text;
    size_t instructions = 0; // labels not counted
};

// "compiled-DEVICE": about a megabyte of whole kernels. "2k", "20k", "200k": one kernel of so many
// instructions, with variables and labels in proportion, which shows whether time stays in proportion too.
[[nodiscard]] const std::vector<Corpus>& corpora();

// The module of a text that is known to be good; ends the program when it is not.
[[nodiscard]] Module parsed(const Corpus& corpus);

} // namespace visor::bench
