// Memory for code that might read too far.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/mman.h>

namespace visor::jit {

// Words that end before a page that nobody may read.
class Guarded {
public:
    explicit Guarded(size_t rows, size_t words = 1) : count_(rows * words) {
        memory_ = ::mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        EXPECT_NE(memory_, MAP_FAILED);
        EXPECT_EQ(::mprotect(static_cast<std::byte*>(memory_) + pages, page, PROT_NONE), 0);
        for (size_t k = 0; k < count_; ++k)
            this->words()[k] = static_cast<uint32_t>(k * 0x9e3779b9U + 1);
    }
    ~Guarded() { ::munmap(memory_, pages + page); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    [[nodiscard]] std::span<uint32_t> words() const {
        return {reinterpret_cast<uint32_t*>(static_cast<std::byte*>(memory_) + pages) - count_, count_};
    }

private:
    static constexpr size_t page = 4096;
    static constexpr size_t pages = 16 * page;
    size_t count_;
    void* memory_ = nullptr;
};

} // namespace visor::jit
