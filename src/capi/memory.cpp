// Buffers, images and samplers.
#include "capi/objects.h"
#include "isa/device.h"
#include "number/checked_size.h"

#include <cstring>

using namespace visor;
using namespace visor::capi;

namespace {

// A range of the object's memory, checked for overflow.
std::byte* part_of(const Storage& storage, size_t offset, size_t bytes) {
    const uint64_t all = storage.buffer.bytes;
    if (!number::lies_within(offset, bytes, all))
        refuse(VISOR_ERROR_ARGUMENT, std::to_string(bytes) + " bytes from " + std::to_string(offset) +
                                         " on are not inside of " + std::to_string(all));
    return machine::Memory::host(storage.buffer.address) + offset;
}

void read(const Storage& storage, size_t offset, size_t bytes, void* into) {
    if (bytes != 0)
        needed(static_cast<std::byte*>(into), "`into`");
    const std::byte* const from = part_of(storage, offset, bytes);
    const ContextLock context_lock(*storage.context);
    if (bytes != 0)
        std::memcpy(into, from, bytes);
}

void write(const Storage& storage, size_t offset, size_t bytes, const void* from) {
    const std::string_view content = content_of(from, bytes, "`from`");
    std::byte* const into = part_of(storage, offset, bytes);
    const ContextLock context_lock(*storage.context);
    if (bytes != 0)
        std::memcpy(into, content.data(), bytes);
}

machine::Image image_of(const visor_image_options& given) {
    const auto format = machine::format_named(text_of(given.format));
    if (!format)
        refuse(VISOR_ERROR_ARGUMENT, "options: `format` is \"" + std::string(text_of(given.format)) +
                                         "\"; such as \"rgba8\" and \"r32f\" are known");
    const auto shape =
        static_cast<machine::ImageShape>(number_in(given.shape, VISOR_IMAGE_3D, "options: `shape`"));
    const unsigned dimensions = machine::dimensions_of(shape);
    const auto one = [](uint32_t size) { return size == 0 ? 1 : size; };
    const std::array size{given.width, one(given.height), one(given.depth)};
    const uint32_t layers = one(given.layers);
    if (size[0] == 0 || (dimensions < 2 && size[1] != 1) || (dimensions < 3 && size[2] != 1) ||
        (!machine::is_array(shape) && layers != 1))
        refuse(VISOR_ERROR_ARGUMENT, "options: the sizes do not go with the shape");
    // Limits of hardware surfaces; products cannot overflow.
    constexpr uint32_t most = 1U << 14U;
    constexpr uint32_t most_buffer = 1U << 27U;
    const bool linear = shape == machine::ImageShape::d1_buffer;
    if (size[0] > (linear ? most_buffer : most) || size[1] > most || size[2] > most || layers > most)
        refuse(VISOR_ERROR_ARGUMENT, "options: the image is larger than images can be");
    return machine::packed_image(shape, *format, size, layers);
}

} // namespace

visor_status visor_buffer_create(visor_context context, size_t bytes, const void* content,
                                 visor_buffer* buffer) {
    return call([&] {
        result(buffer, "`buffer`");
        const auto owner = find<ContextObject>(context);
        if (bytes == 0)
            refuse(VISOR_ERROR_ARGUMENT, "a buffer has at least one byte");
        std::shared_ptr<BufferObject> made;
        {
            const ContextLock context_lock(*owner);
            made = std::make_shared<BufferObject>(owner, owner->allocate(bytes, "a buffer"));
            if (content != nullptr)
                std::memcpy(machine::Memory::host(made->buffer.address), content, bytes);
        }
        give(buffer, std::move(made));
    });
}

visor_status visor_buffer_release(visor_buffer buffer) {
    return call([&] { static_cast<void>(take<BufferObject>(buffer)); });
}

visor_status visor_buffer_size(visor_buffer buffer, size_t* bytes) {
    return call([&] { result(bytes, "`bytes`") = find<BufferObject>(buffer)->buffer.bytes; });
}

