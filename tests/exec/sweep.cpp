#include "exec/sweep.h"

#include "exec/literal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

using oracle::Modifier;
using oracle::Type;

constexpr size_t first_byte = 64;       // of the destination, behind bytes that are to stay
constexpr size_t file_bytes = 640;      // of a variable
constexpr uint32_t active = 0x5a3c96e1; // lanes that are on where some are off
constexpr uint32_t guard = 0x3ce15a96;  // the predicate
constexpr uint32_t before = 0xa5695a33; // a predicate that is a result
constexpr std::array<const char*, 6> variables{"D", "S0", "S1", "S2", "S3", "E"};

bool some_off(Variant variant) {
    return variant == Variant::mask || variant == Variant::no_mask || variant == Variant::inverted;
}

size_t rounded_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

uint32_t lane_bits(unsigned lanes) {
    return lanes >= 32 ? UINT32_MAX : (1U << lanes) - 1U;
}

uint64_t bits_at(const Bytes& bytes, size_t at, Type type) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, oracle::bytes(type));
    return bits;
}
void put_at(Bytes& bytes, size_t at, Type type, uint64_t bits) {
    std::memcpy(bytes.data() + at, &bits, oracle::bytes(type));
}

std::string declarations() {
    std::string text;
    for (const char* variable : variables) {
        text += fmt::format(".decl {} v_type=G type=ub num_elts={} align=GRFx2\n", variable, file_bytes);
        for (unsigned i = 0; i < oracle::type_count; ++i) {
            const auto type = static_cast<Type>(i);
            text += fmt::format(".decl {0}_{1} v_type=G type={1} num_elts={2} align=GRFx2 alias=<{0}, 0>\n",
                                variable, oracle::name(type), file_bytes / oracle::bytes(type));
        }
    }
    for (const char* predicate : {"P1", "P2", "P3"})
        text += fmt::format(".decl {} v_type=P num_elts=32\n", predicate);
    return text +
           ".decl A0 v_type=A num_elts=1\n.decl IN v_type=T num_elts=1\n.decl OUT v_type=T num_elts=1\n"
           ".decl bits v_type=G type=ud num_elts=16 align=GRF\n";
}

uint32_t control_of(oracle::Modes modes) {
    return static_cast<uint32_t>(modes.round) << 4U | (modes.keep_denormals ? 0x4c0U : 0U);
}

// |got - real| in units of got's format at the real result.
double distance(Type type, uint64_t got, long double real) {
    const oracle::Layout layout = oracle::layout(type);
    const int bias = (1 << (layout.exponent_bits - 1)) - 1;
    int exponent = 0;
    std::frexp(real, &exponent);
    const int digit = std::max(exponent - 1, 1 - bias) - (layout.digits - 1);
    const auto value = static_cast<long double>(oracle::real_of(type, got));
    if (std::isinf(value)) {
        const long double limit = std::ldexp(1.0L, bias + 1);
        return std::signbit(value) == std::signbit(real) && std::abs(real) >= limit * 0.99L ? 0 : HUGE_VAL;
    }
    return static_cast<double>(std::ldexp(std::abs(value - real), -digit));
}

bool within(const Type type, const oracle::Lane& lane, uint64_t got, double ulps) {
    const auto want = static_cast<long double>(oracle::real_of(type, lane.bits));
    if (std::isnan(want))
        return oracle::is_nan(type, got);
    if (oracle::is_nan(type, got))
        return false;
    return got == lane.bits || distance(type, got, std::isfinite(want) ? want : lane.real) <= ulps;
}

} // namespace

// Makes one planned instruction: its data, its lines, its expected results.
struct SweepKernel::Maker {
    Maker(SweepKernel& kernel, const isa::Row& row, const Planned& planned)
        : kernel_(kernel), row_(row), planned_(planned), random_(planned.seed),
          grf_(planned.device->grf_bytes), second_(second_of(row, !planned.to)) {}

    void make() {
        result_.planned = planned_;
        choose();
        fill();
        write();
        expect();
        kernel_.results_.push_back(std::move(result_));
    }

private:
    SweepKernel& kernel_;
    const isa::Row& row_;
    const Planned& planned_;
    Random random_;
    size_t grf_;
    Second second_;
    Result result_;

    unsigned stride_ = 1;         // of destination and src0
    size_t scalar_ = SIZE_MAX;    // the source that is one element
    size_t immediate_ = SIZE_MAX; // the source that is a literal
    size_t source_at_ = 0;        // of src0
    size_t window_ = 0;           // bytes of the destination that are seen
    Bytes destination_;           // before
    Bytes extra_;                 // of E
    std::vector<oracle::Source> sources_;
    std::vector<Bytes> contents_;

