// Rows of the media instructions: 2D blocks, the UNORM and AVS samplers, video analytics and motion
// estimation. All assemble and disassemble, and blocks are executed; executing the others would mean
// imitating fixed-function video hardware.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr const char* no_page = "source: the compiler's video analytics sub-opcode tables";
constexpr const char* no_video = "fixed-function video hardware that Visor does not imitate";
constexpr DeviceSet before_tgllp = until(icllp); // {-TGLLP}

constexpr Field modifiers = byte_field("modifiers", Codec::media_modifier, Place::suffix);
constexpr Field plane = byte_field("plane", Codec::plain, Place::operand);
constexpr Field block_width = byte_field("block_width", Codec::plain, Place::paren);
constexpr Field block_height = byte_field("block_height", Codec::plain, Place::paren);
constexpr Field x_offset = scalar_field("x_offset", one_ud);
constexpr Field y_offset = scalar_field("y_offset", one_ud);
constexpr std::array media_load_format{
    modifiers,    surface_field, plane,    block_width,
    block_height, x_offset,      y_offset, raw_result("dst", 0, Extent::lsc_block)};
constexpr std::array media_store_format{
    modifiers,    surface_field, plane,    block_width,
    block_height, x_offset,      y_offset, raw_source("src", 0, Extent::lsc_block)};

constexpr Field u_offset = scalar_field("u_offset", one_f);
constexpr Field v_offset = scalar_field("v_offset", one_f);
constexpr Field delta_u = scalar_field("delta_u", one_f);
constexpr Field delta_v = scalar_field("delta_v", one_f);
constexpr std::array unorm_format{byte_field("channel_mask", Codec::unorm_output, Place::suffix),
                                  sampler_field,
                                  surface_field,
                                  u_offset,
                                  v_offset,
                                  delta_u,
                                  delta_v,
                                  raw_result("dst", types(Type::uw), Extent::instruction)};
constexpr std::array avs_format{byte_field("channels", Codec::channel_mask, Place::suffix),
                                sampler_field,
                                surface_field,
                                u_offset,
                                v_offset,
                                delta_u,
                                delta_v,
                                scalar_field("u2d", one_f),
                                scalar_field("group_id", one_ud),
                                scalar_field("vertical_block_number", one_ud),
                                byte_field("cntrl", Codec::avs_output, Place::operand),
                                scalar_field("v2d", one_f),
                                byte_field("exec_mode", Codec::avs_mode, Place::operand),
                                scalar_field("ief_bypass", types(Type::ub, Type::uw, Type::ud)),
                                raw_result("dst", 0, Extent::instruction)};

constexpr TypeSet one_ub = types(Type::ub);
constexpr Field uni_input = raw_source("uni_input", one_ub, Extent::instruction);
constexpr Field vme_output = raw_result("output", one_ub, Extent::instruction);
constexpr Field word_input(const char* name) {
    return raw_source(name, types(Type::uw), Extent::instruction);
}
constexpr Field paren_scalar(const char* name) {
    Field field = scalar_field(name, one_ud);
    field.place = Place::paren;
    return field;
}
constexpr std::array ime_format{byte_field("stream_mode", Codec::plain, Place::paren),
                                byte_field("search_ctrl", Codec::plain, Place::paren),
                                uni_input,
                                raw_source("ime_input", one_ub, Extent::instruction),
                                surface_field,
                                word_input("ref0"),
                                word_input("ref1"),
                                word_input("cost_center"),
                                vme_output};
constexpr std::array sic_format{uni_input, raw_source("sic_input", one_ub, Extent::instruction),
                                surface_field, vme_output};
constexpr std::array fbr_format{uni_input,
                                raw_source("fbr_input", one_ub, Extent::instruction),
                                surface_field,
                                paren_scalar("fbr_mb_mode"),
                                paren_scalar("fbr_sub_mb_shape"),
                                paren_scalar("fbr_sub_pred_mode"),
                                vme_output};
