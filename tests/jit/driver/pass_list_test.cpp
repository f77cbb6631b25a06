// The pass list and its switches.
#include "jit/driver/pass_runner.h"
#include "jit/driver/pipeline.h"
#include "jit/driver/program_text.h"
#include "jit/driver/warmup_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace visor::jit {
namespace {

std::expected<Object, std::string> compile_with(Tier tier, const PassSwitches& switches) {
    const auto program = program_of_text(warmup_kernel, *isa::device_named("skl"));
    if (!program)
        return std::unexpected(program.error());
    return compile(*program, {.tier = tier, .switches = switches});
}

// The names of the passes that ran, in order; only those that changed the code.
std::vector<std::string> passes_of(Tier tier, PassSwitches switches, bool changed = false) {
    switches.time = true;
    const auto object = compile_with(tier, switches);
    EXPECT_TRUE(object) << object.error();
    std::vector<std::string> names;
    std::istringstream lines(object ? object->log : "");
    for (std::string line; std::getline(lines, line);)
        if (const size_t at = line.rfind("  "); at != std::string::npos &&
                                                line.find('(') == std::string::npos &&
                                                (!changed || !line.starts_with(' ')))
            names.push_back(line.substr(at + 2));
    return names;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

TEST(PassList, NamesAreUnique) {
    std::set<std::string_view> names;
    for (const Pass& pass : pass_list()) {
        EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
        EXPECT_EQ(pass_named(pass.name), &pass);
        EXPECT_NE(pass.run, nullptr) << pass.name;
        EXPECT_FALSE(pass.effect.empty()) << pass.name;
    }
    EXPECT_EQ(pass_named("all"), nullptr); // what `print_after` takes for all of them
}

TEST(PassList, EachTierHasItsOwn) {
    const std::vector<std::string> quick = passes_of(Tier::quick, {});
    EXPECT_TRUE(has(quick, "legalize-vectors"));
    EXPECT_FALSE(has(quick, "llvm-o1"));
    const std::vector<std::string> best = passes_of(Tier::best, {});
    EXPECT_FALSE(has(best, "legalize-vectors"));
    EXPECT_TRUE(has(best, "llvm-o1"));
    // The order of the list, and of what makes the code safe.
    const auto place = [&](std::string_view name) { return std::ranges::find(best, name) - best.begin(); };
    EXPECT_LT(place("buffer-rows"), place("lower-memory"));
    EXPECT_EQ(place("lower-memory") + 1, place("verify-accesses"));
}

TEST(PassList, ConditionsHold) {
    // The kernel has no barrier.
    EXPECT_FALSE(has(passes_of(Tier::best, {}), "unroll-and-jam-threads"));
    EXPECT_TRUE(has(passes_of(Tier::best, {}), "streaming-prefetch"));
}

TEST(PassSwitches, TheLogSaysWhichPassesChangeTheCode) {
    const std::vector<std::string> changed = passes_of(Tier::best, {}, true);
    EXPECT_TRUE(has(changed, "promote-registers"));
    EXPECT_TRUE(has(changed, "lower-memory"));
    EXPECT_FALSE(has(changed, "limit-size"));
    EXPECT_FALSE(has(changed, "eliminate-zero-init")); // the kernel has no scratch memory
}

TEST(PassSwitches, EachOptionalPassCanBeDisabled) {
    for (const Pass& pass : pass_list()) {
        const auto object = compile_with(Tier::best, {.disabled = {std::string(pass.name)}, .verify = true});
        ASSERT_EQ(object.has_value(), !pass.required) << pass.name;
        if (!pass.required)
            EXPECT_FALSE(has(passes_of(Tier::best, {.disabled = {std::string(pass.name)}}), pass.name));
        else
            EXPECT_EQ(object.error(), "VISOR_JIT_DISABLE: there is no code without the pass `" +
                                          std::string(pass.name) + "`");
    }
}

TEST(PassSwitches, NamesAreChecked) {
    EXPECT_EQ(compile_with(Tier::best, {.disabled = {"unroll"}}).error(),
              "VISOR_JIT_DISABLE: there is no pass `unroll`");
    EXPECT_EQ(compile_with(Tier::best, {.print_after = {"unroll"}}).error(),
              "VISOR_JIT_PRINT_AFTER: there is no pass `unroll`");
}

TEST(PassSwitches, NothingIsLoggedUnasked) {
    const auto object = compile_with(Tier::best, {});
    ASSERT_TRUE(object);
    EXPECT_EQ(object->log, "");
}

TEST(PassSwitches, TheModuleIsPrintedAfterAPass) {
    const auto object = compile_with(Tier::best, {.print_after = {"promote-registers"}});
    ASSERT_TRUE(object);
    EXPECT_TRUE(object->log.starts_with("; after promote-registers\n"));
    EXPECT_NE(object->log.find("@visor.load.surface"), std::string::npos);
    EXPECT_EQ(object->log.find("; after", 1), std::string::npos);
    const auto all = compile_with(Tier::quick, {.print_after = {"all"}});
    ASSERT_TRUE(all);
    EXPECT_NE(all->log.find("; after lower-memory\n"), std::string::npos);
    EXPECT_NE(all->log.find("; after prepare-fastisel\n"), std::string::npos);
}

// A pass that leaves a block without its end.
TEST(PassSwitches, InvalidCodeNamesThePass) {
    initialize_target();
    const TargetCpu cpu = target_cpu(Level::host);
    auto machine = create_target_machine(cpu, Tier::best);
    ASSERT_TRUE(machine);
    llvm::LLVMContext llvm;
    llvm::Module module("m", llvm);
    module.setDataLayout((*machine)->createDataLayout());
    llvm::Function& function =
        *llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(llvm), false),
                                llvm::Function::ExternalLinkage, "f", module);
    llvm::IRBuilder<>(llvm::BasicBlock::Create(llvm, "", &function)).CreateRetVoid();
    const CompileOptions options;
    PassContext context(function, **machine, cpu, options, 0);
    const PassSwitches verified{.verify = true};
    PassRunner runner(context, verified);
    EXPECT_FALSE(runner.run(*pass_named("sink-cold")));
    const Pass wrong{.name = "wrong", .run = [](PassContext& broken) -> std::optional<std::string> {
                         broken.function().front().getTerminator()->eraseFromParent();
                         return std::nullopt;
                     }};
    const auto error = runner.run(wrong);
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->starts_with("internal error: the code generator made invalid code in pass wrong: "))
        << *error;
}

} // namespace
} // namespace visor::jit
