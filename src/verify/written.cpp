#include "verify/written.h"

#include "isa/opcode.h"
#include "isa/predefined.h"
#include "isa/row.h"
#include "module/extent.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace visor::verify {

namespace {

bool is_destination(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}

constexpr size_t no_read = SIZE_MAX;

// Who may take what nobody defined: a move makes nothing of it, and both take fourth components.
enum class Reader : uint8_t { move, message, other };

// What an operand reaches of a root variable, in bytes from its first one.
struct Access {
    uint32_t root = 0;
    Footprint bytes;
    Location where;
    Reader reader = Reader::other;
    size_t source = no_read; // of a move's result: number of the read that it copies
};

// Bytes of a variable that something reads and nothing writes.
struct Gap {
    uint64_t begin = 0;
    uint64_t end = 0;
};

// The gaps of a root variable of `size` bytes: first all reads are added, then all writes, then it is asked.
class Gaps {
public:
    explicit Gaps(uint64_t size) : missing_(size, false) {}

    void read(const Footprint& bytes) { set(bytes, true); }
    void write(const Footprint& bytes) { set(bytes, false); }
    void find() {
        for (uint64_t begin = 0; begin < missing_.size();) {
            begin = position(std::find(at(begin), missing_.end(), true));
            if (begin == missing_.size())
                return;
            gaps_.push_back({begin, position(std::find(at(begin), missing_.end(), false))});
            begin = gaps_.back().end;
        }
    }

    // The first one of which this is read; of it, what lies behind where the read begins.
    [[nodiscard]] std::optional<Gap> first(const Footprint& bytes, Reader reader) const {
        std::optional<Gap> found;
        if (!gaps_.empty())
            each(bytes, [&](uint32_t row, uint64_t begin, uint64_t end) {
                if (reader == Reader::message && row % 4 == 3 &&
                    three_are_written(begin - 3 * uint64_t{bytes.row_pitch}, bytes))
                    return true;
                for (size_t gap = behind(begin); gap < gaps_.size() && gaps_[gap].begin < end && !found;
                     ++gap)
                    if (reader == Reader::other || !is_fourth(gap))
                        found = Gap{std::max(gaps_[gap].begin, begin), gaps_[gap].end};
                return !found;
            });
        return found;
    }
    // Whether they have all of it.
    [[nodiscard]] bool have(const Footprint& bytes) const {
        bool all = !gaps_.empty() && bytes.end() <= missing_.size();
        if (all)
            each(bytes, [&](uint32_t /*row*/, uint64_t begin, uint64_t end) {
                const size_t gap = behind(begin);
                all = gap < gaps_.size() && gaps_[gap].begin <= begin && gaps_[gap].end >= end;
                return all;
            });
        return all;
    }

private:
    using Iterator = std::vector<bool>::iterator;
    [[nodiscard]] Iterator at(uint64_t byte) { return missing_.begin() + static_cast<ptrdiff_t>(byte); }
    [[nodiscard]] uint64_t position(Iterator iterator) {
        return static_cast<uint64_t>(iterator - missing_.begin());
    }

    void set(const Footprint& bytes, bool missing) {
        each(bytes, [&](uint32_t /*row*/, uint64_t begin, uint64_t end) {
            std::fill(at(begin), at(end), missing);
            return true;
        });
    }

    // Calls visit(row, begin, end) for each element, cut where the variable ends, as long as it returns true.
    template <typename Visit>
    void each(const Footprint& bytes, const Visit& visit) const {
        for (uint32_t row = 0; row < bytes.rows; ++row)
            for (uint32_t column = 0; column < bytes.columns; ++column) {
                const uint64_t begin =
                    bytes.begin + uint64_t{row} * bytes.row_pitch + uint64_t{column} * bytes.column_pitch;
                const uint64_t end = std::min<uint64_t>(begin + bytes.bytes, missing_.size());
                if (begin < end && !visit(row, begin, end))
                    return;
            }
    }

    // The first one that ends behind this byte.
    [[nodiscard]] size_t behind(uint64_t byte) const {
        return static_cast<size_t>(std::ranges::upper_bound(gaps_, byte, {}, &Gap::end) - gaps_.begin());
    }

