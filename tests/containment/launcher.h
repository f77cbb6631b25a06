// Launches on blocks that end at pages which nobody may touch, with one buffer as output, counted; the
// engines are compared to the byte. What a kernel should do is its caller's to know.
#pragma once

#include "second.h"

#include "isa/device.h"
#include "launch/bind.h"
#include "machine/memory.h"
#include "machine/worker_arena.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace visor::containment {

struct Outcome {
    machine::Fault fault;
    std::vector<std::byte> memory; // the output buffer's

    // Of faults: what, which lane, where, by which instruction. Says how they differ; "" where they do not.
    [[nodiscard]] std::string difference(const Outcome& other) const;
};

class Launcher {
public:
    static constexpr uint32_t lanes = 16;
    static constexpr uint32_t group_width = lanes; // work-items along x; two hardware threads, one for each y
    static constexpr uint32_t out_bytes = 4096;

    // `device`: a name that isa::device_named knows.
    explicit Launcher(std::string_view device);
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;
    ~Launcher() = default;

    [[nodiscard]] const isa::Device& device() const { return device_; }
    [[nodiscard]] machine::Memory& memory() { return memory_; }
    [[nodiscard]] launch::Buffer out() const { return {out_, out_bytes}; }

    // The first kernel of the text with engines of its own; nullptr, and a failure, when it cannot be
    // prepared.
    std::shared_ptr<const Program> prepare(const std::string& text, const std::string& where);

    // Compares the launch on every engine with the reference interpreter, and gives the latter's.
    // `facts`: those that the kernel uses.
    Outcome compare(const machine::Launch& launch, const std::vector<std::string_view>& facts,
                    const std::string& where);

    // Prints the first ones.
    void fail(const std::string& what);

    [[nodiscard]] uint64_t launches() const { return launches_; }
    [[nodiscard]] uint64_t faults() const { return faults_; }
    [[nodiscard]] uint64_t failures() const { return failures_; }
    // Launches on compiled code for each fact.
    [[nodiscard]] const std::map<std::string, uint64_t, std::less<>>& tried() const { return tried_; }

private:
    Outcome run(const machine::Launch& launch, const machine::Engine& engine);

    const isa::Device& device_;
    machine::Memory memory_{uint64_t{1} << 24U};
    uint64_t out_ = 0;
    std::shared_ptr<const Program> program_;
    std::unique_ptr<interp::Interpreter> reference_;
    std::vector<CompiledEngine> engines_;
    std::unique_ptr<machine::WorkerArenas>
        arenas_; // kept between launches: taking memory anew is most of the time
    uint64_t launches_ = 0;
    uint64_t faults_ = 0;
    uint64_t failures_ = 0;
    std::map<std::string, uint64_t, std::less<>> tried_;
};

// Only devices with registers of 32 bytes have a surface of scratch memory.
[[nodiscard]] inline bool has_scratch_surface(const isa::Device& device) {
    return device.grf_bytes == 32;
}

// The geometry of all these kernels.
[[nodiscard]] launch::Geometry two_threads();

} // namespace visor::containment
