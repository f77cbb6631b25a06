#include "compile/trust.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr mode_t others_write = S_IWGRP | S_IWOTH;
constexpr mode_t own_folder = 0700;
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Without the trailing slash, which would follow a link.
fs::path plain(const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

std::string left_alone(const fs::path& path, std::string_view why) {
    return fmt::format("`{}` is left alone: {}", path.string(), why);
}

// Checks an open file or folder.
Owned checked_owner(Descriptor descriptor, const fs::path& path) {
    struct stat facts{};
    if (fstat(descriptor.get(), &facts) != 0)
        return {};
    if (facts.st_uid != geteuid())
        return {.descriptor = {}, .problem = left_alone(path, "it belongs to another user")};
    if ((facts.st_mode & others_write) != 0)
        return {.descriptor = {}, .problem = left_alone(path, "others may write to it")};
    return {.descriptor = std::move(descriptor), .problem = {}};
}

// After a failed open(): missing, or of another kind.
Owned unopened(int folder, const std::string& name, const fs::path& path) {
    struct stat facts{};
    const bool is_link =
        fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(facts.st_mode);
    return {.descriptor = {}, .problem = is_link ? left_alone(path, "it is a link") : ""};
}

Owned open_folder(int parent, const std::string& name, const fs::path& path, Missing missing) {
    if (missing == Missing::made)
        mkdirat(parent, name.c_str(), own_folder); // errors show below
    const int folder = openat(parent, name.c_str(), folder_flags);
    return folder < 0 ? unopened(parent, name, path) : checked_owner(Descriptor(folder), path);
}

void make_folders(const fs::path& path) {
    fs::path made;
    for (const fs::path& part : path) {
        made /= part;
        mkdir(made.c_str(), own_folder);
    }
}

bool is_ours(const struct stat& facts) {
    return facts.st_uid == geteuid() || facts.st_uid == 0;
}

} // namespace

Owned open_own_folder(const fs::path& parent, const std::string& name, Missing missing) {
    const fs::path outer = plain(parent);
    if (missing == Missing::made)
        make_folders(outer.parent_path());
    const Owned opened = open_folder(AT_FDCWD, outer.string(), outer, missing);
    if (!opened.descriptor.is_open())
        return {.descriptor = {}, .problem = opened.problem};
    return open_folder(opened.descriptor.get(), name, outer / name, missing);
}

Owned open_own_file(const Owned& folder, const fs::path& path) {
    const std::string name = path.filename().string();
    const int file = openat(folder.descriptor.get(), name.c_str(),
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return unopened(folder.descriptor.get(), name, path);
    Owned opened = checked_owner(Descriptor(file), path);
    struct stat facts{};
    if (opened.descriptor.is_open() && (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)))
        return {};
    return opened;
}

std::optional<std::string> distrusted(const fs::path& path) {
    constexpr int most_links = 40;
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored);
    std::deque<fs::path> parts(whole.begin(), whole.end());
    fs::path at;
    for (int links = 0; !parts.empty();) {
        const fs::path part = parts.front();
        parts.pop_front();
        if (part == "..") {
            at = at.parent_path();
            continue;
        }
        if (part.empty() || part == ".")
            continue;
        const fs::path next = at / part;
        struct stat facts{};
        if (lstat(next.c_str(), &facts) != 0 || !is_ours(facts))
            return next.string();
        if (S_ISLNK(facts.st_mode)) {
            const fs::path target = fs::read_symlink(next, ignored);
            if (++links > most_links || target.empty())
                return next.string();
            parts.insert(parts.begin(), target.begin(), target.end());
            at = target.is_absolute() ? fs::path() : at;
            continue;
        }
        // In a sticky folder such as /tmp users cannot rename others' files.
        const bool sticky = S_ISDIR(facts.st_mode) && (facts.st_mode & S_ISVTX) != 0 && !parts.empty();
        if ((facts.st_mode & others_write) != 0 && !sticky)
            return next.string();
        at = next;
    }
    return std::nullopt;
}

void warn_once(const std::string& problem) {
    static std::atomic<bool> warned = false;
    if (!problem.empty() && !warned.exchange(true))
        fmt::print(stderr, "visor: warning: {}\n", problem);
}

} // namespace visor::compile
