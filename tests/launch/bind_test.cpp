// Places of inputs are the compiler's, as the launch ABI's worked examples tabulate them; values follow from
// the arguments by hand.
#include "launch/bind.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using machine::Filler;
using Dwords = std::vector<uint32_t>;

constexpr uint32_t bits_2_5 = 0x40200000; // 2.5F

class Bind : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{1} << 30U};
    uint64_t y_ = memory_.allocate(400, "y").value();
    uint64_t x_ = memory_.allocate(800, "x").value();
    std::vector<ArgumentValue> saxpy_{Buffer{y_, 400}, Buffer{x_, 800}, bytes_of(2.5F), bytes_of(100)};

    struct Kernel {
        Signature signature;
        Program program;
    };
    static Kernel kernel(std::string_view file, isa::DeviceId device, size_t index = 0) {
        const Zebin zebin = sample(file);
        return {zebin.kernels.at(index).signature, program_of(zebin.kernels.at(index).text, device)};
    }
    // The plan speaks of the kernel's program.
    std::expected<Plan, BindError> bind(const Kernel& kernel, const std::vector<ArgumentValue>& values,
                                        const Geometry& geometry, uint32_t workers = 1,
                                        uint64_t printf_buffer = 0) {
        return launch::bind(kernel.signature, kernel.program, values, geometry, workers, printf_buffer,
                            memory_);
    }
    static Geometry line(uint64_t global, uint32_t local, uint64_t offset = 0) {
        return {.dimensions = 1, .global = {global, 1, 1}, .local = {local, 1, 1}, .offset = {offset, 0, 0}};
    }
};

void expect_ids(const machine::ComputedInput& input, Filler filler, uint32_t first_lane, uint32_t lanes) {
    EXPECT_EQ(input.filler, filler);
    EXPECT_EQ(input.first_lane, first_lane);
    EXPECT_EQ(input.lanes, lanes);
    EXPECT_EQ(input.element_bytes, 2U);
}

TEST_F(Bind, SaxpyOnSkl) {
    for (const isa::DeviceId id :
         {isa::DeviceId::skl, isa::DeviceId::icllp, isa::DeviceId::tgllp, isa::DeviceId::dg2}) {
        const std::string name = isa::device(id).name;
        SCOPED_TRACE(name);
        const Kernel saxpy = kernel("saxpy." + name + ".zebin", id);
        const auto plan = bind(saxpy, saxpy_, line(100, 50, 7));
        ASSERT_TRUE(plan) << plan.error().message;
        ASSERT_EQ(plan->launches.size(), 1U);
        const machine::Launch& launch = plan->launches[0];
        EXPECT_EQ(launch.simd, 32U);
        EXPECT_EQ(launch.groups, (std::array<uint32_t, 3>{2, 1, 1}));
        EXPECT_EQ(launch.local_size, (std::array<uint32_t, 3>{50, 1, 1}));
        EXPECT_EQ(launch.threads, 2U);
        EXPECT_EQ(launch.last_thread_lanes, 18U);
        EXPECT_EQ(launch.slm_bytes, 0U);
        EXPECT_EQ(launch.scratch_bytes, 0U);
        EXPECT_TRUE(plan->resources.allocations.empty());

        const StartState state(launch);
        expect_ids(state.computed(32), Filler::local_id_x, 0, 16);
        expect_ids(state.computed(64), Filler::local_id_x, 16, 16);
        expect_ids(state.computed(96), Filler::local_id_y, 0, 16);
        expect_ids(state.computed(128), Filler::local_id_y, 16, 16);
        expect_ids(state.computed(160), Filler::local_id_z, 0, 16);
        expect_ids(state.computed(192), Filler::local_id_z, 16, 16);
        EXPECT_EQ(state.dwords(224), (Dwords{7, 0, 0, 50, 1, 1, 0, 0})) << "the header: offset, local size";
        EXPECT_EQ(state.qword(256), y_);
        EXPECT_EQ(state.qword(264), x_);
        EXPECT_EQ(state.dwords(272), Dwords{bits_2_5});
        EXPECT_EQ(state.dwords(276), Dwords{100});
        EXPECT_EQ(state.dwords(280), Dwords{0});
        EXPECT_EQ(state.dwords(284), Dwords{0});
        EXPECT_EQ(state.dwords(288), (Dwords{50, 1, 1}));

        ASSERT_EQ(launch.surfaces.size(), 2U);
        EXPECT_EQ(launch.surfaces[0].kind, machine::SurfaceKind::buffer);
        EXPECT_EQ(launch.surfaces[0].address, y_);
        EXPECT_EQ(launch.surfaces[0].bytes, 400U);
        EXPECT_EQ(launch.surfaces[1].address, x_);
        EXPECT_EQ(launch.surfaces[1].bytes, 800U);
        ASSERT_EQ(launch.preset_surfaces.size(), 7U);
        EXPECT_EQ(launch.preset_surfaces[0], 254U);
        EXPECT_EQ(launch.preset_surfaces[6], UINT32_MAX) << "T6 is set by the code";
    }
}

