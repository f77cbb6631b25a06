// Rows of the sampler messages: the 3D family with one row for each of its operations, and the two older
// ones.
//
// An operation's parameters follow its count; the `counted` item's name lists them in order, and trailing
// ones may be left out (they are zero then). pvc has no sampler.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

#include <string_view>

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr const char* no_page = "source: the compiler's sampler operations";
constexpr DeviceSet sampling = static_cast<DeviceSet>(every_device & ~only(pvc));
constexpr DeviceSet newer = from(bmg); // without an assembly form "for pre-PVC platforms"

constexpr TypeSet sampled = types(Type::hf, Type::f, Type::w, Type::uw, Type::d, Type::ud);
constexpr TypeSet coordinates = floats | types(Type::ud, Type::d, Type::uw, Type::w);

constexpr Field op_field{
    .kind = FieldKind::sub_opcode16, .name = "op", .codec = Codec::sampler_flags, .place = Place::suffix};
constexpr Field channels = byte_field("channels", Codec::channel_mask, Place::suffix);
constexpr Field src_channel = byte_field("src_channel", Codec::source_channel, Place::suffix);
constexpr Field aoffimmi = scalar_field("aoffimmi", types(Type::uw));
constexpr Field dst = raw_result("dst", sampled, Extent::instruction, true);
// Another surface, for a kind of feedback. On no page; only text and binary of newer compilers have it.
constexpr Field paired_resource = [] {
    Field field = raw_source("paired_resource", 0, Extent::none, true);
    field.place = Place::form;
    field.newer = true;
    return field;
}();
constexpr Field num_params = byte_field("num_params", Codec::plain, Place::hidden);
constexpr Field param = raw_source("param", coordinates, Extent::instruction, true);

// The format of an operation; `Parameters` is the name of its counted item.
constexpr auto sample_format(const char* parameters) {
    return std::array{op_field,
                      exec_field,
                      predicate_field,
                      channels,
                      aoffimmi,
                      sampler_field,
                      surface_field,
                      dst,
                      paired_resource,
                      num_params,
                      Field{.kind = FieldKind::counted, .name = parameters},
                      param};
}
constexpr auto sample4_format(const char* parameters) {
    auto format = sample_format(parameters);
    format[3] = src_channel;
    return format;
}
constexpr auto load_format(const char* parameters) {
    return std::array{op_field,
                      exec_field,
                      predicate_field,
                      channels,
                      aoffimmi,
                      surface_field,
                      dst,
                      paired_resource,
                      num_params,
                      Field{.kind = FieldKind::counted, .name = parameters},
                      param};
}

// Parameters of the sample operations, in order.
constexpr auto plain = sample_format("u v r ai");
constexpr auto biased = sample_format("bias u v r ai");
constexpr auto with_lod = sample_format("lod u v r ai");
constexpr auto compared = sample_format("ref u v r ai");
constexpr auto derived = sample_format("u dudx dudy v dvdx dvdy r drdx drdy ai");
constexpr auto biased_compared = sample_format("ref bias u v r ai");
constexpr auto lod_compared = sample_format("ref lod u v r ai");
constexpr auto derived_compared = sample_format("ref u dudx dudy v dvdx dvdy r drdx drdy ai");
constexpr auto minimum_lod = sample_format("mlod u v r ai");
constexpr auto minimum_lod_compared = sample_format("mlod ref u v r ai");
constexpr auto derived_minimum_lod = sample_format("ref u dudx dudy v dvdx dvdy mlod_r");
constexpr auto offset = sample_format("u v r off_uvr mlod");
constexpr auto offset_biased = sample_format("bias_off_uvr u v r mlod");
constexpr auto offset_lod = sample_format("lod_off_uvr u v r");
constexpr auto offset_compared = sample_format("ref u v off_uv_r mlod");
constexpr auto offset_derived = sample_format("u dudx dudy v dvdx dvdy off_uvr_r mlod");
constexpr auto offset_lod_compared = sample_format("ref lod_off_uvr u v r");
constexpr auto offset_compared_zero = sample_format("ref u v off_uv_r");
constexpr auto offset_biased_compared = sample_format("ref bias_off_uvr u v r mlod");
constexpr auto offset_derived_compared = sample_format("ref u dudx dudy v dvdx dvdy off_uv_r");

