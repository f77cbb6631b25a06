// The launch of a hand-written kernel: without metadata, the caller gives every input by name, and the
// launch's sizes. It guesses nothing: a missing input is an error.
#include "launch/bind.h"

#include "launch/arguments.h"
#include "launch/geometry.h"
#include "number/checked_size.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::launch {

namespace {

using machine::Filler;

constexpr uint32_t max_samplers = 16; // of the hardware's state

std::unexpected<BindError> fail(std::string message, bool unsupported = false) {
    return std::unexpected(BindError{std::move(message), unsupported});
}

using Done = std::expected<void, BindError>;

class HandBinder {
public:
    HandBinder(const Program& program, std::span<const HandInput> inputs, std::span<const HandState> states,
               const HandGeometry& geometry, machine::Memory& memory)
        : program_(program), function_(*program.function), inputs_(inputs), states_(states),
          geometry_(geometry), memory_(memory) {}

    std::expected<Plan, BindError> bind() {
        const auto shape = make_shape();
        if (!shape)
            return std::unexpected(shape.error());
        shape_ = *shape;
        launch_ = blank_launch(program_, simd_, memory_);
        for (const auto step :
             {&HandBinder::check_names, &HandBinder::set_local_memory, &HandBinder::bind_indices,
              &HandBinder::bind_surfaces, &HandBinder::bind_samplers, &HandBinder::fill_inputs,
              &HandBinder::add_counters}) {
            if (auto done = (this->*step)(); !done)
                return std::unexpected(done.error());
        }
        Plan plan{.launches = {}, .local = shape_.local, .resources = std::move(resources_)};
        plan.launches.reserve(shape_.regions.size());
        for (const Region& region : shape_.regions) {
            if (&region == &shape_.regions.back())
                plan.launches.push_back(std::move(launch_));
            else
                plan.launches.push_back(launch_);
            machine::Launch& launch = plan.launches.back();
            set_region(launch, region);
            launch.all_groups = shape_.group_count;
            for (const uint32_t at : local_size_places_)
                std::memcpy(launch.image.data() + at, region.local.data(), sizeof region.local);
        }
        return plan;
    }

private:
    // ---- size ----

    std::expected<Shape, BindError> make_shape() {
        const isa::Device& device = *program_.device;
        simd_ = geometry_.simd != 0 ? geometry_.simd : program_.simd;
        if (simd_ == 0)
            return fail(
                fmt::format("kernel `{}` has no SimdSize attribute: say --simd 8, 16 or 32", function_.name));
        if (simd_ != 8 && simd_ != 16 && simd_ != 32)
            return fail(fmt::format("kernel `{}` cannot run with a SIMD size of {}: it is 8, 16 or 32",
                                    function_.name, simd_));
        if (!geometry_.in_threads) {
            if (auto whole = check_whole_groups(); !whole)
                return std::unexpected(whole.error());
            Signature signature;
            signature.name = function_.name;
            signature.simd = simd_;
            auto shape = shape_of(signature, device, geometry_.items);
            if (!shape)
                return fail(std::move(shape.error()));
            return std::move(*shape);
        }
        if (geometry_.threads == 0 || geometry_.threads > device.max_threads_group)
            return fail(fmt::format("a work-group of {} has 1 to {} hardware threads, not {}", device.name,
                                    device.max_threads_group, geometry_.threads));
        const std::array<uint32_t, 3>& groups = geometry_.groups;
        if (!(number::CheckedSize(groups[0]) * groups[1] * groups[2]).is_within(most_groups))
            return fail(fmt::format("{} makes too many work-groups", fmt::join(groups, "x")));
        Shape shape{.dimensions = 3, .local = {simd_ * geometry_.threads, 1, 1}, .group_count = groups};
        if (std::ranges::find(groups, 0U) == groups.end())
            shape.regions.push_back({{}, groups, shape.local});
        return shape;
    }

    // Without metadata only the caller can allow non-uniform groups (OpenCL C 2.0).
    Done check_whole_groups() const {
        const Geometry& items = geometry_.items;
        for (uint32_t d = 0; d < std::min(items.dimensions, 3U); ++d) {
            if (!items.allow_non_uniform && items.local[d] != 0 && items.global[d] % items.local[d] != 0)
                return fail(fmt::format("the global size {} in dimension {} is not a multiple of the local "
                                        "size {}, as hand-written vISA wants it",
                                        items.global[d], d, items.local[d]));
        }
        return {};
    }

