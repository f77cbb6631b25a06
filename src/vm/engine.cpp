#include "vm/engine.h"

#include "interp/interp.h"

#if VISOR_HAS_JIT
#include "compile/parts.h"
#include "jit/engine/object.h"
#include "jit/engine/plugin.h"
#include "vm/jit_options.h"
#include "vm/native.h"

#include <dlfcn.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <vector>

namespace visor::vm {

namespace {

#if VISOR_HAS_JIT

// After so many interpreted instructions a kernel is compiled, or if a launch is expected to execute as many:
// interpretation takes as long as compilation.
constexpr uint64_t executed_worth_compiling = 500'000;
// The same for each instruction of a long kernel, which takes 20 microseconds or more to compile.
constexpr uint64_t executed_for_each = 400;

// What a loop is taken to iterate: a launch of few threads may stay in its loops for long, and changes to
// compiled code only when it has ended.
constexpr uint64_t iterations_expected = 64;
constexpr uint64_t deepest_loop = 4; // more would say nothing

// Instructions that a thread is expected to execute. A loop is what lies between a label and the last branch
// back to it.
uint64_t expected_instructions(const visor::Program& program) {
    std::map<size_t, size_t> loops; // from, to
    for (size_t i = 0; i < program.code.size(); ++i)
        if (const size_t target = program.code[i].target; target <= i)
            loops[target] = i;
    std::vector<int64_t> change(program.code.size() + 1);
    for (const auto& [from, to] : loops) {
        ++change[from];
        --change[to + 1];
    }
    uint64_t expected = 0;
    int64_t depth = 0;
    for (size_t i = 0; i < program.code.size(); ++i) {
        depth += change[i];
        uint64_t times = 1;
        for (uint64_t level = 0; level < std::min<uint64_t>(static_cast<uint64_t>(depth), deepest_loop);
             ++level)
            times *= iterations_expected;
        expected += times;
    }
    return std::max<uint64_t>(expected, 1);
}

std::expected<jit::MakeEngine, std::string> open_module() {
    static std::mutex mutex;
    static std::expected<jit::MakeEngine, std::string> found = nullptr;
    const std::lock_guard lock(mutex);
    if (!found || *found != nullptr)
        return found;
    const auto path = compile::find_part(jit::module_file);
    if (!path)
        return found = std::unexpected(path.error());
    void* const module = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const entry = module == nullptr ? nullptr : dlsym(module, jit::module_entry);
    if (entry == nullptr) {
        const char* const why = dlerror();
        return found = std::unexpected(why == nullptr ? "no entry" : why);
    }
    return found = reinterpret_cast<jit::MakeEngine>(entry);
}

#endif

class KernelEngines final : public Engines {
public:
    explicit KernelEngines(std::shared_ptr<const Linked> code)
        : code_(std::move(code)), reference_(code_->programs) {
#if VISOR_HAS_JIT
        expected_ = expected_instructions(*code_->programs.front());
#endif
    }

    std::expected<Choice, Error> choose(const EngineRequest& request) override {
        Choice reference{.engine = &reference_, .native = false, .why = reason(request)};
        if (request.kind == EngineKind::interpreter || !reference.why.empty())
            return reference;
        const std::lock_guard lock(mutex_);
        auto made = native(request);
        if (made)
            return Choice{.engine = *made, .native = true, .why = {}};
        if (made.error().invalid)
            return std::unexpected(Error{ErrorKind::invalid, "error: " + made.error().why});
        if (request.kind == EngineKind::jit && !has_jit())
            return std::unexpected(
                Error{ErrorKind::unsupported, "error: this build has no JIT: use --engine interp"});
        return Choice{.engine = &reference_, .native = false, .why = made.error().why, .refused = has_jit()};
    }

    void interpreted(uint64_t instructions) override {
        interpreted_.fetch_add(instructions, std::memory_order_relaxed);
    }

