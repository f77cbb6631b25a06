// The fourth set: pieces of work of the first one, from sources that say the same in other words.
#include "work.h"

#include <algorithm>
#include <array>

namespace visor::compare {

namespace {

struct Variant {
    const char* source; // of the first set
    const char* words;  // what its kernel's name has more, and the row's
};

constexpr std::array variants{
    Variant{"stencil", "size_t"},    Variant{"stencil", "return"},    Variant{"stencil", "clamp"},
    Variant{"mandelbrot", "float2"}, Variant{"sgemm", "swapped"},     Variant{"histogram", "uint"},
    Variant{"histogram", "bytes"},   Variant{"histogram", "several"}, Variant{"reduction", "vector"},
    Variant{"reduction", "chunk"},   Variant{"reduction", "while"},   Variant{"spmv", "size_t"},
    Variant{"spmv", "pointers"},     Variant{"spmv", "two"},          Variant{"spmv", "grid"},
    Variant{"sha256", "rolled"},     Variant{"black_scholes", "erf"}, Variant{"black_scholes", "native"},
    Variant{"nbody", "half"},        Variant{"nbody", "vector"},      Variant{"nbody", "tiles"},
};

} // namespace

std::vector<Work> fourth_set() {
    const std::vector<Work> first = first_set();
    std::vector<Work> all;
    for (const Variant& variant : variants) {
        Work work = *std::ranges::find(first, variant.source, &Work::source);
        work.name += std::string(", ") + variant.words;
        work.source += std::string("_") + variant.words;
        all.push_back(std::move(work));
    }
    return all;
}

} // namespace visor::compare
