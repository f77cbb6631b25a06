// What `visor run -- app` has to know of the launches of a process that is not its own: a line for each,
// added to a file whose name it gave. A process can fork and can die at any moment; each line is one write to
// the end.
#pragma once

#include "isa/row.h"
#include "vm/vm.h"

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace visor::opencl {

class Record {
public:
    explicit Record(const std::string& path);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    Record(Record&&) = delete;
    Record& operator=(Record&&) = delete;

    void launched(std::string_view kernel, const vm::RunReport& report);
    // A fault, what is not supported, a finding: told on standard error, and recorded by its kind.
    void failed(vm::ErrorKind kind, std::string_view text);
    void found(bool is_error, std::string_view text);
    // What an application gets away with here: counted as a note when it is first told.
    void noted(std::string_view text);
    // On standard error. False: these words were said before.
    bool tell(std::string_view text);

private:
    void write(std::string_view line) const;

    int file_ = -1;
    std::mutex lock_;
    std::set<std::string, std::less<>> told_; // the same words are said once
};

} // namespace visor::opencl
