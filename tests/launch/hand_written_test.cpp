#include "isa/table.h"
#include "launch/bind.h"
#include "sample.h"

#include <cstring>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using machine::Filler;
using Dwords = std::vector<uint32_t>;

constexpr const char* text = R"(.kernel "hand"
.decl pointer v_type=G type=uq num_elts=1
.decl numbers v_type=G type=d num_elts=4
.decl low v_type=G type=uw num_elts=16
.decl high v_type=G type=uw num_elts=16
.decl T6 v_type=T num_elts=1
.decl pair v_type=T num_elts=2
.decl T8 v_type=T num_elts=1
.decl S0 v_type=S num_elts=1
.decl S1 v_type=S num_elts=1
.input pointer offset=32 size=8
.input numbers offset=48 size=16
.input low offset=64 size=32
.input high offset=96 size=32
.kernel_attr SimdSize=32
.kernel_attr SLMSize=3
)";

class HandWritten : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{64} << 20U};
    Buffer buffer_{memory_.allocate(256, "b").value(), 256};
    Program program_ = program_of(text, isa::DeviceId::skl);
    std::vector<HandInput> inputs_{{"pointer", buffer_},
                                   {"numbers", InputBytes{bytes_of(std::array<int32_t, 4>{1, -2, 3, 4})}},
                                   {"low", InputFiller{Filler::lane}},
                                   {"high", InputFiller{Filler::lane}}};
    std::vector<HandState> surfaces_;
    HandGeometry geometry_{.in_threads = true, .groups = {2, 3, 1}, .threads = 2};

    std::expected<Plan, BindError> bind() {
        return bind_hand_written(program_, inputs_, surfaces_, geometry_, memory_);
    }
    std::string error() {
        const auto plan = bind();
        EXPECT_FALSE(plan);
        return plan ? "" : plan.error().message;
    }
};

TEST_F(HandWritten, FillsItsInputs) {
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->launches.size(), 1U);
    const machine::Launch& launch = plan->launches[0];
    EXPECT_EQ(launch.simd, 32U);
    EXPECT_EQ(launch.groups, (std::array<uint32_t, 3>{2, 3, 1}));
    EXPECT_EQ(launch.threads, 2U);
    EXPECT_EQ(launch.last_thread_lanes, 0U);
    EXPECT_EQ(launch.local_size, (std::array<uint32_t, 3>{64, 1, 1}));
    EXPECT_EQ(launch.slm_bytes, 4096U) << "SLMSize counts KiB, rounded up to a power of two";
    const StartState state(launch);
    EXPECT_EQ(state.qword(32), buffer_.address);
    EXPECT_EQ(state.dwords(48), (Dwords{1, 0xfffffffe, 3, 4}));
    EXPECT_EQ(state.computed(64).first_lane, 0U);
    EXPECT_EQ(state.computed(64).lanes, 16U);
    EXPECT_EQ(state.computed(64).element_bytes, 2U);
    EXPECT_EQ(state.computed(96).first_lane, 16U) << "goes on where the first half ended";
    EXPECT_EQ(state.computed(96).lanes, 16U);
}

TEST_F(HandWritten, ShorterBytesFillTheBeginning) {
    inputs_[1].value = InputBytes{bytes_of(7)};
    const auto plan = bind();
    ASSERT_TRUE(plan);
    EXPECT_EQ(StartState(plan->launches[0]).dwords(48), Dwords{7});
}

TEST_F(HandWritten, FillersOfDifferentKindsCountForThemselves) {
    inputs_[3].value = InputFiller{Filler::local_id_y};
    inputs_[1].value = InputFiller{Filler::thread};
    geometry_.simd = 16;
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    const StartState state(plan->launches[0]);
    EXPECT_EQ(state.computed(64).filler, Filler::lane);
    EXPECT_EQ(state.computed(96).filler, Filler::local_id_y);
    EXPECT_EQ(state.computed(96).first_lane, 0U);
    EXPECT_EQ(state.computed(48).filler, Filler::thread);
    EXPECT_EQ(state.computed(48).lanes, 1U);
    EXPECT_EQ(state.computed(48).element_bytes, 4U);
}

TEST_F(HandWritten, AFillerBeginsAnewAfterTheLastLane) {
    geometry_.simd = 16;
    const auto plan = bind();
    ASSERT_TRUE(plan);
    EXPECT_EQ(StartState(plan->launches[0]).computed(96).first_lane, 0U);
}

TEST_F(HandWritten, SurfacesTakeFreeIndices) {
    const Buffer other{memory_.allocate(64, "o").value(), 64};
    inputs_.push_back({"T8", other});
    inputs_.push_back({"T6", buffer_});
    surfaces_ = {{1, buffer_}};
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    const machine::Launch& launch = plan->launches[0];
    ASSERT_EQ(launch.surfaces.size(), 3U);
    EXPECT_EQ(launch.surfaces[0].address, buffer_.address) << "T6, declared first";
    EXPECT_EQ(launch.surfaces[1].address, buffer_.address) << "as asked for";
    EXPECT_EQ(launch.surfaces[2].address, other.address);
    // T6, two elements of `pair`, T8
    EXPECT_EQ(launch.preset_surfaces, (Dwords{254, 1, 2, 256, 252, 255, 0, UINT32_MAX, UINT32_MAX, 2}));
}

