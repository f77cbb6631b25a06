// The sampler's messages on images with one level and one sample per pixel: sample, load and gather
// (sample4) forms, and queries of a surface. Level of detail, bias and gradients are accepted and change
// nothing.
//
// Parameters follow their count in the row's order (isa/sampler_parameters.h); trailing ones may be omitted,
// and are then zero. They and the results are 32 bits wide, or 16 where the variable's type is.
#include "interp/image_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"
#include "isa/sampler_parameters.h"
#include "isa/sub_opcode.h"
#include "number/half.h"

#include <algorithm>
#include <bit>

namespace visor::interp {

namespace {

using machine::EachLane;
using machine::Image;
using machine::LanePixels;
using machine::Pixel;
using machine::Thread;

namespace opcode = isa::opcode;
namespace code = isa::sub_opcode::sampler;
namespace sample_field = isa::operand_order::sample_3d;
namespace load_field = isa::operand_order::load_3d;

// ---- parameters by lane

const isa::SamplerParameters& parameters_of(const Program& program, const PreparedInstruction& instruction) {
    return isa::sampler_parameters(*instruction.row, *program.device);
}

// One parameter of a message.
class Parameter {
public:
    Parameter(Thread& thread, const PreparedInstruction& instruction, size_t first, int8_t place)
        : lanes_(instruction.execution.size) {
        if (place < 0)
            return;
        size_t at = first + static_cast<size_t>(place);
        // LOAD_2DMS_W: its control data are two dwords, or four words.
        constexpr int8_t last_control = 2;
        if (place > last_control && first < instruction.operand_count &&
            isa::size_of(operand(thread, instruction, first).type) == 2 &&
            parameters_of(*thread.program, instruction).multisample)
            at += 2;
        if (at >= instruction.operand_count)
            return;
        words_ = isa::size_of(operand(thread, instruction, at).type) == 2;
        from_ = raw(thread, instruction, at);
    }

    void read_floats(EachLane<float>& out) const {
        if (from_ == nullptr || words_)
            return each(out, [](uint16_t half) { return number::half_to_float(half); });
        machine::copy_lanes<float>(from_, lanes_, out.at.data());
    }
    void read_integers(EachLane<int32_t>& out) const {
        if (from_ == nullptr || words_)
            return each(out, [](uint16_t word) { return int32_t{word}; });
        machine::copy_lanes<int32_t>(from_, lanes_, out.at.data());
    }

private:
    template <class T, class Convert>
    void each(EachLane<T>& out, Convert convert) const {
        for (uint32_t lane = 0; lane < lanes_; ++lane)
            out[lane] = from_ == nullptr ? T{} : convert(read_as<uint16_t>(from_ + size_t{lane} * 2));
    }

