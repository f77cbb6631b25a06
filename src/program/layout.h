// The variable layout: where each variable of a function lives in a thread's register file. Only what the
// code or an input names gets storage; a root variable gets as many bytes as its declaration or any static
// access asks for, so that no static access can leave it.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace visor::program {

class Layout {
public:
    Layout(const Function& function, uint32_t grf_bytes);

    // An access to `bytes` bytes at `offset` bytes from the start of a variable (ids past the end are
    // ignored).
    void need(uint32_t id, uint64_t offset, uint64_t bytes);

    // Indirect operands may reach this variable and all that share its storage.
    void take_address(uint32_t id);

    // Places every variable that was needed; those whose address is taken follow all others, without gaps.
    // Error: the file would be too large.
    [[nodiscard]] std::expected<void, std::string> place();

    [[nodiscard]] uint32_t base(uint32_t id) const { return slots_[id].base; }
    [[nodiscard]] uint32_t limit(uint32_t id) const;
    [[nodiscard]] const std::vector<VariableSlot>& slots() const { return slots_; }
    [[nodiscard]] uint32_t register_bytes() const { return register_bytes_; }
    [[nodiscard]] RegisterRange addressable() const { return addressable_; }

private:
    [[nodiscard]] uint64_t declared_bytes(uint32_t id) const;
    [[nodiscard]] uint64_t place_roots(bool addressed, uint64_t next, std::vector<uint64_t>& bases);

    const Function& function_;
    uint32_t grf_bytes_;
    uint32_t register_bytes_ = 0;
    RegisterRange addressable_;
    std::vector<Root> roots_;         // by id
    std::vector<bool> addressed_;     // by id of a root
    std::vector<uint64_t> storage_;   // by id of a root: bytes
    std::vector<VariableSlot> slots_; // by id
};

} // namespace visor::program