    // Whether the element at `begin`, and those of the two rows behind, are in no gap.
    [[nodiscard]] bool three_are_written(uint64_t begin, const Footprint& bytes) const {
        for (uint32_t row = 0; row < 3; ++row, begin += bytes.row_pitch)
            if (const size_t gap = behind(begin);
                gap < gaps_.size() && gaps_[gap].begin < begin + bytes.bytes)
                return false;
        return true;
    }

    // Vectors of three components are copied and stored like vectors of four, whose fourth nobody defines.
    [[nodiscard]] bool is_fourth(size_t number) const {
        const Gap gap = gaps_[number];
        const uint64_t size = gap.end - gap.begin;
        return std::has_single_bit(size) && gap.begin % (4 * size) == 3 * size &&
               (number == 0 || gaps_[number - 1].end <= gap.begin - 3 * size);
    }

    std::vector<bool> missing_;
    std::vector<Gap> gaps_;
};

// What is known of each general variable's storage, by the id of its root.
class Storage {
public:
    Storage(const Function& function, uint32_t grf_bytes)
        : function_(function), grf_bytes_(grf_bytes),
          states_(isa::first_user_general + function.general.size()) {}

    void write_all(uint32_t id) {
        if (State* const state = state_of(id)) {
            state->written = true;
            state->all_written = true;
        }
    }
    // `source`: the read that a move copies.
    void write(const Instruction& instruction, size_t index, size_t source) {
        const uint32_t id = instruction.operands[index].id;
        if (grf_bytes_ == 0)
            return write_all(id);
        const auto bytes = bytes_written(function_, instruction, index, grf_bytes_);
        if (!bytes)
            return write_all(id);
        if (State* const state = state_of(id)) {
            state->written = true;
            if (!state->all_written)
                writes_.push_back(access(id, *bytes));
            if (!state->all_written)
                writes_.back().source = source;
        }
    }
    // The number of the read, where it is known what it takes.
    size_t read(const Instruction& instruction, size_t index, bool moved) {
        const Operand& operand = instruction.operands[index];
        State* const state = state_of(operand.id);
        if (state == nullptr)
            return no_read;
        if (state->read.length == 0)
            state->read = operand.where;
        if (grf_bytes_ == 0)
            return no_read;
        const auto bytes = bytes_read(function_, instruction, index, grf_bytes_);
        if (!bytes || state->all_written)
            return no_read;
        reads_.push_back(access(operand.id, *bytes));
        reads_.back().where = operand.where;
        reads_.back().reader = moved                              ? Reader::move
                               : operand.kind == OperandKind::raw ? Reader::message
                                                                  : Reader::other;
        return reads_.size() - 1;
    }

    [[nodiscard]] std::vector<NeverWritten> never_written() {
        std::vector<NeverWritten> found = missing_parts();
        for (uint32_t id = isa::first_user_general; id < states_.size(); ++id)
            if (!states_[id].written && states_[id].read.length != 0)
                found.push_back({general_name(function_, id), states_[id].read});
        std::ranges::sort(found, {}, [](const NeverWritten& one) { return one.read.offset; });
        return found;
    }

private:
    struct State {
        bool written = false;
        bool all_written = false; // or nobody knows what of it
        Location read;            // length 0: nothing reads it
    };

    // nullptr: predefined.
    [[nodiscard]] State* state_of(uint32_t id) {
        const uint32_t root = root_of(function_, id).id;
        return root >= isa::first_user_general && root < states_.size() ? &states_[root] : nullptr;
    }

    [[nodiscard]] Access access(uint32_t id, Footprint bytes) const {
        const Root root = root_of(function_, id);
        bytes.begin += root.offset;
        return {.root = root.id, .bytes = bytes, .where = {}};
    }