constexpr std::array idm_format{uni_input, raw_source("idm_input", one_ub, Extent::instruction),
                                surface_field, vme_output};

// Video analytics: operands as the sub-opcode tables have them.
constexpr Field va_byte(const char* name) {
    return byte_field(name, Codec::plain, Place::operand);
}
constexpr Field va_scalar(const char* name, TypeSet set) {
    return scalar_field(name, set);
}
constexpr Field va_dst = raw_result("dst", 0, Extent::instruction);
constexpr Field va_offsets = raw_source("offsets", types(Type::w), Extent::instruction);
constexpr Field dst_surface{.kind = FieldKind::surface, .name = "dst_surface"};
constexpr Field dst_x = scalar_field("dst_x_offset", types(Type::uw));
constexpr Field dst_y = scalar_field("dst_y_offset", types(Type::uw));
constexpr Field pixel_size = va_byte("pixel_size");
constexpr Field exec_mode = va_byte("exec_mode");
constexpr Field properties = va_byte("properties");
constexpr Field mode = va_byte("mode");
constexpr Field mmf_mode = va_scalar("mmf_mode", one_ub);
constexpr Field v_size = va_scalar("v_size", one_ub);
constexpr Field h_size = va_scalar("h_size", one_ub);
constexpr Field disparity = va_scalar("disparity", types(Type::w));

constexpr std::array convolve_format{sub_field, sampler_field, surface_field, u_offset,
                                     v_offset,  properties,    va_dst};
constexpr std::array minmax_format{sub_field, surface_field, u_offset, v_offset, mmf_mode, va_dst};
constexpr std::array minmax_filter_format{sub_field,        sampler_field, surface_field, u_offset, v_offset,
                                          va_byte("cntrl"), exec_mode,     mmf_mode,      va_dst};
constexpr std::array morphology_format{sub_field, sampler_field, surface_field, u_offset,
                                       v_offset,  exec_mode,     va_dst};
constexpr std::array bool_centroid_format{sub_field, surface_field, u_offset, v_offset,
                                          v_size,    h_size,        va_dst};
constexpr std::array centroid_format{sub_field, surface_field, u_offset, v_offset, v_size, va_dst};
constexpr std::array convolve_1d_format{sub_field, sampler_field, surface_field, u_offset,
                                        v_offset,  mode,          va_dst};
constexpr std::array convolve_1pixel_format{sub_field, sampler_field, surface_field, u_offset,
                                            v_offset,  mode,          va_offsets,    va_dst};
constexpr std::array flood_fill_format{
    sub_field,
    va_byte("is_8_connect"),
    raw_source("pixel_mask_h_direction", types(Type::w), Extent::instruction),
    va_scalar("pixel_mask_v_direction_left", one_f),
    va_scalar("pixel_mask_v_direction_right", one_f),
    va_scalar("loop_count", one_f),
    va_dst};
constexpr std::array lbp_creation_format{sub_field, surface_field, u_offset, v_offset, mode, va_dst};
constexpr std::array lbp_correlation_format{sub_field, surface_field, u_offset, v_offset, disparity, va_dst};
constexpr std::array correlation_search_format{sub_field,
                                               surface_field,
                                               u_offset,
                                               v_offset,
                                               va_scalar("vertical_origin", one_f),
                                               va_scalar("horizontal_origin", one_f),
                                               va_scalar("x_direction_size", one_ub),
                                               va_scalar("y_direction_size", one_ub),
                                               va_scalar("x_direction_search_size", one_ub),
                                               va_scalar("y_direction_search_size", one_ub),
                                               va_dst};
constexpr std::array hdc_convolve_format{sub_field,  sampler_field, surface_field, u_offset, v_offset,
                                         properties, dst_surface,   dst_x,         dst_y};
constexpr std::array hdc_minmax_filter_format{sub_field, sampler_field, surface_field,       u_offset,
                                              v_offset,  pixel_size,    va_byte("mmf_mode"), dst_surface,
                                              dst_x,     dst_y};
