#include "compile/system_calls.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace visor::compile {

namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t architecture = 0; // unknown: limit_system_calls() fails
#endif

// Allowed with any arguments. Some exist on x86-64 only.
constexpr uint32_t always[] = {
    // memory
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mincore,
    SYS_membarrier,
    // files; opening for writing is forbidden
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_preadv,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_lseek,
    SYS_dup,
    SYS_dup3,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_fstatfs,
    SYS_statfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_fadvise64,
#if defined(__x86_64__)
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_dup2,
    SYS_poll,
    SYS_getrlimit,
    SYS_time,
#endif
    // request and answer
    SYS_recvfrom,
    SYS_sendto,
    SYS_ppoll,
    // waiting
    SYS_futex,
    SYS_sched_yield,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_restart_syscall,
    // time
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_getitimer,
    SYS_setitimer,
    // itself
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrusage,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_rseq,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_exit,
    SYS_exit_group,
#if defined(__x86_64__)
    SYS_arch_prctl,
#endif
    // its own signals
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
#if defined(__x86_64__)
    SYS_pause,
#endif
};

enum class Field : uint32_t {
    number = offsetof(seccomp_data, nr),
    machine = offsetof(seccomp_data, arch),
    arguments = offsetof(seccomp_data, args),
};

constexpr uint32_t argument_bytes = 8;

constexpr uint32_t failing_with(int error) {
    return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error);
}

// A BPF program: it ends at the first return.
class Filter {
public:
    // The lower half of an argument: the kernel ignores the rest of an int.
    void load(Field field, uint32_t argument = 0) {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(field) + argument * argument_bytes);
    }
    // The upper half.
    void load_high(uint32_t argument) {
        add(BPF_LD | BPF_W | BPF_ABS,
            static_cast<uint32_t>(Field::arguments) + argument * argument_bytes + argument_bytes / 2);
    }
    void answer(uint32_t action) { add(BPF_RET | BPF_K, action); }
    void answer_if(uint32_t value, uint32_t action) {
        code_.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value});
        answer(action);
    }
    void answer_unless(uint32_t value, uint32_t action) {
        code_.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
        answer(action);
    }
    void answer_if_any(uint32_t bits, uint32_t action) {
        code_.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits});
        answer(action);
    }
    // `body` applies to this call only, and has to end in a return.
    template <class Body>
    void for_call(uint32_t number, Body body) {
        const size_t jump = code_.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, number);
        body();
        code_[jump].jf = static_cast<uint8_t>(code_.size() - jump - 1);
    }
    [[nodiscard]] bool install() {
        const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
    }

private:
    void add(unsigned code, uint32_t value) { code_.push_back({static_cast<uint16_t>(code), 0, 0, value}); }
    std::vector<sock_filter> code_;
};

void add_files(Filter& filter) {
    constexpr uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    filter.for_call(SYS_openat, [&] {
        filter.load(Field::arguments, 2);
        filter.answer_if_any(writes, failing_with(EACCES));
        filter.answer(SECCOMP_RET_ALLOW);
    });
#if defined(__x86_64__)
    filter.for_call(SYS_open, [&] {
        filter.load(Field::arguments, 1);
        filter.answer_if_any(writes, failing_with(EACCES));
        filter.answer(SECCOMP_RET_ALLOW);
    });
#endif
}

// Signals by a file's owner are signals.
void add_file_control(Filter& filter, uint32_t self) {
    filter.for_call(SYS_fcntl, [&] {
        filter.load(Field::arguments, 1);
        for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL})
            filter.answer_if(static_cast<uint32_t>(command), SECCOMP_RET_ALLOW);
        filter.answer_unless(F_SETOWN, failing_with(EPERM));
        filter.load(Field::arguments, 2);
        filter.answer_if(self, SECCOMP_RET_ALLOW);
        filter.answer(failing_with(EPERM));
    });
}

void add_signals(Filter& filter, uint32_t self) {
    for (const int call : {SYS_kill, SYS_tgkill})
        filter.for_call(static_cast<uint32_t>(call), [&] {
            filter.load(Field::arguments, 0);
            filter.answer_if(self, SECCOMP_RET_ALLOW);
            filter.answer(failing_with(EPERM));
        });
}

// It may lower its CPU time limit, and query every limit.
void add_limits(Filter& filter) {
    filter.for_call(SYS_prlimit64, [&] {
        filter.load(Field::arguments, 0);
        filter.answer_unless(0, failing_with(EPERM));
        filter.load(Field::arguments, 1);
        filter.answer_if(RLIMIT_CPU, SECCOMP_RET_ALLOW);
        filter.load(Field::arguments, 2);
        filter.answer_unless(0, failing_with(EPERM));
        filter.load_high(2);
        filter.answer_unless(0, failing_with(EPERM));
        filter.answer(SECCOMP_RET_ALLOW);
    });
}

} // namespace

bool limit_system_calls() {
    if (architecture == 0)
        return false;
    const auto self = static_cast<uint32_t>(getpid());
    Filter filter;
    filter.load(Field::machine);
    filter.answer_unless(architecture, SECCOMP_RET_KILL_PROCESS);
    filter.load(Field::number);
    for (const uint32_t call : always)
        filter.answer_if(call, SECCOMP_RET_ALLOW);
    add_files(filter);
    add_file_control(filter, self);
    add_signals(filter, self);
    add_limits(filter);
    filter.answer(failing_with(ENOSYS));
    return filter.install();
}

} // namespace visor::compile
