// The sampler's messages on images with one level and one sample per pixel: sample, load and gather
// (sample4) forms, and queries of a surface. Level of detail, bias and gradients are accepted and change
// nothing. Ruling 120 has the parts of parameters that pack several numbers.
//
// Parameters follow their count in the row's order; trailing ones may be omitted, and are then zero. They
// and the results are 32 bits wide, or 16 where the variable's type is.
#include "interp/image_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"
#include "number/half.h"

#include <algorithm>
#include <string_view>

namespace visor::interp {

namespace {

using machine::Image;
using machine::Pixel;
using machine::TexelPosition;
using machine::Thread;

namespace opcode = isa::opcode;
namespace code = isa::sub_opcode::sampler;
namespace sample_field = isa::operand_order::sample_3d;
namespace load_field = isa::operand_order::load_3d;

// The row's name for its parameters: "lod u v r ai".
std::string_view parameter_names(const Program& program, const isa::Row& row) {
    if (row.opcode == opcode::sample4 && program.device->id >= isa::DeviceId::bmg) {
        if (row.sub == code::sample4_po)
            return "u v r off_uv";
        if (row.sub == code::sample4_po_c)
            return "ref u v off_uv_r";
    }
    const auto counted = std::ranges::find(row.format, isa::FieldKind::counted, &isa::Field::kind);
    return counted == row.format.end() ? std::string_view{} : counted->name;
}

// The number of a parameter; -1 when the row has none of this name.
int parameter(std::string_view names, std::string_view wanted) {
    for (int index = 0; !names.empty(); ++index) {
        const size_t end = std::min(names.find(' '), names.size());
        if (names.substr(0, end) == wanted)
            return index;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return -1;
}

enum class Values : uint8_t { floats, integers };

// A parameter of every lane, as 32-bit values; zeros when the message omits it.
LaneValues read_parameter(Thread& thread, const PreparedInstruction& instruction, size_t first,
                          std::string_view name, Values values) {
    LaneValues out{};
    const std::string_view names = parameter_names(*thread.program, *instruction.row);
    const int index = parameter(names, name);
    size_t at = first + static_cast<size_t>(std::max(index, 0));
    // LOAD_2DMS_W: its control data are two dwords, or four words.
    constexpr size_t last_control = 2;
    if (names.starts_with("si ") && at > first + last_control && first < instruction.operand_count &&
        isa::size_of(operand(thread, instruction, first).type) == 2)
        at += 2;
    if (index < 0 || at >= instruction.operand_count)
        return out;
    const PreparedOperand& from = operand(thread, instruction, at);
    const std::byte* bytes = raw(thread, instruction, at);
    if (isa::size_of(from.type) != 2) {
        read_lanes(out, bytes, instruction.execution.size);
        return out;
    }
    std::array<uint16_t, max_lanes> narrow{};
    read_lanes(narrow, bytes, instruction.execution.size);
    for (size_t i = 0; i < narrow.size(); ++i)
        out[i] = values == Values::floats ? std::bit_cast<uint32_t>(number::half_to_float(narrow[i]))
                                          : uint32_t{narrow[i]};
    return out;
}

// A parameter that packs texel offsets with another number (ruling 120).
struct PackedOffsets {
    std::string_view name;
    bool has_layer; // r as an integer in bits 0 to 11, the offsets above
};
constexpr std::array packed_offsets{
    PackedOffsets{"off_uv", false},      PackedOffsets{"off_uvr", false},
    PackedOffsets{"lod_off_uv", false},  PackedOffsets{"lod_off_uvr", false},
    PackedOffsets{"bias_off_uv", false}, PackedOffsets{"bias_off_uvr", false},
    PackedOffsets{"off_uv_r", true},     PackedOffsets{"off_uvr_r", true},
};
const PackedOffsets* packed_in(std::string_view names) {
    const auto found = std::ranges::find_if(
        packed_offsets, [names](const PackedOffsets& one) { return parameter(names, one.name) >= 0; });
    return found == packed_offsets.end() ? nullptr : &*found;
}

using Coordinates = std::array<LaneValues, 3>;

std::array<float, 3> floats_at(const Coordinates& uvr, unsigned lane) {
    return {std::bit_cast<float>(uvr[0][lane]), std::bit_cast<float>(uvr[1][lane]),
            std::bit_cast<float>(uvr[2][lane])};
}

// A layer in the low bits of another number.
void read_layers(const LaneValues& packed, LaneValues& r) {
    constexpr uint32_t layer_bits = 0xfff;
    for (size_t i = 0; i < r.size(); ++i)
        r[i] = std::bit_cast<uint32_t>(static_cast<float>(packed[i] & layer_bits));
}

Coordinates read_coordinates(Thread& thread, const PreparedInstruction& instruction, size_t first,
                             Values values) {
    Coordinates uvr{read_parameter(thread, instruction, first, "u", values),
                    read_parameter(thread, instruction, first, "v", values),
                    read_parameter(thread, instruction, first, "r", values)};
    const std::string_view names = parameter_names(*thread.program, *instruction.row);
    const PackedOffsets* const packed = packed_in(names);
    if (packed != nullptr && packed->has_layer)
        read_layers(read_parameter(thread, instruction, first, packed->name, Values::integers), uvr[2]);
    else if (parameter(names, "mlod_r") >= 0)
        read_layers(read_parameter(thread, instruction, first, "mlod_r", Values::integers), uvr[2]);
    return uvr;
}

// The reference of the comparing forms.
struct References {
    bool present;
    LaneValues values;

    References(Thread& thread, const PreparedInstruction& instruction, size_t first)
        : present(parameter(parameter_names(*thread.program, *instruction.row), "ref") >= 0),
          values(present ? read_parameter(thread, instruction, first, "ref", Values::floats) : LaneValues{}) {
    }
    [[nodiscard]] std::optional<float> at(unsigned lane) const {
        return present ? std::optional(std::bit_cast<float>(values[lane])) : std::nullopt;
    }
};

int signed_bits(uint32_t value, unsigned bits) {
    const unsigned unused = 32 - bits;
    return static_cast<int32_t>(value << unused) >> unused;
}

// Offsets of each lane, added to the message's: whole dwords ("pixel offset ... Must have type D",
// SAMPLE4_PO), or packed, of four bits each, of six where four texels are gathered (ruling 120).
class LaneOffsets {
public:
    LaneOffsets(Thread& thread, const PreparedInstruction& instruction, size_t first) {
        const auto read = [&](std::string_view name) {
            return read_parameter(thread, instruction, first, name, Values::integers);
        };
        const PackedOffsets* const packed = packed_in(parameter_names(*thread.program, *instruction.row));
        if (packed == nullptr) {
            uvr_[0] = read("offu");
            uvr_[1] = read("offv");
            return;
        }
        const unsigned bits = instruction.row->opcode == opcode::sample4 ? 6 : 4;
        const size_t parts = packed->name.contains("uvr") ? 3 : 2;
        constexpr unsigned layer_width = 12;
        const LaneValues values = read(packed->name);
        for (size_t part = 0; part < parts; ++part) {
            const auto shift = static_cast<unsigned>(part) * bits + (packed->has_layer ? layer_width : 0);
            for (size_t i = 0; i < values.size(); ++i)
                uvr_[part][i] = static_cast<uint32_t>(signed_bits(values[i] >> shift, bits));
        }
    }
    [[nodiscard]] std::array<int, 3> added(const std::array<int, 3>& shift, unsigned lane) const {
        std::array<int, 3> sum{};
        for (size_t part = 0; part < sum.size(); ++part) // wraps, far outside the image
            sum[part] = static_cast<int>(static_cast<uint32_t>(shift[part]) + uvr_[part][lane]);
        return sum;
    }

private:
    Coordinates uvr_{};
};

// Four bits each: u in 11..8, v in 7..4, r in 3..0.
std::array<int, 3> offsets(Thread& thread, const PreparedInstruction& instruction) {
    const uint64_t bits = scalar(thread, instruction, operand(thread, instruction, sample_field::offsets));
    const auto nibble = [bits](unsigned shift) {
        return signed_bits(static_cast<uint32_t>(bits >> shift), 4);
    };
    return {nibble(8), nibble(4), nibble(0)};
}

Channels channels_of(const Program& program, const PreparedInstruction& instruction, uint32_t mask,
                     size_t dst) {
    const PreparedOperand& to = program.operands[instruction.first_operand + dst];
    const uint32_t lane = isa::size_of(to.type) == 2 ? 2 : 4;
    const uint32_t grf = program.device->grf_bytes;
    return {mask & 15U, lane, std::max(instruction.execution.size * lane, grf)};
}

void write_pixel(std::byte* to, const PreparedOperand& dst, const Channels& channels, unsigned lane,
                 const Pixel& pixel) {
    for (size_t c = 0, slot = 0; c < 4; ++c) {
        if ((channels.mask >> c & 1U) == 0)
            continue;
        std::byte* const at = to + slot++ * channels.channel_bytes + size_t{lane} * channels.lane_bytes;
        if (channels.lane_bytes == 4)
            write_as(at, pixel[c]);
        else if (isa::is_float(dst.type))
            write_as(at, number::to_half(static_cast<double>(std::bit_cast<float>(pixel[c])),
                                         number::Rounding::nearest_even));
        else
            write_as(at, static_cast<uint16_t>(pixel[c]));
    }
}

// Bit 8 of an operation's word: the register after the channels reports the lanes for which no page was
// missing.
bool has_null_mask(const Program& program, const PreparedInstruction& instruction) {
    return instruction.row->opcode != opcode::info &&
           (literal(program, instruction, sample_field::op) & 1U) != 0;
}

// Writes the pixel that `find` returns for each enabled lane.
template <class Find>
void write_lanes(Thread& thread, const PreparedInstruction& instruction, size_t dst, uint32_t mask,
                 Find find) {
    std::byte* const to = raw(thread, instruction, dst);
    if (to == nullptr || failed(thread))
        return;
    const PreparedOperand& result = operand(thread, instruction, dst);
    const Channels channels = channels_of(*thread.program, instruction, mask, dst);
    // All parameters are read before any result is written: `find` has them already.
    for (uint32_t rest = enabled_lanes(thread, instruction); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        write_pixel(to, result, channels, lane, find(lane));
    }
    if (has_null_mask(*thread.program, instruction)) { // every page is present
        const auto used = static_cast<size_t>(std::popcount(channels.mask));
        write_as(to + used * channels.channel_bytes,
                 static_cast<uint32_t>((uint64_t{1} << instruction.execution.size) - 1));
    }
}

uint32_t channel_mask(const Thread& thread, const PreparedInstruction& instruction) {
    return static_cast<uint32_t>(literal(thread, instruction, sample_field::channels));
}

// The sample of one lane: the layer of an array follows its dimensions.
Pixel sample_at(const Image& source, const machine::Sampler& sampler_state, const std::array<float, 3>& uvr,
                const std::array<int, 3>& shift, std::optional<float> reference) {
    const float layer = uvr[std::min(dimensions_of(source.shape), 2U)];
    return machine::sample(source, sampler_state, uvr, layer, shift, reference);
}

void sample(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = sample_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, field::sampler));
    const Coordinates at = read_coordinates(thread, instruction, field::first_parameter, Values::floats);
    const References reference(thread, instruction, field::first_parameter);
    const LaneOffsets lane_offsets(thread, instruction, field::first_parameter);
    const std::array<int, 3> shift = offsets(thread, instruction);
    write_lanes(thread, instruction, field::dst, channel_mask(thread, instruction), [&](unsigned lane) {
        return source == nullptr ? Pixel{}
                                 : sample_at(*source, sampler_state, floats_at(at, lane),
                                             lane_offsets.added(shift, lane), reference.at(lane));
    });
}

// The channel of the four texels around a coordinate: R lower left, G lower right, B upper right, A upper
// left.
void sample4(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = sample_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, field::sampler));
    const Coordinates at = read_coordinates(thread, instruction, field::first_parameter, Values::floats);
    const References reference(thread, instruction, field::first_parameter);
    const LaneOffsets lane_offsets(thread, instruction, field::first_parameter);
    const std::array<int, 3> shift = offsets(thread, instruction);
    const size_t channel = channel_mask(thread, instruction) & 3U;
    write_lanes(thread, instruction, field::dst, 15, [&](unsigned lane) {
        if (source == nullptr)
            return Pixel{};
        const std::array<float, 3> uvr = floats_at(at, lane);
        const float layer = uvr[std::min(dimensions_of(source->shape), 2U)];
        return machine::gather(*source, sampler_state, uvr, layer, lane_offsets.added(shift, lane), channel,
                               reference.at(lane));
    });
}

