#include "compare/order.h"

#include "compare/accesses.h"

#include <algorithm>
#include <unordered_map>

namespace visor::compare {

namespace {

struct Touched {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint32_t at = 0;

    [[nodiscard]] bool overlaps(const Access& access) const {
        return begin < access.end && access.begin < end;
    }
    [[nodiscard]] bool inside(const Access& access) const {
        return access.begin <= begin && end <= access.end;
    }
};

// What one variable was last read and written by.
struct History {
    std::vector<Touched> reads;
    std::vector<Touched> writes;
};

// One block, in its order.
class BlockOrder {
public:
    BlockOrder(const Canonical& code, Steps& steps) : code_(code), steps_(steps) {}

    // Appends what `at` comes after.
    void add(uint32_t at, std::vector<uint32_t>& before) {
        const size_t begin = before.size();
        const Accesses accesses = accesses_of(code_, at);
        if (wall_ != none)
            before.push_back(wall_);
        if (accesses.stays) {
            before.insert(before.end(), since_wall_.begin(), since_wall_.end());
            start_over(at);
        } else {
            for (const Access& access : accesses.list)
                add_access(at, access, before);
            for (const Access& access : accesses.list)
                note(at, access);
            add_memory(at, accesses, before);
            since_wall_.push_back(at);
        }
        const auto first = before.begin() + static_cast<std::ptrdiff_t>(begin);
        std::ranges::sort(first, before.end());
        before.erase(std::unique(first, before.end()), before.end());
        steps_.take(1 + accesses.list.size() + (before.size() - begin));
    }

private:
    static constexpr uint32_t none = UINT32_MAX;

    void start_over(uint32_t wall) {
        wall_ = wall;
        since_wall_.clear();
        histories_.clear();
        loads_.clear();
        store_ = none;
    }

    static uint64_t key_of(Name name) { return uint64_t{name.id} << 8U | static_cast<uint8_t>(name.space); }

    void add_access(uint32_t at, const Access& access, std::vector<uint32_t>& before) {
        const History& history = histories_[key_of(access.name)];
        const auto look = [&](const std::vector<Touched>& list) {
            steps_.take(1 + list.size());
            for (const Touched& touched : list)
                if (touched.at != at && touched.overlaps(access))
                    before.push_back(touched.at);
        };
        look(history.writes);
        if (access.writes)
            look(history.reads);
    }

    // What a write covers is before it, and so before whatever comes after it.
    void note(uint32_t at, const Access& access) {
        History& history = histories_[key_of(access.name)];
        if (!access.writes) {
            history.reads.push_back({access.begin, access.end, at});
            return;
        }
        const auto covered = [&](const Touched& touched) {
            return touched.at != at && touched.inside(access);
        };
        std::erase_if(history.reads, covered);
        std::erase_if(history.writes, covered);
        history.writes.push_back({access.begin, access.end, at});
    }

    void add_memory(uint32_t at, const Accesses& accesses, std::vector<uint32_t>& before) {
        if (!accesses.reads_memory && !accesses.writes_memory)
            return;
        if (store_ != none)
            before.push_back(store_);
        if (!accesses.writes_memory) {
            loads_.push_back(at);
            return;
        }
        before.insert(before.end(), loads_.begin(), loads_.end());
        loads_.clear();
        store_ = at;
    }

    const Canonical& code_;
    Steps& steps_;
    std::unordered_map<uint64_t, History> histories_;
    std::vector<uint32_t> since_wall_;
    std::vector<uint32_t> loads_; // since the last store
    uint32_t wall_ = none;        // the last instruction that nothing passes
    uint32_t store_ = none;
};

} // namespace

Order::Order(const Canonical& code, Steps& steps) {
    begin_.reserve(code.code.size() + 1);
    for (const Block& block : code.blocks) {
        BlockOrder order(code, steps);
        for (uint32_t at = block.begin; at < block.end; ++at) {
            begin_.push_back(static_cast<uint32_t>(before_.size()));
            if (steps.spent()) {
                literal_ = true;
                if (at > block.begin)
                    before_.push_back(at - 1);
            } else {
                order.add(at, before_);
            }
        }
    }
    begin_.push_back(static_cast<uint32_t>(before_.size()));
}

} // namespace visor::compare
