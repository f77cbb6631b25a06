// Which instructions of a block have to come before which.
#pragma once

#include "compare/canonical.h"

#include <cstdint>
#include <span>
#include <vector>

namespace visor::compare {

// Work that is left: the bound on what a hostile input costs.
class Steps {
public:
    explicit Steps(uint64_t most) : left_(most) {}
    // False: they are spent.
    bool take(uint64_t count = 1) {
        left_ -= left_ < count ? left_ : count;
        return left_ > 0;
    }
    [[nodiscard]] bool spent() const { return left_ == 0; }

private:
    uint64_t left_;
};

// By number in the canonical code. Those that another one in between implies are left out, so that the same
// code in another order has the same ones.
class Order {
public:
    // Without steps left, instructions are independent of nothing: literal().
    Order(const Canonical& code, Steps& steps);

    [[nodiscard]] std::span<const uint32_t> before(uint32_t at) const {
        return std::span(before_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
    }
    [[nodiscard]] bool literal() const { return literal_; }

private:
    std::vector<uint32_t> before_;
    std::vector<uint32_t> begin_; // by instruction, and the end
    bool literal_ = false;
};

} // namespace visor::compare
