// Binaries that the real compiler made of the sources in data/, and just enough of a program to bind them:
// variables one behind the other, inputs where the text declares them.
#pragma once

#include "launch/bind.h"
#include "launch/zebin.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace visor::launch {

[[nodiscard]] std::vector<std::byte> sample_file(std::string_view name);

// Fails the test when it cannot be read.
[[nodiscard]] Zebin sample(std::string_view name);

// The program of a text's .decl v_type=G, v_type=T and .input lines; no instructions.
[[nodiscard]] Program program_of(std::string_view text, isa::DeviceId device);

// What a launch puts into the register file, by the places the compiler gave its inputs.
class StartState {
public:
    explicit StartState(const machine::Launch& launch) : launch_(launch) {}

    // Dwords at the start of the input that the text declares at this offset; empty when nothing is copied
    // there.
    [[nodiscard]] std::vector<uint32_t> dwords(int32_t offset) const;
    [[nodiscard]] uint64_t qword(int32_t offset) const;
    // The computed input of the variable there; element_bytes 0 when there is none.
    [[nodiscard]] machine::ComputedInput computed(int32_t offset) const;

private:
    [[nodiscard]] uint32_t register_at(int32_t offset) const;

    const machine::Launch& launch_;
};

template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {bytes.begin(), bytes.end()};
}

} // namespace visor::launch
