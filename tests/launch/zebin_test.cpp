// What is in the files was read with readelf and by eye from their .ze_info, and agrees with the compiler's
// documents.
#include "launch/zebin.h"
#include "sample.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <span>
#include <string>
#include <tuple>

namespace visor::launch {
namespace {

// Kind, offset, bytes, argument of a payload item.
using Item = std::tuple<PayloadKind, uint32_t, uint32_t, int>;

std::vector<Item> items_of(const Signature& signature) {
    std::vector<Item> items;
    for (const PayloadItem& item : signature.payload)
        items.emplace_back(item.kind, item.offset, item.bytes, item.argument);
    return items;
}

std::vector<std::pair<uint32_t, uint32_t>> bindings_of(const Signature& signature) {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (const BindingTableEntry& entry : signature.bindings)
        out.emplace_back(entry.index, entry.argument);
    return out;
}

const std::vector<Item> saxpy_with_surfaces{
    {PayloadKind::global_id_offset, 0, 12, -1},    {PayloadKind::local_size, 12, 12, -1},
    {PayloadKind::argument_pointer, 0, 0, 0},      {PayloadKind::buffer_address, 32, 8, 0},
    {PayloadKind::argument_pointer, 0, 0, 1},      {PayloadKind::buffer_address, 40, 8, 1},
    {PayloadKind::argument_value, 48, 4, 2},       {PayloadKind::argument_value, 52, 4, 3},
    {PayloadKind::buffer_offset, 56, 4, 0},        {PayloadKind::buffer_offset, 60, 4, 1},
    {PayloadKind::enqueued_local_size, 64, 12, -1}};
const std::vector<Item> saxpy_flat{
    {PayloadKind::global_id_offset, 0, 12, -1},    {PayloadKind::local_size, 12, 12, -1},
    {PayloadKind::argument_pointer, 0, 0, 0},      {PayloadKind::argument_pointer, 32, 8, 0},
    {PayloadKind::argument_pointer, 0, 0, 1},      {PayloadKind::argument_pointer, 40, 8, 1},
    {PayloadKind::argument_value, 48, 4, 2},       {PayloadKind::argument_value, 52, 4, 3},
    {PayloadKind::enqueued_local_size, 64, 12, -1}};

TEST(Zebin, SaxpyOfEveryDevice) {
    for (const isa::DeviceId id : {isa::DeviceId::skl, isa::DeviceId::icllp, isa::DeviceId::tgllp,
                                   isa::DeviceId::dg2, isa::DeviceId::pvc}) {
        const std::string name = isa::device(id).name;
        SCOPED_TRACE(name);
        const Zebin zebin = sample("saxpy." + name + ".zebin");
        EXPECT_EQ(zebin.device, id);
        ASSERT_EQ(zebin.kernels.size(), 2U);
        EXPECT_TRUE(zebin.kernels[0].text.starts_with(".version 4.1\n.kernel \"kernel\"\n"));
        const Signature& saxpy = zebin.kernels[0].signature;
        EXPECT_EQ(saxpy.name, "saxpy");
        EXPECT_EQ(saxpy.simd, 32U);
        EXPECT_EQ(saxpy.grf_count, 128U);
        EXPECT_EQ(saxpy.slm_bytes, 0U);
        EXPECT_EQ(saxpy.barrier_count, 0U);
        EXPECT_EQ(saxpy.required_group_size, (std::array<uint32_t, 3>{0, 0, 0}));
        EXPECT_TRUE(saxpy.has_local_ids);
        EXPECT_EQ(saxpy.per_thread_bytes, 192U);
        EXPECT_EQ(items_of(saxpy), id == isa::DeviceId::pvc ? saxpy_flat : saxpy_with_surfaces);
        EXPECT_EQ(bindings_of(saxpy), (std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {1, 1}}));
        EXPECT_TRUE(saxpy.thread_memory.empty());
        const Signature& other = zebin.kernels[1].signature;
        EXPECT_EQ(other.name, "groups_only");
        EXPECT_FALSE(other.has_local_ids);
        EXPECT_EQ(other.per_thread_bytes, 0U);
        EXPECT_TRUE(zebin.spirv.empty());
    }
}

// The file with its sections of vISA text named one after the other; the table of names moves to the end.
std::vector<std::byte> with_text_names(std::vector<std::byte> file, const std::vector<std::string>& names) {
    constexpr uint32_t visa_text = 0xff000013; // ELF64: headers of 64 bytes, their table's offset at 40
    const auto get = [&](size_t at, size_t bytes) {
        uint64_t value = 0;
        std::memcpy(&value, &file[at], bytes);
        return value;
    };
    const auto set = [&](size_t at, uint64_t value, size_t bytes) { std::memcpy(&file[at], &value, bytes); };
    const size_t headers = get(40, 8);
    const size_t names_header = headers + get(62, 2) * 64;
    std::string table(reinterpret_cast<const char*>(&file[get(names_header + 24, 8)]),
                      get(names_header + 32, 8));
    size_t next = 0;
    for (size_t k = 0; k < get(60, 2); ++k) {
        if (get(headers + k * 64 + 4, 4) != visa_text)
            continue;
        set(headers + k * 64, table.size(), 4);
        table += names.at(next++) + '\0';
    }
    set(names_header + 24, file.size(), 8);
    set(names_header + 32, table.size(), 8);
    const auto bytes = std::as_bytes(std::span(table));
    file.insert(file.end(), bytes.begin(), bytes.end());
    return file;
}

// As compilers of explicit SIMD code name them.
TEST(Zebin, TextsThatAreNamedAfterTheirKernels) {
    const std::vector<std::byte> file = sample_file("saxpy.skl.zebin");
    const Zebin plain = sample("saxpy.skl.zebin");
    Diagnostics diagnostics;
    const auto swapped =
        read_zebin(with_text_names(file, {".visaasm.groups_only", ".visaasm.saxpy"}), diagnostics);
    ASSERT_TRUE(swapped);
    ASSERT_EQ(swapped->kernels.size(), 2U);
    EXPECT_EQ(swapped->kernels[0].signature.name, "saxpy");
    EXPECT_EQ(swapped->kernels[0].text, plain.kernels[1].text);
    EXPECT_EQ(swapped->kernels[1].text, plain.kernels[0].text);
    EXPECT_TRUE(swapped->functions.empty());
    EXPECT_FALSE(read_zebin(with_text_names(file, {".visaasm.saxpy", ".visaasm.other"}), diagnostics));
    EXPECT_EQ(diagnostics.all().at(0).message, "there is no vISA text of kernel `groups_only`");
}

TEST(Zebin, ArgumentsAreAsTheProgrammerWroteThem) {
    const Signature saxpy = sample("saxpy.skl.zebin").kernels.at(0).signature;
    ASSERT_EQ(saxpy.arguments.size(), 4U);
    const auto check = [&](size_t index, ArgumentKind kind, const char* name, const char* type,
                           uint32_t bytes) {
        const Argument& argument = saxpy.arguments[index];
        EXPECT_EQ(argument.index, index);
        EXPECT_EQ(argument.kind, kind);
        EXPECT_EQ(argument.name, name);
        EXPECT_EQ(argument.type_name, type);
        EXPECT_EQ(argument.bytes, bytes);
        EXPECT_TRUE(argument.used);
    };
    check(0, ArgumentKind::global_pointer, "y", "float*", 8);
    check(1, ArgumentKind::global_pointer, "x", "float*", 8);
    check(2, ArgumentKind::value, "a", "float", 4);
    check(3, ArgumentKind::value, "n", "int", 4);
}

TEST(Zebin, ValuesOfEverySize) {
    const Signature signature = sample("values.skl.zebin").kernels.at(0).signature;
    std::vector<std::pair<std::string, uint32_t>> types;
    for (const Argument& argument : signature.arguments)
        types.emplace_back(argument.type_name, argument.bytes);
    EXPECT_EQ(types, (std::vector<std::pair<std::string, uint32_t>>{{"S", 32},
                                                                    {"float3", 16},
                                                                    {"char", 1},
                                                                    {"short", 2},
                                                                    {"uchar4", 4},
                                                                    {"double", 8},
                                                                    {"long*", 8}}));
    // The struct comes in two pieces.
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> pieces;
    for (const PayloadItem& item : signature.payload) {
        if (item.kind == PayloadKind::argument_value && item.argument == 0)
            pieces.emplace_back(item.offset, item.bytes, item.source_offset);
    }
    EXPECT_EQ(pieces, (std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>{{88, 20, 0}, {112, 8, 24}}));
}

TEST(Zebin, LocalMemoryAndRequiredSize) {
    const Signature signature = sample("locals.skl.zebin").kernels.at(0).signature;
    EXPECT_EQ(signature.required_group_size, (std::array<uint32_t, 3>{8, 4, 2}));
    EXPECT_EQ(signature.slm_bytes, 32U);
    EXPECT_EQ(signature.barrier_count, 1U);
    ASSERT_EQ(signature.arguments.size(), 5U);
    const std::array<uint32_t, 3> alignments{1, 16, 4};
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(signature.arguments[i + 1].kind, ArgumentKind::local_pointer);
        EXPECT_EQ(signature.arguments[i + 1].slm_alignment, alignments[i]);
    }
    EXPECT_EQ(signature.arguments[4].kind, ArgumentKind::constant_pointer);
    const auto mode_at = [&](uint32_t offset) {
        return std::ranges::find_if(
                   signature.payload,
                   [offset](const PayloadItem& item) { return item.offset == offset && item.bytes == 8; })
            ->mode;
    };
    EXPECT_EQ(mode_at(32), AddressMode::slm);
    EXPECT_EQ(mode_at(48), AddressMode::slm);
    EXPECT_EQ(mode_at(64), AddressMode::none) << "buffer_address";
}

