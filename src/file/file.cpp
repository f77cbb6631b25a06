#include "file/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace visor {

namespace {

constexpr size_t block_bytes = size_t{1} << 20;

std::string trouble(std::string_view what, const std::string& path) {
    return fmt::format("cannot {} `{}`: {}", what, path, std::strerror(errno));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ > STDERR_FILENO)
            close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

// What open() would give a new file, or what the file there has: mkstemp alone would make it private.
mode_t wanted_mode(const std::string& target) {
    struct stat facts{};
    if (stat(target.c_str(), &facts) == 0)
        return facts.st_mode & 07777U;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

} // namespace

std::expected<void, std::string> check_regular(const std::string& path) {
    struct stat facts{};
    if (path == "-" || stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode))
        return {}; // else whoever opens it says why it cannot
    return std::unexpected(fmt::format("cannot read `{}`: a launch file names regular files alone", path));
}

std::expected<std::string, std::string> read_file(const std::string& path, size_t most) {
    const Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat facts{};
    if (file.number() < 0 || fstat(file.number(), &facts) != 0)
        return std::unexpected(trouble("read", path));
    if (S_ISDIR(facts.st_mode))
        return std::unexpected(fmt::format("cannot read `{}`: it is a folder", path));
    if (S_ISCHR(facts.st_mode))
        most = most_device_bytes;
    else if (!S_ISREG(facts.st_mode))
        most = std::min(most, most_file_bytes);
    const auto too_large = [&] {
        return std::unexpected(fmt::format("cannot read `{}`: it has more than {} bytes", path, most));
    };
    if (S_ISREG(facts.st_mode) && static_cast<uint64_t>(facts.st_size) > most)
        return too_large();
    std::string content;
    if (S_ISREG(facts.st_mode) && facts.st_size > 0)
        content.reserve(static_cast<size_t>(facts.st_size) + 1);
    while (true) {
        const size_t used = content.size();
        if (used > most)
            return too_large();
        content.resize(std::max(used + 1, std::min(content.capacity(), used + block_bytes)));
        const ssize_t got = ::read(file.number(), content.data() + used, content.size() - used);
        content.resize(used + static_cast<size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0)
            return content;
        if (got < 0 && errno != EINTR)
            return std::unexpected(trouble("read", path));
    }
}

std::expected<OutputFile, std::string> OutputFile::create(const std::string& path) {
    OutputFile file;
    file.path_ = path;
    if (path == "-") {
        file.descriptor_ = STDOUT_FILENO;
        return file;
    }
    std::error_code none;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, none);
    file.target_ = none ? path : real.string();
    struct stat facts{};
    if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
        file.descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file.descriptor_ < 0)
            return std::unexpected(trouble("write", path));
        return file;
    }
    // A rename would pass over the file's own protection.
    if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0)
        return std::unexpected(trouble("write", path));
    file.temporary_ = file.target_ + ".XXXXXX";
    file.descriptor_ = mkostemp(file.temporary_.data(), O_CLOEXEC);
    if (file.descriptor_ < 0) {
        file.temporary_.clear();
        return std::unexpected(trouble("write", path));
    }
    if (fchmod(file.descriptor_, wanted_mode(file.target_)) != 0)
        return std::unexpected(trouble("write", path));
    return file;
}

std::expected<void, std::string> OutputFile::probe(const std::string& path) {
    struct stat facts{};
    // Opening a pipe or a device is seen at its other end.
    if (path == "-" ||
        (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)))
        return {};
    const auto file = create(path);
    if (!file)
        return std::unexpected(file.error());
    return {};
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)),
      target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})) {}

OutputFile::~OutputFile() {
    if (descriptor_ > STDERR_FILENO)
        close(descriptor_);
    if (!temporary_.empty())
        unlink(temporary_.c_str());
}

std::expected<void, std::string> OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
        if (put < 0 && errno != EINTR)
            return std::unexpected(trouble("write", path_));
        bytes = bytes.subspan(static_cast<size_t>(std::max<ssize_t>(put, 0)));
    }
    return {};
}

std::expected<void, std::string> OutputFile::write(std::string_view text) {
    return write(std::as_bytes(std::span(text)));
}

std::expected<void, std::string> OutputFile::commit() {
    if (temporary_.empty())
        return {};
    const int closed = close(std::exchange(descriptor_, -1));
    if (closed != 0 || rename(temporary_.c_str(), target_.c_str()) != 0)
        return std::unexpected(trouble("write", path_));
    temporary_.clear();
    return {};
}

std::expected<void, std::string> write_file(const std::string& path, std::span<const std::byte> bytes,
                                            Content content) {
    if (content == Content::binary && path == "-" && isatty(STDOUT_FILENO) != 0)
        return std::unexpected("this is a binary file, and standard output is a terminal: give -o FILE");
    auto file = OutputFile::create(path);
    if (!file)
        return std::unexpected(file.error());
    if (auto put = file->write(bytes); !put)
        return put;
    return file->commit();
}

std::string default_output(const std::string& input, std::string_view ending) {
    const std::string stem = input == "-" ? "a" : std::filesystem::path(input).stem().string();
    return stem + std::string(ending);
}

} // namespace visor
