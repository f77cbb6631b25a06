// How a function's vISA code addresses its variables in private memory: the sums of a base, an offset, and a
// stride for each lane. Debug information has the offset of a variable alone right: its strides are wrong for
// arrays that the compiler transposes, and for all in older compilers.
#pragma once

#include "debug/location.h"
#include "module/module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace visor::debug {

class PrivateMemory {
public:
    PrivateMemory(const Function& function, uint32_t grf_bytes);

    // Variables of the vISA code (ids): whose sum is the address of the thread's part; absent: not known.
    struct Bases {
        uint32_t base = 0;
        uint32_t offset = 0;
    };
    [[nodiscard]] const std::optional<Bases>& bases() const { return bases_; }
    // Whether the place's base has its value before this instruction.
    [[nodiscard]] bool has_base(Place::Kind kind, uint32_t instruction) const;
    // Bytes between the parts of neighbouring lanes; absent: the code does not say, or says different things.
    [[nodiscard]] std::optional<uint64_t> stride_of(const Place& place) const;
    // The first instruction that stores there, or gives the address to somebody; bytes from the place on.
    [[nodiscard]] std::optional<uint32_t> first_store(const Place& place, uint64_t bytes) const;

private:
    friend class PrivateMemoryFinder;

    std::optional<Bases> bases_;
    uint32_t bases_from_ = UINT32_MAX;
    uint32_t frame_from_ = UINT32_MAX;
    uint32_t frame_until_ = UINT32_MAX;
    struct Accesses {
        std::map<int64_t, std::set<int64_t>> strides; // by offset
        std::map<int64_t, uint32_t> stores;           // by offset: the first
    };
    Accesses private_;
    Accesses stack_;

    [[nodiscard]] const Accesses& accesses(Place::Kind kind) const {
        return kind == Place::Kind::stack ? stack_ : private_;
    }
};

} // namespace visor::debug
