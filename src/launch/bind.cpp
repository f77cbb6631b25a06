// The launch of a compiled kernel: the image of the register file that its metadata describes (launch
// ABI 2.1), cut into copies and computed values for the variables that the text declares as inputs.
#include "launch/bind.h"

#include "launch/image_property.h"
#include "launch/implicit_arguments.h"

#include "launch/arguments.h"
#include "launch/geometry.h"
#include "launch/inline_data.h"
#include "launch/states.h"
#include "number/checked_size.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace visor::launch {

namespace {

// Limits far above any compiled kernel's needs, against hand-made signatures.
constexpr uint32_t max_image_bytes = 2U << 20U;
constexpr uint64_t max_thread_scratch = uint64_t{4} << 20U; // the hardware has 2 MiB at most
constexpr uint64_t max_thread_private = uint64_t{64} << 20U;

std::unexpected<BindError> fail(std::string message, bool unsupported = false) {
    return std::unexpected(BindError{std::move(message), unsupported});
}

class Binder {
public:
    Binder(const Signature& signature, const Program& program, const CheckedArguments& arguments,
           const Shape& shape, uint64_t printf_buffer, machine::Memory& memory, const ProgramData& data)
        : signature_(signature), program_(program), arguments_(arguments), shape_(shape),
          printf_buffer_(printf_buffer), memory_(memory), states_(signature, data) {}

    std::expected<Plan, BindError> bind(uint32_t workers) {
        if (auto checked = check_payload(); !checked)
            return std::unexpected(checked.error());
        machine::Launch common = blank_launch(program_, signature_.simd, memory_);
        common.walk_order = signature_.walk_order;
        common.slm_bytes = arguments_.slm_bytes;
        if (auto done = set_thread_memory(common); !done)
            return std::unexpected(done.error());
        set_surfaces(common);
        if (auto done = set_samplers(common); !done)
            return std::unexpected(done.error());
        states_.add(common, arguments_.values,
                    [this](const Buffer& buffer, uint32_t argument) { return surface_of(buffer, argument); });
        if (auto done = place_inputs(common); !done)
            return std::unexpected(done.error());

        Plan plan{.launches = {}, .local = shape_.local, .resources = {}};
        if (auto done = add_launches(plan, std::move(common), workers); !done) {
            for (const uint64_t address : plan.resources.allocations)
                memory_.free(address);
            return std::unexpected(done.error());
        }
        return plan;
    }

private:
    std::expected<void, BindError> add_launches(Plan& plan, machine::Launch common, uint32_t workers) {
        if (!shape_.regions.empty()) { // the last is nearly always the only one, and not copied
            plan.launches.reserve(shape_.regions.size());
            plan.launches.assign(shape_.regions.size() - 1, common);
            plan.launches.push_back(std::move(common));
        }
        for (size_t k = 0; k < shape_.regions.size(); ++k) {
            const Region& region = shape_.regions[k];
            machine::Launch& launch = plan.launches[k];
            set_region(launch, region);
            launch.all_groups = shape_.group_count;
            if (auto done = add_implicit_arguments(plan, launch, region); !done)
                return std::unexpected(done.error());
            launch.image = image(region);
            if (auto done = place_indirect_data(plan, launch); !done)
                return std::unexpected(done.error());
        }
        return allocate_private(plan, workers);
    }

    // ---- unsupported kernels ----

