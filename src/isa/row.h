// The schema of an instruction's row: the headings of its vISA page (Opcode, Format, Text, Description,
// Properties) as columns. A row states facts; the meaning in it is a note to the reader. Assembler,
// disassembler, codec, verifier, the program's layout, the instruction reference and the test generators all
// read it; what an instruction does stands in interp/<family>.cpp.
#pragma once

#include "isa/device.h"
#include "isa/type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace visor::isa {

enum class Family : uint8_t {
    arith,
    logic,
    compare,
    move,
    address,
    flow,
    scattered, // surface messages by lane
    block,     // surface messages by block
    svm,       // flat messages
    lsc,
    atomic,
    typed,   // images without a sampler
    sampler, //
    sync,
    matrix,
    debug, // file, loc, lifetime
    media,
    vme,
    render,
    raw,
};

// One item of a Format section, in wire order. Items from `sub_opcode16` on have an Operand each in an
// instruction; `exec`, `predicate` and `sub_opcode` have a place of their own there.
enum class FieldKind : uint8_t {
    exec,         // ub: size and mask
    predicate,    // uw
    sub_opcode,   // ub: where the row's sub-opcode stands
    sub_opcode16, // uw: the row's sub-opcode in bits 7..0; bits 15..8 are an operand (a literal of its own)
    literal8,     // ub
    literal16,    // uw
    literal32,    // ud
    vector_dst,
    vector_src,
    scalar_src, // a vector operand of one element
    raw_dst,
    raw_src,
    surface,  // ub index
    sampler,  // ub index
    label,    // uw
    string16, // uw index
    string32, // ud index
    variable, // ud id (lifetime)
    counted,  // the fields that follow, up to the end, are repeated as often as the last literal before says
};

// How a literal field is spelled in text.
enum class Codec : uint8_t {
    plain,          // a number
    block_count,    // codes 0..3 = 1 2 4 8
    block_type,     // svm_gather/scatter block size: codes 0 1 2 = 1 4 8 bytes
    oword_count,    // codes 0..4 = 1 2 4 8 16
    svm_block,      // oword_count in bits 2..0, bit 3 (and 7 on reading) unaligned
    channel_mask,   // bits 0..3 = R G B A
    source_channel, // the one channel that gather4 reads: codes 0..3 = R G B A
    atomic_op,      // bits 4..0 op, 6..5 width
    relation,       // eq ne gt ge lt le
    modified,       // 0 = nothing, 1 = ".mod"
    hex_byte,       // bfn: ".x96"
    element_bytes,  // gather/scatter: codes 0 1 2 = 1 2 4
    element_count,  // gather/scatter: codes 0 1 2 = 8 16 1 with a mask in bits 7..4
    fence_mask,     // part of the mnemonic
    lifetime,       // ".start" / ".end"
    signal,         // ".wait" / ".signal": sbarrier, nbarrier
    call_flags,     // ifcall: bit 0 ".uniform", bit 1 ".noreturn"
    lfsr_format,    // ".b32" / ".b16v2" / ".b8v4"
    sampler_flags, // bits 0..2 of the high byte of a sampler's opcode word: ".pixel_null_mask" ".cps" ".divS"
    hex,           // a number written in hexadecimal
    media_modifier, // ".nomod" / ".modified" / ".top" ...
    unorm_output,   // sample_unorm: bits 3..0 channels, 5..4 output format
    avs_output,     // AVS_16_FULL ...
    avs_mode,       // AVS_16x4 ...
    rt_write_mode,  // "<A><O>..." of a render target write
    channels_simd,  // bits 3..0 channels; 5..4 SIMD mode: 0 8, 1 16
    send_modifiers, // tail of the mnemonic: bit 0 "c", bit 1 "_eot"
    dnscl_type,     // "bftoe2m1" ...
    dnscl_mode,     // "mode0" ...
    dnscl_rounding, // "srnd" / "rne"
    lsc_sfid,
    lsc_cache,
    lsc_overfetch, // ".ov", or nothing
    lsc_address_type,
    lsc_address_size,
    lsc_data_size,
    lsc_data_order,
    lsc_data_elements,
    lsc_fence_op,
    lsc_scope,
    lsc_cache_operation, // of lsc_extended_cache_ctrl
    lsc_cache_bytes,     // likewise
    lsc_channel_mask,    // bits 0..3 = x y z w
    dpas_info,
};

