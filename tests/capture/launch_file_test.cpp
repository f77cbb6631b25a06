// What the launch file of a captured launch says of hand-written kernels and of replaced texts.
#include "capture/launch_file.h"

#include <array>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace visor::capture {
namespace {

class CapturedByHand : public testing::Test {
protected:
    std::array<std::byte, 8> memory_{};
    Launch launch_;

    CapturedByHand() {
        launch_.kernel = "k";
        launch_.device = "skl";
        launch_.code_file = visa_text_file;
        launch_.by_hand = HandSizes{.simd = 16, .slm_bytes = 1024};
        launch_.arguments = {{"lanes", "ud", machine::Filler::lane},
                             {"n", "d", std::vector<std::byte>(4)},
                             {"surface 3", "", Object{.bytes = memory_, .number = 1}, Target::surface, 3},
                             {"sampler 2", "",
                              machine::Sampler{.address = machine::AddressMode::clamp_to_edge,
                                               .filter = machine::FilterMode::linear,
                                               .comparison = machine::Comparison::less_or_equal},
                              Target::sampler, 2}};
    }
    [[nodiscard]] nlohmann::json document() const {
        const Outcome outcome{.over = true, .failure = "", .local = {8, 1, 1}};
        return nlohmann::json::parse(launch_file_of(launch_, blocks_of(launch_), outcome));
    }
};

TEST_F(CapturedByHand, ArgumentsHaveNamesAndIndices) {
    const auto launch = document()["launches"][0];
    EXPECT_EQ(launch["arguments"], (nlohmann::json{{"lanes", "lane"}, {"n", "bytes:@Argument1.bin"}}));
    EXPECT_EQ(launch["bti"], (nlohmann::json{{"3", "surface 3"}}));
    EXPECT_EQ(launch["samplers"], (nlohmann::json{{"2", "sampler:linear,clamp_edge,compare_less_equal"}}));
    EXPECT_EQ(launch["simd"], 16);
    EXPECT_EQ(launch["slm"], 1024);
}

TEST_F(CapturedByHand, SizesAreInWorkItemsOrInThreads) {
    launch_.global = {64, 1, 1};
    auto launch = document()["launches"][0];
    EXPECT_EQ(launch["global"], nlohmann::json{64});
    EXPECT_EQ(launch["local"], nlohmann::json{8});
    EXPECT_FALSE(launch.contains("groups"));
    launch_.by_hand->in_threads = true;
    launch_.by_hand->groups = {2, 3, 1};
    launch_.by_hand->threads = 4;
    launch = document()["launches"][0];
    EXPECT_EQ(launch["groups"], (nlohmann::json{2, 3, 1}));
    EXPECT_EQ(launch["hw_threads"], 4);
    EXPECT_FALSE(launch.contains("global"));
    EXPECT_FALSE(launch.contains("local"));
}

TEST_F(CapturedByHand, TheProgramIsVisa) {
    EXPECT_EQ(document()["program"], (nlohmann::json{{"path", "kernel.visaasm"}}));
}

TEST(CapturedTexts, AreNamedByTheirKernels) {
    Launch launch;
    launch.kernel = "k";
    launch.texts = {{"k", "text"}, {"other", "another"}};
    const auto document = nlohmann::json::parse(launch_file_of(launch, blocks_of(launch), {}));
    EXPECT_EQ(document["program"]["texts"],
              (nlohmann::json{{"k", "Text_0.visaasm"}, {"other", "Text_1.visaasm"}}));
}

TEST(CapturedLaunches, WhatCannotBeToldIsNamed) {
    Launch launch;
    EXPECT_EQ(untellable(launch), "");
    launch.global = {4, 0, 1};
    EXPECT_EQ(untellable(launch), ""); // of one dimension
    launch.dimensions = 2;
    EXPECT_EQ(untellable(launch), "it has no work-items");
    launch.by_hand = HandSizes{.in_threads = true};
    EXPECT_EQ(untellable(launch), "");
    launch.arguments = {{"surface 7", "", Null{}, Target::surface, 7}};
    EXPECT_EQ(untellable(launch), "the surface of binding-table index 7 is null");
    launch.arguments = {{"s", "sampler_t", machine::Sampler{.address = machine::AddressMode::repeat}}};
    EXPECT_NE(untellable(launch), "");
}

} // namespace
} // namespace visor::capture
