// Image messages: sample, load, texels without a sampler (typed and LSC_TYPED), and the sizes of images. Code
// is specialized for the image's format and the sampler's state (CompileOptions::images). Interpreter
// fallbacks: messages whose image the launch does not decide, halves, gathers of four texels, comparisons,
// offsets of lanes, sRGB, writes of some channels, atomics, blocks.
#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sampler_parameters.h"
#include "isa/sub_opcode.h"
#include "jit/translate/image_addresses.h"
#include "jit/translate/memory_message.h"
#include "jit/translate/texel_values.h"

#include <algorithm>
#include <bit>

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;
namespace code = isa::sub_opcode::sampler;
namespace sample_field = isa::operand_order::sample_3d;
namespace load_field = isa::operand_order::load_3d;
namespace typed_field = isa::operand_order::gather4_typed;
namespace lsc_field = isa::operand_order::lsc_typed;
namespace info_field = isa::operand_order::resinfo;

constexpr uint32_t all_channels = 15;
constexpr uint32_t float_one = 0x3f800000;

class ImageMessage {
public:
    using Pixels = TexelValues::Pixels;
    using Coordinates = ImageAddresses::Coordinates;

    ImageMessage(Translator& translator, const PreparedInstruction& instruction, const ImageAccess& access)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction), access_(access),
          lanes_(instruction.execution.size), messages_(translator, instruction),
          addresses_(translator, access, lanes_), values_(translator, access.format, lanes_) {}

    bool lower() {
        switch (instruction_.row->opcode) {
        case opcode::sample_3d:
            return instruction_.row->sub != code::lod && sample();
        case opcode::load_3d:
            return instruction_.row->sub != code::load_mcs && load();
        case opcode::gather4_typed:
        case opcode::scatter4_typed:
            return typed(instruction_.row->opcode == opcode::gather4_typed);
        case opcode::lsc_typed:
            return lsc_typed();
        case opcode::info:
            return sizes();
        default:
            return false;
        }
    }

