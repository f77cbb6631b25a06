// What a compiler newer than Visor may write is refused by name, wherever it stands, and touches no other
// kernel.
#include "launch/annotation.h"
#include "launch/bind.h"
#include "launch/elf.h"
#include "launch/known_keys.h"
#include "launch/ze_info.h"
#include "sample.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using Names = std::vector<std::string>;

// Every map that the metadata can have; `%NAME%` stands where an entry is put into it.
constexpr std::string_view metadata = R"(version: '1.73'
%file%
kernels:
  - name: k
    %kernel%
    user_attributes:
      vec_type_hint: float
      %user_attributes%
    execution_env:
      grf_count: 128
      simd_size: 16
      inline_data_payload_size: 32
      require_iab: true
      %execution_env%
    payload_arguments:
      - arg_type: global_id_offset
        offset: 0
        size: 12
      - arg_type: arg_bypointer
        offset: 32
        size: 8
        arg_index: 0
        addrmode: stateless
        addrspace: global
        access_type: readwrite
        %payload_arguments%
    per_thread_payload_arguments:
      - arg_type: local_id
        offset: 0
        size: 96
        %per_thread_payload_arguments%
    binding_table_indices:
      - bti_value: 0
        arg_index: 0
        %binding_table_indices%
    per_thread_memory_buffers:
      - type: scratch
        usage: single_space
        size: 64
        %per_thread_memory_buffers%
    inline_samplers:
      - sampler_index: 0
        addrmode: none
        filtermode: nearest
        %inline_samplers%
    experimental_properties:
      has_non_kernel_arg_load: 0
      %experimental_properties%
    debug_env:
      sip_surface_bti: 0
      %debug_env%
  - name: other
    execution_env:
      grf_count: 128
      simd_size: 16
functions:
  - name: f
    %functions%
    execution_env:
      grf_count: 128
      simd_size: 16
      %functions_env%
global_host_access_table:
  - device_name: a
    host_name: b
    %global_host_access_table%
kernels_misc_info:
  - name: k
    %kernels_misc_info%
    args_info:
      - index: 0
        name: a
        address_qualifier: __global
        access_qualifier: NONE
        type_name: 'int*;8'
        type_qualifiers: NONE
        %args_info%
)";

// The metadata with `entry` in the map of this name.
std::string with(std::string_view map, std::string_view entry) {
    std::string out;
    for (size_t at = 0; at < metadata.size();) {
        const size_t end = metadata.find('\n', at);
        const std::string_view line = metadata.substr(at, end - at);
        at = end + 1;
        const size_t mark = line.find('%');
        if (mark == std::string_view::npos)
            out.append(line).append("\n");
        else if (line.substr(mark) == fmt::format("%{}%", map))
            out.append(line.substr(0, mark)).append(entry).append("\n");
    }
    return out;
}

std::vector<Signature> read(const std::string& text) {
    Diagnostics diagnostics;
    auto signatures = read_ze_info(text, 0, diagnostics);
    EXPECT_TRUE(signatures) << text;
    for (const Diagnostic& diagnostic : diagnostics.all())
        ADD_FAILURE() << diagnostic.message;
    return signatures ? std::move(*signatures) : std::vector<Signature>(2);
}

struct Level {
    const char* mark;
    const char* named; // in messages
};
constexpr Level of_the_kernel[] = {
    {"kernel", "the kernel"},
    {"user_attributes", "`user_attributes`"},
    {"execution_env", "`execution_env`"},
    {"payload_arguments", "`payload_arguments`"},
    {"per_thread_payload_arguments", "`per_thread_payload_arguments`"},
    {"binding_table_indices", "`binding_table_indices`"},
    {"per_thread_memory_buffers", "`per_thread_memory_buffers`"},
    {"inline_samplers", "`inline_samplers`"},
    {"experimental_properties", "`experimental_properties`"},
    {"debug_env", "`debug_env`"},
    {"kernels_misc_info", "`kernels_misc_info`"},
    {"args_info", "`args_info`"},
};

TEST(KnownKeys, TheWholeMetadataIsKnown) {
    for (const Signature& signature : read(with("", ""))) {
        EXPECT_EQ(signature.unknown, Names{});
        EXPECT_EQ(signature.unknown_in_functions, Names{});
    }
}

