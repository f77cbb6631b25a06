// Files made here, byte by byte as the ELF specification has them: what shares bytes is refused, so that what
// is read stays as small as the file.
#include "launch/elf.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <string>

namespace visor::launch {
namespace {

struct Section {
    uint32_t type = SHT_PROGBITS;
    std::string content;
    uint32_t name = 0; // offset in the names
    uint32_t link = 0;
};

template <class T>
std::string bytes_of(const T& value) {
    std::string out(sizeof value, '\0');
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

// `repeated`: further sections with the first one's bytes. Section 0 is the empty one, the last one has the
// names.
std::string elf(const std::vector<Section>& sections, const std::string& names, int repeated = 0) {
    std::string body;
    std::string headers = bytes_of(Elf64_Shdr{});
    const auto add = [&](const Section& section, uint64_t offset) {
        headers += bytes_of(Elf64_Shdr{.sh_name = section.name,
                                       .sh_type = section.type,
                                       .sh_flags = 0,
                                       .sh_addr = 0,
                                       .sh_offset = offset,
                                       .sh_size = section.content.size(),
                                       .sh_link = section.link,
                                       .sh_info = 0,
                                       .sh_addralign = 1,
                                       .sh_entsize = 0});
    };
    for (const Section& section : sections) {
        add(section, sizeof(Elf64_Ehdr) + body.size());
        body += section.content + std::string(-section.content.size() % 8, '\0');
    }
    for (int i = 0; i < repeated; ++i)
        add(sections.front(), sizeof(Elf64_Ehdr));
    add({SHT_STRTAB, names}, sizeof(Elf64_Ehdr) + body.size());
    body += names + std::string(-names.size() % 8, '\0');
    Elf64_Ehdr first{};
    std::memcpy(first.e_ident, ELFMAG, SELFMAG);
    first.e_ident[EI_CLASS] = ELFCLASS64;
    first.e_ident[EI_DATA] = ELFDATA2LSB;
    first.e_ident[EI_VERSION] = EV_CURRENT;
    first.e_version = EV_CURRENT;
    first.e_shoff = sizeof first + body.size();
    first.e_ehsize = sizeof first;
    first.e_shentsize = sizeof(Elf64_Shdr);
    first.e_shnum = static_cast<uint16_t>(sections.size() + static_cast<size_t>(repeated) + 2);
    first.e_shstrndx = static_cast<uint16_t>(first.e_shnum - 1);
    return bytes_of(first) + body + headers;
}

// "" or the first message.
std::string refusal(const std::string& file) {
    Diagnostics diagnostics;
    const auto read = read_elf(std::as_bytes(std::span(file)), diagnostics);
    EXPECT_EQ(read.has_value(), diagnostics.ok());
    return read ? "" : diagnostics.all().front().message;
}

const std::string data(size_t{64} << 10U, 'd');

TEST(Elf, SectionsOfAllBytes) {
    const std::string file =
        elf({{SHT_PROGBITS, data, 1}, {SHT_PROGBITS, "two", 4}}, std::string("\0ab\0cd\0", 7));
    Diagnostics diagnostics;
    const auto read = read_elf(std::as_bytes(std::span(file)), diagnostics);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->sections.size(), 4U);
    EXPECT_EQ(read->sections[1].name, "ab");
    EXPECT_EQ(read->sections[1].bytes, data.size());
    EXPECT_EQ(read->sections[2].name, "cd");
}

TEST(Elf, SectionsThatShareBytes) {
    EXPECT_EQ(refusal(elf({{SHT_PROGBITS, data}}, std::string(1, '\0'), 6000)),
              "sections share bytes: they are larger than the file");
}

TEST(Elf, SectionsThatShareALongName) {
    const std::string names = '\0' + std::string(10000, 'n') + '\0';
    std::vector<Section> sections(200, {SHT_NOBITS, "", 1});
    EXPECT_EQ(refusal(elf(sections, names)), "names of sections share bytes: they are larger than the file");
}

// The places of messages lie inside the file, whatever its headers say.
TEST(Elf, SectionsThatLieBehindTheEndHaveNoPlaceThere) {
    std::string file = elf({{SHT_NOBITS, ""}}, std::string("\0.bss.x\0", 8));
    const uint64_t far = 1U << 30U;
    const size_t header = file.size() - 2 * sizeof(Elf64_Shdr);
    std::memcpy(file.data() + header + offsetof(Elf64_Shdr, sh_offset), &far, sizeof far);
    std::memcpy(file.data() + header + offsetof(Elf64_Shdr, sh_size), &far, sizeof far);
    Diagnostics diagnostics;
    const auto read = read_elf(std::as_bytes(std::span(file)), diagnostics);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->sections[1].bytes, far);
    EXPECT_EQ(read->sections[1].where, (Location{static_cast<uint32_t>(file.size()), 0}));
}

TEST(Elf, SymbolsThatShareALongName) {
    const std::string names = '\0' + std::string(20000, 'n') + '\0';
    std::string symbols;
    for (int i = 0; i < 100; ++i)
        symbols += bytes_of(
            Elf64_Sym{.st_name = 1, .st_info = 0, .st_other = 0, .st_shndx = 0, .st_value = 0, .st_size = 0});
    EXPECT_EQ(refusal(elf({{SHT_STRTAB, names}, {SHT_SYMTAB, symbols, 0, 1}}, std::string(1, '\0'))),
              "names of symbols share bytes: they are larger than the file");
}

TEST(Elf, RelocationsThatShareALongName) {
    const std::string names = '\0' + std::string(20000, 'n') + '\0';
    const std::string symbol = bytes_of(
        Elf64_Sym{.st_name = 1, .st_info = 0, .st_other = 0, .st_shndx = 0, .st_value = 0, .st_size = 0});
    std::string entries;
    for (int i = 0; i < 100; ++i)
        entries += bytes_of(Elf64_Rel{.r_offset = 0, .r_info = ELF64_R_INFO(0, 1)});
    const std::string file = elf({{SHT_STRTAB, names}, {SHT_SYMTAB, symbol, 0, 1}, {SHT_REL, entries, 0, 2}},
                                 std::string(1, '\0'));
    Diagnostics diagnostics;
    const auto read = read_elf(std::as_bytes(std::span(file)), diagnostics);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->relocations(read->sections[3], diagnostics).empty());
    ASSERT_FALSE(diagnostics.ok());
    EXPECT_EQ(diagnostics.all().front().message,
              "the names that relocations of `` name are larger than the file");
}

} // namespace
} // namespace visor::launch
