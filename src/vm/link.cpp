// Links a kernel with the functions that it can call: resolves names to functions and addresses, and prepares
// each function once. Lists undefined names; the facade decides whether they are an error.
#include "isa/opcode.h"
#include "launch/overlap.h"
#include "vm/loaded.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::vm {

namespace {

bool is_indirect_call(const Instruction& instruction) {
    return instruction.row->opcode == isa::opcode::ifcall;
}

// Names that the function calls or takes the address of: ids in its strings, each once.
std::vector<uint32_t> names_in(const Function& function) {
    std::vector<uint32_t> names;
    for (const Instruction& instruction : function.code) {
        const uint8_t code = instruction.row->opcode;
        if (code != isa::opcode::faddr && code != isa::opcode::fcall)
            continue;
        for (const Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::string && operand.id < function.strings.size())
                names.push_back(operand.id);
    }
    std::ranges::sort(names);
    const auto [first, last] = std::ranges::unique(names);
    names.erase(first, last);
    return names;
}

// Adds the function's undefined names, each once.
void add_undefined(const Program& program, const Function& function, std::vector<std::string>& to) {
    for (const uint32_t id : names_in(function)) {
        const std::string& name = function.strings[id];
        if (!program.symbols.contains(name) && std::ranges::find(to, name) == to.end())
            to.push_back(name);
    }
}

class Linker {
public:
    Linker(const Program& program, const LoadedKernel& kernel) : program_(program), kernel_(kernel) {
        out_.function_numbers.assign(program.functions.size(), no_target);
    }

    std::expected<Linked, Error> link() {
        if (auto added = add(*kernel_.function, nullptr); !added)
            return std::unexpected(added.error());
        if (auto done = follow(true); !done)
            return std::unexpected(done.error());
        // An indirect call can reach any function. Unnamed ones may be invalid.
        if (indirect_) {
            for (uint32_t index = 0; index < program_.functions.size(); ++index)
                if (auto added = add_function(index); !added)
                    return std::unexpected(added.error());
            if (auto done = follow(false); !done)
                return std::unexpected(done.error());
        }
        for (machine::LaunchFunction& function : out_.functions)
            resolve(function);
        out_.calls = out_.programs.front()->calls;
        return std::move(out_);
    }

private:
    std::expected<void, Error> add(const Function& function, const LoadedFunction* from) {
        Diagnostics diagnostics;
        const auto& shared = from == nullptr ? kernel_.function : from->function;
        auto program = program::prepare(shared, *program_.device, diagnostics);
        if (!program) {
            const SourceView source{from == nullptr ? kernel_.text_name : from->text_name,
                                    *(from == nullptr ? kernel_.text : from->text), false};
            return std::unexpected(Error{ErrorKind::invalid, render(diagnostics, source, Color::off)});
        }
        out_.programs.push_back(std::make_shared<const visor::Program>(std::move(*program)));
        out_.loaded.push_back(from);
        out_.functions.push_back({.program = out_.programs.back().get(), .symbols = {}, .callees = {}});
        indirect_ = indirect_ || std::ranges::any_of(function.code, is_indirect_call);
        return {};
    }

    std::expected<void, Error> add_function(uint32_t index) {
        if (index == no_target || out_.function_numbers[index] != no_target)
            return {};
        out_.function_numbers[index] = static_cast<uint32_t>(out_.programs.size());
        const LoadedFunction& function = program_.functions[index];
        return add(*function.function, &function);
    }

    // The transitive closure of named functions; with an indirect call also those that the file's data names.
    std::expected<void, Error> follow(bool needed) {
        for (; next_ < out_.programs.size(); ++next_) {
            const Function& function = *out_.programs[next_]->function;
            if (needed)
                add_undefined(program_, function, out_.unresolved);
            for (const uint32_t id : names_in(function))
                if (auto added = add_function(program_.function_named(function.strings[id])); !added)
                    return added;
            if (!indirect_)
                continue;
            for (const uint32_t index : program_.addressed)
                if (auto added = add_function(index); !added)
                    return added;
        }
        return {};
    }

    void resolve(machine::LaunchFunction& function) const {
        for (const std::string& name : function.program->function->strings) {
            const auto found = program_.symbols.find(name);
            function.symbols.push_back(found == program_.symbols.end() ? 0 : found->second);
            const uint32_t index = program_.function_named(name);
            function.callees.push_back(index == no_target ? no_target : out_.function_numbers[index]);
        }
    }

    const Program& program_;
    const LoadedKernel& kernel_;
    Linked out_;
    size_t next_ = 0; // the first program of the worklist
    bool indirect_ = false;
};

// The readers have checked text and metadata and reported errors with their locations. This repeats the
// checks that engines rely on, for every kernel.
std::optional<std::string> shared_bytes(const LoadedKernel& kernel, const visor::Program& program) {
    if (kernel.signature)
        if (auto found = launch::payload_overlap(*kernel.signature); found)
            return found;
    return launch::input_overlap(program);
}

} // namespace

std::vector<std::string> undefined_names(const Program& program) {
    std::vector<std::string> undefined;
    for (const LoadedKernel& kernel : program.kernels)
        if (kernel.function != nullptr) // rejected ones have none
            add_undefined(program, *kernel.function, undefined);
    for (const LoadedFunction& function : program.functions)
        add_undefined(program, *function.function, undefined);
    return undefined;
}

uint32_t Program::function_named(std::string_view name) const {
    const auto found = function_index_.find(name);
    return found == function_index_.end() ? no_target : found->second;
}

void Program::add_function(LoadedFunction function) {
    const std::string name = function.function->name;
    const auto [place, is_new] = function_index_.emplace(name, static_cast<uint32_t>(functions.size()));
    if (is_new)
        functions.push_back(std::move(function));
    else
        functions[place->second] = std::move(function);
    symbols[name] = machine::function_address(place->second);
}

std::expected<std::shared_ptr<const Linked>, Error> Program::linked(size_t kernel) const {
    const std::lock_guard lock(mutex_);
    if (const auto found = linked_.find(kernel); found != linked_.end())
        return found->second;
    auto made = Linker(*this, kernels[kernel]).link();
    if (!made)
        return std::unexpected(made.error());
    if (auto overlap = shared_bytes(kernels[kernel], *made->programs.front()); overlap)
        return std::unexpected(Error{ErrorKind::invalid, "error: " + *overlap});
    auto shared = std::make_shared<const Linked>(std::move(*made));
    linked_.emplace(kernel, shared);
    return shared;
}

} // namespace visor::vm