    uint32_t lanes_;
    const std::byte* from_ = nullptr; // null: zeros
    bool words_ = false;              // of 16 bits
};

int32_t signed_bits(uint32_t value, unsigned bits) {
    const unsigned unused = 32 - bits;
    return static_cast<int32_t>(value << unused) >> unused;
}

int32_t wrapping_sum(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// Offsets of each lane, added to the message's: whole dwords ("pixel offset ... Must have type D",
// SAMPLE4_PO), or packed, of four bits each, of six where four texels are gathered (ruling 120).
void add_lane_offsets(Thread& thread, const PreparedInstruction& instruction, size_t first,
                      const isa::SamplerParameters& places, machine::LaneIndices& offsets) {
    const uint32_t lanes = instruction.execution.size;
    EachLane<int32_t> values;
    if (places.packed_offsets == 0) {
        for (size_t part = 0; part < places.lane_offsets.size(); ++part) {
            Parameter(thread, instruction, first, places.lane_offsets[part]).read_integers(values);
            for (uint32_t lane = 0; lane < lanes; ++lane) // wraps, far outside the image
                offsets[part][lane] = wrapping_sum(offsets[part][lane], values[lane]);
        }
        return;
    }
    const unsigned bits = instruction.row->opcode == isa::opcode::sample4 ? 6 : 4;
    constexpr unsigned layer_bits = 12;
    Parameter(thread, instruction, first, places.packed).read_integers(values);
    for (size_t part = 0; part < places.packed_offsets; ++part) {
        const auto shift = static_cast<unsigned>(part) * bits + (places.packed_layer ? layer_bits : 0);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            offsets[part][lane] += signed_bits(static_cast<uint32_t>(values[lane]) >> shift, bits);
    }
}

// Of a message that samples, or gathers.
void read_parameters(Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::SampleLanes& out) {
    const isa::SamplerParameters& places = parameters_of(*thread.program, instruction);
    const uint32_t lanes = instruction.execution.size;
    out.lanes = lanes;
    for (size_t d = 0; d < 3; ++d)
        Parameter(thread, instruction, first, places.uvr[d]).read_floats(out.coordinates[d]);
    if (places.packed_layer) {
        constexpr int32_t layer_mask = 0xfff;
        EachLane<int32_t> values;
        Parameter(thread, instruction, first, places.packed).read_integers(values);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            out.coordinates[2][lane] = static_cast<float>(values[lane] & layer_mask);
    }
    out.has_reference = places.reference >= 0;
    if (out.has_reference)
        Parameter(thread, instruction, first, places.reference).read_floats(out.reference);
    out.has_offsets = places.has_lane_offsets() || (offsets[0] | offsets[1] | offsets[2]) != 0;
    if (!out.has_offsets)
        return;
    for (size_t d = 0; d < 3; ++d)
        std::fill_n(out.offsets[d].at.begin(), lanes, offsets[d]);
    if (places.has_lane_offsets())
        add_lane_offsets(thread, instruction, first, places, out.offsets);
}

// Of a message that loads.
void read_parameters(Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::LaneIndices& out) {
    const isa::SamplerParameters& places = parameters_of(*thread.program, instruction);
    for (size_t d = 0; d < 3; ++d) {
        Parameter(thread, instruction, first, places.uvr[d]).read_integers(out[d]);
        // What leaves the range of integers stays outside every image.
        for (uint32_t lane = 0; offsets[d] != 0 && lane < instruction.execution.size; ++lane)
            out[d][lane] = static_cast<int32_t>(
                std::clamp<int64_t>(int64_t{out[d][lane]} + offsets[d], INT32_MIN, INT32_MAX));
    }
}

// ---- results

Channels channels_of(const Program& program, const PreparedInstruction& instruction, uint32_t mask,
                     size_t dst) {
    const PreparedOperand& to = program.operands[instruction.first_operand + dst];
    const uint32_t lane = isa::size_of(to.type) == 2 ? 2 : 4;
    const uint32_t grf = program.device->grf_bytes;
    return {mask & 15U, lane, std::max(instruction.execution.size * lane, grf)};
}

// Bit 8 of an operation's word: the register after the channels reports the lanes for which no page was
// missing.
bool has_null_mask(const Program& program, const PreparedInstruction& instruction) {
    return instruction.row->opcode != opcode::info &&
           (literal(program, instruction, sample_field::op) & 1U) != 0;
}

// Writes the pixels that `find` gives for all lanes: those of the enabled ones.
template <class Find>
void write_lanes(Thread& thread, const PreparedInstruction& instruction, size_t dst, uint32_t mask,
                 const Find& find) {
    std::byte* const to = raw(thread, instruction, dst);
    if (to == nullptr || failed(thread))
        return;
    const uint32_t lanes = instruction.execution.size;
    const Channels channels = channels_of(*thread.program, instruction, mask, dst);
    LanePixels pixels;
    find(pixels); // reads all parameters before any result is written
    write_channels(to, operand(thread, instruction, dst).type, channels, pixels, lanes,
                   enabled_lanes(thread, instruction));
    if (has_null_mask(*thread.program, instruction)) { // every page is present
        const auto used = static_cast<size_t>(std::popcount(channels.mask));
        write_as(to + used * channels.channel_bytes, machine::lane_bits(lanes));
    }
}

uint32_t channel_mask(const Thread& thread, const PreparedInstruction& instruction) {
    return static_cast<uint32_t>(literal(thread, instruction, sample_field::channels));
}

std::array<int32_t, 3> offsets(Thread& thread, const PreparedInstruction& instruction) {
    return isa::shared_texel_offsets(
        scalar(thread, instruction, operand(thread, instruction, sample_field::offsets)));
}

void sample(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = sample_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, field::sampler));
    const uint32_t mask = channel_mask(thread, instruction);
    write_lanes(thread, instruction, field::dst, mask, [&](LanePixels& pixels) {
        if (source == nullptr)
            return set_all(pixels, {});
        machine::SampleLanes parameters;
        read_parameters(thread, instruction, field::first_parameter, offsets(thread, instruction),
                        parameters);
        machine::sample(*source, sampler_state, parameters, mask, pixels);
    });
}

// The channel of the four texels around a coordinate: R lower left, G lower right, B upper right, A upper
// left.
void sample4(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = sample_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, field::sampler));
    write_lanes(thread, instruction, field::dst, 15, [&](LanePixels& pixels) {
        if (source == nullptr)
            return set_all(pixels, {});
        machine::SampleLanes parameters;
        read_parameters(thread, instruction, field::first_parameter, offsets(thread, instruction),
                        parameters);
        machine::gather(*source, sampler_state, parameters, channel_mask(thread, instruction) & 3U, pixels);
    });
}

