#include "compile/confine.h"

#include "compile/landlock.h"
#include "compile/sanitized.h"
#include "compile/search_path.h"
#include "compile/system_calls.h"

#include <algorithm>
#include <iterator>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace visor::compile {

namespace {

// Never raises a limit, as root could.
bool limit(__rlimit_resource resource, rlim_t most) {
    rlimit now{};
    if (getrlimit(resource, &now) != 0)
        return false;
    const rlim_t least = std::min(now.rlim_max, most);
    const rlimit wanted{least, least};
    return setrlimit(resource, &wanted) == 0;
}

// No limit counts other processes of this user, so all work for root and in containers. Except that of
// processes: 0 forbids any; for root only the seccomp list does.
bool limit_resources() {
    constexpr rlim_t memory = rlim_t{8} << 30U; // of addresses
    constexpr rlim_t open_files = 256;
    bool all = limit(RLIMIT_AS, memory);
    all = limit(RLIMIT_FSIZE, 0) && all;
    all = limit(RLIMIT_NOFILE, open_files) && all;
    return limit(RLIMIT_NPROC, 0) && all;
}

} // namespace

Confinement confine(std::span<const std::string> readable) {
    Confinement out;
    if (is_sanitized)
        return out;
    out.limited = limit_resources();
    out.no_new_privs = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (!out.no_new_privs) // required by both
        return out;
    out.landlock = allow_reading(readable);
    out.system_calls = limit_system_calls();
    return out;
}

std::vector<std::string> files_of_compiler(std::string_view library) {
    std::vector<std::string> files{"/lib",           "/lib64",
                                   "/usr/lib",       "/usr/lib64",
                                   "/usr/local/lib", "/usr/local/lib64",
                                   "/opt/intel",     "/etc/ld.so.cache",
                                   "/usr/include",   "/usr/local/include",
                                   "/dev/null",      "/dev/urandom"};
    if (const size_t slash = library.rfind('/'); slash != std::string_view::npos && slash > 0)
        files.emplace_back(library.substr(0, slash));
    std::ranges::move(folders_of_variable("LD_LIBRARY_PATH"), std::back_inserter(files));
    return files;
}

} // namespace visor::compile
