// Finished builds on disk, shared by concurrent processes: one file a build, written whole under another name
// and then renamed, read only when its checksum and its whole key agree. It never fails: what it cannot do,
// it leaves undone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace visor::compile {

struct CachedBuild {
    std::string zebin;
    std::string log;
};

class Cache {
public:
    static constexpr uint64_t default_limit = uint64_t{512} << 20U;

    explicit Cache(std::filesystem::path folder, uint64_t limit = default_limit)
        : folder_(std::move(folder)), limit_(limit) {}

    // `key` is everything the build depends on.
    [[nodiscard]] std::optional<CachedBuild> find(std::string_view key) const;

    // Also removes the builds used longest ago while all of them together exceed the limit.
    void store(std::string_view key, const CachedBuild& build) const;

    [[nodiscard]] std::filesystem::path path_of(std::string_view key) const;

private:
    void shrink() const;

    std::filesystem::path folder_;
    uint64_t limit_;
};

} // namespace visor::compile