TEST(KnownKeys, AnUnknownKeyOnEachLevelIsNamed) {
    for (const Level& level : of_the_kernel) {
        SCOPED_TRACE(level.mark);
        const auto signatures = read(with(level.mark, "surprise: [1, {a: b}]"));
        EXPECT_EQ(signatures[0].unknown, Names{fmt::format("`surprise` in {}", level.named)});
        EXPECT_EQ(signatures[1].unknown, Names{}) << "another kernel of the file";
    }
    for (const char* mark : {"file", "global_host_access_table"}) {
        SCOPED_TRACE(mark);
        for (const Signature& signature : read(with(mark, "surprise: 1"))) {
            ASSERT_EQ(signature.unknown.size(), 1U) << "it may concern every kernel";
            EXPECT_NE(signature.unknown[0].find("`surprise`"), std::string::npos);
        }
    }
    for (const char* mark : {"functions", "functions_env"}) {
        SCOPED_TRACE(mark);
        for (const Signature& signature : read(with(mark, "surprise: 1"))) {
            EXPECT_EQ(signature.unknown, Names{});
            EXPECT_EQ(signature.unknown_in_functions.size(), 1U) << "it concerns kernels that call";
        }
    }
}

struct Entry {
    const char* mark;
    const char* entry;
};
// Keys that Visor knows, with values that it does not.
constexpr Entry unknown_values[] = {
    {"execution_env", "slm_alloc_mode: 1"},
    {"execution_env", "has_rtcalls: true"},
    {"execution_env", "quantum_size: 4"},
    {"execution_env", "require_sync_buffer: true"},
    {"execution_env", "require_assert_buffer: true"},
    {"execution_env", "has_device_enqueue: true"},
    {"execution_env", "has_bindless_image_read: true"},
    {"payload_arguments", "is_pipe: true"},
    {"payload_arguments", "sampler_type: sample_8x8"},
    {"payload_arguments", "image_type: image_5d"},
    {"inline_samplers", "normalized: perhaps"},
    {"user_attributes", "invalid_kernel: too large"},
};

TEST(KnownKeys, UnknownValuesAreNamed) {
    for (const Entry& entry : unknown_values) {
        SCOPED_TRACE(entry.entry);
        const Signature signature = read(with(entry.mark, entry.entry))[0];
        ASSERT_EQ(signature.unknown.size(), 1U);
        const std::string_view key =
            std::string_view(entry.entry).substr(0, std::string_view(entry.entry).find(':'));
        EXPECT_NE(signature.unknown[0].find(key), std::string::npos) << signature.unknown[0];
    }
    std::string text = with("", "");
    for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"stateless", "tagged"},
                                   {"addrspace: global", "addrspace: tensor"},
                                   {"readwrite", "readonce"},
                                   {"usage: single_space", "usage: shared_space"},
                                   {"type: scratch", "type: slm"},
                                   {"filtermode: nearest", "filtermode: cubic"},
                                   {"addrmode: none", "addrmode: spiral"},
                                   {"size: 96", "size: 96\n        offset: 32"},
                                   {"address_qualifier: __global", "address_qualifier: __far"},
                                   {"'1.73'", "'2.0'"}}) {
        SCOPED_TRACE(to);
        std::string changed = text;
        const size_t at = changed.find(from);
        ASSERT_NE(at, std::string::npos);
        if (from == "size: 96") // the key that stands there already
            changed.replace(changed.rfind("offset: 0", at), 9, "offset: 32");
        else
            changed.replace(at, from.size(), to);
        EXPECT_EQ(read(changed)[0].unknown.size(), 1U) << changed;
    }
}

TEST(KnownKeys, HarmlessOnesAreNone) {
    for (const char* entry :
         {"thread_scheduling_mode: round_robin", "indirect_stateless_count: 3", "private_size: 64",
          "spill_size: 128", "has_4gb_buffers: true", "eu_thread_count: 8", "generate_local_id: true",
          "slm_alloc_mode: 0", "has_rtcalls: false"}) {
        const Signature signature = read(with("execution_env", entry))[0];
        EXPECT_EQ(signature.unknown, Names{}) << entry;
    }
    const auto signatures = read(with("file", "l1_cache_policy: wb"));
    EXPECT_EQ(signatures[0].unknown, Names{});
    EXPECT_EQ(signatures[0].inline_bytes, 32U) << "honoured";
    EXPECT_TRUE(signatures[0].needs_implicit_arguments) << "honoured";
}

