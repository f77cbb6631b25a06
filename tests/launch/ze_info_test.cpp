#include "launch/ze_info.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

struct Read {
    std::optional<std::vector<Signature>> signatures;
    Diagnostics diagnostics;
};

Read read(std::string_view text) {
    Read out;
    out.signatures = read_ze_info(text, 1000, out.diagnostics);
    return out;
}

std::string error_of(std::string_view text) {
    const Read result = read(text);
    EXPECT_FALSE(result.signatures);
    return result.diagnostics.all().empty() ? "" : result.diagnostics.all().front().message;
}

// A kernel with `more` lines, which are indented by four.
std::string kernel(std::string_view more, std::string_view environment = "simd_size: 16") {
    return fmt::format("version: '1.99'\nkernels:\n  - name: k\n    execution_env:\n      {}\n{}",
                       environment, more);
}

TEST(ZeInfo, UnknownLaunchParametersAreKeptByName) {
    const Read result = read(kernel("    payload_arguments:\n"
                                    "      - {arg_type: rt_stack_id, offset: 8, size: 4}\n"
                                    "    per_thread_payload_arguments:\n"
                                    "      - {arg_type: packed_local_ids, offset: 0, size: 6}\n"));
    ASSERT_TRUE(result.signatures);
    const Signature& signature = result.signatures->at(0);
    ASSERT_EQ(signature.payload.size(), 2U);
    EXPECT_EQ(signature.payload[0].kind, PayloadKind::unknown);
    EXPECT_EQ(signature.payload[0].property, "rt_stack_id");
    EXPECT_EQ(signature.payload[1].kind, PayloadKind::unknown);
    EXPECT_EQ(signature.payload[1].property, "packed_local_ids");
    EXPECT_FALSE(signature.has_local_ids);
}

TEST(ZeInfo, EveryLaunchParameterOfTheCompiler) {
    const std::pair<const char*, PayloadKind> kinds[] = {
        {"global_id_offset", PayloadKind::global_id_offset},
        {"local_size", PayloadKind::local_size},
        {"enqueued_local_size", PayloadKind::enqueued_local_size},
        {"group_count", PayloadKind::group_count},
        {"global_size", PayloadKind::global_size},
        {"work_dimensions", PayloadKind::work_dimensions},
        {"private_base_stateless", PayloadKind::private_base},
        {"printf_buffer", PayloadKind::printf_buffer},
        {"implicit_arg_buffer", PayloadKind::implicit_arguments},
        {"image_num_mip_levels", PayloadKind::image_property},
        {"flat_image_pitch", PayloadKind::image_property},
        {"sampler_address", PayloadKind::sampler_address},
        {"sampler_normalized", PayloadKind::sampler_normalized},
        {"sampler_snap_wa", PayloadKind::sampler_snap},
    };
    for (const auto& [name, kind] : kinds) {
        const Read result = read(kernel(
            fmt::format("    payload_arguments:\n      - {{arg_type: {}, offset: 4, size: 4}}\n", name)));
        ASSERT_TRUE(result.signatures) << name;
        EXPECT_EQ(result.signatures->at(0).payload.at(0).kind, kind) << name;
    }
}

TEST(ZeInfo, ArgumentsWithoutNamesComeFromThePayload) {
    const Read result =
        read(kernel("    payload_arguments:\n"
                    "      - {arg_type: arg_byvalue, offset: 40, size: 4, arg_index: 0, source_offset: 12}\n"
                    "      - {arg_type: arg_byvalue, offset: 44, size: 8, arg_index: 0, source_offset: 0}\n"
                    "      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 2, addrmode: stateful, "
                    "addrspace: constant}\n"
                    "      - {arg_type: arg_bypointer, offset: 52, size: 8, arg_index: 3, addrmode: slm, "
                    "addrspace: local, slm_alignment: 8}\n"
                    "      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 4, addrmode: stateful, "
                    "addrspace: image, access_type: writeonly}\n"
                    "      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 5, addrmode: stateful, "
                    "addrspace: sampler}\n"));
    ASSERT_TRUE(result.signatures);
    const std::vector<Argument>& arguments = result.signatures->at(0).arguments;
    ASSERT_EQ(arguments.size(), 6U);
    EXPECT_EQ(arguments[0].kind, ArgumentKind::value);
    EXPECT_EQ(arguments[0].bytes, 16U) << "its last piece ends there";
    EXPECT_FALSE(arguments[1].used);
    EXPECT_EQ(arguments[2].kind, ArgumentKind::constant_pointer);
    EXPECT_EQ(arguments[3].kind, ArgumentKind::local_pointer);
    EXPECT_EQ(arguments[3].slm_alignment, 8U);
    EXPECT_EQ(arguments[4].kind, ArgumentKind::image);
    EXPECT_EQ(arguments[4].access, "write_only");
    EXPECT_EQ(arguments[5].kind, ArgumentKind::sampler);
}