    bool is(Variant variant) const { return planned_.variant == variant; }
    Type to() const { return planned_.to.value_or(planned_.from[0]); }
    size_t high_half() const { return rounded_up(planned_.size * 4U, grf_); }

    void choose() {
        stride_ = is(Variant::strided) ? 2 : 1;
        const auto count = static_cast<unsigned>(planned_.from.size());
        if (is(Variant::scalar))
            scalar_ = random_.below(count);
        if (is(Variant::immediate))
            immediate_ = count - 1;
        size_t span = planned_.size * oracle::bytes(to()) * stride_;
        if (second_ == Second::high_half)
            span = 2 * high_half();
        if (is(Variant::overlap)) {
            // An element behind, or before.
            const size_t element = oracle::bytes(planned_.from[0]);
            source_at_ = random_.below(2) == 0 ? first_byte + element : first_byte - element;
            span = std::max(span, planned_.size * element + element);
        }
        window_ = planned_.to ? rounded_up(first_byte + span + 16, 64) : 0;
        for (const Type type : planned_.from)
            sources_.push_back({type, Modifier::none, {}});
        if (is(Variant::modifier)) {
            const bool logic = isa::has(row_, isa::logic_modifiers);
            const auto modifier = logic ? Modifier::bit_not : static_cast<Modifier>(1 + random_.below(3));
            sources_[random_.below(count)].modifier = modifier;
        }
    }

    uint64_t element(Type type) { return sample(type, kernel_.file_.moderate, random_); }

    void fill() {
        destination_.resize(window_);
        for (std::byte& byte : destination_)
            byte = static_cast<std::byte>(random_.below(256));
        extra_ = destination_;
        for (size_t s = 0; s < sources_.size(); ++s) {
            const Type type = sources_[s].type;
            const size_t size = oracle::bytes(type);
            const unsigned stride = s == 0 ? stride_ : 1;
            contents_.emplace_back(rounded_up(planned_.size * size * stride, 64));
            const bool in_destination = s == 0 && is(Variant::overlap);
            Bytes& bytes = in_destination ? destination_ : contents_.back();
            const size_t at = in_destination ? source_at_ : 0;
            for (unsigned lane = 0; lane < planned_.size * stride; ++lane)
                put_at(bytes, at + lane * size, type, element(type));
            const bool one = s == scalar_ || s == immediate_;
            for (unsigned lane = 0; lane < planned_.size; ++lane)
                sources_[s].lanes.at(lane) = bits_at(bytes, at + (one ? 0 : lane * stride) * size, type);
        }
    }

    // ---- text

    std::string place(std::string_view variable, Type type, size_t at) const {
        return fmt::format("{}_{}({},{})", variable, oracle::name(type), at / grf_,
                           at % grf_ / oracle::bytes(type));
    }

    std::string literal(Type type, uint64_t bits) const {
        if (oracle::is_signed(type) && !oracle::is_float(type) && oracle::bytes(type) < 4)
            bits = static_cast<uint32_t>(static_cast<int32_t>(oracle::integer_of(type, bits)));
        return fmt::format("0x{:x}:{}", bits, oracle::name(type));
    }

    std::string source_text(size_t s) const {
        const oracle::Source& source = sources_[s];
        if (s == immediate_)
            return literal(source.type, source.lanes[0]);
        constexpr std::array<const char*, 5> modifiers{"", "(-)", "(abs)", "(-abs)", "(~)"};
        std::string text = modifiers.at(static_cast<size_t>(source.modifier));
        if (s == 0 && is(Variant::indirect))
            return text + fmt::format("r[A0(0),0]<1;1,0>:{}", oracle::name(source.type));
        if (s == 0 && is(Variant::overlap))
            text += place("D", source.type, source_at_);
        else
            text += place(fmt::format("S{}", s), source.type, 0);
        return text + (s == scalar_ ? "<0;1,0>" : s == 0 && stride_ == 2 ? "<2;1,0>" : "<1;1,0>");
    }

    std::string destination_text() const {
        if (!planned_.to)
            return " P2";
        std::string text = is(Variant::indirect_dst)
                               ? fmt::format(" r[A0(0),0]<1>:{}", oracle::name(to()))
                               : fmt::format(" {}<{}>", place("D", to(), first_byte), stride_);
        if (second_ == Second::variable)
            text += fmt::format(" {}<{}>", place("E", to(), first_byte), stride_);
        return text + (second_ == Second::predicate ? " P2" : "");
    }

