// What `visor run -- app` has to know of the launches of a process that is not its own: a line when one
// begins and when it is over, added to a file whose name it gave. A process can fork and can die at any
// moment; each line is one write to the end.
#pragma once

#include "isa/row.h"
#include "vm/vm.h"

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace visor::opencl {

// Kernels of several programs often have the same name.
struct RecordedKernel {
    uint64_t program = 0; // its number in the process
    std::string_view name;
};

class Record {
public:
    explicit Record(const std::string& path);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    Record(Record&&) = delete;
    Record& operator=(Record&&) = delete;

    void began(const RecordedKernel& kernel);
    void refused(const RecordedKernel& kernel); // it was not launched, after all
    void launched(const RecordedKernel& kernel, const vm::RunReport& report);
    // A number that stands for all bytes that a launch can have written.
    void left(const RecordedKernel& kernel, uint64_t digest);
    // A fault, what is not supported, a finding: told on standard error, and recorded by its kind. `origin`
    // are lines that say where it is from; the same words from elsewhere are one finding.
    void failed(vm::ErrorKind kind, std::string_view text, std::string_view origin = {});
    void found(bool is_error, std::string_view text, std::string_view origin = {});
    // What an application gets away with here: counted as a note when it is first told.
    void noted(std::string_view text);
    // On standard error. False: these words were said before.
    bool tell(std::string_view text, std::string_view origin = {});

private:
    void write(std::string_view line) const;
    void write(std::string_view kind, const RecordedKernel& kernel, std::string_view rest = {}) const;

    int file_ = -1;
    std::mutex lock_;
    std::set<std::string, std::less<>> told_; // the same words are said once
};

} // namespace visor::opencl
