#include "debug/dwarf.h"

#include "debug/dwarf_elf.h"
#include "debug/dwarf_types.h"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <unordered_map>

namespace visor::debug {

namespace {

constexpr uint32_t deepest = 32;
constexpr size_t most_entries = 200'000;
constexpr size_t most_variables = 20'000;
constexpr size_t most_rows = 1'000'000;
constexpr size_t most_lines = 1'000'000; // of all scopes together
constexpr size_t most_ranges = 1'000;    // of a scope, of a variable
constexpr size_t most_files = 10'000;
constexpr size_t longest_expression = 4'096;
constexpr size_t most_expression_bytes = size_t{16} << 20U; // of all variables together
constexpr size_t most_line_bytes = size_t{1} << 20U;        // of .debug_line
constexpr size_t longest_path = 16'384;

struct DwarfCloser {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

// Machine code of a source line: [begin, end).
struct Row {
    uint64_t begin = 0;
    uint64_t end = 0;
    FileLine line;
};

template <class T>
T load(std::span<const std::byte> bytes, size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

class Reader {
public:
    Reader(Dwarf* dwarf, std::span<const std::byte> lists) : dwarf_(dwarf), lists_(lists) {}

    DebugInformation read() {
        Dwarf_Off offset = 0;
        Dwarf_Off next = 0;
        size_t header = 0;
        while (entries_ < most_entries &&
               dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0 &&
               next > offset) {
            Dwarf_Die unit;
            if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr)
                read_unit(unit);
            offset = next;
        }
        return std::move(out_);
    }

private:
    void read_unit(Dwarf_Die& unit) {
        read_rows(unit);
        read_children(unit, UINT32_MAX, 0);
        ++unit_;
    }

    uint32_t file_number(const char* name) {
        const std::string text = name == nullptr ? "" : name;
        const auto [at, is_new] = file_numbers_.try_emplace(text, static_cast<uint32_t>(out_.files.size()));
        if (is_new)
            out_.files.push_back(text);
        return at->second;
    }

    void read_rows(Dwarf_Die& unit) {
        rows_.clear();
        Dwarf_Addr low = 0;
        base_ = dwarf_lowpc(&unit, &low) == 0 ? low : 0;
        Dwarf_Lines* lines = nullptr;
        size_t count = 0;
        if (dwarf_getsrclines(&unit, &lines, &count) != 0)
            return;
        for (size_t k = 0; k + 1 < std::min(count, most_rows) && out_.files.size() < most_files; ++k) {
            Dwarf_Line* const line = dwarf_onesrcline(lines, k);
            Dwarf_Line* const next = dwarf_onesrcline(lines, k + 1);
            Dwarf_Addr begin = 0;
            Dwarf_Addr end = 0;
            int number = 0;
            bool is_end = false;
            if (dwarf_lineaddr(line, &begin) != 0 || dwarf_lineaddr(next, &end) != 0 ||
                dwarf_lineno(line, &number) != 0 || dwarf_lineendsequence(line, &is_end) != 0 || is_end ||
                number <= 0 || begin >= end)
                continue;
            rows_.push_back(
                {begin,
                 end,
                 {file_number(dwarf_linesrc(line, nullptr, nullptr)), static_cast<uint32_t>(number)}});
        }
        std::ranges::sort(rows_, {}, &Row::begin);
    }

    void read_children(Dwarf_Die& entry, uint32_t parent, uint32_t depth) {
        Dwarf_Die child;
        if (depth > deepest || dwarf_child(&entry, &child) != 0)
            return;
        while (++entries_ < most_entries) {
            read_entry(child, parent, depth);
            Dwarf_Die next;
            if (dwarf_siblingof(&child, &next) != 0)
                return;
            child = next;
        }
    }

    void read_entry(Dwarf_Die& entry, uint32_t parent, uint32_t depth) {
        switch (dwarf_tag(&entry)) {
        case DW_TAG_subprogram:
            return read_scope(entry, SourceScope::Kind::function, parent, depth);
        case DW_TAG_inlined_subroutine:
            return read_scope(entry, SourceScope::Kind::inlined, parent, depth);
        case DW_TAG_lexical_block:
            return read_scope(entry, SourceScope::Kind::block, parent, depth);
        case DW_TAG_formal_parameter:
        case DW_TAG_variable:
            if (parent != UINT32_MAX && variables_ < most_variables)
                read_variable(entry, parent);
            return;
        default:
            return;
        }
    }

    // Scopes without machine code are patterns of inlined ones, or were optimized away.
    void read_scope(Dwarf_Die& entry, SourceScope::Kind kind, uint32_t parent, uint32_t depth) {
        const auto index = static_cast<uint32_t>(out_.scopes.size());
        SourceScope scope{.kind = kind, .parent = parent == UINT32_MAX ? index : parent, .unit = unit_};
        last_row_ = 0;
        if (kind != SourceScope::Kind::block)
            scope.name = name_of(entry);
        if (!read_lines(entry, scope))
            return;
        out_.scopes.push_back(std::move(scope));
        last_rows_.push_back(last_row_);
        read_children(entry, index, depth + 1);
    }

    // Whether it has any machine code.
    bool read_lines(Dwarf_Die& entry, SourceScope& scope) {
        Dwarf_Addr base = 0;
        Dwarf_Addr begin = 0;
        Dwarf_Addr end = 0;
        ptrdiff_t at = 0;
        size_t seen = 0;
        while (++seen <= most_ranges && (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0) {
            auto row = std::ranges::upper_bound(rows_, begin, {}, &Row::begin);
            if (row != rows_.begin())
                --row;
            for (; row != rows_.end() && row->begin < end && lines_ < most_lines; ++row, ++lines_)
                if (row->end > begin) {
                    scope.lines.push_back(row->line);
                    last_row_ = std::max(last_row_, row->begin);
                }
        }
        std::ranges::sort(scope.lines);
        const auto rest = std::ranges::unique(scope.lines);
        scope.lines.erase(rest.begin(), rest.end());
        return seen > 1;
    }

    void read_variable(Dwarf_Die& entry, uint32_t scope) {
        SourceVariableInfo variable{.name = name_of(entry)};
        if (variable.name.empty())
            return;
        ++variables_;
        variable.is_parameter = dwarf_tag(&entry) == DW_TAG_formal_parameter;
        variable.line = static_cast<uint32_t>(number_of(entry, DW_AT_decl_line).value_or(0));
        variable.type = types_.type_of(entry);
        constexpr uint64_t local_memory = 1;
        variable.in_local_memory = number_of(entry, DW_AT_address_class).value_or(0) == local_memory;
        read_constant(entry, variable);
        read_locations(entry, last_rows_[scope], variable);
        out_.scopes[scope].variables.push_back(std::move(variable));
    }

    static void read_constant(Dwarf_Die& entry, SourceVariableInfo& variable) {
        Dwarf_Attribute attribute;
        if (dwarf_attr(&entry, DW_AT_const_value, &attribute) == nullptr)
            return;
        Dwarf_Block block;
        Dwarf_Sword number = 0;
        if (dwarf_formblock(&attribute, &block) == 0) {
            if (block.length <= longest_expression)
                variable.constant = bytes_of(block.data, block.length);
        } else if (dwarf_formsdata(&attribute, &number) == 0) {
            const auto bytes = std::as_bytes(std::span(&number, 1));
            variable.constant.emplace(bytes.begin(), bytes.end());
        }
    }

    void read_locations(Dwarf_Die& entry, uint64_t last_row, SourceVariableInfo& variable) {
        Dwarf_Attribute attribute;
        if (dwarf_attr(&entry, DW_AT_location, &attribute) == nullptr)
            return;
        Dwarf_Block block;
        Dwarf_Word offset = 0;
        if (dwarf_formblock(&attribute, &block) == 0) {
            if (block.length <= longest_expression)
                variable.locations.push_back(bytes_of(block.data, block.length));
        } else if (dwarf_whatform(&attribute) == DW_FORM_sec_offset &&
                   dwarf_formudata(&attribute, &offset) == 0) {
            read_list(offset, last_row, variable);
        } else {
            variable.locations.emplace_back(); // one that is not understood
        }
    }

    // A location list of DWARF 4, whose expressions libdw does not decode: they have operations of Intel's.
    void read_list(uint64_t at, uint64_t last_row, SourceVariableInfo& variable) {
        std::optional<uint64_t> located_until;
        constexpr size_t addresses = 2 * sizeof(uint64_t);
        while (variable.locations.size() < most_ranges && at < lists_.size() &&
               lists_.size() - at >= addresses) {
            const auto begin = load<uint64_t>(lists_, at);
            const auto end = load<uint64_t>(lists_, at + sizeof(uint64_t));
            at += addresses;
            if (begin == 0 && end == 0) {
                variable.is_partly_located |= located_until.value_or(0) + base_ <= last_row;
                return;
            }
            if (begin == UINT64_MAX) // a new base
                break;
            variable.is_partly_located |= located_until.value_or(begin) != begin;
            located_until = end;
            if (lists_.size() - at < sizeof(uint16_t))
                break;
            const size_t bytes = load<uint16_t>(lists_, at);
            at += sizeof(uint16_t);
            if (bytes > lists_.size() - at)
                break;
            const auto expression = lists_.subspan(at, std::min(bytes, longest_expression));
            expression_bytes_ += expression.size();
            if (expression_bytes_ > most_expression_bytes)
                break;
            variable.locations.emplace_back(expression.begin(), expression.end());
            at += bytes;
        }
        variable.locations.emplace_back(); // damaged
    }

    static std::vector<std::byte> bytes_of(const unsigned char* data, size_t bytes) {
        const auto span = std::as_bytes(std::span(data, bytes));
        return {span.begin(), span.end()};
    }

    Dwarf* dwarf_;
    std::span<const std::byte> lists_; // .debug_loc
    DebugInformation out_;
    TypeReader types_{out_.types};
    std::unordered_map<std::string, uint32_t> file_numbers_;
    std::vector<Row> rows_;           // of the unit
    uint64_t base_ = 0;               // of the unit's machine code
    uint64_t last_row_ = 0;           // where the machine code of a scope's last line begins
    std::vector<uint64_t> last_rows_; // by scope
    uint32_t unit_ = 0;
    size_t entries_ = 0;
    size_t variables_ = 0;
    size_t lines_ = 0;
    size_t expression_bytes_ = 0;
};

// libdw joins each file's name with its folder's: long ones, joined with many, would take all memory.
bool has_usual_lines(std::span<const std::byte> section) {
    size_t run = 0;
    for (const std::byte byte : section) {
        run = byte == std::byte{0} ? 0 : run + 1;
        if (run > longest_path)
            return false;
    }
    return section.size() <= most_line_bytes;
}

} // namespace

std::expected<DebugInformation, std::string> read_dwarf(std::span<const std::byte> zebin) {
    const auto elf = RelocatedElf::read(zebin);
    if (!elf)
        return std::unexpected(elf.error());
    if (elf->section(".debug_info").empty())
        return std::unexpected("the program has no debug information: compile it with -g");
    if (!has_usual_lines(elf->section(".debug_line")) || !has_usual_lines(elf->section(".debug_line_str")))
        return std::unexpected("the program's table of lines is too large to read, or damaged");
    const std::unique_ptr<Dwarf, DwarfCloser> dwarf(dwarf_begin_elf(elf->elf(), DWARF_C_READ, nullptr));
    if (dwarf == nullptr)
        return std::unexpected("the program's debug information is damaged");
    return Reader(dwarf.get(), elf->section(".debug_loc")).read();
}

} // namespace visor::debug