TEST(KnownKeys, AKeyTwiceIsNamed) {
    EXPECT_EQ(read(with("execution_env", "slm_size: 16\n      slm_size: 32"))[0].unknown,
              Names{"`slm_size` twice in `execution_env`"});
}

// What a launch would refuse is not lost where the metadata become the head of a text.
TEST(KnownKeys, CompactMetadataKeepThem) {
    const std::string_view names[] = {"k"};
    for (const Level& level : of_the_kernel) {
        const auto again = read(compact_ze_info(with(level.mark, "surprise: 1"), names));
        ASSERT_EQ(again.size(), 1U);
        EXPECT_EQ(again[0].unknown.size(), 1U) << level.mark;
    }
    EXPECT_EQ(read(compact_ze_info(with("file", "surprise: 1"), names))[0].unknown.size(), 1U);
    EXPECT_EQ(
        read(compact_ze_info(with("functions_env", "surprise: 1"), names))[0].unknown_in_functions.size(),
        1U);
    EXPECT_EQ(read(compact_ze_info(with("", ""), names))[0].unknown, Names{});
}

// ---- whole files

using File = std::vector<std::byte>;

// The first `from` from byte `begin` on becomes `to`, which is as long.
File patched(File file, std::string_view from, std::string_view to, size_t begin = 0) {
    const auto bytes = std::as_bytes(std::span(from));
    const auto at =
        std::search(file.begin() + static_cast<ptrdiff_t>(begin), file.end(), bytes.begin(), bytes.end());
    EXPECT_NE(at, file.end()) << from;
    if (at != file.end())
        std::memcpy(&*at, to.data(), to.size());
    return file;
}

std::optional<Zebin> zebin_of(const File& file, Diagnostics& diagnostics) {
    return read_zebin(file, diagnostics);
}

class NewerFile : public testing::Test {
protected:
    // What the launch of a file's first kernel, saxpy for skl, is refused with.
    BindError refusal(const File& file) {
        Diagnostics diagnostics;
        const auto zebin = zebin_of(file, diagnostics);
        EXPECT_TRUE(zebin) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
        if (!zebin)
            return {};
        const Program program = program_of(zebin->kernels[0].text, isa::DeviceId::skl);
        const uint64_t y = memory_.allocate(400, "y").value();
        const std::vector<ArgumentValue> values{Buffer{y, 400}, Buffer{y, 400}, bytes_of(2.5F),
                                                bytes_of(100)};
        const auto plan =
            launch::bind(zebin->kernels[0].signature, program, values,
                         {.dimensions = 1, .global = {32, 1, 1}, .local = {32, 1, 1}}, 1, 0, memory_);
        return plan ? BindError{} : plan.error();
    }

    machine::Memory memory_{uint64_t{1} << 30U};
    File saxpy_ = sample_file("saxpy.skl.zebin");
};

TEST_F(NewerFile, AsItIsItIsNotRefused) {
    EXPECT_EQ(refusal(saxpy_).message, "");
}

TEST_F(NewerFile, AKeyIsRefusedByName) {
    const BindError error = refusal(patched(saxpy_, "grf_count:", "gpf_count:"));
    EXPECT_TRUE(error.unsupported);
    EXPECT_EQ(error.message,
              "kernel `saxpy` comes with `gpf_count` in `execution_env`: that is not supported yet");
}

TEST_F(NewerFile, ASectionIsRefusedByName) {
    const BindError error = refusal(patched(saxpy_, ".note.intelgt.metrics", ".note.intelgt.matrixx"));
    EXPECT_TRUE(error.unsupported);
    EXPECT_EQ(error.message, "kernel `saxpy` comes with section `.note.intelgt.matrixx` of type 0x7: that is "
                             "not supported yet");
}

