// The cache of builds on disk, shared by concurrent processes: one file a build, written under a temporary
// name and renamed, read only when checksum and whole key match. Folders and entries that other users could
// write (trust.h) are ignored, with one warning. It never fails: errors only disable caching.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace visor::compile {

struct CachedBuild {
    std::string zebin;
    std::string log;
};

class Cache {
public:
    static constexpr uint64_t default_limit = uint64_t{512} << 20U;

    // The folder `name` in `root`.
    Cache(std::filesystem::path root, std::string name, uint64_t limit = default_limit)
        : root_(std::move(root)), name_(std::move(name)), limit_(limit) {}

    // `key` is everything the build depends on.
    [[nodiscard]] std::optional<CachedBuild> find(std::string_view key) const;

    // Also removes the builds used longest ago while all of them together exceed the limit.
    void store(std::string_view key, const CachedBuild& build) const;

    [[nodiscard]] std::filesystem::path path_of(std::string_view key) const;

private:
    std::filesystem::path root_;
    std::string name_;
    uint64_t limit_;
};

} // namespace visor::compile
