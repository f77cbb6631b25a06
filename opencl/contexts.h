// The live contexts, and which of them owns a pointer: detects pointers of other contexts, and stale ones.
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
    // Contexts beyond the limit work, but pointers into them count as host memory.
    static constexpr size_t most = 1024;

    void add(_cl_context& context);
    // At the start of its destruction. Until its memory is unmapped, pointers into it are stale.
    void remove(_cl_context& context);
    void memory_is_gone(const _cl_context& context);
    struct Owner {
        Ref<_cl_context> context; // held
        bool is_ending = false;   // destroyed, but its memory is still mapped
    };
    // The context whose device memory contains the address; nothing: none.
    [[nodiscard]] Owner owner_of(const void* pointer);
    // Visits each context; lock-free, for a signal handler.
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

// Misuse of a pointer, with the rule of `--check`.
struct Misuse {
    std::string_view rule;
    std::string text;         // "64 bytes at 0x2000: in ..."
    bool is_readable = false; // the bytes are accessible anyway
};

// The misuse of `bytes` bytes at the pointer by commands of this context. Nothing if they are in one
// allocation of the context, in host memory, or empty.
[[nodiscard]] std::optional<Misuse> misuse_of(_cl_context& context, const void* pointer, size_t bytes);

// The misuse of a free whose pointer begins no allocation of this kind.
[[nodiscard]] Misuse misuse_of_free(_cl_context& context, const void* pointer, std::string_view kind);

// Checks the bytes for a call of this name: CL_SUCCESS, or CL_INVALID_VALUE if they are inaccessible. With
// checks a misuse is a finding.
[[nodiscard]] cl_int check_bytes(_cl_context& context, std::string_view call, const void* pointer,
                                 size_t bytes);
// The same while the command runs: freed memory fails, and is reported; memory of another context is held
// until the command is over.
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

// Reports a misuse as a finding, if checks are enabled.
void report_misuse(std::string_view call, const Misuse& misuse);

} // namespace visor::opencl
