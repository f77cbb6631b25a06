#include "exec/plan.h"

#include "isa/table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

using isa::DeviceId;
using oracle::Type;

constexpr std::array<const char*, variant_count> names{
    "plain",    "mask",     "no_mask", "predicate", "inverted",  "any",      "overlap",
    "saturate", "modifier", "scalar",  "strided",   "immediate", "indirect", "indirect_dst",
};
// Some lanes are on in every group of four.
constexpr std::array<DeviceId, 9> preference{DeviceId::skl,  DeviceId::tgllp, DeviceId::dg2,
                                             DeviceId::xehp, DeviceId::icllp, DeviceId::pvc,
                                             DeviceId::bmg,  DeviceId::lnl,   DeviceId::cri};

bool computes(const isa::Row& row, const isa::Device& device, Type type) {
    const bool moves = row.family == isa::Family::move;
    if (type == Type::bf)
        return device.id >= DeviceId::xehp;
    if (moves)
        return true;
    if (type == Type::uq || type == Type::q)
        return device.int64;
    return type != Type::df || device.fp64;
}

const isa::Field* field_named(const isa::Row& row, std::string_view name) {
    for (const isa::Field& field : row.format) {
        if (field.name == name)
            return &field;
    }
    return nullptr;
}

bool takes(const isa::Row& row, size_t source, isa::OperandClass klass) {
    const isa::Field* field = field_named(row, fmt::format("src{}", source));
    return field != nullptr && (field->classes & klass) != 0;
}

bool has_immediates(Type type) {
    return oracle::bytes(type) > 1 && type != Type::bf;
}

constexpr size_t window = 384; // bytes that operands may span

bool allows(const isa::Row& row, const Planned& planned) {
    const bool real = oracle::is_float(planned.from[0]);
    const size_t last = planned.from.size() - 1;
    const isa::Field* destination = field_named(row, "dst");
    switch (planned.variant) {
    case Variant::predicate:
    case Variant::inverted:
    case Variant::any:
        return isa::has_predicate(row) && !isa::has(row, isa::writes_predicate);
    case Variant::overlap:
        return planned.to.has_value();
    case Variant::saturate:
        return planned.to.has_value() && isa::has(row, isa::can_saturate) &&
               (!isa::has(row, isa::saturates_floats_only) || oracle::is_float(*planned.to));
    case Variant::modifier:
        return isa::has(row, isa::arithmetic_modifiers) || (isa::has(row, isa::logic_modifiers) && !real);
    case Variant::strided:
        return planned.to.has_value() && oracle::bytes(*planned.to) * planned.size * 2 <= window &&
               oracle::bytes(planned.from[0]) * planned.size * 2 <= window && planned.size > 1;
    case Variant::immediate:
        return has_immediates(planned.from[last]) && takes(row, last, isa::class_immediate);
    case Variant::indirect:
        return takes(row, 0, isa::class_indirect);
    case Variant::indirect_dst:
        return planned.to.has_value() && destination != nullptr &&
               (destination->classes & isa::class_indirect) != 0;
    case Variant::no_mask:
    case Variant::mask:
    case Variant::scalar:
    case Variant::plain:
        break;
    }
    return true;
}

unsigned offset_for(const Planned& planned, Random& random) {
    if (planned.variant == Variant::plain || planned.size == 32)
        return 0;
    const unsigned places = planned.size < 4 ? 8 : 32 / planned.size;
    return (1 + random.below(places - 1)) * 32 / places;
}

class Planner {
public:
    Planner(const CaseFile& file, const isa::Row& row) : file_(file), row_(row) {}

    std::expected<std::vector<Planned>, std::string> all() {
        for (const Sweep& sweep : file_.sweeps) {
            std::vector<std::string> chosen(sweep.columns.size());
            if (!combine(sweep, 0, chosen))
                return std::unexpected(fmt::format("{}:{}: no such type, or no device has the row with it",
                                                   file_.path, sweep.line));
        }
        return std::move(out_);
    }

private:
    const CaseFile& file_;
    const isa::Row& row_;
    std::vector<Planned> out_;
    Random random_{seed};
    size_t turn_ = 0;