    // The attribute counts KiB, rounded up to a power of two (4_visa_header.md).
    Done set_local_memory() {
        constexpr int64_t most_kib = 1 << 20;
        const int64_t kib = std::clamp<int64_t>(function_.attribute_number("SLMSize", 0), 0, most_kib);
        const uint64_t declared = kib == 0 ? 0 : std::bit_ceil(static_cast<uint64_t>(kib)) << 10U;
        const uint64_t bytes = geometry_.slm_bytes != 0 ? geometry_.slm_bytes : declared;
        if (bytes > program_.device->slm_bytes)
            return fail(fmt::format(
                "kernel `{}` asks for {} bytes of shared local memory: {} has {} for a work-group",
                function_.name, bytes, program_.device->name, program_.device->slm_bytes));
        launch_.slm_bytes = static_cast<uint32_t>(bytes);
        return {};
    }

    // ---- names ----

    Done check_names() {
        std::vector<std::string_view> names;
        for (const Input& input : function_.inputs) {
            if (input.klass == InputClass::general)
                names.push_back(name_of(input));
        }
        for (const OtherVariable& surface : function_.surfaces)
            names.emplace_back(surface.name);
        for (const OtherVariable& sampler : function_.samplers)
            names.emplace_back(sampler.name);
        for (size_t i = 0; i < inputs_.size(); ++i) {
            const std::string& name = inputs_[i].name;
            if (std::ranges::find(names, name) == names.end())
                return fail(fmt::format("kernel `{}` has no input `{}`{}", function_.name, name,
                                        did_you_mean(name, names)));
            for (size_t before = 0; before < i; ++before) {
                if (inputs_[before].name == name)
                    return fail(fmt::format("input `{}` is given twice", name));
            }
        }
        return {};
    }

    // A declared variable's name; an input cannot be a predefined one.
    std::string_view name_of(const Input& input) const {
        const uint32_t index = input.id - isa::first_user_general;
        return input.id >= isa::first_user_general && index < function_.general.size()
                   ? std::string_view(function_.general[index].name)
                   : std::string_view();
    }

    const HandInput* given(std::string_view name) const {
        const auto found = std::ranges::find(inputs_, name, &HandInput::name);
        return found == inputs_.end() ? nullptr : &*found;
    }

    // ---- surfaces ----

    Done check_buffer(std::string_view name, const Buffer& buffer) const {
        const bool null = buffer.address == 0 && buffer.bytes == 0;
        if (!null && memory_.find(buffer.address, buffer.bytes) == nullptr)
            return fail(
                fmt::format("`{}` is a buffer of {} bytes at 0x{:x}, which is no memory of the device", name,
                            buffer.bytes, buffer.address));
        return {};
    }

    // A surface is a buffer or an image.
    template <class Value>
    Done set_surface(uint32_t index, std::string_view name, const Value& value) {
        machine::Surface surface;
        if (const auto* buffer = std::get_if<Buffer>(&value)) {
            if (auto checked = check_buffer(name, *buffer); !checked)
                return checked;
            surface = {machine::SurfaceKind::buffer, buffer->address, buffer->bytes};
        } else if (const auto* image = std::get_if<machine::Image>(&value)) {
            if (auto checked = check_image(fmt::format("`{}`", name), *image, memory_); !checked)
                return checked;
            surface = {machine::SurfaceKind::image, image->address, image->bytes(),
                       static_cast<uint32_t>(launch_.images.size())};
            launch_.images.push_back(*image);
        } else {
            return fail(fmt::format("input `{}` is a surface: it takes an array or an image", name));
        }
        if (launch_.surfaces.size() <= index)
            launch_.surfaces.resize(index + 1);
        launch_.surfaces[index] = surface;
        return {};
    }

    bool is_taken(uint32_t index) const {
        return index < launch_.surfaces.size() && launch_.surfaces[index].kind != machine::SurfaceKind::none;
    }

    Done bind_indices() {
        for (const HandState& state : states_) {
            const auto* sampler = std::get_if<machine::Sampler>(&state.value);
            if (auto done = sampler != nullptr ? set_sampler(state.index, *sampler) : bind_index(state);
                !done)
                return done;
        }
        return {};
    }

    Done bind_index(const HandState& state) {
        if (state.index >= isa::bti_bindless)
            return fail(fmt::format("binding-table index {} has a meaning of its own: choose one below {}",
                                    state.index, isa::bti_bindless));
        if (is_taken(state.index))
            return fail(fmt::format("binding-table index {} is given twice", state.index));
        return set_surface(state.index, fmt::format("--bti {}", state.index), state.value);
    }

    // Each surface variable that is given a buffer or an image gets the next free index, in the order of the
    // declarations.
    Done bind_surfaces() {
        uint32_t next = 0;
        for (uint32_t i = 0; i < function_.surfaces.size(); ++i) {
            const HandInput* input = given(function_.surfaces[i].name);
            if (input == nullptr)
                continue;
            while (is_taken(next))
                ++next;
            if (next >= isa::bti_bindless)
                return fail("there are more surfaces than binding-table indices");
            if (auto done = set_surface(next, input->name, input->value); !done)
                return done;
            launch_.preset_surfaces[program_.surface_base[isa::first_user_surface + i]] = next;
        }
        return {};
    }