TEST_F(Bind, SaxpyOnPvc) {
    const Kernel saxpy = kernel("saxpy.pvc.zebin", isa::DeviceId::pvc);
    const auto plan = bind(saxpy, saxpy_, line(128, 64));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].last_thread_lanes, 0U);
    const StartState state(plan->launches[0]);
    expect_ids(state.computed(64), Filler::local_id_x, 0, 32);
    expect_ids(state.computed(128), Filler::local_id_y, 0, 32);
    expect_ids(state.computed(192), Filler::local_id_z, 0, 32);
    EXPECT_EQ(state.dwords(256), (Dwords{0, 0, 0, 64, 1, 1, 0, 0}));
    EXPECT_EQ(state.qword(288), y_);
    EXPECT_EQ(state.qword(296), x_);
    EXPECT_EQ(state.dwords(304), Dwords{bits_2_5});
    EXPECT_EQ(state.dwords(308), Dwords{100});
    EXPECT_EQ(state.dwords(320), (Dwords{64, 1, 1}));
}

TEST_F(Bind, NarrowThreadsOnPvcUseHalfABlock) {
    const Kernel sums = kernel("sub_group.pvc.zebin", isa::DeviceId::pvc);
    const auto plan = bind(sums, {Buffer{y_, 400}}, line(64, 64));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].threads, 4U);
    const StartState state(plan->launches[0]);
    expect_ids(state.computed(64), Filler::local_id_x, 0, 16);
    expect_ids(state.computed(128), Filler::local_id_y, 0, 16);
}

// Without local ids the payload begins a dummy register later on skl, at once on dg2.
TEST_F(Bind, WithoutLocalIds) {
    const std::array<std::tuple<const char*, isa::DeviceId, int32_t>, 3> cases{{
        {"saxpy.skl.zebin", isa::DeviceId::skl, 64},
        {"saxpy.dg2.zebin", isa::DeviceId::dg2, 32},
        {"saxpy.pvc.zebin", isa::DeviceId::pvc, 64},
    }};
    for (const auto& [file, device, base] : cases) {
        SCOPED_TRACE(file);
        const Kernel groups = kernel(file, device, 1);
        const auto plan = bind(groups, {Buffer{y_, 400}}, line(64, 32, 5));
        ASSERT_TRUE(plan) << plan.error().message;
        const StartState state(plan->launches[0]);
        EXPECT_TRUE(plan->launches[0].computed_inputs.empty());
        EXPECT_EQ(state.dwords(base), (Dwords{5, 0, 0, 32, 1, 1, 0, 0}));
        EXPECT_EQ(state.qword(base + 32), y_);
    }
}

TEST_F(Bind, LocalPointersAndSizesInThreeDimensions) {
    const Kernel locals = kernel("locals.skl.zebin", isa::DeviceId::skl);
    const Geometry geometry{.dimensions = 3, .global = {16, 8, 6}, .local = {8, 4, 2}};
    const auto plan = bind(
        locals, {Buffer{y_, 400}, LocalBytes{5}, LocalBytes{32}, LocalBytes{6}, Buffer{x_, 800}}, geometry);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].slm_bytes, 96U);
    EXPECT_EQ(plan->launches[0].threads, 2U);
    const StartState state(plan->launches[0]);
    EXPECT_EQ(state.dwords(256), Dwords{0});
    EXPECT_EQ(state.dwords(272), Dwords{16});
    EXPECT_EQ(state.dwords(280), Dwords{48});
    EXPECT_EQ(state.qword(288), y_);
    EXPECT_EQ(state.qword(296), x_);
    EXPECT_EQ(state.dwords(308), Dwords{3}) << "dimensions";
    EXPECT_EQ(state.dwords(320), (Dwords{16, 8, 6})) << "global size";
    EXPECT_EQ(state.dwords(332), (Dwords{8, 4, 2})) << "local size";
    EXPECT_EQ(state.dwords(352), (Dwords{8, 4, 2})) << "nominal local size";
}

