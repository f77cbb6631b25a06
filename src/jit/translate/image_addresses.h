// Which texels of an image lanes' coordinates name, as values: addressing and filtering of image reads
// (OpenCL C 8.2). Bit by bit what machine/sampling.cpp does, for images that have a window
// (engine/image_windows.h).
#pragma once

#include "jit/engine/image_access.h"
#include "jit/translate/translator.h"

#include <array>
#include <cstdint>

namespace visor::jit {

// The members of an ImageWindow, read once for all threads.
struct ImageView {
    llvm::Value* data = nullptr;        // pointer
    llvm::Value* bytes = nullptr;       // 64 bits
    std::array<llvm::Value*, 3> size{}; // 32 bits, as all below
    llvm::Value* layers = nullptr;
    llvm::Value* row_pitch = nullptr;
    llvm::Value* slice_pitch = nullptr;
};

class ImageAddresses {
public:
    using Value = llvm::Value;
    // By dimension, then the layer of an array: floats, or integers.
    using Coordinates = std::array<Value*, 3>;

    ImageAddresses(Translator& translator, const ImageAccess& access, uint32_t lanes);

    // Reads of texels by index, without a sampler.
    void place(const Coordinates& indices);
    // Reads by a sampler; `offsets`: in texels, added to coordinates in texels.
    void sample(const Coordinates& coordinates, const std::array<int32_t, 3>& offsets, bool linear);

    // i1: the positions are right. Where it is false, coordinates are so far outside that a repeated image
    // needs a division.
    [[nodiscard]] Value* are_known() const { return known_; }

    // The texels of all lanes at a corner of the filter; bit d: the second one of dimension d.
    struct Texels {
        Value* offsets = nullptr; // bytes from the image's beginning, 32 bits
        Value* on = nullptr;      // i1 by lane: there is one
    };
    Texels texels(unsigned corner);
    // A corner's share: the product of its weights along the dimensions, floats.
    Value* weight(unsigned corner);

    [[nodiscard]] const ImageView& view() const { return view_; }
    [[nodiscard]] unsigned dimensions() const { return dimensions_; }

private:
    // A texel of each lane along a dimension.
    struct Tap {
        Value* index = nullptr;
        Value* in = nullptr; // i1 by lane: inside; null: every lane
    };
    struct Taps {
        std::array<Tap, 2> taps;
        Value* weight = nullptr; // of the second one
    };

    void read_view();
    Value* like(Value* scalar) { return translator_.splat(scalar, lanes_); }
    Value* number(uint32_t value) { return translator_.constant(32, value, lanes_); }
    Value* real(double value);
    Value* floor_of(Value* value);
    Value* whole(Value* floor);
    Value* in_texels(Value* coordinate, Value* size);
    Tap address(machine::AddressMode mode, Value* size, Value* index);
    Value* repeated(Value* index, Value* size);
    Value* pitch(unsigned dimension);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const ImageAccess& access_;
    uint32_t lanes_;
    unsigned dimensions_;
    bool is_array_;
    ImageView view_;
    std::array<Taps, 3> along_;
    Tap layer_;
    Value* known_;
};

} // namespace visor::jit
