// What an application pays until its first result: builds one program of the fifth set through the OpenCL
// API, launches one of its kernels and reads the first result, once, in a process of its own (first_result.py
// starts it). It measures CPU time of this process and of all processes that it and its libraries start. It
// refuses to choose among platforms: OCL_ICD_VENDORS names the only one.
#include "kernel_arguments.h"
#include "public_set.h"
#include "work.h"

#include "opencl/pocl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <dirent.h>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace {

using namespace visor::compare;
namespace opencl = visor::test::opencl;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double clock_seconds(clockid_t clock) {
    timespec now{};
    return clock_gettime(clock, &now) == 0
               ? static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec)
               : 0;
}

// CPU time of the children that a process has waited for, in /proc's ticks.
struct ProcessFacts {
    pid_t parent = 0;
    double reaped_children = 0;
};

std::optional<ProcessFacts> facts_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string line;
    std::getline(file, line);
    const size_t name_end = line.rfind(')'); // the name may hold blanks and brackets
    if (name_end == std::string::npos)
        return std::nullopt;
    std::istringstream rest(line.substr(name_end + 1));
    char state = 0;
    ProcessFacts facts;
    rest >> state >> facts.parent;
    constexpr int fields_to_skip = 11; // up to stime
    std::string skipped;
    for (int i = 0; i < fields_to_skip; ++i)
        rest >> skipped;
    double user = 0;
    double system = 0;
    rest >> user >> system;
    facts.reaped_children = (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return rest ? std::optional(facts) : std::nullopt;
}

std::map<pid_t, ProcessFacts> all_processes() {
    std::map<pid_t, ProcessFacts> all;
    DIR* const list = opendir("/proc");
    if (list == nullptr)
        return all;
    while (const dirent* const entry = readdir(list)) {
        const std::string_view name = entry->d_name;
        pid_t process = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), process).ptr != name.data() + name.size())
            continue;
        if (const auto facts = facts_of(process))
            all[process] = *facts;
    }
    closedir(list);
    return all;
}

// Of processes below this one that nobody has waited for, dead ones too. This process is their subreaper, so
// that a child that outlives its parent stays below it.
double unreaped_seconds() {
    const auto all = all_processes();
    const pid_t own = getpid();
    double seconds = 0;
    for (const auto& [process, facts] : all) {
        pid_t above = process == own ? 0 : facts.parent;
        while (above != 0 && above != own) {
            const auto found = all.find(above);
            above = found == all.end() ? 0 : found->second.parent;
        }
        clockid_t clock{};
        if (above == own && clock_getcpuclockid(process, &clock) == 0)
            seconds += clock_seconds(clock) + facts.reaped_children;
    }
    return seconds;
}

struct Moment {
    double own = 0;      // CPU seconds of this process
    double children = 0; // and of those below it
    double wall = 0;
};

Moment now() {
    Moment moment;
    moment.wall = clock_seconds(CLOCK_MONOTONIC);
    moment.own = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    rusage reaped{};
    getrusage(RUSAGE_CHILDREN, &reaped);
    moment.children = seconds_of(reaped.ru_utime) + seconds_of(reaped.ru_stime) + unreaped_seconds();
    return moment;
}