    // An append counter for each surface, when the kernel counts (ruling 72).
    Done add_counters() {
        const bool counts = std::ranges::any_of(program_.code, [](const PreparedInstruction& instruction) {
            return isa::operand_index(*instruction.row, "src0_data") >= 0;
        });
        if (!counts || launch_.surfaces.empty())
            return {};
        const auto counters = memory_.allocate(launch_.surfaces.size() * sizeof(uint64_t), "append counters");
        if (!counters)
            return fail(counters.error());
        resources_.allocations.push_back(*counters);
        for (size_t i = 0; i < launch_.surfaces.size(); ++i)
            launch_.surfaces[i].counter = *counters + i * sizeof(uint64_t);
        return {};
    }

    // ---- samplers ----

    bool is_sampler_taken(uint32_t index) const {
        return index < sampler_taken_.size() && sampler_taken_[index] != 0;
    }

    Done set_sampler(uint32_t index, const machine::Sampler& sampler) {
        if (index >= max_samplers)
            return fail(
                fmt::format("sampler index {} is too large: choose one below {}", index, max_samplers));
        if (is_sampler_taken(index))
            return fail(fmt::format("sampler index {} is given twice", index));
        if (launch_.samplers.size() <= index) {
            launch_.samplers.resize(index + 1);
            sampler_taken_.resize(index + 1);
        }
        launch_.samplers[index] = sampler;
        sampler_taken_[index] = 1;
        return {};
    }

    // As surface variables: the next free index.
    Done bind_samplers() {
        uint32_t next = 0;
        for (uint32_t i = 0; i < function_.samplers.size(); ++i) {
            const HandInput* input = given(function_.samplers[i].name);
            if (input == nullptr)
                continue;
            const auto* sampler = std::get_if<machine::Sampler>(&input->value);
            if (sampler == nullptr)
                return fail(fmt::format("input `{}` takes a sampler", input->name));
            while (is_sampler_taken(next))
                ++next;
            if (auto done = set_sampler(next, *sampler); !done)
                return done;
            launch_.preset_samplers[program_.sampler_base[i]] = next;
        }
        return {};
    }

    // ---- registers ----

    Done fill_inputs() {
        for (const Input& input : function_.inputs) {
            if (input.klass != InputClass::general || input.id >= program_.variables.size())
                continue;
            const HandInput* value = given(name_of(input));
            if (auto done = value == nullptr ? fill_implicit(input) : fill(input, *value); !done)
                return done;
        }
        return {};
    }

    Done fill_implicit(const Input& input) {
        switch (static_cast<ImplicitKind>(input.implicit)) {
        case ImplicitKind::explicit_input:
            return fail(
                fmt::format("input `{}` of kernel `{}` is not given", name_of(input), function_.name));
        case ImplicitKind::local_size:
            local_size_places_.push_back(
                add_bytes(program_.variables[input.id], std::as_bytes(std::span(shape_.local))));
            return {};
        case ImplicitKind::group_count:
            add_bytes(program_.variables[input.id], std::as_bytes(std::span(shape_.group_count)));
            return {};
        case ImplicitKind::local_id:
            return fill_local_id(input);
        case ImplicitKind::pseudo_input:
            return {}; // it takes no value
        default:
            return fail(fmt::format("the implicit input `{}` (kind {}) is not supported yet", name_of(input),
                                    input.implicit),
                        true);
        }
    }

    // x, y, z of the thread's first lane. A thread of CM is one work-item: its number in the group is x.
    Done fill_local_id(const Input& input) {
        constexpr int64_t items = 1;
        const bool is_cm = function_.attribute_number("Target", items) == 0; // "cm"
        const uint32_t element = isa::size_of(general_type(function_, input.id));
        const VariableSlot& slot = program_.variables[input.id];
        constexpr std::array lanes{Filler::local_id_x, Filler::local_id_y, Filler::local_id_z};
        constexpr std::array threads{Filler::thread}; // y and z stay 0
        const std::span<const Filler> fillers =
            is_cm ? std::span<const Filler>(threads) : std::span<const Filler>(lanes);
        if (element < 2 || slot.bytes < fillers.size() * element)
            return fail(fmt::format("the implicit input `{}` has no room for {} local ids", name_of(input),
                                    fillers.size()));
        for (size_t d = 0; d < fillers.size(); ++d)
            launch_.computed_inputs.push_back(
                {.filler = fillers[d],
                 .register_offset = slot.base + static_cast<uint32_t>(d) * element,
                 .first_lane = 0,
                 .lanes = 1,
                 .element_bytes = static_cast<uint8_t>(element)});
        return {};
    }

