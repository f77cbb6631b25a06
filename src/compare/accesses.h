// What an instruction reads and writes, as far as its order among others goes.
#pragma once

#include "compare/canonical.h"

#include <cstdint>
#include <vector>

namespace visor::compare {

struct Access {
    Name name;
    uint64_t begin = 0; // bytes of a root; of anything else all
    uint64_t end = UINT64_MAX;
    bool writes = false;
};

struct Accesses {
    std::vector<Access> list;
    bool reads_memory = false;
    bool writes_memory = false; // atomics and fences included
    // Nothing passes it: barriers, messages in the raw, indirect operands, registers that change by
    // themselves or change what others do.
    bool stays = false;
};

[[nodiscard]] Accesses accesses_of(const Canonical& code, uint32_t at);

} // namespace visor::compare
