// Offsets and encodings are those of the ELF and DWARF 4 standards; tests/debug/gdb_test.py asks readelf.
#include "debug/gdb/elf.h"

#include "debug/gdb/bytes.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

namespace visor::debug::gdb {
namespace {

std::string hex_of(const Bytes& bytes) {
    std::string out;
    for (const std::byte one : bytes.data()) {
        constexpr std::string_view digits = "0123456789abcdef";
        out += digits[static_cast<size_t>(one >> 4U)];
        out += digits[static_cast<size_t>(one & std::byte{15})];
    }
    return out;
}

template <class T>
T at(const std::vector<std::byte>& file, size_t offset) {
    T value{};
    if (offset + sizeof value <= file.size())
        std::memcpy(&value, file.data() + offset, sizeof value);
    else
        ADD_FAILURE() << "behind the end: " << offset;
    return value;
}

std::string name_at(const std::vector<std::byte>& file, size_t offset) {
    std::string name;
    while (offset < file.size() && file[offset] != std::byte{0})
        name += static_cast<char>(file[offset++]);
    return name;
}

TEST(Leb, is_that_of_the_standard) {
    Bytes bytes; // DWARF 4, figures 22 and 23
    for (const uint64_t one : {2U, 127U, 128U, 129U, 130U, 12857U})
        bytes.leb(one);
    EXPECT_EQ(hex_of(bytes), "027f800181018201b964");
    Bytes negative;
    for (const int64_t one : {2, -2, 127, -127, 128, -128, 129, -129})
        negative.signed_leb(one);
    EXPECT_EQ(hex_of(negative), "027eff00817f8001807f8101ff7e");
}

TEST(Nop, carries_the_number) {
    const auto nop = nop_of(0x01020304); // nopl 0x1020304(%rax,%rax,1)
    Bytes bytes;
    for (const std::byte one : nop)
        bytes.byte(static_cast<uint8_t>(one));
    EXPECT_EQ(hex_of(bytes), "0f1f840004030201");
}

class Program : public testing::Test {
protected:
    std::vector<FunctionImage> functions_{
        {.name = "k",
         .begin = code_window,
         .end = code_window + 24,
         .is_kernel = true,
         .files = {"a.cl", "b.h"},
         .rows = {{code_window, 0, 7}, {code_window + 8, 1, 3}}},
        {.name = "f", .begin = code_window + 64, .end = code_window + 72, .files = {}, .rows = {}}};
    std::vector<std::byte> file_ = elf_of(functions_, "/somewhere");
    Elf64_Ehdr header_ = at<Elf64_Ehdr>(file_, 0);

    Elf64_Shdr section(std::string_view name) const {
        const auto strings = at<Elf64_Shdr>(file_, header_.e_shoff + header_.e_shstrndx * sizeof(Elf64_Shdr));
        for (size_t k = 0; k < header_.e_shnum; ++k) {
            const auto one = at<Elf64_Shdr>(file_, header_.e_shoff + k * sizeof(Elf64_Shdr));
            if (name_at(file_, strings.sh_offset + one.sh_name) == name)
                return one;
        }
        ADD_FAILURE() << name;
        return {};
    }
};

TEST_F(Program, has_a_header_and_one_segment) {
    EXPECT_EQ(std::memcmp(header_.e_ident, ELFMAG, SELFMAG), 0);
    EXPECT_EQ(header_.e_machine, EM_X86_64);
    EXPECT_EQ(header_.e_type, ET_EXEC);
    EXPECT_EQ(header_.e_entry, code_window);
    EXPECT_EQ(header_.e_shoff + header_.e_shnum * sizeof(Elf64_Shdr), file_.size());
    const auto segment = at<Elf64_Phdr>(file_, header_.e_phoff);
    EXPECT_EQ(segment.p_vaddr, code_window);
    EXPECT_EQ(segment.p_memsz, 72U);
    EXPECT_EQ(segment.p_filesz, 0U);
    EXPECT_EQ(section(".text").sh_size, 72U);
}

TEST_F(Program, has_symbols) {
    const Elf64_Shdr symbols = section(".symtab");
    const Elf64_Shdr strings = section(".strtab");
    ASSERT_EQ(symbols.sh_size, 3 * sizeof(Elf64_Sym));
    const auto second = at<Elf64_Sym>(file_, symbols.sh_offset + 2 * sizeof(Elf64_Sym));
    EXPECT_EQ(name_at(file_, strings.sh_offset + second.st_name), "f");
    EXPECT_EQ(second.st_value, code_window + 64);
    EXPECT_EQ(second.st_size, 8U);
    EXPECT_EQ(ELF64_ST_TYPE(second.st_info), STT_FUNC);
}

TEST_F(Program, has_lines) {
    const Elf64_Shdr lines = section(".debug_line");
    Bytes expected; // the first function's, from its files on
    expected.string("a.cl");
    expected.append(std::vector<std::byte>(3));
    expected.string("b.h");
    expected.append(std::vector<std::byte>(4));
    for (const int one : {0, 9, 2}) // set the address
        expected.byte(static_cast<uint8_t>(one));
    expected.number(code_window);
    for (const int one : {3, 6, 2, 0, 1}) // line + 6, address + 0, a row
        expected.byte(static_cast<uint8_t>(one));
    for (const int one : {4, 2, 3, 0x7c, 2, 8, 1}) // file 2, line - 4, address + 8, a row
        expected.byte(static_cast<uint8_t>(one));
    for (const int one : {2, 16, 0, 1, 1}) // the end
        expected.byte(static_cast<uint8_t>(one));
    constexpr size_t header = 4 + 2 + 4 + 6 + 9 + 1;
    const size_t begin = lines.sh_offset + header;
    ASSERT_LE(begin + expected.size(), file_.size());
    EXPECT_EQ(std::memcmp(file_.data() + begin, expected.data().data(), expected.size()), 0);
    EXPECT_EQ(at<uint32_t>(file_, lines.sh_offset), header + expected.size() - 4);
}

TEST(EmptyProgram, is_one_too) {
    const auto file = elf_of({}, "");
    EXPECT_EQ(at<Elf64_Ehdr>(file, 0).e_machine, EM_X86_64);
}

} // namespace
} // namespace visor::debug::gdb
