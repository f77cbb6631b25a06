// Image messages in compiled code beside the interpreter: each format, shape, address mode, filter and kind
// of coordinate, in code for each CPU level; loads, typed reads and writes, sizes, images and samplers by
// handle. tests/machine/sampling_test.cpp compares what the interpreter calls with the specification's
// formulas. Pages that nobody may touch follow the images.
#include "interp/interp.h"
#include "jit/driver/pipeline.h"
#include "jit/engine/native_engine.h"
#include "launch/bind.h"
#include "machine/drawn_image.h"
#include "machine/state_handle.h"
#include "text/text.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

using machine::AddressMode;
using machine::Draw;
using machine::FilterMode;
using machine::Image;
using machine::ImageFormat;
using machine::ImageShape;
using machine::Sampler;

constexpr uint32_t lanes = 16;
constexpr uint32_t threads = 4;
constexpr uint32_t groups = 4;
constexpr uint32_t items = lanes * threads * groups;
constexpr uint32_t messages = 10; // of a kernel
constexpr uint32_t dwords = 4;    // of an item's coordinates, and of each result
constexpr size_t image_bytes = 16384;
constexpr size_t coordinates_bytes = size_t{items} * dwords * 4;
constexpr size_t results_bytes = coordinates_bytes * messages;

class InProcess final : public CodeProvider {
public:
    [[nodiscard]] ProvidedObject make(const Program& program, const CompileOptions& options) const override {
        return compile(program, options);
    }
};

// P1 is the mask; C has three coordinates, X what is stored as result `k` by store(k).
std::string kernel(const isa::Device& device, const std::string& declared, const std::string& body) {
    std::string text = ".version 4.2\n.kernel \"images\"\n";
    for (const char* const name : {"T", "GROUP", "MASK", "K", "HIMAGE", "HOUT", "HSAMPLER", "H1", "H2", "H3"})
        text += fmt::format(".decl {} v_type=G type=ud num_elts=1 align=GRF\n", name);
    for (const char* const name : {"LANE", "AT", "TO"})
        text += fmt::format(".decl {} v_type=G type=ud num_elts=16 align=GRF\n", name);
    text += ".decl C v_type=G type=f num_elts=64 align=GRF\n.decl X v_type=G type=ud num_elts=64 align=GRF\n"
            ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n.decl T6 v_type=T "
            "num_elts=1\n.decl T7 v_type=T num_elts=1\n"
            ".decl T8 v_type=T num_elts=1\n.decl T9 v_type=T num_elts=1\n"
            ".decl HQ v_type=G type=uq num_elts=1 align=GRF\n.decl Q2 v_type=G type=uq num_elts=1 align=GRF\n"
            ".decl WIDE v_type=G type=ud num_elts=16 align=GRF\n.decl PAIR v_type=G type=ud num_elts=2 "
            "align=GRF\n"
            ".decl PAIRQ v_type=G type=uq num_elts=1 align=GRF alias=<PAIR,0>\n" +
            declared;
    uint32_t place = device.grf_bytes;
    const auto input = [&](const char* name, uint32_t size) {
        text += fmt::format(".input {} offset={} size={}\n", name, place, size);
        place += 64;
    };
    for (const char* const name : {"T", "MASK", "HIMAGE", "HOUT", "HSAMPLER"})
        input(name, 4);
    input("LANE", 64);
    input("HQ", 8);
    text += fmt::format(".kernel_attr SimdSize={}\n.kernel_attr SLMSize=1\n"
                        "    setp (M1_NM, 16) P1 MASK(0,0)<0;1,0>\n"
                        "    mul (M1_NM, 1) K(0,0)<1> %group_id_x(0,0)<0;1,0> 0x{:x}:ud\n"
                        "    mad (M1_NM, 1) K(0,0)<1> T(0,0)<0;1,0> 0x{:x}:ud K(0,0)<0;1,0>\n"
                        "    add (M1_NM, 16) AT(0,0)<1> LANE(0,0)<1;1,0> K(0,0)<0;1,0>\n"
                        "    shl (M1_NM, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x4:ud\n"
                        "    mul (M1_NM, 16) TO(0,0)<1> AT(0,0)<1;1,0> 0x{:x}:ud\n"
                        "    gather4_scaled.RGBA (M1_NM, 16) T9 0x0:ud AT.0 C.0\n",
                        lanes, threads * lanes, lanes, messages);
    return text + body + "    ret (M1, 1)\n";
}
std::string untouched(uint32_t grf) {
    std::string text;
    for (uint32_t row = 0; row < 4; ++row)
        text += fmt::format("    mov (M1_NM, 16) X({},0)<1> 0x5a5a5a5a:ud\n", row * 64 / grf);
    return text;
}
std::string store(uint32_t result) {
    return fmt::format("    scatter4_scaled.RGBA (M1_NM, 16) T7 0x{:x}:ud TO.0 X.0\n", result * dwords * 4);
}

