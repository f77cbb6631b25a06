#include "opencl/record.h"

#include "diagnostic/printable.h"

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
    // Short lines are written atomically or, on a full disk, not at all; the reader skips damaged ones.
    [[maybe_unused]] const ssize_t written = ::write(file_, line.data(), line.size());
}

void Record::write(std::string_view kind, const RecordedKernel& kernel, std::string_view rest) const {
    if (file_ >= 0)
        write(
            fmt::format("{}\t{}\t{}\t{}{}\n", kind, getpid(), kernel.program, printable(kernel.name), rest));
}

bool Record::print_once(std::string_view text, std::string_view origin) {
    constexpr size_t most = 1000;
    const std::lock_guard guard(lock_);
    if (printed_.size() >= most) // the limit of output
        return true;
    if (!printed_.emplace(text).second)
        return false;
    fmt::print(stderr, "{}{}{}", text, text.ends_with('\n') ? "" : "\n", origin);
    if (printed_.size() == most)
        fmt::print(stderr, "visor: {} things were told; further ones are counted\n", most);
    return true;
}

void Record::began(const RecordedKernel& kernel) {
    write("begin", kernel);
}

void Record::refused(const RecordedKernel& kernel) {
    write("refuse", kernel);
}

void Record::launched(const RecordedKernel& kernel, const vm::RunReport& report) {
    if (report.engine_failed)
        print_once(fmt::format("visor: warning: kernel `{}`: {}", kernel.name, report.engine_story));
    if (!report.no_code.empty())
        write("interpreted", kernel, "\t" + printable(report.no_code));
    if (file_ >= 0)
        write("launch", kernel,
              fmt::format("\t{}\t{}\t{}\t{}\t{}", report.work_groups,
                          report.groups[0] * report.groups[1] * report.groups[2], report.instructions,
                          static_cast<int>(report.fidelity), report.fidelity_names));
}

void Record::left(const RecordedKernel& kernel, uint64_t digest) {
    write("left", kernel, fmt::format("\t{}", digest));
}

void Record::failed(vm::ErrorKind kind, std::string_view text, std::string_view origin) {
    print_once(fmt::format("visor: {}", text), origin);
    write(fmt::format("error\t{}\n", static_cast<int>(kind)));
}

void Record::noted(std::string_view text) {
    if (print_once(text))
        write("note\n");
}

void Record::found(bool is_error, std::string_view text, std::string_view origin) {
    if (print_once(text, origin))
        write(is_error ? "finding\n" : "note\n");
}

} // namespace visor::opencl
