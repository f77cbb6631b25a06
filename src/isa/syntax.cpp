#include "isa/codec.h"
#include "isa/speller.h"
#include "isa/spelling.h"

namespace visor::isa {

namespace {

bool has_alignment(const Row& row) {
    const std::vector<const Field*> fields = fields_at(row, Place::paren);
    return !fields.empty() && fields[0]->codec == Codec::svm_block;
}

class Placeholders final : public Speller {
public:
    using Speller::Speller;

    [[nodiscard]] std::string guard() const override {
        return has_predicate(row) || has(row, predicate_in_text) ? "[(P)] " : "";
    }
    [[nodiscard]] std::string saturation() const override { return has(row, can_saturate) ? "[.sat]" : ""; }
    [[nodiscard]] std::string alignment() const override { return has_alignment(row) ? "[.unaligned]" : ""; }
    [[nodiscard]] std::string execution() const override { return " (Mk, E)"; }
    [[nodiscard]] std::string suffix(const Field& field) const override {
        switch (field.codec) {
        case Codec::modified:
            return "[.mod]";
        case Codec::call_flags:
        case Codec::sampler_flags: {
            std::string flags;
            for (uint64_t bit = 1; parse(field.codec, spell(field.codec, bit)) == bit; bit <<= 1U)
                flags += "[." + spell(field.codec, bit) + "]";
            return flags;
        }
        case Codec::lsc_cache:
            return cache_level(field);
        case Codec::lsc_overfetch:
            return "[.ov]";
        case Codec::rt_write_mode:
            return "[" + suffix_of(field) + "]";
        case Codec::atomic_op:
            return suffix_of(field) + "[.16|.64]";
        case Codec::dpas_info:
            return ".<precision1>.<precision2>.<depth>.<repeat>";
        default:
            return suffix_of(field);
        }
    }
    [[nodiscard]] std::string operand(const Field& field) override {
        const std::string name = placeholder(field.name);
        return field.present_if != 0 ? "[" + name + "]" : name;
    }
    [[nodiscard]] std::string repeated() override {
        std::string text;
        for (const std::string_view name : parameters(row))
            text += text.empty() ? " " + placeholder(name) : " [" + placeholder(name) + "]";
        return text;
    }
    [[nodiscard]] std::string shape() const override {
        const bool none =
            find_field(row, "data_size") == nullptr && find_field(row, "block_width") == nullptr;
        return none || row.form == TextForm::lsc_state_info ? "" : ":<shape>";
    }
    [[nodiscard]] std::string address() override { return "<address>"; }

