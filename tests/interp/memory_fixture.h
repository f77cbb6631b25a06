// One memory instruction on one hardware thread: builds the function as plain data, prepares it for a device,
// and lets a test set registers and memory by hand and look at them again. Registers and surfaces start as a
// pattern, so that "untouched" can be seen.
#pragma once

#include "interp/interp.h"
#include "isa/device.h"
#include "isa/table.h"
#include "machine/memory.h"
#include "machine/thread.h"
#include "machine/watch.h"
#include "program/program.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace visor::interp {

inline constexpr uint8_t untouched = 0xcd;
inline constexpr uint32_t untouched_dword = 0xcdcdcdcd;
inline constexpr uint64_t untouched_qword = 0xcdcdcdcdcdcdcdcd;

// Surface variables with a meaning of their own; t6 is the first declared one, here binding-table index 0.
inline constexpr uint32_t slm = 0;
inline constexpr uint32_t tss = 3;
inline constexpr uint32_t bss = 4;
inline constexpr uint32_t scratch = 5;
inline constexpr uint32_t t6 = 6;

inline Operand code(uint64_t value) {
    Operand operand;
    operand.kind = OperandKind::literal;
    operand.value = value;
    return operand;
}
inline Operand raw_operand(uint32_t id, int32_t byte_offset = 0) {
    Operand operand;
    operand.kind = OperandKind::raw;
    operand.id = id;
    operand.offset = byte_offset;
    return operand;
}
inline Operand null_operand() {
    return raw_operand(0);
}
inline Operand general(uint32_t id, uint8_t column = 0) {
    Operand operand;
    operand.kind = OperandKind::general;
    operand.id = id;
    operand.column = column;
    operand.region = {0, 1, 0};
    return operand;
}
inline Operand surface_operand(uint32_t id) {
    Operand operand;
    operand.kind = OperandKind::surface;
    operand.id = id;
    return operand;
}
inline Operand immediate(uint64_t value, isa::Type type = isa::Type::ud) {
    Operand operand;
    operand.kind = OperandKind::immediate;
    operand.type = type;
    operand.value = value;
    return operand;
}
inline Operand absent() {
    return {};
}

// M<mask>[_NM], size.
inline Execution lanes(uint8_t size, uint8_t mask = 1, bool no_mask = false) {
    return {.size = size, .offset = static_cast<uint8_t>((mask - 1) * 4), .no_mask = no_mask};
}

// Channels 0, 3, 5, 8, 12..15, 18, 23, 28 and 31.
inline constexpr uint32_t some_channels = 0x9084'f129;
// Whether an execution mask enables lane `lane` of an instruction at M<mask>.
inline bool is_on(uint32_t execution_mask, uint8_t mask, uint32_t lane) {
    return (uint64_t{execution_mask} >> ((mask - 1U) * 4 + lane) & 1) != 0;
}

struct SeenAccess {
    machine::Space space;
    machine::AccessKind kind;
    uint32_t surface;
    uint32_t lanes;
    uint32_t dropped;
    std::vector<uint64_t> addresses;
    uint32_t bytes;
};
struct SeenUndefined {
    machine::UndefinedKind kind;
    uint32_t lanes;
    uint64_t address;
};
class Recorder final : public machine::Watcher {
public:
    std::vector<SeenAccess> accesses;
    std::vector<SeenUndefined> undefineds;

    void memory(const machine::MemoryEvent& event) override {
        accesses.push_back({event.space,
                            event.kind,
                            event.surface,
                            event.lanes,
                            event.dropped,
                            {event.addresses.begin(), event.addresses.end()},
                            event.bytes});
    }
    void undefined(const machine::UndefinedEvent& event) override {
        undefineds.push_back({event.kind, event.lanes, event.address});
    }
};

class Bench {
public:
    explicit Bench(isa::DeviceId device = isa::DeviceId::skl)
        : device_(&isa::device(device)), memory_(1U << 26U) {
        function_->surfaces.push_back(
            {.name = "T6", .elements = 1, .v_name = "", .attributes = {}, .where = {}});
    }

    // ---- before start()
    uint32_t variable(isa::Type type, uint32_t elements) {
        GeneralVariable declared;
        declared.name = "V" + std::to_string(isa::first_user_general + function_->general.size());
        declared.type = type;
        declared.elements = elements;
        declared.align = Align::grf;
        function_->general.push_back(declared);
        return isa::first_user_general + static_cast<uint32_t>(function_->general.size()) - 1;
    }
    uint32_t predicate() {
        function_->predicates.push_back(
            {.name = "P", .elements = 32, .v_name = "", .attributes = {}, .where = {}});
        return static_cast<uint32_t>(function_->predicates.size());
    }
    uint32_t address_variable() {
        function_->addresses.push_back(
            {.name = "A", .elements = 1, .v_name = "", .attributes = {}, .where = {}});
        return static_cast<uint32_t>(function_->addresses.size()) - 1;
    }
    void instruction(uint8_t opcode, int sub, Execution execution, std::vector<Operand> operands,
                     Predicate by = {}) {
        Instruction added;
        added.row = isa::find(opcode, sub);
        ASSERT_NE(added.row, nullptr) << "no row for opcode " << int{opcode} << " sub " << sub;
        added.execution = execution;
        added.predicate = by;
        added.operands = std::move(operands);
        function_->code.push_back(std::move(added));
    }

