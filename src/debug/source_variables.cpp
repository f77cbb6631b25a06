#include "debug/source_variables.h"

#include "debug/c_value.h"
#include "debug/location.h"
#include "debug/private_memory.h"
#include "debug/variables.h"
#include "isa/predefined.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace visor::debug {

namespace {

using Value = std::expected<std::string, std::string>;

template <class T>
std::optional<T> read_variable(const machine::Frame& frame, uint32_t id) {
    const auto& slots = frame.program->variables;
    if (id >= slots.size() || !slots[id].used || slots[id].bytes < sizeof(T))
        return std::nullopt;
    T value{};
    std::memcpy(&value, frame.registers + slots[id].base, sizeof value);
    return value;
}

// The scopes that the source line of an instruction is in, the innermost first.
class ScopeSearch {
public:
    ScopeSearch(const DebugInformation& all, const Position& position)
        : all_(all), line_(position.code.source_line(position.instruction)),
          name_(position.code.function().name) {}

    [[nodiscard]] std::vector<const SourceScope*> active() const {
        std::vector<const SourceScope*> found;
        const uint32_t function = function_scope();
        if (function == UINT32_MAX)
            return found;
        std::vector<bool> is_active(all_.scopes.size());
        is_active[function] = true;
        found.push_back(&all_.scopes[function]);
        for (uint32_t k = function + 1; k < all_.scopes.size(); ++k) {
            const SourceScope& scope = all_.scopes[k];
            if (scope.parent == k || !is_active[scope.parent] || !has_line(scope))
                continue;
            is_active[k] = true;
            found.push_back(&scope);
        }
        std::ranges::reverse(found);
        return found;
    }

    // Not declared yet at this line, which is of the same function.
    [[nodiscard]] bool is_later(const SourceVariableInfo& variable) const {
        return line_.known() && !variable.is_parameter && variable.line > line_.line;
    }

private:
    [[nodiscard]] bool has_line(const SourceScope& scope) const {
        return line_.known() && std::ranges::any_of(scope.lines, [&](const FileLine& one) {
                   return one.line == line_.line && one.file < all_.files.size() &&
                          is_file(all_.files[one.file], line_.file);
               });
    }

    // The function's own, or that of a subroutine of the same code.
    [[nodiscard]] uint32_t function_scope() const {
        const auto own = std::ranges::find_if(all_.scopes, [&](const SourceScope& scope) {
            return scope.kind == SourceScope::Kind::function && scope.name == name_;
        });
        if (own == all_.scopes.end())
            return UINT32_MAX;
        const auto own_index = static_cast<uint32_t>(own - all_.scopes.begin());
        if (!line_.known() || has_line(*own))
            return own_index;
        uint32_t other = UINT32_MAX;
        for (uint32_t k = 0; k < all_.scopes.size(); ++k) {
            const SourceScope& scope = all_.scopes[k];
            if (scope.kind != SourceScope::Kind::function || scope.unit != own->unit || !has_line(scope))
                continue;
            if (other != UINT32_MAX)
                return own_index;
            other = k;
        }
        return other == UINT32_MAX ? own_index : other;
    }

    const DebugInformation& all_;
    Line line_;
    std::string_view name_;
};

// Values at a position.
class Evaluation {
public:
    Evaluation(const DebugInformation& all, std::span<const PassedArgument> arguments,
               const Position& position)
        : all_(all), arguments_(arguments), position_(position),
          memory_(position.code.function(), position.frame.program->device->grf_bytes) {}

