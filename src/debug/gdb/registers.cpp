#include "debug/gdb/registers.h"

#include "debug/gdb/packet.h"
#include "isa/predefined.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::debug::gdb {

namespace {

struct CoreRegister {
    const char* name;
    const char* type;
    uint32_t bytes;
};
// In the order and with the names of gdb's feature org.gnu.gdb.i386.core.
constexpr std::array core_registers{CoreRegister{"rax", "int64", 8},     CoreRegister{"rbx", "int64", 8},
                                    CoreRegister{"rcx", "int64", 8},     CoreRegister{"rdx", "int64", 8},
                                    CoreRegister{"rsi", "int64", 8},     CoreRegister{"rdi", "int64", 8},
                                    CoreRegister{"rbp", "data_ptr", 8},  CoreRegister{"rsp", "data_ptr", 8},
                                    CoreRegister{"r8", "int64", 8},      CoreRegister{"r9", "int64", 8},
                                    CoreRegister{"r10", "int64", 8},     CoreRegister{"r11", "int64", 8},
                                    CoreRegister{"r12", "int64", 8},     CoreRegister{"r13", "int64", 8},
                                    CoreRegister{"r14", "int64", 8},     CoreRegister{"r15", "int64", 8},
                                    CoreRegister{"rip", "code_ptr", 8},  CoreRegister{"eflags", "int32", 4},
                                    CoreRegister{"cs", "int32", 4},      CoreRegister{"ss", "int32", 4},
                                    CoreRegister{"ds", "int32", 4},      CoreRegister{"es", "int32", 4},
                                    CoreRegister{"fs", "int32", 4},      CoreRegister{"gs", "int32", 4},
                                    CoreRegister{"st0", "i387_ext", 10}, CoreRegister{"st1", "i387_ext", 10},
                                    CoreRegister{"st2", "i387_ext", 10}, CoreRegister{"st3", "i387_ext", 10},
                                    CoreRegister{"st4", "i387_ext", 10}, CoreRegister{"st5", "i387_ext", 10},
                                    CoreRegister{"st6", "i387_ext", 10}, CoreRegister{"st7", "i387_ext", 10},
                                    CoreRegister{"fctrl", "int", 4},     CoreRegister{"fstat", "int", 4},
                                    CoreRegister{"ftag", "int", 4},      CoreRegister{"fiseg", "int", 4},
                                    CoreRegister{"fioff", "int", 4},     CoreRegister{"foseg", "int", 4},
                                    CoreRegister{"fooff", "int", 4},     CoreRegister{"fop", "int", 4}};
constexpr size_t base_pointer = 6;
constexpr size_t stack_pointer = 7;
constexpr size_t program_counter = 16;

// Names that gdb has for parts of x86's registers, or for roles.
constexpr std::array taken_names{
    "al",   "bl",   "cl",   "dl",   "sil",  "dil",  "bpl",  "spl",  "ah",       "bh",      "ch",
    "dh",   "ax",   "bx",   "cx",   "dx",   "si",   "di",   "bp",   "sp",       "eax",     "ebx",
    "ecx",  "edx",  "esi",  "edi",  "ebp",  "esp",  "pc",   "fp",   "ps",       "r8l",     "r9l",
    "r10l", "r11l", "r12l", "r13l", "r14l", "r15l", "r8w",  "r9w",  "r10w",     "r11w",    "r12w",
    "r13w", "r14w", "r15w", "r8d",  "r9d",  "r10d", "r11d", "r12d", "r13d",     "r14d",    "r15d",
    "mm0",  "mm1",  "mm2",  "mm3",  "mm4",  "mm5",  "mm6",  "mm7",  "orig_rax", "fs_base", "gs_base"};

struct FieldType {
    const char* name; // as vISA spells it
    const char* type; // as gdb does
    uint32_t bytes;
};
constexpr std::array field_types{
    FieldType{"f", "ieee_single", 4}, FieldType{"d", "int32", 4},  FieldType{"ud", "uint32", 4},
    FieldType{"hf", "ieee_half", 2},  FieldType{"w", "int16", 2},  FieldType{"uw", "uint16", 2},
    FieldType{"b", "int8", 1},        FieldType{"ub", "uint8", 1}, FieldType{"df", "ieee_double", 8},
    FieldType{"q", "int64", 8},       FieldType{"uq", "uint64", 8}};

std::string number_hex(uint64_t value, uint32_t bytes) {
    std::array<std::byte, 16> data{};
    std::memcpy(data.data(), &value, sizeof value);
    return to_hex(std::span(data).first(bytes));
}

// The types of registers of so many bytes: a vector of each type that divides them, and their union.
std::string types_of(uint32_t bytes) {
    std::string vectors;
    std::string fields;
    for (const FieldType& one : field_types) {
        if (bytes % one.bytes != 0)
            continue;
        vectors += fmt::format("<vector id=\"{}_{}\" type=\"{}\" count=\"{}\"/>\n", one.name, bytes, one.type,
                               bytes / one.bytes);
        fields += fmt::format("<field name=\"{0}\" type=\"{0}_{1}\"/>", one.name, bytes);
    }
    return fmt::format("{}<union id=\"bytes_{}\">{}</union>\n", vectors, bytes, fields);
}

} // namespace