    // ---- start(): registers, surfaces and SLM hold the pattern
    void start(uint32_t surface_bytes = 256, uint32_t slm_bytes = 256, uint32_t scratch_bytes = 256) {
        Diagnostics diagnostics;
        program_ = program::prepare(function_, *device_, diagnostics);
        ASSERT_TRUE(program_.has_value()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
        registers_.assign(program_->register_bytes, std::byte{untouched});
        slm_.assign(slm_bytes, std::byte{untouched});
        scratch_.assign(scratch_bytes, std::byte{untouched});
        buffer_ = allocate(surface_bytes);
        launch_.program = &*program_;
        launch_.memory = &memory_;
        launch_.surfaces = {
            {.kind = machine::SurfaceKind::buffer, .address = buffer_, .bytes = surface_bytes}};
        group.slm = slm_;
        group.id = {3, 2, 1};
        thread.launch = &launch_;
        thread.program = &*program_;
        thread.group = &group;
        thread.registers = registers_.data();
        thread.scratch = scratch_;
        thread.predicates.assign(program_->predicate_count, 0);
        thread.addresses.assign(program_->address_elements, 0);
        thread.surfaces.assign(program_->surface_elements, UINT32_MAX);
        thread.surfaces[slm] = isa::bti_slm;
        thread.surfaces[tss] = machine::bti_scratch_surface;
        thread.surfaces[bss] = isa::bti_bindless;
        thread.surfaces[scratch] = isa::bti_stateless;
        thread.surfaces[t6] = 0;
        thread.execution_mask = UINT32_MAX;
    }
    // Flat memory, filled with the pattern.
    uint64_t allocate(uint64_t bytes) {
        const auto address = memory_.allocate(bytes, "test");
        EXPECT_TRUE(address.has_value());
        if (!address)
            return 0;
        std::memset(machine::Memory::host(*address), untouched, bytes);
        return *address;
    }
    void watch() { thread.watch(&seen); }

    // Null when the instruction is not executed in this form.
    [[nodiscard]] Handler handler(size_t index = 0) const {
        return interp::handler(*program_, program_->code[index]);
    }
    void run(size_t index = 0) {
        const Handler found = handler(index);
        ASSERT_NE(found, nullptr) << program_->code[index].row->mnemonic << " is not executed in this form";
        found(thread, program_->code[index]);
    }

    // ---- registers and memory
    template <class T>
    void set(uint32_t id, const std::vector<T>& values, uint32_t byte_offset = 0) {
        const uint32_t base = program_->variables[id].base + byte_offset;
        ASSERT_LE(base + values.size() * sizeof(T), registers_.size());
        std::memcpy(registers_.data() + base, values.data(), values.size() * sizeof(T));
    }
    template <class T>
    [[nodiscard]] std::vector<T> get(uint32_t id, size_t count, uint32_t byte_offset = 0) const {
        std::vector<T> values(count);
        const uint32_t base = program_->variables[id].base + byte_offset;
        EXPECT_LE(base + count * sizeof(T), registers_.size());
        std::memcpy(values.data(), registers_.data() + base, count * sizeof(T));
        return values;
    }
    [[nodiscard]] std::vector<std::byte>& registers() { return registers_; }
    [[nodiscard]] uint32_t register_offset(uint32_t id) const { return program_->variables[id].base; }
    [[nodiscard]] uint64_t buffer() const { return buffer_; }
    [[nodiscard]] std::span<std::byte> surface_bytes() const {
        return {machine::Memory::host(buffer_), launch_.surfaces[0].bytes};
    }
    [[nodiscard]] std::span<std::byte> slm_bytes() { return slm_; }
    [[nodiscard]] std::span<std::byte> scratch_bytes() { return scratch_; }
    [[nodiscard]] machine::Memory& memory() { return memory_; }
    [[nodiscard]] machine::Launch& launch() { return launch_; }
    [[nodiscard]] uint32_t grf() const { return device_->grf_bytes; }

    machine::Group group;
    machine::Thread thread;
    Recorder seen;

private:
    const isa::Device* device_;
    std::shared_ptr<Function> function_ = std::make_shared<Function>();
    std::optional<Program> program_;
    machine::Memory memory_;
    machine::Launch launch_;
    std::vector<std::byte> registers_;
    std::vector<std::byte> slm_;
    std::vector<std::byte> scratch_;
    uint64_t buffer_ = 0;
};

template <class T>
[[nodiscard]] T peek(std::span<const std::byte> bytes, size_t offset) {
    T value{};
    EXPECT_LE(offset + sizeof value, bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}
template <class T>
void poke(std::span<std::byte> bytes, size_t offset, T value) {
    ASSERT_LE(offset + sizeof value, bytes.size());
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}
// Flat memory.
template <class T>
[[nodiscard]] T peek(uint64_t address) {
    T value;
    std::memcpy(&value, machine::Memory::host(address), sizeof value);
    return value;
}
template <class T>
void poke(uint64_t address, T value) {
    std::memcpy(machine::Memory::host(address), &value, sizeof value);
}

// 32 random bits a call, the same ones for the same seed.
class Random {
public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

private:
    std::mt19937 engine_;
};

// first, first + step, ...
template <class T>
[[nodiscard]] std::vector<T> ramp(size_t count, T first, T step) {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = static_cast<T>(first + static_cast<T>(i) * step);
    return values;
}

} // namespace visor::interp
