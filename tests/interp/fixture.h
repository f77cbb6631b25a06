// Runs lines of vISA text on one hardware thread, with variables of every type to name in them:
//
//   Alu alu;
//   alu.set<int32_t>("D1", {1, 2, 3, 4});
//   alu.run("add (M1, 4) D0 D1 0x1:d");
//   EXPECT_EQ(alu.get<int32_t>("D0", 4), ...);
//
// There are UD0..UD3, D0..D3, UW0.. W0.. UB0.. B0.. UQ0.. Q0.. F0.. DF0.. HF0.. BF0.., 64 elements each,
// predicates P1 to P3, addresses A0 and A1 of 16 elements, surfaces T6 and T7 and samplers S0 and S1 of 4. A
// variable's bare name stands for its contiguous elements: D0(0,0)<1> as the first operand, D0(0,0)<1;1,0>
// elsewhere. What nothing was set to holds the pattern 0xcd, so that "untouched" can be seen.
#pragma once

#include "interp/interp.h"
#include "isa/device.h"
#include "machine/thread.h"
#include "program/program.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace visor::alu_test {

template <class T>
using Values = std::vector<T>;

inline constexpr uint32_t elements = 64;
inline constexpr uint8_t pattern = 0xcd;
inline constexpr uint32_t keep_denormals = 0x4c0;

struct NamedType {
    const char* name;
    isa::Type type;
};
inline constexpr std::array<NamedType, 12> variable_types{{
    {"UD", isa::Type::ud},
    {"D", isa::Type::d},
    {"UW", isa::Type::uw},
    {"W", isa::Type::w},
    {"UB", isa::Type::ub},
    {"B", isa::Type::b},
    {"UQ", isa::Type::uq},
    {"Q", isa::Type::q},
    {"F", isa::Type::f},
    {"DF", isa::Type::df},
    {"HF", isa::Type::hf},
    {"BF", isa::Type::bf},
}};

class Alu {
public:
    explicit Alu(isa::DeviceId device = isa::DeviceId::skl) : device_(&isa::device(device)) {
        for (const NamedType& type : variable_types) {
            for (char number = '0'; number < '4'; ++number)
                content_[type.name + std::string(1, number)].assign(
                    size_t{elements} * isa::size_of(type.type), std::byte{pattern});
        }
    }

    // State that lines start from and leave behind.
    uint32_t mask = UINT32_MAX; // execution mask
    uint32_t cr0 = keep_denormals;
    uint64_t instructions = 0;
    std::array<uint32_t, 4> predicates{};                       // by id
    std::vector<uint32_t> surfaces = std::vector<uint32_t>(16); // T6 from 6, T7 from 10
    std::vector<uint32_t> samplers = std::vector<uint32_t>(8);
    machine::Fault fault;

    template <class T>
    void set(const std::string& name, const Values<T>& values, size_t byte_offset = 0) {
        std::vector<std::byte>& bytes = content_.at(name);
        ASSERT_LE(byte_offset + values.size() * sizeof(T), bytes.size());
        if (!values.empty())
            std::memcpy(bytes.data() + byte_offset, values.data(), values.size() * sizeof(T));
    }
    template <class T>
    [[nodiscard]] Values<T> get(const std::string& name, size_t count, size_t byte_offset = 0) const {
        const std::vector<std::byte>& bytes = content_.at(name);
        Values<T> values(count);
        EXPECT_LE(byte_offset + count * sizeof(T), bytes.size());
        std::memcpy(values.data(), bytes.data() + byte_offset, count * sizeof(T));
        return values;
    }

    // Whether the first line has a handler.
    [[nodiscard]] bool executes(const std::string& lines) const {
        const auto program = prepare(lines);
        return program && interp::handler(*program, program->code.at(0)) != nullptr;
    }

