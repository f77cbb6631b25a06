#include "property.h"

#include "difference.h"
#include <cstdlib>
#include <fmt/format.h>

int main(int argc, char** argv) {
    using namespace visor::generator;
    Seen seen;
    uint64_t start = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
    uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
    int bad = 0;
    for (uint64_t i = start; i < start + count; ++i) {
        auto what = generated_text(i, seen);
        if (!what.empty()) {
            fmt::print("seed {}: {}\n", i, what);
            if (++bad > 5)
                return 1;
        }
    }
    fmt::print("{} instructions {} rows\n", seen.instructions, seen.rows.size());
}