    Done fill(const Input& input, const HandInput& value) {
        const VariableSlot& slot = program_.variables[input.id];
        if (const auto* bytes = std::get_if<InputBytes>(&value.value)) {
            if (bytes->content.size() > slot.bytes)
                return fail(fmt::format("input `{}` has {} bytes, not {}", value.name, slot.bytes,
                                        bytes->content.size()));
            add_bytes(slot, bytes->content);
            add_argument(input, bytes->content);
            return {};
        }
        if (const auto* buffer = std::get_if<Buffer>(&value.value))
            return fill_address(input, value.name, *buffer);
        if (const auto* filler = std::get_if<InputFiller>(&value.value))
            return fill_computed(input, value.name, filler->filler);
        return fail(
            fmt::format("input `{}` is a general variable: it takes no image and no sampler", value.name));
    }

    // Returns the offset in the image.
    uint32_t add_bytes(const VariableSlot& slot, std::span<const std::byte> bytes) {
        const auto at = static_cast<uint32_t>(launch_.image.size());
        launch_.image.insert(launch_.image.end(), bytes.begin(), bytes.end());
        launch_.image_inputs.push_back(
            {slot.base, at, static_cast<uint32_t>(std::min<size_t>(bytes.size(), slot.bytes))});
        return at;
    }

    Done fill_address(const Input& input, std::string_view name, const Buffer& buffer) {
        const isa::Type type = general_type(function_, input.id);
        if (type != isa::Type::uq && type != isa::Type::q)
            return fail(
                fmt::format("input `{}` is of type {}: only uq and q variables take an array, by its address",
                            name, isa::facts(type).name));
        if (auto checked = check_buffer(name, buffer); !checked)
            return checked;
        const auto bytes = std::as_bytes(std::span(&buffer.address, 1));
        add_bytes(program_.variables[input.id], bytes);
        add_argument(input, bytes);
        return {};
    }

    // The registers after r0 are in memory from offset 0 on (ruling 71).
    void add_argument(const Input& input, std::span<const std::byte> bytes) {
        constexpr int64_t most = 1 << 16; // more than any register file
        const int64_t at = int64_t{input.offset} - program_.device->grf_bytes;
        if (at < 0 || at >= most)
            return;
        const auto begin = static_cast<size_t>(at);
        launch_.arguments.resize(std::max(launch_.arguments.size(), begin + bytes.size()));
        std::memcpy(launch_.arguments.data() + begin, bytes.data(), bytes.size());
    }

    Done fill_computed(const Input& input, std::string_view name, Filler filler) {
        const isa::Type type = general_type(function_, input.id);
        const uint32_t element = isa::size_of(type);
        if (!isa::is_integer(type) || element < 2)
            return fail(fmt::format("input `{}` is of type {}: ids need an integer of 2, 4 or 8 bytes", name,
                                    isa::facts(type).name));
        const VariableSlot& slot = program_.variables[input.id];
        const uint32_t slot_lanes = slot.bytes / element;
        if (filler == Filler::private_base || slot_lanes == 0)
            return fail(fmt::format("input `{}` cannot be filled so", name));
        machine::ComputedInput computed{.filler = filler,
                                        .register_offset = slot.base,
                                        .lanes = 1,
                                        .element_bytes = static_cast<uint8_t>(element)};
        if (filler != Filler::thread) {
            uint32_t& next = next_lane_[static_cast<size_t>(filler)];
            const uint32_t lanes = std::min(slot_lanes, simd_ - next);
            computed.first_lane = static_cast<uint8_t>(next);
            computed.lanes = static_cast<uint8_t>(lanes);
            next = (next + lanes) % simd_;
        }
        launch_.computed_inputs.push_back(computed);
        return {};
    }

    const Program& program_;
    const Function& function_;
    std::span<const HandInput> inputs_;
    std::span<const HandState> states_;
    const HandGeometry& geometry_;
    machine::Memory& memory_;
    uint32_t simd_ = 0;
    Shape shape_;
    machine::Launch launch_;
    Resources resources_;
    std::array<uint32_t, 6> next_lane_{}; // by filler
    std::vector<uint8_t>
        sampler_taken_; // by index, boolean (vector<bool> triggers a false warning of GCC 14)
    std::vector<uint32_t> local_size_places_; // in the image
};

} // namespace

std::expected<Plan, BindError> bind_hand_written(const Program& program, std::span<const HandInput> inputs,
                                                 std::span<const HandState> states,
                                                 const HandGeometry& geometry, machine::Memory& memory) {
    return HandBinder(program, inputs, states, geometry, memory).bind();
}

} // namespace visor::launch