    // What a move copies of what nothing writes does not count as written either, be it through some moves.
    [[nodiscard]] std::vector<NeverWritten> missing_parts() {
        constexpr int most_rounds = 8; // fewer findings where moves follow each other further
        std::ranges::sort(writes_, {}, &Access::root);
        std::vector<size_t> reads(reads_.size());
        std::iota(reads.begin(), reads.end(), size_t{0});
        const auto root_of_read = [&](size_t read) { return reads_[read].root; };
        std::ranges::sort(reads, {}, [&](size_t read) { return std::pair(reads_[read].root, read); });
        copies_nothing_.assign(reads_.size(), false);
        std::vector<NeverWritten> found;
        bool again = true;
        for (int round = 0; again && round < most_rounds; ++round) {
            again = false;
            found.clear();
            for (std::span<const size_t> rest = reads; !rest.empty();) {
                const auto next =
                    std::ranges::upper_bound(rest, root_of_read(rest.front()), {}, root_of_read);
                const auto of_root = rest.first(static_cast<size_t>(next - rest.begin()));
                again = look_at_root(of_root, found) || again;
                rest = rest.subspan(of_root.size());
            }
        }
        return found;
    }

    // Whether another move copies nothing.
    [[nodiscard]] bool look_at_root(std::span<const size_t> reads, std::vector<NeverWritten>& found) {
        constexpr uint64_t largest = 64 << 10U; // bytes: more registers than any thread has
        const uint32_t root = reads_[reads.front()].root;
        const uint64_t size = uint64_t{general_elements(function_, root, grf_bytes_)} *
                              isa::size_of(general_type(function_, root));
        if (!states_[root].written || states_[root].all_written || size > largest)
            return false;
        Gaps gaps(size); // what lies behind the variable is the affair of the rules on bounds
        for (const size_t read : reads)
            gaps.read(reads_[read].bytes);
        for (const Access& write : std::ranges::equal_range(writes_, root, {}, &Access::root))
            if (write.source == no_read || !copies_nothing_[write.source])
                gaps.write(write.bytes);
        gaps.find();
        bool another = false;
        bool told = false;
        for (const size_t read : reads) {
            const auto gap = gaps.first(reads_[read].bytes, reads_[read].reader);
            if (!gap)
                continue;
            const bool moved = reads_[read].reader == Reader::move;
            if (!moved && !told)
                found.push_back({general_name(function_, root), reads_[read].where,
                                 static_cast<uint32_t>(gap->begin), static_cast<uint32_t>(gap->end)});
            told = told || !moved;
            if (moved && !copies_nothing_[read] && gaps.have(reads_[read].bytes)) {
                copies_nothing_[read] = true;
                another = true;
            }
        }
        return another;
    }

    const Function& function_;
    uint32_t grf_bytes_;
    std::vector<State> states_;
    std::vector<Access> writes_;
    std::vector<Access> reads_;
    std::vector<bool> copies_nothing_; // by read
};

// Compilers ask so for the lanes that are on, whatever the register holds.
bool compares_with_itself(const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    return instruction.row->family == isa::Family::compare && operands.size() >= 2 &&
           operands.back().kind == OperandKind::general &&
           operands.back().same(operands[operands.size() - 2]);
}

// Sources first: a move's result names what it copies.
void look_at(const Instruction& instruction, Storage& storage) {
    const bool reads = !compares_with_itself(instruction);
    const bool moves = instruction.row->opcode == isa::opcode::mov;
    size_t source = no_read;
    std::optional<size_t> destination; // the last one: of a move, its only one
    for (size_t index = 0; index < instruction.operands.size(); ++index) {
        const Operand& operand = instruction.operands[index];
        const isa::Field& field = isa::field_of_operand(*instruction.row, index);
        const bool general = operand.kind == OperandKind::general || operand.kind == OperandKind::raw;
        if (takes_address(instruction, index)) // whoever writes there
            storage.write_all(operand.id);
        else if (general && is_destination(field.kind) && !moves)
            storage.write(instruction, index, no_read);
        else if (general && is_destination(field.kind))
            destination = index;
        else if (general && reads)
            source = storage.read(instruction, index, moves);
    }
    if (destination)
        storage.write(instruction, *destination, source);
}

} // namespace

std::vector<NeverWritten> never_written(const Function& function, uint32_t grf_bytes) {
    Storage storage(function, grf_bytes);
    for (const Input& input : function.inputs)
        if (input.klass == InputClass::general)
            storage.write_all(input.id);
    for (const Instruction& instruction : function.code)
        if (instruction.row != nullptr)
            look_at(instruction, storage);
    return storage.never_written();
}

} // namespace visor::verify
