#include "compare/compare.h"

#include "compare/explain.h"
#include "compare/matcher.h"
#include "isa/marks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace visor::compare {

namespace {

constexpr size_t most_rounds = 64;
// Differences of one attempt: where there are more, how many no longer tells which attempt is better.
constexpr size_t most_found = 1000;

class Comparer {
public:
    Comparer(const Function& first, const Function& second, const Options& options)
        : options_(options), first_(canonical(first, options.first_grf_bytes)),
          second_(canonical(second, options.second_grf_bytes)), naming_(first_, second_) {}

    Comparison run() {
        compare_kinds();
        compare_attributes();
        compare_inputs();
        bind_labels();
        compare_blocks();
        compare_code();
        const size_t most = std::max<size_t>(options_.most, 1);
        out_.more = out_.more || out_.differences.size() > most;
        if (out_.differences.size() > most)
            out_.differences.resize(most);
        if (out_.equal())
            out_.order_taken_literally = false;
        return std::move(out_);
    }

private:
    [[nodiscard]] const Function& a() const { return *first_.function; }
    [[nodiscard]] const Function& b() const { return *second_.function; }

    void differ(std::string message, Side first, Side second) {
        out_.differences.push_back({std::move(message), std::move(first), std::move(second)});
    }

    void compare_kinds() {
        if (a().kind != b().kind)
            differ("a kernel here, a function there", {a().where, a().name}, {b().where, b().name});
    }

    // ---- attributes: by name, whatever their order

    static bool counts(const Attribute& attribute) {
        return attribute.name != "OutputAsmPath" && attribute.name != "AsmName"; // names of files
    }

    static Side side_of(const Attribute& attribute) {
        std::string text = attribute.name;
        if (attribute.has_number)
            text += fmt::format("={}", attribute.number);
        if (attribute.has_text)
            text += fmt::format("=\"{}\"", attribute.text);
        return {attribute.where, text};
    }

    // The first of each name, as Function::attribute has it.
    static std::map<std::string_view, const Attribute*> by_name(const Function& function) {
        std::map<std::string_view, const Attribute*> out;
        for (const Attribute& attribute : function.attributes)
            if (counts(attribute))
                out.emplace(attribute.name, &attribute);
        return out;
    }

    void compare_attributes() {
        const auto first = by_name(a());
        const auto second = by_name(b());
        for (const auto& [name, attribute] : first) {
            const auto other = second.find(name);
            if (other == second.end() || !attribute->same(*other->second))
                differ(fmt::format("attribute `{}` differs", name), side_of(*attribute),
                       other == second.end() ? Side{} : side_of(*other->second));
        }
        for (const auto& [name, attribute] : second)
            if (!first.contains(name))
                differ(fmt::format("attribute `{}` differs", name), {}, side_of(*attribute));
    }

    // ---- inputs: by their place in the payload

    static std::vector<const Input*> sorted_inputs(const Function& function) {
        std::vector<const Input*> inputs;
        inputs.reserve(function.inputs.size());
        for (const Input& input : function.inputs)
            inputs.push_back(&input);
        std::ranges::sort(inputs, [](const Input* x, const Input* y) {
            return std::tuple(x->klass, x->offset, x) < std::tuple(y->klass, y->offset, y);
        });
        return inputs;
    }

    static Name name_of_input(const Canonical& code, const Input& input) {
        switch (input.klass) {
        case InputClass::sampler:
            return {Space::sampler, input.id};
        case InputClass::surface:
            return {Space::surface, input.id};
        case InputClass::general:
            break;
        }
        return {Space::general, code.root(input.id).id};
    }

    static Side side_of(const Canonical& code, const Input& input) {
        const Space space = name_of_input(code, input).space;
        return {input.where,
                fmt::format("input {} offset={} size={}", name_of(*code.function, {space, input.id}),
                            input.offset, input.size)};
    }

    bool alike(const Input& x, const Input& y) {
        const Name first = name_of_input(first_, x);
        const Name second = name_of_input(second_, y);
        const bool general = x.klass == InputClass::general;
        const bool same_values = !general || (general_type(a(), x.id) == general_type(b(), y.id) &&
                                              general_elements(a(), x.id, first_.grf_bytes) ==
                                                  general_elements(b(), y.id, second_.grf_bytes) &&
                                              first_.root(x.id).offset == second_.root(y.id).offset);
        const bool same = x.klass == y.klass && x.implicit == y.implicit && x.offset == y.offset &&
                          x.size == y.size && same_values &&
                          naming_.agrees(std::span(&first, 1), std::span(&second, 1));
        naming_.bind(std::span(&first, 1), std::span(&second, 1));
        return same;
    }

    void compare_inputs() {
        const auto first = sorted_inputs(a());
        const auto second = sorted_inputs(b());
        const size_t common = std::min(first.size(), second.size());
        for (size_t i = 0; i < common; ++i)
            if (!alike(*first[i], *second[i]))
                differ("the inputs differ", side_of(first_, *first[i]), side_of(second_, *second[i]));
        for (size_t i = common; i < first.size(); ++i)
            differ("only in the first", side_of(first_, *first[i]), {});
        for (size_t i = common; i < second.size(); ++i)
            differ("only in the second", {}, side_of(second_, *second[i]));
    }

    // ---- code

    static std::vector<Name> marks(const Canonical& code) {
        std::vector<Name> labels;
        for (const Block& block : code.blocks) {
            const Instruction& last = code.instruction(block.end - 1);
            if (isa::is_mark(*last.row))
                std::ranges::copy(code.names_of(block.end - 1), std::back_inserter(labels));
        }
        return labels;
    }

    // A label is the one at the same place, so that a branch elsewhere is a difference of the branch.
    void bind_labels() {
        const auto first = marks(first_);
        const auto second = marks(second_);
        if (first.size() == second.size())
            naming_.bind(first, second);
    }

    void compare_blocks() {
        const size_t first = first_.blocks.size();
        const size_t second = second_.blocks.size();
        if (first != second)
            differ(fmt::format("{} basic blocks here, {} there", first, second), {a().where, a().name},
                   {b().where, b().name});
    }

    void compare_code() {
        Steps steps(options_.most_steps);
        const Order first_order(first_, steps);
        const Order second_order(second_, steps);
        const Ordered first{first_, first_order};
        const Ordered second{second_, second_order};
        bool spent = steps.spent();
        // What tells instructions apart best finds equal code in any order, and scatters a difference over
        // all that has to do with it; what knows the instruction alone keeps it where it is.
        std::optional<Matched> best;
        for (const size_t rounds : {most_rounds, size_t{2}, size_t{0}}) {
            Steps of_colors(4 * options_.most_steps); // one of them is a few additions
            const BothColors both = colors(first, second, spent ? 0 : rounds, of_colors);
            Matched found = match(first, second, both, naming_, most_found, Steps(options_.most_steps));
            spent = spent || found.spent || of_colors.spent();
            if (!best || found.differences.size() < best->differences.size())
                best = std::move(found);
            if (best->differences.empty())
                break;
        }
        out_.order_taken_literally = spent;
        out_.more = !best->complete;
        std::ranges::move(best->differences, std::back_inserter(out_.differences));
    }

    const Options& options_;
    Canonical first_;
    Canonical second_;
    Naming naming_;
    Comparison out_;
};

} // namespace

Comparison compare(const Function& first, const Function& second, const Options& options) {
    return Comparer(first, second, options).run();
}

} // namespace visor::compare