constexpr auto four = sample4_format("u v r ai");
constexpr auto four_compared = sample4_format("ref u v r ai");
constexpr auto four_lod = sample4_format("lod u v r ai");
constexpr auto four_lod_compared = sample4_format("ref lod u v r ai");
constexpr auto four_biased = sample4_format("bias u v r ai");
constexpr auto four_offset = sample4_format("u v offu offv r");              // newer devices: u v r off_uv
constexpr auto four_offset_compared = sample4_format("ref u v offu offv r"); // ref u v off_uv_r
constexpr auto four_offset_lod = sample4_format("lod_off_uv u v r");
constexpr auto four_offset_biased = sample4_format("bias_off_uv u v r");
constexpr auto four_offset_i = sample4_format("u v r off_uv");
constexpr auto four_offset_i_compared = sample4_format("ref u v off_uv_r");
constexpr auto four_offset_lod_compared = sample4_format("ref lod_off_uv u v r");

constexpr auto load_plain = load_format("u v lod r");
constexpr auto load_zero = load_format("u v r");
constexpr auto load_mcs = load_format("u v r lod");
// With word operands: si mcs0 mcs1 mcs2 mcs3 u v r lod.
constexpr auto load_multisample = load_format("si mcsl mcsh u v r lod");

constexpr Row sampler_row(uint8_t opcode, int16_t sub, const char* mnemonic, std::span<const Field> format,
                          const char* page, const char* semantics, DeviceSet devices) {
    return {.opcode = opcode,
            .sub = sub,
            .mnemonic = mnemonic,
            .family = Family::sampler,
            .format = format,
            .form = TextForm::sample_3d,
            .exec_sizes = lanes_8_16_32,
            .flags = reads_memory,
            .devices = devices,
            .out_of_bounds = OutOfBounds::undefined, // the sampler's address mode decides
            .page = page,
            .semantics = semantics};
}
constexpr Row sample(int16_t sub, const char* mnemonic, std::span<const Field> format, const char* semantics,
                     DeviceSet devices = sampling) {
    return sampler_row(opcode::sample_3d, sub, mnemonic, format, "3D_SAMPLE", semantics, devices);
}
constexpr Row sample_newest(int16_t sub, const char* mnemonic, std::span<const Field> format,
                            const char* semantics) {
    return sampler_row(opcode::sample_3d, sub, mnemonic, format, no_page, semantics, newer);
}
constexpr Row load(int16_t sub, const char* mnemonic, std::span<const Field> format, const char* semantics,
                   const char* page = "3D_LOAD", DeviceSet devices = sampling) {
    Row row = sampler_row(opcode::load_3d, sub, mnemonic, format, page, semantics, devices);
    row.out_of_bounds = OutOfBounds::zero_or_dropped;
    return row;
}
constexpr Row sample4(int16_t sub, const char* mnemonic, std::span<const Field> format, const char* semantics,
                      DeviceSet devices = sampling) {
    return sampler_row(opcode::sample4, sub, mnemonic, format, "3D_SAMPLE4", semantics, devices);
}

// The page has a word for the operation and no channels; compilers read a byte, and the channels that text
// shows.
constexpr std::array resinfo_format{sub_field,
                                    exec_field,
                                    channels,
                                    surface_field,
                                    raw_source("lod", one_ud, Extent::lanes_4),
                                    raw_result("dst", one_ud, Extent::channels_4)};
constexpr std::array sampleinfo_format{sub_field, exec_field, channels, surface_field,
                                       raw_result("dst", one_ud, Extent::channels_4)};
constexpr Row info(int16_t sub, const char* mnemonic, std::span<const Field> format, const char* semantics) {
    Row row = sampler_row(opcode::info, sub, mnemonic, format, "INFO", semantics, sampling);
    row.form = TextForm::regular;
    row.out_of_bounds = OutOfBounds::not_applicable;
    return row;
}

constexpr Field channels_simd = byte_field("channels", Codec::channels_simd, Place::form);
constexpr std::array legacy_sample_format{channels_simd,
                                          sampler_field,
                                          surface_field,
                                          raw_source("u", one_f, Extent::instruction, true),
                                          raw_source("v", one_f, Extent::instruction, true),
                                          raw_source("r", one_f, Extent::instruction, true),
                                          raw_result("dst", 0, Extent::instruction)};
constexpr std::array legacy_load_format{channels_simd,
                                        surface_field,
                                        raw_source("u", one_ud, Extent::instruction, true),
                                        raw_source("v", one_ud, Extent::instruction, true),
                                        raw_source("r", one_ud, Extent::instruction, true),
                                        raw_result("dst", 0, Extent::instruction)};
constexpr Row legacy(uint8_t opcode, const char* mnemonic, std::span<const Field> format,
                     const char* semantics) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::sampler,
            .format = format,
            .form = TextForm::sample_legacy,
            .exec_sizes = no_exec_size,
            .flags = reads_memory,
            .devices = sampling,
            .out_of_bounds = OutOfBounds::undefined,
            .page = no_page,
            .semantics = semantics};
}