std::span<const Registers::FactRow> Registers::facts() {
    static constexpr std::array all{FactRow{Fact::group_x, "group_x", 4},
                                    FactRow{Fact::group_y, "group_y", 4},
                                    FactRow{Fact::group_z, "group_z", 4},
                                    FactRow{Fact::group, "group", 8},
                                    FactRow{Fact::hw_thread, "hw_thread", 4},
                                    FactRow{Fact::simd, "simd", 4},
                                    FactRow{Fact::exec_mask, "exec_mask", 4},
                                    FactRow{Fact::lane, "lane", 4},
                                    FactRow{Fact::slm, "slm", 8},
                                    FactRow{Fact::clock, "clock", 8},
                                    FactRow{Fact::instruction, "instruction", 4}};
    return all;
}

uint32_t Registers::core_count() {
    return static_cast<uint32_t>(core_registers.size());
}

std::string Registers::name_for(std::string_view variable) const {
    std::string name;
    for (const char one : variable) {
        const bool is_plain = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') ||
                              (one >= '0' && one <= '9') || one == '_';
        if (is_plain || !name.empty())
            name += is_plain ? one : '_';
    }
    const auto is_taken = [&](const std::string& wanted) {
        return std::ranges::find(taken_names, wanted) != taken_names.end() || names_.contains(wanted);
    };
    if (name.empty() || (name.front() >= '0' && name.front() <= '9') || is_taken(name))
        name = "v_" + name;
    std::string unique = name;
    for (uint32_t k = 2; is_taken(unique); ++k)
        unique = fmt::format("{}_{}", name, k);
    return unique;
}

void Registers::add(Register made) {
    names_.insert(made.name);
    all_.push_back(std::move(made));
}

void Registers::add_variable(std::string_view variable, Kind kind, uint32_t bytes) {
    const uint32_t kept = std::min(bytes, most_register_bytes);
    const auto [known, is_new] = by_variable_.try_emplace({kind, std::string(variable)}, all_.size());
    if (!is_new) {
        all_[known->second].bytes = std::max(all_[known->second].bytes, kept);
        return;
    }
    if (all_.size() < most_registers && kept != 0)
        add({.name = name_for(variable), .variable = std::string(variable), .kind = kind, .bytes = kept});
    else
        by_variable_.erase(known);
}

void Registers::add_variables(const Program& program) {
    const Function& function = *program.function;
    for (uint32_t id = 0; id < program.variables.size(); ++id)
        if (program.variables[id].used && id != isa::id(isa::Predefined::null))
            add_variable(general_name(function, id), Kind::general, program.variables[id].bytes);
    for (const OtherVariable& predicate : function.predicates)
        add_variable(predicate.name, Kind::predicate, 4);
}

void Registers::describe() {
    all_.clear();
    by_variable_.clear();
    names_.clear();
    for (const CoreRegister& one : core_registers)
        add({.name = one.name, .variable = "", .kind = Kind::core, .bytes = one.bytes});
    for (const FactRow& one : facts())
        add({.name = one.name, .variable = "", .kind = Kind::fact, .bytes = one.bytes, .fact = one.fact});
    const machine::Thread* const thread = session_.thread(0);
    if (thread == nullptr || thread->program == nullptr)
        return;
    add_variables(*thread->kernel_frame().program);
    for (const machine::LaunchFunction& one : thread->launch->functions)
        if (one.program != nullptr)
            add_variables(*one.program);
}