constexpr std::array hdc_morphology_format{sub_field, sampler_field, surface_field, u_offset,
                                           v_offset,  dst_surface,   dst_x,         dst_y};
constexpr std::array hdc_lbp_correlation_format{sub_field, surface_field, u_offset, v_offset,
                                                disparity, dst_surface,   dst_x,    dst_y};
constexpr std::array hdc_lbp_creation_format{sub_field, surface_field, u_offset, v_offset,
                                             mode,      dst_surface,   dst_x,    dst_y};
constexpr std::array hdc_convolve_1d_format{sub_field,  sampler_field, surface_field, u_offset, v_offset,
                                            pixel_size, dst_surface,   dst_x,         dst_y};
constexpr std::array hdc_convolve_1pixel_format{sub_field,  sampler_field, surface_field, u_offset, v_offset,
                                                pixel_size, va_offsets,    dst_surface,   dst_x,    dst_y};

constexpr Row media_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                        const char* page, const char* semantics, const char* unsupported,
                        DeviceSet devices = every_device) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::media,
            .format = format,
            .form = TextForm::no_exec,
            .exec_sizes = no_exec_size,
            .flags = flags | implicit_no_mask,
            .devices = devices,
            .out_of_bounds = OutOfBounds::undefined,
            .page = page,
            .semantics = semantics,
            .unsupported = unsupported};
}
constexpr Row vme(uint8_t opcode, const char* mnemonic, std::span<const Field> format, const char* page,
                  const char* semantics, const char* text_order = "2013") {
    Row row = media_row(opcode, mnemonic, format, reads_memory, page, semantics, no_video, before_tgllp);
    row.family = Family::vme;
    row.text_order = text_order;
    return row;
}
constexpr Row analytics(int16_t sub, const char* mnemonic, std::span<const Field> format,
                        const char* semantics) {
    Row row = media_row(sub < 8 ? 0x44 : 0x4d, mnemonic, format, reads_memory, no_page, semantics, no_video,
                        before_tgllp);
    row.sub = sub;
    return row;
}
constexpr Row analytics_store(int16_t sub, const char* mnemonic, std::span<const Field> format,
                              const char* semantics) {
    Row row = analytics(sub, mnemonic, format, semantics);
    row.flags |= writes_memory;
    return row;
}
constexpr Row media_block(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                          const char* page, const char* semantics) {
    Row row = media_row(opcode, mnemonic, format, flags, page, semantics, "");
    row.out_of_bounds = OutOfBounds::edge;
    return row;
}

