// visor-jit-opt: passes of the JIT on LLVM's text, or on a vISA function; for developers and tests of passes.
#include "jit/driver/compilation.h"
#include "jit/driver/program_text.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace {

using namespace visor;
using namespace visor::jit;

llvm::cl::OptionCategory category("visor-jit-opt");
llvm::cl::opt<std::string>
    input(llvm::cl::Positional,
          llvm::cl::desc("FILE (LLVM's text, or vISA text with --device; - is standard input)"),
          llvm::cl::init("-"), llvm::cl::cat(category));
llvm::cl::list<std::string>
    passes("passes", llvm::cl::CommaSeparated,
           llvm::cl::desc("These passes in this order, separated by commas; else all of the tier"),
           llvm::cl::value_desc("names"), llvm::cl::cat(category));
llvm::cl::opt<std::string> device("device", llvm::cl::desc("FILE is vISA text for this device"),
                                  llvm::cl::value_desc("name"), llvm::cl::cat(category));
llvm::cl::opt<std::string>
    cpu("cpu", llvm::cl::desc("avx512, avx2 or sse4.2, whether or not this CPU has it; else this CPU"),
        llvm::cl::value_desc("name"), llvm::cl::cat(category));
llvm::cl::opt<unsigned> tier("tier", llvm::cl::desc("1 or 2"), llvm::cl::init(2), llvm::cl::cat(category));
llvm::cl::opt<unsigned> simd("simd", llvm::cl::desc("Lanes of a hardware thread"), llvm::cl::init(16),
                             llvm::cl::cat(category));
llvm::cl::opt<unsigned> scratch("scratch", llvm::cl::desc("Bytes of scratch memory of a thread"),
                                llvm::cl::init(0), llvm::cl::cat(category));
llvm::cl::opt<unsigned> register_bytes("register-bytes",
                                       llvm::cl::desc("Bytes of the register file, for LLVM's text"),
                                       llvm::cl::init(0), llvm::cl::cat(category));
llvm::cl::opt<bool> reported("report-outside", llvm::cl::desc("Accesses outside of surfaces are reported"),
                             llvm::cl::cat(category));
llvm::cl::opt<bool> waits("waits", llvm::cl::desc("A launch waits for the code"), llvm::cl::cat(category));
llvm::cl::opt<bool> eager("eager", llvm::cl::desc("Ignores cost models"), llvm::cl::cat(category));
llvm::cl::list<std::string> disabled("disable", llvm::cl::CommaSeparated,
                                     llvm::cl::desc("Leaves these passes out"), llvm::cl::value_desc("names"),
                                     llvm::cl::cat(category));
llvm::cl::list<std::string> print_after("after", llvm::cl::CommaSeparated,
                                        llvm::cl::desc("Prints the module after these passes, or after all"),
                                        llvm::cl::value_desc("names"), llvm::cl::cat(category));
llvm::cl::opt<bool> times("times", llvm::cl::desc("Prints the time of each pass"), llvm::cl::cat(category));
llvm::cl::opt<bool> assembly("assembly", llvm::cl::desc("Prints assembly instead of LLVM's text"),
                             llvm::cl::cat(category));
enum class Listing : uint8_t { none, names, markdown };
llvm::cl::opt<Listing> list_passes("list-passes", llvm::cl::desc("Prints the pass list"),
                                   llvm::cl::init(Listing::none), llvm::cl::ValueOptional,
                                   llvm::cl::values(clEnumValN(Listing::names, "", ""),
                                                    clEnumValN(Listing::names, "names", "names, in order"),
                                                    clEnumValN(Listing::markdown, "markdown",
                                                               "the table of docs/dev/jit-passes.md")),
                                   llvm::cl::cat(category));

int fail(std::string_view message) {
    fmt::print(stderr, "visor-jit-opt: {}\n", message);
    return EXIT_FAILURE;
}

void list(Listing listing) {
    if (listing == Listing::markdown)
        fmt::print("| pass | tier | on which code | effect | source |\n|---|---|---|---|---|\n");
    for (const Pass& pass : pass_list()) {
        if (listing == Listing::names) {
            fmt::print("{}\n", pass.name);
            continue;
        }
        const std::string_view condition = name_of(pass.condition);
        fmt::print("| `{}`{} | {} | {}{} | {} | {} |\n", pass.name, pass.required ? " \\*" : "",
                   name_of(pass.tiers), pass.applies_to,
                   condition.empty() ? "" : fmt::format(" ({})", condition), pass.effect,
                   pass.source == "LLVM" ? "LLVM" : fmt::format("`{}`", pass.source));
    }
}

std::expected<std::vector<const Pass*>, std::string> chosen_passes() {
    std::vector<const Pass*> chosen;
    for (const std::string& name : passes) {
        const Pass* const pass = pass_named(name);
        if (pass == nullptr)
            return std::unexpected(fmt::format("there is no pass `{}`", name));
        chosen.push_back(pass);
    }
    return chosen;
}

std::expected<CompileOptions, std::string> options() {
    if (tier != 1 && tier != 2)
        return std::unexpected("--tier takes 1 or 2");
    CompileOptions options{.simd = simd,
                           .tier = tier == 1 ? Tier::quick : Tier::best,
                           .waits = waits,
                           .scratch_bytes = scratch,
                           .eager = eager};
    if (cpu == "avx512")
        options.level = Level::avx512;
    else if (cpu == "avx2")
        options.level = Level::avx2;
    else if (cpu == "sse4.2")
        options.level = Level::sse4;
    else if (!cpu.empty())
        return std::unexpected(fmt::format("--cpu takes avx512, avx2 or sse4.2, not `{}`", cpu.getValue()));
    options.reported.outside = reported;
    options.switches = {.disabled = disabled, .print_after = print_after, .time = times, .verify = true};
    return options;
}

std::expected<std::unique_ptr<Compilation>, std::string> compilation_of(const std::string& text,
                                                                        const CompileOptions& options) {
    if (device.empty())
        return Compilation::of_text(text, options, register_bytes);
    const isa::Device* const named = isa::device_named(device.getValue());
    if (named == nullptr)
        return std::unexpected(fmt::format("the device `{}` is unknown", device.getValue()));
    const auto program = program_of_text(text, *named);
    if (!program)
        return std::unexpected(program.error());
    return Compilation::of_program(*program, options);
}

} // namespace

int main(int count, char** words) {
    llvm::cl::HideUnrelatedOptions(category);
    llvm::cl::ParseCommandLineOptions(count, words, "Runs passes of Visor's JIT\n");
    if (list_passes != Listing::none) {
        list(list_passes);
        return EXIT_SUCCESS;
    }
    const auto wanted = options();
    if (!wanted)
        return fail(wanted.error());
    const auto chosen = chosen_passes();
    if (!chosen)
        return fail(chosen.error());
    const auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
    if (!file)
        return fail(fmt::format("{}: {}", input.getValue(), file.getError().message()));
    auto compilation = compilation_of((*file)->getBuffer().str(), *wanted);
    if (!compilation)
        return fail(fmt::format("{}: {}", input.getValue(), compilation.error()));
    auto error = chosen->empty() ? (*compilation)->optimize() : (*compilation)->run(*chosen);
    if (!error && assembly)
        error = (*compilation)->emit(llvm::CodeGenFileType::AssemblyFile);
    else if (!error)
        (*compilation)->module().print(llvm::outs(), nullptr);
    if (error)
        return fail(*error);
    const Object object = (*compilation)->take_object();
    fmt::print("{}", object.bytes);
    fmt::print(stderr, "{}", object.log);
    return EXIT_SUCCESS;
}