TEST_F(Bind, ValuesAndPiecesOfAStruct) {
    struct S {
        float a;
        std::array<int32_t, 3> b;
        int8_t c;
        std::array<int8_t, 7> gap;
        int64_t d;
    };
    static_assert(sizeof(S) == 32);
    const S s{1.5F, {10, 20, 30}, 'c', {}, 0x1122334455667788};
    const std::array<float, 3> v{1.0F, 2.0F, 3.0F};
    const Kernel values = kernel("values.skl.zebin", isa::DeviceId::skl);
    const auto plan = bind(values,
                           {bytes_of(s), bytes_of(v), bytes_of(int8_t{-1}), bytes_of(int16_t{-2}),
                            bytes_of(0x04030201U), bytes_of(1.0), Buffer{y_, 400}},
                           line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    const StartState state(plan->launches[0]);
    EXPECT_EQ(state.qword(256), y_);
    EXPECT_EQ(state.dwords(272), (Dwords{0x3f800000, 0x40000000, 0x40400000}));
    EXPECT_EQ(state.dwords(288), Dwords{0xff}) << "one byte is copied";
    EXPECT_EQ(state.dwords(292), Dwords{0xfffe});
    EXPECT_EQ(state.dwords(296), Dwords{0x04030201});
    EXPECT_EQ(state.qword(304), 0x3ff0000000000000U);
    EXPECT_EQ(state.dwords(312), Dwords{0x3fc00000});
    EXPECT_EQ(state.dwords(316), Dwords{10});
    EXPECT_EQ(state.dwords(320), Dwords{20});
    EXPECT_EQ(state.dwords(324), Dwords{30});
    EXPECT_EQ(state.dwords(328), Dwords{'c'});
    EXPECT_EQ(state.qword(336), 0x1122334455667788U);
}

TEST_F(Bind, ScratchMemory) {
    const auto plan = bind(kernel("private.skl.zebin", isa::DeviceId::skl),
                           {Buffer{y_, 400}, Buffer{x_, 800}, bytes_of(1)}, line(64, 64), 3);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].scratch_bytes, 32768U);
    EXPECT_EQ(plan->launches[0].private_bytes, 0U);
    EXPECT_TRUE(plan->resources.allocations.empty());
}

TEST_F(Bind, PrivateMemoryForEveryThreadAndWorker) {
    const Kernel kernel_dg2 = kernel("private.dg2.zebin", isa::DeviceId::dg2);
    const std::vector<ArgumentValue> values{Buffer{y_, 400}, Buffer{x_, 800}, bytes_of(1)};
    const auto plan = bind(kernel_dg2, values, line(64, 64), 3);
    ASSERT_TRUE(plan) << plan.error().message;
    const machine::Launch& launch = plan->launches[0];
    EXPECT_EQ(launch.scratch_bytes, 0U);
    EXPECT_EQ(launch.private_bytes, 32768U) << "1024 for each of 32 lanes";
    EXPECT_EQ(plan->resources.allocations, std::vector<uint64_t>{launch.private_base});
    ASSERT_NE(memory_.find(launch.private_base, 1), nullptr);
    EXPECT_EQ(memory_.find(launch.private_base, 1)->bytes, 32768U * 2 * 3) << "two threads, three workers";
    const machine::ComputedInput input = StartState(launch).computed(280);
    EXPECT_EQ(input.filler, Filler::private_base);
    EXPECT_EQ(input.element_bytes, 8U);
    EXPECT_EQ(input.lanes, 1U);

    const size_t before = memory_.allocations().size();
    const auto failed = bind(kernel_dg2, values, line(64, 64), 1'000'000);
    ASSERT_FALSE(failed);
    EXPECT_TRUE(failed.error().message.starts_with(
        "cannot allocate 65536000000 bytes for private memory of kernel `private_array`"))
        << failed.error().message;
    EXPECT_EQ(memory_.allocations().size(), before);
}