TEST_F(HandWritten, ArgumentsStandBehindR0) {
    const auto plan = bind();
    ASSERT_TRUE(plan);
    const std::vector<std::byte>& arguments = plan->launches[0].arguments;
    ASSERT_EQ(arguments.size(), 32U);
    uint64_t pointer = 0;
    std::memcpy(&pointer, arguments.data(), sizeof pointer);
    EXPECT_EQ(pointer, buffer_.address);
    std::array<int32_t, 4> numbers{};
    std::memcpy(numbers.data(), arguments.data() + 16, sizeof numbers);
    EXPECT_EQ(numbers, (std::array<int32_t, 4>{1, -2, 3, 4}));
}

TEST_F(HandWritten, SurfacesHaveCountersWhenTheKernelCounts) {
    inputs_.push_back({"T6", buffer_});
    EXPECT_EQ(bind()->launches[0].surfaces[0].counter, 0U);
    program_.code.emplace_back().row = isa::find("lsc_apndctr_atomic_add");
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->resources.allocations.size(), 1U);
    EXPECT_EQ(plan->launches[0].surfaces[0].counter, plan->resources.allocations[0]);
}

TEST_F(HandWritten, ImagesAndSamplers) {
    using namespace machine;
    Image image = packed_image(ImageShape::d2, {ChannelOrder::r, ChannelType::unorm_int8}, {8, 8, 1}, 1);
    image.address = buffer_.address;
    const Sampler linear{machine::AddressMode::clamp, FilterMode::linear, false};
    inputs_.push_back({"T8", image});
    inputs_.push_back({"S1", linear});
    surfaces_ = {{0, image}, {0, Sampler{}}, {3, linear}};
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    const machine::Launch& launch = plan->launches[0];
    ASSERT_EQ(launch.surfaces.size(), 2U);
    EXPECT_EQ(launch.surfaces[0].kind, SurfaceKind::image);
    EXPECT_EQ(launch.surfaces[1].kind, SurfaceKind::image);
    EXPECT_EQ(launch.images.at(launch.surfaces[1].image).address, buffer_.address);
    ASSERT_EQ(launch.samplers.size(), 4U);
    EXPECT_EQ(launch.samplers[1].filter, FilterMode::linear) << "0 is taken";
    EXPECT_EQ(launch.preset_samplers[0], UINT32_MAX);
    EXPECT_EQ(launch.preset_samplers[1], 1U);
}

TEST_F(HandWritten, WrongImagesAndSamplers) {
    using namespace machine;
    Image image = packed_image(ImageShape::d2, {ChannelOrder::r, ChannelType::unorm_int8}, {32, 32, 1}, 1);
    image.address = buffer_.address;
    inputs_.push_back({"T8", image});
    EXPECT_NE(error().find("1024 bytes of pixels"), std::string::npos) << "the buffer has 256";
    image.row_pitch = 16;
    inputs_.back().value = image;
    EXPECT_NE(error().find("its rows do not hold"), std::string::npos);
    inputs_.back() = {"T8", Sampler{}};
    EXPECT_EQ(error(), "input `T8` is a surface: it takes an array or an image");
    inputs_.back() = {"S0", buffer_};
    EXPECT_EQ(error(), "input `S0` takes a sampler");
    inputs_.pop_back();
    inputs_[1].value = Sampler{};
    EXPECT_EQ(error(), "input `numbers` is a general variable: it takes no image and no sampler");
    inputs_[1] = {"numbers", InputBytes{bytes_of(1)}};
    surfaces_ = {{2, Sampler{}}, {2, Sampler{}}};
    EXPECT_EQ(error(), "sampler index 2 is given twice");
    surfaces_ = {{16, Sampler{}}};
    EXPECT_EQ(error(), "sampler index 16 is too large: choose one below 16");
}

TEST_F(HandWritten, InWorkItems) {
    geometry_ = {.items = {.dimensions = 2, .global = {20, 3, 1}, .local = {10, 3, 1}}};
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].groups, (std::array<uint32_t, 3>{2, 1, 1}));
    EXPECT_EQ(plan->launches[0].threads, 1U);
    EXPECT_EQ(plan->launches[0].last_thread_lanes, 30U);
}

TEST_F(HandWritten, SizesAreChecked) {
    geometry_.threads = 65;
    EXPECT_EQ(error(), "a work-group of skl has 1 to 64 hardware threads, not 65");
    geometry_.threads = 1;
    geometry_.groups = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    EXPECT_EQ(error(), "4294967295x4294967295x4294967295 makes too many work-groups");
    geometry_.groups = {1, 1, 1};
    geometry_.slm_bytes = 65537;
    EXPECT_EQ(error(),
              "kernel `sample` asks for 65537 bytes of shared local memory: skl has 65536 for a work-group");
    geometry_.slm_bytes = 100;
    EXPECT_EQ(bind()->launches[0].slm_bytes, 100U);
    geometry_.simd = 4;
    EXPECT_EQ(error(), "kernel `sample` cannot run with a SIMD size of 4: it is 8, 16 or 32");
    geometry_.simd = 0;
    program_.simd = 0;
    EXPECT_EQ(error(), "kernel `sample` has no SimdSize attribute: say --simd 8, 16 or 32");
}