Pixel texel_at(const Image& source, const std::array<int64_t, 3>& uvr) {
    const std::byte* found = pixel_at(source, texel_position(source.shape, uvr));
    return found == nullptr ? machine::border(source.format) : machine::load_pixel(source.format, found);
}

// Outside the image: the border of the format (ruling 60).
void load(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = load_field;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const Coordinates at = read_coordinates(thread, instruction, field::first_parameter, Values::integers);
    const std::array<int, 3> shift = offsets(thread, instruction);
    write_lanes(thread, instruction, field::dst, channel_mask(thread, instruction), [&](unsigned lane) {
        if (source == nullptr)
            return Pixel{};
        std::array<int64_t, 3> uvr{};
        for (size_t d = 0; d < 3; ++d)
            uvr[d] = int64_t{static_cast<int32_t>(at[d][lane])} + shift[d];
        return texel_at(*source, uvr);
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

template <class Find>
void legacy_message(Thread& thread, const PreparedInstruction& instruction, const LegacyFields& field,
                    Find find) {
    const uint64_t form = literal(thread, instruction, field.channels_simd);
    const unsigned lanes = legacy_lanes(form);
    const Image* source = image(thread, instruction, operand(thread, instruction, field.surface));
    Coordinates at{};
    for (size_t d = 0; d < at.size(); ++d) {
        if (const std::byte* const from = raw(thread, instruction, field.u + d))
            read_lanes(at[d], from, lanes);
    }
    std::byte* const to = raw(thread, instruction, field.dst);
    if (to == nullptr)
        return;
    const Channels channels = legacy_channels(*thread.program, form);
    for (unsigned lane = 0; lane < lanes; ++lane)
        write_pixel(to, operand(thread, instruction, field.dst), channels, lane,
                    source == nullptr ? Pixel{} : find(*source, at, lane));
}

void legacy_sample(Thread& thread, const PreparedInstruction& instruction) {
    const machine::Sampler sampler_state =
        sampler(thread, instruction, operand(thread, instruction, legacy_sample_field.sampler));
    legacy_message(thread, instruction, legacy_sample_field,
                   [&](const Image& source, const Coordinates& at, unsigned lane) {
                       return sample_at(source, sampler_state, floats_at(at, lane), {}, std::nullopt);
                   });
}

void legacy_load(Thread& thread, const PreparedInstruction& instruction) {
    legacy_message(thread, instruction, legacy_load_field,
                   [](const Image& source, const Coordinates& at, unsigned lane) {
                       std::array<int64_t, 3> uvr{};
                       for (size_t d = 0; d < uvr.size(); ++d)
                           uvr[d] = static_cast<int32_t>(at[d][lane]);
                       return texel_at(source, uvr);
                   });
}

// LOAD_MCS: an image with one sample per pixel has no control data.
void load_mcs(Thread& thread, const PreparedInstruction& instruction) {
    write_lanes(thread, instruction, load_field::dst, channel_mask(thread, instruction),
                [](unsigned) { return Pixel{}; });
}

// LOD: there is one level, for any coordinate.
void level_of_detail(Thread& thread, const PreparedInstruction& instruction) {
    write_lanes(thread, instruction, sample_field::dst, channel_mask(thread, instruction),
                [](unsigned) { return Pixel{}; });
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
                [&](unsigned) { return info; });
}

void sampleinfo(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::sampleinfo;
    write_lanes(thread, instruction, field::dst,
                static_cast<uint32_t>(literal(thread, instruction, field::channels)),
                [](unsigned) { return Pixel{1, 0, 0, 0}; });
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
    // Packed numbers need 32 bits.
    const std::string_view names = parameter_names(program, *instruction.row);
    const bool packs = packed_in(names) != nullptr || parameter(names, "mlod_r") >= 0;
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