class Images : public testing::Test {
protected:
    Images()
        : in_(memory_.allocate(image_bytes, "in").value()),
          out_(memory_.allocate(image_bytes, "out").value()),
          coordinates_(memory_.allocate(coordinates_bytes, "coordinates").value()),
          results_(memory_.allocate(results_bytes, "results").value()) {}

    static std::span<std::byte> bytes_at(uint64_t address, size_t bytes) {
        return {machine::Memory::host(address), bytes};
    }
    // At the end of its memory or, sometimes, further ahead.
    Image drawn(Draw& draw, ImageShape shape, ImageFormat format, uint64_t memory) {
        Image image = drawn_image(draw, shape, format);
        image.address = memory + image_bytes - image.bytes() - (draw.below(4) == 0 ? 64U : 0U);
        return image;
    }

    // Launches in code of one level and on the interpreter. `samplers`: S0 and so on, the first one also by
    // handle. Returns how often compiled code asked the interpreter for a message.
    struct Run {
        Image in;
        Image out;
        std::vector<Sampler> samplers;
        ImageFormat format;
        Level level = Level::host;
        const char* device = "skl";
    };
    std::map<std::string, uint64_t> run(const std::string& text, const Run& run, uint32_t mask) {
        return run_in_turn(text, {&run, 1}, mask);
    }
    // Launches on one engine, one after the other; all of one level and device.
    std::map<std::string, uint64_t> run_in_turn(const std::string& text, std::span<const Run> runs,
                                                uint32_t mask) {
        const Run& first = runs.front();
        const isa::Device& device = *isa::device_named(first.device);
        Diagnostics diagnostics;
        auto module = text::parse(text, {device.grf_bytes}, diagnostics);
        auto prepared =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device, diagnostics)
                   : std::nullopt;
        if (!prepared) {
            ADD_FAILURE() << diagnostics.all().front().message << "\n" << text;
            return {};
        }
        const auto program = std::make_shared<const Program>(std::move(*prepared));
        const interp::Interpreter reference(program);
        const InProcess maker;
        auto engine = make_engine({program}, {.engine = &reference, .steps = {reference.handlers(0)}},
                                  {.simd = lanes, .level = first.level}, maker);
        for (const Run& run : runs) {
            const auto launch = bind(*program, run, mask);
            if (!launch || !engine) {
                ADD_FAILURE() << text;
                return {};
            }
            const auto wanted = contents(*launch, reference);
            const auto found = contents(*launch, **engine);
            EXPECT_EQ((*engine)->facts().functions, 1U) << text;
            compare(found, wanted, run, text);
        }
        return (*engine)->facts().called_out;
    }

    std::span<float> coordinates() {
        return {reinterpret_cast<float*>(machine::Memory::host(coordinates_)), coordinates_bytes / 4};
    }
    std::span<int32_t> indices() {
        return {reinterpret_cast<int32_t*>(machine::Memory::host(coordinates_)), coordinates_bytes / 4};
    }
    void draw_coordinates(Draw& draw, const Image& image, bool normalized) {
        for (size_t i = 0; i < coordinates().size(); ++i)
            coordinates()[i] = draw.coordinate(normalized, image.size.at(std::min<size_t>(i % dwords, 2)));
    }
    void draw_indices(Draw& draw, const Image& image) {
        for (size_t i = 0; i < indices().size(); ++i)
            indices()[i] = draw.index(image.size.at(std::min<size_t>(i % dwords, 2)));
    }

    uint64_t in_memory() const { return in_; }
    uint64_t out_memory() const { return out_; }

