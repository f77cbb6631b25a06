// A loaded file, as the facade keeps it: the functions of each kernel, their signatures, and the
// program-scope data that lives in the context's memory.
#pragma once

#include "launch/bind.h"
#include "launch/zebin.h"
#include "machine/launch.h"
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

// Shared by all kernels and functions of a file: copies would take quadratic memory.
using SharedText = std::shared_ptr<const std::string>;

struct LoadedKernel {
    KernelFacts facts;
    std::shared_ptr<const Function> function;
    std::optional<launch::Signature> signature;              // absent: hand-written
    std::string text_name;                                   // the text's name in messages
    SharedText text = std::make_shared<const std::string>(); // for line numbers
    std::optional<Error> refusal;                            // why it is rejected; then there is no function
};

// A function that kernels or other functions of the file can call.
struct LoadedFunction {
    std::shared_ptr<const Function> function;
    std::string text_name;
    SharedText text;
};

// A kernel with the functions that it can reach, flat and linked.
struct Linked {
    std::vector<std::shared_ptr<const visor::Program>> programs; // the kernel first
    std::vector<const LoadedFunction*> loaded;                   // of each program; nullptr: the kernel
    std::vector<machine::LaunchFunction> functions;              // likewise
    std::vector<uint32_t> function_numbers;                      // by index in Program::functions
    std::vector<std::string> unresolved;                         // undefined names
    bool calls = false;
};

class Program {
public:
    const isa::Device* device = nullptr;
    std::string compiler; // as compiler_of() has it
    ProgramContent content;
    std::vector<LoadedKernel> kernels;
    std::vector<LoadedFunction> functions;
    launch::ProgramData data;                             // the sections of constants and of variables
    std::map<std::string, uint64_t, std::less<>> symbols; // name -> address of data or of a function
    std::vector<uint32_t> addressed; // functions whose address is in the program-scope data
    bool non_uniform_groups = false; // OpenCL C 2.0 or later
    // Goes with the program, for those that keep something for it.
    std::shared_ptr<const void> life = std::make_shared<char>();

    // Linked on first use. Error: what cannot be prepared. Thread-safe.
    [[nodiscard]] std::expected<std::shared_ptr<const Linked>, Error> linked(size_t kernel) const;

    // no_target: there is no such function.
    [[nodiscard]] uint32_t function_named(std::string_view name) const;
    // Replaces a function of the same name. Adds its address to the symbols.
    void add_function(LoadedFunction function);

private:
    mutable std::mutex mutex_;
    mutable std::map<size_t, std::shared_ptr<const Linked>> linked_;
    std::map<std::string, uint32_t, std::less<>> function_index_;
};

// The file as a program; device memory for its data comes from `memory`.
[[nodiscard]] std::expected<std::shared_ptr<const Program>, Error>
load_program(std::string_view name, std::string_view content, const LoadOptions& options,
             const isa::Device& device, machine::Memory& memory, std::string& warnings);

// The index of the kernel of this name; "" means the only one.
[[nodiscard]] std::expected<size_t, Error> find_kernel(const Program& program, std::string_view name);

} // namespace visor::vm
