// The reference as a page of text.
#include "isa/reference.h"
#include "isa/speller.h"

#include <algorithm>
#include <string_view>

namespace visor::isa {

namespace {

constexpr size_t page_width = 80;

class Page {
public:
    void line(std::string_view text) { text_.append(text) += '\n'; }
    // Behind a heading of so many columns; what does not fit goes on below.
    void entry(std::string_view heading, size_t columns, std::string_view text) {
        std::string prefix(heading);
        prefix.resize(std::max(columns, heading.size()), ' ');
        wrap(prefix, std::string(columns, ' '), text);
    }
    void wrap(std::string_view first, std::string_view others, std::string_view text) {
        std::string current(first);
        bool is_empty = true;
        for (const std::string_view word : words_of(text)) {
            if (!is_empty && current.size() + 1 + word.size() > page_width) {
                line(current);
                current = others;
                is_empty = true;
            }
            if (!is_empty)
                current += ' ';
            current += word;
            is_empty = false;
        }
        line(current.substr(0, current.find_last_not_of(' ') + 1));
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string list;
    for (const std::string& part : parts)
        list.append(list.empty() ? std::string_view{} : between).append(part);
    return list;
}

void write_title(Page& page, const Reference& entry) {
    const std::string opcode = "opcode " + entry.opcode;
    std::string title = entry.mnemonic;
    title.resize(std::max(title.size() + 1, page_width - opcode.size()), ' ');
    page.line(title + opcode);
    if (!entry.spellings.empty())
        page.line("also " + joined(entry.spellings, ", "));
    page.line("");
}

void write_semantics(Page& page, const Reference& entry) {
    const auto says = [&](std::string_view word) {
        return std::ranges::any_of(entry.semantics,
                                   [&](const std::string& line) { return line.contains(word); });
    };
    for (const std::string& line : entry.semantics)
        page.wrap("    ", "      ", line);
    page.line("");
    if (says("[i]"))
        page.line("i: every lane that is on");
    if (says("*pitch"))
        page.line("pitch: max(execution size, dwords of a register)");
    if (says("[i]") || says("*pitch"))
        page.line("");
}

void write_text(Page& page, const Reference& entry) {
    page.line("Text");
    for (const std::string& line : entry.syntax)
        page.wrap("    ", "      ", line);
    page.line("");
    page.line("Example");
    page.wrap("    ", "        ", entry.example);
    page.line("");
}

void write_fields(Page& page, const Reference& entry) {
    size_t names = std::string_view("opcode").size();
    for (const ReferenceField& field : entry.fields)
        names = std::max(names, field.name.size());
    constexpr size_t most_names = 22;
    names = std::min(names, most_names);
    page.line("Binary");
    const auto row = [&](const std::string& name, const std::string& bytes, const std::string& meaning) {
        std::string heading = "    " + name;
        heading.resize(std::max(heading.size(), names + 4), ' ');
        heading += std::string(7 - std::min<size_t>(bytes.size(), 7), ' ') + bytes + "  ";
        page.entry(heading, names + 13, meaning);
    };
    row("field", "bytes", "meaning");
    row("opcode", "1", entry.opcode.substr(0, 4)); // the sub-opcode is a field

    for (const ReferenceField& field : entry.fields)
        row(field.name, field.bytes, field.meaning);
    page.line("");
}

void write_facts(Page& page, const Reference& entry) {
    constexpr size_t columns = 16;
    const auto fact = [&](std::string_view heading, std::string_view text) {
        if (!text.empty())
            page.entry(heading, columns, text);
    };
    std::string sizes;
    for (const unsigned size : entry.exec_sizes)
        sizes.append(sizes.empty() ? "" : " ").append(std::to_string(size));
    fact("Exec sizes", sizes);
    fact("Predicate", entry.predicate);
    fact("Saturation", entry.saturation);
    fact("Modifiers", entry.modifiers);
    fact("Effects", joined(entry.effects, "; "));
    fact("Out of bounds", entry.out_of_bounds);
    fact("Devices", joined(entry.devices, " "));
    if (entry.unsupported.empty())
        fact("Fidelity", entry.fidelity);
    fact("Page", entry.page);
    fact("Unsupported", entry.unsupported);
}

} // namespace

std::string page(const Row& row) {
    const Reference entry = reference(row);
    Page made;
    write_title(made, entry);
    write_semantics(made, entry);
    write_text(made, entry);
    write_fields(made, entry);
    write_facts(made, entry);
    return made.take();
}

} // namespace visor::isa
