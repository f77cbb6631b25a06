#include "launch/arguments.h"

#include "isa/opcode.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "number/checked_size.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::launch {

namespace {

// The compiler may merge adjacent local accesses up to an oword: rounds the group's memory up to one.
constexpr uint64_t slm_granule = 16;

std::string_view kind_name(ArgumentKind kind) {
    switch (kind) {
    case ArgumentKind::global_pointer:
        return "a global pointer: it takes a buffer";
    case ArgumentKind::constant_pointer:
        return "a constant pointer: it takes a buffer";
    case ArgumentKind::local_pointer:
        return "a local pointer: it takes a number of bytes of local memory";
    case ArgumentKind::image:
        return "an image";
    case ArgumentKind::sampler:
        return "a sampler";
    case ArgumentKind::value:
        break;
    }
    return "passed by value: it takes bytes";
}

std::string_view value_name(const ArgumentValue& value) {
    if (std::holds_alternative<Buffer>(value))
        return "a buffer";
    if (std::holds_alternative<machine::Image>(value))
        return "an image";
    if (std::holds_alternative<machine::Sampler>(value))
        return "a sampler";
    return std::holds_alternative<LocalBytes>(value) ? "local memory" : "a value";
}

bool fits(const Argument& argument, const ArgumentValue& value) {
    switch (argument.kind) {
    case ArgumentKind::global_pointer:
    case ArgumentKind::constant_pointer:
        return std::holds_alternative<Buffer>(value);
    case ArgumentKind::local_pointer:
        return std::holds_alternative<LocalBytes>(value);
    case ArgumentKind::image:
        return std::holds_alternative<machine::Image>(value);
    case ArgumentKind::sampler:
        return std::holds_alternative<machine::Sampler>(value);
    default:
        return std::holds_alternative<std::vector<std::byte>>(value);
    }
}

// A vector of three has the size of four; three elements are accepted, too.
bool is_size_right(const Argument& argument, size_t bytes) {
    const bool three = argument.type_name.ends_with('3') && !argument.type_name.ends_with("13");
    return argument.bytes == 0 || bytes == argument.bytes ||
           (three && bytes * 4 == size_t{argument.bytes} * 3);
}

struct ShapeName {
    std::string_view type_name;
    machine::ImageShape shape;
};
constexpr std::array shape_names{
    ShapeName{"image1d_t", machine::ImageShape::d1},
    ShapeName{"image1d_buffer_t", machine::ImageShape::d1_buffer},
    ShapeName{"image1d_array_t", machine::ImageShape::d1_array},
    ShapeName{"image2d_t", machine::ImageShape::d2},
    ShapeName{"image2d_array_t", machine::ImageShape::d2_array},
    ShapeName{"image3d_t", machine::ImageShape::d3},
    ShapeName{"image2d_depth_t", machine::ImageShape::d2},
    ShapeName{"image2d_array_depth_t", machine::ImageShape::d2_array},
};

// Devices without a sampler have no sample_lz.
bool has_sampler(const isa::Device& device) {
    const isa::Row* row = isa::find(isa::opcode::sample_3d, isa::sub_opcode::sampler::sample_lz);
    return row != nullptr && isa::contains(row->devices, device.id);
}

std::string_view type_name_of(machine::ImageShape shape) {
    return std::ranges::find(shape_names, shape, &ShapeName::shape)->type_name;
}

class Checker {
public:
    Checker(const Signature& signature, const isa::Device& device, std::span<const ArgumentValue> values,
            const machine::Memory& memory)
        : signature_(signature), device_(device), values_(values), memory_(memory) {}

    std::expected<CheckedArguments, BindError> check() {
        const std::vector<Argument>& arguments = signature_.arguments;
        if (values_.size() != arguments.size())
            return fail(fmt::format("kernel `{}` takes {} argument{}, not {}", signature_.name,
                                    arguments.size(), arguments.size() == 1 ? "" : "s", values_.size()));
        CheckedArguments out{.values = values_, .local_offsets = std::vector<uint32_t>(values_.size())};
        uint64_t local_end = 0;
        for (size_t i = 0; i < arguments.size(); ++i) {
            if (auto checked = check_one(arguments[i], values_[i]); !checked)
                return std::unexpected(checked.error());
            if (const auto* local = std::get_if<LocalBytes>(&values_[i])) {
                const uint64_t alignment = std::max(arguments[i].slm_alignment, 1U);
                local_end = (local_end + alignment - 1) / alignment * alignment;
                out.local_offsets[i] = static_cast<uint32_t>(local_end);
                local_end += local->bytes;
            }
        }
        const uint64_t total = signature_.slm_bytes + local_end;
        if (total > device_.slm_bytes)
            return fail(fmt::format("kernel `{}` needs {} bytes of local memory for a work-group: {} has {}",
                                    signature_.name, total, device_.name, device_.slm_bytes));
        out.slm_bytes = static_cast<uint32_t>((total + slm_granule - 1) / slm_granule * slm_granule);
        return out;
    }

private:
    static std::unexpected<BindError> fail(std::string message, bool unsupported = false) {
        return std::unexpected(BindError{std::move(message), unsupported});
    }

