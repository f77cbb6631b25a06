#include "debug/gdb/elf.h"

#include "debug/gdb/bytes.h"

#include <algorithm>
#include <array>
#include <elf.h>

namespace visor::debug::gdb {

namespace {

struct Section {
    const char* name = "";
    uint32_t type = SHT_NULL;
    uint64_t flags = 0;
    uint64_t address = 0;
    uint64_t bytes = 0; // of one without content
    std::vector<std::byte> content;
    uint32_t link = 0;
    uint32_t info = 0;
    uint64_t alignment = 1;
    uint64_t entry_bytes = 0;
};

constexpr uint16_t text_index = 1;
constexpr uint32_t strings_index = 7;

void add_symbol(Bytes& out, uint32_t name, uint8_t info, uint16_t section, uint64_t value, uint64_t bytes) {
    out.number(name);
    out.byte(info);
    out.byte(STV_DEFAULT);
    out.number(section);
    out.number(value);
    out.number(bytes);
}

std::vector<Section> sections_of(std::span<const FunctionImage> functions, const std::string& directory) {
    Bytes strings;
    Bytes symbols;
    strings.byte(0);
    add_symbol(symbols, 0, 0, SHN_UNDEF, 0, 0);
    uint64_t begin = UINT64_MAX;
    uint64_t end = 0;
    for (const FunctionImage& one : functions) {
        add_symbol(symbols, static_cast<uint32_t>(strings.size()), ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                   text_index, one.begin, one.end - one.begin);
        strings.string(one.name);
        begin = std::min(begin, one.begin);
        end = std::max(end, one.end);
    }
    Dwarf dwarf = dwarf_of(functions, directory);
    const auto debugging = [](const char* name, std::vector<std::byte>& content) {
        return Section{.name = name, .type = SHT_PROGBITS, .content = std::move(content)};
    };
    return {Section{},
            Section{.name = ".text",
                    .type = SHT_NOBITS,
                    .flags = SHF_ALLOC | SHF_EXECINSTR,
                    .address = functions.empty() ? code_window : begin,
                    .bytes = functions.empty() ? 0 : end - begin,
                    .content = {},
                    .alignment = 16},
            debugging(".debug_abbrev", dwarf.abbreviations),
            debugging(".debug_info", dwarf.info),
            debugging(".debug_line", dwarf.line),
            debugging(".debug_frame", dwarf.frame),
            Section{.name = ".symtab",
                    .type = SHT_SYMTAB,
                    .content = symbols.data(),
                    .link = strings_index,
                    .info = 1, // the first that is global
                    .alignment = 8,
                    .entry_bytes = sizeof(Elf64_Sym)},
            Section{.name = ".strtab", .type = SHT_STRTAB, .content = strings.data()}};
}

void add_header(Bytes& out, size_t sections, uint64_t section_table, uint64_t entry) {
    out.append({std::byte{ELFMAG0}, std::byte{ELFMAG1}, std::byte{ELFMAG2}, std::byte{ELFMAG3},
                std::byte{ELFCLASS64}, std::byte{ELFDATA2LSB}, std::byte{EV_CURRENT},
                std::byte{ELFOSABI_NONE}});
    out.number(uint64_t{0});
    out.number(uint16_t{ET_EXEC});
    out.number(uint16_t{EM_X86_64});
    out.number(uint32_t{EV_CURRENT});
    out.number(entry);
    out.number(uint64_t{sizeof(Elf64_Ehdr)}); // program headers
    out.number(section_table);
    out.number(uint32_t{0});
    out.number(static_cast<uint16_t>(sizeof(Elf64_Ehdr)));
    out.number(static_cast<uint16_t>(sizeof(Elf64_Phdr)));
    out.number(uint16_t{1});
    out.number(static_cast<uint16_t>(sizeof(Elf64_Shdr)));
    out.number(static_cast<uint16_t>(sections));
    out.number(static_cast<uint16_t>(sections - 1)); // of their names
}

void add_segment(Bytes& out, const Section& text) {
    out.number(uint32_t{PT_LOAD});
    out.number(uint32_t{PF_R | PF_X});
    out.number(uint64_t{0});
    out.number(text.address);
    out.number(text.address);
    out.number(uint64_t{0}); // bytes in the file
    out.number(text.bytes);
    out.number(uint64_t{16});
}

void add_section(Bytes& out, const Section& section, uint32_t name, uint64_t offset) {
    out.number(name);
    out.number(section.type);
    out.number(section.flags);
    out.number(section.address);
    out.number(offset);
    out.number(section.type == SHT_NOBITS ? section.bytes : uint64_t{section.content.size()});
    out.number(section.link);
    out.number(section.info);
    out.number(section.alignment);
    out.number(section.entry_bytes);
}

// Names come from files that nobody has checked; zero bytes would end them.
std::string printable(std::string_view name) {
    std::string out(name);
    std::ranges::replace_if(out, [](char one) { return static_cast<unsigned char>(one) < 0x20; }, '_');
    return out;
}

} // namespace

std::vector<std::byte> elf_of(std::span<const FunctionImage> functions, const std::string& directory) {
    std::vector<Section> sections = sections_of(functions, directory);
    Bytes names;
    std::vector<uint32_t> name_offsets;
    sections.push_back({.name = ".shstrtab", .type = SHT_STRTAB, .content = {}});
    for (const Section& section : sections) {
        name_offsets.push_back(static_cast<uint32_t>(names.size()));
        names.string(section.name);
    }
    sections.back().content = names.data();

    constexpr uint64_t first = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
    Bytes contents;
    std::vector<uint64_t> offsets;
    for (const Section& section : sections) {
        contents.align(8);
        offsets.push_back(first + contents.size());
        contents.append(section.content);
    }
    contents.align(8);

    Bytes out;
    add_header(out, sections.size(), first + contents.size(), sections[text_index].address);
    add_segment(out, sections[text_index]);
    out.append(contents.data());
    for (size_t k = 0; k < sections.size(); ++k)
        add_section(out, sections[k], name_offsets[k], offsets[k]);
    return out.data();
}

FunctionImage image_of(const PlacedCode& placed) {
    const Code& code = *placed.code;
    FunctionImage image{.name = printable(code.function().name),
                        .begin = placed.begin,
                        .end = std::max(placed.end(), placed.begin + instruction_bytes),
                        .is_kernel = code.function().kind == FunctionKind::kernel,
                        .files = {},
                        .rows = {}};
    Line last;
    for (size_t rank = 0; rank < placed.instructions.size(); ++rank) {
        const Line line = code.line(placed.instructions[rank]);
        if (!line.known() || line == last)
            continue;
        last = line;
        const std::string file_name = printable(line.file);
        const auto found = std::ranges::find(image.files, file_name);
        const auto file = static_cast<uint32_t>(found - image.files.begin());
        if (found == image.files.end())
            image.files.push_back(file_name);
        image.rows.push_back({placed.begin + rank * instruction_bytes, file, line.line});
    }
    if (!image.rows.empty()) // what precedes the first line is of it, too
        image.rows.front().address = image.begin;
    return image;
}

} // namespace visor::debug::gdb
