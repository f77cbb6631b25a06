#include "images/place.h"

#include "check/checkers.h"
#include "vm/vm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>

namespace visor::images {

namespace {

using oracle::Dimension;

class VisorPlace : public Place {
public:
    VisorPlace(const std::string& device, const std::string& source) : context_(*isa::device_named(device)) {
        vm::LoadOptions options;
        options.device = device;
        options.compiler_options = "-cl-std=CL2.0";
        std::string warnings;
        auto program = context_.load("kernels.cl", source, options, warnings);
        if (program)
            program_ = std::move(*program);
        else
            std::cout << program.error().text << '\n';
    }
    [[nodiscard]] bool good() const { return program_ != nullptr; }

    [[nodiscard]] bool has(const oracle::ImageFormat& format, Dimension /*dimension*/,
                           bool writes) const override {
        return !writes || (format.order != oracle::cl::sRGBA && format.order != oracle::cl::sBGRA);
    }
    [[nodiscard]] bool has_depth() const override { return true; }
    [[nodiscard]] bool rounds_exactly() const override { return true; }
    [[nodiscard]] bool knows_alpha(const Run& /*run*/) const override { return true; }
    [[nodiscard]] std::string excuse(const Run& /*run*/) const override { return ""; }

    [[nodiscard]] std::string run(Run& run) override {
        std::vector<launch::ArgumentValue> arguments;
        const launch::Buffer pixels = put(0, run.image->pixels);
        arguments.emplace_back(image_of(*run.image, pixels));
        if (run.sampler)
            arguments.emplace_back(sampler_of(*run.sampler));
        std::vector<launch::Buffer> arrays;
        for (const auto& array : run.arrays) {
            arrays.push_back(put(arrays.size() + 1, array));
            arguments.emplace_back(arrays.back());
        }
        launch::Geometry geometry;
        geometry.global[0] = run.items;
        // These kernels are right: every checker listens, and none may find anything.
        std::array<bool, check::kinds> all{};
        all.fill(true);
        check::Checkers checkers(all);
        vm::RunSettings settings;
        settings.watcher = checkers.listener();
        const auto report = context_.run(*program_, run.kernel, arguments, geometry, settings);
        if (!report)
            return report.error().text;
        if (report->error)
            return report->error->text;
        for (const check::Finding& finding : checkers.findings().all())
            if (finding.severity == check::Severity::error)
                return "the checkers say: " + finding.message;
        take(pixels, run.image->pixels);
        for (size_t i = 0; i < arrays.size(); ++i)
            take(arrays[i], run.arrays[i]);
        return "";
    }

private:
    vm::Context context_;
    std::shared_ptr<const vm::Program> program_;
    std::array<launch::Buffer, 4> room_{}; // device memory, used again and again

    launch::Buffer put(size_t index, const std::vector<std::byte>& content) {
        constexpr size_t most = size_t{64} << 10U;
        if (room_.at(index).bytes == 0)
            room_[index] = context_.allocate(most, "array").value_or(launch::Buffer{});
        const launch::Buffer used{room_[index].address, content.size()};
        std::ranges::copy(content, context_.bytes_of(room_[index]).begin());
        return used;
    }
    void take(const launch::Buffer& buffer, std::vector<std::byte>& content) {
        std::memcpy(content.data(), reinterpret_cast<const void*>(buffer.address), content.size());
    }

    static machine::Image image_of(const oracle::HostImage& image, const launch::Buffer& pixels) {
        constexpr std::array shapes{machine::ImageShape::d1,       machine::ImageShape::d1_buffer,
                                    machine::ImageShape::d1_array, machine::ImageShape::d2,
                                    machine::ImageShape::d2_array, machine::ImageShape::d3};
        const machine::ImageFormat format{static_cast<machine::ChannelOrder>(image.format.order),
                                          static_cast<machine::ChannelType>(image.format.type)};
        const std::array<uint32_t, 3> size{static_cast<uint32_t>(image.size[0]),
                                           static_cast<uint32_t>(image.size[1]),
                                           static_cast<uint32_t>(image.size[2])};
        machine::Image out = machine::packed_image(shapes.at(static_cast<size_t>(image.dimension)), format,
                                                   size, static_cast<uint32_t>(image.layers));
        out.address = pixels.address;
        return out;
    }
    static machine::Sampler sampler_of(const oracle::HostSampler& sampler) {
        return {static_cast<machine::AddressMode>(sampler.address),
                sampler.linear ? machine::FilterMode::linear : machine::FilterMode::nearest,
                sampler.normalized};
    }
};

} // namespace

std::unique_ptr<Place> visor_place(const std::string& device, const std::string& source) {
    auto place = std::make_unique<VisorPlace>(device, source);
    return place->good() ? std::move(place) : nullptr;
}

} // namespace visor::images