    std::string guard_text() const {
        if (second_ == Second::predicate_in_guard)
            return "(P2) ";
        if (is(Variant::any))
            return planned_.seed % 2 == 0 ? "(P1.any) " : "(!P1.all) ";
        const bool selects = isa::has(row_, isa::predicate_selects);
        if (is(Variant::inverted))
            return "(!P1) ";
        return is(Variant::predicate) || selects ? "(P1) " : "";
    }

    std::string instruction() const {
        std::string text = guard_text() + row_.mnemonic + planned_.suffix;
        text += is(Variant::saturate) ? ".sat" : "";
        const bool unmasked = is(Variant::no_mask) || isa::has(row_, isa::implicit_no_mask);
        text += fmt::format(" (M{}{}, {})", planned_.offset / 4 + 1, unmasked ? "_NM" : "", planned_.size);
        text += destination_text();
        for (size_t s = 0; s < sources_.size(); ++s)
            text += " " + source_text(s);
        return text;
    }

    void load(std::string_view variable, const Bytes& bytes) {
        append_messages(kernel_.text_, true, "IN", kernel_.in_.size(), variable, bytes.size());
        kernel_.in_.insert(kernel_.in_.end(), bytes.begin(), bytes.end());
    }
    void store(std::string_view variable, size_t bytes) {
        append_messages(kernel_.text_, false, "OUT", kernel_.out_, variable, bytes);
        kernel_.out_ += bytes;
    }
    bool has_predicate_result() const {
        return second_ == Second::predicate || second_ == Second::predicate_in_guard;
    }

    void write() {
        std::string& text = kernel_.text_;
        load("D", destination_);
        if (second_ == Second::variable)
            load("E", extra_);
        for (size_t s = 0; s < sources_.size(); ++s)
            load(fmt::format("S{}", s), contents_[s]);
        if (is(Variant::indirect))
            text += "    addr_add (M1_NM, 1) A0(0)<1> &S0 0x0:uw\n";
        if (is(Variant::indirect_dst))
            text += fmt::format("    addr_add (M1_NM, 1) A0(0)<1> &D 0x{:x}:uw\n", first_byte);
        if (has_predicate_result())
            text += fmt::format("    setp (M1_NM, 32) P2 0x{:x}:ud\n", before);
        result_.line = instruction();
        text += "    " + result_.line + "\n";
        result_.at = kernel_.out_;
        store("D", window_);
        if (second_ == Second::variable)
            store("E", window_);
        if (has_predicate_result()) {
            text += "    mov (M1_NM, 1) bits(0,0)<1> P2\n";
            store("bits", 16);
        }
    }

    // ---- expectations

    uint32_t predicate_lanes() const {
        const uint32_t all = lane_bits(planned_.size);
        const uint32_t own = guard >> planned_.offset & all;
        if (is(Variant::any)) {
            const bool any = planned_.seed % 2 == 0;
            return (any ? own != 0 : own != all) ? all : 0;
        }
        return is(Variant::inverted) ? ~own & all : own;
    }

    uint32_t enabled() const {
        const uint32_t all = lane_bits(planned_.size);
        const bool unmasked = is(Variant::no_mask) || isa::has(row_, isa::implicit_no_mask);
        uint32_t lanes = all;
        if (some_off(planned_.variant) && !unmasked)
            lanes &= active >> planned_.offset;
        const bool guarded = is(Variant::predicate) || is(Variant::inverted) || is(Variant::any);
        if (guarded && !isa::has(row_, isa::predicate_selects))
            lanes &= predicate_lanes();
        return lanes;
    }

    void expect() {
        oracle::Question question;
        question.mnemonic = row_.mnemonic;
        question.suffix = planned_.suffix;
        question.to = to();
        question.saturate = is(Variant::saturate);
        question.modes = planned_.modes;
        question.lanes = planned_.size;
        question.chosen = predicate_lanes();
        question.sources = sources_;
        const auto answer = oracle::answer(question);
        if (!answer) {
            result_.sources = "the oracle does not know it";
            result_.want.assign(kernel_.out_ - result_.at, std::byte{0});
            return;
        }
        result_.want = destination_;
        if (second_ == Second::variable)
            result_.want.insert(result_.want.end(), extra_.begin(), extra_.end());
        uint32_t flags = before;
        for (unsigned lane = 0; lane < planned_.size; ++lane) {
            if ((enabled() >> lane & 1U) != 0)
                place_lane(*answer, lane, flags);
        }
        if (has_predicate_result()) {
            const size_t at = result_.want.size();
            result_.want.resize(at + 16);
            put_at(result_.want, at, Type::ud, flags);
            for (size_t i = 4; i < 16; ++i)
                result_.loose.push_back({at + i, Type::ub, {.undefined = true}, false});
        }
    }