    std::expected<void, BindError> check_payload() const {
        for (const PayloadItem& item : signature_.payload) {
            if (item.offset > max_image_bytes / 2 || item.bytes > max_image_bytes / 2)
                return fail(fmt::format("kernel `{}`: the metadata places `{}` at byte {}", signature_.name,
                                        item.property, item.offset));
            if (!is_supported(item))
                return fail(fmt::format("kernel `{}` wants `{}`{} at its start: that is not supported yet",
                                        signature_.name, item.property,
                                        item.mode == AddressMode::bindless ? " (bindless)" : ""),
                            true);
            if (item.argument >= 0 && static_cast<size_t>(item.argument) >= arguments_.values.size())
                return fail(fmt::format("kernel `{}`: the metadata speaks of an argument {}", signature_.name,
                                        item.argument));
            // The sum of both has 32 bits, too.
            if (const Buffer* buffer = middle_of(item);
                buffer != nullptr && buffer->before + buffer->bytes > uint64_t{1} << 32U)
                return fail(fmt::format("kernel `{}`: {} points into the middle of {} bytes, more than "
                                        "offsets of 32 bits reach",
                                        signature_.name,
                                        argument_name(signature_.arguments[size_t(item.argument)]),
                                        buffer->before + buffer->bytes));
            if (item.kind == PayloadKind::printf_buffer && printf_buffer_ == 0)
                return fail(
                    fmt::format("kernel `{}` calls printf: that is not supported yet", signature_.name),
                    true);
        }
        for (const BindingTableEntry& entry : signature_.bindings) {
            if (entry.argument >= arguments_.values.size())
                return fail(fmt::format("kernel `{}`: the metadata speaks of an argument {}", signature_.name,
                                        entry.argument));
        }
        return {};
    }

    // State handles have 4 bytes, or 8 of which code uses the lower half.
    static bool is_supported(const PayloadItem& item) {
        const bool bindless = item.mode == AddressMode::bindless && item.bytes > 0;
        switch (item.kind) {
        case PayloadKind::unknown:
            return false;
        case PayloadKind::argument_pointer:
        case PayloadKind::const_base:
        case PayloadKind::global_base:
            return !bindless || item.bytes >= sizeof(uint32_t);
        case PayloadKind::inline_sampler:
            return bindless && item.bytes >= sizeof(uint32_t);
        default:
            return !bindless;
        }
    }

    // ---- the payload ----

    std::vector<std::byte> image(const Region& region) const {
        std::vector<std::byte> bytes(image_bytes_);
        for (const PayloadItem& item : signature_.payload) {
            if (item.bytes > 0)
                write(bytes, item, region);
        }
        return bytes;
    }

    void write(std::vector<std::byte>& image, const PayloadItem& item, const Region& region) const {
        const auto put = [&](const void* from, size_t bytes) {
            std::memcpy(image.data() + item.offset, from, std::min<size_t>(bytes, item.bytes));
        };
        const auto put_size = [&](const std::array<uint32_t, 3>& size) { put(size.data(), sizeof size); };
        switch (item.kind) {
        case PayloadKind::global_id_offset:
            return put_size(shape_.offset);
        case PayloadKind::local_size:
            return put_size(region.local);
        case PayloadKind::enqueued_local_size:
            return put_size(shape_.local);
        case PayloadKind::group_count:
            return put_size(shape_.group_count);
        case PayloadKind::global_size:
            return put_size(shape_.global);
        case PayloadKind::work_dimensions:
            return put(&shape_.dimensions, sizeof shape_.dimensions);
        case PayloadKind::printf_buffer:
            return put(&printf_buffer_, sizeof printf_buffer_);
        case PayloadKind::implicit_arguments:
            return put(&implicit_arguments_, sizeof implicit_arguments_);
        case PayloadKind::argument_value:
            return write_value(image, item);
        case PayloadKind::image_property:
        case PayloadKind::sampler_address:
        case PayloadKind::sampler_normalized:
        case PayloadKind::sampler_snap: {
            if (item.argument < 0)
                return;
            const uint64_t value = property(item, arguments_.values[static_cast<size_t>(item.argument)]);
            return put(&value, sizeof value);
        }
        case PayloadKind::inline_sampler:
        case PayloadKind::scratch_state: {
            const uint64_t handle = states_.handle_of(item);
            return put(&handle, sizeof handle);
        }
        case PayloadKind::argument_pointer:
        case PayloadKind::const_base:
        case PayloadKind::global_base:
            if (item.mode == AddressMode::bindless) {
                const uint64_t handle = states_.handle_of(item);
                return put(&handle, sizeof handle);
            }
            [[fallthrough]];
        case PayloadKind::buffer_address: {
            const uint64_t address = pointer(item);
            return put(&address, sizeof address);
        }
        case PayloadKind::buffer_offset: {
            const Buffer* buffer = middle_of(item);
            const uint64_t before = buffer == nullptr ? 0 : buffer->before;
            return put(&before, sizeof before);
        }
        default: // private_base is computed by thread
            return;
        }
    }

