#include "opencl/captures.h"

#include "opencl/kernel.h"
#include "profile/outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

namespace visor::opencl {

namespace {

std::span<const std::byte> memory_at(uint64_t address, uint64_t bytes) {
    return {machine::Memory::host(address), bytes};
}

capture::Value value_of(const launch::ArgumentValue& value, bool is_pointer) {
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value))
        return *bytes;
    if (const auto* local = std::get_if<launch::LocalBytes>(&value))
        return capture::Local{local->bytes};
    if (const auto* image = std::get_if<machine::Image>(&value))
        return capture::Pixels{*image, memory_at(image->address, image->bytes()), 0};
    if (const auto* sampler = std::get_if<machine::Sampler>(&value))
        return *sampler;
    const auto* buffer = std::get_if<launch::Buffer>(&value);
    if (buffer == nullptr || buffer->address == 0)
        return capture::Null{};
    return capture::Object{.bytes =
                               memory_at(buffer->address - buffer->before, buffer->before + buffer->bytes),
                           .number = 0,
                           .is_pointer = is_pointer || buffer->before != 0,
                           .offset = buffer->before};
}

// Objects are numbered by the first argument that is one, from 1 on.
void number_objects(std::vector<capture::Argument>& arguments) {
    std::map<std::pair<const std::byte*, size_t>, uint64_t> known;
    uint64_t next = 0;
    const auto number = [&](std::span<const std::byte> bytes, uint64_t& out) {
        out = known.try_emplace({bytes.data(), bytes.size()}, ++next).first->second;
    };
    for (capture::Argument& argument : arguments) {
        if (auto* object = std::get_if<capture::Object>(&argument.value))
            number(object->bytes, object->number);
        if (auto* pixels = std::get_if<capture::Pixels>(&argument.value))
            number(pixels->bytes, pixels->number);
    }
}

bool overlaps(std::span<const std::byte> a, std::span<const std::byte> b) {
    return std::less<>{}(a.data(), b.data() + b.size()) && std::less<>{}(b.data(), a.data() + a.size());
}

// Whether an image shares memory with a buffer or with another image.
bool has_shared_pixels(const std::vector<capture::Argument>& arguments) {
    std::vector<std::pair<std::span<const std::byte>, uint64_t>> all;
    for (const capture::Argument& argument : arguments) {
        if (const auto* object = std::get_if<capture::Object>(&argument.value))
            all.emplace_back(object->bytes, object->number);
        if (const auto* pixels = std::get_if<capture::Pixels>(&argument.value))
            all.emplace_back(pixels->bytes, pixels->number);
    }
    return std::ranges::any_of(arguments, [&](const capture::Argument& argument) {
        const auto* pixels = std::get_if<capture::Pixels>(&argument.value);
        return pixels != nullptr && std::ranges::any_of(all, [&](const auto& other) {
                   return other.second != pixels->number && overlaps(other.first, pixels->bytes);
               });
    });
}

std::string remark_of(const CapturedLaunch::What& what, const std::vector<capture::Argument>& arguments) {
    std::string remark;
    if (what.indirect)
        remark = "it may follow pointers that lie in memory, whose targets are not captured";
    if (has_shared_pixels(arguments))
        remark += fmt::format("{}an image shares memory with another argument and is captured apart",
                              remark.empty() ? "" : "; ");
    return remark;
}

void add_program(const _cl_kernel& kernel, capture::Launch& launch) {
    _cl_program& program = *kernel.program;
    const std::lock_guard guard(program.facts);
    if (program.origin == Origin::source)
        launch.source = program.source;
    if (program.origin == Origin::il)
        launch.spirv = specialized(program.source, program.constants);
    launch.zebin = program.built.zebin;
    launch.options = program.options;
}

capture::Launch launch_of(const CapturedLaunch::What& what, uint64_t number) {
    capture::Launch launch;
    launch.number = number;
    launch.kernel = what.kernel.signature().name;
    launch.device = device_of(what.kernel).name;
    add_program(what.kernel, launch);
    launch.dimensions = what.geometry.dimensions;
    launch.global = what.geometry.global;
    launch.offset = what.geometry.offset;
    std::ranges::copy(what.geometry.local, launch.local.begin());
    const auto& arguments = what.kernel.signature().arguments;
    for (size_t k = 0; k < what.values.size(); ++k)
        launch.arguments.push_back({arguments[k].name, arguments[k].type_name,
                                    value_of(what.values[k], what.pointers[k] != nullptr)});
    number_objects(launch.arguments);
    const launch::Buffer variables = vm::variables_of(*what.kernel.code);
    if (variables.bytes != 0)
        launch.variables = memory_at(variables.address, variables.bytes);
    launch.remark = remark_of(what, launch.arguments);
    return launch;
}

void tell(std::string_view text) {
    platform().record.print_once(fmt::format("visor: warning: {}\n", text));
}

} // namespace

std::optional<uint64_t> Captures::next(std::string_view kernel) {
    const std::lock_guard held(lock_);
    const uint64_t number = launches_++;
    auto counted = of_kernel_.find(kernel);
    if (counted == of_kernel_.end())
        counted = of_kernel_.emplace(kernel, 0).first;
    const uint64_t own = counted->second++;
    return is_chosen(settings_.launches, kernel, number, own) ? std::optional(number) : std::nullopt;
}

bool Captures::reserve(uint64_t bytes) {
    constexpr unsigned bits_of_a_mebibyte = 20;
    const std::lock_guard held(lock_);
    if ((bytes_ + bytes) >> bits_of_a_mebibyte >= settings_.mebibytes) {
        ++too_large_;
        return false;
    }
    bytes_ += bytes;
    return true;
}

void Captures::finish() {
    const std::lock_guard held(lock_);
    if (too_large_ != 0)
        tell(fmt::format(
            "{} launches are not captured: the limit is {} MiB (--capture-limit, VISOR_CAPTURE_LIMIT)",
            too_large_, settings_.mebibytes));
}

void Captures::reset_after_fork() {
    if (!wanted())
        return;
    if (lock_.try_lock()) {
        launches_ = bytes_ = too_large_ = 0;
        of_kernel_.clear();
        lock_.unlock();
        return;
    }
    // Another thread has held it, and is gone: what it was at is left alone.
    const CaptureSettings settings = settings_;
    std::construct_at(this, settings);
}

CapturedLaunch::CapturedLaunch(Captures& captures, const What& what) {
    const auto number = captures.next(what.kernel.signature().name);
    if (!number)
        return;
    launch_ = launch_of(what, *number);
    if (!captures.reserve(capture::size_of(launch_)))
        return;
    auto folder =
        capture::Folder::create(profile::expand_process(captures.settings_.folder, getpid()), launch_);
    if (folder)
        folder_ = std::move(*folder);
    else
        tell(fmt::format("launch {} of `{}` is not captured: {}", *number, launch_.kernel, folder.error()));
}

void CapturedLaunch::finish(const vm::RunReport& report) const {
    if (!folder_)
        return;
    const capture::Outcome outcome{
        .over = true, .failure = report.error ? report.error->text : std::string(), .local = report.local};
    if (const auto done = folder_->finish(launch_, outcome); !done)
        tell(fmt::format("{} has no results: {}", folder_->path(), done.error()));
}

} // namespace visor::opencl