constexpr std::array table{
    media_block(opcode::media_ld, "media_ld", media_load_format, reads_memory, "MEDIA_LD",
                "byte j of row i of dst = byte (x_offset + j, y_offset + i) of surface\n"
                "rows of dst: 4 bytes apart, or block_width rounded up to a power of two"),
    media_block(opcode::media_st, "media_st", media_store_format, writes_memory, "MEDIA_ST",
                "byte (x_offset + j, y_offset + i) of surface = byte j of row i of src\n"
                "rows of src: 4 bytes apart, or block_width rounded up to a power of two"),
    media_row(0x41, "sample_unorm", unorm_format, reads_memory, "SAMPLE_UNORM",
              "dst = pixels of surface from (u_offset, v_offset) on, delta_u and delta_v\n"
              "apart, filtered as sampler says, as normalised integers",
              no_video),
    media_row(0x43, "avs", avs_format, reads_memory, "AVS",
              "dst = a block of pixels of surface, scaled as sampler says", no_video, before_tgllp),

    analytics(0x01, "va_convolve_2d", convolve_format,
              "dst = block of surface at (u_offset, v_offset), convolved with a 2D kernel"),
    analytics(0x02, "va_minmax", minmax_format,
              "dst = smallest or largest value of a block of surface, by mmf_mode"),
    analytics(0x03, "va_minmaxfilter", minmax_filter_format,
              "dst = block of surface, each pixel the smallest or largest around it"),
    analytics(0x04, "va_erode", morphology_format,
              "dst = block of surface, eroded: the smallest pixel under a mask"),
    analytics(0x05, "va_dilate", morphology_format,
              "dst = block of surface, dilated: the largest pixel under a mask"),
    analytics(0x06, "va_boolcentroid", bool_centroid_format,
              "dst = sums from which the centre of a block of bits follows"),
    analytics(0x07, "va_centroid", centroid_format,
              "dst = sums from which the centre of a block of pixels follows"),
    analytics(0x08, "va_convolve_1d_v", convolve_1d_format,
              "dst = block of surface, convolved with a column"),
    analytics(0x09, "va_convolve_1d_h", convolve_1d_format, "dst = block of surface, convolved with a row"),
    analytics(0x0a, "va_convolve_1pixel", convolve_1pixel_format,
              "dst = pixels of surface at offsets, each convolved by itself"),
    analytics(0x0b, "va_floodfill", flood_fill_format,
              "dst = pixels reached from the directions by filling, 4 or 8 connected"),
    analytics(0x0c, "va_lbpcreation", lbp_creation_format,
              "dst = local binary patterns of a block of surface"),
    analytics(0x0d, "va_lbpcorrelation", lbp_correlation_format,
              "dst = how local binary patterns of two images agree, disparity apart"),
    analytics(0x0f, "va_correlationsearch", correlation_search_format,
              "dst = how well a block matches surface, over a search area"),
    analytics_store(0x10, "va_hdc_convolve_2d", hdc_convolve_format,
                    "as va_convolve_2d, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x11, "va_hdc_minmaxfilter", hdc_minmax_filter_format,
                    "as va_minmaxfilter, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x12, "va_hdc_erode", hdc_morphology_format,
                    "as va_erode, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x13, "va_hdc_dilate", hdc_morphology_format,
                    "as va_dilate, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x14, "va_hdc_lbpcorrelation", hdc_lbp_correlation_format,
                    "as va_lbpcorrelation, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x15, "va_hdc_lbpcreation", hdc_lbp_creation_format,
                    "as va_lbpcreation, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x16, "va_hdc_convolve_1d_h", hdc_convolve_1d_format,
                    "as va_convolve_1d_h, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x17, "va_hdc_convolve_1d_v", hdc_convolve_1d_format,
                    "as va_convolve_1d_v, into dst_surface at (dst_x_offset, dst_y_offset)"),
    analytics_store(0x18, "va_hdc_convolve_1pixel", hdc_convolve_1pixel_format,
                    "as va_convolve_1pixel, into dst_surface at (dst_x_offset, dst_y_offset)"),

    // Text has the surface first.
    vme(0x54, "vme_ime", ime_format, "VME_IME",
        "motion of a macro-block in whole pixels: searches the windows ref0, ref1", "2013456"),
    vme(0x55, "vme_sic", sic_format, "VME_SIC",
        "checks whether a macro-block can be skipped or coded by itself"),
    vme(0x56, "vme_fbr", fbr_format, "VME_FBR",
        "refines motion to fractions of a pixel, in one or two directions"),
    vme(0x57, "vme_idm", idm_format, "VME_IDM", "output = distortion of each step of a motion search"),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(media_load_format, {{order::media::modifiers, "modifiers"},
                                               {order::media::surface, "surface"},
                                               {order::media::plane, "plane"},
                                               {order::media::block_width, "block_width"},
                                               {order::media::block_height, "block_height"},
                                               {order::media::x_offset, "x_offset"},
                                               {order::media::y_offset, "y_offset"},
                                               {order::media::data, "dst"}}));
static_assert(has_operands(media_store_format, {{order::media::modifiers, "modifiers"},
                                                {order::media::surface, "surface"},
                                                {order::media::plane, "plane"},
                                                {order::media::block_width, "block_width"},
                                                {order::media::block_height, "block_height"},
                                                {order::media::x_offset, "x_offset"},
                                                {order::media::y_offset, "y_offset"},
                                                {order::media::data, "src"}}));

} // namespace

std::span<const Row> media() {
    return table;
}

} // namespace visor::isa::rows