// Outside the image: the border of the format (ruling 60).
void load_at(const Image* source, const machine::LaneIndices& indices, uint32_t lanes, uint32_t mask,
             LanePixels& pixels) {
    if (source == nullptr)
        return set_all(pixels, {});
    machine::load_texels(source->format, texels_at(*source, indices, lanes), lanes, mask,
                         machine::border(source->format), pixels);
}

void load(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = load_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const uint32_t mask = channel_mask(thread, instruction);
    write_lanes(thread, instruction, field::dst, mask, [&](LanePixels& pixels) {
        machine::LaneIndices indices;
        read_parameters(thread, instruction, field::first_parameter, offsets(thread, instruction), indices);
        load_at(source, indices, instruction.execution.size, mask, pixels);
    });
}

// SAMPLE and LOAD of older compilers: all of 8 or 16 lanes, regardless of the mask; one channel after the
// other.
struct LegacyFields {
    uint8_t channels_simd, sampler, surface, u, dst;
};
constexpr LegacyFields legacy_sample_field{.channels_simd = isa::operand_order::sample::channels_simd,
                                           .sampler = isa::operand_order::sample::sampler,
                                           .surface = isa::operand_order::sample::surface,
                                           .u = isa::operand_order::sample::u,
                                           .dst = isa::operand_order::sample::dst};
constexpr LegacyFields legacy_load_field{.channels_simd = isa::operand_order::load::channels_simd,
                                         .sampler = 0, // none
                                         .surface = isa::operand_order::load::surface,
                                         .u = isa::operand_order::load::u,
                                         .dst = isa::operand_order::load::dst};

unsigned legacy_lanes(uint64_t channels_simd) {
    return (channels_simd >> 4U & 3U) == 0 ? 8 : 16;
}
Channels legacy_channels(const Program& program, uint64_t channels_simd) {
    return {static_cast<uint32_t>(channels_simd & 15U), 4,
            std::max(legacy_lanes(channels_simd) * 4, uint32_t{program.device->grf_bytes})};
}