    void write_value(std::vector<std::byte>& image, const PayloadItem& item) const {
        const auto* value =
            std::get_if<std::vector<std::byte>>(&arguments_.values[static_cast<size_t>(item.argument)]);
        if (value == nullptr || item.source_offset >= value->size())
            return;
        const size_t bytes = std::min<size_t>(item.bytes, value->size() - item.source_offset);
        std::memcpy(image.data() + item.offset, value->data() + item.source_offset, bytes);
    }

    // A buffer's address; for local memory the offset after the kernel's own, which the code adds (launch
    // ABI 2.5).
    uint64_t pointer(const PayloadItem& item) const {
        if (const Buffer* data = states_.data_of(item))
            return data->address;
        const auto index = static_cast<size_t>(item.argument);
        if (const auto* buffer = std::get_if<Buffer>(&arguments_.values[index]))
            return buffer->address;
        return arguments_.local_offsets[index];
    }

    // ---- memory ----

    // Code may load arguments after the inline data by .input or by this pointer.
    std::expected<void, BindError> place_indirect_data(Plan& plan, machine::Launch& launch) {
        const auto item =
            std::ranges::find(signature_.payload, PayloadKind::indirect_data, &PayloadItem::kind);
        if (item == signature_.payload.end() || item->bytes < sizeof(uint64_t))
            return {};
        const size_t begin = std::min<size_t>(signature_.inline_bytes, launch.image.size());
        const size_t bytes = launch.image.size() - begin;
        auto address = memory_.allocate(std::max<size_t>(bytes, 1),
                                        fmt::format("indirect data of kernel `{}`", signature_.name));
        if (!address)
            return fail(std::move(address.error()));
        plan.resources.allocations.push_back(*address);
        std::memcpy(machine::Memory::host(*address), launch.image.data() + begin, bytes);
        std::memcpy(launch.image.data() + item->offset, &*address, sizeof *address);
        return {};
    }

    // The buffer of a buffer_offset item: the distance from the surface's start to the pointer, which code
    // adds to every offset. If the compiler has proved that no offset is negative there is no such item, and
    // the surface starts at the pointer.
    const Buffer* middle_of(const PayloadItem& item) const {
        if (item.kind != PayloadKind::buffer_offset || item.argument < 0 || item.bytes < sizeof(uint32_t))
            return nullptr;
        const auto* buffer = std::get_if<Buffer>(&arguments_.values[static_cast<size_t>(item.argument)]);
        return buffer != nullptr && buffer->before != 0 ? buffer : nullptr;
    }

    machine::Surface surface_of(const Buffer& buffer, uint32_t argument) const {
        const bool adds = std::ranges::any_of(signature_.payload, [&](const PayloadItem& item) {
            return std::cmp_equal(item.argument, argument) && middle_of(item) != nullptr;
        });
        const uint64_t before = adds ? buffer.before : 0;
        const uint64_t bytes = before + buffer.bytes;
        // Rounded up to dwords, as the driver does and compiled code expects (ruling 145).
        const auto padding = static_cast<uint32_t>(-bytes % 4);
        return {.kind = machine::SurfaceKind::buffer,
                .address = buffer.address - before,
                .bytes = bytes + padding,
                .padding = padding};
    }

    void set_surfaces(machine::Launch& launch) const {
        for (const BindingTableEntry& entry : signature_.bindings) {
            if (launch.surfaces.size() <= entry.index)
                launch.surfaces.resize(entry.index + 1);
            const ArgumentValue& value = arguments_.values[entry.argument];
            if (const auto* buffer = std::get_if<Buffer>(&value))
                launch.surfaces[entry.index] = surface_of(*buffer, entry.argument);
            if (const auto* image = std::get_if<machine::Image>(&value))
                launch.surfaces[entry.index] = States::image_surface(launch, *image);
        }
    }