TEST(Zebin, ImagesAndSamplers) {
    const Signature signature = sample("images.skl.zebin").kernels.at(0).signature;
    ASSERT_EQ(signature.arguments.size(), 4U);
    EXPECT_EQ(signature.arguments[0].kind, ArgumentKind::image);
    EXPECT_EQ(signature.arguments[0].access, "read_only");
    EXPECT_EQ(signature.arguments[1].kind, ArgumentKind::image);
    EXPECT_EQ(signature.arguments[1].access, "write_only");
    EXPECT_EQ(signature.arguments[2].kind, ArgumentKind::sampler);
    EXPECT_EQ(signature.arguments[3].kind, ArgumentKind::global_pointer);
    ASSERT_EQ(signature.inline_samplers.size(), 1U);
    EXPECT_EQ(signature.inline_samplers[0].index, 1U);
    EXPECT_EQ(signature.inline_samplers[0].address_mode, "clamp_border");
    EXPECT_EQ(signature.inline_samplers[0].filter_mode, "nearest");
    EXPECT_FALSE(signature.inline_samplers[0].normalized);
    EXPECT_EQ(bindings_of(signature), (std::vector<std::pair<uint32_t, uint32_t>>{{1, 3}, {0, 0}, {2, 1}}));
    std::vector<std::string> properties;
    for (const PayloadItem& item : signature.payload) {
        if (item.kind == PayloadKind::image_property || item.kind == PayloadKind::sampler_snap)
            properties.push_back(item.property);
    }
    EXPECT_EQ(properties, (std::vector<std::string>{"image_height", "image_width", "sampler_snap_wa"}));
}

