// The code of one variant of a function, by tiers: tier 1 lets a launch begin at once; another process
// compiles tier 2 once the function has run enough to pay for it.
#pragma once

#include "jit/engine/code_provider.h"
#include "jit/engine/object_loader.h"
#include "jit/engine/runtime_abi.h"
#include "machine/launch.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace visor::jit {

struct Code {
    std::unique_ptr<LoadedObject> linked;
    Native native = nullptr;
    Object object; // its bytes only while they may still be cached
    size_t pinned_bytes = 0;
};

// Thread-safe.
class TieredCode {
public:
    // Both outlive it. `options.tier` quick: begin with tier 1.
    TieredCode(const CodeProvider& provider, const Program& program, CompileOptions options);
    ~TieredCode();
    TieredCode(const TieredCode&) = delete;
    TieredCode& operator=(const TieredCode&) = delete;
    TieredCode(TieredCode&&) = delete;
    TieredCode& operator=(TieredCode&&) = delete;

    // The best code so far, owned by this object; nullptr: compilation failed. The first call compiles, for
    // this launch, and blocks the others.
    [[nodiscard]] const Code* code(const machine::Launch& launch);
    // Likewise, but never compiles.
    [[nodiscard]] const Code* present() const { return best_.load(std::memory_order_acquire); }
    // Adds executed instructions, and may tier up. Cheap enough to be called every `report_interval()`
    // instructions, at most `longest_report_interval`.
    void ran(uint64_t instructions);
    // Caches tier 1 code, once, unless tier 2 code has replaced it.
    void launch_ended();
    [[nodiscard]] uint64_t report_interval() const {
        return std::min(tier_up_threshold_, longest_report_interval);
    }
    static constexpr uint64_t longest_report_interval = 100'000;

    [[nodiscard]] const CompileOptions& options() const { return options_; }

    struct Stats {
        double first_seconds = 0; // until the first code was ready
        bool tiered_up = false;   // to better code than the first
        std::string refused;      // why there is no code, or no tier 2 code
    };
    [[nodiscard]] Stats stats() const;

private:
    struct First {
        ProvidedObject object;
        bool settled = false;  // no tier-up will follow
        bool uncached = false; // tier 1 code that is not in the cache
        bool kept = false;     // tier 1 code that an earlier process cached
    };
    [[nodiscard]] First first_object(bool quick) const;
    [[nodiscard]] First tier1_object(bool settled) const;
    void make_first(const machine::Launch& launch);
    [[nodiscard]] bool can_tier_up(const machine::Launch& launch) const;
    void try_tier_up();
    void cache_first();
    void await_tier2();
    [[nodiscard]] CompileOptions tier2_options() const;

    const CodeProvider& provider_;
    const Program& program_;
    bool long_; // too long for tier 2 code
    CompileOptions options_;
    uint64_t tier_up_threshold_; // executed instructions
    std::atomic<bool> tried_ = false;
    std::atomic<bool> settled_ = false;       // no tier-up will follow
    std::atomic<bool> cache_pending_ = false; // of tier 1 code
    std::atomic<const Code*> best_ = nullptr;
    std::atomic<uint64_t> executed_ = 0;
    mutable std::mutex mutex_; // guards the members below
    std::unique_ptr<Code> first_;
    std::unique_ptr<Code> tier2_;
    std::unique_ptr<Pending> pending_;
    bool first_kept_ = false; // an earlier process cached it
    Stats stats_;
};

} // namespace visor::jit