TEST_F(Bind, UnevenGroupsAreRegions) {
    const Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    Geometry geometry = line(100, 64);
    geometry.allow_non_uniform = true;
    const auto plan = bind(saxpy, saxpy_, geometry);
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->launches.size(), 2U);
    EXPECT_EQ(plan->local, (std::array<uint32_t, 3>{64, 1, 1}));
    const machine::Launch& rest = plan->launches[1];
    EXPECT_EQ(rest.first_group, (std::array<uint32_t, 3>{1, 0, 0}));
    EXPECT_EQ(rest.local_size, (std::array<uint32_t, 3>{36, 1, 1}));
    EXPECT_EQ(rest.threads, 2U);
    EXPECT_EQ(rest.last_thread_lanes, 4U);
    EXPECT_EQ(StartState(plan->launches[0]).dwords(224), (Dwords{0, 0, 0, 64, 1, 1, 0, 0}));
    EXPECT_EQ(StartState(rest).dwords(224), (Dwords{0, 0, 0, 36, 1, 1, 0, 0})) << "the region's size";
    EXPECT_EQ(StartState(rest).dwords(288), (Dwords{64, 1, 1})) << "the nominal size";
}

TEST_F(Bind, NothingToDoIsNoLaunch) {
    const auto plan = bind(kernel("saxpy.skl.zebin", isa::DeviceId::skl), saxpy_, line(0, 32));
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->launches.empty());
}

TEST_F(Bind, ALocalSizeLeftOpenIsChosen) {
    const auto plan = bind(kernel("saxpy.skl.zebin", isa::DeviceId::skl), saxpy_, line(96, 0));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->local, (std::array<uint32_t, 3>{96, 1, 1}));
}

TEST_F(Bind, NullPointersAreEmptySurfaces) {
    saxpy_[0] = Buffer{};
    const Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    const auto plan = bind(saxpy, saxpy_, line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].surfaces[0].bytes, 0U);
    EXPECT_EQ(StartState(plan->launches[0]).qword(256), 0U);
}

TEST_F(Bind, PrintfNeedsItsBuffer) {
    const Kernel scope = kernel("scope.skl.zebin", isa::DeviceId::skl);
    const auto without = bind(scope, {Buffer{y_, 400}}, line(32, 32));
    ASSERT_FALSE(without);
    EXPECT_TRUE(without.error().unsupported);
    EXPECT_EQ(without.error().message, "kernel `scope` calls printf: that is not supported yet");
    const auto with = bind(scope, {Buffer{y_, 400}}, line(32, 32), 1, x_);
    ASSERT_TRUE(with);
    EXPECT_EQ(StartState(with->launches[0]).qword(264), x_);
}