    [[nodiscard]] Value value_of(const SourceScope& scope, const SourceVariableInfo& variable) const {
        if (variable.type == no_type || shown_bytes(all_.types, variable.type) == 0)
            return std::unexpected("its type is not understood");
        if (position_.lane >= position_.thread.launch->simd)
            return std::unexpected(fmt::format("there are lanes 0 to {}", position_.thread.launch->simd - 1));
        if (variable.constant)
            return constant_of(variable);
        Value found = stored(variable);
        const bool is_kernels = scope.kind == SourceScope::Kind::function &&
                                scope.name == position_.code.function().name; // and no inlined function's
        if (!found && variable.is_parameter && is_kernels)
            if (const auto passed = passed_value(variable))
                return fmt::format("{} (as passed to the kernel)", *passed);
        const bool is_on = (position_.frame.execution_mask >> position_.lane & 1U) != 0;
        return found && !is_on ? fmt::format("{} (lane {} is off)", *found, position_.lane) : found;
    }

private:
    [[nodiscard]] uint64_t bytes_of(uint32_t type) const { return all_.types[type].bytes; }

    [[nodiscard]] Value constant_of(const SourceVariableInfo& variable) const {
        if (variable.constant->size() < bytes_of(variable.type))
            return std::unexpected("the compiler's constant is smaller than the variable");
        return fmt::format("{} (a constant, says the compiler)",
                           value_text(all_.types, variable.type, *variable.constant));
    }

    [[nodiscard]] Value stored(const SourceVariableInfo& variable) const {
        const auto place = place_of(variable.locations, variable.in_local_memory);
        if (!place)
            return std::unexpected(place.error());
        if (place->kind == Place::Kind::local_memory)
            return in_local_memory(variable, *place);
        if (variable.is_partly_located)
            return std::unexpected(
                "not known here: the compiler says where it is for some of the machine code alone");
        if (!memory_.has_base(place->kind, position_.instruction))
            return std::unexpected("no value here: the function's frame is not set up");
        const uint64_t bytes = bytes_of(variable.type);
        const auto stride = memory_.stride_of(*place);
        const SourceType::Kind kind = all_.types[variable.type].kind;
        const bool is_transposed = stride && *stride < bytes;
        const bool is_list = kind == SourceType::Kind::array || kind == SourceType::Kind::vector;
        if (!stride || (is_transposed && (!is_list || bytes % *stride != 0)))
            return std::unexpected(
                "not known here: the code does not address it as the debug information says");
        const auto stored = memory_.first_store(*place, bytes * position_.thread.launch->simd);
        if (!stored || position_.instruction <= *stored)
            return std::unexpected("no value yet: the code has not stored one");
        return in_private_memory(variable, *place, *stride);
    }

    [[nodiscard]] Value in_local_memory(const SourceVariableInfo& variable, const Place& place) const {
        const auto bytes = memory_at(position_.thread, Memory::local, static_cast<uint64_t>(place.offset),
                                     shown_bytes(all_.types, variable.type));
        if (!bytes)
            return std::unexpected(bytes.error());
        return value_text(all_.types, variable.type, *bytes);
    }

    [[nodiscard]] std::optional<uint64_t> base_of(const Place& place) const {
        if (place.kind == Place::Kind::stack)
            return read_variable<uint64_t>(position_.frame, isa::id(isa::Predefined::fp));
        const auto base = read_variable<uint64_t>(position_.frame, memory_.bases()->base);
        const auto offset = read_variable<uint32_t>(position_.frame, memory_.bases()->offset);
        return base && offset ? std::optional(*base + *offset) : std::nullopt;
    }

    // Pieces of the size of a stride lie next to those of the other lanes.
    [[nodiscard]] Value in_private_memory(const SourceVariableInfo& variable, const Place& place,
                                          uint64_t stride) const {
        const auto base = base_of(place);
        if (!base)
            return std::unexpected("not known here: the code does not keep where it is");
        const uint64_t wanted = shown_bytes(all_.types, variable.type);
        const uint64_t first = *base + static_cast<uint64_t>(place.offset) + position_.lane * stride;
        std::vector<std::byte> value;
        for (uint64_t at = 0; at < wanted; at += stride) {
            const auto piece =
                memory_at(position_.thread, Memory::global, first + at * position_.thread.launch->simd,
                          std::min(stride, wanted - at));
            if (!piece)
                return std::unexpected(piece.error());
            value.insert(value.end(), piece->begin(), piece->end());
        }
        return value_text(all_.types, variable.type, value);
    }