visor_status visor_buffer_read(visor_buffer buffer, size_t offset, size_t bytes, void* into) {
    return call([&] { read(*find<BufferObject>(buffer), offset, bytes, into); });
}

visor_status visor_buffer_write(visor_buffer buffer, size_t offset, size_t bytes, const void* from) {
    return call([&] { write(*find<BufferObject>(buffer), offset, bytes, from); });
}

visor_status visor_buffer_map(visor_buffer buffer, void** memory) {
    return call([&] {
        result(memory, "`memory`");
        const auto found = find<BufferObject>(buffer);
        const ContextLock context_lock(*found->context);
        *memory = machine::Memory::host(found->buffer.address);
    });
}

visor_status visor_buffer_address(visor_buffer buffer, uint64_t* address) {
    return call([&] { result(address, "`address`") = find<BufferObject>(buffer)->buffer.address; });
}

visor_status visor_image_create(visor_context context, const visor_image_options* options, const void* pixels,
                                visor_image* image) {
    return call([&] {
        result(image, "`image`");
        const auto owner = find<ContextObject>(context);
        needed(options, "`options`");
        machine::Image facts = image_of(read_struct(options, "visor_image_options"));
        std::shared_ptr<ImageObject> made;
        {
            const ContextLock context_lock(*owner);
            made = std::make_shared<ImageObject>(owner, owner->allocate(facts.bytes(), "an image"));
            if (pixels != nullptr)
                std::memcpy(machine::Memory::host(made->buffer.address), pixels, made->buffer.bytes);
        }
        facts.address = made->buffer.address;
        made->image = facts;
        give(image, std::move(made));
    });
}

visor_status visor_image_release(visor_image image) {
    return call([&] { static_cast<void>(take<ImageObject>(image)); });
}

visor_status visor_image_size(visor_image image, size_t* bytes) {
    return call([&] { result(bytes, "`bytes`") = find<ImageObject>(image)->buffer.bytes; });
}

visor_status visor_image_read(visor_image image, size_t bytes, void* into) {
    return call([&] {
        const auto found = find<ImageObject>(image);
        if (bytes != found->buffer.bytes)
            refuse(VISOR_ERROR_ARGUMENT, "the image has " + std::to_string(found->buffer.bytes) + " bytes");
        read(*found, 0, bytes, into);
    });
}

visor_status visor_image_write(visor_image image, size_t bytes, const void* from) {
    return call([&] {
        const auto found = find<ImageObject>(image);
        if (bytes != found->buffer.bytes)
            refuse(VISOR_ERROR_ARGUMENT, "the image has " + std::to_string(found->buffer.bytes) + " bytes");
        write(*found, 0, bytes, from);
    });
}

visor_status visor_sampler_create(visor_context context, const visor_sampler_options* options,
                                  visor_sampler* sampler) {
    return call([&] {
        result(sampler, "`sampler`");
        auto made = std::make_shared<SamplerObject>();
        made->context = find<ContextObject>(context);
        needed(options, "`options`");
        const auto given = read_struct(options, "visor_sampler_options");
        made->sampler = {.address = static_cast<machine::AddressMode>(
                             number_in(given.address, VISOR_ADDRESS_MIRRORED_REPEAT, "options: `address`")),
                         .filter = static_cast<machine::FilterMode>(
                             number_in(given.filter, VISOR_FILTER_LINEAR, "options: `filter`")),
                         .normalized = given.normalized != 0,
                         .comparison = static_cast<machine::Comparison>(
                             number_in(given.comparison, VISOR_COMPARE_ALWAYS, "options: `comparison`"))};
        give(sampler, std::move(made));
    });
}

visor_status visor_sampler_release(visor_sampler sampler) {
    return call([&] { static_cast<void>(take<SamplerObject>(sampler)); });
}
