// Texels between memory and values: what the dwords of lanes' texels mean, by image format (OpenCL C 8.3),
// and which dwords hold given values. Bit by bit what machine/image_lanes.h does.
#pragma once

#include "jit/translate/translator.h"
#include "machine/texel_layout.h"

#include <array>
#include <cstdint>
#include <functional>

namespace visor::jit {

class TexelValues {
public:
    using Value = llvm::Value;
    using Words = std::array<Value*, 4>;  // dwords of a texel; null: not used
    using Pixels = std::array<Value*, 4>; // r g b a: 32 bits a lane; null: not used

    TexelValues(Translator& translator, machine::ImageFormat format, uint32_t lanes)
        : translator_(translator), ir_(translator.ir()), layout_(machine::texel_layout(format)),
          lanes_(lanes) {}

    // Whether this class converts the format on the target CPU, to read or to write.
    [[nodiscard]] bool can_read() const;
    [[nodiscard]] bool can_write() const;

    [[nodiscard]] uint32_t bytes() const { return layout_.bytes; } // of a texel
    [[nodiscard]] bool is_integer() const { return layout_.is_integer(); }

    // Which dwords the channels of `mask` (bit c: channel c) lie in: bit k, dword k.
    [[nodiscard]] uint32_t words_of(uint32_t mask) const;
    // A channel's value.
    Value* decode(const Words& words, uint32_t channel);
    // The dwords of texels; all that the format has. `pixels` has all four channels.
    Words encode(const Pixels& pixels);

    // Denormal single-precision numbers become zeros of their sign (ruling 143).
    Value* flushed(Value* channel);
    [[nodiscard]] bool has_denormals() const { return layout_.kind == machine::ChannelKind::float32; }

private:
    Value* bits(uint32_t value) { return translator_.constant(32, value, lanes_); }
    Value* real(double value);
    Value* as_float(Value* value) { return translator_.as(value, ir_.getFloatTy()); }
    Value* as_bits(Value* value) { return translator_.as(value, ir_.getInt32Ty()); }
    Value* unsigned_in(Value* word, size_t stored);
    Value* signed_in(Value* word, size_t stored);
    Value* quotient(Value* number, double divisor);
    Value* half_to_float(Value* half);
    Value* encode_channel(Value* value, size_t stored);
    Value* normalized(Value* value, double low, double most);
    [[nodiscard]] uint32_t mask_of(size_t stored) const { return UINT32_MAX >> (32U - layout_.bits[stored]); }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const machine::TexelLayout& layout_;
    uint32_t lanes_;
};

} // namespace visor::jit