TEST(ZeInfo, AnArgumentThatTheCompilerRemovedIsKept) {
    const Read result = read(kernel("") + "kernels_misc_info:\n  - name: k\n    args_info:\n"
                                          "      - {index: 0, name: gone, address_qualifier: __global, "
                                          "access_qualifier: NONE, type_name: 'float*;8'}\n");
    ASSERT_TRUE(result.signatures);
    const Argument& argument = result.signatures->at(0).arguments.at(0);
    EXPECT_EQ(argument.kind, ArgumentKind::global_pointer);
    EXPECT_EQ(argument.type_name, "float*");
    EXPECT_FALSE(argument.used);
}

TEST(ZeInfo, WalkOrder) {
    const Read result = read(kernel("", "simd_size: 8\n      work_group_walk_order_dimensions: [2, 0, 1]"));
    ASSERT_TRUE(result.signatures);
    EXPECT_EQ(result.signatures->at(0).walk_order, (std::array<uint8_t, 3>{2, 0, 1}));
    // Fewer local ids, or the dummy: read, and refused when such a kernel is launched.
    const Read twice = read(kernel("", "simd_size: 8\n      work_group_walk_order_dimensions: [2, 0, 2]"));
    ASSERT_TRUE(twice.signatures);
    EXPECT_EQ(twice.signatures->at(0).unknown,
              std::vector<std::string>{"`work_group_walk_order_dimensions: [2, 0, 2]` in `execution_env`"});
}

// Groups of one work-item in the dimensions that are not named.
TEST(ZeInfo, WalkOrderOfRequiredSizes) {
    const auto order_of = [](const std::string& order, const std::string& size) {
        const Read result = read(kernel("", fmt::format("simd_size: 8\n      required_work_group_size: {}\n"
                                                        "      work_group_walk_order_dimensions: {}",
                                                        size, order)));
        return std::pair(result.signatures->at(0).walk_order, result.signatures->at(0).unknown.empty());
    };
    using Order = std::array<uint8_t, 3>;
    EXPECT_EQ(order_of("[0, 0, 0]", "[1, 1, 1]"), std::pair(Order{0, 1, 2}, true));
    EXPECT_EQ(order_of("[2, 2, 2]", "[1, 1, 8]"), std::pair(Order{2, 0, 1}, true));
    EXPECT_EQ(order_of("[2, 0, 0]", "[4, 1, 8]"), std::pair(Order{2, 0, 1}, true));
    EXPECT_EQ(order_of("[0, 0, 0]", "[1, 2, 1]"), std::pair(Order{0, 0, 0}, false));
    EXPECT_EQ(order_of("[0, 0, 0]", "[0, 0, 0]"), std::pair(Order{0, 0, 0}, false)); // none is required
}

