#include "jit/engine/tiered_code.h"

#include "jit/program/function_info.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace visor::jit {

namespace {

// As if every thread executed each instruction once.
uint64_t instructions_of(const machine::Launch& launch) {
    const uint64_t threads = std::min<uint64_t>(machine::group_count(launch) * launch.threads, UINT32_MAX);
    return threads * launch.program->code.size();
}

bool goes_back(const Program& program) {
    for (size_t i = 0; i < program.code.size(); ++i)
        if (program.code[i].target <= i)
            return true;
    return false;
}

std::expected<std::unique_ptr<Code>, std::string> load(Object object) {
    auto linked = link(object.bytes, function_name);
    if (!linked)
        return std::unexpected(linked.error());
    auto code = std::make_unique<Code>();
    code->linked = std::move(*linked);
    code->native = reinterpret_cast<Native>(code->linked->address());
    code->object = std::move(object);
    for (size_t k = 0; k < code->object.pinned.size(); k += 2)
        code->pinned_bytes += code->object.pinned[k + 1];
    return code;
}

} // namespace

TieredCode::TieredCode(const CodeProvider& provider, const Program& program, CompileOptions options)
    : provider_(provider), program_(program), long_(is_tier1_only(program)), options_(std::move(options)),
      tier_up_threshold_(provider.tier_up().instructions +
                         provider.tier_up().per_instruction * program.code.size()) {
    if (long_)
        options_.tier = Tier::quick;
}

TieredCode::~TieredCode() {
    if (cache_pending_.load(std::memory_order_relaxed))
        cache_first();
    await_tier2();
}

CompileOptions TieredCode::tier2_options() const {
    CompileOptions options = options_;
    options.tier = Tier::best;
    return options;
}

bool TieredCode::can_tier_up(const machine::Launch& launch) const {
    return machine::group_count(launch) >= provider_.tier_up().groups || !goes_back(program_);
}

const Code* TieredCode::code(const machine::Launch& launch) {
    if (!tried_.load(std::memory_order_acquire))
        make_first(launch);
    return present();
}

// From the cache, else compiled.
TieredCode::First TieredCode::tier1_object(bool settled) const {
    if (auto found = provider_.kept(program_, options_))
        return {.object = std::move(*found), .settled = settled, .kept = true};
    First made{.object = provider_.make(program_, options_), .settled = settled};
    made.uncached = made.object.has_value();
    return made;
}

// Likewise, of either tier. Where one tier fails the other may compile, since it takes other passes.
TieredCode::First TieredCode::first_object(bool quick) const {
    if (long_)
        return tier1_object(true);
    if (quick) {
        if (auto best = provider_.kept(program_, tier2_options()))
            return {.object = std::move(*best), .settled = true};
        First first = tier1_object(false);
        if (first.object)
            return first;
    }
    CompileOptions options = tier2_options();
    options.waits = options_.tier == Tier::quick;
    First best{.object = provider_.make(program_, options), .settled = true};
    if (best.object || quick || options_.tier == Tier::best)
        return best;
    First other = tier1_object(false); // tier 2 may take its time in the background
    return other.object ? std::move(other) : std::move(best);
}

void TieredCode::make_first(const machine::Launch& launch) {
    const std::lock_guard lock(mutex_);
    if (tried_.load(std::memory_order_relaxed))
        return;
    const auto start = std::chrono::steady_clock::now();
    First first = first_object(options_.tier == Tier::quick && can_tier_up(launch));
    settled_.store(first.settled, std::memory_order_relaxed);
    first_kept_ = first.kept;
    // After tier 1, not in parallel: that would delay tier 1.
    if (!first.settled && instructions_of(launch) >= tier_up_threshold_)
        pending_ = provider_.start(program_, tier2_options());
    auto code = first.object ? load(std::move(*first.object)) : std::unexpected(first.object.error());
    stats_.first_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (code) {
        first_ = std::move(*code);
        if (first.uncached)
            cache_pending_.store(true, std::memory_order_relaxed);
        else
            first_->object.bytes.clear();
        best_.store(first_.get(), std::memory_order_release);
    } else {
        stats_.refused = code.error();
    }
    tried_.store(true, std::memory_order_release);
}

void TieredCode::ran(uint64_t instructions) {
    if (settled_.load(std::memory_order_relaxed))
        return;
    const uint64_t all = executed_.fetch_add(instructions, std::memory_order_relaxed) + instructions;
    if (all >= tier_up_threshold_)
        try_tier_up();
}

void TieredCode::try_tier_up() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || first_ == nullptr || settled_.load(std::memory_order_relaxed))
        return;
    if (pending_ == nullptr)
        pending_ = provider_.start(program_, tier2_options());
    std::optional<ProvidedObject> object;
    if (pending_ != nullptr)
        object = pending_->take();
    if (pending_ != nullptr && !object)
        return;
    pending_.reset();
    settled_.store(true, std::memory_order_relaxed);
    if (!object)
        return;
    auto code = *object ? load(std::move(**object)) : std::unexpected(object->error());
    if (code) {
        tier2_ = std::move(*code);
        tier2_->object.bytes.clear();
        cache_pending_.store(false, std::memory_order_relaxed);
        stats_.tiered_up = true;
        best_.store(tier2_.get(), std::memory_order_release);
    } else {
        stats_.refused = code.error();
    }
}

void TieredCode::launch_ended() {
    if (!cache_pending_.load(std::memory_order_relaxed))
        return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && cache_pending_.load(std::memory_order_relaxed))
        cache_first();
}

// Short processes that run one after the other would each start to compile tier 2 code and end before it is
// there. The one that finds tier 1 code of an earlier process therefore waits, so that the code is cached for
// those that follow. Not for long functions: an application would end late each time, and might still be in
// vain.
void TieredCode::await_tier2() {
    constexpr size_t most_instructions = 1000; // of them there is code within the patience
    constexpr std::chrono::milliseconds patience{1000};
    if (pending_ != nullptr && first_kept_ && program_.code.size() <= most_instructions)
        static_cast<void>(pending_->take_within(patience));
}

void TieredCode::cache_first() {
    provider_.keep(program_, options_, first_->object);
    first_->object.bytes.clear();
    cache_pending_.store(false, std::memory_order_relaxed);
}

TieredCode::Stats TieredCode::stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
}

} // namespace visor::jit
