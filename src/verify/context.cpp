#include "verify/context.h"

#include "verify/spelling.h"

#include <utility>

namespace visor::verify {

Message::~Message() {
    if (findings_ == nullptr)
        return;
    note("see " + std::string(page_));
    findings_->push_back(std::move(diagnostic_));
}

Message& Message::note_at(std::optional<Location> where, std::string text) {
    if (findings_ != nullptr)
        diagnostic_.notes.push_back({where, std::move(text)});
    return *this;
}

namespace {

// A point stands for "nowhere in particular": binaries may leave operands without a place.
Location narrower(Location operand, Location instruction) {
    return operand.length == 0 ? instruction : operand;
}

} // namespace

Context::Context(const Function& checked, const Reporter& reporter)
    : Reporter(reporter), function(checked),
      grf_bytes(options.device == nullptr ? 32 : options.device->grf_bytes) {
    slm_size = checked.attribute("SLMSize");
    const int64_t width = checked.attribute_number("SimdSize", 0);
    simd_width = width == 8 || width == 16 || width == 32 ? static_cast<uint32_t>(width) : 0;
    place_variables();
}

// An alias is followed only to a variable declared before it, which `alias-base` asks for anyway: so the walk
// is linear whatever the input says.
void Context::place_variables() {
    variables_.resize(isa::first_user_general + function.general.size());
    for (uint32_t id = 0; id < variables_.size(); ++id) {
        Variable& variable = variables_[id];
        variable.type = general_type(function, id);
        variable.bytes = uint64_t{general_elements(function, id, grf_bytes)} * isa::size_of(variable.type);
        variable.root = id;
        variable.root_bytes = variable.bytes;
        if (id < isa::first_user_general)
            continue;
        const GeneralVariable& declared = function.general[id - isa::first_user_general];
        if (declared.alias == 0 || declared.alias >= id)
            continue;
        const Variable& shared = variables_[declared.alias];
        variable.root = shared.root;
        variable.root_offset = shared.root_offset + declared.alias_offset;
        variable.root_bytes = shared.root_bytes;
    }
}

Message Reporter::diag(Levels levels, std::string id, std::string_view page,
                       std::optional<Location> where) const {
    Level level = follows_pages() ? levels.spec : options.profile == Profile::igc ? levels.igc : levels.run;
    if (level == Level::off && options.warn_of_habits)
        level = Level::warning;
    if (level == Level::off)
        return {};
    const Severity severity = level == Level::error ? Severity::error : Severity::warning;
    if (options.counts_only) {
        findings_.emplace_back().severity = severity;
        return {};
    }
    return {findings_, Diagnostic{severity, where, {}, std::move(id), {}}, page};
}

Message Site::diag(const RuleRow& broken, Levels levels) const {
    return context.diag(levels, concrete_id(broken.rule.id, row(), ""), page_of(broken.rule, row()),
                        instruction.where);
}

Message OperandSite::diag(const RuleRow& broken, Levels levels) const {
    return context().diag(levels, concrete_id(broken.rule.id, site.row(), field.name),
                          page_of(broken.rule, site.row()), narrower(operand.where, site.instruction.where));
}

} // namespace visor::verify
