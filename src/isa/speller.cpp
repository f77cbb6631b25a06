#include "isa/speller.h"

#include "isa/opcode.h"
#include "isa/table.h"

#include <algorithm>

namespace visor::isa {

std::vector<std::string_view> words_of(std::string_view list) {
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const size_t end = std::min(list.find(' '), list.size());
        if (end > 0)
            words.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return words;
}

std::vector<const Field*> fields_at(const Row& row, Place place) {
    std::vector<const Field*> fields;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        if (is_operand(field.kind) && field.place == place)
            fields.push_back(&field);
    }
    return fields;
}

std::vector<const Field*> text_operands(const Row& row) {
    const std::vector<const Field*> wire = fields_at(row, Place::operand);
    const std::string_view order = row.text_order;
    if (order.empty())
        return wire;
    std::vector<const Field*> fields;
    for (const char digit : order)
        fields.push_back(wire[static_cast<size_t>(digit - '0')]);
    return fields;
}

const Field* find_field(const Row& row, std::string_view name) {
    const auto found =
        std::ranges::find_if(row.format, [&](const Field& field) { return name == field.name; });
    return found == row.format.end() ? nullptr : &*found;
}

std::vector<std::string_view> parameters(const Row& row) {
    const auto mark = std::ranges::find(row.format, FieldKind::counted, &Field::kind);
    return mark == row.format.end() ? std::vector<std::string_view>{} : words_of(mark->name);
}

// ---- the parts

std::string Speller::mnemonic() const {
    std::string text = row.mnemonic;
    if (row.opcode == opcode::lsc_typed)
        text += ".tgm";
    for (const Field* field : fields_at(row, Place::suffix))
        text += suffix(*field);
    return text + saturation();
}

std::string Speller::parenthesis() {
    if (has_exec(row))
        return execution();
    std::string text;
    for (const Field* field : fields_at(row, Place::paren)) {
        text += text.empty() ? " (" : ", ";
        if (field->codec == Codec::element_count)
            text += "M1, ";
        text += operand(*field);
    }
    return text.empty() ? text : text + ")";
}

std::string Speller::all_operands() {
    std::string text;
    for (const Field* field : text_operands(row)) {
        const std::string spelled = operand(*field);
        text += spelled.empty() ? "" : " " + spelled;
    }
    return text + repeated();
}

std::string Speller::named(std::string_view name) {
    const Field* field = find_field(row, name);
    return field == nullptr ? "" : operand(*field);
}

// ---- forms

namespace {

bool is_written(const Row& row, std::string_view name) {
    const Field* field = find_field(row, name);
    return field != nullptr && field->place != Place::hidden;
}

// Loads have their result in front of the address, stores their data behind it, updates both sources.
struct LscOrder {
    const char* before;
    std::array<const char*, 2> behind;
};
LscOrder lsc_order(const Row& row) {
    const auto if_written = [&](const char* name) { return is_written(row, name) ? name : ""; };
    return {if_written("dst_data"), {if_written("src1_data"), if_written("src2_data")}};
}

std::string with_blank(const std::string& text) {
    return text.empty() ? text : " " + text;
}

} // namespace

namespace forms {

std::string regular(Speller& spell) {
    return spell.guard() + spell.mnemonic() + spell.alignment() + spell.parenthesis() + spell.all_operands();
}

std::string gather_legacy(Speller& spell) {
    std::string text = spell.row.mnemonic;
    const std::vector<const Field*> suffixes = fields_at(spell.row, Place::suffix);
    text += spell.suffix(*suffixes[0]) + spell.parenthesis();
    if (suffixes.size() > 1)
        text += spell.suffix(*suffixes[1]);
    return text + spell.all_operands();
}

std::string sample_legacy(Speller& spell, std::string_view channels, std::string_view lanes) {
    return std::string(spell.row.mnemonic)
               .append(".")
               .append(channels)
               .append(" (")
               .append(lanes)
               .append(")") +
           spell.all_operands();
}

std::string raw_send(Speller& spell, std::string_view tail) {
    std::string text = spell.guard() + spell.row.mnemonic;
    return text.append(tail) + spell.execution() + spell.all_operands();
}

std::string raw_sends(Speller& spell, std::string_view tail) {
    std::string text = spell.guard() + spell.row.mnemonic;
    text.append(tail);
    for (const char* name : {"sfid", "num_src0", "num_src1", "num_dst"})
        text.append(".").append(spell.named(name));
    return text + spell.execution() + spell.all_operands();
}

std::string raw_sendg(Speller& spell, std::string_view tail, std::string_view sfid,
                      std::string_view descriptor) {
    std::string text = spell.guard() + spell.row.mnemonic;
    text.append(tail).append(".").append(sfid) += spell.execution();
    for (const Field* field : text_operands(spell.row)) {
        text += " " + spell.operand(*field);
        if (field->kind == FieldKind::raw_src || field->kind == FieldKind::raw_dst)
            text += "/" + spell.named(std::string(field->name) + "_length");
    }
    return text.append(" ").append(descriptor);
}

std::string lsc(Speller& spell) {
    std::string text = spell.guard() + spell.mnemonic();
    if (has_exec(spell.row) && spell.row.form != TextForm::lsc_state_info)
        text += spell.execution();
    const LscOrder order = lsc_order(spell.row);
    if (find_field(spell.row, "src0_data") != nullptr) // append counters address nothing but their surface
        return text + " " + spell.named("dst_data") + spell.shape() + " " + spell.address() + " " +
               spell.named("src0_data") + spell.shape();
    const bool is_load = *order.before != '\0';
    if (is_load)
        text += " " + spell.named(order.before) + spell.shape();
    text += " " + spell.address();
    for (const char* name : order.behind) {
        if (*name != '\0')
            text += with_blank(spell.named(name)) + (is_load ? "" : spell.shape());
    }
    return text;
}

} // namespace forms

} // namespace visor::isa