    [[nodiscard]] Story story() const override {
#if VISOR_HAS_JIT
        const std::lock_guard lock(mutex_);
        const auto& engine = made_.at(chosen_).engine;
        if (engine == nullptr)
            return {};
        const jit::EngineFacts facts = engine->facts();
        Story story{.has_code = facts.functions > 0,
                    .code_seconds = facts.compile_seconds,
                    .text = fmt::format("code in {:.1f} ms{}", facts.compile_seconds * 1e3,
                                        facts.tiered_up ? ", faster code since" : "")};
        for (const auto& [mnemonic, times] : facts.called_out)
            story.text += fmt::format("; `{}` left to the interpreter {} times", mnemonic, times);
        for (const std::string& refused : facts.refused) {
            story.text += "; no code for " + refused;
            story.refused += (story.refused.empty() ? "" : "; ") + refused;
            story.failed =
                story.failed || refused.contains(jit::internal_error) || refused.contains(jit::switch_error);
        }
        return story;
#else
        return {};
#endif
    }

private:
    // Why the launch needs the interpreter in any case.
    [[nodiscard]] std::string reason(const EngineRequest& request) const {
        if (request.watched && !request.watch_filter)
            return "more than the checkers memory, conflict and align watch the run";
        if (request.seeded)
            return "the run has a seed";
#if VISOR_HAS_JIT
        const uint64_t length = code_->programs.front()->code.size();
        const uint64_t worth_compiling = std::max(executed_worth_compiling, length * executed_for_each);
        if (request.kind == EngineKind::automatic && !has_made_.load(std::memory_order_relaxed) &&
            interpreted_.load(std::memory_order_relaxed) < worth_compiling &&
            request.threads <= (worth_compiling - 1) / expected_)
            return "the launch is small";
#endif
        return "";
    }

    struct Refusal {
        std::string why;
        bool invalid = false; // the environment's options: an error, not a reason for the interpreter
    };

    std::expected<const machine::Engine*, Refusal> native(const EngineRequest& request) {
#if VISOR_HAS_JIT
        const machine::WatchFilter watch_filter = request.watch_filter.value_or(machine::WatchFilter{});
        chosen_ = watch_filter.events.bits();
        Made& made = made_.at(chosen_);
        if (made.engine != nullptr && made.simd != request.simd)
            return std::unexpected(Refusal{"it was compiled for another width"});
        if (made.engine == nullptr) {
            if (made.refused.why.empty())
                make(made, request.simd, watch_filter.events);
            if (made.engine == nullptr)
                return std::unexpected(made.refused);
        }
        made.engine->set_flat_filter(watch_filter.flat);
        return made.engine.get();
#else
        (void)request;
        return std::unexpected(Refusal{"this build has no JIT"});
#endif
    }

#if VISOR_HAS_JIT
    // The engine for one set of reported events, or why there is none.
    struct Made {
        std::unique_ptr<jit::Engine> engine;
        uint32_t simd = 0;
        Refusal refused;
    };

    void make(Made& made, uint32_t simd, machine::EventKinds reported) {
        const auto make_engine = open_module();
        if (!make_engine) {
            made.refused.why = make_engine.error();
            return;
        }
        jit::Reference reference{.engine = &reference_, .steps = {}};
        for (size_t f = 0; f < code_->programs.size(); ++f)
            reference.steps.push_back(reference_.handlers(f));
        auto options = jit_options_of_environment();
        if (!options) {
            made.refused = {.why = options.error(), .invalid = true};
            return;
        }
        options->simd = simd;
        options->reported = reported;
        made.simd = simd;
        made.engine.reset(
            (*make_engine)(code_->programs, reference, *options, worker_code_provider(), made.refused.why));
        has_made_.store(made.engine != nullptr || has_made_.load());
    }
#endif

    std::shared_ptr<const Linked> code_;
    interp::Interpreter reference_;
    mutable std::mutex mutex_;
    std::atomic<uint64_t> interpreted_{0}; // instructions so far
#if VISOR_HAS_JIT
    std::array<Made, machine::EventKinds::count> made_; // by EventKinds::bits()
    uint32_t chosen_ = 0;
    uint64_t expected_ = 1;                      // instructions that a thread executes
    mutable std::atomic<bool> has_made_ = false; // one of them has an engine
#endif
};

} // namespace

std::unique_ptr<Engines> make_engines(std::shared_ptr<const Linked> code) {
    return std::make_unique<KernelEngines>(std::move(code));
}

void expect_native() {
#if VISOR_HAS_JIT
    prepare_worker();
#endif
}

void make_lasting() {
#if VISOR_HAS_JIT
    static_cast<void>(worker_code_provider());
#endif
}

bool has_jit() {
#if VISOR_HAS_JIT
    return true;
#else
    return false;
#endif
}

} // namespace visor::vm
