// Products of small matrices for DPAS: the elements as numbers, how the page lays them out, and the sums:
// exact integers, and doubles with a bound for what rounding may have added. See the DPAS page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

// u1 s1 u2 s2 u4 s4 u8 s8 bf hf tf32 bf8 hf8
struct Precision {
    const char* name;
    unsigned bits;
    bool is_float;
    int mantissa_bits; // stored ones; of floats
    int exponent_bits;
};
[[nodiscard]] const std::vector<Precision>& precisions();
[[nodiscard]] const Precision& precision(std::string_view name);
// Of an element's bits; floats that are no NaN and not infinite.
[[nodiscard]] double value_of(const Precision& precision, uint32_t bits);

// M = repeat rows of N = lanes columns; K = depth * per_depth elements are multiplied and summed for each.
struct Product {
    Precision b; // src1, K x N
    Precision a; // src2, M x K
    unsigned depth = 8;
    unsigned repeat = 1;
    unsigned lanes = 8;

    [[nodiscard]] unsigned per_depth() const; // OPS_PER_CHAN
    [[nodiscard]] unsigned inner() const { return depth * per_depth(); }
    // Bits in packed registers at which an element begins.
    [[nodiscard]] size_t place_in_b(unsigned k, unsigned column) const;
    [[nodiscard]] size_t place_in_a(unsigned row, unsigned k) const;
    [[nodiscard]] size_t bytes_of_b() const;
    [[nodiscard]] size_t bytes_of_a() const;
};

struct Sum {
    double value = 0;     // exact for integers
    double magnitude = 0; // of all terms together, for a bound
};
// One cell: start + row of A times column of B; registers as bytes.
[[nodiscard]] Sum cell(const Product& product, const std::vector<std::byte>& b,
                       const std::vector<std::byte>& a, double start, unsigned row, unsigned column);

} // namespace oracle