// `find` takes the image, the coordinates (T: floats or integers, by dimension and lane), the number of lanes
// and the channels; without an image all channels are zero.
template <class T, class Find>
void legacy_message(Thread& thread, const PreparedInstruction& instruction, const LegacyFields& field,
                    const Find& find) {
    const uint64_t form = literal(thread, instruction, field.channels_simd);
    const uint32_t lanes = legacy_lanes(form);
    const Image* source = image(thread, instruction, operand(thread, instruction, field.surface));
    std::array<machine::EachLane<T>, 3> at;
    for (size_t d = 0; d < at.size(); ++d)
        read_lanes(at[d].at, raw(thread, instruction, field.u + d), lanes);
    std::byte* const to = raw(thread, instruction, field.dst);
    if (to == nullptr)
        return;
    const Channels channels = legacy_channels(*thread.program, form);
    LanePixels pixels;
    if (source == nullptr)
        set_all(pixels, {});
    else
        find(*source, at, lanes, channels.mask, pixels);
    write_channels(to, isa::Type::ud, channels, pixels, lanes, machine::lane_bits(lanes));
}

void legacy_sample(Thread& thread, const PreparedInstruction& instruction) {
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, legacy_sample_field.sampler));
    legacy_message<float>(thread, instruction, legacy_sample_field,
                          [&](const Image& source, const machine::LaneCoordinates& at, uint32_t lanes,
                              uint32_t mask, LanePixels& pixels) {
                              machine::SampleLanes parameters;
                              parameters.coordinates = at;
                              parameters.lanes = lanes;
                              machine::sample(source, sampler_state, parameters, mask, pixels);
                          });
}

void legacy_load(Thread& thread, const PreparedInstruction& instruction) {
    legacy_message<int32_t>(thread, instruction, legacy_load_field,
                            [](const Image& source, const machine::LaneIndices& at, uint32_t lanes,
                               uint32_t mask,
                               LanePixels& pixels) { load_at(&source, at, lanes, mask, pixels); });
}

// LOAD_MCS: an image with one sample per pixel has no control data.
void load_mcs(Thread& thread, const PreparedInstruction& instruction) {
    write_lanes(thread, instruction, load_field::dst, channel_mask(thread, instruction),
                [](LanePixels& pixels) { set_all(pixels, {}); });
}

// LOD: there is one level, for any coordinate.
void level_of_detail(Thread& thread, const PreparedInstruction& instruction) {
    write_lanes(thread, instruction, sample_field::dst, channel_mask(thread, instruction),
                [](LanePixels& pixels) { set_all(pixels, {}); });
}

// INFO page: extents, then the layers of an array, and the number of levels.
void resinfo(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::resinfo;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    Pixel info{};
    if (source != nullptr) {
        const unsigned dimensions = dimensions_of(source->shape);
        for (size_t d = 0; d < dimensions; ++d)
            info[d] = source->size[d];
        if (is_array(source->shape))
            info[dimensions] = source->layers;
        info[3] = 1;
    }
    write_lanes(thread, instruction, field::dst,
                static_cast<uint32_t>(literal(thread, instruction, field::channels)),
                [&](LanePixels& pixels) { set_all(pixels, info); });
}

void sampleinfo(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::sampleinfo;
    write_lanes(thread, instruction, field::dst,
                static_cast<uint32_t>(literal(thread, instruction, field::channels)),
                [](LanePixels& pixels) { set_all(pixels, {1, 0, 0, 0}); });
}

// Whether variables have storage for what a message reads and writes: parameters from `first` to the end.
bool has_message_storage(const Program& program, const PreparedInstruction& instruction, size_t dst,
                         uint32_t mask, size_t first) {
    const uint32_t size = instruction.execution.size;
    const Channels channels = channels_of(program, instruction, mask, dst);
    const uint32_t channels_end =
        static_cast<uint32_t>(std::popcount(channels.mask)) * channels.channel_bytes;
    const uint32_t bytes = has_null_mask(program, instruction) ? channels_end + 4 : bytes_of(channels, size);
    if (!has_storage(program, instruction, dst, bytes))
        return false;
    const bool packs = parameters_of(program, instruction).needs_dwords();
    for (size_t index = first; index < instruction.operand_count; ++index) {
        const PreparedOperand& from = program.operands[instruction.first_operand + index];
        if (packs && isa::size_of(from.type) == 2)
            return false;
        if (!has_storage(program, instruction, index, size * (isa::size_of(from.type) == 2 ? 2U : 4U)))
            return false;
    }
    return true;
}

