#include "keys.h"

#include "fence.h"
#include "killed_by.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/mman.h>

namespace visor::containment {

namespace {

constexpr size_t page = 4096;
constexpr size_t stack_bytes = size_t{64} << 20U;
constexpr int everything_else = 0; // the key of pages that have no other one

int key = -1; // of what is shared
uint64_t times_locked = 0;

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    std::abort();
}

struct Body {
    const std::function<int()>* run = nullptr;
    int result = EXIT_FAILURE;
};

void* run_body(void* argument) {
    auto* const body = static_cast<Body*>(argument);
    body->result = (*body->run)();
    return nullptr;
}

} // namespace

extern "C" void visor_containment_stopped(int /*signal*/, siginfo_t* info, void* /*context*/) {
    if (info->si_code == SEGV_PKUERR)
        end_killed(stopped, " (a write to what is not shared)\n");
    end_killed(2, "\n");
}

// A handler has the rights of a new process, thus none to the shared stack that it runs on.
[[gnu::naked]] static void take_rights(int /*signal*/, siginfo_t* /*info*/, void* /*context*/) {
    asm("mov %rdx, %r8\n" // NOLINT(hicpp-no-assembler)
        "xor %eax, %eax\n"
        "xor %ecx, %ecx\n"
        "xor %edx, %edx\n"
        "wrpkru\n"
        "mov %r8, %rdx\n"
        "jmp visor_containment_stopped\n");
}

bool have_keys() {
    static const bool have = [] {
        const int one = pkey_alloc(0, 0);
        return one >= 0 && pkey_free(one) == 0;
    }();
    return have;
}

bool keys_are_on() {
    return key >= 0;
}

int with_keys(const std::function<int()>& body) {
    if (!have_keys()) {
        std::puts("skipped: this CPU or system has no protection keys (pkeys(7))");
        return skipped;
    }
    key = pkey_alloc(0, 0);
    void* const stack =
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (key < 0 || stack == MAP_FAILED)
        give_up("protection keys");
    share(stack, stack_bytes);
    struct sigaction action = {};
    action.sa_sigaction = take_rights;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    fence_every_size();
    pthread_attr_t attributes;
    pthread_t thread = {};
    Body started{.run = &body};
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, stack_bytes) != 0 ||
        pthread_create(&thread, &attributes, run_body, &started) != 0 || pthread_join(thread, nullptr) != 0)
        give_up("a thread with a shared stack");
    return started.result;
}

void share(const void* bytes, size_t count) {
    if (!keys_are_on() || count == 0)
        return;
    const uint64_t in_page = reinterpret_cast<uint64_t>(bytes) % page;
    void* const first = static_cast<std::byte*>(const_cast<void*>(bytes)) - in_page;
    const size_t all = (in_page + count + page - 1) / page * page;
    if (pkey_mprotect(first, all, PROT_READ | PROT_WRITE, key) != 0)
        give_up("sharing memory with compiled code");
}

void share(const machine::Memory& memory) {
    if (!keys_are_on())
        return;
    for (const machine::Allocation& allocation : memory.allocations())
        share(machine::Memory::host(allocation.address), allocation.bytes);
}

void lock_process() {
    ++times_locked;
    if (pkey_set(everything_else, PKEY_DISABLE_WRITE) != 0)
        std::abort();
}

uint64_t locked() {
    return times_locked;
}

void unlock_process() {
    if (pkey_set(everything_else, 0) != 0)
        std::abort();
}

} // namespace visor::containment