// Launch ABI, the worked example `img` on skl.
TEST_F(Bind, ImagesOnSkl) {
    using namespace machine;
    const Kernel images = kernel("images.skl.zebin", isa::DeviceId::skl);
    const ImageFormat format{ChannelOrder::r, ChannelType::unorm_int8};
    Image source = packed_image(ImageShape::d2, format, {4, 2, 1}, 1);
    source.address = y_;
    Image target = packed_image(ImageShape::d2, format, {16, 8, 1}, 1);
    target.address = x_;
    const Sampler snapped{machine::AddressMode::clamp, FilterMode::nearest, false};
    const auto plan = bind(images, {source, target, snapped, Buffer{y_, 400}}, line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    const machine::Launch& launch = plan->launches[0];
    const StartState state(launch);
    EXPECT_EQ(state.dwords(280), Dwords{8});  // image_height of argument 1
    EXPECT_EQ(state.dwords(284), Dwords{16}); // image_width
    EXPECT_EQ(state.dwords(288), Dwords{UINT32_MAX});
    // Binding table 0: argument 0, 1: argument 3, 2: argument 1.
    ASSERT_EQ(launch.surfaces.size(), 3U);
    EXPECT_EQ(launch.surfaces[0].kind, SurfaceKind::image);
    EXPECT_EQ(launch.images.at(launch.surfaces[0].image).address, y_);
    EXPECT_EQ(launch.surfaces[1].kind, SurfaceKind::buffer);
    EXPECT_EQ(launch.surfaces[2].kind, SurfaceKind::image);
    EXPECT_EQ(launch.images.at(launch.surfaces[2].image).address, x_);
    // Sampler 0 is the argument; 1 stands in the code, with clamp_border and nearest.
    ASSERT_EQ(launch.samplers.size(), 2U);
    EXPECT_EQ(launch.samplers[0].address, machine::AddressMode::clamp);
    EXPECT_EQ(launch.samplers[1].address, machine::AddressMode::clamp);
    EXPECT_EQ(launch.samplers[1].filter, FilterMode::nearest);
}

TEST_F(Bind, UnsupportedParametersAreNamed) {
    const Kernel good = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    Kernel unknown = good;
    unknown.signature.payload.push_back(
        {.kind = PayloadKind::unknown, .property = "rt_stack_id", .offset = 80, .bytes = 4});
    const auto plan = bind(unknown, saxpy_, line(32, 32));
    ASSERT_FALSE(plan);
    EXPECT_TRUE(plan.error().unsupported);
    EXPECT_EQ(plan.error().message,
              "kernel `saxpy` wants `rt_stack_id` at its start: that is not supported yet");
    Kernel bindless = good; // no address has a handle
    bindless.signature.payload.push_back({.kind = PayloadKind::buffer_address,
                                          .property = "buffer_address",
                                          .offset = 80,
                                          .bytes = 8,
                                          .argument = 0,
                                          .mode = AddressMode::bindless});
    EXPECT_TRUE(bind(bindless, saxpy_, line(32, 32)).error().unsupported);
    Kernel scalar = good;
    scalar.signature.simd = 1;
    EXPECT_TRUE(bind(scalar, saxpy_, line(32, 32)).error().unsupported);
}

TEST_F(Bind, SignaturesThatDoNotFitAreRefused) {
    const Kernel good = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    const auto error_of = [&](const Kernel& kernel) {
        const auto plan = bind(kernel, saxpy_, line(32, 32));
        EXPECT_FALSE(plan);
        return plan ? "" : plan.error().message;
    };
    Kernel kernel = good;
    kernel.program.simd = 16;
    EXPECT_EQ(error_of(kernel), "kernel `saxpy`: its text says SIMD16, its metadata SIMD32");
    kernel = good;
    kernel.signature.bindings.push_back({2, 9});
    EXPECT_EQ(error_of(kernel), "kernel `saxpy`: the metadata speaks of an argument 9");
    kernel = good;
    kernel.signature.payload.push_back({.kind = PayloadKind::argument_value, .bytes = 4, .argument = 9});
    EXPECT_EQ(error_of(kernel), "kernel `saxpy`: the metadata speaks of an argument 9");
    kernel = good;
    for (PayloadItem& item : kernel.signature.payload)
        item.offset += 1000;
    EXPECT_EQ(error_of(kernel),
              "kernel `saxpy`: its text and its metadata disagree about where arguments lie");
    kernel = good;
    kernel.signature.payload[0].offset = UINT32_MAX;
    EXPECT_EQ(error_of(kernel), "kernel `saxpy`: the metadata places `global_id_offset` at byte 4294967295");
    kernel = good;
    kernel.signature.thread_memory.push_back({.bytes = 5U << 20U});
    EXPECT_EQ(error_of(kernel), "kernel `saxpy` needs 5242880 bytes of scratch memory for each hardware "
                                "thread; the limit is 4194304");
}

TEST_F(Bind, InputsOutsideThePayloadAreLeftAlone) {
    Kernel odd = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    const auto good = odd.program.function;
    for (const auto& [offset, size] : {std::pair(INT32_MAX, 64U), {-64, 64U}, {288, UINT32_MAX}}) {
        auto function = std::make_shared<Function>(*good);
        function->inputs.back().offset = offset;
        function->inputs.back().size = size;
        odd.program.function = function;
        const auto plan = bind(odd, saxpy_, line(32, 32));
        ASSERT_TRUE(plan) << plan.error().message;
        for (const machine::ImageInput& input : plan->launches[0].image_inputs)
            EXPECT_LE(uint64_t{input.image_offset} + input.bytes, plan->launches[0].image.size());
    }
}

// ---- pointers into the middle ----

TEST_F(Bind, TheSurfaceOfAPointerIntoTheMiddleBeginsBelowIt) {
    for (const isa::DeviceId id :
         {isa::DeviceId::skl, isa::DeviceId::icllp, isa::DeviceId::tgllp, isa::DeviceId::dg2}) {
        const std::string name = isa::device(id).name;
        SCOPED_TRACE(name);
        const Kernel saxpy = kernel("saxpy." + name + ".zebin", id);
        saxpy_[0] = Buffer{y_ + 100, 300, 100};
        saxpy_[1] = Buffer{x_ + 800, 0, 800}; // one past the end
        const auto plan = bind(saxpy, saxpy_, line(32, 32));
        ASSERT_TRUE(plan) << plan.error().message;
        const machine::Launch& launch = plan->launches[0];
        const StartState state(launch);
        EXPECT_EQ(state.qword(256), y_ + 100) << "the pointer itself";
        EXPECT_EQ(state.dwords(280), Dwords{100}) << "what the code adds to its offsets";
        EXPECT_EQ(state.dwords(284), Dwords{800});
        EXPECT_EQ(launch.surfaces[0].address, y_);
        EXPECT_EQ(launch.surfaces[0].bytes, 400U);
        EXPECT_EQ(launch.surfaces[0].padding, 0U);
        EXPECT_EQ(launch.surfaces[1].address, x_);
        EXPECT_EQ(launch.surfaces[1].bytes, 800U);
    }
}

TEST_F(Bind, ASurfaceBelowAPointerIsPaddedAsAWhole) {
    const Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    saxpy_[0] = Buffer{y_ + 3, 394, 3}; // 397 bytes: three more make whole dwords
    const auto plan = bind(saxpy, saxpy_, line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].surfaces[0].address, y_);
    EXPECT_EQ(plan->launches[0].surfaces[0].bytes, 400U);
    EXPECT_EQ(plan->launches[0].surfaces[0].padding, 3U);
}

