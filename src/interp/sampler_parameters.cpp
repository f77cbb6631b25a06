#include "interp/sampler_parameters.h"

#include "interp/memory_access.h"
#include "isa/opcode.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "number/half.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

namespace visor::interp {

namespace {

using machine::EachLane;
using machine::Thread;

namespace code = isa::sub_opcode::sampler;

// The row's name for its parameters: "lod u v r ai". Newer devices have others for two of them.
std::string_view parameter_names(const isa::Row& row, bool newer) {
    if (row.opcode == isa::opcode::sample4 && newer) {
        if (row.sub == code::sample4_po)
            return "u v r off_uv";
        if (row.sub == code::sample4_po_c)
            return "ref u v off_uv_r";
    }
    const auto counted = std::ranges::find(row.format, isa::FieldKind::counted, &isa::Field::kind);
    return counted == row.format.end() ? std::string_view{} : counted->name;
}

// The number of a parameter; -1 when there is none of this name.
int8_t parameter(std::string_view names, std::string_view wanted) {
    for (int8_t index = 0; !names.empty(); ++index) {
        const size_t end = std::min(names.find(' '), names.size());
        if (names.substr(0, end) == wanted)
            return index;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return -1;
}

struct PackedParameter {
    std::string_view name;
    uint8_t offsets;
    bool layer;
};
constexpr std::array packed_parameters{
    PackedParameter{"off_uv", 2, false},      PackedParameter{"off_uvr", 3, false},
    PackedParameter{"lod_off_uv", 2, false},  PackedParameter{"lod_off_uvr", 3, false},
    PackedParameter{"bias_off_uv", 2, false}, PackedParameter{"bias_off_uvr", 3, false},
    PackedParameter{"off_uv_r", 2, true},     PackedParameter{"off_uvr_r", 3, true},
    PackedParameter{"mlod_r", 0, true},
};

ParameterPlaces places_of(std::string_view names) {
    ParameterPlaces places;
    places.uvr = {parameter(names, "u"), parameter(names, "v"), parameter(names, "r")};
    places.reference = parameter(names, "ref");
    places.lane_offsets = {parameter(names, "offu"), parameter(names, "offv")};
    places.multisample = names.starts_with("si ");
    for (const PackedParameter& packed : packed_parameters) {
        if (const int8_t at = parameter(names, packed.name); at >= 0) {
            places.packed = at;
            places.packed_offsets = packed.offsets;
            places.packed_layer = packed.layer;
        }
    }
    return places;
}

std::vector<ParameterPlaces> all_places(bool newer) {
    std::vector<ParameterPlaces> places;
    for (const isa::Row& row : isa::rows::sampler())
        places.push_back(places_of(parameter_names(row, newer)));
    return places;
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
            parameter_places(*thread.program, *instruction.row).multisample)
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
                      const ParameterPlaces& places, machine::LaneIndices& offsets) {
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

} // namespace

const ParameterPlaces& parameter_places(const Program& program, const isa::Row& row) {
    static const std::array by_generation{all_places(false), all_places(true)};
    const bool newer = program.device->id >= isa::DeviceId::bmg;
    return by_generation[newer ? 1 : 0][static_cast<size_t>(&row - isa::rows::sampler().data())];
}

std::array<int32_t, 3> immediate_offsets(uint64_t bits) {
    const auto nibble = [bits](unsigned shift) {
        return signed_bits(static_cast<uint32_t>(bits >> shift), 4);
    };
    return {nibble(8), nibble(4), nibble(0)};
}

void read_parameters(Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::SampleLanes& out) {
    const ParameterPlaces& places = parameter_places(*thread.program, *instruction.row);
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

void read_parameters(Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::LaneIndices& out) {
    const ParameterPlaces& places = parameter_places(*thread.program, *instruction.row);
    for (size_t d = 0; d < 3; ++d) {
        Parameter(thread, instruction, first, places.uvr[d]).read_integers(out[d]);
        // What leaves the range of integers stays outside every image.
        for (uint32_t lane = 0; offsets[d] != 0 && lane < instruction.execution.size; ++lane)
            out[d][lane] = static_cast<int32_t>(
                std::clamp<int64_t>(int64_t{out[d][lane]} + offsets[d], INT32_MIN, INT32_MAX));
    }
}

} // namespace visor::interp
