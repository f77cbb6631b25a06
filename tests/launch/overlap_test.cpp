// Ranges by hand; the payload is the compiler's, as the launch ABI's worked example tabulates it.
#include "launch/overlap.h"

#include "isa/predefined.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;

TEST(Overlap, OfRanges) {
    EXPECT_EQ(overlaps({}), Pairs{});
    EXPECT_EQ(overlaps({{4, 8}, {0, 4}, {8, 12}}), Pairs{}) << "side by side";
    EXPECT_EQ(overlaps({{4, 8}, {0, 5}}), (Pairs{{1, 0}})) << "the one that begins first";
    EXPECT_EQ(overlaps({{4, 8}, {4, 8}}), (Pairs{{0, 1}}));
    EXPECT_EQ(overlaps({{0, 100}, {10, 20}, {50, 60}, {100, 101}}), (Pairs{{0, 1}, {0, 2}}))
        << "a short one does not hide a long one";
    EXPECT_EQ(overlaps({{0, 8}, {4, 4}, {6, 5}}), Pairs{}) << "empty ones";
    EXPECT_EQ(overlaps({{UINT64_MAX - 1, UINT64_MAX}, {0, UINT64_MAX}}), (Pairs{{1, 0}}));
}

TEST(Overlap, OfThePayload) {
    const Signature good = sample("saxpy.skl.zebin").kernels.at(0).signature;
    EXPECT_EQ(payload_overlap(good), std::nullopt);
    const auto with = [&](uint32_t offset, uint32_t bytes) {
        Signature signature = good;
        signature.payload.push_back({.kind = PayloadKind::argument_value,
                                     .property = "arg_byvalue",
                                     .offset = offset,
                                     .bytes = bytes,
                                     .argument = 3});
        return payload_overlap(signature).value_or("");
    };
    EXPECT_EQ(with(43, 2), "kernel `saxpy`: `buffer_address` of argument 1 (offset 40, 8 bytes) and "
                           "`arg_byvalue` of argument 3 (offset 43, 2 bytes) share bytes of the payload");
    EXPECT_EQ(with(51, 1), "kernel `saxpy`: `arg_byvalue` of argument 2 (offset 48, 4 bytes) and "
                           "`arg_byvalue` of argument 3 (offset 51, 1 byte) share bytes of the payload");
    EXPECT_EQ(with(0, UINT32_MAX),
              "kernel `saxpy`: `global_id_offset` (offset 0, 12 bytes) and `arg_byvalue` of argument 3 "
              "(offset 0, 4294967295 bytes) share bytes of the payload");
    EXPECT_EQ(with(43, 0), "") << "it is not there";
    EXPECT_EQ(with(24, 8), "") << "the header's last two dwords are free";
}

TEST(Overlap, OfInputs) {
    Program program = program_of(".decl ids v_type=G type=w num_elts=16\n"
                                 ".decl y v_type=G type=uq num_elts=1\n"
                                 ".input ids offset=32 size=32\n"
                                 ".input y offset=256 size=8\n",
                                 isa::DeviceId::skl);
    EXPECT_EQ(input_overlap(program), std::nullopt);
    const uint32_t first = isa::first_user_general;
    program.variables[first + 1].base = program.variables[first].base + 31;
    const std::string both = "kernel `sample`: the inputs `ids` and `y` share bytes of the register file";
    EXPECT_EQ(input_overlap(program), both);
    ++program.variables[first + 1].base;
    EXPECT_EQ(input_overlap(program), std::nullopt) << "side by side";

    program.variables[first + 1].base = program.variables[first].base;
    auto function = std::make_shared<Function>(*program.function);
    program.function = function;
    EXPECT_EQ(input_overlap(program), both);
    function->inputs[1].implicit = static_cast<uint8_t>(ImplicitKind::pseudo_input);
    EXPECT_EQ(input_overlap(program), std::nullopt) << "no value comes with it";
    function->inputs[1].implicit = 0;
    program.variables[first + 1].used = false;
    EXPECT_EQ(input_overlap(program), std::nullopt) << "it has no storage";
    function->inputs[1].id = first;
    EXPECT_EQ(input_overlap(program),
              "kernel `sample`: the inputs `ids` and `ids` share bytes of the register file");
}

TEST(Overlap, OfAnInputAndAPredefinedVariable) {
    Program program =
        program_of(".decl x v_type=G type=d num_elts=1\n.input x offset=32 size=4\n", isa::DeviceId::skl);
    auto function = std::make_shared<Function>(*program.function);
    function->general[0].alias = static_cast<uint32_t>(isa::Predefined::r0);
    program.function = function;
    EXPECT_EQ(input_overlap(program),
              "kernel `sample`: the input `x` shares bytes with the predefined variable `%r0`");
}

} // namespace
} // namespace visor::launch
