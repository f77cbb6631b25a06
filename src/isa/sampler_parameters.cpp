#include "isa/sampler_parameters.h"

#include "isa/opcode.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace visor::isa {

namespace {

// The row's name for its parameters: "lod u v r ai". Newer devices have others for two of them.
std::string_view parameter_names(const Row& row, bool newer) {
    if (row.opcode == opcode::sample4 && newer) {
        if (row.sub == sub_opcode::sampler::sample4_po)
            return "u v r off_uv";
        if (row.sub == sub_opcode::sampler::sample4_po_c)
            return "ref u v off_uv_r";
    }
    const auto counted = std::ranges::find(row.format, FieldKind::counted, &Field::kind);
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

SamplerParameters places_of(std::string_view names) {
    SamplerParameters places;
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

std::vector<SamplerParameters> all_places(bool newer) {
    std::vector<SamplerParameters> places;
    for (const Row& row : rows::sampler())
        places.push_back(places_of(parameter_names(row, newer)));
    return places;
}

int32_t signed_nibble(uint64_t bits, unsigned shift) {
    constexpr unsigned unused = 28;
    return static_cast<int32_t>(static_cast<uint32_t>(bits >> shift) << unused) >> unused;
}

} // namespace

const SamplerParameters& sampler_parameters(const Row& row, const Device& device) {
    static const std::array by_generation{all_places(false), all_places(true)};
    const bool newer = device.id >= DeviceId::bmg;
    return by_generation[newer ? 1 : 0][static_cast<size_t>(&row - rows::sampler().data())];
}

std::array<int32_t, 3> shared_texel_offsets(uint64_t bits) {
    return {signed_nibble(bits, 8), signed_nibble(bits, 4), signed_nibble(bits, 0)};
}

} // namespace visor::isa
