// Runs a program for a test and keeps what it said.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace visor::test {

struct Finished {
    int exit_code = -1; // 128 + signal when killed by one
    std::string out;
    std::string err;
};

// `arguments[0]` is the program's path. Standard input is `input`. Environment entries are added to ours. The
// process is killed after `seconds`.
[[nodiscard]] Finished run(const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>& environment = {},
                           const std::string& input = "", int seconds = 120);

// A folder of its own, removed with everything in it at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

[[nodiscard]] std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& content);

} // namespace visor::test
