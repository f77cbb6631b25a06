// What an input may cost: memory and time that grow with it by a constant factor, and no more. A target makes
// one of these first; at its end it tells what was too much. Readers work in one thread.
#pragma once

#include "finding.h"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace visor::fuzz {

class Limits {
public:
    // `bytes_a_byte`: what formats give that are made to give much.
    explicit Limits(size_t input_bytes, double bytes_a_byte = 2000)
        : input_bytes_(input_bytes), bytes_a_byte_(bytes_a_byte), began_(seconds()) {
        static const int installed = __sanitizer_install_malloc_and_free_hooks(taken, given);
        require(installed != 0, "no hooks of the allocator");
        live() = peak() = 0;
    }
    ~Limits() {
        const auto input = static_cast<double>(input_bytes_);
        const double used = seconds() - began_;
        if (static_cast<double>(peak()) <= free_bytes + bytes_a_byte_ * input &&
            used <= free_seconds + input / bytes_a_second)
            return;
        std::fprintf(stderr, "%zu bytes took %ld bytes at once and %.2f seconds\n", input_bytes_, peak(),
                     used);
        require(false, "more than the input may cost");
    }
    Limits(const Limits&) = delete;
    Limits& operator=(const Limits&) = delete;
    Limits(Limits&&) = delete;
    Limits& operator=(Limits&&) = delete;

private:
    static constexpr double free_bytes = 32e6; // modules have parts that every input pays for
    static constexpr double free_seconds = 1;  // of the processor, with the sanitizers
    static constexpr double bytes_a_second = 20e3;

    static double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
    static long& live() {
        static long bytes = 0;
        return bytes;
    }
    static long& peak() {
        static long bytes = 0;
        return bytes;
    }
    static void taken(const volatile void* /*block*/, size_t bytes) {
        live() += static_cast<long>(bytes);
        peak() = std::max(peak(), live());
    }
    static void given(const volatile void* block) {
        live() -= static_cast<long>(__sanitizer_get_allocated_size(block));
    }

    size_t input_bytes_;
    double bytes_a_byte_;
    double began_;
};

} // namespace visor::fuzz
