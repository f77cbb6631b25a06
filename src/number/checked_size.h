// Sizes, offsets and counts whose products and sums cannot wrap: once a result does not fit 64 bits it is
// gone, and so is everything calculated from it. For what others say of images, rectangles and memory; it
// converts nothing back by itself, so that nobody forgets to ask.
#pragma once

#include <cstdint>
#include <optional>

namespace visor::number {

class CheckedSize {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a plain size is one that fits
    constexpr CheckedSize(uint64_t value) : value_(value) {}

    friend constexpr CheckedSize operator+(CheckedSize a, CheckedSize b) {
        CheckedSize out(0);
        out.fits_ = !__builtin_add_overflow(a.value_, b.value_, &out.value_) && a.fits_ && b.fits_;
        return out;
    }
    // Less than nothing does not fit either.
    friend constexpr CheckedSize operator-(CheckedSize a, CheckedSize b) {
        CheckedSize out(0);
        out.fits_ = !__builtin_sub_overflow(a.value_, b.value_, &out.value_) && a.fits_ && b.fits_;
        return out;
    }
    friend constexpr CheckedSize operator*(CheckedSize a, CheckedSize b) {
        CheckedSize out(0);
        out.fits_ = !__builtin_mul_overflow(a.value_, b.value_, &out.value_) && a.fits_ && b.fits_;
        return out;
    }

    [[nodiscard]] constexpr bool fits() const { return fits_; }
    [[nodiscard]] constexpr std::optional<uint64_t> value() const {
        return fits_ ? std::optional(value_) : std::nullopt;
    }
    // Whether it is no more than this.
    [[nodiscard]] constexpr bool is_within(uint64_t limit) const { return fits_ && value_ <= limit; }
    // 2^64 - 1 in the place of what does not fit: more than any memory has, for who compares anyway.
    [[nodiscard]] constexpr uint64_t or_most() const { return fits_ ? value_ : UINT64_MAX; }

private:
    uint64_t value_;
    bool fits_ = true;
};

// Whether `bytes` from `offset` on lie within `limit`.
[[nodiscard]] constexpr bool lies_within(uint64_t offset, uint64_t bytes, uint64_t limit) {
    return (CheckedSize(offset) + bytes).is_within(limit);
}

} // namespace visor::number