TEST(Zebin, PrivateMemory) {
    const Signature skl = sample("private.skl.zebin").kernels.at(0).signature;
    ASSERT_EQ(skl.thread_memory.size(), 1U);
    EXPECT_EQ(skl.thread_memory[0].type, ThreadMemory::Type::scratch);
    EXPECT_EQ(skl.thread_memory[0].usage, "single_space");
    EXPECT_EQ(skl.thread_memory[0].bytes, 32768U) << "256 ints of 32 lanes";
    EXPECT_FALSE(skl.thread_memory[0].per_work_item);
    const Signature dg2 = sample("private.dg2.zebin").kernels.at(0).signature;
    ASSERT_EQ(dg2.thread_memory.size(), 1U);
    EXPECT_EQ(dg2.thread_memory[0].type, ThreadMemory::Type::global);
    EXPECT_EQ(dg2.thread_memory[0].usage, "private_space");
    EXPECT_EQ(dg2.thread_memory[0].bytes, 1024U) << "256 ints of one work-item";
    EXPECT_TRUE(dg2.thread_memory[0].per_work_item);
}

TEST(Zebin, SubGroupSize) {
    const Zebin zebin = sample("sub_group.pvc.zebin");
    EXPECT_EQ(zebin.kernels.at(0).signature.simd, 16U);
    EXPECT_EQ(zebin.kernels.at(0).signature.per_thread_bytes, 192U);
    EXPECT_EQ(zebin.kernels.at(0).signature.walk_order, (std::array<uint8_t, 3>{0, 1, 2}));
}

