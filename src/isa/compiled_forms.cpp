#include "isa/compiled_forms.h"

#include "isa/opcode.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::isa {

namespace {

// The mnemonic, of typed LSC messages with `.tgm`.
bool is_named(const Row& row, std::string_view name) {
    const bool is_typed = name.ends_with(".tgm");
    if (is_typed)
        name.remove_suffix(4);
    return name == row.mnemonic && is_typed == (row.opcode == opcode::lsc_typed);
}

constexpr auto interpreted_rows = std::to_array<std::string_view>({
    "add3.o",
    "dp2",
    "dp3",
    "dp4",
    "dph",
    "invm",
    "line",
    "lfsr",
    "lrp",
    "plane",
    "rsqtm",
    "sad2",
    "sad2add",
    "sigm",
    "srnd",
    "tanh",
    "fcvt",
    "shfl_idx4",
    "call",
    "fcall",
    "ifcall",
    "nbarrier",
    "wait",
    "breakpoint",
    "media_ld",
    "media_st",
    "bdpas",
    "dnscl",
    "dpasw",
    "gather",
    "scatter",
    "typed_atomic",
    "load",
    "load_2dms_w",
    "load_mcs",
    "lod",
    "sample",
    "sampleinfo",
    "sample4",
    "sample4_b",
    "sample4_c",
    "sample4_i",
    "sample4_i_c",
    "sample4_l",
    "sample4_l_c",
    "sample4_po",
    "sample4_po_b",
    "sample4_po_c",
    "sample4_po_i",
    "sample4_po_i_c",
    "sample4_po_l",
    "sample4_po_l_c",
    "sample_b_c",
    "sample_c",
    "sample_c_lz",
    "sample_c_mlod",
    "sample_d_c",
    "sample_d_c_mlod",
    "sample_l_c",
    "sample_po",
    "sample_po_b",
    "sample_po_b_c",
    "sample_po_c",
    "sample_po_c_lz",
    "sample_po_d",
    "sample_po_d_c",
    "sample_po_l",
    "sample_po_l_c",
    "sample_po_lz",
    "lsc_apndctr_atomic_add",
    "lsc_apndctr_atomic_store",
    "lsc_apndctr_atomic_sub",
    "lsc_ccs_update",
    "lsc_load_block2d",
    "lsc_load_quad_status",
    "lsc_load_status",
    "lsc_load_strided",
    "lsc_read_state_info",
    "lsc_read_state_info.tgm",
    "lsc_store_block2d",
    "lsc_store_strided",
    "lsc_store_uncompressed",
    "lsc_atomic_and.tgm",
    "lsc_atomic_fadd.tgm",
    "lsc_atomic_fcas.tgm",
    "lsc_atomic_fmax.tgm",
    "lsc_atomic_fmin.tgm",
    "lsc_atomic_fsub.tgm",
    "lsc_atomic_iadd.tgm",
    "lsc_atomic_icas.tgm",
    "lsc_atomic_idec.tgm",
    "lsc_atomic_iinc.tgm",
    "lsc_atomic_isub.tgm",
    "lsc_atomic_load.tgm",
    "lsc_atomic_or.tgm",
    "lsc_atomic_smax.tgm",
    "lsc_atomic_smin.tgm",
    "lsc_atomic_store.tgm",
    "lsc_atomic_umax.tgm",
    "lsc_atomic_umin.tgm",
    "lsc_atomic_xor.tgm",
    "lsc_ccs_update.tgm",
    "lsc_load_block2d.tgm",
    "lsc_load_quad_msrt.tgm",
    "lsc_load_quad_status.tgm",
    "lsc_load_status.tgm",
    "lsc_store_block2d.tgm",
    "lsc_store_quad_msrt.tgm",
    "lsc_store_uncompressed.tgm",
});

struct Part {
    std::array<std::string_view, 9> rows; // the last ones may be empty
    const char* interpreted;
};
constexpr const char* of_states = "another address type than a state's handle; some channels; a level; sRGB";
constexpr std::array parts{
    Part{{"div", "divm", "inv", "sqrt", "sqrtm"}, "doubles in a rounding mode other than to nearest"},
    Part{{"asr", "shl", "shr"}, "saturated; `asr` of a modified source"},
    Part{{"mov"}, "integers to floats: of 64 bits in some rounding modes, saturated"},
    Part{{"movs"}, "several elements; reads of states; samplers that no message follows"},
    Part{{"load_3d", "load_l", "load_lz", "sample_3d", "sample_b", "sample_d", "sample_l", "sample_lz",
          "sample_mlod"},
         "images and samplers that the launch does not decide; halves; pixel masks; sRGB"},
    Part{{"scatter4_typed"}, "images that the launch does not decide; some channels; sRGB"},
    Part{{"dpas"}, "floats of 8 bits; accumulators of 16 bits"},
    Part{{"lsc_atomic_iadd", "lsc_load", "lsc_store"}, "arguments; addresses of 16 bits; states by `surf`"},
    Part{{"lsc_load_quad.tgm", "lsc_store_quad.tgm"}, of_states},
};

// Of the forms that are compiled.
uint8_t calls_of(const Row& row) {
    uint8_t calls = 0;
    if (row.out_of_bounds == OutOfBounds::fault || row.out_of_bounds == OutOfBounds::by_address_type)
        calls |= calls_allocation_lookup;
    if (row.opcode == opcode::barrier || row.opcode == opcode::sbarrier || row.opcode == opcode::yield)
        calls |= calls_barrier;
    if (row.opcode == opcode::goto_ || row.opcode == opcode::jmp)
        calls |= calls_safepoint;
    const bool is_indirect = std::ranges::any_of(
        row.format, [](const Field& field) { return (field.classes & class_indirect) != 0; });
    if (is_indirect || has(row, reads_memory) || has(row, writes_memory) || has(row, can_fault))
        calls |= calls_interpreter;
    return calls;
}

// Without the calls.
CompiledForms forms_of(const Row& row) {
    const auto is_among = [&](const auto& names) {
        return std::ranges::any_of(names, [&](std::string_view name) { return is_named(row, name); });
    };
    if (is_among(interpreted_rows))
        return {.state = Compiled::interpreted};
    // All of their forms are compiled, for images that are known.
    if (is_named(row, "gather4_typed") || is_named(row, "resinfo"))
        return {.state = Compiled::in_line, .interpreted = "images that the launch does not decide; sRGB"};
    const auto* const part = std::ranges::find_if(parts, [&](const Part& one) { return is_among(one.rows); });
    return part == parts.end() ? CompiledForms{}
                               : CompiledForms{.state = Compiled::partly, .interpreted = part->interpreted};
}

} // namespace

CompiledForms compiled_forms(const Row& row) {
    CompiledForms forms = forms_of(row);
    if (forms.state != Compiled::interpreted)
        forms.calls = calls_of(row);
    return forms;
}

std::vector<std::string_view> names_of_calls(const CompiledForms& forms) {
    constexpr std::array<std::string_view, 4> names{"allocation lookup", "barrier", "safepoint",
                                                    "interpreter"};
    std::vector<std::string_view> called;
    for (size_t k = 0; k < names.size(); ++k)
        if ((forms.calls >> k & 1U) != 0)
            called.push_back(names[k]);
    return called;
}

const char* name_of(Compiled state) {
    switch (state) {
    case Compiled::in_line:
        return "in line";
    case Compiled::partly:
        return "partly";
    case Compiled::interpreted:
        break;
    }
    return "interpreted";
}

} // namespace visor::isa