TEST(ZeInfo, DamageIsNamed) {
    EXPECT_EQ(error_of("just text"), "the metadata is no map");
    EXPECT_EQ(error_of("kernels: 7\n"), "`kernels` is no list");
    EXPECT_EQ(error_of("kernels: [7]\n"), "an element of `kernels` is no map");
    EXPECT_EQ(error_of(kernel("", "simd_size: 12")), "kernel `k` has a SIMD size of 12");
    EXPECT_EQ(error_of(kernel("", "simd_size: x")), "`simd_size` is no number");
    EXPECT_EQ(error_of(kernel("    binding_table_indices:\n      - {bti_value: 999, arg_index: 0}\n")),
              "`bti_value` is 999, which is more than 239");
    EXPECT_EQ(
        error_of(kernel("    payload_arguments:\n      - {arg_type: arg_byvalue, offset: 0, size: 4}\n")),
        "`arg_byvalue` has no arg_index");
    EXPECT_EQ(
        error_of(kernel("    payload_arguments:\n      - {arg_type: local_size, offset: -4, size: 4}\n")),
        "`offset` is no number");
    EXPECT_EQ(error_of(kernel("", "simd_size: 8\n      required_work_group_size: [1, 2]")),
              "`required_work_group_size` is no list of three numbers");
    EXPECT_TRUE(error_of("kernels: [\n").starts_with("the metadata is no YAML: "));
    EXPECT_TRUE(error_of(std::string(100'000, '[')).starts_with("the metadata is no YAML: "));
    EXPECT_EQ(error_of(std::string(size_t{9} << 20U, ' ')),
              "the metadata has 9437184 bytes; the limit is 8388608");
}

TEST(ZeInfo, ErrorsPointIntoTheFile) {
    const std::string text = kernel("", "simd_size: 12");
    const Read result = read(text);
    ASSERT_FALSE(result.diagnostics.all().empty());
    const uint32_t offset = result.diagnostics.all().front().where->offset;
    EXPECT_EQ(offset, 1000 + text.find("simd_size")) << "the execution_env";
}

TEST(ZeInfo, ItemsThatShareBytesAreRefusedWithBothPlaces) {
    const std::string text = kernel("    payload_arguments:\n"
                                    "      - {arg_type: buffer_offset, offset: 40, size: 4, arg_index: 1}\n"
                                    "      - {arg_type: private_base_stateless, offset: 35, size: 8}\n"
                                    "      - {arg_type: local_size, offset: 12, size: 24}\n"
                                    "      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 0}\n"
                                    "      - {arg_type: work_dimensions, offset: 44, size: 4}\n");
    const Read result = read(text);
    EXPECT_FALSE(result.signatures);
    ASSERT_EQ(result.diagnostics.all().size(), 2U);
    const Diagnostic& first = result.diagnostics.all()[0];
    EXPECT_EQ(first.rule, "input-overlap");
    EXPECT_EQ(first.message, "kernel `k`: `local_size` (offset 12, 24 bytes) and `private_base_stateless` "
                             "(offset 35, 8 bytes) share bytes of the payload");
    EXPECT_EQ(first.where->offset, 1000 + text.find("{arg_type: private"));
    ASSERT_EQ(first.notes.size(), 1U);
    EXPECT_EQ(first.notes[0].message, "the other one");
    EXPECT_EQ(first.notes[0].where->offset, 1000 + text.find("{arg_type: local_size"));
    EXPECT_EQ(result.diagnostics.all()[1].message,
              "kernel `k`: `private_base_stateless` (offset 35, 8 bytes) and `buffer_offset` of argument 1 "
              "(offset 40, 4 bytes) share bytes of the payload");
}

TEST(ZeInfo, ItemsOfAThreadThatShareBytesAreRefused) {
    const std::string cross = "    payload_arguments:\n"
                              "      - {arg_type: local_size, offset: 0, size: 12}\n";
    const std::string ids = "    per_thread_payload_arguments:\n"
                            "      - {arg_type: local_id, offset: 0, size: 96}\n";
    EXPECT_TRUE(read(kernel(cross + ids)).signatures) << "the two lists lie one behind the other";
    EXPECT_EQ(error_of(kernel(cross + ids + "      - {arg_type: local_id, offset: 95, size: 1}\n")),
              "kernel `k`: `local_id` (offset 0, 96 bytes) and `local_id` (offset 95, 1 byte) share bytes of "
              "the payload");
    EXPECT_EQ(
        error_of(kernel(cross + ids + "      - {arg_type: local_id, offset: 0, size: 96}\n")),
        "kernel `k`: `local_id` (offset 0, 96 bytes) and `local_id` (offset 0, 96 bytes) share bytes of "
        "the payload");
    EXPECT_TRUE(
        read(kernel(cross + ids + "      - {arg_type: local_id, offset: 96, size: 96}\n")).signatures);
}

// Fifty characters ask for 4096 arguments each: of 2,000 such kernels there would be 8 million.
TEST(ZeInfo, ArgumentsThatTheTextHasNoRoomForAreRefused) {
    const std::string one =
        "  - {name: k, execution_env: {simd_size: 8}, binding_table_indices: [{bti_value: 0, "
        "arg_index: 4095}]}\n";
    const Read alone = read("kernels:\n" + one);
    ASSERT_TRUE(alone.signatures);
    EXPECT_EQ(alone.signatures->at(0).arguments.size(), 4096U);
    std::string many = "kernels:\n";
    for (int i = 0; i < 2000; ++i)
        many += one;
    EXPECT_EQ(error_of(many), "the kernels up to `k` have far more arguments than the metadata describes");
}

TEST(ZeInfo, AliasesAreRefused) {
    EXPECT_EQ(error_of("kernels:\n  - &k {name: k, execution_env: {simd_size: 8}}\n  - *k\n"),
              "the metadata is no YAML: an alias (`*`), which no compiler writes");
}

TEST(ZeInfo, WithoutKernelsHasACompactForm) {
    for (const char* text : {"version: '1.20'\nkernels:\n", "kernels: []\n", "version: '1.20'\n", "{}",
                             "kernels:\nkernels:\n  - - a\n",
                             "kernels: []\nkernels_misc_info:\nkernels_misc_info: 1\nkernels:\n  - a\n",
                             "kernels:\n---\nversion: '1.20'\nkernels:\n  - a\n"}) {
        SCOPED_TRACE(text);
        const Read result = read(text);
        ASSERT_TRUE(result.signatures);
        EXPECT_TRUE(result.signatures->empty());
        const Read again = read(compact_ze_info(text, {}));
        ASSERT_TRUE(again.signatures);
        EXPECT_TRUE(again.signatures->empty());
    }
}

TEST(ZeInfo, ControlCharactersAreRefused) {
    const std::string before = "kernels:\n  - {name: k";
    const std::string after = ", execution_env: {simd_size: 8}}\r\n";
    for (const char c : {'\0', '\b', '\x1b', '\x7f', '\r'})
        EXPECT_EQ(error_of(std::string(before).append(1, c).append(after)),
                  "the metadata is no YAML: it has control characters");
    EXPECT_TRUE(read(before + "\t" + after).signatures);
    // By an escape sequence, as a key or a value.
    for (const char* const scalar : {R"("a\r": b)", R"(a: "\e")", R"(a: "b\x7f")"})
        EXPECT_EQ(error_of("kernels:\n  - {name: k, " + std::string(scalar) + after),
                  "the metadata is no YAML: it has control characters");
}

TEST(ZeInfo, OtherEncodingsAreRefused) {
    EXPECT_EQ(error_of("kernels:\n  - {name: \"\x9d\", execution_env: {simd_size: 8}}\n"),
              "the metadata is no YAML: it is not UTF-8");
    EXPECT_EQ(error_of(std::string("\xff\xfek\0e\0", 6)), "the metadata is no YAML: it is not UTF-8");
    EXPECT_TRUE(read("kernels:\n  - {name: \"\xc3\xa4\", execution_env: {simd_size: 8}}\n").signatures);
}

// What refuses a launch from the file refuses it from a text as well.
TEST(ZeInfo, KeysOfTheFileThatStandTwiceStayInTheCompactForm) {
    const std::string text = kernel("") + "version: '1.20'\nkernels: []\n? [a, list]\n: 1\n";
    const std::vector<std::string> wanted{"`version` twice in the file", "`kernels` twice in the file",
                                          "`...` in the file"};
    const Read result = read(text);
    ASSERT_TRUE(result.signatures);
    EXPECT_EQ(result.signatures->at(0).unknown, wanted);
    const std::vector<std::string_view> names{"k"};
    const Read again = read(compact_ze_info(text, names));
    ASSERT_TRUE(again.signatures);
    std::vector<std::string> found = again.signatures->at(0).unknown;
    std::vector<std::string> sorted = wanted;
    std::ranges::sort(found);
    std::ranges::sort(sorted);
    EXPECT_EQ(found, sorted);
}

// One reason to refuse a launch is enough; each kernel has those of the whole file.
TEST(ZeInfo, OfWhatIsUnknownTheFirstOnesAreKept) {
    std::string text = kernel("");
    for (int i = 0; i < 1000; ++i)
        text += fmt::format("strange{}: 1\n", i);
    const Read result = read(text);
    ASSERT_TRUE(result.signatures);
    EXPECT_EQ(result.signatures->at(0).unknown.size(), 16U);
    EXPECT_EQ(result.signatures->at(0).unknown.front(), "`strange0` in the file");
}

} // namespace
} // namespace visor::launch