    // Every choice of a type for each column.
    bool combine(const Sweep& sweep, size_t column, std::vector<std::string>& chosen) {
        if (column == sweep.columns.size())
            return plan_types(sweep, chosen);
        return std::ranges::all_of(sweep.columns[column], [&](const std::string& type) {
            chosen[column] = type;
            return combine(sweep, column + 1, chosen);
        });
    }

    bool plan_types(const Sweep& sweep, const std::vector<std::string>& chosen) {
        Planned planned;
        planned.line = sweep.line;
        std::vector<Type> types;
        for (size_t i = 0; i < chosen.size(); ++i) {
            const auto type = oracle::type_named(chosen[i]);
            if (!type && (i != 0 || chosen[i] != "pred"))
                return false;
            if (type)
                types.push_back(*type);
            if (i == 0)
                planned.to = type;
            else
                planned.from.push_back(*type);
        }
        const auto devices = devices_for(row_, types);
        for (const isa::Device* device : devices) {
            planned.device = device;
            plan_device(sweep, planned);
        }
        return !devices.empty();
    }

    void plan_device(const Sweep& sweep, Planned planned) {
        for (unsigned size = 1; size <= 32; size *= 2) {
            planned.size = size;
            if ((row_.exec_sizes & size) == 0)
                continue;
            if (sweep.breadth == Breadth::full)
                plan_variants(planned);
            else if (sweep.breadth == Breadth::mix)
                plan_some(planned);
            else
                plan_modes(planned);
        }
    }

    bool is_wanted(Variant variant) const {
        return file_.variants.empty() ||
               std::ranges::find(file_.variants, names.at(static_cast<size_t>(variant))) !=
                   file_.variants.end();
    }

    bool add(Planned planned, Variant variant) {
        planned.variant = variant;
        if (!is_wanted(variant) || !allows(row_, planned))
            return false;
        planned.offset = offset_for(planned, random_);
        planned.suffix = file_.suffixes[random_.below(static_cast<unsigned>(file_.suffixes.size()))];
        planned.seed = random_.next();
        out_.push_back(std::move(planned));
        return true;
    }

    void plan_variants(const Planned& planned) {
        for (unsigned variant = 0; variant < variant_count; ++variant)
            add(planned, static_cast<Variant>(variant));
    }

    void plan_some(const Planned& planned) {
        add(planned, Variant::plain);
        for (unsigned tries = 0; tries < variant_count; ++tries) {
            if (add(planned, static_cast<Variant>(1 + turn_++ % (variant_count - 1))))
                return;
        }
    }

    void plan_modes(Planned planned) {
        for (unsigned round = 0; round < 4; ++round) {
            planned.modes = {static_cast<oracle::Round>(round), true};
            add(planned, Variant::plain);
        }
        planned.modes = {oracle::Round::even, false};
        add(planned, Variant::plain);
    }
};

uint64_t real_edge(Type type, Random& random) {
    constexpr std::array<double, 26> edges{
        0.0, -0.0, 1.0,  -1.0, 0.5,   -0.5,  1.5,    2.5,    -2.5,  3.0,    0x1p31,   -0x1p31,    0x1p63,
        2.0, 4.0,  0.25, 10.0, 255.0, 256.0, -128.5, 32767., 65504, 0x1p24, 16777217, 0.99999999, 1e-5};
    const uint64_t infinity = oracle::bits_of(type, {HUGE_VAL, 0}, oracle::Round::even);
    const uint64_t smallest = oracle::bits_of(type, {0x1p-14, 0}, oracle::Round::even);
    switch (random.below(8)) {
    case 0: // infinities
        return infinity | (random.below(2) != 0 ? oracle::sign_bit(type) : 0);
    case 1: // a quiet NaN
        return oracle::bits_of(type, {std::nan(""), 0}, oracle::Round::even);
    case 2: // the largest
        return (infinity - 1) | (random.below(2) != 0 ? oracle::sign_bit(type) : 0);
    case 3: { // denormals, and what is next to them
        constexpr std::array<uint64_t, 4> small{1, 2, 3, 7};
        return small.at(random.below(4)) | (random.below(2) != 0 ? oracle::sign_bit(type) : 0);
    }
    case 4:
        return smallest + random.below(3) - 1;
    default:
        return oracle::bits_of(type, {edges.at(random.below(edges.size())), 0}, oracle::Round::even);
    }
}

