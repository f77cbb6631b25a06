// Rows of the raw sends and of the render target and URB messages, which Visor reads and writes and does not
// execute: what they do is the business of fixed functions behind a message descriptor.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr const char* no_page = "source: the compiler's instruction descriptors";
constexpr const char* no_raw = "a raw message means what the device's fixed functions make of its descriptor";
constexpr const char* no_render = "there is no render target: Visor runs compute kernels";
constexpr const char* no_urb = "there is no unified return buffer: Visor runs compute kernels";
constexpr DeviceSet rendering = static_cast<DeviceSet>(every_device & ~only(pvc)); // {-PVC}

constexpr Field payload(const char* name) {
    return raw_source(name, 0, Extent::instruction, true);
}
constexpr Field response = raw_result("dst", 0, Extent::instruction, true);
constexpr Field count(const char* name, Place place) {
    return byte_field(name, Codec::plain, place);
}
constexpr Field length(const char* name) {
    return literal_field(FieldKind::literal32, name, Codec::plain, Place::form);
}

constexpr Field modifiers = byte_field("modifiers", Codec::send_modifiers, Place::form);
constexpr std::array send_format{
    with_codes(modifiers, 0b11, 0), // it cannot end a thread
    exec_field,
    predicate_field,
    literal_field(FieldKind::literal32, "ex_msg_desc", Codec::hex, Place::operand),
    count("num_src", Place::operand),
    count("num_dst", Place::operand),
    scalar_field("desc", one_ud),
    payload("src"),
    response};
// The page has SFID first; binaries have it behind the counts.
constexpr std::array sends_format{modifiers,
                                  exec_field,
                                  predicate_field,
                                  count("num_src0", Place::form),
                                  count("num_src1", Place::form),
                                  count("num_dst", Place::form),
                                  count("sfid", Place::form),
                                  scalar_field("ex_msg_desc", one_ud),
                                  scalar_field("desc", one_ud),
                                  payload("src0"),
                                  payload("src1"),
                                  response};
constexpr std::array sendg_format{modifiers,
                                  exec_field,
                                  with_codes(length("sfid"), 0xffff, 0),
                                  predicate_field,
                                  response,
                                  length("dst_length"),
                                  payload("src0"),
                                  length("src0_length"),
                                  payload("src1"),
                                  length("src1_length"),
                                  scalar_field("ind0", one_uq),
                                  scalar_field("ind1", one_uq),
                                  length("desc_low"),
                                  length("desc_high")};

constexpr Field mode = literal_field(FieldKind::literal16, "mode", Codec::rt_write_mode, Place::suffix);
constexpr Field when(uint16_t mode_bits, Field field) {
    field.present_if = mode_bits;
    return field;
}
// The page has a count of parameters; no compiler reads or writes it.
constexpr std::array rt_write_format{exec_field,
                                     predicate_field,
                                     mode,
                                     surface_field,
                                     payload("header"),
                                     when(0x0800, scalar_field("si", 0)),
                                     when(0x0100, scalar_field("cps", 0)),
                                     when(0x0004, scalar_field("rti", types(Type::ub))),
                                     when(0x0008, payload("source0_alpha")),
                                     when(0x0010, payload("o_mask")),
                                     payload("r"),
                                     payload("g"),
                                     payload("b"),
                                     payload("a"),
                                     when(0x0020, payload("source_depth")),
                                     when(0x0040, payload("stencil"))};
constexpr uint16_t read_mode_si = 0x0002;
constexpr std::array rt_read_format{
    exec_field,
    predicate_field,
    literal_field(FieldKind::literal16, "mode", Codec::hex, Place::suffix), // bit 0 PS, bit 1 SI
    surface_field,
    when(read_mode_si, scalar_field("si", 0)),
    response};
constexpr std::array urb_write_format{
    exec_field,
    predicate_field,
    count("num_out", Place::operand),
    raw_source("channel_mask", one_ud, Extent::lanes_4, true),
    literal_field(FieldKind::literal16, "global_offset", Codec::plain, Place::operand),
    raw_source("urb_handle", one_ud, Extent::lanes_4),
    raw_source("per_slot_offset", one_ud, Extent::lanes_4, true),
    raw_source("vertex_data", dword_data, Extent::instruction)};

constexpr Row raw_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, TextForm form,
                      const char* spellings, const char* page, const char* semantics,
                      DeviceSet devices = every_device) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .spellings = spellings,
            .family = Family::raw,
            .format = format,
            .form = form,
            .flags = reads_memory | writes_memory | can_fault,
            .devices = devices,
            .out_of_bounds = OutOfBounds::undefined,
            .page = page,
            .semantics = semantics,
            .unsupported = no_raw};
}
constexpr Row render_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, TextForm form,
                         uint8_t exec_sizes, const char* page, const char* semantics,
                         const char* unsupported) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::render,
            .format = format,
            .form = form,
            .exec_sizes = exec_sizes,
            .flags = writes_memory,
            .devices = rendering,
            .out_of_bounds = OutOfBounds::undefined,
            .page = page,
            .semantics = semantics,
            .unsupported = unsupported};
}
constexpr Row urb_write() {
    Row row = render_row(0x72, "urb_write_3d", urb_write_format, TextForm::regular, 0x08, "URB_WRITE",
                         "num_out parameters of vertex i, from vertex_data, go to urb_handle[i] +\n"
                         "global_offset + per_slot_offset[i], where channel_mask[i] lets them",
                         no_urb);
    row.text_order = "021345";
    return row;
}
constexpr Row rt_read() {
    Row row = render_row(0x90, "rt_read", rt_read_format, TextForm::rt_write, 0x30, "RT_READ",
                         "dst = pixels of the render target surface, at the kernel's own place", no_render);
    row.flags = reads_memory;
    return row;
}

constexpr std::array table{
    raw_row(0x5d, "raw_send", send_format, TextForm::raw_send, "raw_sendc", "RAW_SEND",
            "sends num_src registers of src with the descriptors ex_msg_desc and desc\n"
            "dst = num_dst registers of answer; raw_sendc waits for threads it depends on"),
    render_row(0x71, "rt_write_3d", rt_write_format, TextForm::rt_write, lanes_8_16, "RT_WRITE",
               "pixel i of the render target surface = (r, g, b, a)[i] and what mode adds", no_render),
    urb_write(),
    raw_row(opcode::raw_sends, "raw_sends", sends_format, TextForm::raw_sends,
            "raw_sendsc raw_sends_eot raw_sendsc_eot", "RAW_SENDS",
            "sends num_src0 and num_src1 registers of src0, src1 to the unit sfid\n"
            "dst = num_dst registers of answer; _eot ends the thread"),
    rt_read(),
    raw_row(0x93, "raw_sendg", sendg_format, TextForm::raw_sendg, "raw_sendgc raw_sendg_eot raw_sendgc_eot",
            no_page,
            "sends src0 and src1 to the unit sfid, with a descriptor of 64 bits\n"
            "dst = the answer; _eot ends the thread",
            from(cri)),
};
static_assert(well_formed(table));

} // namespace

std::span<const Row> raw() {
    return table;
}

} // namespace visor::isa::rows
