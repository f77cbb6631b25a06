// tile_sweep blocks|matrices [--seed N]: what works on rectangles, against the oracle. `blocks`:
// lsc_load_block2d and lsc_store_block2d of each element size, order and VNNI, at random sizes and places,
// partly outside. `matrices`: dpas of each pair of precisions, depth, repeat count and accumulator; integers
// exactly, floats within what rounding once a depth may add.
#include "exec/literal.h"
#include "exec/plan.h"
#include "oracle/block2d.h"
#include "oracle/matrix.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

struct Totals {
    size_t checks = 0;
    size_t failures = 0;

    void add(const std::string& name, const std::string& wrong) {
        ++checks;
        if (wrong.empty())
            return;
        if (++failures <= 10)
            fmt::print(stderr, "{}\n{}\n", name, wrong.substr(0, 1000));
    }
};

Array array(std::string name, std::string type, const Bytes& bytes) {
    Array out{.name = std::move(name), .type = std::move(type), .words = {}};
    for (const std::byte byte : bytes)
        out.words.push_back(fmt::format("{}", std::to_integer<unsigned>(byte)));
    return out;
}
Array number(std::string name, std::string type, int64_t value) {
    return {.name = std::move(name), .type = std::move(type), .words = {fmt::format("{}", value)}};
}
Expectation expectation(std::string name, const Bytes& bytes) {
    return {.name = name, .type = "ub", .words = array(name, "ub", bytes).words};
}

Bytes random_bytes(size_t count, Random& random) {
    Bytes bytes(count);
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random.next());
    return bytes;
}

std::string run(const LiteralCase& given, const std::string& device) {
    const auto kernel = kernel_of(given, device, isa::device_named(device)->grf_bytes);
    return kernel ? differences(given, *kernel, launch(*kernel, vm::EngineKind::interpreter))
                  : kernel.error();
}

// ---- blocks

constexpr size_t most_register_bytes = 2048;
constexpr int most_block_bytes = 64; // wide

oracle::Block2d random_block(unsigned element, bool transposed, bool transformed, bool load, Random& random) {
    const auto up_to = [&](int most) {
        return 1 + static_cast<int>(random.below(static_cast<unsigned>(most)));
    };
    oracle::Block2d block{.element = element, .transposed = transposed, .transformed = transformed};
    block.width = up_to(most_block_bytes / static_cast<int>(element));
    block.height = up_to(32);
    block.blocks = load ? up_to(4) : 1;
    block.x = static_cast<int>(random.below(20)) - 6;
    block.y = static_cast<int>(random.below(20)) - 6;
    return block;
}

struct Corner {
    int width;
    int height;
    int pitch;
};

LiteralCase block_case(const oracle::Block2d& block, bool load, const Corner& corner, unsigned grf,
                       Random& random) {
    Bytes memory = random_bytes(static_cast<size_t>(corner.pitch * corner.height), random);
    const oracle::Plane plane{memory, corner.width, corner.height, corner.pitch};
    LiteralCase given;
    given.buffers.push_back(array("T6", "ub", memory));
    const Bytes loaded = oracle::load_block2d(block, plane, grf);
    Bytes data = loaded;
    if (load) {
        given.inputs.push_back({.name = "data", .type = "ub", .elements = loaded.size(), .words = {}});
        given.expectations.push_back(expectation("data", loaded));
    } else {
        data = random_bytes(loaded.size(), random);
        given.inputs.push_back(array("data", "ub", data));
        oracle::store_block2d(block, plane, data, grf);
        given.expectations.push_back(expectation("T6", memory));
    }
    given.inputs.push_back({.name = "base", .type = "uq", .words = {"&T6"}});
    given.inputs.push_back(number("width", "ud", corner.width - 1));
    given.inputs.push_back(number("row", "d", block.y));
    // Both ways to say the pitch; the column with a displacement.
    const int pitch = corner.pitch - static_cast<int>(random.below(2));
    const std::string shape =
        fmt::format("data.0:d{}.{}x{}x{}{}{}", 8 * block.element, block.blocks, block.width, block.height,
                    block.transposed ? "t" : "n", block.transformed ? "t" : "n");
    given.inputs.push_back(number("column", "d", block.x - 3));
    const std::string address = fmt::format("flat[base(0,0),width(0,0),0x{:x},0x{:x},column(0,0)+3,row(0,0)]",
                                            corner.height - 1, pitch);
    given.code.push_back(fmt::format("    lsc_{}_block2d.ugm{} (M1_NM, 1) {} {}", load ? "load" : "store",
                                     random.below(2) == 0 ? "" : ".uc.uc", load ? shape : address,
                                     load ? address : shape));
    return given;
}