TEST(Zebin, ProgramScopeData) {
    const Zebin zebin = sample("scope.skl.zebin");
    ASSERT_EQ(zebin.kernels.size(), 1U) << "the compiler's symbol-table dummy is no kernel";
    EXPECT_EQ(zebin.kernels[0].signature.name, "scope");

    ASSERT_EQ(zebin.sections.size(), 3U);
    EXPECT_EQ(zebin.sections[0].name, ".data.const");
    EXPECT_TRUE(zebin.sections[0].constant);
    ASSERT_EQ(zebin.sections[0].content.size(), 16U);
    std::array<int32_t, 4> table{};
    std::memcpy(table.data(), zebin.sections[0].content.data(), 16);
    EXPECT_EQ(table, (std::array<int32_t, 4>{10, 20, 30, 40}));
    EXPECT_EQ(zebin.sections[1].name, ".data.const.string");
    EXPECT_EQ(std::memcmp(zebin.sections[1].content.data(), "%d\n", 4), 0);
    EXPECT_EQ(zebin.sections[2].name, ".data.global");
    EXPECT_FALSE(zebin.sections[2].constant);
    EXPECT_EQ(zebin.sections[2].bytes, 40U);

    const auto symbol = [&](std::string_view name) {
        const auto found = std::ranges::find(zebin.symbols, name, &Symbol::name);
        return found == zebin.symbols.end() ? Symbol{} : *found;
    };
    EXPECT_EQ(symbol("table").section, 0);
    EXPECT_EQ(symbol("table").offset, 0U);
    EXPECT_EQ(symbol(".str").section, 1);
    EXPECT_EQ(symbol("pointer").section, 2);
    EXPECT_EQ(symbol("pointer").offset, 8U);
    EXPECT_EQ(symbol("zeros").offset, 16U);
    EXPECT_FALSE(symbol("zeros").is_function);
    EXPECT_TRUE(symbol("zeros").defined);
    EXPECT_TRUE(symbol("scope").is_function);
    EXPECT_EQ(symbol("scope").section, -1);
    EXPECT_EQ(symbol("_entry").name, "") << "nothing refers to it";

    ASSERT_EQ(zebin.relocations.size(), 1U) << "those of machine code do not count";
    EXPECT_EQ(zebin.relocations[0].section, 2U);
    EXPECT_EQ(zebin.relocations[0].offset, 8U);
    EXPECT_EQ(zebin.relocations[0].kind, RelocationKind::address64);
    EXPECT_EQ(zebin.relocations[0].symbol, "counter");
}

std::string rule_of(std::span<const std::byte> file) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_zebin(file, diagnostics));
    return diagnostics.all().empty() ? "" : diagnostics.all().front().rule;
}

TEST(Zebin, WithoutVisaTextSaysHowToGetIt) {
    std::vector<std::byte> file = sample_file("saxpy.skl.zebin");
    // In the table of section names.
    const std::string_view name = ".visaasm";
    auto at = std::search(file.rbegin(), file.rend(), name.rbegin(), name.rend(),
                          [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
    ASSERT_NE(at, file.rend());
    *(at + 1) = std::byte{'x'};
    EXPECT_EQ(rule_of(file), "no-visa-text");
}

TEST(Zebin, OtherElfFilesAreNone) {
    std::vector<std::byte> file = sample_file("saxpy.skl.zebin");
    std::ifstream self("/proc/self/exe", std::ios::binary);
    const std::string program(std::istreambuf_iterator<char>(self), {});
    EXPECT_EQ(rule_of(std::as_bytes(std::span(program))), "not-a-zebin");
    file[4] = std::byte{1}; // 32 bits
    EXPECT_EQ(rule_of(file), "bad-elf");
    EXPECT_EQ(rule_of({}), "bad-elf");
}

// The compiler's own file, in which one argument's offset is moved into the other's.
TEST(Zebin, PayloadItemsThatShareBytesAreRefused) {
    std::vector<std::byte> file = sample_file("saxpy.skl.zebin");
    const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
    const std::string_view item = "buffer_offset\n        offset:          60";
    const size_t at = content.find(item);
    ASSERT_NE(at, std::string_view::npos);
    file[at + item.size() - 2] = std::byte{'5'};
    file[at + item.size() - 1] = std::byte{'9'};
    Diagnostics diagnostics;
    EXPECT_FALSE(read_zebin(file, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1U);
    const Diagnostic& found = diagnostics.all()[0];
    EXPECT_EQ(found.rule, "input-overlap");
    EXPECT_EQ(found.message, "kernel `saxpy`: `buffer_offset` of argument 0 (offset 56, 4 bytes) and "
                             "`buffer_offset` of argument 1 (offset 59, 4 bytes) share bytes of the payload");
    constexpr size_t line = std::string_view("arg_type:        ").size();
    ASSERT_TRUE(found.where);
    EXPECT_EQ(found.where->offset, at - line);
    ASSERT_EQ(found.notes.size(), 1U);
    EXPECT_EQ(found.notes[0].where->offset,
              content.find("buffer_offset\n        offset:          56") - line);
}

TEST(IsElf, LooksAtTheMagic) {
    EXPECT_TRUE(is_elf(sample_file("saxpy.skl.zebin")));
    EXPECT_FALSE(is_elf({}));
    EXPECT_FALSE(is_elf(std::as_bytes(std::span("\177EL"))));
}

} // namespace
} // namespace visor::launch
