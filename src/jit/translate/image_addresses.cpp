#include "jit/translate/image_addresses.h"

namespace visor::jit {

namespace {

using llvm::Value;
using machine::AddressMode;

// Floats beyond have no fraction, and no texel.
constexpr double far_away = 1e9F;

} // namespace

ImageAddresses::ImageAddresses(Translator& translator, const ImageAccess& access, uint32_t lanes)
    : translator_(translator), ir_(translator.ir()), access_(access), lanes_(lanes),
      dimensions_(machine::dimensions_of(access.shape)), is_array_(machine::is_array(access.shape)),
      known_(ir_.getTrue()) {
    read_view();
}

void ImageAddresses::read_view() {
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    ir_.SetInsertPoint(translator_.function_start());
    Value* const windows =
        ir_.CreateLoad(ir_.getPtrTy(), translator_.first_member_address(offsetof(State, images)));
    const auto read = [&](llvm::Type* type, size_t member) {
        Value* const address = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), windows,
                                                              sizeof(ImageWindow) * access_.window + member);
        return translator_.mark_invariant(ir_.CreateLoad(type, address));
    };
    view_.data = read(ir_.getPtrTy(), offsetof(ImageWindow, data));
    view_.bytes = read(ir_.getInt64Ty(), offsetof(ImageWindow, bytes));
    for (size_t d = 0; d < view_.size.size(); ++d)
        view_.size[d] = read(ir_.getInt32Ty(), offsetof(ImageWindow, size) + d * sizeof(uint32_t));
    view_.layers = read(ir_.getInt32Ty(), offsetof(ImageWindow, layers));
    view_.row_pitch = read(ir_.getInt32Ty(), offsetof(ImageWindow, row_pitch));
    view_.slice_pitch = read(ir_.getInt32Ty(), offsetof(ImageWindow, slice_pitch));
}

Value* ImageAddresses::real(double value) {
    return llvm::ConstantFP::get(translator_.vector(ir_.getFloatTy(), lanes_), value);
}

// All that is far away counts as equally far, and NaN as far to the left.
Value* ImageAddresses::floor_of(Value* value) {
    Value* const above = ir_.CreateSelect(ir_.CreateFCmpOGT(value, real(-far_away)), value, real(-far_away));
    Value* const near = ir_.CreateSelect(ir_.CreateFCmpOLT(above, real(far_away)), above, real(far_away));
    return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, near);
}

Value* ImageAddresses::whole(Value* floor) {
    return ir_.CreateFPToSI(floor, translator_.vector(ir_.getInt32Ty(), lanes_));
}

// Normalized coordinates stretched, repeated ones folded into the image.
Value* ImageAddresses::in_texels(Value* coordinate, Value* size) {
    if (!access_.sampler.normalized)
        return coordinate;
    Value* folded = coordinate;
    if (access_.sampler.address == AddressMode::repeat) {
        Value* const rest = ir_.CreateFSub(coordinate, floor_of(coordinate));
        Value* const is_near =
            ir_.CreateFCmpOLT(ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, coordinate), real(far_away));
        folded = ir_.CreateSelect(is_near, rest, ir_.CreateFSub(coordinate, coordinate));
    } else if (access_.sampler.address == AddressMode::mirrored_repeat) {
        Value* const half = ir_.CreateFMul(real(0.5), coordinate);
        Value* const even =
            ir_.CreateFMul(real(2), ir_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, half));
        folded = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, ir_.CreateFSub(coordinate, even));
    }
    return ir_.CreateFMul(folded, like(ir_.CreateUIToFP(size, ir_.getFloatTy())));
}

// One image to the left or to the right; what is farther away is not known.
Value* ImageAddresses::repeated(Value* index, Value* size) {
    Value* const negative = ir_.CreateICmpSLT(index, number(0));
    Value* const from_left = ir_.CreateSelect(negative, ir_.CreateAdd(index, size), index);
    Value* const beyond = ir_.CreateICmpSGE(from_left, size);
    Value* const wrapped = ir_.CreateSelect(beyond, ir_.CreateSub(from_left, size), from_left);
    known_ = ir_.CreateAnd(known_, translator_.every(ir_.CreateICmpULT(wrapped, size)));
    return wrapped;
}

