#include "isa/codec.h"
#include "isa/speller.h"
#include "isa/spelling.h"

#include <algorithm>
#include <array>

namespace visor::isa {

namespace {

class Example final : public Speller {
public:
    using Speller::Speller;

    [[nodiscard]] std::string guard() const override {
        return has(row, writes_predicate) || has(row, predicate_selects) ? "(P1) " : "";
    }
    [[nodiscard]] std::string saturation() const override { return ""; }
    [[nodiscard]] std::string alignment() const override { return ""; }
    [[nodiscard]] std::string execution() const override { return " (M1, " + std::to_string(lanes()) + ")"; }
    [[nodiscard]] std::string suffix(const Field& field) const override {
        const std::string word = literal(field);
        return word.empty() ? word : "." + word;
    }
    [[nodiscard]] std::string operand(const Field& field) override;
    [[nodiscard]] std::string repeated() override {
        constexpr size_t most = 2;
        std::string text;
        if (row.form == TextForm::switchjmp)
            return text;
        for (size_t i = 0; i < std::min(most, parameters(row).size()); ++i)
            text += " " + general() + ".0";
        return text;
    }
    [[nodiscard]] std::string shape() const override {
        if (row.form == TextForm::lsc_state_info)
            return "";
        if (find_field(row, "vnni") != nullptr)
            return ":d16.1x16x8nn";
        if (find_field(row, "block_width") != nullptr)
            return ":64x4";
        const std::string_view mnemonic = row.mnemonic;
        if (mnemonic.starts_with("lsc_atomic_bf"))
            return ":d16c32"; // the width of a bfloat16
        return mnemonic.contains("quad") ? ":d32.xyzw" : ":d32";
    }
    [[nodiscard]] std::string address() override;

private:
    [[nodiscard]] std::string general() { return "V00" + std::to_string(next_++); }
    [[nodiscard]] unsigned lanes() const;
    [[nodiscard]] std::string literal(const Field& field) const;
    [[nodiscard]] std::string vector(const Field& field);
    [[nodiscard]] std::string scalar(const Field& field);