    std::expected<void, BindError> set_samplers(machine::Launch& launch) const {
        const auto place = [&launch](uint32_t index) -> machine::Sampler& {
            if (launch.samplers.size() <= index)
                launch.samplers.resize(index + 1);
            return launch.samplers[index];
        };
        for (const InlineSampler& sampler : signature_.inline_samplers) {
            const auto found = sampler_of(sampler);
            if (!found)
                return fail(fmt::format("kernel `{}`: the metadata has a sampler with address mode `{}` and "
                                        "filter `{}`: that is not supported yet",
                                        signature_.name, sampler.address_mode, sampler.filter_mode),
                            true);
            place(sampler.index) = *found;
        }
        for (size_t i = 0; i < signature_.arguments.size(); ++i) {
            const int index = signature_.arguments[i].sampler_index;
            const auto* sampler = std::get_if<machine::Sampler>(&arguments_.values[i]);
            if (index >= 0 && sampler != nullptr)
                place(static_cast<uint32_t>(index)) = *sampler;
        }
        return {};
    }

    // The sum over kinds: no page says that they overlap.
    std::expected<void, BindError> set_thread_memory(machine::Launch& launch) const {
        uint64_t scratch = 0;
        uint64_t global = 0;
        for (const ThreadMemory& memory : signature_.thread_memory) {
            const uint64_t bytes = uint64_t{memory.bytes} * (memory.per_work_item ? signature_.simd : 1);
            (memory.type == ThreadMemory::Type::scratch ? scratch : global) += bytes;
        }
        if (scratch > max_thread_scratch)
            return fail(fmt::format(
                "kernel `{}` needs {} bytes of scratch memory for each hardware thread; the limit "
                "is {}",
                signature_.name, scratch, max_thread_scratch));
        if (global > max_thread_private)
            return fail(fmt::format(
                "kernel `{}` needs {} bytes of private memory for each hardware thread; the limit "
                "is {}",
                signature_.name, global, max_thread_private));
        constexpr uint64_t alignment = 64;
        launch.scratch_bytes = static_cast<uint32_t>(scratch);
        launch.private_bytes = (global + alignment - 1) / alignment * alignment;
        return {};
    }

    // One allocation for all regions, which run one at a time.
    std::expected<void, BindError> allocate_private(Plan& plan, uint32_t workers) const {
        uint64_t threads = 0;
        for (const machine::Launch& launch : plan.launches)
            threads = std::max<uint64_t>(threads, launch.threads);
        if (plan.launches.empty() || plan.launches[0].private_bytes == 0)
            return {};
        if (program_.calls)
            return allocate_stacks(plan, threads * std::max(workers, 1U));
        const auto bytes =
            number::CheckedSize(plan.launches[0].private_bytes) * threads * std::max(workers, 1U);
        auto address =
            memory_.allocate(bytes.or_most(), fmt::format("private memory of kernel `{}`", signature_.name));
        if (!address)
            return fail(std::move(address.error()));
        plan.resources.allocations.push_back(*address);
        for (machine::Launch& launch : plan.launches)
            launch.private_base = *address;
        return {};
    }

    // A stack overflow must not reach the next thread's stack.
    std::expected<void, BindError> allocate_stacks(Plan& plan, uint64_t count) const {
        std::vector<uint64_t> blocks;
        for (uint64_t i = 0; i < count; ++i) {
            auto address = memory_.allocate(
                plan.launches[0].private_bytes,
                fmt::format("a hardware thread's private memory and stack, kernel `{}`", signature_.name));
            if (!address)
                return fail(std::move(address.error()));
            plan.resources.allocations.push_back(*address);
            blocks.push_back(*address);
        }
        for (machine::Launch& launch : plan.launches)
            launch.private_blocks = blocks;
        return {};
    }

    // For functions, which may read values that the kernel's payload lacks.
    std::expected<void, BindError> add_implicit_arguments(Plan& plan, machine::Launch& launch,
                                                          const Region& region) {
        const bool wanted = program_.calls || signature_.needs_implicit_arguments ||
                            std::ranges::any_of(signature_.payload, [](const PayloadItem& item) {
                                return item.kind == PayloadKind::implicit_arguments;
                            });
        if (!wanted)
            return {};
        auto placed =
            place_implicit_arguments(signature_, *program_.device, shape_, region, printf_buffer_, memory_);
        if (!placed)
            return fail(std::move(placed.error()));
        plan.resources.allocations.push_back(placed->address);
        implicit_arguments_ = placed->address;
        launch.implicit_arguments = std::move(placed->block);
        return {};
    }