// The compiler has proved that no offset is negative, and the code adds nothing.
TEST_F(Bind, WithoutAnOffsetTheSurfaceBeginsAtThePointer) {
    Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    std::erase_if(saxpy.signature.payload, [](const PayloadItem& item) {
        return item.kind == PayloadKind::buffer_offset && item.argument == 0;
    });
    saxpy_[0] = Buffer{y_ + 100, 300, 100};
    saxpy_[1] = Buffer{x_ + 4, 796, 4};
    const auto plan = bind(saxpy, saxpy_, line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].surfaces[0].address, y_ + 100);
    EXPECT_EQ(plan->launches[0].surfaces[0].bytes, 300U);
    EXPECT_EQ(plan->launches[0].surfaces[1].address, x_);
    EXPECT_EQ(StartState(plan->launches[0]).dwords(284), Dwords{4});
}

// A part of a buffer is an object of its own: nothing below it is the kernel's.
TEST_F(Bind, APartIsItsOwnSurface) {
    const Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    saxpy_[0] = Buffer{y_ + 128, 256};
    const auto plan = bind(saxpy, saxpy_, line(32, 32));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->launches[0].surfaces[0].address, y_ + 128);
    EXPECT_EQ(plan->launches[0].surfaces[0].bytes, 256U);
    EXPECT_EQ(StartState(plan->launches[0]).dwords(280), Dwords{0});
}

TEST_F(Bind, BytesBelowAPointerAreTheDevicesToo) {
    const Kernel saxpy = kernel("saxpy.skl.zebin", isa::DeviceId::skl);
    const auto error_of = [&](const Buffer& buffer) {
        saxpy_[0] = buffer;
        const auto plan = bind(saxpy, saxpy_, line(32, 32));
        EXPECT_FALSE(plan);
        return plan ? "" : plan.error().message;
    };
    const std::string none = "argument 0 `y` is a buffer of ";
    EXPECT_TRUE(error_of({y_ + 100, 300, 101}).starts_with(none)) << "a byte below the allocation";
    EXPECT_TRUE(error_of({y_ + 100, 301, 100}).starts_with(none));
    EXPECT_TRUE(error_of({y_, 400, UINT64_MAX}).starts_with(none));
    EXPECT_TRUE(error_of({0, 0, 1}).starts_with(none));
    EXPECT_TRUE(error_of({y_ + 8, UINT64_MAX - 7, 8}).starts_with(none));
}

} // namespace
} // namespace visor::launch
