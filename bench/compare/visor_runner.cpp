// Work on Visor's JIT, in this process: the best code, generated before anything is measured, unless
// it is the time to the first that is asked for.
#include "work.h"

#include "vm/vm.h"

#include <algorithm>
#include <cstring>
#include <iostream>

namespace visor::compare {

namespace {

class VisorRunner final : public Runner {
public:
    VisorRunner(const Work& work, const isa::Device& device, unsigned threads)
        : work_(work), context_(device) {
        settings_.engine = vm::EngineKind::jit;
        settings_.options.workers = threads;
        geometry_.dimensions = work.dimensions;
        for (size_t d = 0; d < 3; ++d) {
            geometry_.global[d] = work.global[d];
            geometry_.local[d] = static_cast<uint32_t>(work.local[d]);
        }
    }

    [[nodiscard]] bool prepare(const std::string& device) {
        vm::expect_native();
        vm::LoadOptions options;
        options.device = device;
        options.compiler_options = work_.options;
        std::string warnings;
        auto program = context_.load(work_.source + ".cl", source_of(work_), options, warnings);
        if (!program)
            return failed(program.error());
        program_ = *program;
        const std::vector<vm::KernelFacts> kernels = vm::kernels(*program_);
        const auto kernel = std::ranges::find(kernels, work_.kernel, &vm::KernelFacts::name);
        first_code_.instructions = (kernel == kernels.end() ? kernels.front() : *kernel).instructions;
        for (const Buffer& buffer : work_.buffers) {
            const auto made = context_.allocate(buffer.content.size(), "");
            if (!made)
                return failed(made.error());
            buffers_.push_back(*made);
        }
        for (const Argument& argument : work_.arguments) {
            if (argument.kind == Argument::Kind::buffer)
                arguments_.push_back(argument_of(argument.buffer));
            else if (argument.kind == Argument::Kind::local)
                arguments_.emplace_back(launch::LocalBytes{argument.local_bytes});
            else
                arguments_.emplace_back(argument.value);
        }
        reset();
        return true;
    }

    [[nodiscard]] bool run() override {
        const auto report = context_.run(*program_, work_.kernel, arguments_, geometry_, settings_);
        if (!report)
            return failed(report.error());
        if (report->error)
            return failed(*report->error);
        if (!report->native) {
            std::cerr << work_.name << ": the JIT did not run: " << report->engine_story << '\n';
            return false;
        }
        story_ = report->engine_story;
        first_code_.seconds = report->code_seconds;
        return true;
    }
    void reset() override {
        for (size_t i = 0; i < buffers_.size(); ++i)
            std::memcpy(context_.bytes_of(buffers_[i]).data(), work_.buffers[i].content.data(),
                        work_.buffers[i].content.size());
    }
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override {
        const auto bytes = context_.bytes_of(buffers_[buffer]);
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::string story() override { return story_; }
    [[nodiscard]] FirstCode first_code() const override { return first_code_; }

private:
    [[nodiscard]] launch::ArgumentValue argument_of(size_t buffer) const {
        const std::optional<ImageLayout>& layout = work_.buffers[buffer].image;
        if (!layout)
            return buffers_[buffer];
        std::array<uint32_t, 3> size{};
        std::ranges::transform(layout->size, size.begin(), [](size_t n) { return static_cast<uint32_t>(n); });
        machine::Image image =
            machine::packed_image(layout->dimensions == 3 ? machine::ImageShape::d3 : machine::ImageShape::d2,
                                  {static_cast<machine::ChannelOrder>(layout->order),
                                   static_cast<machine::ChannelType>(layout->type)},
                                  size, 1);
        image.address = buffers_[buffer].address;
        return image;
    }
    [[nodiscard]] bool failed(const vm::Error& error) const {
        std::cerr << work_.name << " on Visor: " << error.text << '\n';
        return false;
    }

    const Work& work_;
    vm::Context context_;
    std::shared_ptr<const vm::Program> program_;
    std::vector<launch::Buffer> buffers_;
    std::vector<launch::ArgumentValue> arguments_;
    launch::Geometry geometry_;
    vm::RunSettings settings_;
    std::string story_;
    FirstCode first_code_;
};

} // namespace

std::unique_ptr<Runner> visor_runner(const Work& work, const std::string& device, unsigned threads) {
    const isa::Device* const row = isa::device_named(device);
    if (row == nullptr) {
        std::cerr << "there is no device " << device << '\n';
        return nullptr;
    }
    auto runner = std::make_unique<VisorRunner>(work, *row, threads);
    if (!runner->prepare(device))
        return nullptr;
    return runner;
}

} // namespace visor::compare