    // One line an instruction, in order.
    void run(const std::string& lines) { run(prepare(lines)); }
    // An instruction as data, for tests that walk the table.
    void run(const Instruction& instruction) { run(prepare(instruction)); }
    [[nodiscard]] bool executes(const Instruction& instruction) const {
        const auto program = prepare(instruction);
        return program && interp::handler(*program, program->code.at(0)) != nullptr;
    }
    // Every byte of every variable, and the predicates.
    [[nodiscard]] auto everything() const { return std::pair(content_, predicates); }
    // The id of a variable.
    [[nodiscard]] static uint32_t id(isa::Type type, uint32_t number) {
        uint32_t index = 0;
        while (variable_types.at(index).type != type)
            ++index;
        return isa::first_user_general + 4 * index + number;
    }

private:
    void run(const std::optional<Program>& program) {
        ASSERT_TRUE(program.has_value());
        alignas(64) std::vector<std::byte> registers(program->register_bytes, std::byte{pattern});
        machine::Thread thread;
        start(thread, *program, registers);
        for (const PreparedInstruction& instruction : program->code) {
            const interp::Handler handler = interp::handler(*program, instruction);
            ASSERT_NE(handler, nullptr) << instruction.row->mnemonic << " is not executed in this form";
            handler(thread, instruction);
            if (thread.status == machine::Status::faulted)
                break;
        }
        finish(thread, *program, registers);
    }

    [[nodiscard]] static std::string declarations() {
        std::string text = ".version 4.1\n.kernel \"k\"\n";
        for (const NamedType& type : variable_types) {
            for (char number = '0'; number < '4'; ++number) {
                text += std::string(".decl ") + type.name + number +
                        " v_type=G type=" + isa::facts(type.type).name + " num_elts=64 align=GRF\n";
            }
        }
        text += ".decl A0 v_type=A num_elts=16\n.decl A1 v_type=A num_elts=16\n";
        text +=
            ".decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=32\n.decl P3 v_type=P num_elts=32\n";
        text += ".decl S0 v_type=S num_elts=4\n.decl S1 v_type=S num_elts=4\n";
        text += ".decl T6 v_type=T num_elts=4\n.decl T7 v_type=T num_elts=4\n";
        return text;
    }

    // Bare names of variables with the regions that they stand for.
    [[nodiscard]] std::string with_regions(const std::string& line) const {
        const size_t operands = line.find(')', line.find("(M")) + 1;
        std::string text = line.substr(0, operands);
        bool first = true;
        size_t at = operands;
        while (at < line.size()) {
            const size_t begin = line.find_first_not_of(' ', at);
            if (begin == std::string::npos)
                break;
            const size_t end = std::min(line.find(' ', begin), line.size());
            const std::string operand = line.substr(begin, end - begin);
            const std::string name = operand.substr(operand.starts_with("(") ? operand.find(')') + 1 : 0);
            text += " " + operand;
            if (content_.contains(name))
                text += first ? "(0,0)<1>" : "(0,0)<1;1,0>";
            first = false;
            at = end;
        }
        return text;
    }

    [[nodiscard]] static std::shared_ptr<Function> parse(const std::string& lines,
                                                         const isa::Device& device) {
        Diagnostics diagnostics;
        const auto module = text::parse(declarations() + lines, {.grf_bytes = device.grf_bytes}, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics.all())
            ADD_FAILURE() << diagnostic.message << " in\n" << lines;
        return std::make_shared<Function>(module && !module->functions.empty() ? module->functions[0]
                                                                               : Function{});
    }

    [[nodiscard]] std::optional<Program> prepare(std::shared_ptr<Function> function) const {
        Diagnostics diagnostics;
        auto program = program::prepare(std::move(function), *device_, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics.all())
            ADD_FAILURE() << diagnostic.message;
        return program;
    }
    [[nodiscard]] std::optional<Program> prepare(const std::string& lines) const {
        std::string text;
        for (size_t at = 0; at < lines.size();) {
            const size_t end = std::min(lines.find('\n', at), lines.size());
            text += with_regions(lines.substr(at, end - at)) + "\n";
            at = end + 1;
        }
        return prepare(parse(text, *device_));
    }
    [[nodiscard]] std::optional<Program> prepare(const Instruction& instruction) const {
        auto function = parse("", *device_);
        function->code = {instruction};
        return prepare(std::move(function));
    }

