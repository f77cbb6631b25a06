// States that no binding table holds: what their handles are, and what stands behind them (ruling 176).
// Values by hand: surfaces from 257 on, samplers from 16 on, handles 64 times that; the scratch block is 256.
#include "launch/bind.h"
#include "sample.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

uint64_t qword_at(const std::vector<uint32_t>& dwords, size_t index) {
    return dwords.at(index) | uint64_t{dwords.at(index + 1)} << 32U;
}

class States : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{1} << 30U};
    uint64_t buffer_ = memory_.allocate(400, "buffer").value();
    uint64_t constants_ = memory_.allocate(22, "constants").value();
    uint64_t variables_ = memory_.allocate(64, "variables").value();
    ProgramData data_{{constants_, 22}, {variables_, 64}};
    Program program_ = program_of(".decl all v_type=G type=ud num_elts=16\n.input all offset=32 size=64\n"
                                  ".kernel_attr SimdSize=16\n",
                                  isa::DeviceId::skl);

    static Signature signature(std::vector<PayloadItem> payload) {
        Signature out;
        out.name = "k";
        out.simd = 16;
        out.payload = std::move(payload);
        out.arguments = {{.index = 0, .kind = ArgumentKind::global_pointer}};
        out.inline_samplers = {{.index = 0, .address_mode = "clamp_edge", .filter_mode = "linear"}};
        return out;
    }
    static PayloadItem item(PayloadKind kind, uint32_t offset, uint32_t bytes,
                            AddressMode mode = AddressMode::none) {
        return {.kind = kind, .property = "item", .offset = offset, .bytes = bytes, .mode = mode};
    }
    Plan bound(const Signature& signature) {
        const Geometry one{.dimensions = 1, .global = {16, 1, 1}, .local = {16, 1, 1}};
        const std::vector<ArgumentValue> values{Buffer{buffer_, 400}};
        auto plan = launch::bind(signature, program_, values, one, 1, 0, memory_, data_);
        EXPECT_TRUE(plan) << plan.error().message;
        return plan ? std::move(*plan) : Plan{.launches = {machine::Launch{}}};
    }
};

TEST_F(States, DataOfTheProgram) {
    PayloadItem constants = item(PayloadKind::const_base, 0, 8);
    constants.binding = 3;
    const Plan plan = bound(signature({constants, item(PayloadKind::global_base, 8, 8),
                                       item(PayloadKind::global_base, 16, 4, AddressMode::bindless)}));
    const machine::Launch& launch = plan.launches.at(0);
    const StartState state(launch);
    const std::vector<uint32_t> dwords = state.dwords(32);
    EXPECT_EQ(qword_at(dwords, 0), constants_);
    EXPECT_EQ(qword_at(dwords, 2), variables_);
    EXPECT_EQ(dwords.at(4), 16448U);
    ASSERT_EQ(launch.surfaces.size(), 258U);
    EXPECT_EQ(launch.surfaces[3].address, constants_);
    EXPECT_EQ(launch.surfaces[3].bytes, 24U) << "whole dwords";
    EXPECT_EQ(launch.surfaces[3].padding, 2U);
    EXPECT_EQ(launch.surfaces[257].address, variables_);
    EXPECT_EQ(launch.surfaces[257].bytes, 64U);
    EXPECT_EQ(launch.surfaces[4].kind, machine::SurfaceKind::none);
}

TEST_F(States, ArgumentsAndSamplers) {
    PayloadItem sampler = item(PayloadKind::inline_sampler, 0, 8, AddressMode::bindless);
    sampler.sampler = 0;
    PayloadItem argument = item(PayloadKind::argument_pointer, 8, 4, AddressMode::bindless);
    argument.argument = 0;
    const Plan plan = bound(signature({sampler, argument, item(PayloadKind::scratch_state, 16, 8)}));
    const machine::Launch& launch = plan.launches.at(0);
    const std::vector<uint32_t> dwords = StartState(launch).dwords(32);
    EXPECT_EQ(dwords.at(0), 1024U);
    EXPECT_EQ(dwords.at(2), 16448U);
    EXPECT_EQ(dwords.at(4), 16384U);
    ASSERT_EQ(launch.samplers.size(), 17U);
    EXPECT_EQ(launch.samplers[16].address, machine::AddressMode::clamp_to_edge);
    EXPECT_EQ(launch.samplers[16].filter, machine::FilterMode::linear);
    ASSERT_EQ(launch.surfaces.size(), 258U);
    EXPECT_EQ(launch.surfaces[257].address, buffer_);
    EXPECT_EQ(launch.surfaces[257].bytes, 400U);
}

TEST_F(States, ThePayloadBehindTheInlineDataIsInMemoryToo) {
    PayloadItem argument = item(PayloadKind::argument_pointer, 40, 8, AddressMode::stateless);
    argument.argument = 0;
    Signature with = signature({item(PayloadKind::indirect_data, 0, 8), argument});
    with.inline_bytes = 32;
    const Plan plan = bound(with);
    ASSERT_EQ(plan.resources.allocations.size(), 1U);
    const uint64_t place = plan.resources.allocations[0];
    EXPECT_EQ(qword_at(StartState(plan.launches.at(0)).dwords(32), 0), place);
    uint64_t address = 0;
    std::memcpy(&address, machine::Memory::host(place) + 8, sizeof address);
    EXPECT_EQ(address, buffer_);
}

TEST(Zebin, ZeroFilledVariablesLieBehindTheOthers) {
    const Zebin zebin =
        sample("../../cases/newer/data/places.bmg.zebin"); // counted = 5, four zeros behind it
    const auto section = std::ranges::find(zebin.sections, ".data.global", &DataSection::name);
    ASSERT_NE(section, zebin.sections.end());
    EXPECT_EQ(section->bytes, section->content.size() + 16);
    const auto symbol = [&](std::string_view name) -> const Symbol& {
        return *std::ranges::find(zebin.symbols, name, &Symbol::name);
    };
    EXPECT_EQ(symbol("zeroed").section, section - zebin.sections.begin());
    EXPECT_GE(symbol("zeroed").offset, section->content.size());
    EXPECT_LE(symbol("zeroed").offset + 16, section->bytes);
    uint32_t counted = 0;
    std::memcpy(&counted, section->content.data() + symbol("counted").offset, sizeof counted);
    EXPECT_EQ(counted, 5U);
}

} // namespace
} // namespace visor::launch