void sweep_blocks(uint64_t seed, Totals& totals) {
    Random random(seed);
    for (const std::string device : {"dg2", "pvc", "bmg"}) {
        const unsigned grf = isa::device_named(device)->grf_bytes;
        for (unsigned form = 0; form < 32; ++form) {
            const unsigned element = 1U << form % 4;
            const bool transposed = (form & 4U) != 0;
            const bool transformed = (form & 8U) != 0 && element < 8;
            const bool load = (form & 16U) == 0;
            for (unsigned i = 0; i < 6; ++i) {
                const oracle::Block2d block = random_block(element, transposed, transformed, load, random);
                const int pitch = 8 * (1 + static_cast<int>(random.below(16)));
                const Corner corner{1 + static_cast<int>(random.below(static_cast<unsigned>(pitch))),
                                    1 + static_cast<int>(random.below(24)), pitch};
                Bytes nothing(static_cast<size_t>(corner.pitch * corner.height));
                const oracle::Plane plane{nothing, corner.width, corner.height, corner.pitch};
                if (oracle::load_block2d(block, plane, grf).size() > most_register_bytes)
                    continue;
                const LiteralCase given = block_case(block, load, corner, grf, random);
                totals.add(fmt::format("{}: surface {}x{} pitch {}:{}", device, corner.width, corner.height,
                                       corner.pitch, given.code[0]),
                           run(given, device));
            }
        }
    }
}

// ---- matrices

// Bits of an element; floats are finite and of moderate size.
uint32_t random_element(const oracle::Precision& precision, Random& random) {
    const auto bits = static_cast<uint32_t>(random.next());
    if (!precision.is_float)
        return bits & (precision.bits == 32 ? UINT32_MAX : (1U << precision.bits) - 1);
    const unsigned fraction = bits & ((1U << precision.mantissa_bits) - 1);
    const unsigned bias = (1U << (precision.exponent_bits - 1)) - 1;
    const unsigned exponent = random.below(16) == 0 ? 0 : bias - 3 + random.below(7);
    const uint32_t value = (bits >> 31U) << (precision.exponent_bits + precision.mantissa_bits) |
                           exponent << precision.mantissa_bits | fraction;
    // Below tf32's bits stands what the instruction ignores.
    return precision.bits == 32 ? value << 13U | (bits >> 7U & 0x1fffU) : value;
}

void put_bits(Bytes& bytes, size_t bit, unsigned count, uint32_t value) {
    for (unsigned i = 0; i < count; ++i)
        bytes.at((bit + i) / 8) |= static_cast<std::byte>((value >> i & 1U) << (bit + i) % 8);
}

// One kernel: a pair, a depth and types, with every repeat count.
class MatrixKernel {
public:
    MatrixKernel(const oracle::Precision& b, const oracle::Precision& a, unsigned depth,
                 const std::string& to, const std::string& from, std::string device, Random& random)
        : device_(std::move(device)), to_(to), from_(from) {
        product_ = {b, a, depth, repeats, isa::device_named(device_)->grf_bytes / 4U};
        b_.resize(product_.bytes_of_b());
        a_.resize(product_.bytes_of_a());
        for (unsigned k = 0; k < product_.inner(); ++k) {
            for (unsigned n = 0; n < product_.lanes; ++n)
                put_bits(b_, product_.place_in_b(k, n), b.bits, random_element(b, random));
            for (unsigned m = 0; m < repeats; ++m)
                put_bits(a_, product_.place_in_a(m, k), a.bits, random_element(a, random));
        }
        const unsigned cells = repeats * product_.lanes;
        for (unsigned i = 0; i < cells; ++i) {
            const double fraction = (static_cast<double>(random.below(4096)) - 2048) / 64;
            start_.push_back(from.empty()   ? 0
                             : b.is_float   ? oracle::real_of(type_of(from), real_bits(from, fraction))
                             : from == "ud" ? static_cast<double>(static_cast<uint32_t>(random.next()))
                                            : static_cast<double>(static_cast<int32_t>(random.next())));
        }
    }

    [[nodiscard]] std::string name() const {
        return fmt::format("dpas.{}.{}.{} {} = {} on {}", product_.b.name, product_.a.name, product_.depth,
                           to_, from_.empty() ? "null" : from_, device_);
    }

    [[nodiscard]] std::string wrong() const {
        const LiteralCase given = make();
        const auto kernel = kernel_of(given, device_, isa::device_named(device_)->grf_bytes);
        if (!kernel)
            return kernel.error();
        const Outcome outcome = launch(*kernel, vm::EngineKind::interpreter);
        if (!outcome.error.empty())
            return outcome.error;
        std::string text;
        const Bytes& out = outcome.surfaces.at("OUT");
        size_t at = 0;
        for (unsigned repeat = 1; repeat <= repeats; ++repeat) {
            text += compare(repeat, std::span(out).subspan(at));
            at += kernel->inputs[repeat - 1].second.size();
        }
        return text;
    }

private:
    static constexpr unsigned repeats = 8;

    std::string device_;
    std::string to_;
    std::string from_; // "": null
    oracle::Product product_;
    Bytes b_;
    Bytes a_;
    std::vector<double> start_;

    static oracle::Type type_of(const std::string& name) { return *oracle::type_named(name); }
    static uint64_t real_bits(const std::string& type, double value) {
        return oracle::bits_of(type_of(type), {value, 0}, oracle::Round::even);
    }