std::string Registers::description() const {
    std::string out = "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target "
                      "version=\"1.0\">\n<architecture>i386:x86-64</architecture>\n"
                      "<feature name=\"org.gnu.gdb.i386.core\">\n";
    for (const CoreRegister& one : core_registers)
        out +=
            fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\"/>\n", one.name, one.bytes * 8, one.type);
    out += "</feature>\n<feature name=\"org.visor.visa\">\n";
    std::set<uint32_t> sizes;
    for (const Register& one : all_)
        if (one.kind == Kind::general && sizes.insert(one.bytes).second)
            out += types_of(one.bytes);
    for (const Register& one : all_) {
        if (one.kind == Kind::core)
            continue;
        std::string type = fmt::format("uint{}", one.bytes * 8);
        if (one.kind == Kind::general)
            type = fmt::format("bytes_{}", one.bytes);
        else if (one.kind == Kind::fact && one.fact == Fact::slm)
            type = "data_ptr";
        out +=
            fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\" group=\"visa\" save-restore=\"no\"/>\n",
                        one.name, one.bytes * 8, type);
    }
    return out + "</feature>\n</target>\n";
}

uint64_t Registers::core_value(size_t number, const machine::Thread& thread) const {
    if (number == program_counter)
        return addresses_.program_counter(session_, thread);
    return number == stack_pointer || number == base_pointer ? Addresses::stack_pointer(thread) : 0;
}

uint64_t Registers::fact_value(Fact fact, const machine::Thread& thread) const {
    switch (fact) {
    case Fact::group_x:
        return thread.group->id[0];
    case Fact::group_y:
        return thread.group->id[1];
    case Fact::group_z:
        return thread.group->id[2];
    case Fact::group:
        return thread.group->linear;
    case Fact::hw_thread:
        return thread.index;
    case Fact::simd:
        return thread.launch->simd;
    case Fact::exec_mask:
        return thread.execution_mask;
    case Fact::lane:
        return lane_;
    case Fact::slm:
        return local_window;
    case Fact::clock:
        return session_.stop().clock;
    case Fact::instruction:
        return session_.instruction_of(thread);
    }
    return 0;
}

std::string Registers::read(size_t number, const machine::Thread& thread) const {
    const Register& one = all_[number];
    if (one.kind == Kind::core)
        return number_hex(core_value(number, thread), one.bytes);
    if (one.kind == Kind::fact)
        return number_hex(fact_value(one.fact, thread), one.bytes);
    std::string none(size_t{2} * one.bytes, 'x');
    if (one.kind == Kind::predicate) {
        const auto id = trace::register_named(*thread.program->function, one.variable);
        if (!id || id->kind != trace::RegisterKind::predicate || id->id >= thread.predicates.size())
            return none;
        return number_hex(thread.predicates[id->id], one.bytes);
    }
    const auto bytes = register_bytes(thread, one.variable);
    if (!bytes)
        return none;
    std::string out = to_hex(bytes->first(std::min<size_t>(bytes->size(), one.bytes)));
    out.resize(size_t{2} * one.bytes, '0'); // the same name in another function may be longer
    return out;
}

bool Registers::write(size_t number, machine::Thread& thread, std::string_view bytes) {
    const Register& one = all_[number];
    if (bytes.size() != one.bytes)
        return false;
    if (one.kind == Kind::fact && one.fact == Fact::lane) {
        constexpr uint8_t lanes = 32;
        if (static_cast<uint8_t>(bytes[0]) >= lanes ||
            bytes.find_first_not_of('\0', 1) != std::string_view::npos)
            return false;
        lane_ = static_cast<uint8_t>(bytes[0]);
        return true;
    }
    if (one.kind == Kind::core || one.kind == Kind::fact)
        return read(number, thread) == to_hex(bytes);
    if (one.kind == Kind::predicate) {
        const auto id = trace::register_named(*thread.program->function, one.variable);
        if (!id || id->kind != trace::RegisterKind::predicate || id->id >= thread.predicates.size())
            return false;
        std::memcpy(&thread.predicates[id->id], bytes.data(), sizeof(uint32_t));
        return true;
    }
    const auto to = register_bytes(thread, one.variable);
    if (!to)
        return false;
    std::memcpy(to->data(), bytes.data(), std::min<size_t>(to->size(), bytes.size()));
    return true;
}

} // namespace visor::debug::gdb
