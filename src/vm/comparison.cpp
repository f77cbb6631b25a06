#include "vm/comparison.h"

#include "vm/run_comparison.h"
#include "vm/target.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace visor::vm {

namespace {

// A function, with the unit that it stands in.
struct Found {
    const Function* function = nullptr;
    size_t unit = 0;
};

// What was read of one file.
class Side {
public:
    explicit Side(Units read) : read_(std::move(read)) {
        lines_.reserve(read_.units.size());
        for (size_t i = 0; i < read_.units.size(); ++i) {
            const Unit& unit = read_.units[i];
            lines_.emplace_back(unit.binary ? std::string_view() : unit.content);
            for (const Function& function : unit.module->functions)
                functions_.push_back({&function, i});
        }
    }

    [[nodiscard]] const std::vector<Found>& functions() const { return functions_; }
    [[nodiscard]] uint32_t grf() const { return grf_bytes(read_.device); }

    [[nodiscard]] ComparedSide place(const Found& found, const compare::Side& side) const {
        if (!side.where)
            return {};
        const Unit& unit = read_.units[found.unit];
        ComparedSide out{.file = unit.name, .offset = side.where->offset, .text = side.text};
        if (unit.binary)
            return out;
        const LineColumn at = lines_[found.unit].place_of(side.where->offset);
        out.line = at.line;
        out.column = at.column;
        return out;
    }

private:
    Units read_;
    std::vector<LineStarts> lines_; // by unit
    std::vector<Found> functions_;
};

std::expected<Units, Error> read(const File& file, const UnitsRequest& request) {
    auto units = read_units(file.name, file.content, request);
    if (!units)
        return units;
    for (const Unit& unit : units->units)
        if (!unit.module)
            return std::unexpected(error_of(unit, request.color));
    return units;
}

// Of two files that name none: the one that a file needs whose registers are larger.
const isa::Device* device_of_both(const File& first, const File& second) {
    const isa::Device* const a = find_device(first.name, first.content, "").device;
    const isa::Device* const b = find_device(second.name, second.content, "").device;
    return b->grf_bytes > a->grf_bytes ? b : a;
}

struct BothUnits {
    Units first;
    Units second;
};

std::expected<BothUnits, Error> read_both(const File& first, const File& second,
                                          const UnitsRequest& request) {
    auto a = read(first, request);
    if (!a)
        return std::unexpected(a.error());
    auto b = read(second, request);
    if (!b)
        return std::unexpected(b.error());
    // A register's size is the device's: both have to mean the same one.
    UnitsRequest again = request;
    if (!request.device && a->device == nullptr && b->device == nullptr) {
        again.device = device_of_both(first, second);
        a = read(first, again);
        b = read(second, again);
    } else if (a->device == nullptr && b->device != nullptr) {
        again.device = b->device;
        a = read(first, again);
    } else if (b->device == nullptr && a->device != nullptr) {
        again.device = a->device;
        b = read(second, again);
    }
    if (!a)
        return std::unexpected(a.error());
    if (!b)
        return std::unexpected(b.error());
    return BothUnits{*std::move(a), *std::move(b)};
}

ComparedFunction blank(const Function& function) {
    ComparedFunction out;
    out.name = function.name;
    out.is_kernel = function.kind == FunctionKind::kernel;
    return out;
}

ComparedFunction compare_pair(const Side& first, const Found& a, const Side& second, const Found& b,
                              size_t most) {
    compare::Options options;
    options.first_grf_bytes = first.grf();
    options.second_grf_bytes = second.grf();
    options.most = most;
    compare::Comparison compared = compare::compare(*a.function, *b.function, options);
    ComparedFunction out = blank(*a.function);
    out.in_first = out.in_second = true;
    out.more = compared.more;
    out.order_taken_literally = compared.order_taken_literally;
    for (compare::Difference& difference : compared.differences)
        out.differences.push_back({std::move(difference.message), first.place(a, difference.first),
                                   second.place(b, difference.second)});
    return out;
}

// Those that are compared, by name and, where a name comes again, in order.
std::vector<Found> wanted(const Side& side, const std::string& kernel) {
    std::vector<Found> out;
    std::ranges::copy_if(side.functions(), std::back_inserter(out), [&](const Found& found) {
        return kernel.empty() ||
               (found.function->kind == FunctionKind::kernel && found.function->name == kernel);
    });
    return out;
}

} // namespace

