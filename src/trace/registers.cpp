#include "trace/registers.h"

#include "diagnostic/diagnostic.h"
#include "isa/predefined.h"
#include "trace/value.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::trace {

namespace {

// Of a list of variables whose ids begin at `first`.
std::optional<RegisterId> in_list(const std::vector<OtherVariable>& list, uint32_t first, RegisterKind kind,
                                  std::string_view name) {
    const auto found = std::ranges::find(list, name, &OtherVariable::name);
    if (found == list.end())
        return std::nullopt;
    return RegisterId{kind, first + static_cast<uint32_t>(found - list.begin())};
}

std::optional<RegisterId> predefined(std::string_view name) {
    const std::string percent = "%" + std::string(name);
    for (const std::string_view spelling : {name, std::string_view(percent)}) {
        if (const auto id = isa::predefined_general(spelling); id && *id != isa::id(isa::Predefined::null))
            return RegisterId{RegisterKind::general, *id};
        if (const auto id = isa::predefined_surface(spelling))
            return RegisterId{RegisterKind::surface, *id};
    }
    return std::nullopt;
}

uint32_t elements_in(const std::vector<OtherVariable>& list, uint32_t index) {
    return index < list.size() ? list[index].elements : 1;
}

// Reads one frame.
class Reader {
public:
    explicit Reader(const machine::Frame& frame)
        : thread_(frame), program_(*frame.program), function_(*program_.function) {}

    Register read(std::string_view name) const {
        Register out{.name = std::string(name)};
        const std::optional<RegisterId> place = register_named(function_, name);
        out.used = place.has_value();
        if (!place)
            return out;
        out.kind = place->kind;
        switch (place->kind) {
        case RegisterKind::general:
            read_general(place->id, out);
            break;
        case RegisterKind::predicate:
            read_predicate(place->id, out);
            break;
        case RegisterKind::address:
            read_file(thread_.addresses, program_.address_base, place->id,
                      elements_in(function_.addresses, place->id), out);
            break;
        case RegisterKind::surface:
            read_file(thread_.surfaces, program_.surface_base, place->id,
                      elements_in(function_.surfaces, place->id - isa::first_user_surface), out);
            break;
        case RegisterKind::sampler:
            read_file(thread_.samplers, program_.sampler_base, place->id,
                      elements_in(function_.samplers, place->id), out);
            break;
        }
        return out;
    }

private:
    void read_general(uint32_t id, Register& out) const {
        const VariableSlot slot = id < program_.variables.size() ? program_.variables[id] : VariableSlot{};
        out.type = general_type(function_, id);
        out.used = slot.used;
        const size_t size = isa::size_of(out.type);
        if (!slot.used || size == 0)
            return;
        const std::byte* const begin = thread_.registers + slot.base;
        out.bytes.assign(begin, begin + slot.bytes);
        for (size_t at = 0; at + size <= slot.bytes; at += size)
            out.elements.push_back(number_text(begin + at, out.type));
    }

    void read_predicate(uint32_t id, Register& out) const {
        out.used = id < thread_.predicates.size();
        constexpr uint32_t most = 32;
        const uint32_t count =
            std::min(elements_in(function_.predicates, id - isa::first_user_predicate), most);
        for (uint32_t lane = 0; out.used && lane < count; ++lane)
            out.elements.emplace_back((thread_.predicates[id] >> lane & 1U) != 0 ? "1" : "0");
    }

    void read_file(const std::vector<uint32_t>& file, const std::vector<uint32_t>& bases, uint32_t id,
                   uint32_t count, Register& out) const {
        out.used = id < bases.size() && bases[id] < file.size();
        for (uint32_t i = 0; out.used && i < count && bases[id] + i < file.size(); ++i)
            out.elements.push_back(spelled(file[bases[id] + i], out.kind));
    }

    std::string spelled(uint32_t value, RegisterKind kind) const {
        if (kind == RegisterKind::address)
            return pointed_to(value);
        return value == UINT32_MAX ? "unset" : fmt::format("{}", value);
    }

    // An address register holds a byte of the register file: the variable there, and how far into it.
    std::string pointed_to(uint32_t offset) const {
        for (uint32_t id = 0; id < program_.variables.size(); ++id) {
            const VariableSlot& slot = program_.variables[id];
            if (slot.used && root_of(function_, id).id == id && offset >= slot.base &&
                offset - slot.base < slot.bytes)
                return fmt::format("{}+{}", general_name(function_, id), offset - slot.base);
        }
        return fmt::format("{}", offset);
    }

    const machine::Frame& thread_;
    const Program& program_;
    const Function& function_;
};

} // namespace

std::optional<RegisterId> register_named(const Function& function, std::string_view name) {
    const auto general = std::ranges::find(function.general, name, &GeneralVariable::name);
    if (general != function.general.end())
        return RegisterId{RegisterKind::general,
                          isa::first_user_general +
                              static_cast<uint32_t>(general - function.general.begin())};
    for (const auto& found :
         {in_list(function.predicates, isa::first_user_predicate, RegisterKind::predicate, name),
          in_list(function.addresses, 0, RegisterKind::address, name),
          in_list(function.surfaces, isa::first_user_surface, RegisterKind::surface, name),
          in_list(function.samplers, 0, RegisterKind::sampler, name)})
        if (found)
            return found;
    return predefined(name);
}

Register register_of(const machine::Frame& frame, std::string_view name) {
    return Reader(frame).read(name);
}

std::expected<void, std::string> check_names(const Function& function,
                                             const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (register_named(function, name))
            continue;
        std::vector<std::string_view> known;
        for (const GeneralVariable& variable : function.general)
            known.emplace_back(variable.name);
        for (const auto* list :
             {&function.predicates, &function.addresses, &function.surfaces, &function.samplers})
            for (const OtherVariable& variable : *list)
                known.emplace_back(variable.name);
        return std::unexpected(fmt::format("kernel `{}` has no variable `{}`{}", function.name, name,
                                           did_you_mean(name, known)));
    }
    return {};
}

void RegisterDump::thread_ended(const machine::Thread& thread) {
    if (found_ || thread.index != choice_.thread || !is_chosen(choice_.group, thread))
        return;
    found_ = Registers{.simd = thread.launch->simd, .finished = thread.status == machine::Status::done};
    const Reader reader(thread.kernel_frame()); // the names are of the kernel
    for (const std::string& name : choice_.names)
        found_->all.push_back(reader.read(name));
}

} // namespace visor::trace