constexpr std::array table{
    legacy(opcode::sample, "sample", legacy_sample_format,
           "dst = surface at (u, v, r) of 8 or 16 lanes, filtered as sampler says\n"
           "whatever the mask"),
    legacy(opcode::load, "load", legacy_load_format,
           "dst = texels (u, v, r) of 8 or 16 lanes, unfiltered, whatever the mask"),

    sample(0, "sample_3d", plain,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: computed"),
    sample(1, "sample_b", biased,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: computed, plus bias"),
    sample(2, "sample_l", with_lod,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: lod"),
    sample(3, "sample_c", compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "texels are compared with ref before they are filtered"),
    sample(4, "sample_d", derived,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: from the gradients dudx .. drdy"),
    sample(5, "sample_b_c", biased_compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: computed, plus bias\n"
           "texels are compared with ref before they are filtered"),
    sample(6, "sample_l_c", lod_compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: lod\n"
           "texels are compared with ref before they are filtered"),
    sample(sub_opcode::sampler::lod, "lod", plain,
           "dst[i] = level of detail for (u, v, r): R clamped, G as computed"),
    sample_newest(17, "sample_d_c_mlod", derived_minimum_lod,
                  "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
                  "level of detail: from the gradients dudx .. drdy, at least mlod\n"
                  "texels are compared with ref before they are filtered"),
    sample_newest(18, "sample_mlod", minimum_lod,
                  "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
                  "level of detail: computed, at least mlod"),
    sample_newest(19, "sample_c_mlod", minimum_lod_compared,
                  "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
                  "level of detail: computed, at least mlod\n"
                  "texels are compared with ref before they are filtered"),
    sample(20, "sample_d_c", derived_compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: from the gradients dudx .. drdy\n"
           "texels are compared with ref before they are filtered"),
    sample(sub_opcode::sampler::sample_lz, "sample_lz", plain,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: 0"),
    sample(25, "sample_c_lz", compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: 0\n"
           "texels are compared with ref before they are filtered"),
    sample(32, "sample_po", offset,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "texels are shifted by the offsets in off_uvr",
           newer),
    sample(33, "sample_po_b", offset_biased,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: computed, plus bias; bias_off_uvr holds the offsets, too",
           newer),
    sample(34, "sample_po_l", offset_lod,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: lod; lod_off_uvr holds the offsets of texels, too",
           newer),
    sample(35, "sample_po_c", offset_compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "texels are compared with ref before they are filtered\n"
           "texels are shifted by the offsets in off_uv_r",
           newer),
    sample(36, "sample_po_d", offset_derived,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: from the gradients dudx .. dvdy\n"
           "texels are shifted by the offsets in off_uvr_r",
           newer),
    sample(38, "sample_po_l_c", offset_lod_compared,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: lod; lod_off_uvr holds the offsets of texels, too\n"
           "texels are compared with ref before they are filtered",
           newer),
    sample(56, "sample_po_lz", offset,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: 0\n"
           "texels are shifted by the offsets in off_uvr",
           newer),
    sample(57, "sample_po_c_lz", offset_compared_zero,
           "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
           "level of detail: 0\n"
           "texels are compared with ref before they are filtered\n"
           "texels are shifted by the offsets in off_uv_r",
           newer),
    sample_newest(58, "sample_po_b_c", offset_biased_compared,
                  "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
                  "level of detail: computed, plus bias; bias_off_uvr holds the offsets, too\n"
                  "texels are compared with ref before they are filtered"),
    sample_newest(59, "sample_po_d_c", offset_derived_compared,
                  "dst[i] = surface at (u, v, r), cube ai, filtered as sampler says\n"
                  "level of detail: from the gradients dudx .. dvdy\n"
                  "texels are compared with ref before they are filtered\n"
                  "texels are shifted by the offsets in off_uv_r"),

    load(7, "load_3d", load_plain, "dst[i] = texel (u, v, r) of surface at level lod, unfiltered"),
    load(26, "load_lz", load_zero, "dst[i] = texel (u, v, r) of surface at level 0, unfiltered"),
    load(27, "load_l", load_plain, "dst[i] = texel (u, v, r) of surface at level lod, unfiltered", no_page,
         newer),
    load(28, "load_2dms_w", load_multisample,
         "dst[i] = sample si of texel (u, v, r) at level lod; mcsl, mcsh: its control\n"
         "data"),
    load(sub_opcode::sampler::load_mcs, "load_mcs", load_mcs,
         "dst[i] = control data of the samples of texel (u, v, r) at level lod"),

    // The page has the codes of _b and _i the other way round; the compiler's follow the pattern of the _po
    // forms.
    sample4(8, "sample4", four, "dst[i] = src_channel of the four texels around (u, v, r), cube ai"),
    sample4(13, "sample4_l", four_lod,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: lod"),
    sample4(14, "sample4_b", four_biased,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed, plus bias"),
    sample4(15, "sample4_i", four,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed"),
    sample4(16, "sample4_c", four_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "each compared with ref"),
    sample4(sub_opcode::sampler::sample4_po, "sample4_po", four_offset,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "texels are shifted by the offsets in offu, offv; from bmg on, the parameters\n"
            "are u v r off_uv"),
    sample4(sub_opcode::sampler::sample4_po_c, "sample4_po_c", four_offset_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "each compared with ref\n"
            "texels are shifted by the offsets in offu, offv; from bmg on, the parameters\n"
            "are ref u v off_uv_r"),
    sample4(21, "sample4_i_c", four_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed\n"
            "each compared with ref",
            newer),
    sample4(23, "sample4_l_c", four_lod_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: lod\n"
            "each compared with ref",
            newer),
    sample4(45, "sample4_po_l", four_offset_lod,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: lod; lod_off_uv holds the offsets of texels, too",
            newer),
    sample4(46, "sample4_po_b", four_offset_biased,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed, plus bias; bias_off_uv holds the offsets, too",
            newer),
    sample4(47, "sample4_po_i", four_offset_i,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed\n"
            "texels are shifted by the offsets in off_uv",
            newer),
    sample4(53, "sample4_po_i_c", four_offset_i_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: computed\n"
            "each compared with ref\n"
            "texels are shifted by the offsets in off_uv_r",
            newer),
    sample4(55, "sample4_po_l_c", four_offset_lod_compared,
            "dst[i] = src_channel of the four texels around (u, v, r), cube ai\n"
            "level of detail: lod; lod_off_uv holds the offsets of texels, too\n"
            "each compared with ref",
            newer),

    info(sub_opcode::sampler::resinfo, "resinfo", resinfo_format,
         "dst: R, G, B the extents of surface at level lod[i], A its number of levels"),
    info(11, "sampleinfo", sampleinfo_format,
         "dst: R the number of samples of a pixel, A the palette of their positions"),
};
static_assert(well_formed(table));

namespace order = operand_order;
consteval bool is_sample(std::span<const Field> format, std::string_view mask) {
    return has_operands(format, {{order::sample_3d::op, "op"},
                                 {order::sample_3d::channels, mask},
                                 {order::sample_3d::offsets, "aoffimmi"},
                                 {order::sample_3d::sampler, "sampler"},
                                 {order::sample_3d::surface, "surface"},
                                 {order::sample_3d::dst, "dst"},
                                 {order::sample_3d::paired, "paired_resource"},
                                 {order::sample_3d::count, "num_params"},
                                 {order::sample_3d::first_parameter, "param"}});
}
static_assert(is_sample(sample_format(""), "channels"));
static_assert(is_sample(sample4_format(""), "src_channel"));
static_assert(has_operands(load_format(""), {{order::load_3d::op, "op"},
                                             {order::load_3d::channels, "channels"},
                                             {order::load_3d::offsets, "aoffimmi"},
                                             {order::load_3d::surface, "surface"},
                                             {order::load_3d::dst, "dst"},
                                             {order::load_3d::paired, "paired_resource"},
                                             {order::load_3d::count, "num_params"},
                                             {order::load_3d::first_parameter, "param"}}));
static_assert(has_operands(legacy_sample_format, {{order::sample::channels_simd, "channels"},
                                                  {order::sample::sampler, "sampler"},
                                                  {order::sample::surface, "surface"},
                                                  {order::sample::u, "u"},
                                                  {order::sample::v, "v"},
                                                  {order::sample::r, "r"},
                                                  {order::sample::dst, "dst"}}));
static_assert(has_operands(legacy_load_format, {{order::load::channels_simd, "channels"},
                                                {order::load::surface, "surface"},
                                                {order::load::u, "u"},
                                                {order::load::v, "v"},
                                                {order::load::r, "r"},
                                                {order::load::dst, "dst"}}));
static_assert(has_operands(resinfo_format, {{order::resinfo::channels, "channels"},
                                            {order::resinfo::surface, "surface"},
                                            {order::resinfo::lod, "lod"},
                                            {order::resinfo::dst, "dst"}}));
static_assert(has_operands(sampleinfo_format, {{order::sampleinfo::channels, "channels"},
                                               {order::sampleinfo::surface, "surface"},
                                               {order::sampleinfo::dst, "dst"}}));

} // namespace

std::span<const Row> sampler() {
    return table;
}

} // namespace visor::isa::rows
