#include "compile/landlock.h"

#include "compile/descriptor.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace visor::compile {

namespace {

// Flags missing in older headers, by Landlock version.
constexpr uint64_t all_of_first = (uint64_t{1} << 13U) - 1;
constexpr uint64_t refer = uint64_t{1} << 13U;          // 2
constexpr uint64_t truncate = uint64_t{1} << 14U;       // 3
constexpr uint64_t tcp = 3;                             // 4: bind, connect
constexpr uint64_t device_control = uint64_t{1} << 15U; // 5
constexpr uint64_t outside = 3;                         // 6: abstract sockets, signals

struct Ruleset {
    uint64_t files = 0;
    uint64_t network = 0;
    uint64_t scoped = 0;
};

Ruleset ruleset_of(uint32_t version) {
    Ruleset set{.files = all_of_first};
    set.files |= version >= 2 ? refer : 0;
    set.files |= version >= 3 ? truncate : 0;
    set.network = version >= 4 ? tcp : 0;
    set.files |= version >= 5 ? device_control : 0;
    set.scoped = version >= 6 ? outside : 0;
    return set;
}

size_t bytes_of(uint32_t version) {
    constexpr uint32_t first_with_network = 4;
    constexpr uint32_t first_with_scopes = 6;
    if (version >= first_with_scopes)
        return sizeof(Ruleset);
    return version >= first_with_network ? offsetof(Ruleset, scoped) : offsetof(Ruleset, network);
}

void allow(int ruleset, const std::string& path) {
    const Descriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    rule.parent_fd = file.get();
    if (file.is_open())
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

} // namespace

uint32_t allow_reading(std::span<const std::string> paths) {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version <= 0)
        return 0;
    const auto known = static_cast<uint32_t>(version);
    const Ruleset set = ruleset_of(known);
    const Descriptor ruleset(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &set, bytes_of(known), 0)));
    if (!ruleset.is_open())
        return 0;
    for (const std::string& path : paths)
        allow(ruleset.get(), path);
    return syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0 ? known : 0;
}

} // namespace visor::compile