TEST_F(NewerFile, AnInterfaceIsRefusedByName) {
    File file = saxpy_;
    file[8] = std::byte{3};
    const BindError error = refusal(file);
    EXPECT_TRUE(error.unsupported);
    EXPECT_EQ(error.message,
              "kernel `saxpy` comes with version 3 of the binary interface in its ELF header: that is "
              "not supported yet");
}

TEST_F(NewerFile, APayloadKindIsRefusedByName) {
    const BindError error = refusal(patched(saxpy_, "enqueued_local_size", "enqueued_local_sign"));
    EXPECT_TRUE(error.unsupported);
    EXPECT_NE(error.message.find("`enqueued_local_sign`"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("`saxpy`"), std::string::npos) << error.message;
}

// A text made of the file is refused for the same.
TEST_F(NewerFile, ASectionStaysInATextMadeOfIt) {
    Diagnostics diagnostics;
    const auto zebin =
        zebin_of(patched(saxpy_, ".note.intelgt.metrics", ".note.intelgt.matrixx"), diagnostics);
    ASSERT_TRUE(zebin);
    const auto again = read_annotations(annotations(*zebin, isa::DeviceId::skl), diagnostics);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->kernels.at(0).signature.unknown, zebin->kernels.at(0).signature.unknown);
    EXPECT_EQ(again->unknown.size(), 1U);
}

// The note of the product family: "IntelGT", type 1, four bytes.
size_t product_of(const File& file) {
    constexpr std::string_view note{"\x08\0\0\0\x04\0\0\0\x01\0\0\0IntelGT\0", 20};
    const auto bytes = std::as_bytes(std::span(note));
    const auto at = std::search(file.begin(), file.end(), bytes.begin(), bytes.end());
    EXPECT_NE(at, file.end());
    return static_cast<size_t>(at - file.begin());
}

std::string product_message(const File& file) {
    Diagnostics diagnostics;
    EXPECT_FALSE(zebin_of(file, diagnostics));
    EXPECT_EQ(diagnostics.unsupported_count(), 1U);
    EXPECT_EQ(diagnostics.errors(), 0U);
    return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

constexpr std::string_view known_products =
    "Visor knows 18 to 23 (skl), 25 to 28 (icllp), 29 to 30 (tgllp), 31 to 33 (adl), 1210 (dg1), 1250 "
    "(xehp), "
    "1270 (dg2), 1271 (pvc), 1272 (mtl), 1273 (arl), 1274 (bmg), 1275 (lnl), 1300 (ptl), 1340 (nvl-s), "
    "1360 (nvl-p), 1380 (cri)";

TEST_F(NewerFile, AnUnknownProductIsNotTakenForAnother) {
    const size_t at = product_of(saxpy_);
    for (const uint32_t family : {1290U, 1310U, 24U, 0U}) {
        File file = saxpy_;
        std::memcpy(&file[at + 20], &family, sizeof family);
        EXPECT_EQ(product_message(file),
                  fmt::format("this file was compiled for product family {}: {}", family, known_products));
    }
    File silent = saxpy_;
    silent[at + 8] = std::byte{2}; // a family of cores
    EXPECT_EQ(
        product_message(silent),
        fmt::format("this file does not say which product family it was compiled for: {}", known_products));
}

// What newer compilers make of explicit SIMD has family 0 and a configuration: 10 bits of architecture, 8 of
// the release, 6 of the revision at the end.
TEST_F(NewerFile, WithoutAFamilyTheConfigurationTellsTheProduct) {
    constexpr std::string_view cores{"\x08\0\0\0\x04\0\0\0\x02\0\0\0IntelGT\0", 20};
    constexpr std::string_view configuration{"\x08\0\0\0\x04\0\0\0\x06\0\0\0IntelGT\0", 20};
    const size_t family_at = product_of(saxpy_);
    File file = patched(saxpy_, cores, configuration);
    const auto bytes = std::as_bytes(std::span(configuration));
    const auto at =
        static_cast<size_t>(std::ranges::search(file, bytes).begin() - file.begin()) + configuration.size();
    const auto with = [&](uint32_t family, uint32_t version) {
        std::memcpy(&file[family_at + 20], &family, sizeof family);
        std::memcpy(&file[at], &version, sizeof version);
        return file;
    };
    Diagnostics diagnostics;
    for (const auto& [version, device] : {std::pair{0x02400009U, isa::DeviceId::skl},
                                          {0x030e4000U, isa::DeviceId::dg2},
                                          {0x030f0007U, isa::DeviceId::pvc},
                                          {0x05004000U, isa::DeviceId::bmg}}) {
        const auto zebin = zebin_of(with(0, version), diagnostics);
        ASSERT_TRUE(zebin);
        EXPECT_EQ(zebin->device, device);
    }
    EXPECT_EQ(
        product_message(with(0, 0x03900005)),
        fmt::format("this file was compiled for version 14.64.5 of the graphics IP: {}", known_products));
    EXPECT_EQ(product_message(with(24, 0x030f0007)),
              fmt::format("this file was compiled for product family 24: {}", known_products));
}

TEST_F(NewerFile, AnUnknownNoteIsRefusedByName) {
    File file = saxpy_;
    const size_t at = product_of(file);
    constexpr std::string_view another{"\x08\0\0\0\x04\0\0\0\x02\0\0\0IntelGT\0", 20};
    file = patched(file, another, std::string_view("\x08\0\0\0\x04\0\0\0\x09\0\0\0IntelGT\0", 20), at);
    const BindError error = refusal(file);
    EXPECT_TRUE(error.unsupported);
    EXPECT_EQ(error.message, "kernel `saxpy` comes with a note of type 9 in `.note.intelgt.compat`: that is "
                             "not supported yet");
}

TEST_F(NewerFile, KernelsThatCallAreRefusedForWhatFunctionsHave) {
    Diagnostics diagnostics;
    const auto zebin = zebin_of(saxpy_, diagnostics);
    ASSERT_TRUE(zebin);
    Signature signature = zebin->kernels[0].signature;
    signature.unknown_in_functions = {"`surprise` in function `f`"};
    Program program = program_of(zebin->kernels[0].text, isa::DeviceId::skl);
    const uint64_t y = memory_.allocate(400, "y").value();
    const std::vector<ArgumentValue> values{Buffer{y, 400}, Buffer{y, 400}, bytes_of(2.5F), bytes_of(100)};
    const Geometry geometry{.dimensions = 1, .global = {32, 1, 1}, .local = {32, 1, 1}};
    EXPECT_TRUE(launch::bind(signature, program, values, geometry, 1, 0, memory_));
    program.calls = true;
    const auto plan = launch::bind(signature, program, values, geometry, 1, 0, memory_);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message,
              "kernel `saxpy` comes with `surprise` in function `f`: that is not supported yet");
}

