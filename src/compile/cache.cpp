#include "compile/cache.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
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
constexpr auto unfinished_age = std::chrono::hours(1); // older ones belong to nobody

// Leads an entry; key, log and zebin follow in this order.
struct Header {
    std::array<char, 8> magic{'v', 'i', 's', 'o', 'r', 'z', 'e', '1'};
    uint64_t key_bytes = 0;
    uint64_t log_bytes = 0;
    uint64_t zebin_bytes = 0;
    uint64_t checksum = 0; // of all that follows
};

std::optional<std::string> content_of(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    struct stat facts{};
    std::string content;
    bool good = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= max_entry_bytes;
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
        futimens(file, nullptr); // used now: shrink() goes by this
    close(file);
    return good ? std::optional(std::move(content)) : std::nullopt;
}

bool write_whole(const fs::path& path, std::string_view content) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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

} // namespace

fs::path Cache::path_of(std::string_view key) const {
    const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
    return folder_ / fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, entry_suffix);
}

std::optional<CachedBuild> Cache::find(std::string_view key) const {
    const std::optional<std::string> content = content_of(path_of(key));
    return content ? decode(*content, key) : std::nullopt;
}

void Cache::store(std::string_view key, const CachedBuild& build) const {
    std::error_code error;
    fs::create_directories(folder_, error);
    std::random_device random;
    const fs::path unfinished =
        folder_ / fmt::format("{}-{:08x}{:08x}{}", getpid(), random(), random(), unfinished_suffix);
    if (write_whole(unfinished, encode(key, build)))
        fs::rename(unfinished, path_of(key), error);
    fs::remove(unfinished, error); // gone already when the renaming worked
    shrink();
}

void Cache::shrink() const {
    struct Entry {
        fs::path path;
        fs::file_time_type used;
        uint64_t bytes;
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator at(folder_, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        std::error_code gone; // another process may shrink at the same time
        const fs::file_time_type used = at->last_write_time(gone);
        const uint64_t bytes = gone ? 0 : at->file_size(gone);
        if (gone)
            continue;
        if (at->path().extension() == entry_suffix) {
            entries.push_back({at->path(), used, bytes});
            total += bytes;
        } else if (at->path().extension() == unfinished_suffix &&
                   used + unfinished_age < fs::file_time_type::clock::now()) {
            fs::remove(at->path(), gone);
        }
    }
    if (total <= limit_)
        return;
    std::ranges::sort(entries, {}, &Entry::used);
    for (const Entry& entry : entries) {
        if (total <= limit_)
            break;
        fs::remove(entry.path, error);
        total -= entry.bytes;
    }
}

} // namespace visor::compile
