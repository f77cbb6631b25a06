#include "opencl/memory/host_access.h"

#include "opencl/context.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

namespace visor::opencl {

namespace {

void set_access(uint64_t address, uint64_t bytes, int access) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    mprotect(machine::Memory::host(address), (bytes + page - 1) / page * page, access);
}
constexpr int all_access = PROT_READ | PROT_WRITE;

// The previous handler; global, since a signal handler has no context.
struct sigaction former_action{};

// Whether accesses are watched in this process; for the handler.
std::atomic<bool> watches{false};

void give_up() {
    watches = false;
    platform().contexts.each([](_cl_context& context) { context.host_access.let_all(); });
}

// Restores the previous handler for other faults: the retried access raises the signal again. From then on
// nothing is watched.
void on_fault(int /*number*/, siginfo_t* what, void* /*machine_state*/) {
    const auto address = reinterpret_cast<uint64_t>(what->si_addr);
    const bool was_sent = what->si_code <= 0;
    bool seen = false;
    if (!was_sent)
        platform().contexts.each(
            [&](_cl_context& context) { seen = seen || context.host_access.touched(address); });
    if (seen)
        return; // the instruction is retried
    give_up();
    sigaction(SIGSEGV, &former_action, nullptr);
    if (was_sent)
        raise(SIGSEGV);
}

bool is_ours() {
    struct sigaction now{};
    return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction == on_fault;
}

// The application may have installed another handler by now.
bool still_watches() {
    if (watches && !is_ours())
        give_up();
    return watches;
}

} // namespace

void watch_host_accesses() {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    watches = sigaction(SIGSEGV, &action, &former_action) == 0;
}

HostAccess::HostAccess(bool watching) : watching_(watching), slots_(watching ? most : 0) {}

void HostAccess::add(uint64_t address, uint64_t bytes) {
    if (!watching_)
        return;
    const std::lock_guard guard(lock_);
    for (size_t k = 0; k < slots_.size(); ++k) {
        Slot& slot = slots_[k];
        if (slot.address.load() != 0)
            continue;
        slot.access = 0;
        slot.reported = false;
        slot.bytes = bytes;
        slot.address = address;
        used_ = std::max(used_, k + 1);
        if (commands_ == 0 && still_watches())
            set_access(address, bytes, PROT_NONE);
        return;
    }
}

void HostAccess::remove(uint64_t address) {
    if (!watching_)
        return;
    const std::lock_guard guard(lock_);
    for (size_t k = 0; k < used_; ++k) {
        Slot& slot = slots_[k];
        if (slot.address.load() != address)
            continue;
        set_access(address, slot.bytes.load(), all_access);
        slot.address = 0;
    }
}

void HostAccess::enter() {
    if (!watching_)
        return;
    const std::lock_guard guard(lock_);
    if (commands_++ != 0)
        return;
    for (size_t k = 0; k < used_; ++k)
        if (slots_[k].address.load() != 0)
            set_access(slots_[k].address.load(), slots_[k].bytes.load(), all_access);
}

void HostAccess::leave() {
    if (!watching_)
        return;
    const std::lock_guard guard(lock_);
    if (--commands_ != 0 || !still_watches())
        return;
    for (size_t k = 0; k < used_; ++k)
        if (slots_[k].address.load() != 0 && slots_[k].access.load() == 0)
            set_access(slots_[k].address.load(), slots_[k].bytes.load(), PROT_NONE);
}

bool HostAccess::touched(uint64_t address) {
    for (Slot& slot : slots_) {
        const uint64_t begin = slot.address.load();
        if (begin == 0 || address - begin >= slot.bytes.load())
            continue;
        uint64_t none = 0;
        if (slot.access.compare_exchange_strong(none, address))
            news_ = true;
        set_access(begin, slot.bytes.load(), all_access);
        return true;
    }
    return false;
}

void HostAccess::let_all() {
    for (const Slot& slot : slots_)
        if (const uint64_t begin = slot.address.load(); begin != 0)
            set_access(begin, slot.bytes.load(), all_access);
}

std::vector<HostAccess::Access> HostAccess::take_accesses() {
    std::vector<Access> found;
    if (!news_.exchange(false))
        return found;
    const std::lock_guard guard(lock_);
    for (size_t k = 0; k < used_; ++k) {
        Slot& slot = slots_[k];
        if (slot.address.load() == 0 || slot.access.load() == 0 || slot.reported)
            continue;
        slot.reported = true;
        found.push_back({slot.address.load(), slot.access.load()});
    }
    return found;
}

} // namespace visor::opencl
