// The objects of handles. Each holds the objects that it needs.
#pragma once

#include "capi/call.h"
#include "capi/ticket_lock.h"
#include "check/finding.h"
#include "check/report.h"
#include "machine/image.h"
#include "profile/profile.h"
#include "trace/registers.h"
#include "vm/translate.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::capi {

struct Settings {
    vm::EngineKind engine = vm::EngineKind::automatic;
    uint32_t workers = 1;
    uint64_t seed = 0;
    uint64_t fuel = vm::default_fuel;
    double timeout = 0;
};
[[nodiscard]] Settings settings_of(const visor_settings& given);
// Of VISOR_CHECK_... bits.
[[nodiscard]] std::array<bool, check::kinds> checks_of(uint32_t bits);
// The caller's list, each with a name.
[[nodiscard]] std::span<const visor_register_request> registers_of(const visor_register_request* wanted,
                                                                   size_t count);

struct ContextObject {
    static constexpr Kind kind = Kind::context;

    explicit ContextObject(const isa::Device& device) : vm(device) {}

    TicketLock ticket_lock;
    std::mutex starting; // orders jobs by their tickets: one thread runs them
    Jobs jobs;           // launches that were started
    vm::Context vm;      // under ticket_lock
    Settings settings;
    visor_context_options options{}; // the callbacks
    bool names_device = true;        // else each program has its own
    uint64_t memory_limit = UINT64_MAX;

    // Memory of buffers and images. `allocate` needs ticket_lock. `give_back` does not: the next holder of
    // the lock frees the memory, so that a release never waits.
    [[nodiscard]] launch::Buffer allocate(uint64_t bytes, std::string label);
    void give_back(const launch::Buffer& buffer) noexcept;
    void free_returned();

    void log(visor_severity severity, const std::string& text) const;

private:
    std::mutex returned_mutex_;
    std::vector<launch::Buffer> returned_;
    uint64_t used_ = 0;
};

// Holds a context's ticket lock during one call: exclusive access to its memory.
class ContextLock {
public:
    explicit ContextLock(ContextObject& context) : ContextLock(context, context.ticket_lock.take_ticket()) {}
    ContextLock(ContextObject& context, uint64_t number) : context_(context) {
        context_.ticket_lock.wait(number);
        context_.free_returned();
    }
    ~ContextLock() { context_.ticket_lock.end(); }
    ContextLock(const ContextLock&) = delete;
    ContextLock& operator=(const ContextLock&) = delete;
    ContextLock(ContextLock&&) = delete;
    ContextLock& operator=(ContextLock&&) = delete;

private:
    ContextObject& context_;
};

struct ProgramObject {
    static constexpr Kind kind = Kind::program;

    std::shared_ptr<ContextObject> context;
    std::shared_ptr<const vm::Program> program;
    std::vector<vm::KernelFacts> kernels;
};

struct KernelObject {
    static constexpr Kind kind = Kind::kernel;

    std::shared_ptr<ProgramObject> program;
    vm::KernelFacts facts;
    std::string signature;
};

// Device memory with an owner.
struct Storage {
    Storage(std::shared_ptr<ContextObject> owner, launch::Buffer memory)
        : context(std::move(owner)), buffer(memory) {}
    ~Storage() { context->give_back(buffer); }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    Storage(Storage&&) = delete;
    Storage& operator=(Storage&&) = delete;

    std::shared_ptr<ContextObject> context;
    launch::Buffer buffer;
};
struct BufferObject : Storage {
    static constexpr Kind kind = Kind::buffer;
    using Storage::Storage;
};
struct ImageObject : Storage {
    static constexpr Kind kind = Kind::image;
    using Storage::Storage;
    machine::Image image;
};
struct SamplerObject {
    static constexpr Kind kind = Kind::sampler;
    std::shared_ptr<ContextObject> context;
    machine::Sampler sampler;
};

struct BytesObject {
    static constexpr Kind kind = Kind::bytes;
    std::string content; // zero-terminated
};

struct DiagnosticEntry {
    const vm::Unit* unit = nullptr;
    const Diagnostic* diagnostic = nullptr;
    const LineStarts* lines; // of the unit's content
};
struct DiagnosticsObject {
    static constexpr Kind kind = Kind::diagnostics;
    std::vector<vm::Unit> units;
    std::vector<LineStarts> lines;        // by unit
    std::vector<DiagnosticEntry> entries; // into the units
    std::string text;
};
// The units' messages, in their order.
[[nodiscard]] std::shared_ptr<DiagnosticsObject> diagnostics_of(std::vector<vm::Unit> units);
// One message about an input as a whole.
[[nodiscard]] std::shared_ptr<DiagnosticsObject> diagnostics_of(std::string_view name,
                                                                const vm::Error& error);

struct FoundRegister {
    std::string name;
    std::optional<trace::Register> found; // absent: no such thread
    std::string elements;
};

// A launch and its results. They are written by the thread that runs it before `over` is set.
struct LaunchObject {
    static constexpr Kind kind = Kind::launch;

    std::atomic<bool> stop{false};

    mutable std::mutex mutex;
    mutable std::condition_variable changed;
    bool over = false; // under the mutex

    visor_status status = VISOR_OK;
    std::string message;
    vm::RunReport report;
    std::string fault_kind;
    std::vector<check::Reported> findings;
    uint64_t suppressed = 0;
    std::optional<visor_counters> counters;
    std::vector<FoundRegister> registers;
    std::optional<profile::Profile> costs; // absent: not asked for
    bool checked = false;
    std::string timeline;
    std::shared_ptr<ContextObject> context;

    [[nodiscard]] bool is_over() const {
        const std::lock_guard lock(mutex);
        return over;
    }
};

} // namespace visor::capi