ImageAddresses::Tap ImageAddresses::address(AddressMode mode, Value* size, Value* index) {
    Value* const sizes = like(size);
    switch (mode) {
    case AddressMode::repeat:
        return {.index = repeated(index, sizes)};
    case AddressMode::mirrored_repeat:
    case AddressMode::clamp_to_edge: {
        Value* const most = like(ir_.CreateSub(size, ir_.getInt32(1)));
        Value* const above = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, index, number(0));
        return {.index = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, above, most)};
    }
    case AddressMode::none:
    case AddressMode::clamp:
        break;
    }
    return {.index = index, .in = ir_.CreateICmpULT(index, sizes)};
}

void ImageAddresses::place(const Coordinates& indices) {
    for (unsigned d = 0; d < dimensions_; ++d)
        along_[d].taps[0] = address(AddressMode::none, view_.size[d], indices[d]);
    if (is_array_)
        layer_ = address(AddressMode::none, view_.layers, indices[dimensions_]);
}

void ImageAddresses::sample(const Coordinates& coordinates, const std::array<int32_t, 3>& offsets,
                            bool linear) {
    const bool has_offsets = (offsets[0] | offsets[1] | offsets[2]) != 0;
    const AddressMode mode = access_.sampler.address;
    for (unsigned d = 0; d < dimensions_; ++d) {
        auto& [taps, weight] = along_[d];
        Value* const size = view_.size[d];
        Value* at = in_texels(coordinates[d], size);
        if (has_offsets)
            at = ir_.CreateFAdd(at, real(offsets[d]));
        if (!linear) {
            taps[0] = address(mode, size, whole(floor_of(at)));
            continue;
        }
        Value* const left = ir_.CreateFSub(at, real(0.5));
        Value* const floor = floor_of(left);
        Value* const is_near = ir_.CreateFCmpOLT(ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, left),
                                                 real(far_away)); // not NaN
        weight = ir_.CreateSelect(is_near, ir_.CreateFSub(left, floor), real(0));
        Value* const first = whole(floor);
        taps[0] = address(mode, size, first);
        taps[1] = address(mode, size, ir_.CreateAdd(first, number(1)));
    }
    if (!is_array_)
        return;
    Value* const rounded = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, coordinates[dimensions_]);
    layer_ = address(AddressMode::clamp_to_edge, view_.layers, whole(floor_of(rounded)));
}

Value* ImageAddresses::pitch(unsigned dimension) {
    switch (dimension) {
    case 0:
        return ir_.getInt32(machine::bytes_of_pixel(access_.format));
    case 1:
        return view_.row_pitch;
    default:
        return view_.slice_pitch;
    }
}

ImageAddresses::Texels ImageAddresses::texels(unsigned corner) {
    Texels texels{.offsets = number(0), .on = translator_.lanes_on(translator_.all_lanes(lanes_), lanes_)};
    const auto add = [&](const Tap& tap, Value* pitch) {
        texels.offsets = ir_.CreateAdd(texels.offsets, ir_.CreateMul(tap.index, like(pitch)));
        if (tap.in != nullptr)
            texels.on = ir_.CreateAnd(texels.on, tap.in);
    };
    for (unsigned d = 0; d < dimensions_; ++d)
        add(along_[d].taps[corner >> d & 1U], pitch(d));
    if (is_array_)
        add(layer_, view_.slice_pitch);
    return texels;
}

Value* ImageAddresses::weight(unsigned corner) {
    Value* weight = nullptr;
    for (unsigned d = 0; d < dimensions_; ++d) {
        Value* const second = along_[d].weight;
        Value* const one = (corner >> d & 1U) != 0 ? second : ir_.CreateFSub(real(1), second);
        weight = weight == nullptr ? one : ir_.CreateFMul(weight, one);
    }
    return weight;
}

} // namespace visor::jit