// The measurement itself takes CPU time: a phase begins after the moment was taken.
class Phases {
public:
    void begin() {
        last_ = now();
        own_after_ = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    void end(const char* name) {
        const Moment moment = now();
        text_ += fmt::format("{}\"{}\": {{\"own_ms\": {:.3f}, \"children_ms\": {:.3f}, \"wall_ms\": {:.3f}}}",
                             text_.empty() ? "" : ", ", name, 1e3 * (moment.own - own_after_),
                             1e3 * (moment.children - last_.children), 1e3 * (moment.wall - last_.wall));
        last_ = moment;
        own_after_ = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    Moment last_;
    double own_after_ = 0;
    std::string text_;
};

class FirstResult {
public:
    explicit FirstResult(const Work& work) : work_(work) {}

    [[nodiscard]] bool prepare() {
        std::array<cl_platform_id, 1> platform{};
        cl_uint platforms = 0;
        if (!fine(clGetPlatformIDs(1, platform.data(), &platforms), "clGetPlatformIDs") || platforms != 1) {
            std::cerr << "OCL_ICD_VENDORS has to name one platform\n";
            return false;
        }
        cl_int code = clGetDeviceIDs(platform[0], CL_DEVICE_TYPE_ALL, 1, &device_, nullptr);
        if (!fine(code, "clGetDeviceIDs"))
            return false;
        context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
        if (!fine(code, "clCreateContext"))
            return false;
        queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device_, nullptr, &code));
        if (!fine(code, "clCreateCommandQueueWithProperties"))
            return false;
        for (const Buffer& buffer : work_.buffers) {
            buffers_.emplace_back(
                clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, buffer.content.size(), nullptr, &code));
            if (!fine(code, "clCreateBuffer") ||
                !fine(clEnqueueWriteBuffer(queue_.get(), buffers_.back().get(), CL_TRUE, 0,
                                           buffer.content.size(), buffer.content.data(), 0, nullptr, nullptr),
                      "clEnqueueWriteBuffer"))
                return false;
        }
        source_ = source_of(work_);
        const char* text = source_.c_str();
        program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
        return fine(code, "clCreateProgramWithSource");
    }
    [[nodiscard]] bool build() {
        return fine(clBuildProgram(program_.get(), 1, &device_, work_.options.c_str(), nullptr, nullptr),
                    "clBuildProgram");
    }
    [[nodiscard]] bool launch() {
        cl_int code = CL_SUCCESS;
        kernel_.reset(clCreateKernel(program_.get(), work_.kernel.c_str(), &code));
        if (!fine(code, "clCreateKernel") ||
            !fine(set_arguments(kernel_.get(), work_, buffers_), "clSetKernelArg") ||
            !fine(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), work_.dimensions, nullptr,
                                         work_.global.data(), work_.local.data(), 0, nullptr, nullptr),
                  "clEnqueueNDRangeKernel"))
            return false;
        const size_t first = static_cast<size_t>(std::ranges::find(work_.buffers, true, &Buffer::is_result) -
                                                 work_.buffers.begin());
        result_.resize(work_.buffers[first].content.size());
        return fine(clEnqueueReadBuffer(queue_.get(), buffers_[first].get(), CL_TRUE, 0, result_.size(),
                                        result_.data(), 0, nullptr, nullptr),
                    "clEnqueueReadBuffer");
    }
    [[nodiscard]] const std::vector<std::byte>& result() const { return result_; }

private:
    [[nodiscard]] bool fine(cl_int code, const char* call) const {
        if (code != CL_SUCCESS)
            std::cerr << work_.name << ": " << call << " failed with code " << code << '\n';
        return code == CL_SUCCESS;
    }
    const Work& work_;
    std::string source_;
    std::vector<std::byte> result_;
    cl_device_id device_ = nullptr;
    opencl::Context context_;
    opencl::Queue queue_;
    opencl::Program program_;
    opencl::Kernel kernel_;
    std::vector<opencl::Memory> buffers_;
};

bool write(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return static_cast<bool>(file.flush());
}

int run(const Work& work, const std::string& result_file) {
    FirstResult first(work);
    if (!first.prepare())
        return 1;
    Phases phases;
    phases.begin();
    if (!first.build())
        return 1;
    phases.end("build");
    if (!first.launch())
        return 1;
    phases.end("launch");
    std::cout << "{" << phases.text() << "}" << std::endl;
    return result_file.empty() || write(result_file, first.result()) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    if (words.size() < 2 || words.size() > 4) {
        std::cerr
            << "usage: first_result NAME [CHECKOUTS [FILE]]\n"
               "Measures the first result of a kernel of fifth_set.json, and writes the result to FILE.\n";
        return 2;
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        std::cerr << "this process cannot adopt the children of its children\n";
        return 1;
    }
    const auto set = public_set(fifth_set_file, words[1], words.size() > 2 ? words[2] : "");
    if (!set)
        return 1;
    const auto found = std::ranges::find(*set, words[1], &Work::name);
    if (found == set->end()) {
        std::cerr << words[1] << ": there is no such kernel, or its source is not there\n";
        return 77;
    }
    return run(*found, words.size() > 3 ? words[3] : "");
}
