#include "jit/engine/variants.h"

#include "jit/program/function_info.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::jit {

namespace {

constexpr size_t most_specialized = 8;

CompileOptions with_partial_mask(CompileOptions options) {
    options.full = false;
    return options;
}

// Listeners want to hear of each access: the interpreter tells them.
ImageMessages messages_of(const Program& program, const CompileOptions& options) {
    const auto is_image = [&](const PreparedInstruction& instruction) {
        return image_operands(program, instruction).has_value();
    };
    if (!options.lowered || options.reported.any() || std::ranges::none_of(program.code, is_image) ||
        *refusal(program) != '\0')
        return {};
    return image_messages(program, analyze_function(program, options.simd, true));
}

} // namespace

Variants::Variants(const CodeProvider& provider, const Program& program, const CompileOptions& options)
    : provider_(provider), program_(program), options_(options),
      image_messages_(messages_of(program, options)), generic_(provider, program, options),
      partial_mask_(provider, program, with_partial_mask(options)) {}

TieredCode* Variants::of_thread(const machine::Thread& thread, TieredCode& of_full) {
    if (thread.function != 0 || (thread.watcher != nullptr) != options_.reported.any() ||
        thread.lane_seed != 0 || thread.launch->simd != options_.simd)
        return nullptr;
    return thread.dispatch_mask == machine::lane_bits(options_.simd) ? &of_full : &partial_mask_;
}

TieredCode& Variants::of_launch(const machine::Launch& launch) {
    std::vector<ImageAccess> images = image_accesses(image_messages_, launch);
    const std::lock_guard lock(mutex_);
    // Most launches repeat the last shape, with images of the same formats.
    if (last_ == nullptr || !last_shape_.is_of(launch) || last_images_ != images) {
        last_ = &find(launch, images);
        last_shape_ = machine::InputShape::of(launch);
        last_images_ = std::move(images);
    }
    return *last_;
}

TieredCode& Variants::find(const machine::Launch& launch, const std::vector<ImageAccess>& images) {
    auto inputs = machine::lane_steps(launch);
    for (machine::LaneSteps& input : inputs)
        if (launch.slm_bytes == 0)
            input.most = UINT32_MAX;
    auto shared = machine::shared_inputs(launch);
    for (const auto& variant : specialized_)
        if (variant->options().inputs == inputs && variant->options().shared == shared &&
            variant->options().images == images && variant->options().slm_bytes <= launch.slm_bytes &&
            variant->options().scratch_bytes <= launch.scratch_bytes)
            return *variant;
    if (specialized_.size() >= most_specialized)
        return generic_;
    CompileOptions options = options_;
    options.inputs = std::move(inputs);
    options.shared = std::move(shared);
    options.slm_bytes = launch.slm_bytes;
    options.scratch_bytes = launch.scratch_bytes;
    options.images = images;
    specialized_.push_back(std::make_unique<TieredCode>(provider_, program_, std::move(options)));
    return *specialized_.back();
}

void Variants::add_facts(EngineFacts& facts) const {
    const auto add = [&](const TieredCode& variant) {
        const TieredCode::Stats stats = variant.stats();
        if (variant.present() != nullptr)
            facts.functions = 1;
        facts.compile_seconds += stats.first_seconds;
        facts.tiered_up = facts.tiered_up || stats.tiered_up;
        if (!stats.refused.empty() && variant.present() == nullptr)
            facts.refused.push_back(fmt::format("threads with {} lanes on: {}",
                                                &variant == &partial_mask_ ? "some" : "all", stats.refused));
    };
    const std::lock_guard lock(mutex_);
    for (const auto& variant : specialized_)
        add(*variant);
    add(generic_);
    add(partial_mask_);
}

} // namespace visor::jit