    [[nodiscard]] static std::string placeholder(std::string_view name) {
        return std::string("<").append(name).append(">");
    }

private:
    // All levels of the wire, or none; behind them what text alone has.
    [[nodiscard]] std::string cache_level(const Field& field) const {
        const bool first = field.name == std::string_view("caching_l1");
        if (find_field(row, "caching_l2") != nullptr)
            return first ? "[.<l1>.<l2>.<l3>]" : "";
        if (field.text_only)
            return "[.<l3>]";
        return first ? "[" + suffix_of(field) : suffix_of(field) + "]";
    }
    [[nodiscard]] static std::string suffix_of(const Field& field) { return "." + placeholder(field.name); }
};

std::string send_tail(const Row& row) {
    const bool ends = row.form != TextForm::raw_send;
    return ends ? "[c][_eot]" : "[c]";
}

std::string shape_line(const Row& row) {
    if (find_field(row, "vnni") != nullptr)
        return "<shape>: <data_size>.<blocks>x<block_width>x<block_height>, then n or t (transposed), n or t "
               "(VNNI)";
    if (find_field(row, "block_width") != nullptr)
        return "<shape>: <block_width>x<block_height>";
    return "<shape>: <data_size>[x<data_elems_per_addr>][t (transposed)], or <data_size>.<ch_mask>";
}

std::string address_line(const Row& row) {
    if (row.form == TextForm::lsc_block2d)
        return "<address>: flat[<surface_base_addr>, <surface_width>, <surface_height>, <surface_pitch>, "
               "<src0_addr_x>+<x_offset>, <src0_addr_y>+<y_offset>], or with the rest in the payload "
               "flat[<surface_base_addr>+(<x_offset>,<y_offset>)]";
    const std::string model = "<address>: <addr_type>(<surface>, <surface_index>)";
    if (find_field(row, "src0_data") != nullptr)
        return model;
    if (find_field(row, "block_width") != nullptr)
        return model + "[<src0_addr_x>+<x_offset>, <src0_addr_y>+<y_offset>]";
    if (row.form == TextForm::lsc_state_info)
        return model + "[<src0_addrs_u>]";
    if (row.form == TextForm::lsc_typed)
        return model + "[<src0_addrs_u>+<u_offset>, <src0_addrs_v>+<v_offset>, <src0_addrs_r>+<r_offset>, "
                       "<src0_addrs_lod>]:<addr_size>";
    if (find_field(row, "addr_scale") == nullptr)
        return "<address>: flat[<src0_addrs>]:a64";
    if (find_field(row, "src0_addr_pitch") != nullptr)
        return model + "[<addr_scale>*<src0_addr_base>+<addr_imm_offset>, <src0_addr_pitch>]:<addr_size>";
    return model + "[<addr_scale>*<src0_addrs>+<addr_imm_offset>]:<addr_size>";
}

std::vector<std::string> lsc_syntax(Placeholders& spell) {
    std::vector<std::string> lines{forms::lsc(spell)};
    if (!spell.shape().empty())
        lines.push_back(shape_line(spell.row));
    lines.push_back(address_line(spell.row));
    return lines;
}

std::vector<std::string> fence_syntax(const Row& row) {
    std::vector<std::string> lines;
    std::vector<std::string_view> names = words_of(row.spellings);
    names.insert(names.begin(), row.mnemonic);
    for (const std::string_view name : names)
        lines.push_back(std::string(name) + (fence_mnemonic_bits(name) == fence_sw_bit ? "" : "[.<mask>]"));
    return lines;
}

std::vector<std::string> nbarrier_syntax(const std::string& mnemonic) {
    return {mnemonic + ".wait <id>", mnemonic + ".signal <id> <num_producers>, who are the consumers as well",
            mnemonic + ".signal <id> <type> <num_producers> <num_consumers>"};
}

} // namespace

std::vector<std::string> syntax(const Row& row) {
    Placeholders spell(row);
    switch (row.form) {
    case TextForm::fence:
        return fence_syntax(row);
    case TextForm::lsc_untyped:
    case TextForm::lsc_block2d:
    case TextForm::lsc_typed:
    case TextForm::lsc_state_info:
        return lsc_syntax(spell);
    case TextForm::lsc_fence:
        return {spell.guard() + spell.mnemonic()};
    case TextForm::raw_send:
        return {forms::raw_send(spell, send_tail(row))};
    case TextForm::raw_sends:
        return {forms::raw_sends(spell, send_tail(row))};
    case TextForm::raw_sendg:
        return {forms::raw_sendg(spell, send_tail(row), "<sfid>", "<desc>")};
    case TextForm::sample_legacy:
        return {forms::sample_legacy(spell, "<channels>", "8|16")};
    case TextForm::gather_legacy:
        return {forms::gather_legacy(spell)};
    case TextForm::nbarrier:
        return nbarrier_syntax(row.mnemonic);
    case TextForm::file:
        return {"FILE \"<file_name>\""};
    case TextForm::loc:
        return {"LOC <line_number>"};
    case TextForm::subroutine:
        return {".function \"<label>\""};
    case TextForm::label:
        return {"<label>:"};
    case TextForm::switchjmp:
        return {spell.mnemonic() + spell.execution() + " <index> (<label>, <label> ...)"};
    default:
        return {forms::regular(spell)};
    }
}

} // namespace visor::isa