// Where text puts a field.
enum class Place : uint8_t {
    operand, // among the operands
    suffix,  // ".x" after the mnemonic, in wire order
    paren,   // in the place of "(Mk, E)"; several fields are joined by commas
    hidden,  // not written; assembled as `fallback`, a raw operand as the null variable
    form,    // where the row's TextForm has it: inside brackets, in a data shape ...
};

// Bytes that a raw operand spans, for the variable layout, the bounds rules and definedness. E = exec size
// (of gather/scatter: the element count), R = max(E, GRF/4).
enum class Extent : uint8_t {
    none,
    lanes_1,      // E bytes
    lanes_2,      // E * 2
    lanes_4,      // E * 4
    lanes_8,      // E * 8
    channels_4,   // enabled channels * R * 4, the last one only E * 4
    blocks_8,     // block count * R * 8, the last one only E * 8
    svm_blocks,   // svm_gather/scatter: by block type and count
    owords,       // oword count * 16
    atomic_lanes, // E * 8 for 64-bit atomics, else E * 4
    lsc_address,  // E * bytes of the address size
    lsc_base,     // bytes of the address size
    lsc_data,     // by size, elements, order, channel mask
    lsc_status,   // lsc_data, and a dword in the register behind it
    lsc_block,    // of a 2D block: by its numbers
    wide_pair,    // madw: two blocks of whole registers
    instruction,  // the interpreter's family file knows (matrix, sampler)
};

// Classes of vector operand that a field takes.
enum OperandClass : uint8_t {
    class_general = 1U << 0U,
    class_address = 1U << 1U,
    class_predicate = 1U << 2U,
    class_indirect = 1U << 3U,
    class_address_of = 1U << 4U,
    class_immediate = 1U << 5U,
    class_state = 1U << 6U,
};
using OperandClasses = uint8_t;

struct Field {
    FieldKind kind;
    const char* name = ""; // the page's word, lower case with underscores
    TypeSet types = 0;     // what the page allows; 0 = says nothing
    OperandClasses classes = 0;
    Codec codec = Codec::plain;
    Place place = Place::operand;
    Extent extent = Extent::none;
    bool nullable = false;  // V0 is allowed
    uint32_t fallback = 0;  // value of a hidden or omitted literal
    bool text_only = false; // no place in a 4.1 binary: written and read by text alone
    // Bits of the row's `mode` literal: the field is absent when none of them is set; 0 = always there.
    uint16_t present_if = 0;
    // Types beyond the page that the compiler emits all the same: profile `igc` takes them.
    TypeSet emitted = 0;
    // Of a literal: bit k = the page has code k; 0 = every code that the codec knows.
    uint32_t codes = 0;
    // Codes beyond the page that the compiler takes: profile `igc` takes them as well.
    uint32_t emitted_codes = 0;
    bool low_bytes = false; // raw: of each dword the bytes count that the element size or block count says
    bool newer =
        false; // of compilers since 2024 alone: absent in what older ones wrote, else the null variable
};

// Flags of a row.
enum RowFlag : uint32_t {
    can_saturate = 1U << 0U,
    arithmetic_modifiers = 1U << 1U, // (-) (abs) (-abs) on sources
    logic_modifiers = 1U << 2U,      // (~) on sources
    implicit_no_mask = 1U << 3U,     // runs with every lane, whatever the mask
    reads_memory = 1U << 4U,
    writes_memory = 1U << 5U,
    atomic_access = 1U << 6U,
    can_fault = 1U << 7U,          // flat access, division ...
    ends_block = 1U << 8U,         // control may go elsewhere than to the next instruction
    group_sync = 1U << 9U,         // barriers: the thread may have to wait
    predicate_selects = 1U << 10U, // sel: the predicate chooses, it does not switch lanes off
    lane_wise = 1U << 11U,         // dst[i] = f(src[i]...): one formula
    core_five = 1U << 12U,
    no_binary = 1U << 13U,             // text only
    saturates_floats_only = 1U << 14U, // with can_saturate: the page allows .sat on float types only
    writes_predicate = 1U << 15U,      // add3.o: `pred` is a result and switches no lane off
    predicate_in_text = 1U << 16U,     // min, max: text may predicate what the wire has no predicate for
    approximate_floats = 1U << 17U,  // the device approximates; Visor's float is within 1 ulp of the function
    first_approximation = 1U << 18U, // the device's table is not public: only its use in a macro is known
    emitted_modifiers = 1U << 19U,   // arithmetic ones that the page denies: profile `igc` takes them
};

