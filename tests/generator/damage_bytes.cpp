#include "damage.h"

#include <algorithm>
#include <array>

namespace visor::generator {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array<uint64_t, 16> numbers{
    0, 1, 2, 3, 4, 7, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};

struct Span {
    size_t begin = 0;
    size_t size = 0;
};

Span some_bytes(Random& random, const Bytes& bytes) {
    constexpr uint64_t longest = 32;
    const auto begin = static_cast<size_t>(random.below(bytes.size()));
    return {begin, static_cast<size_t>(random.below(std::min<uint64_t>(longest, bytes.size() - begin) + 1))};
}

// A number of one, two or four bytes, as counts, ids and offsets are.
void put_number(Random& random, Bytes& bytes, size_t at, uint64_t value) {
    const size_t width = size_t{1} << random.below(3);
    for (size_t i = 0; i < width && at + i < bytes.size(); ++i)
        bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

void damage_once(Random& random, Bytes& bytes) {
    const auto at = static_cast<size_t>(random.below(bytes.size()));
    const Span span = some_bytes(random, bytes);
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(span.begin);
    const auto end = begin + static_cast<ptrdiff_t>(span.size);
    switch (random.below(8)) {
    case 0:
    case 1:
        bytes[at] ^= static_cast<std::byte>(1U << random.below(8));
        break;
    case 2:
        bytes[at] = static_cast<std::byte>(random.below(256));
        break;
    case 3:
        put_number(random, bytes, at, random.pick(numbers));
        break;
    case 4: // one byte more or less: counts and ids that are off by one
        bytes[at] =
            static_cast<std::byte>(std::to_integer<unsigned>(bytes[at]) + (random.one_in(2) ? 1U : 0xffU));
        break;
    case 5: {
        const Bytes copy(begin, end);
        const size_t room = std::min(copy.size(), bytes.size() - at);
        std::copy_n(copy.begin(), room, bytes.begin() + static_cast<ptrdiff_t>(at));
        break;
    }
    case 6:
        bytes.erase(begin, end);
        break;
    default: {
        const Bytes copy(begin, end);
        bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), copy.begin(), copy.end());
        if (random.one_in(4))
            bytes.resize(at);
        break;
    }
    }
}

} // namespace

Bytes damage_bytes(Random& random, Bytes bytes) {
    const uint64_t times = 1 + random.below(3);
    for (uint64_t i = 0; i < times && !bytes.empty(); ++i)
        damage_once(random, bytes);
    return bytes;
}

} // namespace visor::generator