    std::expected<void, BindError> check_one(const Argument& argument, const ArgumentValue& value) const {
        if (std::holds_alternative<std::monostate>(value))
            return fail(
                fmt::format("{} of kernel `{}` is not set", argument_name(argument), signature_.name));
        if (!fits(argument, value))
            return fail(fmt::format("{} is {}, not {}", argument_name(argument), kind_name(argument.kind),
                                    value_name(value)));
        if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value)) {
            if (!is_size_right(argument, bytes->size()))
                return fail(
                    fmt::format("{} has {} bytes{}, not {}", argument_name(argument), argument.bytes,
                                argument.type_name.empty() ? "" : fmt::format(" ({})", argument.type_name),
                                bytes->size()));
        } else if (const auto* buffer = std::get_if<Buffer>(&value)) {
            return check_buffer(argument, *buffer);
        } else if (const auto* image = std::get_if<machine::Image>(&value)) {
            return check_type(argument, *image);
        } else if (const auto* local = std::get_if<LocalBytes>(&value)) {
            if (local->bytes == 0)
                return fail(fmt::format("{} asks for 0 bytes of local memory", argument_name(argument)));
            if (local->bytes > device_.slm_bytes)
                return fail(fmt::format("{} asks for {} bytes of local memory: a work-group of {} has {}",
                                        argument_name(argument), local->bytes, device_.name,
                                        device_.slm_bytes));
        }
        return {};
    }

    std::expected<void, BindError> check_buffer(const Argument& argument, const Buffer& buffer) const {
        const bool null = buffer.address == 0 && buffer.bytes == 0 && buffer.before == 0;
        const bool wraps = buffer.before > buffer.address || buffer.bytes > UINT64_MAX - buffer.before;
        const uint64_t begin = buffer.address - buffer.before;
        if (!null && (wraps || memory_.find(begin, buffer.before + buffer.bytes) == nullptr))
            return fail(
                fmt::format("{} is a buffer of {} bytes at 0x{:x}{}, which is no memory of the device",
                            argument_name(argument), buffer.bytes, buffer.address,
                            buffer.before == 0 ? "" : fmt::format(" with {} bytes below it", buffer.before)));
        return {};
    }

    std::expected<void, BindError> check_type(const Argument& argument, const machine::Image& image) const {
        const std::string name = argument_name(argument);
        // The compiler silently drops image reads for this device: results would be wrong.
        if (!has_sampler(device_) && argument.access != "write_only")
            return fail(
                fmt::format("{} is an image to read from: {} has no sampler, and its compiler drops "
                            "read_image without a word, so this is not supported; another device has one",
                            name, device_.name),
                true);
        const auto wanted = shape_of(argument.type_name);
        if (!wanted)
            return fail(fmt::format("{} is an {}: that is not supported yet", name, argument.type_name),
                        true);
        if (*wanted != image.shape)
            return fail(
                fmt::format("{} is an {}, not an {}", name, argument.type_name, type_name_of(image.shape)));
        const bool is_depth = argument.type_name.ends_with("_depth_t");
        if (is_depth != (image.format.order == machine::ChannelOrder::depth))
            return fail(fmt::format("{} is an {}: its pixels {} depths, as those of d32f are", name,
                                    argument.type_name, is_depth ? "are" : "are no"));
        return check_image(name, image, memory_);
    }

    const Signature& signature_;
    const isa::Device& device_;
    std::span<const ArgumentValue> values_;
    const machine::Memory& memory_;
};

} // namespace

std::optional<machine::ImageShape> shape_of(std::string_view type_name) {
    const auto found = std::ranges::find(shape_names, type_name, &ShapeName::type_name);
    return found == shape_names.end() ? std::nullopt : std::optional(found->shape);
}

std::expected<void, BindError> check_image(std::string_view name, const machine::Image& image,
                                           const machine::Memory& memory) {
    const auto fail = [&](std::string why) {
        return std::unexpected(BindError{fmt::format("{} {}", name, std::move(why)), false});
    };
    const uint64_t pixel = machine::bytes_of_pixel(image.format);
    if (pixel == 0)
        return fail("has a pixel format that OpenCL does not have");
    const uint64_t slices = std::max<uint64_t>(image.size[2], image.layers);
    const bool packs = image.row_pitch / pixel >= image.size[0] && image.size[1] != 0 && slices != 0 &&
                       image.slice_pitch / image.size[1] >= image.row_pitch;
    const auto bytes = (number::CheckedSize(image.slice_pitch) * slices).value();
    if (!packs || !bytes || image.size[0] == 0)
        return fail(
            fmt::format("has a size of {} pixels that its rows do not hold", fmt::join(image.size, "x")));
    if (memory.find(image.address, *bytes) == nullptr)
        return fail(fmt::format("has {} bytes of pixels at 0x{:x}, which is no memory of the device", *bytes,
                                image.address));
    return {};
}

std::string argument_name(const Argument& argument) {
    return argument.name.empty() ? fmt::format("argument {}", argument.index)
                                 : fmt::format("argument {} `{}`", argument.index, argument.name);
}

std::expected<CheckedArguments, BindError> check_arguments(const Signature& signature,
                                                           const isa::Device& device,
                                                           std::span<const ArgumentValue> values,
                                                           const machine::Memory& memory) {
    return Checker(signature, device, values, memory).check();
}

} // namespace visor::launch