uint64_t integer_edge(Type type, Random& random) {
    constexpr std::array<int, 16> edges{0, 1, -1, 2, -2, 3, 7, 8, 31, 32, 33, 63, 64, 127, 128, -128};
    switch (random.below(4)) {
    case 0:
        return oracle::low_bits(type, oracle::least(type) + random.below(2));
    case 1:
        return oracle::low_bits(type, oracle::greatest(type) - random.below(2));
    default:
        return oracle::low_bits(type, edges.at(random.below(edges.size())));
    }
}

} // namespace

const char* name(Variant variant) {
    return names.at(static_cast<size_t>(variant));
}

Second second_of(const isa::Row& row, bool predicate_destination) {
    const std::string_view is = row.mnemonic;
    if (is == "addc" || is == "subb")
        return Second::variable;
    if (is == "madw")
        return Second::high_half;
    if (is == "add3.o")
        return Second::predicate_in_guard;
    return is == "invm" || is == "rsqtm" || predicate_destination ? Second::predicate : Second::none;
}

const isa::Row* row_of(const CaseFile& file) {
    // Typed messages have the names of untyped ones.
    if (file.family != "lsc_typed")
        return isa::find(file.mnemonic);
    for (const isa::Row* row : isa::table()) {
        if (row->form == isa::TextForm::lsc_typed && file.mnemonic == row->mnemonic)
            return row;
    }
    return nullptr;
}

std::expected<std::vector<Planned>, std::string> plan(const CaseFile& file) {
    const isa::Row* row = row_of(file);
    if (row == nullptr)
        return std::unexpected(fmt::format("{}: there is no row `{}`", file.path, file.mnemonic));
    return Planner(file, *row).all();
}

std::vector<const isa::Device*> devices_for(const isa::Row& row, const std::vector<Type>& types) {
    std::vector<const isa::Device*> out;
    for (const unsigned grf : {32U, 64U}) {
        for (const DeviceId id : preference) {
            const isa::Device& device = isa::device(id);
            const bool fits =
                device.grf_bytes == grf && device.executes && isa::contains(row.devices, id) &&
                std::ranges::all_of(types, [&](Type type) { return computes(row, device, type); });
            if (fits) {
                out.push_back(&device);
                break;
            }
        }
    }
    return out;
}

uint64_t Random::next() {
    state_ += 0x9e3779b97f4a7c15U;
    if (!choices_.empty()) {
        state_ = seed_of_choices + choices_.front() * 0x9e3779b97f4a7c15U;
        choices_ = choices_.subspan(1);
    }
    uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31U;
}

uint64_t sample(Type type, bool moderate, Random& random) {
    const uint64_t any = random.next();
    const double small = static_cast<double>(static_cast<int64_t>(any) >> 44) / 0x1p10;
    if (oracle::is_float(type)) {
        if (moderate || random.below(3) == 0)
            return oracle::bits_of(type, {small, 0}, oracle::Round::even);
        return random.below(2) == 0 ? real_edge(type, random) : any & (2 * oracle::sign_bit(type) - 1);
    }
    if (random.below(2) == 0)
        return integer_edge(type, random);
    // Of any length.
    return oracle::low_bits(type, static_cast<int64_t>(any) >> random.below(64));
}

} // namespace visor::exec_test
