// The pieces of work that are compared, as plain data, and what can do them.
#pragma once

#include "results.h"

#include <CL/cl.h>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::compare {

// What a buffer's elements are compared as.
enum class Compared : uint8_t { as_work, bits, single_floats, double_floats, bytes_by_one };

// Texels without gaps between rows.
struct ImageLayout {
    cl_channel_order order = CL_RGBA;
    cl_channel_type type = CL_UNORM_INT8;
    std::array<size_t, 3> size{1, 1, 1}; // texels
    unsigned dimensions = 2;             // or 3
};

struct Buffer {
    std::vector<std::byte> content;     // before the work
    std::optional<ImageLayout> image{}; // none: it is no image
    bool is_result = false;
    Compared compared = Compared::as_work; // as the work's tolerance and `doubles` say
};
struct Argument {
    enum class Kind : uint8_t { buffer, value, local } kind = Kind::buffer;
    size_t buffer = 0;
    std::vector<std::byte> value;
    size_t local_bytes = 0;
};
using Sizes = std::array<size_t, 3>;
using Arrays = std::span<const std::span<std::byte>>; // of the buffers, in order

struct Work {
    std::string name;   // of the row
    std::string source; // in kernels/, without the ending
    // Of a kernel that is not in kernels/: its files, one after the other, which are read instead.
    std::vector<std::string> files{};
    std::string kernel{};  // "": the only one
    std::string options{}; // of the OpenCL compiler
    unsigned dimensions = 1;
    Sizes global{1, 1, 1};
    Sizes local{1, 1, 1};
    std::vector<Buffer> buffers;
    std::vector<Argument> arguments;
    double tolerance = 0;     // largest difference of floats, relative to the larger of them and 1; 0: bits
    bool doubles = false;     // floats of results have 64 bits
    bool from_memory = false; // no cache has the buffers when a run begins
    double wanted_ratio = 0;  // native's in the study that the sizes come from; 0: none
    std::string pocl_is_wrong{}; // why PoCL's result is not what others are compared with; "": it is
    // Plain C++; nullptr: there is none.
    void (*native)(Arrays arrays) = nullptr;
};

[[nodiscard]] std::vector<Work> first_set();
[[nodiscard]] std::vector<Work> second_set();
[[nodiscard]] std::vector<Work> third_set();  // nobody wrote it in plain C++
[[nodiscard]] std::vector<Work> fourth_set(); // the first one's, from other sources
// The fifth set is described by data: public_set.h.
[[nodiscard]] std::vector<Work> image_set(); // for devices that have images

// Of one run, or of several.
struct Seconds {
    double cpu = 0; // of all threads of its process
    double wall = 0;
    [[nodiscard]] bool failed() const { return std::isnan(cpu); }
};
inline constexpr Seconds failed_seconds{.cpu = std::numeric_limits<double>::quiet_NaN(),
                                        .wall = std::numeric_limits<double>::quiet_NaN()};

struct FirstCode {
    uint32_t instructions = 0; // of the kernel
    double seconds = 0;        // that its first launch waited
};

// Something that carries out one piece of work again and again.
class Runner {
public:
    Runner() = default;
    virtual ~Runner() = default;
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    Runner(Runner&&) = delete;
    Runner& operator=(Runner&&) = delete;

    // Once, to the end. False: it failed, and has said why on standard error.
    [[nodiscard]] virtual bool run() = 0;
    // So many runs, if it measures them itself: it is another process. Else they are measured from outside.
    [[nodiscard]] virtual std::optional<Seconds> timed(unsigned /*runs*/) { return std::nullopt; }
    // Puts back what the buffers held before.
    virtual void reset() = 0;
    [[nodiscard]] virtual std::vector<std::byte> content(size_t buffer) = 0;
    // What there is to tell: call-outs, compile time. "" = nothing.
    [[nodiscard]] virtual std::string story() { return {}; }
    // After a run.
    [[nodiscard]] virtual FirstCode first_code() const { return {}; }
};

// Prints a table, and adds to `measured`; an exit code.
[[nodiscard]] int tell_latency(const std::vector<Work>& all, const std::vector<std::string>& devices,
                               unsigned rounds, std::vector<Series>& measured);

// Likewise: what one CPU thread takes and what so many take, in turn.
[[nodiscard]] int tell_scaling(const std::vector<Work>& all, const std::vector<std::string>& devices,
                               unsigned threads, unsigned rounds, std::vector<Series>& measured);

// nullptr: there is no plain C++.
[[nodiscard]] std::unique_ptr<Runner> native_runner(const Work& work);
// nullptr: it cannot, and has said why on standard error. `threads`: CPU threads.
[[nodiscard]] std::unique_ptr<Runner> visor_runner(const Work& work, const std::string& device,
                                                   unsigned threads);
// PoCL takes its number of threads from POCL_MAX_PTHREAD_COUNT.
[[nodiscard]] std::unique_ptr<Runner> pocl_runner(const Work& work);
// Visor as an application has it, through the loader; its device and threads are those of VISOR_DEVICE and
// VISOR_THREADS.
[[nodiscard]] std::unique_ptr<Runner> visor_api_runner(const Work& work);

// The OpenCL C of a piece of work; "" with a word on standard error when it cannot be read.
[[nodiscard]] std::string source_of(const Work& work);

} // namespace visor::compare
