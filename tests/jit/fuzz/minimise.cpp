#include "minimise.h"

#include <chrono>
#include <functional>
#include <optional>

namespace visor::jit_fuzz {

namespace {

using Clock = std::chrono::steady_clock;

size_t size_of(const Node& node) {
    size_t size = 1;
    for (const Node& child : node.body)
        size += size_of(child);
    return size;
}

// The node number `index` below this one, in the order of the text, goes; `keep_body`: its body stays.
bool remove_node(Node& node, size_t& index, bool keep_body) {
    for (size_t i = 0; i < node.body.size(); ++i) {
        if (index-- != 0) {
            if (remove_node(node.body[i], index, keep_body))
                return true;
            continue;
        }
        Node gone = std::move(node.body[i]);
        const auto place = node.body.erase(node.body.begin() + static_cast<std::ptrdiff_t>(i));
        if (keep_body)
            node.body.insert(place, gone.body.begin(), gone.body.end());
        return true;
    }
    return false;
}

// The line number `index` of all nodes goes.
bool remove_line(Node& node, size_t& index) {
    for (std::vector<std::string>* lines : {&node.before, &node.after}) {
        if (index < lines->size()) {
            if (lines->at(index).starts_with("addr_add")) // what follows would go anywhere
                return false;
            lines->erase(lines->begin() + static_cast<std::ptrdiff_t>(index));
            return true;
        }
        index -= lines->size();
        if (lines == &node.before)
            for (Node& child : node.body)
                if (remove_line(child, index))
                    return true;
    }
    return false;
}

size_t line_count(const Node& node) {
    size_t count = node.before.size() + node.after.size();
    for (const Node& child : node.body)
        count += line_count(child);
    return count;
}

class Minimiser {
public:
    Minimiser(Rig& rig, Recipe recipe, double seconds)
        : rig_(rig), recipe_(std::move(recipe)),
          end_(Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

    Recipe run() {
        simplify_launch();
        drop_stretches();
        for (bool smaller = true; smaller && !over();) {
            smaller = each(size_of(recipe_.code) - 1,
                           [](Recipe& r, size_t i) { return remove_node(r.code, i, false); });
            smaller = each(size_of(recipe_.code) - 1,
                           [](Recipe& r, size_t i) { return remove_node(r.code, i, true); }) ||
                      smaller;
            smaller =
                each(line_count(recipe_.code), [](Recipe& r, size_t i) { return remove_line(r.code, i); }) ||
                smaller;
        }
        simplify_launch();
        return std::move(recipe_);
    }

private:
    [[nodiscard]] bool over() const { return Clock::now() >= end_; }

    bool keep_if_differs(Recipe tried) {
        if (over() || rig_.run(tried.setting, text_of(tried)).verdict != Verdict::differs)
            return false;
        recipe_ = std::move(tried);
        return true;
    }

    // Halves, quarters ... of the outermost nodes.
    void drop_stretches() {
        for (size_t length = recipe_.code.body.size() / 2; length > 1; length /= 2) {
            for (size_t at = 0; at + length <= recipe_.code.body.size() && !over();) {
                Recipe tried = recipe_;
                const auto first = tried.code.body.begin() + static_cast<std::ptrdiff_t>(at);
                tried.code.body.erase(first, first + static_cast<std::ptrdiff_t>(length));
                if (!keep_if_differs(std::move(tried)))
                    at += length;
            }
        }
    }

    template <class Edit>
    bool each(size_t count, Edit edit) {
        bool smaller = false;
        for (size_t i = count; i-- > 0 && !over();) {
            Recipe tried = recipe_;
            if (edit(tried, i) && keep_if_differs(std::move(tried)))
                smaller = true;
        }
        return smaller;
    }

    void simplify_launch() {
        const auto with = [this](auto change) {
            Recipe tried = recipe_;
            change(tried.setting);
            return keep_if_differs(std::move(tried));
        };
        for (uint32_t i = 0; i < recipe_.setting.launches && recipe_.setting.launches > 1; ++i)
            with([i](Setting& s) {
                s.data += i;
                s.launches = 1;
            });
        with([](Setting& s) { s.groups = 1; });
        with([](Setting& s) { s.threads = 1; });
        with([](Setting& s) { s.last_lanes = 0; });
        with([](Setting& s) { s.level = 0; });
        with([](Setting& s) { s.tiers = 0; });
    }

    Rig& rig_;
    Recipe recipe_;
    Clock::time_point end_;
};

} // namespace

Trial run_drawn(Rig& rig, Recipe& recipe) {
    constexpr unsigned most_rounds = 8;
    Trial trial;
    uint64_t refused = 0;
    for (unsigned round = 0; round < most_rounds; ++round) {
        trial = rig.run(recipe.setting, text_of(recipe));
        refused += trial.lines.size();
        trial.lines_refused = refused;
        if (trial.verdict != Verdict::refused || trial.lines.empty() || !remove_lines(recipe, trial.lines))
            break;
    }
    return trial;
}

Recipe minimised(Rig& rig, Recipe recipe, double seconds) {
    return Minimiser(rig, std::move(recipe), seconds).run();
}

} // namespace visor::jit_fuzz
