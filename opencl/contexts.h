// The contexts that are alive, and which of them a pointer belongs to: what is wrong with it where commands
// of another one are given it, or where nobody has it any more.
#pragma once

#include "opencl/object.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::opencl {

class Contexts {
public:
    // Further ones are alive all the same, but pointers into them are taken for the application's own memory.
    static constexpr size_t most = 1024;

    void add(_cl_context& context);
    // When it begins to end. Until its memory is gone too, that is nobody's, and not the application's own.
    void remove(_cl_context& context);
    void memory_is_gone(const _cl_context& context);
    struct Owner {
        Ref<_cl_context> context; // held
        bool is_ending = false;   // it is no more, and its memory still there
    };
    // Whose device memory has the address; nothing: no context has.
    [[nodiscard]] Owner owner_of(const void* pointer);
    // Each of them; without a lock, for a handler of signals.
    template <class Visit>
    void each(const Visit& visit) const {
        const size_t used = used_.load(std::memory_order_acquire);
        for (size_t k = 0; k < used; ++k)
            if (_cl_context* const context = slots_[k].load(std::memory_order_acquire))
                visit(*context);
    }

private:
    struct Ending {
        const _cl_context* context = nullptr;
        uint64_t base = 0; // of its memory
        uint64_t bytes = 0;
    };

    std::mutex lock_;
    std::vector<Ending> ending_;
    std::array<std::atomic<_cl_context*>, most> slots_{};
    std::atomic<size_t> used_ = 0; // slots from here on were never taken
};

// How a pointer was used that it cannot be, by the rule that `--check` tells it under.
struct Misuse {
    std::string_view rule;
    std::string text;         // "64 bytes at 0x2000: in ..."
    bool is_readable = false; // the bytes are there all the same
};

// What is wrong with `bytes` from the pointer on, for commands of this context. Nothing where they are in one
// allocation of the context, or the application's own memory, or none.
[[nodiscard]] std::optional<Misuse> misuse_of(_cl_context& context, const void* pointer, size_t bytes);

// What is wrong with a pointer to be freed that begins no allocation of this kind.
[[nodiscard]] Misuse misuse_of_free(_cl_context& context, const void* pointer, std::string_view kind);

// For a call of this name that was given such bytes: CL_SUCCESS, or CL_INVALID_VALUE where they are not
// there. With checks the misuse is a finding.
[[nodiscard]] cl_int check_bytes(_cl_context& context, std::string_view call, const void* pointer,
                                 size_t bytes);
// The same when the command runs, as long as it does: what is gone by now fails, and is told; memory of
// another context stays until the command is over.
class BytesInUse {
public:
    BytesInUse(_cl_context& context, std::string_view call, const void* pointer, size_t bytes);
    ~BytesInUse();
    BytesInUse(const BytesInUse&) = delete;
    BytesInUse& operator=(const BytesInUse&) = delete;
    BytesInUse(BytesInUse&&) = delete;
    BytesInUse& operator=(BytesInUse&&) = delete;

    [[nodiscard]] cl_int problem() const { return problem_; }

private:
    class Foreign; // a command of the other context
    std::unique_ptr<Foreign> foreign_;
    cl_int problem_ = CL_SUCCESS;
};

// A misuse as a finding, where findings are wanted.
void tell_misuse(std::string_view call, const Misuse& misuse);

} // namespace visor::opencl