    // ---- registers ----

    // The compiler's layout of inputs in the register file: r0, local ids, cross-thread payload.
    std::expected<void, BindError> place_inputs(machine::Launch& launch) {
        const uint32_t ids_begin = program_.device->grf_bytes;
        const uint32_t ids_end = ids_begin + signature_.per_thread_bytes;
        const InlineData split(signature_.inline_bytes, program_.device->grf_bytes);
        uint32_t payload_end = 0;
        uint32_t lowest_payload = UINT32_MAX;
        for (const PayloadItem& item : signature_.payload) {
            if (item.bytes == 0)
                continue;
            if (!split.holds_together(item.offset, item.bytes))
                return fail(fmt::format("kernel `{}`: `{}` lies across the end of the inline data: that is "
                                        "not supported yet",
                                        signature_.name, item.property),
                            true);
            lowest_payload = std::min(lowest_payload, item.offset);
            payload_end = std::max(payload_end, item.offset + item.bytes);
        }
        uint32_t lowest_input = UINT32_MAX;
        for (const Input& input : program_.function->inputs) {
            if (input.klass == InputClass::general && input.offset >= 0 && position(input) >= ids_end)
                lowest_input = std::min(lowest_input, position(input));
        }
        image_bytes_ = (payload_end + 63) / 64 * 64;
        const bool no_payload = lowest_payload == UINT32_MAX;
        if (!no_payload && lowest_input < split.place(lowest_payload))
            return fail(disagreement());
        // Inline data are the register after the ids; without ids, a register may precede them (launch ABI
        // 2.1).
        const uint32_t base = no_payload                     ? UINT32_MAX
                              : signature_.inline_bytes != 0 ? ids_end
                                                             : lowest_input - split.place(lowest_payload);
        launch.image_inputs.reserve(program_.function->inputs.size());
        launch.computed_inputs.reserve(program_.function->inputs.size());
        for (const Input& input : program_.function->inputs) {
            if (input.klass != InputClass::general || input.offset < 0 ||
                input.id >= program_.variables.size() || !program_.variables[input.id].used)
                continue;
            if (position(input) >= base) {
                const auto piece = split.piece_at(position(input) - base);
                if (!piece)
                    return fail(disagreement());
                add_payload_input(launch, input, *piece);
            } else if (position(input) >= ids_begin && position(input) < ids_end) {
                add_local_ids(launch, input, position(input) - ids_begin);
            }
        }
        return {};
    }

    [[nodiscard]] std::string disagreement() const {
        return fmt::format("kernel `{}`: its text and its metadata disagree about where arguments lie",
                           signature_.name);
    }

    static uint32_t position(const Input& input) { return static_cast<uint32_t>(input.offset); }

    void add_payload_input(machine::Launch& launch, const Input& input,
                           const InlineData::Piece& piece) const {
        const VariableSlot& slot = program_.variables[input.id];
        const uint32_t offset = piece.offset;
        if (offset >= image_bytes_)
            return; // declared, but without a payload argument: it is not read
        const uint32_t bytes = std::min({input.size, slot.bytes, image_bytes_ - offset, piece.bytes});
        const PayloadItem* item = item_at(offset);
        constexpr uint32_t address_bytes = 8;
        if (item != nullptr && item->kind == PayloadKind::private_base && slot.bytes >= address_bytes) {
            launch.computed_inputs.push_back({.filler = machine::Filler::private_base,
                                              .register_offset = slot.base,
                                              .lanes = 1,
                                              .element_bytes = address_bytes});
        } else {
            launch.image_inputs.push_back({slot.base, offset, bytes});
        }
    }