    [[nodiscard]] LiteralCase make() const {
        LiteralCase given;
        for (unsigned repeat = 1; repeat <= repeats; ++repeat) {
            given.inputs.push_back({.name = fmt::format("d{}", repeat),
                                    .type = to_,
                                    .elements = size_t{repeat} * product_.lanes,
                                    .words = {}});
            given.code.push_back(fmt::format("    dpas.{}.{}.{}.{} (M1, {}) d{}.0 {} b.0 a(0,0)",
                                             product_.b.name, product_.a.name, product_.depth, repeat,
                                             product_.lanes, repeat, from_.empty() ? "%null.0" : "c.0"));
        }
        given.inputs.push_back(dwords("b", b_));
        given.inputs.push_back(dwords("a", a_));
        if (!from_.empty()) {
            Array start{.name = "c", .type = from_, .words = {}};
            for (const double value : start_)
                start.words.push_back(product_.b.is_float ? fmt::format("0x{:x}", real_bits(from_, value))
                                                          : fmt::format("{}", static_cast<int64_t>(value)));
            given.inputs.push_back(std::move(start));
        }
        return given;
    }

    static Array dwords(const std::string& name, Bytes bytes) {
        bytes.resize((bytes.size() + 3) / 4 * 4);
        Array out{.name = name, .type = "ud", .words = {}};
        for (size_t i = 0; i < bytes.size(); i += 4) {
            uint32_t value = 0;
            std::memcpy(&value, bytes.data() + i, 4);
            out.words.push_back(fmt::format("0x{:x}", value));
        }
        return out;
    }

    [[nodiscard]] std::string compare(unsigned repeat, std::span<const std::byte> out) const {
        const oracle::Type type = type_of(to_);
        const size_t width = oracle::bytes(type);
        for (unsigned cell = 0; cell < repeat * product_.lanes; ++cell) {
            uint64_t bits = 0;
            std::memcpy(&bits, out.data() + cell * width, width);
            const oracle::Sum sum =
                oracle::cell(product_, b_, a_, start_[cell], cell / product_.lanes, cell % product_.lanes);
            if (!product_.b.is_float) {
                if (static_cast<uint32_t>(bits) == static_cast<uint32_t>(static_cast<int64_t>(sum.value)))
                    continue;
            } else if (std::abs(oracle::real_of(type, bits) - sum.value) <= bound(sum)) {
                continue;
            }
            return fmt::format("  repeat {}, cell {}: 0x{:x}, expected {}\n", repeat, cell, bits, sum.value);
        }
        return "";
    }

    // Each depth rounds a sum that is at most the magnitude to 24 bits; a narrow result is rounded once more.
    [[nodiscard]] double bound(const oracle::Sum& sum) const {
        const double once = std::ldexp(sum.magnitude, -24) * product_.depth;
        const double last = to_ == "bf"   ? std::ldexp(sum.magnitude, -8)
                            : to_ == "hf" ? std::ldexp(sum.magnitude, -11)
                                          : 0;
        return once + last;
    }
};

bool may_pair(const oracle::Precision& b, const oracle::Precision& a) {
    if (b.is_float != a.is_float)
        return false;
    return !b.is_float || std::string_view(b.name) == a.name || (b.bits == 8 && a.bits == 8);
}

// DPAS page, the table of types; the empty one is null.
std::vector<std::string> accumulators(const oracle::Precision& b) {
    const std::string name = b.name;
    if (!b.is_float)
        return {"d", "ud"};
    return name == "bf" || name == "hf" ? std::vector<std::string>{"f", name} : std::vector<std::string>{"f"};
}

void sweep_matrices(uint64_t seed, Totals& totals) {
    Random random(seed);
    for (const std::string device : {"xehp", "dg2", "pvc", "lnl"}) {
        for (const oracle::Precision& b : oracle::precisions()) {
            for (const oracle::Precision& a : oracle::precisions()) {
                if (!may_pair(b, a))
                    continue;
                std::vector<std::string> starts = accumulators(b);
                starts.emplace_back();
                size_t turn = random.below(3);
                for (const unsigned depth : {1U, 2U, 4U, 8U}) {
                    for (const std::string& to : accumulators(b)) {
                        const MatrixKernel kernel(b, a, depth, to, starts[turn++ % starts.size()], device,
                                                  random);
                        totals.add(kernel.name(), kernel.wrong());
                    }
                }
            }
        }
    }
}

} // namespace

} // namespace visor::exec_test

int main(int count, char** words) {
    using namespace visor::exec_test;
    const std::span arguments(words, static_cast<size_t>(count));
    const std::string_view what = count >= 2 ? arguments[1] : "";
    uint64_t from = 1;
    if (count == 4 && std::string_view(arguments[2]) == "--seed") {
        const std::string_view number = arguments[3];
        std::from_chars(number.data(), number.data() + number.size(), from);
    }
    Totals totals;
    if (what == "blocks")
        sweep_blocks(from, totals);
    else if (what == "matrices")
        sweep_matrices(from, totals);
    fmt::print("{} checks from seed {} on, {} failures\n", totals.checks, from, totals.failures);
    return totals.checks > 0 && totals.failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