// ---- sections and attributes

TEST(KnownSections, ByNameAndType) {
    const auto known = [](const char* name, uint32_t type) {
        ElfSection section;
        section.name = name;
        section.type = type;
        return is_known(section);
    };
    EXPECT_TRUE(known(".text.k", 1));
    EXPECT_TRUE(known(".debug_info", 1));
    EXPECT_TRUE(known(".rel.debug_info", 9));
    EXPECT_TRUE(known(".gtpin_info.k", 0xff000012));
    EXPECT_TRUE(known(".misc.specConstantsIds", 0xff000014));
    EXPECT_TRUE(known(".note.intelgt.metrics", 7));
    EXPECT_FALSE(known(".text.k", 0xff000099)) << "another type";
    EXPECT_FALSE(known(".visaasm", 1));
    EXPECT_FALSE(known(".textual", 1));
    EXPECT_FALSE(known(".misc.layout", 0xff000014));
    EXPECT_FALSE(known(".note.intelgt.new", 7));
    EXPECT_FALSE(known(".tls", 1));
}

TEST(KnownAttributes, OfFunctionsAndVariables) {
    Function function;
    function.attributes = {{.name = "SimdSize", .has_number = true, .number = 16}, {.name = "Extern"}};
    function.general.push_back({.name = "x", .attributes = {{.name = "Output"}}});
    EXPECT_FALSE(unknown_attribute(function));
    function.surfaces.push_back({.name = "T6", .attributes = {{.name = "Tiled"}}});
    EXPECT_EQ(unknown_attribute(function), "`Tiled`");
    function.attributes.push_back({.name = "Wave"});
    EXPECT_EQ(unknown_attribute(function), "`Wave`");
}

} // namespace
} // namespace visor::launch
