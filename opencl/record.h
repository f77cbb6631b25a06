// Records launches of an application for `visor run -- app`: appends a line at a launch's begin and end to a
// file. The process can fork and die at any moment, so each line is one append.
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
    void refused(const RecordedKernel& kernel); // it was not launched
    void launched(const RecordedKernel& kernel, const vm::RunReport& report);
    // A hash of all memory that the launch can have written.
    void left(const RecordedKernel& kernel, uint64_t digest);
    // A fault, an unsupported feature, a finding: printed on standard error, and recorded by its kind.
    // `origin`: lines with its location; equal texts from several locations are one finding.
    void failed(vm::ErrorKind kind, std::string_view text, std::string_view origin = {});
    void found(bool is_error, std::string_view text, std::string_view origin = {});
    // A tolerated misuse: counted as a note when it is first printed.
    void noted(std::string_view text);
    // Prints on standard error. False: the text was printed before.
    bool print_once(std::string_view text, std::string_view origin = {});

private:
    void write(std::string_view line) const;
    void write(std::string_view kind, const RecordedKernel& kernel, std::string_view rest = {}) const;

    int file_ = -1;
    std::mutex lock_;
    std::set<std::string, std::less<>> printed_; // each text is printed once
};

} // namespace visor::opencl
