// The final registers of one hardware thread, by the names of the text.
#pragma once

#include "machine/thread.h"
#include "machine/watch.h"
#include "module/module.h"
#include "trace/group.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::trace {

struct RegisterChoice {
    std::vector<std::string> names;
    GroupChoice group = uint64_t{0};
    uint32_t thread = 0;
};

enum class RegisterKind : uint8_t { general, predicate, address, surface, sampler };

struct Register {
    std::string name;
    RegisterKind kind = RegisterKind::general;
    bool used = true;                  // false: the kernel never uses it, so it has no value
    isa::Type type = isa::Type::ud;    // general
    std::vector<std::byte> bytes;      // general: all of it
    std::vector<std::string> elements; // of every kind, ready to print: numbers, 0 and 1, `V0040+8`, indices
};

// Which variable of a function a name is; predefined ones with and without `%`.
struct RegisterId {
    RegisterKind kind = RegisterKind::general;
    uint32_t id = 0;
};
[[nodiscard]] std::optional<RegisterId> register_named(const Function& function, std::string_view name);

// What a frame has under this name now.
[[nodiscard]] Register register_of(const machine::Frame& frame, std::string_view name);

struct Registers {
    uint32_t simd = 0;
    bool finished = false; // the thread ended normally
    std::vector<Register> all;
};

// Error: the first name that the function does not have, with the nearest ones.
[[nodiscard]] std::expected<void, std::string> check_names(const Function& function,
                                                           const std::vector<std::string>& names);

class RegisterDump final : public machine::Watcher {
public:
    explicit RegisterDump(RegisterChoice choice) : choice_(std::move(choice)) {}

    void thread_ended(const machine::Thread& thread) override;

    [[nodiscard]] const RegisterChoice& choice() const { return choice_; }
    // Absent: there is no such thread, or its group was not run.
    [[nodiscard]] const std::optional<Registers>& found() const { return found_; }

private:
    RegisterChoice choice_;
    std::optional<Registers> found_;
};

} // namespace visor::trace