TEST_F(HandWritten, NoGroupsNoLaunch) {
    geometry_.groups = {4, 0, 1};
    EXPECT_TRUE(bind()->launches.empty());
}

TEST_F(HandWritten, InputErrorsNameTheInput) {
    const std::vector<HandInput> good = inputs_;
    inputs_.pop_back();
    EXPECT_EQ(error(), "input `high` of kernel `sample` is not given");
    inputs_ = good;
    inputs_.push_back({"lov", buffer_});
    EXPECT_EQ(error(), "kernel `sample` has no input `lov` (did you mean `low`?)");
    inputs_ = good;
    inputs_.push_back(good[0]);
    EXPECT_EQ(error(), "input `pointer` is given twice");
    inputs_ = good;
    inputs_[1].value = InputBytes{std::vector<std::byte>(17)};
    EXPECT_EQ(error(), "input `numbers` has 16 bytes, not 17");
    inputs_[1].value = buffer_;
    EXPECT_EQ(error(), "input `numbers` is of type d: only uq and q variables take an array, by its address");
    inputs_ = good;
    inputs_[0].value = Buffer{8, 8};
    EXPECT_EQ(error(), "`pointer` is a buffer of 8 bytes at 0x8, which is no memory of the device");
    inputs_ = good;
    inputs_.push_back({"T6", InputBytes{}});
    EXPECT_EQ(error(), "input `T6` is a surface: it takes an array or an image");
    inputs_ = good;
    surfaces_ = {{3, buffer_}, {3, buffer_}};
    EXPECT_EQ(error(), "binding-table index 3 is given twice");
    surfaces_ = {{255, buffer_}};
    EXPECT_EQ(error(), "binding-table index 255 has a meaning of its own: choose one below 252");
}

TEST_F(HandWritten, IdsNeedIntegers) {
    program_ = program_of(".decl a v_type=G type=f num_elts=8\n.input a offset=32 size=32\n"
                          ".kernel_attr SimdSize=8\n",
                          isa::DeviceId::skl);
    inputs_ = {{"a", InputFiller{Filler::lane}}};
    EXPECT_EQ(error(), "input `a` is of type f: ids need an integer of 2, 4 or 8 bytes");
}

TEST_F(HandWritten, ImplicitInputs) {
    program_ = program_of(".decl size v_type=G type=ud num_elts=3\n.decl count v_type=G type=ud num_elts=3\n"
                          ".decl id v_type=G type=ud num_elts=3\n"
                          ".implicit_LOCAL_SIZE size offset=32 size=12\n"
                          ".implicit_GROUP_COUNT count offset=64 size=12\n.kernel_attr SimdSize=8\n",
                          isa::DeviceId::skl);
    inputs_.clear();
    geometry_ = {
        .items = {.dimensions = 1, .global = {20, 1, 1}, .local = {8, 1, 1}, .allow_non_uniform = true}};
    const auto plan = bind();
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->launches.size(), 2U);
    EXPECT_EQ(StartState(plan->launches[0]).dwords(32), (Dwords{8, 1, 1}));
    EXPECT_EQ(StartState(plan->launches[1]).dwords(32), (Dwords{4, 1, 1})) << "the region's";
    EXPECT_EQ(StartState(plan->launches[1]).dwords(64), (Dwords{3, 1, 1}));
    geometry_.items.allow_non_uniform = false;
    const auto uneven = bind();
    ASSERT_FALSE(uneven);
    EXPECT_EQ(uneven.error().message, "the global size 20 in dimension 0 is not a multiple of the local size "
                                      "8, as hand-written vISA wants it");

    program_ = program_of(".decl id v_type=G type=ud num_elts=3\n.implicit_LOCAL_ID id offset=32 size=12\n"
                          ".kernel_attr SimdSize=8\n",
                          isa::DeviceId::skl);
    geometry_.items.allow_non_uniform = true;
    const auto ids = bind();
    ASSERT_TRUE(ids) << ids.error().message;
    const std::vector<machine::ComputedInput>& filled = ids->launches.at(0).computed_inputs;
    ASSERT_EQ(filled.size(), 3U);
    EXPECT_EQ(filled[0].filler, machine::Filler::local_id_x);
    EXPECT_EQ(filled[2].filler, machine::Filler::local_id_z);
    EXPECT_EQ(filled[2].register_offset, filled[0].register_offset + 8);
    EXPECT_EQ(filled[2].element_bytes, 4U);

    program_ = program_of(".decl id v_type=G type=w num_elts=2\n.implicit_LOCAL_ID id offset=32 size=4\n"
                          ".kernel_attr SimdSize=8\n",
                          isa::DeviceId::skl);
    const auto narrow = bind();
    ASSERT_FALSE(narrow);
    EXPECT_EQ(narrow.error().message, "the implicit input `id` has no room for 3 local ids");
}

} // namespace
} // namespace visor::launch