    const PayloadItem* item_at(uint32_t offset) const {
        const auto found = std::ranges::find_if(signature_.payload, [offset](const PayloadItem& item) {
            return item.bytes > 0 && item.offset == offset;
        });
        return found == signature_.payload.end() ? nullptr : &*found;
    }

    // Three blocks of words, x, y, z (launch ABI 2.2). A SIMD32 block takes two registers of 32 bytes, each
    // an input of its own.
    void add_local_ids(machine::Launch& launch, const Input& input, uint32_t offset) const {
        constexpr std::array<machine::Filler, 3> fillers{
            machine::Filler::local_id_x, machine::Filler::local_id_y, machine::Filler::local_id_z};
        constexpr uint32_t word = 2;
        const uint32_t grf = program_.device->grf_bytes;
        const uint32_t block = signature_.simd * word > grf ? 2 * grf : grf;
        const uint32_t dimension = offset / block;
        const uint32_t first_lane = offset % block / word;
        if (dimension >= fillers.size() || first_lane >= signature_.simd)
            return;
        const VariableSlot& slot = program_.variables[input.id];
        const uint32_t lanes = std::min({input.size, slot.bytes, block - offset % block}) / word;
        launch.computed_inputs.push_back(
            {.filler = fillers[dimension],
             .register_offset = slot.base,
             .first_lane = static_cast<uint8_t>(first_lane),
             .lanes = static_cast<uint8_t>(std::min(lanes, signature_.simd - first_lane)),
             .element_bytes = word});
    }

    const Signature& signature_;
    const Program& program_;
    const CheckedArguments& arguments_;
    const Shape& shape_;
    uint64_t printf_buffer_;
    machine::Memory& memory_;
    States states_;
    uint32_t image_bytes_ = 0;
    uint64_t implicit_arguments_ = 0; // address, for the current region
};

// Rejects metadata of newer compilers, whose meaning is unknown.
std::expected<void, BindError> check_known(const Signature& signature, const Program& program) {
    std::vector<std::string> unknown = signature.unknown;
    if (program.calls)
        unknown.insert(unknown.end(), signature.unknown_in_functions.begin(),
                       signature.unknown_in_functions.end());
    constexpr size_t most = 8;
    if (unknown.size() > most)
        unknown.resize(most);
    if (!unknown.empty())
        return fail(fmt::format("kernel `{}` comes with {}: that is not supported yet", signature.name,
                                fmt::join(unknown, ", ")),
                    true);
    if (!InlineData::is_possible(signature.inline_bytes, program.device->grf_bytes))
        return fail(fmt::format("kernel `{}` comes with {} bytes of inline data, and {} has registers of {}: "
                                "that is not supported yet",
                                signature.name, signature.inline_bytes, program.device->name,
                                program.device->grf_bytes),
                    true);
    return {};
}

std::expected<void, BindError> check_simd(const Signature& signature, const Program& program) {
    if (signature.simd != 8 && signature.simd != 16 && signature.simd != 32)
        return fail(fmt::format("kernel `{}` has a SIMD size of {}: that is not supported yet",
                                signature.name, signature.simd),
                    true);
    if (program.simd != 0 && program.simd != signature.simd)
        return fail(fmt::format("kernel `{}`: its text says SIMD{}, its metadata SIMD{}", signature.name,
                                program.simd, signature.simd));
    return {};
}

} // namespace

std::expected<Plan, BindError> bind(const Signature& signature, const Program& program,
                                    std::span<const ArgumentValue> values, const Geometry& geometry,
                                    uint32_t workers, uint64_t printf_buffer, machine::Memory& memory,
                                    const ProgramData& data) {
    if (auto checked = check_known(signature, program); !checked)
        return std::unexpected(checked.error());
    if (auto checked = check_simd(signature, program); !checked)
        return std::unexpected(checked.error());
    const auto arguments = check_arguments(signature, *program.device, values, memory);
    if (!arguments)
        return std::unexpected(arguments.error());
    const auto shape = shape_of(signature, *program.device, geometry);
    if (!shape)
        return fail(shape.error());
    return Binder(signature, program, *arguments, *shape, printf_buffer, memory, data).bind(workers);
}

} // namespace visor::launch