    [[nodiscard]] static const VariableSlot* slot(const Program& program, const std::string& name) {
        const std::vector<GeneralVariable>& general = program.function->general;
        for (size_t i = 0; i < general.size(); ++i) {
            const VariableSlot& found = program.variables[isa::first_user_general + i];
            if (general[i].name == name)
                return found.used ? &found : nullptr;
        }
        return nullptr;
    }

    void start(machine::Thread& thread, const Program& program, std::vector<std::byte>& registers) {
        for (const auto& [name, bytes] : content_) {
            if (const VariableSlot* found = slot(program, name))
                std::memcpy(registers.data() + found->base, bytes.data(), bytes.size());
        }
        std::memcpy(registers.data() + program.register_base(isa::Predefined::cr0), &cr0, sizeof cr0);
        thread.program = &program;
        thread.group = &group_;
        thread.registers = registers.data();
        thread.predicates.assign(predicates.begin(), predicates.end());
        thread.addresses.assign(program.address_elements, 0);
        thread.surfaces = surfaces;
        thread.surfaces.resize(program.surface_elements);
        thread.samplers = samplers;
        thread.samplers.resize(program.sampler_elements);
        thread.execution_mask = mask;
        thread.instructions = instructions;
    }

    void finish(const machine::Thread& thread, const Program& program,
                const std::vector<std::byte>& registers) {
        for (auto& [name, bytes] : content_) {
            if (const VariableSlot* found = slot(program, name))
                std::memcpy(bytes.data(), registers.data() + found->base, bytes.size());
        }
        std::copy_n(thread.predicates.begin(), predicates.size(), predicates.begin());
        std::copy_n(thread.surfaces.begin(), surfaces.size(), surfaces.begin());
        std::copy_n(thread.samplers.begin(), samplers.size(), samplers.begin());
        fault = thread.fault;
    }

    const isa::Device* device_;
    machine::Group group_;
    std::map<std::string, std::vector<std::byte>> content_;
};

// The pattern of untouched elements.
template <class T>
[[nodiscard]] T untouched() {
    T value;
    std::memset(&value, pattern, sizeof value);
    return value;
}

// Lanes enough for this many values.
[[nodiscard]] inline std::string lanes_for(size_t values) {
    return " (M1, " + std::to_string(std::bit_ceil(values)) + ") ";
}

// One source to one destination, with a lane for each value.
template <class D, class S>
void expect_unary(const std::string& mnemonic, const std::string& to, const std::string& from,
                  const Values<S>& in, const Values<D>& out) {
    Alu alu;
    alu.set<S>(from, in);
    alu.run(mnemonic + lanes_for(in.size()) + to + " " + from);
    EXPECT_EQ(alu.get<D>(to, out.size()), out) << mnemonic << ' ' << to << ' ' << from;
}

// Two sources, variables 1 and 2 of the given types.
template <class D, class A, class B>
void expect_binary(const std::string& mnemonic, const std::string& types, const Values<A>& a,
                   const Values<B>& b, const Values<D>& out) {
    const size_t one = types.find(' ');
    const size_t two = types.find(' ', one + 1);
    const std::string to = types.substr(0, one) + "0";
    const std::string first = types.substr(one + 1, two - one - 1) + "1";
    const std::string second = types.substr(two + 1) + "2";
    Alu alu;
    alu.set<A>(first, a);
    alu.set<B>(second, b);
    alu.run(mnemonic + lanes_for(a.size()) + to + " " + first + " " + second);
    EXPECT_EQ(alu.get<D>(to, out.size()), out) << mnemonic << ' ' << types;
}

} // namespace visor::alu_test
