// Registers as gdb sees them: x86-64's, of which only the program counter and the stack pointer mean
// something, facts of the thread, and the variables of the kernel and its functions. The description is made
// once for a connection; a name means the variable of the thread's innermost function.
#pragma once

#include "debug/gdb/addresses.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::debug::gdb {

// Longer variables are cut off: gdb reads registers as a whole.
inline constexpr uint32_t most_register_bytes = 8192;
inline constexpr size_t most_registers = 16384;

class Registers {
public:
    Registers(const Session& session, const Addresses& addresses)
        : session_(session), addresses_(addresses) {}

    // Of the functions of the launch that is stopped.
    void describe();
    [[nodiscard]] std::string description() const; // XML
    [[nodiscard]] size_t count() const { return all_.size(); }
    // The first ones, which are in every answer to `g`.
    [[nodiscard]] static uint32_t core_count();

    // Hexadecimal; "xx..." where the register has no value now. `number` < count().
    [[nodiscard]] std::string read(size_t number, const machine::Thread& thread) const;
    // False: it cannot be changed, or the bytes do not fit. `lane` is that of read().
    [[nodiscard]] bool write(size_t number, machine::Thread& thread, std::string_view bytes);

    // Of names without an index in expressions.
    [[nodiscard]] uint32_t lane() const { return lane_; }
    void set_lane(uint32_t lane) { lane_ = lane; }

private:
    enum class Kind : uint8_t { core, fact, predicate, general };
    enum class Fact : uint8_t {
        group_x,
        group_y,
        group_z,
        group,
        hw_thread,
        simd,
        exec_mask,
        lane,
        slm,
        clock,
        instruction
    };
    struct Register {
        std::string name;     // for gdb
        std::string variable; // of vISA
        Kind kind = Kind::core;
        uint32_t bytes = 0;
        Fact fact = Fact::group_x;
    };
    struct FactRow {
        Fact fact;
        const char* name;
        uint32_t bytes;
    };
    [[nodiscard]] static std::span<const FactRow> facts();

    void add(Register made);
    void add_variables(const Program& program);
    void add_variable(std::string_view variable, Kind kind, uint32_t bytes);
    [[nodiscard]] std::string name_for(std::string_view variable) const;
    [[nodiscard]] uint64_t core_value(size_t number, const machine::Thread& thread) const;
    [[nodiscard]] uint64_t fact_value(Fact fact, const machine::Thread& thread) const;

    const Session& session_;
    const Addresses& addresses_;
    std::vector<Register> all_;
    std::map<std::pair<Kind, std::string>, size_t> by_variable_; // index in all_
    std::set<std::string> names_;
    uint32_t lane_ = 0;
};

} // namespace visor::debug::gdb
