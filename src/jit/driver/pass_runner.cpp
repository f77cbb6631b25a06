#include "jit/driver/pass_runner.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace visor::jit {

namespace {

constexpr std::string_view all_passes = "all";

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::optional<std::string> invalid_switch(const PassSwitches& switches) {
    for (const std::string& name : switches.disabled) {
        const Pass* const pass = pass_named(name);
        if (pass == nullptr)
            return fmt::format("{}DISABLE: there is no pass `{}`", switch_error, name);
        if (pass->required)
            return fmt::format("{}DISABLE: there is no code without the pass `{}`", switch_error, name);
    }
    for (const std::string& name : switches.print_after)
        if (name != all_passes && pass_named(name) == nullptr)
            return fmt::format("{}PRINT_AFTER: there is no pass `{}`", switch_error, name);
    return std::nullopt;
}

std::optional<std::string> verification_error(const llvm::Module& module) {
    std::string error;
    llvm::raw_string_ostream errors(error);
    if (llvm::verifyModule(module, &errors))
        return error;
    return std::nullopt;
}

std::optional<std::string> PassRunner::run(std::span<const Pass> passes) {
    const Tiers other = context_.options().tier == Tier::quick ? Tiers::tier2 : Tiers::tier1;
    for (const Pass& pass : passes) {
        if (pass.tiers == other || contains(switches_.disabled, pass.name))
            continue;
        if (auto error = run(pass))
            return error;
    }
    return std::nullopt;
}

std::optional<std::string> PassRunner::run(const Pass& pass) {
    if (!applies(pass))
        return std::nullopt;
    const size_t before = fingerprint();
    const auto begin = std::chrono::steady_clock::now();
    if (auto error = pass.run(context_))
        return error;
    const auto time = std::chrono::steady_clock::now() - begin;
    const char unchanged = ' ';
    const char changed = pass.required ? '+' : '*';
    add_time(pass.name, time, fingerprint() == before ? unchanged : changed);
    if (contains(switches_.print_after, pass.name) || contains(switches_.print_after, all_passes)) {
        llvm::raw_string_ostream out(printed_);
        out << "; after " << pass.name << '\n';
        context_.module().print(out, nullptr);
    }
    if (!switches_.verify)
        return std::nullopt;
    if (const auto error = verification_error(context_.module()))
        return fmt::format("{}invalid code in pass {}: {}", internal_error, pass.name, *error);
    return std::nullopt;
}

void PassRunner::add_time(std::string_view name, std::chrono::steady_clock::duration time, char mark) {
    if (switches_.time)
        times_ += fmt::format("{} {:9.3f} ms  {:>7} instructions after  {}\n", mark,
                              std::chrono::duration<double, std::milli>(time).count(),
                              context_.module().getInstructionCount(), name);
}

size_t PassRunner::fingerprint() const {
    if (!switches_.time)
        return 0;
    std::string text;
    llvm::raw_string_ostream out(text);
    context_.module().print(out, nullptr);
    return std::hash<std::string>{}(text);
}

std::string PassRunner::take_log() {
    return std::exchange(printed_, {}) + std::exchange(times_, {});
}

bool PassRunner::applies(const Pass& pass) {
    switch (pass.condition) {
    case Condition::always:
        return true;
    case Condition::barriers:
        return context_.thread_entry() != nullptr;
    case Condition::no_barriers:
        return context_.thread_entry() == nullptr;
    case Condition::unreported_barriers:
        return !context_.options().reported.outside && context_.thread_entry() != nullptr;
    case Condition::avx512:
        return context_.cpu().avx512;
    }
    return false;
}

} // namespace visor::jit
