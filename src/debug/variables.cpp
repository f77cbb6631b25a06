#include "debug/variables.h"

#include "isa/type.h"
#include "program/program.h"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::debug {

namespace {

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
void store(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

struct TypeName {
    std::string_view name;
    isa::Type type;
};
constexpr std::array type_names{
    TypeName{"b", isa::Type::b},    TypeName{"i8", isa::Type::b},   TypeName{"ub", isa::Type::ub},
    TypeName{"u8", isa::Type::ub},  TypeName{"w", isa::Type::w},    TypeName{"i16", isa::Type::w},
    TypeName{"uw", isa::Type::uw},  TypeName{"u16", isa::Type::uw}, TypeName{"d", isa::Type::d},
    TypeName{"i32", isa::Type::d},  TypeName{"ud", isa::Type::ud},  TypeName{"u32", isa::Type::ud},
    TypeName{"q", isa::Type::q},    TypeName{"i64", isa::Type::q},  TypeName{"uq", isa::Type::uq},
    TypeName{"u64", isa::Type::uq}, TypeName{"hf", isa::Type::hf},  TypeName{"f16", isa::Type::hf},
    TypeName{"f", isa::Type::f},    TypeName{"f32", isa::Type::f},  TypeName{"df", isa::Type::df},
    TypeName{"f64", isa::Type::df}};

Number real(double value) {
    return {.is_float = true, .whole = 0, .real = value};
}
Number whole(int64_t value) {
    return {.is_float = false, .whole = value, .real = 0};
}

// The variable of a name, in a frame.
std::expected<trace::RegisterId, std::string> find(const machine::Frame& frame, std::string_view name) {
    const Function& function = *frame.program->function;
    const auto id = trace::register_named(function, name);
    if (!id)
        return std::unexpected(fmt::format("`{}` has no variable `{}`", function.name, name));
    return *id;
}

std::expected<std::byte*, std::string> element_at(const machine::Frame& frame, std::string_view name,
                                                  isa::Type type, uint64_t index) {
    const auto bytes = register_bytes(frame, name);
    if (!bytes)
        return std::unexpected(bytes.error());
    const uint64_t count = bytes->size() / isa::size_of(type);
    if (index >= count)
        return std::unexpected(
            fmt::format("`{}` has {} elements of type {}", name, count, isa::facts(type).name));
    return bytes->data() + index * isa::size_of(type);
}

} // namespace

std::string text_of(const Number& number) {
    return number.is_float ? fmt::format("{}", number.real) : fmt::format("{}", number.whole);
}

Number read_number(const std::byte* from, isa::Type type) {
    switch (type) {
    case isa::Type::b:
        return whole(load<int8_t>(from));
    case isa::Type::ub:
        return whole(load<uint8_t>(from));
    case isa::Type::w:
        return whole(load<int16_t>(from));
    case isa::Type::uw:
        return whole(load<uint16_t>(from));
    case isa::Type::d:
        return whole(load<int32_t>(from));
    case isa::Type::ud:
        return whole(load<uint32_t>(from));
    case isa::Type::hf:
        return real(static_cast<double>(load<_Float16>(from)));
    case isa::Type::f:
        return real(static_cast<double>(load<float>(from)));
    case isa::Type::df:
        return real(load<double>(from));
    default:
        return isa::size_of(type) == sizeof(int64_t) ? whole(load<int64_t>(from))
                                                     : whole(load<uint16_t>(from));
    }
}

void write_number(std::byte* to, isa::Type type, const Number& number) {
    if (type == isa::Type::hf)
        return store(to, static_cast<_Float16>(number.as_real()));
    if (type == isa::Type::f)
        return store(to, static_cast<float>(number.as_real()));
    if (type == isa::Type::df)
        return store(to, number.as_real());
    constexpr double most = 9.2e18; // what converts is defined
    const double limited = number.real > most ? most : number.real < -most ? -most : number.real;
    const int64_t value = !number.is_float     ? number.whole
                          : limited == limited ? static_cast<int64_t>(limited)
                                               : 0;
    std::memcpy(to, &value, std::min<size_t>(isa::size_of(type), sizeof value));
}

std::optional<isa::Type> type_named(std::string_view name) {
    for (const TypeName& one : type_names)
        if (one.name == name)
            return one.type;
    return std::nullopt;
}

std::expected<std::span<std::byte>, std::string> register_bytes(const machine::Frame& frame,
                                                                std::string_view name) {
    const auto id = find(frame, name);
    if (!id)
        return std::unexpected(id.error());
    if (id->kind != trace::RegisterKind::general)
        return std::unexpected(fmt::format("`{}` is no general variable", name));
    const auto& variables = frame.program->variables;
    if (id->id >= variables.size() || !variables[id->id].used)
        return std::unexpected(fmt::format("`{}` is not used by the code, and has no value", name));
    const VariableSlot& slot = variables[id->id];
    return std::span(frame.registers + slot.base, slot.bytes);
}

std::expected<Number, std::string> read_register(const machine::Frame& frame, std::string_view name,
                                                 std::optional<isa::Type> as, uint64_t index) {
    const auto id = find(frame, name);
    if (!id)
        return std::unexpected(id.error());
    if (id->kind == trace::RegisterKind::predicate) {
        if (id->id >= frame.predicates.size() || index >= 32)
            return std::unexpected(fmt::format("`{}` has 32 lanes", name));
        return whole(frame.predicates[id->id] >> index & 1U);
    }
    const isa::Type type = as.value_or(general_type(*frame.program->function, id->id));
    const auto at = element_at(frame, name, type, index);
    if (!at)
        return std::unexpected(at.error());
    return read_number(*at, type);
}

std::expected<void, std::string> write_register(machine::Frame& frame, std::string_view name,
                                                std::optional<isa::Type> as, uint64_t index,
                                                const Number& number) {
    const auto id = find(frame, name);
    if (!id)
        return std::unexpected(id.error());
    if (id->kind == trace::RegisterKind::predicate && id->id < frame.predicates.size() && index < 32) {
        uint32_t& bits = frame.predicates[id->id];
        bits = (bits & ~(1U << index)) | (number.is_true() ? 1U << index : 0U);
        return {};
    }
    const isa::Type type = as.value_or(general_type(*frame.program->function, id->id));
    const auto at = element_at(frame, name, type, index);
    if (!at)
        return std::unexpected(at.error());
    write_number(*at, type, number);
    return {};
}

std::expected<std::span<std::byte>, std::string> memory_at(const machine::Thread& thread, Memory memory,
                                                           uint64_t address, uint64_t bytes) {
    if (memory == Memory::local) {
        const std::span<std::byte> slm = thread.group->slm;
        if (address > slm.size() || bytes > slm.size() - address)
            return std::unexpected(fmt::format("shared local memory has {} bytes", slm.size()));
        return slm.subspan(address, bytes);
    }
    if (thread.launch->memory->find(address, bytes) == nullptr)
        return std::unexpected(fmt::format("{} bytes at {:#x} are in no allocation", bytes, address));
    return std::span(machine::Memory::host(address), bytes);
}

} // namespace visor::debug