private:
    std::optional<machine::Launch> bind(const Program& program, const Run& run, uint32_t mask) {
        const auto input = [](auto value) {
            launch::InputBytes bytes;
            bytes.content.resize(sizeof value);
            std::memcpy(bytes.content.data(), &value, sizeof value);
            return bytes;
        };
        const uint32_t state = machine::first_surface_state;
        std::vector<launch::HandInput> inputs{
            {"T", launch::InputFiller{machine::Filler::thread}},
            {"MASK", input(mask)},
            {"HIMAGE", input(machine::state_handle(state))},
            {"HQ", input(uint64_t{machine::state_handle(state)})},
            {"HOUT", input(machine::state_handle(state + 1))},
            {"HSAMPLER", input(machine::state_handle(machine::first_sampler_state))},
            {"LANE", launch::InputFiller{machine::Filler::lane}},
            {"T6", run.in},
            {"T7", launch::Buffer{results_, results_bytes}},
            {"T8", run.out},
            {"T9", launch::Buffer{coordinates_, coordinates_bytes}}};
        for (size_t k = 0; k < run.samplers.size(); ++k)
            inputs.push_back({fmt::format("S{}", k), run.samplers[k]});
        const launch::HandGeometry geometry{
            .simd = lanes, .in_threads = true, .groups = {groups, 1, 1}, .threads = threads};
        auto plan = launch::bind_hand_written(program, inputs, {}, geometry, memory_);
        EXPECT_TRUE(plan) << plan.error().message;
        if (!plan)
            return std::nullopt;
        machine::Launch launch = std::move(plan->launches.front());
        const auto number_of = [&](const char* name) {
            const auto images = std::ranges::find_if(launch.surfaces, [&](const machine::Surface& surface) {
                return surface.kind == machine::SurfaceKind::image &&
                       launch.images[surface.image].address == (name[0] == 'i' ? run.in : run.out).address;
            });
            return *images;
        };
        const machine::Surface in = number_of("in");
        const machine::Surface out = number_of("out");
        launch.surfaces.resize(state + 2);
        launch.surfaces[state] = in;
        launch.surfaces[state + 1] = out;
        if (!run.samplers.empty()) {
            launch.samplers.resize(machine::first_sampler_state + 1);
            launch.samplers[machine::first_sampler_state] = run.samplers.front();
        }
        return launch;
    }

    struct Contents {
        std::vector<uint32_t> results;
        std::vector<std::byte> in;
        std::vector<std::byte> out;
    };
    Contents contents(const machine::Launch& launch, const machine::Engine& engine) {
        const std::vector<std::byte> before(bytes_at(out_, image_bytes).begin(),
                                            bytes_at(out_, image_bytes).end());
        const machine::Fault fault = machine::run(launch, engine, {.fuel = 100'000}, nullptr).fault;
        EXPECT_EQ(fault.kind, machine::FaultKind::none) << fault.detail;
        Contents after;
        const auto results = bytes_at(results_, results_bytes);
        after.results.resize(results.size() / 4);
        std::memcpy(after.results.data(), results.data(), results.size());
        const auto copy = [&](uint64_t from) {
            const auto all = bytes_at(from, image_bytes);
            return std::vector<std::byte>(all.begin(), all.end());
        };
        after.in = copy(in_);
        after.out = copy(out_);
        std::ranges::copy(before, bytes_at(out_, image_bytes).begin());
        return after;
    }

    static void compare(const Contents& found, const Contents& wanted, const Run& run,
                        const std::string& text) {
        const auto context = [&] {
            return fmt::format("{} shape {} size {}x{}x{} level {}", name_of(run.format),
                               static_cast<int>(run.in.shape), run.in.size[0], run.in.size[1], run.in.size[2],
                               static_cast<int>(run.level));
        };
        EXPECT_EQ(found.in, wanted.in) << context();
        EXPECT_EQ(found.out, wanted.out) << context() << "\n" << text;
        for (size_t i = 0; i < wanted.results.size(); ++i) {
            const size_t message = i / dwords % messages;
            ASSERT_TRUE(same(run.format, found.results[i], wanted.results[i]))
                << context() << " item " << i / dwords / messages << " message " << message << " channel "
                << i % dwords << ": " << std::hex << found.results[i] << ", not " << wanted.results[i] << "\n"
                << (message < run.samplers.size()
                        ? fmt::format("mode {} filter {} normalized {}",
                                      static_cast<int>(run.samplers[message].address),
                                      static_cast<int>(run.samplers[message].filter),
                                      run.samplers[message].normalized)
                        : text);
        }
    }

    machine::Memory memory_{uint64_t{1} << 24U};
    uint64_t in_;
    uint64_t out_;
    uint64_t coordinates_;
    uint64_t results_;
};

constexpr std::array levels{Level::host, Level::avx2, Level::sse4};

// The shapes to try with a format: one drawn, or all.
std::vector<ImageShape> shapes_for(Draw& draw) {
    if (std::getenv("VISOR_EVERY_SHAPE") != nullptr)
        return {machine::sampled_shapes.begin(), machine::sampled_shapes.end()};
    return {machine::sampled_shapes.at(draw.below(machine::sampled_shapes.size()))};
}

bool is_srgb(ImageFormat format) {
    return format.order == machine::ChannelOrder::srgba || format.order == machine::ChannelOrder::sbgra;
}

// One message for each address mode and filter.
std::string sampling_kernel(Draw& draw, const isa::Device& device) {
    std::string declared;
    std::string body;
    for (uint32_t k = 0; k < messages; ++k) {
        declared += fmt::format(".decl S{} v_type=S num_elts=1\n", k);
        const uint32_t offsets = draw.below(2) == 0 ? 0 : draw.below(0x1000);
        body += untouched(device.grf_bytes) +
                fmt::format("    (P1) sample_lz.RGBA (M1, 16) 0x{:x}:uw S{} T6 X.0 %null.0 C.0 C.64 C.128\n",
                            offsets, k) +
                store(k);
    }
    return kernel(device, declared, body);
}

TEST_F(Images, SamplesAreTheInterpreters) {
    Draw draw(1);
    size_t coordinates = 0;
    uint32_t turn = 0;
    for (const ImageFormat format : machine::formats()) {
        for (const ImageShape shape : shapes_for(draw)) {
            const bool normalized = draw.below(2) != 0;
            Run one{.in = drawn(draw, shape, format, in_memory()),
                    .out = drawn(draw, shape, format, out_memory()),
                    .samplers = {},
                    .format = format,
                    .level = levels.at(turn++ % levels.size())};
            for (uint32_t k = 0; k < messages; ++k)
                one.samplers.push_back({.address = machine::address_modes.at(k / 2),
                                        .filter = k % 2 == 0 ? FilterMode::nearest : FilterMode::linear,
                                        .normalized = normalized});
            draw.fill(bytes_at(in_memory(), image_bytes));
            draw_coordinates(draw, one.in, normalized);
            const uint32_t mask = draw.below(2) == 0 ? 0xffffU : draw.bits();
            const auto asked = run(sampling_kernel(draw, *isa::device_named("skl")), one, mask);
            // Only what is far outside a repeated image.
            constexpr uint64_t repeats = 2 * uint64_t{threads} * groups;
            const auto sampled = asked.find("sample_lz");
            if (!is_srgb(format)) {
                EXPECT_LE(sampled == asked.end() ? 0 : sampled->second, repeats) << name_of(format);
            }
            coordinates += uint64_t{items} * messages;
            ASSERT_FALSE(HasFailure());
        }
    }
    std::cout << coordinates << " coordinates\n";
    EXPECT_GE(coordinates, 300'000U);
}

// All 65,536 numbers of 16 bits, and all of 8.
TEST_F(Images, EveryNumberIsConverted) {
    const isa::Device& device = *isa::device_named("skl");
    using enum machine::ChannelType;
    for (const machine::ChannelType type : {unorm_int16, snorm_int16, half_float, unorm_int8, snorm_int8}) {
        const ImageFormat format{machine::ChannelOrder::rgba, type};
        const uint32_t bytes = machine::bytes_of_pixel(format);
        const uint32_t count = bytes == 8 ? 1U << 16U : 1U << 8U;
        for (const Level level : levels) {
            for (uint32_t first = 0; first < count; first += items) {
                Run one{.in = machine::packed_image(ImageShape::d1, format, {items, 1, 1}, 1),
                        .out = machine::packed_image(ImageShape::d1, format, {items, 1, 1}, 1),
                        .samplers = {{.address = AddressMode::clamp}},
                        .format = format,
                        .level = level};
                one.in.address = in_memory() + image_bytes - one.in.bytes();
                one.out.address = out_memory() + image_bytes - one.out.bytes();
                std::byte* const texels = machine::Memory::host(one.in.address);
                for (uint32_t k = 0; k < items * 4; ++k) {
                    const uint32_t number = first + k / 4;
                    std::memcpy(texels + size_t{k} * bytes / 4, &number, bytes / 4);
                }
                for (uint32_t k = 0; k < items; ++k)
                    coordinates()[size_t{k} * dwords] = static_cast<float>(k) + 0.5F;
                const std::string body =
                    "    sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 X.0 %null.0 C.0\n" + store(0);
                const auto asked = run(kernel(device, ".decl S0 v_type=S num_elts=1\n", body), one, 0xffff);
                EXPECT_TRUE(asked.empty()) << name_of(format);
                ASSERT_FALSE(HasFailure());
                if (level != Level::host && first >= 4 * items) // once is enough for compiled constants
                    break;
            }
        }
    }
}

// Loads by index, typed reads and writes of both halves, sizes.
TEST_F(Images, TexelsAreTheInterpreters) {
    const isa::Device& device = *isa::device_named("skl");
    Draw draw(2);
    uint32_t turn = 0;
    std::string body;
    uint32_t result = 0;
    const auto message = [&](const std::string& text) {
        body += untouched(device.grf_bytes) + text + store(result++);
    };
    message("    (P1) load_lz.RGBA (M1, 16) 0x0:uw T6 X.0 %null.0 C.0 C.64 C.128\n");
    message("    (P1) load_lz.GA (M1, 16) 0x1f2:uw T6 X.0 %null.0 C.0 C.64 C.128\n");
    message("    (P1) gather4_typed.RGBA (M1, 8) T6 C.0 C.64 C.128 %null.0 X.0\n");
    message("    (P1) gather4_typed.RB (M3, 8) T6 C.32 C.96 C.160 %null.0 X.0\n");
    message("    resinfo.RGBA (M1, 16) T6 C.0 X.0\n");
    // What is written comes from the lane's coordinates, read as floats.
    for (uint32_t row = 0; row < 4; ++row)
        body += fmt::format("    mov (M1_NM, 8) X({},0)<1> C({},0)<1;1,0>\n", row, 2 * (row % 3));
    body += "    (P1) scatter4_typed.RGBA (M1, 8) T8 AT.0 C.96 C.160 %null.0 X.0\n"
            "    (P1) scatter4_typed.RGBA (M1, 8) T8 C.0 C.64 C.128 %null.0 X.0\n"
            "    (P1) scatter4_typed.RGBA (M3, 8) T8 C.32 C.96 C.160 %null.0 X.0\n";
    const std::string text = kernel(device, "", body);
    for (const ImageFormat format : machine::formats()) {
        for (const ImageShape shape : shapes_for(draw)) {
            Run one{.in = drawn(draw, shape, format, in_memory()),
                    .out = drawn(draw, shape, format, out_memory()),
                    .samplers = {},
                    .format = format,
                    .level = levels.at(turn++ % levels.size())};
            draw.fill(bytes_at(in_memory(), image_bytes));
            draw.fill(bytes_at(out_memory(), image_bytes));
            draw_indices(draw, one.in);
            const auto asked = run(text, one, draw.below(2) == 0 ? 0xffffU : draw.bits());
            const bool has_no_half =
                format.type == machine::ChannelType::half_float && one.level == Level::sse4;
            if (!is_srgb(format) && !has_no_half) {
                EXPECT_TRUE(asked.empty()) << asked.begin()->first << " of " << name_of(format);
            }
            ASSERT_FALSE(HasFailure());
        }
    }
}

// Numbers between two codes, NaN, infinities and denormals, written to every format.
TEST_F(Images, WhatIsWrittenIsTheInterpreters) {
    const isa::Device& device = *isa::device_named("skl");
    Draw draw(3);
    const std::string text =
        kernel(device, "",
               "    shr (M1_NM, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x4:ud\n"
               "    and (M1_NM, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x7f:ud\n"
               "    mov (M1_NM, 8) X(0,0)<1> C(0,0)<1;1,0>\n    mov (M1_NM, 8) X(1,0)<1> C(2,0)<1;1,0>\n"
               "    mov (M1_NM, 8) X(2,0)<1> C(4,0)<1;1,0>\n    mov (M1_NM, 8) X(3,0)<1> C(6,0)<1;1,0>\n"
               "    (P1) scatter4_typed.RGBA (M1, 8) T8 AT.0 %null.0 %null.0 %null.0 X.0\n"
               "    mov (M1_NM, 8) X(0,0)<1> C(1,0)<1;1,0>\n    mov (M1_NM, 8) X(1,0)<1> C(3,0)<1;1,0>\n"
               "    mov (M1_NM, 8) X(2,0)<1> C(5,0)<1;1,0>\n    mov (M1_NM, 8) X(3,0)<1> C(7,0)<1;1,0>\n"
               "    (P1) scatter4_typed.RGBA (M3, 8) T8 AT.32 %null.0 %null.0 %null.0 X.0\n");
    constexpr std::array codes{255.0F, 127.0F, 65535.0F, 32767.0F, 31.0F, 63.0F, 1023.0F, 3.0F, 1.0F};
    for (const ImageFormat format : machine::formats()) {
        for (const Level level : levels) {
            Run one{.in = machine::packed_image(ImageShape::d1, format, {128, 1, 1}, 1),
                    .out = machine::packed_image(ImageShape::d1, format, {128, 1, 1}, 1),
                    .samplers = {},
                    .format = format,
                    .level = level};
            one.in.address = in_memory();
            one.out.address = out_memory() + image_bytes - one.out.bytes();
            for (float& number : coordinates()) {
                const float code = static_cast<float>(draw.below(1U << 17U)) / 2 - 100;
                number =
                    draw.below(3) == 0 ? draw.coordinate(true, 1) : code / codes.at(draw.below(codes.size()));
            }
            run(text, one, draw.below(2) == 0 ? 0xffffU : draw.bits());
            ASSERT_FALSE(HasFailure());
        }
    }
}

// More formats and samplers than there are variants of the code, each of them twice.
TEST_F(Images, OneEngineTakesImagesOfAnyFormat) {
    Draw draw(5);
    draw.fill(bytes_at(in_memory(), image_bytes));
    std::vector<Run> runs;
    const std::vector<ImageFormat> formats = machine::formats();
    for (uint32_t k = 0; k < 24; ++k) {
        const uint32_t which = k % 12;
        const ImageFormat format = formats.at(size_t{which} * 5 % formats.size());
        Run one{.in = drawn(draw, machine::sampled_shapes.at(which % 5), format, in_memory()),
                .out = drawn(draw, ImageShape::d1, format, out_memory()),
                .samplers = {},
                .format = format};
        for (uint32_t m = 0; m < messages; ++m)
            one.samplers.push_back({.address = machine::address_modes.at((m + which) % 5),
                                    .filter = (m + which) % 2 == 0 ? FilterMode::nearest : FilterMode::linear,
                                    .normalized = true});
        runs.push_back(one);
    }
    draw_coordinates(draw, runs.front().in, true);
    const std::string text = sampling_kernel(draw, *isa::device_named("skl"));
    const auto asked = run_in_turn(text, runs, 0xffff);
    EXPECT_FALSE(asked.empty()); // launches behind the last variant
}

// As the compiler writes it for dg2: handles from the launch, through `mov` and `or`; and by LSC for bmg.
TEST_F(Images, HandlesAreFollowedToTheLaunch) {
    constexpr ImageFormat format{machine::ChannelOrder::rgba, machine::ChannelType::unorm_int8};
    Draw draw(4);
    Run one{.in = machine::packed_image(ImageShape::d2, format, {9, 5, 1}, 1),
            .out = machine::packed_image(ImageShape::d2, format, {9, 5, 1}, 1),
            .samplers = {{.address = AddressMode::clamp_to_edge, .filter = FilterMode::linear}},
            .format = format,
            .level = Level::host,
            .device = "dg2"};
    one.in.address = in_memory() + image_bytes - one.in.bytes();
    one.out.address = out_memory() + image_bytes - one.out.bytes();
    draw.fill(bytes_at(in_memory(), image_bytes));
    draw.fill(bytes_at(out_memory(), image_bytes));
    draw_coordinates(draw, one.in, false);
    const std::string chain = "    or (M1_NM, 1) H1(0,0)<1> HSAMPLER(0,0)<0;1,0> 0x1:ud\n"
                              "    mov (M1_NM, 1) H2(0,0)<1> HIMAGE(0,0)<0;1,0>\n"
                              "    mov (M1_NM, 1) H3(0,0)<1> HOUT(0,0)<0;1,0>\n";
    const std::string sample = "    movs (M1_NM, 1) S31(0) H1(0,0)<0;1,0>\n"
                               "    movs (M1_NM, 1) %bss(0) H2(0,0)<0;1,0>\n"
                               "    sample_lz.RGBA (M1, 16) 0x0:uw S31 %bss X.0 %null.0 C.0 C.64\n";
    const std::string declared = ".decl S0 v_type=S num_elts=1\n";
    const auto asked_of = [&](const std::string& body) {
        return run(kernel(*isa::device_named(one.device), declared, body), one, 0xffff);
    };
    EXPECT_TRUE(asked_of(chain + sample + store(0)).empty());
    // In a later block, what every way there computes stays known, two elements at a time as well ...
    EXPECT_TRUE(asked_of(chain + "    (P1) goto (M1, 16) later\nlater:\n" + sample + store(0)).empty());
    const std::string pairs = "    mov (M1_NM, 2) PAIR(0,0)<1> HSAMPLER(0,0)<0;1,0>\n"
                              "    or (M1_NM, 1) H1(0,0)<1> PAIR(0,1)<0;1,0> 0x1:ud\n";
    const std::string two_ways =
        "    (P1) goto (M1, 16) later\n" + pairs + "    goto (M1, 16) join\nlater:\n" + pairs + "join:\n";
    EXPECT_TRUE(asked_of(chain + two_ways + sample + store(0)).empty());
    EXPECT_FALSE(
        asked_of(
            chain +
            "    (P1) goto (M1, 16) later\n    add (M1_NM, 1) H1(0,0)<1> H1(0,0)<0;1,0> 0x0:ud\nlater:\n" +
            sample + store(0))
            .empty());
    // ... unless something else is written there, as on the way back of a loop.
    const std::string loop =
        "    setp (M1_NM, 16) P2 0x0:ud\nagain:\n" + sample + store(0) +
        "    add (M1_NM, 1) H2(0,0)<1> H2(0,0)<0;1,0> 0x0:ud\n    (P2) goto (M1, 16) again\n";
    EXPECT_FALSE(asked_of(chain + loop).empty());
    EXPECT_FALSE(asked_of(chain + "    add (M1_NM, 1) H2(0,0)<1> H2(0,0)<0;1,0> 0x0:ud\n" + sample + store(0))
                     .empty());
    // The second part of a result, a register behind the first one.
    const std::string in_two_parts =
        "    mov (M1_NM, 1) WIDE(1,0)<1> HIMAGE(0,0)<0;1,0>\n"
        "    madw (M1_NM, 1) WIDE(0,0)<1> T(0,0)<0;1,0> T(0,0)<0;1,0> HIMAGE(0,0)<0;1,0>\n"
        "    mov (M1_NM, 1) H2(0,0)<1> WIDE(1,0)<0;1,0>\n";
    EXPECT_FALSE(asked_of(chain + in_two_parts + sample + store(0)).empty());
    // In 64 bits, of which half is put together.
    const std::string wide = "    mov (M1_NM, 1) Q2(0,0)<1> HQ(0,0)<0;1,0>\n"
                             "    mov (M1_NM, 1) H2(0,0)<1> Q2(0,0)<0;1,0>\n"
                             "    mov (M1_NM, 1) PAIR(0,0)<1> H1(0,0)<0;1,0>\n"
                             "    mov (M1_NM, 1) PAIR(0,1)<1> T(0,0)<0;1,0>\n"
                             "    mov (M1_NM, 1) H1(0,0)<1> PAIRQ(0,0)<0;1,0>\n";
    EXPECT_TRUE(asked_of(chain + wide + sample + store(0)).empty());
    EXPECT_FALSE(asked_of(chain + wide + "    mov (M1_NM, 2) PAIR(0,0)<1> LANE(0,0)<1;1,0>\n" +
                          "    mov (M1_NM, 1) PAIR(0,0)<1> HSAMPLER(0,0)<0;1,0>\n"
                          "    add (M1_NM, 1) PAIR(0,0)<1> PAIR(0,0)<0;1,0> 0x0:ud\n"
                          "    mov (M1_NM, 1) H1(0,0)<1> PAIRQ(0,0)<0;1,0>\n" +
                          sample + store(0))
                     .empty());
    one.device = "bmg";
    EXPECT_TRUE(asked_of(chain +
                         "    mov (M1_NM, 16) AT(0,0)<1> LANE(0,0)<1;1,0>\n"
                         "    lsc_load_quad.tgm (M1, 16) X:d32.xyzw bss(H2)[AT,AT]:a32\n" +
                         store(0) + "    lsc_store_quad.tgm (M1, 16) bss(H3)[AT,AT]:a32 X:d32.xyzw\n")
                    .empty());
}

} // namespace
} // namespace visor::jit