    void place_lane(const oracle::Answer& answer, unsigned lane, uint32_t& flags) {
        const oracle::Lane& first = answer.first.at(lane);
        const size_t at = first_byte + lane * oracle::bytes(to()) * stride_;
        if (planned_.to) {
            put_at(result_.want, at, to(), first.bits);
            const bool bounded = kernel_.file_.ulps > 0 && oracle::is_float(to());
            if (first.any_nan || first.undefined || bounded)
                result_.loose.push_back({at, to(), first, bounded});
        }
        if (second_ == Second::variable)
            put_at(result_.want, window_ + at, to(), answer.second.at(lane));
        if (second_ == Second::high_half)
            put_at(result_.want, at + high_half(), to(), answer.second.at(lane));
        const uint32_t bit = 1U << (planned_.offset + lane);
        if (has_predicate_result())
            flags = answer.second.at(lane) != 0 ? flags | bit : flags & ~bit;
    }
};

SweepKernel::SweepKernel(const CaseFile& file, std::span<const Planned> planned) : file_(file) {
    const isa::Row& row = *row_of(file);
    const bool off = some_off(planned[0].variant);
    text_ = ".version 4.1\n.kernel \"sweep\"\n" + declarations() + ".kernel_attr SimdSize=32\n\n";
    text_ += fmt::format("    mov (M1_NM, 1) %cr0(0,0)<1> 0x{:x}:ud\n", control_of(planned[0].modes));
    text_ += fmt::format("    setp (M1_NM, 32) P1 0x{:x}:ud\n", guard);
    if (off)
        text_ += fmt::format("    setp (M1_NM, 32) P3 0x{:x}:ud\n    (P3) goto (M1, 32) others\n", ~active);
    for (const Planned& one : planned)
        Maker(*this, row, one).make();
    text_ += off ? "others:\n    ret (M1, 1)\n" : "    ret (M1, 1)\n";
    launch_.device = planned[0].device->name;
}

bool SweepKernel::together(const Planned& a, const Planned& b) {
    return a.device == b.device && a.modes.round == b.modes.round &&
           a.modes.keep_denormals == b.modes.keep_denormals && some_off(a.variant) == some_off(b.variant);
}

Launch SweepKernel::launch() const {
    Launch launch = launch_;
    launch.text = text_;
    launch.surfaces.emplace_back("IN", in_);
    launch.surfaces.emplace_back("OUT", Bytes(out_));
    return launch;
}

std::string SweepKernel::differences(const Outcome& outcome, size_t& failures) const {
    constexpr size_t shown = 10;
    if (!outcome.error.empty()) {
        ++failures;
        return "  " + outcome.error.substr(0, 2000) + "\n";
    }
    const Bytes& out = outcome.surfaces.at("OUT");
    std::string text;
    for (const Result& result : results_) {
        Bytes want = result.want;
        const auto got = std::span(out).subspan(result.at, want.size());
        for (const Loose& loose : result.loose) {
            uint64_t bits = 0;
            std::memcpy(&bits, got.data() + loose.at, oracle::bytes(loose.type));
            const bool good = loose.lane.undefined ||
                              (loose.lane.any_nan && oracle::is_nan(loose.type, bits)) ||
                              (loose.bounded && within(loose.type, loose.lane, bits, file_.ulps));
            if (good)
                put_at(want, loose.at, loose.type, bits);
        }
        const auto differs = std::ranges::mismatch(got, want);
        if (differs.in1 == got.end() && result.sources.empty())
            continue;
        if (++failures > shown)
            continue;
        const auto at = static_cast<size_t>(differs.in1 - got.begin());
        const Type type = result.planned.to.value_or(Type::ud);
        const size_t size = oracle::bytes(type);
        const size_t begin = at - at % size;
        uint64_t is = 0;
        std::memcpy(&is, got.data() + begin, std::min(size, got.size() - begin));
        text += fmt::format("  sweep of line {}, {}, {}: {}\n    byte {}: 0x{:x}, expected 0x{:x}{}{}\n",
                            result.planned.line, result.planned.device->name, name(result.planned.variant),
                            result.line, at, is, bits_at(want, begin, type),
                            result.sources.empty() ? "" : "; ", result.sources);
    }
    return text;
}

} // namespace visor::exec_test