enum class OutOfBounds : uint8_t {
    not_applicable,
    zero_or_dropped, // surfaces: reads give 0, writes are dropped
    fault,           // flat: outside every allocation
    by_address_type, // LSC: flat addresses fault, surfaces as zero_or_dropped
    pixel,           // typed surfaces: reads give 0 0 0 1, writes are dropped
    edge,            // media blocks: reads give the dword at the edge, writes are dropped
    undefined,
};

// How text arranges the fields; `regular` is
//   [(P)] mnemonic[.suffix...][.sat] (Mk, E) operands...
enum class TextForm : uint8_t {
    regular,
    no_exec,     // mnemonic operands
    fence,       // three mnemonics for one opcode
    lsc_untyped, // brackets
    lsc_block2d,
    lsc_typed,
    lsc_state_info, // typed without exec size, shape and address size
    lsc_fence,
    dpas,
    raw_send,      // raw_send[c]: the modifiers are the mnemonic's tail
    raw_sends,     // raw_sends[c][_eot].sfid.num_src0.num_src1.num_dst
    raw_sendg,     // raw_sendg[c][_eot].sfid, operands with /length
    rt_write,      // surface, then what the mode lets through
    sample_legacy, // sample.RGBA (16): the SIMD mode as a number
    sample_3d,
    gather_legacy, // gather/scatter: exec size in a byte of its own
    nbarrier,
    file, // FILE "x" / .file
    loc,
    subroutine, // .function
    label,      // name:
    calls,      // fcall NAME args rets
    switchjmp,  // switchjmp (Mk, E) index (label, label ...)
};

struct Row {
    uint8_t opcode;
    int16_t sub = -1; // sub-opcode, -1 = none
    const char* mnemonic;
    const char* spellings = ""; // further accepted mnemonics, separated by blanks
    Family family;
    std::span<const Field> format;
    const char* text_order =
        ""; // digits: operands (fields with Place::operand) in the order of text; "" = wire order
    TextForm form = TextForm::regular;
    uint8_t exec_sizes = 0x3f; // bit k: size 2^k is allowed by the page
    uint32_t flags = 0;
    DeviceSet devices = every_device;
    OutOfBounds out_of_bounds = OutOfBounds::not_applicable;
    const char* page = ""; // documentation/visa/instructions/<page>.md, or "source: ..."
    // What the instruction does, for the instruction reference alone: short lines of pseudo-code that no
    // stage executes. `[i]` stands for every lane i that is on, `pitch` for max(exec_size, GRF/4).
    const char* semantics = "";
    const char* unsupported = ""; // why Visor does not execute it; "" = it does
};

// How near Visor's result is to the page's.
enum class Fidelity : uint8_t { exact, within_one_ulp, approximate, unsupported };

[[nodiscard]] constexpr bool has(const Row& row, RowFlag flag) {
    return (row.flags & flag) != 0;
}
// Of the row's float results; integers are exact wherever the row is executed.
[[nodiscard]] constexpr Fidelity fidelity(const Row& row) {
    if (*row.unsupported != '\0')
        return Fidelity::unsupported;
    if (has(row, first_approximation))
        return Fidelity::approximate;
    return has(row, approximate_floats) ? Fidelity::within_one_ulp : Fidelity::exact;
}
[[nodiscard]] const char* name_of(Fidelity fidelity); // "exact", "within 1 ulp", ...
[[nodiscard]] constexpr bool is_operand(FieldKind kind) {
    return kind != FieldKind::exec && kind != FieldKind::predicate && kind != FieldKind::sub_opcode &&
           kind != FieldKind::counted;
}
// The field that an instruction's operand stands for; operands past a `counted` mark repeat its fields. The
// last field when there are more operands than the row has.
[[nodiscard]] const Field& field_of_operand(const Row& row, size_t operand);

// Of a row whose `counted` item names its parameters: how many an instruction may have at most.
[[nodiscard]] size_t most_parameters(const Row& row);

[[nodiscard]] bool has_exec(const Row& row);
[[nodiscard]] bool has_predicate(const Row& row);

// Index, among an instruction's operands, of the field of this name; -1 when the row has none. For rows
// without counted fields; meant for preparation, not for hot loops.
[[nodiscard]] int operand_index(const Row& row, std::string_view field_name);

} // namespace visor::isa
