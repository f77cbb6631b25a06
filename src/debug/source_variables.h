// The variables of the OpenCL C source at an instruction of its vISA code, as debug information (DWARF) names
// them. It has values where the vISA code keeps a variable in memory, and says why where it has none.
#pragma once

#include "debug/code.h"
#include "debug/dwarf.h"
#include "machine/thread.h"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug {

// A piece of a kernel's argument in the payload that the launch made of it.
struct PassedArgument {
    std::string kernel;
    std::string name;
    uint32_t payload_offset = 0;
    uint32_t bytes = 0;
    uint32_t argument_offset = 0; // its first byte in the argument
};

// Where a thread is stopped, and the lane that is asked about.
struct Position {
    const machine::Thread& thread;
    const machine::Frame& frame; // of the thread
    uint32_t lane = 0;
    const Code& code; // of the frame
    uint32_t instruction = 0;
};

struct SourceVariable {
    std::string name;
    std::string type; // "float4"
    uint32_t line = 0;
    bool is_parameter = false;
    std::expected<std::string, std::string> value; // error: why there is none

    // "sum = 6", "v: optimized away ..."
    [[nodiscard]] std::string text() const;
};

// Of a program. It reads the debug information when it is asked for the first time.
class SourceVariables {
public:
    // `zebin`: nullptr, there is none.
    SourceVariables(std::shared_ptr<const std::vector<std::byte>> zebin,
                    std::vector<PassedArgument> arguments)
        : zebin_(std::move(zebin)), arguments_(std::move(arguments)) {}

    [[nodiscard]] const void* program() const { return zebin_.get(); }
    // All that are in scope, the innermost scope first. Error: a sentence.
    [[nodiscard]] std::expected<std::vector<SourceVariable>, std::string> at(const Position& position) const;
    // The innermost one of this name. Error: a sentence.
    [[nodiscard]] std::expected<SourceVariable, std::string> named(const Position& position,
                                                                   std::string_view name) const;

private:
    [[nodiscard]] const std::expected<DebugInformation, std::string>& information() const;

    std::shared_ptr<const std::vector<std::byte>> zebin_;
    std::vector<PassedArgument> arguments_;
    mutable std::once_flag once_;
    mutable std::expected<DebugInformation, std::string> all_;
};

} // namespace visor::debug
