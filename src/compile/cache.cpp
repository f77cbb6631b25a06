#include "compile/cache.h"

#include "compile/trust.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view entry_suffix = ".build";
constexpr std::string_view unfinished_suffix = ".unfinished";
constexpr off_t max_entry_bytes = off_t{1} << 30U;
constexpr time_t unfinished_age = 3600; // seconds: older ones are orphans

// Leads an entry; key, log and zebin follow in this order.
struct Header {
    std::array<char, 8> magic{'v', 'i', 's', 'o', 'r', 'z', 'e', '1'};
    uint64_t key_bytes = 0;
    uint64_t log_bytes = 0;
    uint64_t zebin_bytes = 0;
    uint64_t checksum = 0; // of all that follows
};

std::optional<std::string> content_of(const Owned& folder, const fs::path& path) {
    const Owned opened = open_own_file(folder, path);
    warn_once(opened.problem);
    const int file = opened.descriptor.get();
    struct stat facts{};
    std::string content;
    bool good = opened.descriptor.is_open() && fstat(file, &facts) == 0 && facts.st_size <= max_entry_bytes;
    if (good)
        content.resize(static_cast<size_t>(facts.st_size));
    for (size_t done = 0; good && done < content.size();) {
        const ssize_t got = read(file, content.data() + done, content.size() - done);
        if (got < 0 && errno == EINTR)
            continue;
        good = got > 0;
        done += good ? static_cast<size_t>(got) : 0;
    }
    if (good)
        futimens(file, nullptr); // time of use, for shrink()
    return good ? std::optional(std::move(content)) : std::nullopt;
}

bool write_whole(int folder, const std::string& name, std::string_view content) {
    const int file = openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool good = true;
    while (good && !content.empty()) {
        const ssize_t put = write(file, content.data(), content.size());
        if (put < 0 && errno == EINTR)
            continue;
        good = put > 0;
        content.remove_prefix(good ? static_cast<size_t>(put) : 0);
    }
    return close(file) == 0 && good;
}

std::optional<CachedBuild> decode(std::string_view content, std::string_view key) {
    Header header;
    if (content.size() < sizeof header)
        return std::nullopt;
    std::memcpy(&header, content.data(), sizeof header);
    const std::string_view body = content.substr(sizeof header);
    const bool sound = header.magic == Header().magic && header.key_bytes <= body.size() &&
                       header.log_bytes <= body.size() - header.key_bytes &&
                       header.zebin_bytes == body.size() - header.key_bytes - header.log_bytes &&
                       header.checksum == XXH3_64bits(body.data(), body.size());
    if (!sound || body.substr(0, header.key_bytes) != key)
        return std::nullopt;
    return CachedBuild{.zebin = std::string(body.substr(header.key_bytes + header.log_bytes)),
                       .log = std::string(body.substr(header.key_bytes, header.log_bytes))};
}

std::string encode(std::string_view key, const CachedBuild& build) {
    std::string content(sizeof(Header), '\0');
    content.append(key).append(build.log).append(build.zebin);
    Header header;
    header.key_bytes = key.size();
    header.log_bytes = build.log.size();
    header.zebin_bytes = build.zebin.size();
    header.checksum = XXH3_64bits(content.data() + sizeof header, content.size() - sizeof header);
    std::memcpy(content.data(), &header, sizeof header);
    return content;
}

std::string name_of(std::string_view key) {
    const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
    return fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, entry_suffix);
}

struct Entry {
    std::string name;
    timespec used;
    uint64_t bytes;
};

bool is_before(const timespec& one, const timespec& other) {
    return one.tv_sec != other.tv_sec ? one.tv_sec < other.tv_sec : one.tv_nsec < other.tv_nsec;
}

// Also removes unfinished files of dead processes.
std::vector<Entry> entries_of(int folder) {
    std::vector<Entry> entries;
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const list = again < 0 ? nullptr : fdopendir(again);
    if (list == nullptr) {
        Descriptor(again).reset();
        return entries;
    }
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    while (const dirent* const one = readdir(list)) {
        const std::string_view name = one->d_name;
        struct stat facts{};
        if (fstatat(folder, one->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            continue; // another process may shrink at the same time
        if (name.ends_with(entry_suffix))
            entries.push_back({std::string(name), facts.st_mtim, static_cast<uint64_t>(facts.st_size)});
        else if (name.ends_with(unfinished_suffix) && facts.st_mtim.tv_sec + unfinished_age < now.tv_sec)
            unlinkat(folder, one->d_name, 0);
    }
    closedir(list);
    return entries;
}

// Removes the builds used longest ago while all of them together exceed the limit.
void shrink(int folder, uint64_t limit) {
    std::vector<Entry> entries = entries_of(folder);
    uint64_t total = 0;
    for (const Entry& entry : entries)
        total += entry.bytes;
    if (total <= limit)
        return;
    std::ranges::sort(entries, is_before, &Entry::used);
    for (const Entry& entry : entries) {
        if (total <= limit)
            break;
        unlinkat(folder, entry.name.c_str(), 0);
        total -= entry.bytes;
    }
}

} // namespace

fs::path Cache::path_of(std::string_view key) const {
    return root_ / name_ / name_of(key);
}

std::optional<CachedBuild> Cache::find(std::string_view key) const {
    const Owned folder = open_own_folder(root_, name_, Missing::left);
    warn_once(folder.problem);
    if (!folder.descriptor.is_open())
        return std::nullopt;
    const std::optional<std::string> content = content_of(folder, path_of(key));
    return content ? decode(*content, key) : std::nullopt;
}

void Cache::store(std::string_view key, const CachedBuild& build) const {
    const Owned opened = open_own_folder(root_, name_, Missing::made);
    warn_once(opened.problem);
    if (!opened.descriptor.is_open())
        return;
    const int folder = opened.descriptor.get();
    std::random_device random;
    const std::string unfinished =
        fmt::format("{}-{:08x}{:08x}{}", getpid(), random(), random(), unfinished_suffix);
    if (write_whole(folder, unfinished, encode(key, build)))
        renameat(folder, unfinished.c_str(), folder, name_of(key).c_str());
    unlinkat(folder, unfinished.c_str(), 0); // gone already when the renaming worked
    shrink(folder, limit_);
}

} // namespace visor::compile
