#include "jit/engine/tiered_code.h"

#include "jit/program/function_info.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace visor::jit {

namespace {

// Each of each thread counted once.
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

TieredCode::TieredCode(const CodeProvider& maker, const Program& program, CompileOptions options)
    : provider_(maker), program_(program), long_(only_quickly(program)), options_(std::move(options)),
      worth_(maker.tier_up().instructions + maker.tier_up().for_each * program.code.size()) {
    if (long_)
        options_.tier = Tier::quick;
}

TieredCode::~TieredCode() {
    if (to_keep_.load(std::memory_order_relaxed))
        keep_first();
}

CompileOptions TieredCode::best_options() const {
    CompileOptions options = options_;
    options.tier = Tier::best;
    return options;
}

bool TieredCode::can_rise(const machine::Launch& launch) const {
    return machine::group_count(launch) >= provider_.tier_up().groups || !goes_back(program_);
}

const Code* TieredCode::code(const machine::Launch& launch) {
    if (!tried_.load(std::memory_order_acquire))
        make_first(launch);
    return present();
}

// What is kept comes first.
TieredCode::First TieredCode::quick_object(bool settled) const {
    if (auto found = provider_.kept(program_, options_))
        return {.object = std::move(*found), .settled = settled};
    First made{.object = provider_.make(program_, options_), .settled = settled};
    made.to_keep = made.object.has_value();
    return made;
}

// Likewise. Where code of one kind cannot be had the other may: it comes another way. What is too long has
// but one.
TieredCode::First TieredCode::first_object(bool quick) const {
    if (long_)
        return quick_object(true);
    if (quick) {
        if (auto best = provider_.kept(program_, best_options()))
            return {.object = std::move(*best), .settled = true};
        First first = quick_object(false);
        if (first.object)
            return first;
    }
    First best{.object = provider_.make(program_, best_options()), .settled = true};
    if (best.object || quick || options_.tier == Tier::best)
        return best;
    First other = quick_object(true);
    return other.object ? std::move(other) : std::move(best);
}

void TieredCode::make_first(const machine::Launch& launch) {
    const std::lock_guard lock(mutex_);
    if (tried_.load(std::memory_order_relaxed))
        return;
    const auto start = std::chrono::steady_clock::now();
    First first = first_object(options_.tier == Tier::quick && can_rise(launch));
    settled_.store(first.settled, std::memory_order_relaxed);
    // Not side by side: the first would take longer.
    if (!first.settled && instructions_of(launch) >= worth_)
        pending_ = provider_.start(program_, best_options());
    auto code = first.object ? load(std::move(*first.object)) : std::unexpected(first.object.error());
    story_.first_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (code) {
        first_ = std::move(*code);
        if (first.to_keep)
            to_keep_.store(true, std::memory_order_relaxed);
        else
            first_->object.bytes.clear();
        best_.store(first_.get(), std::memory_order_release);
    } else {
        story_.refused = code.error();
    }
    tried_.store(true, std::memory_order_release);
}

void TieredCode::ran(uint64_t instructions) {
    if (settled_.load(std::memory_order_relaxed))
        return;
    const uint64_t all = executed_.fetch_add(instructions, std::memory_order_relaxed) + instructions;
    if (all >= worth_)
        look_for_better();
}

void TieredCode::look_for_better() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || first_ == nullptr || settled_.load(std::memory_order_relaxed))
        return;
    if (pending_ == nullptr)
        pending_ = provider_.start(program_, best_options());
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
        better_ = std::move(*code);
        better_->object.bytes.clear();
        to_keep_.store(false, std::memory_order_relaxed);
        story_.rose = true;
        best_.store(better_.get(), std::memory_order_release);
    } else {
        story_.refused = code.error();
    }
}

void TieredCode::launch_ended() {
    if (!to_keep_.load(std::memory_order_relaxed))
        return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && to_keep_.load(std::memory_order_relaxed))
        keep_first();
}

void TieredCode::keep_first() {
    provider_.keep(program_, options_, first_->object);
    first_->object.bytes.clear();
    to_keep_.store(false, std::memory_order_relaxed);
}

TieredCode::Story TieredCode::story() const {
    const std::lock_guard lock(mutex_);
    return story_;
}

} // namespace visor::jit
