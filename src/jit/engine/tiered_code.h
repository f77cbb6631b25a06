// The code of one variant of a function, by tiers: tier 1 at once, so that a launch can begin; tier 2 is
// compiled by another process meanwhile, once the function has run enough to pay for it.
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
    Object object; // its bytes as long as they may have to be kept
    size_t pinned_bytes = 0;
};

// Thread-safe.
class TieredCode {
public:
    // Both outlive it. `options.tier` quick: begin with that.
    TieredCode(const CodeProvider& maker, const Program& program, CompileOptions options);
    ~TieredCode();
    TieredCode(const TieredCode&) = delete;
    TieredCode& operator=(const TieredCode&) = delete;
    TieredCode(TieredCode&&) = delete;
    TieredCode& operator=(TieredCode&&) = delete;

    // The best code there is so far, which stays with the version. nullptr: there is none. Made,
    // and waited for, by the call that comes first, for this launch.
    [[nodiscard]] const Code* code(const machine::Launch& launch);
    // Likewise, but never makes any.
    [[nodiscard]] const Code* present() const { return best_.load(std::memory_order_acquire); }
    // So many instructions more have run; better code may come of it. Cheap enough for every `worth_telling`,
    // which is never more than `longest_unheard`.
    void ran(uint64_t instructions);
    // Has tier 1 code kept for the next time, once, unless better code has come.
    void launch_ended();
    [[nodiscard]] uint64_t worth_telling() const { return std::min(worth_, longest_unheard); }
    static constexpr uint64_t longest_unheard = 100'000;

    [[nodiscard]] const CompileOptions& options() const { return options_; }

    struct Story {
        double first_seconds = 0; // until there was code
        bool rose = false;        // to better code than the first
        std::string refused;      // why there is none, or none better
    };
    [[nodiscard]] Story story() const;

private:
    struct First {
        ProvidedObject object;
        bool settled = false; // no better one will come
        bool to_keep = false; // it is tier 1 code, and is not on disk
    };
    [[nodiscard]] First first_object(bool quick) const;
    [[nodiscard]] First quick_object(bool settled) const;
    void make_first(const machine::Launch& launch);
    [[nodiscard]] bool can_rise(const machine::Launch& launch) const;
    void look_for_better();
    void keep_first();
    [[nodiscard]] CompileOptions best_options() const;

    const CodeProvider& provider_;
    const Program& program_;
    bool long_; // too long for better code than tier 1 code
    CompileOptions options_;
    uint64_t worth_; // instructions that tier 2 code is worth
    std::atomic<bool> tried_ = false;
    std::atomic<bool> settled_ = false; // no better code will come
    std::atomic<bool> to_keep_ = false; // the first code, tier 1 code
    std::atomic<const Code*> best_ = nullptr;
    std::atomic<uint64_t> executed_ = 0;
    mutable std::mutex mutex_; // over what follows
    std::unique_ptr<Code> first_;
    std::unique_ptr<Code> better_;
    std::unique_ptr<Pending> pending_;
    Story story_;
};

} // namespace visor::jit