    // Of a kernel's argument: what the host gave it.
    [[nodiscard]] std::optional<std::string> passed_value(const SourceVariableInfo& variable) const {
        const std::vector<std::byte>& payload = position_.thread.launch->image;
        std::vector<std::byte> value(shown_bytes(all_.types, variable.type));
        uint64_t known = 0;
        for (const PassedArgument& piece : arguments_) {
            const bool is_its = piece.name == variable.name && piece.kernel == position_.code.function().name;
            if (!is_its || piece.payload_offset > payload.size() ||
                piece.bytes > payload.size() - piece.payload_offset || piece.argument_offset > value.size())
                continue;
            const uint64_t bytes = std::min<uint64_t>(piece.bytes, value.size() - piece.argument_offset);
            std::memcpy(value.data() + piece.argument_offset, payload.data() + piece.payload_offset, bytes);
            known += bytes;
        }
        if (known < value.size())
            return std::nullopt;
        return value_text(all_.types, variable.type, value);
    }

    const DebugInformation& all_;
    std::span<const PassedArgument> arguments_;
    const Position& position_;
    PrivateMemory memory_;
};

} // namespace

std::string SourceVariable::text() const {
    return value ? fmt::format("{} = {}", name, *value) : fmt::format("{}: {}", name, value.error());
}

const std::expected<DebugInformation, std::string>& SourceVariables::information() const {
    std::call_once(once_, [this] {
        constexpr std::string_view how =
            "compile it with -g (--options \"-g -cl-opt-disable\" keeps them all)";
        if (zebin_ == nullptr) {
            all_ = std::unexpected(
                fmt::format("the program has no debug information: {}. Of a program with several kernels or "
                            "with constants of its own, the confined compiler writes none",
                            how));
            return;
        }
        all_ = read_dwarf(*zebin_);
        if (all_ && std::ranges::all_of(all_->scopes, &std::vector<SourceVariableInfo>::empty,
                                        &SourceScope::variables))
            all_ =
                std::unexpected(fmt::format("the program's debug information names no variables: {}", how));
    });
    return all_;
}

std::expected<std::vector<SourceVariable>, std::string> SourceVariables::at(const Position& position) const {
    const auto& all = information();
    if (!all)
        return std::unexpected(all.error());
    const ScopeSearch search(*all, position);
    const std::vector<const SourceScope*> scopes = search.active();
    if (scopes.empty())
        return std::unexpected(fmt::format("the debug information does not know the function `{}`",
                                           position.code.function().name));
    const Evaluation evaluation(*all, arguments_, position);
    std::vector<SourceVariable> out;
    for (const SourceScope* const scope : scopes) {
        for (const SourceVariableInfo& variable : scope->variables) {
            if (search.is_later(variable))
                continue;
            SourceVariable shown{variable.name,
                                 variable.type == no_type ? "?" : all->types[variable.type].name,
                                 variable.line, variable.is_parameter, evaluation.value_of(*scope, variable)};
            // The same declaration, in two copies of an inlined function.
            const auto twin = std::ranges::find_if(out, [&](const SourceVariable& other) {
                return other.name == shown.name && other.line == shown.line && shown.line != 0;
            });
            if (twin == out.end())
                out.push_back(std::move(shown));
            else if (twin->value != shown.value)
                twin->value = std::unexpected("not known here: its function is inlined more than once");
        }
    }
    return out;
}

std::expected<SourceVariable, std::string> SourceVariables::named(const Position& position,
                                                                  std::string_view name) const {
    const auto all = at(position);
    if (!all)
        return std::unexpected(all.error());
    if (const auto found = std::ranges::find(*all, name, &SourceVariable::name); found != all->end())
        return *found;
    const bool exists = std::ranges::any_of(information()->scopes, [&](const SourceScope& scope) {
        return std::ranges::find(scope.variables, name, &SourceVariableInfo::name) != scope.variables.end();
    });
    return std::unexpected(exists ? fmt::format("`{}` is not in scope here", name)
                                  : fmt::format("there is no variable `{}`", name));
}

} // namespace visor::debug