    unsigned next_ = 32;
};

// 16 where that is legal; an address operand of one element is the usual one.
unsigned Example::lanes() const {
    const bool is_address = std::ranges::any_of(row.format, [](const Field& field) {
        return field.kind == FieldKind::vector_dst && field.classes == class_address;
    });
    const bool sets_state = std::ranges::any_of(row.format, [](const Field& field) {
        return field.kind == FieldKind::vector_dst && (field.classes & class_state) != 0;
    });
    if (is_address || sets_state)
        return 1;
    constexpr std::array<unsigned, 6> powers{4, 3, 5, 2, 1, 0};
    for (const unsigned power : powers) {
        if ((row.exec_sizes >> power & 1U) != 0)
            return 1U << power;
    }
    return 1;
}

std::string Example::literal(const Field& field) const {
    switch (field.codec) {
    case Codec::plain: // most surfaces have one plane
        return std::string_view(field.name) == "plane" ? "0" : "1";
    case Codec::hex:
        return "0x0";
    case Codec::hex_byte:
        return "x96";
    case Codec::channel_mask:
        return "RGBA";
    case Codec::relation:
        return "lt";
    case Codec::unorm_output:
        return "RGBA.16-full";
    case Codec::dpas_info:
        return "hf.hf.8.8";
    case Codec::lsc_cache:
    case Codec::lsc_overfetch:
    case Codec::modified:
    case Codec::call_flags:
    case Codec::sampler_flags:
    case Codec::rt_write_mode:
        return "";
    case Codec::block_count: // some pages have one block only
        return field.codes == 1 ? "1" : "4";
    case Codec::oword_count:
    case Codec::svm_block:
    case Codec::block_type:
    case Codec::element_bytes:
        return "4";
    case Codec::element_count:
        return "16";
    default:
        break;
    }
    constexpr uint64_t byte_codes = 256;
    for (uint64_t code = 0; code < byte_codes; ++code) {
        const std::string word = spell(field.codec, code);
        if (!word.empty() && parse(field.codec, word) == code)
            return word;
    }
    return "";
}

std::string Example::vector(const Field& field) {
    const bool is_destination = field.kind == FieldKind::vector_dst;
    if ((field.classes & class_state) != 0 && (field.classes & class_address_of) == 0)
        return is_destination ? "T6(0)" : "0x5:ud";
    if ((field.classes & class_address_of) != 0)
        return "&" + general();
    if (field.classes == class_address)
        return "A0(0)<1>";
    if (field.classes == class_predicate)
        return "P2";
    if (row.form == TextForm::dpas)
        return general() + "(0,0)";
    return general() + (is_destination ? "(0,0)<1>" : lanes() == 1 ? "(0,0)<0;1,0>" : "(0,0)<1;1,0>");
}

// A number, unless it would be a pointer.
std::string Example::scalar(const Field& field) {
    if (field.types == types(Type::uq) || (field.classes & class_immediate) == 0)
        return general() + "(0,0)<0;1,0>";
    if (contains(field.types, Type::f))
        return "0x3f800000:f";
    for (const Type type : {Type::ud, Type::uw, Type::ub, Type::w}) {
        if (field.types == 0 || contains(field.types, type))
            return std::string("0x1:") + facts(type).name;
    }
    return general() + "(0,0)<0;1,0>";
}

std::string Example::operand(const Field& field) {
    if (field.present_if != 0)
        return "";
    switch (field.kind) {
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
        return vector(field);
    case FieldKind::scalar_src:
        return scalar(field);
    case FieldKind::raw_dst:
    case FieldKind::raw_src: {
        // The second source of an atomic is for the operations that compare.
        const std::string_view name = field.name;
        const bool is_atomic = field.extent == Extent::atomic_lanes || field.extent == Extent::lsc_data;
        const bool is_unused = is_atomic && (name == "src1" || name == "src2_data");
        return (is_unused ? "%null" : general()) + (row.family == Family::lsc ? "" : ".0");
    }
    case FieldKind::surface:
        return "T6";
    case FieldKind::sampler:
        return "S0";
    case FieldKind::label:
        return "L1";
    case FieldKind::string16:
        return "f";
    case FieldKind::string32:
        return "\"a.cl\"";
    case FieldKind::variable:
        return general();
    default:
        return literal(field);
    }
}

std::string Example::address() {
    if (row.form == TextForm::lsc_block2d)
        return "flat[" + general() + ", 0x3f, 0x7, 0x3f, 0x0, 0x0]";
    if (find_field(row, "src0_data") != nullptr)
        return "bti(0x2)";
    if (find_field(row, "block_width") != nullptr)
        return "bti(0x2)[0x0, 0x0]";
    if (row.form == TextForm::lsc_state_info)
        return "bti(0x2)[" + general() + "]";
    if (row.form == TextForm::lsc_typed) {
        const std::string u = general();
        return "bti(0x2)[" + u + ", " + general() + "]:a32";
    }
    if (find_field(row, "src0_addr_pitch") != nullptr)
        return "flat[" + general() + ", 0x40]:a64";
    return "flat[" + general() + "]:a64";
}

} // namespace

std::string example(const Row& row) {
    Example spell(row);
    switch (row.form) {
    case TextForm::fence:
        return row.mnemonic;
    case TextForm::lsc_untyped:
    case TextForm::lsc_block2d:
    case TextForm::lsc_typed:
    case TextForm::lsc_state_info:
        return forms::lsc(spell);
    case TextForm::lsc_fence:
        return spell.mnemonic();
    case TextForm::raw_send:
        return forms::raw_send(spell, "");
    case TextForm::raw_sends:
        return forms::raw_sends(spell, "");
    case TextForm::raw_sendg:
        return forms::raw_sendg(spell, "", "ugm", "0x0");
    case TextForm::sample_legacy:
        return forms::sample_legacy(spell, "RGBA", "16");
    case TextForm::gather_legacy:
        return forms::gather_legacy(spell);
    case TextForm::nbarrier:
        return std::string(row.mnemonic) + ".signal 0x1:ub 0x4:ub";
    case TextForm::file:
        return "FILE \"a.cl\"";
    case TextForm::loc:
        return "LOC 1";
    case TextForm::subroutine:
        return ".function \"L1\"";
    case TextForm::label:
        return "L1:";
    case TextForm::switchjmp:
        return spell.mnemonic() + spell.execution() + spell.all_operands() + " (L1, L1)";
    default:
        return forms::regular(spell);
    }
}

} // namespace visor::isa