private:
    [[nodiscard]] uint64_t get(size_t index) const { return translator_.literal(instruction_, index); }
    [[nodiscard]] const PreparedOperand& at(size_t index) const {
        return translator_.operand(instruction_, index);
    }
    [[nodiscard]] bool has_dwords(size_t index) const {
        return isa::size_of(at(index).type) == 4 && messages_.has_bytes(index, lanes_ * 4);
    }
    Value* number(uint32_t value) { return translator_.constant(32, value, lanes_); }
    Value* dwords(size_t index) { return translator_.load_raw(at(index), 0, 32, lanes_); }

    // ---- parameters of the sampler's messages

    // Whether the message has no parameter but coordinates, and what changes nothing.
    [[nodiscard]] bool has_simple_parameters(size_t paired, size_t first) const {
        const isa::SamplerParameters& places =
            isa::sampler_parameters(*instruction_.row, *translator_.program().device);
        const bool is_simple = places.reference < 0 && places.packed < 0 && !places.has_lane_offsets() &&
                               !places.multisample && (get(sample_field::op) & 1U) == 0;
        const PreparedOperand& other = at(paired);
        if (!is_simple || (other.kind != OperandKind::absent && !other.null) ||
            at(sample_field::offsets).kind != OperandKind::immediate ||
            instruction_.operand_count > first + isa::most_parameters(*instruction_.row))
            return false;
        for (size_t index = first; index < instruction_.operand_count; ++index)
            if (!has_dwords(index))
                return false;
        return true;
    }
    // Those that are left out are zero.
    Coordinates parameters(size_t first) {
        const isa::SamplerParameters& places =
            isa::sampler_parameters(*instruction_.row, *translator_.program().device);
        Coordinates coordinates{};
        for (size_t d = 0; d < coordinates.size(); ++d) {
            const size_t index = first + static_cast<size_t>(std::max<int8_t>(places.uvr[d], 0));
            const bool is_there = places.uvr[d] >= 0 && index < instruction_.operand_count;
            coordinates[d] = is_there ? dwords(index) : number(0);
        }
        return coordinates;
    }
    [[nodiscard]] std::array<int32_t, 3> offsets() const {
        return isa::shared_texel_offsets(at(sample_field::offsets).value);
    }

    // ---- results

    [[nodiscard]] uint32_t bytes_between_channels() const {
        return std::max<uint32_t>(lanes_ * 4, translator_.program().device->grf_bytes);
    }
    [[nodiscard]] bool has_channels(size_t data, uint32_t mask) const {
        const auto count = static_cast<uint32_t>(std::popcount(mask));
        return mask != 0 && isa::size_of(at(data).type) == 4 &&
               messages_.has_bytes(data, (count - 1) * bytes_between_channels() + lanes_ * 4);
    }
    void store_channels(size_t data, uint32_t mask, const Pixels& pixels) {
        const Mask enabled = translator_.enabled(instruction_);
        uint32_t offset = 0;
        for (size_t c = 0; c < pixels.size(); ++c) {
            if ((mask >> c & 1U) == 0)
                continue;
            translator_.store_raw(at(data), offset, pixels[c], enabled);
            offset += bytes_between_channels();
        }
    }

    // ---- texels

    Reach reach() {
        return {.data = addresses_.view().data,
                .bytes = addresses_.view().bytes,
                .mask = ir_.getInt64(UINT64_MAX)};
    }

    // `outside`: what lanes without a texel read.
    Pixels read(const ImageAddresses::Texels& texels, uint32_t mask, const machine::Pixel& outside) {
        const uint32_t unit = std::min(values_.bytes(), 4U);
        TexelValues::Words words{};
        for (uint32_t k = 0; k < words.size(); ++k)
            if ((values_.words_of(mask) >> k & 1U) != 0)
                words[k] =
                    ir_.CreateZExt(create_load(ir_, texels.offsets, texels.on, reach(), k * unit, unit * 8),
                                   translator_.vector(ir_.getInt32Ty(), lanes_));
        Pixels pixels{};
        for (uint32_t c = 0; c < pixels.size(); ++c)
            if ((mask >> c & 1U) != 0)
                pixels[c] = ir_.CreateSelect(texels.on, values_.decode(words, c), number(outside[c]));
        return pixels;
    }
    Pixels sampled(unsigned corner, uint32_t mask) {
        Pixels pixels = read(addresses_.texels(corner), mask, machine::border(access_.format));
        for (Value*& channel : pixels)
            if (channel != nullptr && values_.has_denormals())
                channel = values_.flushed(channel);
        return pixels;
    }
    Pixels interpolated(uint32_t mask) {
        auto* const floats = translator_.vector(ir_.getFloatTy(), lanes_);
        Pixels sum{};
        for (unsigned corner = 0; corner < 1U << addresses_.dimensions(); ++corner) {
            Value* const weight = addresses_.weight(corner);
            const Pixels texels = sampled(corner, mask);
            for (size_t c = 0; c < sum.size(); ++c) {
                if (texels[c] == nullptr)
                    continue;
                Value* const share = ir_.CreateFMul(weight, ir_.CreateBitCast(texels[c], floats));
                Value* const before = sum[c] == nullptr ? llvm::ConstantFP::get(floats, 0.0) : sum[c];
                sum[c] = ir_.CreateFAdd(before, share);
            }
        }
        for (Value*& channel : sum)
            if (channel != nullptr)
                channel = translator_.as(channel, ir_.getInt32Ty());
        return sum;
    }

    // ---- messages

    bool sample() {
        const auto mask = static_cast<uint32_t>(get(sample_field::channels) & all_channels);
        if (!values_.can_read() || !has_channels(sample_field::dst, mask) ||
            !has_simple_parameters(sample_field::paired, sample_field::first_parameter))
            return false;
        Coordinates coordinates = parameters(sample_field::first_parameter);
        for (Value*& coordinate : coordinates)
            coordinate = translator_.as(coordinate, ir_.getFloatTy());
        // Integers are not interpolated.
        const bool linear = access_.sampler.filter == machine::FilterMode::linear && !values_.is_integer();
        addresses_.sample(coordinates, offsets(), linear);
        const auto make = [&] {
            store_channels(sample_field::dst, mask, linear ? interpolated(mask) : sampled(0, mask));
        };
        if (addresses_.are_known() == ir_.getTrue())
            make();
        else
            translator_.guarded(addresses_.are_known(), make);
        return true;
    }

    bool load() {
        const auto mask = static_cast<uint32_t>(get(load_field::channels) & all_channels);
        if (!values_.can_read() || !has_channels(load_field::dst, mask) ||
            !has_simple_parameters(load_field::paired, load_field::first_parameter))
            return false;
        Coordinates indices = parameters(load_field::first_parameter);
        const std::array<int32_t, 3> shared = offsets();
        for (size_t d = 0; d < indices.size(); ++d)
            indices[d] = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, indices[d],
                                                   number(static_cast<uint32_t>(shared[d])));
        addresses_.place(indices);
        store_channels(load_field::dst, mask,
                       read(addresses_.texels(0), mask, machine::border(access_.format)));
        return true;
    }

    bool typed(bool reads) {
        for (size_t d = 0; d < 3; ++d)
            if (!has_dwords(typed_field::u + d))
                return false;
        const Coordinates indices{dwords(typed_field::u), dwords(typed_field::v), dwords(typed_field::r)};
        const auto mask = static_cast<uint32_t>(get(typed_field::channels) & all_channels);
        const uint32_t one = values_.is_integer() ? 1U : float_one; // GATHER4_TYPED page
        addresses_.place(indices);
        return reads ? read_without_sampler(typed_field::data, mask, {0, 0, 0, one})
                     : write(typed_field::data, mask);
    }

    bool lsc_typed() {
        const int16_t sub = instruction_.row->sub;
        const bool reads = sub == isa::sub_opcode::lsc::load_quad;
        if ((!reads && sub != isa::sub_opcode::lsc::store_quad) ||
            get(lsc_field::addr_size) != isa::lsc::a32 || get(lsc_field::data_size) != isa::lsc::d32 ||
            get(lsc_field::data_order) == isa::lsc::order_transposed || !at(lsc_field::lod).null)
            return false;
        Coordinates indices{};
        for (size_t d = 0; d < indices.size(); ++d) {
            const size_t index = lsc_field::u + 2 * d;
            if (!messages_.has_bytes(index, lanes_ * 4))
                return false;
            const auto offset = static_cast<uint32_t>(get(index + 1));
            indices[d] = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, dwords(index), number(offset));
        }
        const auto mask = static_cast<uint32_t>(get(lsc_field::ch_mask) & all_channels);
        addresses_.place(indices);
        return reads ? read_without_sampler(lsc_field::dst_data, mask, {})
                     : write(lsc_field::src1_data, mask);
    }

    bool read_without_sampler(size_t data, uint32_t mask, const machine::Pixel& outside) {
        if (!values_.can_read() || !has_channels(data, mask))
            return false;
        store_channels(data, mask, read(addresses_.texels(0), mask, outside));
        return true;
    }

    bool write(size_t data, uint32_t mask) {
        if (mask != all_channels || !values_.can_write() || !has_channels(data, mask))
            return false;
        Pixels pixels{};
        for (uint32_t c = 0; c < pixels.size(); ++c)
            pixels[c] = translator_.load_raw(at(data), c * bytes_between_channels(), 32, lanes_);
        const ImageAddresses::Texels texels = addresses_.texels(0);
        Value* const on =
            ir_.CreateAnd(texels.on, translator_.lanes_on(translator_.enabled(instruction_), lanes_));
        const TexelValues::Words words = values_.encode(pixels);
        const uint32_t unit = std::min(values_.bytes(), 4U);
        for (uint32_t k = 0; k * unit < values_.bytes(); ++k)
            create_store(
                ir_, texels.offsets, on, reach(), k * unit,
                ir_.CreateTrunc(words[k], translator_.vector(translator_.integer(unit * 8), lanes_)));
        return true;
    }

    // INFO page: extents, then the layers of an array, and the number of levels.
    bool sizes() {
        const auto mask = static_cast<uint32_t>(get(info_field::channels) & all_channels);
        if (!has_channels(info_field::dst, mask))
            return false;
        const ImageView& view = addresses_.view();
        Pixels info{number(0), number(0), number(0), number(1)};
        for (unsigned d = 0; d < addresses_.dimensions(); ++d)
            info[d] = translator_.splat(view.size[d], lanes_);
        if (machine::is_array(access_.shape))
            info[addresses_.dimensions()] = translator_.splat(view.layers, lanes_);
        store_channels(info_field::dst, mask, info);
        return true;
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    const ImageAccess& access_;
    uint32_t lanes_;
    Messages messages_;
    ImageAddresses addresses_;
    TexelValues values_;
};

} // namespace

bool lowering::image(Translator& translator, const PreparedInstruction& instruction) {
    const ImageAccess* const access = translator.image_access();
    const uint32_t lanes = instruction.execution.size;
    constexpr uint32_t fewest_lanes = 4;
    if (access == nullptr || translator.options().brief || lanes < fewest_lanes ||
        *instruction.row->unsupported != '\0')
        return false;
    return ImageMessage(translator, instruction, *access).lower();
}

} // namespace visor::jit
