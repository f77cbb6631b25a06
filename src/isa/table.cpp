// The rows of all families as one table with two indexes: a dense one by opcode and sub-opcode, a sorted one
// by mnemonic. Both are built at the first question and never change.
#include "isa/table.h"

#include "isa/opcode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace visor::isa {

namespace {

constexpr std::size_t opcodes = 256;

// Words of a blank-separated list, one at a time.
std::string_view next_word(std::string_view& rest) {
    const std::size_t start = rest.find_first_not_of(' ');
    if (start == std::string_view::npos) {
        rest = {};
        return {};
    }
    rest.remove_prefix(start);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

struct Name {
    std::string_view text;
    const Row* row;
};

class Index {
public:
    Index() {
        collect();
        for (size_t i = 0; i < rows_.size(); ++i) {
            Range& range = by_opcode_[rows_[i]->opcode];
            if (range.count == 0)
                range.first = static_cast<uint16_t>(i);
            ++range.count;
        }
        name_rows();
    }

    [[nodiscard]] std::span<const Row* const> rows() const { return rows_; }
    [[nodiscard]] std::span<const Name> names() const { return names_; }

    [[nodiscard]] std::span<const Row* const> rows(uint8_t opcode) const {
        const Range range = by_opcode_[opcode];
        return std::span(rows_).subspan(range.first, range.count);
    }

    [[nodiscard]] const Row* find(uint8_t opcode, int sub) const {
        const auto candidates = rows(opcode);
        const auto found =
            std::ranges::lower_bound(candidates, sub, {}, [](const Row* row) { return row->sub; });
        return found != candidates.end() && (*found)->sub == sub ? *found : nullptr;
    }

    [[nodiscard]] const Row* find(std::string_view name) const {
        const auto found = std::ranges::lower_bound(names_, name, {}, &Name::text);
        return found != names_.end() && found->text == name ? found->row : nullptr;
    }

private:
    struct Range {
        uint16_t first = 0;
        uint16_t count = 0;
    };

    void collect() {
        constexpr std::array families{rows::arith, rows::logic,     rows::compare, rows::move,
                                      rows::flow,  rows::scattered, rows::block,   rows::svm,
                                      rows::lsc,   rows::atomic,    rows::typed,   rows::sampler,
                                      rows::sync,  rows::matrix,    rows::media,   rows::raw};
        for (const auto family : families) {
            for (const Row& row : family())
                rows_.push_back(&row);
        }
        std::ranges::sort(rows_, {}, [](const Row* row) { return std::pair(row->opcode, row->sub); });
    }

    // Typed LSC messages share their mnemonics with untyped ones, which are the ones found by name.
    void name_rows() {
        for (const Row* row : rows_) {
            names_.push_back({row->mnemonic, row});
            std::string_view rest = row->spellings;
            for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
                names_.push_back({word, row});
        }
        std::ranges::sort(names_, {},
                          [](const Name& name) { return std::pair(name.text, name.row->opcode); });
        const auto same_name = [](const Name& a, const Name& b) {
            return a.text == b.text && b.row->opcode == opcode::lsc_typed;
        };
        const auto repeated = std::ranges::unique(names_, same_name);
        names_.erase(repeated.begin(), repeated.end());
    }

    std::vector<const Row*> rows_;
    std::vector<Name> names_;
    std::array<Range, opcodes> by_opcode_;
};

const Index& index() {
    static const Index& built = *new Index; // stays: threads may ask while the process ends
    return built;
}

} // namespace

std::span<const Row* const> table() {
    return index().rows();
}

const Row* find(uint8_t opcode, int sub) {
    return index().find(opcode, sub);
}

bool has_sub_opcodes(uint8_t opcode) {
    const auto rows_of_opcode = index().rows(opcode);
    return !rows_of_opcode.empty() && rows_of_opcode.front()->sub >= 0;
}

const Row* find(std::string_view mnemonic) {
    return index().find(mnemonic);
}

std::vector<std::string_view> mnemonics() {
    std::vector<std::string_view> all;
    for (const Name& name : index().names())
        all.push_back(name.text);
    return all;
}

bool has_exec(const Row& row) {
    return std::ranges::any_of(row.format, [](const Field& field) { return field.kind == FieldKind::exec; });
}

bool has_predicate(const Row& row) {
    return std::ranges::any_of(row.format,
                               [](const Field& field) { return field.kind == FieldKind::predicate; });
}

int operand_index(const Row& row, std::string_view field_name) {
    int index_of_operand = 0;
    for (const Field& field : row.format) {
        if (!is_operand(field.kind))
            continue;
        if (field_name == field.name)
            return index_of_operand;
        ++index_of_operand;
    }
    return -1;
}

} // namespace visor::isa
