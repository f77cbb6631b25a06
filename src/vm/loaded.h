// A loaded file, as the facade keeps it: the functions of each kernel, their signatures, and the
// program-scope data that lives in the context's memory.
#pragma once

#include "launch/zebin.h"
#include "module/module.h"
#include "program/program.h"
#include "vm/vm.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace visor::vm {

struct LoadedKernel {
    KernelFacts facts;
    std::shared_ptr<const Function> function;
    std::optional<launch::Signature> signature; // absent: hand-written
    std::string text_name;                      // what messages call the text
    std::string text;                           // for line numbers
    std::vector<std::string> unresolved;        // names that nothing defines
};

class Program {
public:
    const isa::Device* device = nullptr;
    std::vector<LoadedKernel> kernels;
    std::map<std::string, uint64_t, std::less<>> symbols; // name -> address of program-scope data
    bool non_uniform_groups = false;                      // OpenCL C 2.0 or later

    // The flat program of a kernel, made on first use. Error: what cannot be prepared. Thread-safe.
    [[nodiscard]] std::expected<std::shared_ptr<const visor::Program>, Error> prepared(size_t kernel) const;

    // Of each name in the function's strings; 0 for what is no program-scope data.
    [[nodiscard]] std::vector<uint64_t> symbol_addresses(const Function& function) const;

private:
    mutable std::mutex mutex_;
    mutable std::map<size_t, std::shared_ptr<const visor::Program>> prepared_;
};

// The file as a program; device memory for its data comes from `memory`.
[[nodiscard]] std::expected<std::shared_ptr<const Program>, Error>
load_program(std::string_view name, std::string_view content, const LoadOptions& options,
             const isa::Device& device, machine::Memory& memory, std::string& warnings);

// The index of the kernel of this name; "" means the only one.
[[nodiscard]] std::expected<size_t, Error> find_kernel(const Program& program, std::string_view name);

} // namespace visor::vm