bool has_legacy_storage(const Program& program, const PreparedInstruction& instruction,
                        const LegacyFields& field) {
    const uint64_t form = literal(program, instruction, field.channels_simd);
    const unsigned lanes = legacy_lanes(form);
    for (size_t d = 0; d < 3; ++d) {
        if (!has_storage(program, instruction, field.u + d, lanes * 4))
            return false;
    }
    return has_storage(program, instruction, field.dst, bytes_of(legacy_channels(program, form), lanes));
}

Handler info_handler(const Program& program, const PreparedInstruction& instruction) {
    const bool is_resinfo = instruction.row->sub == code::resinfo;
    namespace order = isa::operand_order;
    const size_t dst = is_resinfo ? size_t{order::resinfo::dst} : size_t{order::sampleinfo::dst};
    const size_t first = is_resinfo ? size_t{order::resinfo::lod} : dst + 1; // none
    const size_t channels =
        is_resinfo ? size_t{order::resinfo::channels} : size_t{order::sampleinfo::channels};
    const auto mask = static_cast<uint32_t>(literal(program, instruction, channels));
    if (!has_message_storage(program, instruction, dst, mask, first))
        return nullptr;
    return is_resinfo ? resinfo : sampleinfo;
}

// A paired resource requests feedback that Visor does not support. Parameters beyond those that the row
// names are of a newer compiler.
bool is_known(const Program& program, const PreparedInstruction& instruction, size_t paired, size_t first) {
    const PreparedOperand& other = program.operands[instruction.first_operand + paired];
    const size_t given = instruction.operand_count - std::min<size_t>(instruction.operand_count, first);
    return (other.kind == OperandKind::absent || other.null) &&
           given <= isa::most_parameters(*instruction.row);
}

} // namespace

// The row defines which operations are supported.
Handler family::sampler(const Program& program, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (*row.unsupported != '\0')
        return nullptr;
    if (row.opcode == opcode::info)
        return info_handler(program, instruction);
    if (row.opcode == opcode::sample)
        return has_legacy_storage(program, instruction, legacy_sample_field) ? legacy_sample : nullptr;
    if (row.opcode == opcode::load)
        return has_legacy_storage(program, instruction, legacy_load_field) ? legacy_load : nullptr;
    const bool is_load = row.opcode == opcode::load_3d;
    if (!is_known(program, instruction, is_load ? size_t{load_field::paired} : size_t{sample_field::paired},
                  is_load ? size_t{load_field::first_parameter} : size_t{sample_field::first_parameter}))
        return nullptr;
    const auto mask = static_cast<uint32_t>(literal(program, instruction, sample_field::channels));
    switch (row.opcode) {
    case opcode::sample_3d: {
        if (!has_message_storage(program, instruction, sample_field::dst, mask,
                                 sample_field::first_parameter))
            return nullptr;
        return row.sub == code::lod ? level_of_detail : sample;
    }
    case opcode::sample4:
        return has_message_storage(program, instruction, sample_field::dst, 15, sample_field::first_parameter)
                   ? sample4
                   : nullptr;
    case opcode::load_3d: {
        if (!has_message_storage(program, instruction, load_field::dst, mask, load_field::first_parameter))
            return nullptr;
        return row.sub == code::load_mcs ? load_mcs : load;
    }
    default:
        return nullptr;
    }
}

} // namespace visor::interp
