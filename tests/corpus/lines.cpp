// corpus_lines REPOSITORY [SOURCE]
//
// Whoever checks a run asks the compiler for source lines (ruling 94). This proves that it changes nothing
// but the names of lines: every example, or the sources of the list whose names hold SOURCE, is compiled for
// its devices with and without; kernels have to be the same but for FILE and LOC, and to have lines.
#include "corpus.h"
#include "isa/opcode.h"
#include "module/source_line.h"
#include "process/process.h"
#include "text/text.h"
#include "vm/vm.h"
#include "workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <regex>
#include <span>

namespace {

using namespace visor;

struct Job {
    std::string path;
    std::string options;
    const isa::Device* device;
};

// The options of the command in the example's first comment.
std::string options_of(const std::string& path) {
    static const std::regex option("--options[ =](\"([^\"]*)\"|[^ \n]+)");
    const std::string content = test::read_file(path);
    std::smatch found;
    if (!std::regex_search(content, found, option))
        return "";
    return found[2].matched ? found[2].str() : found[1].str();
}

std::vector<Job> jobs_of(const std::string& repository, const std::string& wanted) {
    std::vector<Job> jobs;
    if (wanted.empty()) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(repository + "/examples"))
            for (const char* name : {"skl", "icllp", "tgllp", "dg2", "pvc"})
                if (entry.path().extension() == ".cl")
                    jobs.push_back({entry.path(), options_of(entry.path()), isa::device_named(name)});
        return jobs;
    }
    for (const corpus::Source& source :
         corpus::read_sources({.repository = repository, .packages = repository + "/build/corpus"}))
        for (const isa::Device* device : source.devices)
            if (source.name.find(wanted) != std::string::npos)
                jobs.push_back({source.path, source.options, device});
    return jobs;
}

struct Loaded {
    std::unique_ptr<vm::Context> context;
    std::shared_ptr<const vm::Program> program;
};

Loaded load(const Job& job, bool lines) {
    Loaded loaded{.context = std::make_unique<vm::Context>(*job.device), .program = nullptr};
    vm::LoadOptions options;
    options.device = job.device->name;
    options.compiler_options = job.options;
    options.include_folders = {std::filesystem::path(job.path).parent_path()};
    options.time_limit = 300;
    options.source_lines = lines;
    std::string warnings;
    if (auto program = loaded.context->load(job.path, test::read_file(job.path), options, warnings))
        loaded.program = std::move(*program);
    return loaded;
}

std::vector<std::string> without_lines(const Function& function) {
    std::vector<std::string> code;
    for (const Instruction& instruction : function.code)
        if (instruction.row->opcode != isa::opcode::file && instruction.row->opcode != isa::opcode::loc)
            code.push_back(text::print(function, instruction));
    return code;
}

// "" when all kernels are the same.
std::string difference(const vm::Program& with, const vm::Program& without, size_t& kernels) {
    for (const vm::KernelFacts& kernel : vm::kernels(without)) {
        const auto plain = vm::source_of(without, kernel.name);
        const auto told = vm::source_of(with, kernel.name);
        if (!plain || !told)
            return kernel.name + " is not there";
        if (source_lines(*told->function).empty())
            return kernel.name + " has no lines";
        if (without_lines(*told->function) != without_lines(*plain->function))
            return kernel.name + " has other code";
        ++kernels;
    }
    return "";
}

int run(const std::string& repository, const std::string& wanted) {
    const std::vector<Job> jobs = jobs_of(repository, wanted);
    std::atomic<size_t> kernels = 0;
    std::atomic<size_t> differing = 0;
    std::atomic<size_t> not_compiled = 0; // double precision, where a device has none
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        const Loaded without = load(jobs[at], false);
        const Loaded with = load(jobs[at], true);
        size_t found = 0;
        std::string problem;
        if (without.program && with.program)
            problem = difference(*with.program, *without.program, found);
        else if (without.program || with.program)
            problem = "compiled only once";
        else
            ++not_compiled;
        kernels += found;
        if (problem.empty())
            return;
        ++differing;
        fmt::print("{}, {}: {}\n", jobs[at].path, jobs[at].device->name, problem);
    });
    fmt::print("{} sources and devices, {} of them not compiled; {} kernels are the same; {} differ\n",
               jobs.size(), not_compiled.load(), kernels.load(), differing.load());
    return differing == 0 && kernels != 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::span words(argv, static_cast<size_t>(argc));
    if (words.size() < 2 || words.size() > 3) {
        fmt::print(stderr, "usage: corpus_lines REPOSITORY [SOURCE]\n");
        return 2;
    }
    try {
        return run(std::filesystem::absolute(words[1]).string(), words.size() == 3 ? words[2] : "");
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_lines: {}\n", error.what());
        return 2;
    }
}
