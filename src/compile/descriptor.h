// A file descriptor that is closed once.
#pragma once

#include <unistd.h>
#include <utility>

namespace visor::compile {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool is_open() const { return value_ >= 0; }
    [[nodiscard]] int release() { return std::exchange(value_, -1); }
    void reset() {
        if (value_ >= 0)
            close(value_);
        value_ = -1;
    }

private:
    int value_ = -1;
};

} // namespace visor::compile
