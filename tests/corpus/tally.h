// What became of the launches of corpus_runs: counts, a log, and which disagreements differs.tsv explains.
#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace visor::corpus {

// differs.tsv: source and kernel whose results may differ, and why.
class Explained {
public:
    // Throws std::runtime_error that names the file and the line.
    explicit Explained(const std::string& path);
    [[nodiscard]] bool names(const std::string& source, const std::string& kernel) const;

private:
    struct Entry {
        std::string source; // its name, or how its path ends
        std::string kernel;
    };
    std::vector<Entry> entries_;
};

// A verdict (differential.h) as a line of text has it.
struct Told {
    std::string kind;
    std::string kernel;
    std::string device = "-";
    std::string seed = "-";
    std::string detail;
};

class Tally {
public:
    struct Files {
        std::string differs;
        std::string log;  // a line for every launch; "": none
        std::string done; // a line for every source; "": none
    };
    Tally(const Files& files, bool verbose);

    void add(const std::string& source, Told told);
    void finish(const std::string& source);
    // Verdicts by their kind; kernels that were compared by package and device.
    void print(const std::vector<std::string>& devices) const;
    [[nodiscard]] size_t suspicious() const { return suspicious_; }
    // Kernels that wrote something that was compared.
    [[nodiscard]] size_t compared_on(const std::string& device) const;

private:
    Explained explained_;
    std::string done_;
    bool verbose_;
    std::mutex mutex_;
    std::ofstream log_;
    std::map<std::string, size_t> counts_;
    size_t suspicious_ = 0;
    // By package (what a source's name begins with) and device: "source kernel".
    std::map<std::string, std::map<std::string, std::set<std::string>>> compared_;
};

} // namespace visor::corpus
