/* A library that stands in for an OpenCL compiler in which a program runs amok. The "source" is what it
 * tries, with what it needs behind a blank; its log says what came of it: 0, or errno. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static long told(long result) {
    return result < 0 ? errno : 0;
}

static long forks(const char* unused) {
    (void)unused;
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    return told(child);
}

static void* nothing(void* unused) {
    return unused;
}

static long starts_threads(const char* unused) {
    (void)unused;
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL);
}

static long executes(const char* program) {
    return told(execl(program, program, (char*)NULL));
}

static long kills_parent(const char* unused) {
    (void)unused;
    return told(kill(getppid(), SIGKILL));
}

static long kills_thread(const char* unused) {
    (void)unused;
    return told(syscall(SYS_tgkill, getppid(), getppid(), SIGKILL));
}

/* Of its own group; with the parent's number that one's. */
static long kills_group(const char* whose) {
    return told(kill(*whose == 'p' ? -getppid() : 0, SIGKILL));
}

/* The kernel sends a file's signal to whom it was told. */
static long kills_by_file(const char* unused) {
    (void)unused;
    if (fcntl(3, F_SETSIG, SIGKILL) == 0 && fcntl(3, F_SETOWN, getppid()) == 0)
        return told(fcntl(3, F_SETFL, O_ASYNC));
    return told(fcntl(3, F_SETOWN, getppid()));
}

static long kills_by_descriptor(const char* unused) {
    (void)unused;
    const long process = syscall(SYS_pidfd_open, getppid(), 0);
    return process < 0 ? errno : told(syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0));
}

static long connects(const char* family) {
    return told(socket(*family == 'u' ? AF_UNIX : AF_INET, SOCK_STREAM, 0));
}

static long traces(const char* unused) {
    (void)unused;
    return told(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

static long looks_into(const char* address) {
    char byte = 0;
    const struct iovec ours = {&byte, 1};
    const struct iovec theirs = {(void*)(uintptr_t)strtoull(address, NULL, 10), 1}; /* NOLINT */
    return told(process_vm_readv(getppid(), &ours, 1, &theirs, 1, 0));
}

static long mounts(const char* unused) {
    (void)unused;
    return told(mount("none", "/", "visor-no-such-system", 0, NULL));
}

static long unshares(const char* unused) {
    (void)unused;
    return told(unshare(CLONE_NEWUSER));
}

static long reads(const char* path) {
    const int file = open(path, O_RDONLY);
    return file < 0 ? errno : 0;
}

static long fills(const char* path) {
    static char block[1 << 20];
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0)
        return errno;
    for (int i = 0; i < 64; ++i)
        if (write(file, block, sizeof block) < 0)
            return errno;
    return 0;
}

static long makes_folder(const char* path) {
    return told(mkdir(path, 0700));
}

static long removes(const char* path) {
    return told(unlink(path));
}

static long changes_mode(const char* path) {
    return told(chmod(path, 0777));
}

static long cuts(const char* path) {
    return told(truncate(path, 0));
}

static long raises_limits(const char* unused) {
    (void)unused;
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return told(setrlimit(RLIMIT_AS, &none));
}

/* GiB that it gets. */
static long takes_memory(const char* unused) {
    (void)unused;
    long got = 0;
    while (got < 64 &&
           mmap(NULL, 1UL << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
        ++got;
    return got;
}

/* Descriptors that it gets. */
static long opens_files(const char* unused) {
    (void)unused;
    long got = 0;
    while (got < 100000 && dup(2) >= 0)
        ++got;
    return got;
}

/* Descriptors of its caller's that it has, beyond standard streams and the protocol's. */
static long inherited(const char* unused) {
    (void)unused;
    long got = 0;
    for (int i = 4; i < 256; ++i)
        got += fcntl(i, F_GETFD) >= 0;
    return got;
}

static long sleeps(const char* unused) {
    (void)unused;
    while (pause() != 0) {
    }
    return 0;
}

/* Deaf to what tells it that its time is up. */
static long spins(const char* unused) {
    (void)unused;
    signal(SIGXCPU, SIG_IGN);
    signal(SIGIO, SIG_IGN);
    for (volatile int one = 1; one != 0;) {
    }
    return 0;
}

static long aborts(const char* unused) {
    (void)unused;
    abort();
    return 0;
}

static const struct {
    const char* name;
    long (*run)(const char* with);
} deeds[] = {{"fork", forks},
             {"thread", starts_threads},
             {"execute", executes},
             {"kill-parent", kills_parent},
             {"kill-thread", kills_thread},
             {"kill-group", kills_group},
             {"kill-by-file", kills_by_file},
             {"kill-by-descriptor", kills_by_descriptor},
             {"socket", connects},
             {"trace", traces},
             {"look-into", looks_into},
             {"mount", mounts},
             {"unshare", unshares},
             {"read", reads},
             {"fill", fills},
             {"make-folder", makes_folder},
             {"remove", removes},
             {"change-mode", changes_mode},
             {"cut", cuts},
             {"raise-limits", raises_limits},
             {"memory", takes_memory},
             {"descriptors", opens_files},
             {"inherited", inherited},
             {"sleep", sleeps},
             {"spin", spins},
             {"abort", aborts}};

/* As ocloc has it. */
int oclocInvoke(unsigned argument_count, const char** arguments, uint32_t source_count,
                const uint8_t** sources, const uint64_t* source_bytes, const char** source_names,
                uint32_t header_count, const uint8_t** headers, const uint64_t* header_bytes,
                const char** header_names, uint32_t* output_count, uint8_t*** outputs,
                uint64_t** output_bytes, char*** output_names);
int oclocInvoke(unsigned argument_count, const char** arguments, uint32_t source_count,
                const uint8_t** sources, const uint64_t* source_bytes, const char** source_names,
                uint32_t header_count, const uint8_t** headers, const uint64_t* header_bytes,
                const char** header_names, uint32_t* output_count, uint8_t*** outputs,
                uint64_t** output_bytes, char*** output_names) {
    static char log[64];
    static uint8_t* contents[1] = {(uint8_t*)log};
    static uint64_t sizes[1];
    static char name[] = "stdout.log";
    static char* names[1] = {name};
    (void)argument_count, (void)arguments, (void)source_bytes, (void)source_names, (void)header_count;
    (void)headers, (void)header_bytes, (void)header_names;
    const char* const what = source_count > 0 ? (const char*)sources[0] : "";
    const char* const blank = strchr(what, ' ');
    const size_t length = blank == NULL ? strlen(what) : (size_t)(blank - what);
    snprintf(log, sizeof log, "no such deed");
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; ++i)
        if (strlen(deeds[i].name) == length && strncmp(what, deeds[i].name, length) == 0)
            snprintf(log, sizeof log, "%ld", deeds[i].run(blank == NULL ? "" : blank + 1));
    sizes[0] = strlen(log);
    *output_count = 1;
    *outputs = contents;
    *output_bytes = sizes;
    *output_names = names;
    return 0;
}