bool ComparedFiles::equal() const {
    return std::ranges::all_of(functions, &ComparedFunction::equal);
}

bool ComparedFiles::is_untold() const {
    return !equal() && std::ranges::all_of(functions, [](const ComparedFunction& function) {
        return function.equal() || !function.untold.empty();
    });
}

std::expected<ComparedFiles, Error> compare_files(const File& first, const File& second,
                                                  const ComparisonRequest& request) {
    if (request.runs != 0)
        return compare_by_running(first, second, request);
    auto read = read_both(first, second, request.units);
    if (!read)
        return std::unexpected(read.error());
    ComparedFiles out;
    out.warnings = read->first.warnings + read->second.warnings;
    const Side a(std::move(read->first));
    const Side b(std::move(read->second));
    const std::vector<Found> of_first = wanted(a, request.kernel);
    const std::vector<Found> of_second = wanted(b, request.kernel);
    if (of_first.empty() && of_second.empty() && !request.kernel.empty())
        return std::unexpected(
            Error{ErrorKind::invalid, fmt::format("neither {} nor {} has a kernel `{}`", first.name,
                                                  second.name, request.kernel)});
    std::multimap<std::string_view, const Found*> left;
    for (const Found& found : of_second)
        left.emplace(found.function->name, &found);
    for (const Found& found : of_first) {
        const auto other = left.lower_bound(found.function->name);
        if (other == left.end() || other->first != found.function->name) {
            out.functions.push_back(blank(*found.function));
            out.functions.back().in_first = true;
            continue;
        }
        out.functions.push_back(compare_pair(a, found, b, *other->second, request.most));
        left.erase(other);
    }
    for (const auto& [name, found] : left) {
        out.functions.push_back(blank(*found->function));
        out.functions.back().in_second = true;
    }
    return out;
}

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const ComparedSide& side) {
    if (side.file.empty())
        return nullptr;
    ordered_json out{{"file", side.file}, {"offset", side.offset}};
    if (side.line != 0) {
        out["line"] = side.line;
        out["column"] = side.column;
    }
    out["text"] = side.text;
    return out;
}

const char* state_of(const ComparedFunction& function) {
    if (!function.in_second)
        return "only_first";
    if (!function.in_first)
        return "only_second";
    if (!function.untold.empty())
        return "untold";
    return function.differences.empty() ? "same" : "different";
}

} // namespace

std::string json_of(const ComparedFiles& files, const File& first, const File& second) {
    ordered_json out{{"version", 1},
                     {"verb", "diff"},
                     {"visor", VISOR_VERSION},
                     {"first", first.name},
                     {"second", second.name},
                     {"equal", files.equal()},
                     {"functions", ordered_json::array()}};
    for (const ComparedFunction& function : files.functions) {
        ordered_json entry{
            {"name", function.name},       {"kind", function.is_kernel ? "kernel" : "function"},
            {"state", state_of(function)}, {"differences", ordered_json::array()},
            {"more", function.more},       {"order_taken_literally", function.order_taken_literally}};
        if (!function.untold.empty())
            entry["why"] = function.untold;
        if (function.runs != 0)
            entry["runs"] = function.runs;
        for (const ComparedDifference& difference : function.differences)
            entry["differences"].push_back({{"message", difference.message},
                                            {"first", json_of(difference.first)},
                                            {"second", json_of(difference.second)}});
        out["functions"].push_back(std::move(entry));
    }
    // A file may hold any bytes; the object holds text.
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace visor::vm
