#include "opencl/record.h"

#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace visor::opencl {

Record::Record(const std::string& path) {
    if (!path.empty())
        file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

Record::~Record() {
    if (file_ >= 0)
        close(file_);
}

void Record::write(std::string_view line) const {
    if (file_ < 0)
        return;
    // Short lines: written whole or, on a full disk, not; the reader passes over what it cannot read.
    [[maybe_unused]] const ssize_t written = ::write(file_, line.data(), line.size());
}

bool Record::tell(std::string_view text) {
    constexpr size_t most = 1000;
    const std::lock_guard guard(lock_);
    if (told_.size() >= most || !told_.emplace(text).second)
        return false;
    fmt::print(stderr, "{}{}", text, text.ends_with('\n') ? "" : "\n");
    return true;
}

void Record::launched(std::string_view kernel, const vm::RunReport& report) {
    if (file_ < 0)
        return;
    write(fmt::format("launch\t{}\t{}\t{}\t{}\t{}\t{}\n", kernel, report.work_groups,
                      report.groups[0] * report.groups[1] * report.groups[2], report.instructions,
                      static_cast<int>(report.fidelity), report.fidelity_names));
}

void Record::failed(vm::ErrorKind kind, std::string_view text) {
    tell(fmt::format("visor: {}", text));
    write(fmt::format("error\t{}\n", static_cast<int>(kind)));
}

void Record::noted(std::string_view text) {
    if (tell(text))
        write("note\n");
}

void Record::found(bool is_error, std::string_view text) {
    tell(text);
    write(is_error ? "finding\n" : "note\n");
}

} // namespace visor::opencl
