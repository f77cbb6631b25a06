// Memory messages of all families, each behind the lines that make its addresses.
#include "maker.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::jit_fuzz {

using isa::Type;

namespace {

// An atomic operation, and how many sources it takes.
struct Operation {
    const char* word;
    unsigned sources;
};

} // namespace

Maker::Place Maker::place(bool flat_too) {
    const unsigned kind = random_.below(20);
    if (flat_too && kind < 6)
        return {"", 0, 1024, false};
    if (local_ && kind < 10)
        return {"%slm", 254, 1024, true};
    if (kind < 13)
        return {"B0", 0, 1024, false};
    if (kind < 15)
        return {"B1", 1, 37, false};
    if (kind < 19)
        return {"B2", 2, 4096, false};
    return {"UNBOUND", 40, 64, false};
}

// Lane after lane. True if all lie inside, at multiples of the grain.
bool Maker::row_of_addresses(const Execution& by, const Row& row, std::vector<std::string>& lines) {
    const uint32_t step = chance(70) ? row.unit : random_.below(64);
    const uint32_t base = random_.below(row.reach / row.grain) * row.grain;
    lines.push_back(fmt::format("mul (M1_NM, {}) {}(0,0)<1> LANE(0,{})<1;1,0> 0x{:x}:uw", by.size, row.name,
                                by.offset % 16, step));
    lines.push_back(fmt::format("{3} (M1_NM, {0}) {1}(0,0)<1> {1}(0,0)<1;1,0> 0x{2:x}:ud", by.size, row.name,
                                base, chance(75) ? "add" : "or"));
    const uint32_t lanes = by.offset % 16 + by.size;
    if (chance(40)) { // at an edge, as coordinates of images
        const uint32_t edge = base + random_.below(lanes) * step;
        const char* const word = chance(50) ? "max" : "min";
        const std::string exec = chance(70) ? fmt::format("(M1_NM, {})", by.size) : row.exec;
        lines.push_back(
            fmt::format("{0} {1} {2}(0,0)<1> {2}(0,0)<1;1,0> 0x{3:x}:ud", word, exec, row.name, edge));
    }
    const uint32_t last = base + (lanes - 1) * step; // neither sum nor edge goes farther
    return last + std::bit_ceil(row.unit) <= row.bytes && step % row.grain == 0;
}

void Maker::addresses(const Execution& by, const Place& place, uint32_t unit, bool wide,
                      std::vector<std::string>& lines) {
    const bool is_flat = place.surface.empty();
    const bool outside = is_flat ? faulty_ && chance(50) : chance(30);
    const std::string exec = fmt::format("(M{}{}, {})", by.offset / 4 + 1,
                                         by.no_mask || is_flat || chance(30) ? "_NM" : "", by.size);
    const std::string name = wide ? "OFFS_ud" : "ADR_ud";
    uint32_t reach = std::bit_floor(place.bytes);
    if (outside)
        reach = chance(50) ? 2 * reach : 0x10000U;
    // What is touched behind an address is inside when the address is a multiple of it.
    const uint32_t grain = outside ? chance(50) ? 4 : 1 : std::min(reach, std::bit_ceil(unit));
    const uint32_t mask = (reach - 1) & ~(grain - 1);
    const std::string from = general(Type::ud, by.size, false);
    switch (random_.below(4)) {
    case 0: // lane after lane
        if (!(row_of_addresses(by, {name, exec, unit, reach, grain, place.bytes}, lines) && chance(70)) &&
            (is_flat || !outside))
            lines.push_back(
                fmt::format("and (M1_NM, {0}) {1}(0,0)<1> {1}(0,0)<1;1,0> 0x{2:x}:ud", by.size, name, mask));
        break;
    case 1: // the same in all lanes
        lines.push_back(
            fmt::format("and {} {}(0,0)<1> {} 0x{:x}:ud", exec, name, general(Type::ud, 1, false), mask));
        break;
    default:
        if (outside && chance(20))
            lines.push_back(fmt::format("mov {} {}(0,0)<1> {}", exec, name, from));
        else
            lines.push_back(fmt::format("and {} {}(0,0)<1> {} 0x{:x}:ud", exec, name, from, mask));
    }
    if (wide) {
        const unsigned piece = std::min(by.size, 16U);
        const char* const base = is_flat ? chance(60) ? "BASE0(0,0)<0;1,0>" : "BASE2(0,0)<0;1,0>" : "0x0:uq";
        const bool by_halves = chance(25); // as compilers do that have no products of 64 bits
        for (unsigned k = 0; k < by.size; k += piece) {
            const unsigned to = 8 * k / grf_;
            const unsigned at = 4 * k / grf_;
            if (by_halves) {
                lines.push_back(fmt::format("shr (M1_NM, {0}) OFFS_ud({1},0)<1> OFFS_ud({1},0)<1;1,0> 0x2:ud",
                                            piece, at));
                lines.push_back(fmt::format("mulh (M1_NM, {}) ADR_ud({},1)<2> OFFS_ud({},0)<1;1,0> 0x4:ud",
                                            piece, to, at));
                lines.push_back(fmt::format("mul (M1_NM, {}) ADR_ud({},0)<2> OFFS_ud({},0)<1;1,0> 0x4:ud",
                                            piece, to, at));
            }
            lines.push_back(fmt::format("add (M1_NM, {}) ADR_uq({},0)<1> {} {}", piece, to,
                                        by_halves ? fmt::format("ADR_uq({},0)<1;1,0>", to)
                                                  : fmt::format("OFFS_ud({},0)<1;1,0>", at),
                                        base));
        }
    }
}

std::string Maker::raw(uint32_t bytes, const char* type) {
    const Root* root = &roots_.back();
    for (unsigned tries = 0; tries < 8; ++tries) {
        const Root& candidate = pick(roots_);
        if (candidate.bytes >= bytes) {
            root = &candidate;
            break;
        }
    }
    const uint32_t room = root->bytes - std::min(root->bytes, bytes);
    return fmt::format("{}_{}.{}", root->name, type, chance(60) ? 0 : random_.below(room / grf_ + 1) * grf_);
}

std::string Maker::channels(unsigned& count, std::string_view letters) {
    const unsigned mask = 1 + random_.below(15);
    count = static_cast<unsigned>(std::popcount(mask));
    std::string text;
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0)
            text += letters[c];
    return text;
}

void Maker::scattered(std::vector<std::string>& lines) {
    const Place where = place(false);
    const bool load = chance(50);
    const std::string offset = chance(70) ? "0x0:ud" : fmt::format("0x{:x}:ud", random_.below(64));
    const unsigned kind = random_.below(lsc_ ? 4 : 3);
    const std::string guard = plain_guard(25);
    if (kind == 0) {
        const unsigned bytes = 1U << random_.below(3);
        const Execution by = execution(0x3f);
        addresses(by, where, bytes, false, lines);
        lines.push_back(fmt::format("{}{}_scaled.{} {} {} {} ADR_ud.0 {}", guard, load ? "gather" : "scatter",
                                    bytes, by.text(), where.surface, offset, raw(4 * by.size, "ud")));
    } else if (kind == 1) {
        unsigned count = 0;
        const std::string letters = channels(count, "RGBA");
        const Execution by = execution(0x18);
        addresses(by, where, 16, false, lines);
        lines.push_back(fmt::format("{}{}4_scaled.{} {} {} {} ADR_ud.0 {}", guard,
                                    load ? "gather" : "scatter", letters, by.text(), where.surface, offset,
                                    raw(4 * count * std::max(by.size, grf_ / 4), "ud")));
    } else if (kind == 2) {
        constexpr std::array<unsigned, 3> sizes{1, 8, 16};
        Execution by;
        by.size = pick(sizes);
        const unsigned bytes = 1U << random_.below(3);
        addresses(by, where, 1, false, lines);
        lines.push_back(fmt::format("{}.{} {} {} {} ADR_ud.0 {}", load ? "gather" : "scatter", bytes,
                                    by.text(), where.surface, offset, raw(4 * by.size, "ud")));
    } else {
        const unsigned blocks_each = 1U << random_.below(4);
        const Execution by = execution(0x18);
        addresses(by, where, 8 * blocks_each, false, lines);
        lines.push_back(fmt::format("{}qw_{}.{} {} {} ADR_ud.0 {}", guard, load ? "gather" : "scatter",
                                    blocks_each, by.text(), where.surface,
                                    raw(8 * blocks_each * std::max(by.size, grf_ / 4), "uq")));
    }
}

void Maker::blocks(std::vector<std::string>& lines) {
    Place where = place(false);
    if (where.local) // not for blocks
        where = {"B2", 2, 4096, false};
    const unsigned count = 1U << random_.below(4);
    const uint32_t owords = std::max(1U, where.bytes / 16);
    const uint32_t offset = random_.below(chance(80) ? owords : 4 * owords);
    const unsigned kind = random_.below(3);
    std::string at = fmt::format("0x{:x}:ud", kind == 2 ? 4 * offset : offset);
    if (chance(40)) {
        lines.push_back(fmt::format("and (M1_NM, 1) SUM(0,0)<1> {} 0x{:x}:ud", general(Type::ud, 1, false),
                                    kind == 2 ? 0x3fcU : 0x3fU));
        at = "SUM(0,0)<0;1,0>";
    }
    const char* const name = kind == 0 ? "oword_ld" : kind == 1 ? "oword_st" : "oword_ld_unaligned";
    lines.push_back(fmt::format("{} ({}) {} {} {}", name, count, where.surface, at, raw(16 * count, "ud")));
}

void Maker::flat_block(std::vector<std::string>& lines) {
    const unsigned count = 1U << random_.below(4);
    const bool outside = faulty_ && chance(40);
    lines.push_back(fmt::format("and (M1_NM, 1) SUM(0,0)<1> {} 0x{:x}:ud", general(Type::ud, 1, false),
                                outside ? 0x7fff0U : 0x3f0U & ~(16 * count - 1)));
    lines.push_back(
        fmt::format("add (M1_NM, 1) SA(0,0)<1> SUM(0,0)<0;1,0> BASE{}(0,0)<0;1,0>", chance(50) ? 0 : 2));
    const bool load = chance(55);
    lines.push_back(fmt::format("svm_block_{}{} ({}) SA(0,0)<0;1,0> {}", load ? "ld" : "st",
                                load && chance(30) ? ".unaligned" : "", count, raw(16 * count, "ud")));
}

void Maker::flat(std::vector<std::string>& lines) {
    const Place where{"", 0, 1024, false};
    const bool load = chance(50);
    const std::string guard = plain_guard(25);
    if (chance(60)) {
        constexpr std::array<unsigned, 3> units{1, 4, 8};
        const unsigned unit = pick(units);
        const unsigned count = 1U << random_.below(3);
        const Execution by = execution(0x18);
        addresses(by, where, unit * count, true, lines);
        const uint32_t bytes =
            unit == 1 ? std::max(4U, count) * by.size : unit * count * std::max(by.size, grf_ / 4);
        lines.push_back(fmt::format("{}svm_{}.{}.{} {} ADR_uq.0 {}", guard, load ? "gather" : "scatter", unit,
                                    count, by.text(),
                                    raw(bytes, unit == 8   ? "uq"
                                               : unit == 4 ? "ud"
                                                           : "ub")));
        return;
    }
    unsigned count = 0;
    const std::string letters = channels(count, "RGBA");
    const Execution by = execution(0x18);
    addresses(by, where, 16, true, lines);
    lines.push_back(fmt::format("{}svm_{}4scaled.{} {} 0x0:uq ADR_uq.0 {}", guard,
                                load ? "gather" : "scatter", letters, by.text(),
                                raw(4 * count * std::max(by.size, grf_ / 4), "ud")));
}

void Maker::atomic(std::vector<std::string>& lines) {
    constexpr std::array all{Operation{"add", 1},     Operation{"sub", 1},     Operation{"inc", 0},
                             Operation{"dec", 0},     Operation{"min", 1},     Operation{"max", 1},
                             Operation{"xchg", 1},    Operation{"cmpxchg", 2}, Operation{"and", 1},
                             Operation{"or", 1},      Operation{"xor", 1},     Operation{"minsint", 1},
                             Operation{"maxsint", 1}, Operation{"predec", 0}};
    const Operation op = pick(all);
    const bool is_flat = chance(40);
    const Place where = is_flat ? Place{"", 0, 1024, false} : place(false);
    const unsigned width = chance(65) ? 32 : chance(50) ? 64 : 16;
    const Execution by = execution(is_flat && grf_ == 32 ? 0x08 : 0x18);
    addresses(by, where, width / 8, is_flat, lines);
    const bool is_signed = std::string_view(op.word).ends_with("sint");
    const char* const type = width == 64 ? is_signed ? "q" : "uq" : is_signed ? "d" : "ud";
    const uint32_t bytes = (width == 64 ? 8 : 4) * by.size;
    const std::string first = op.sources > 0 ? raw(bytes, type) : "%null.0";
    const std::string second = op.sources > 1 ? raw(bytes, type) : "%null.0";
    const std::string result = chance(20) ? "%null.0" : raw(bytes, type);
    const std::string name = fmt::format("{}{}_atomic.{}{}", plain_guard(25), is_flat ? "svm" : "dword",
                                         op.word, width == 32 ? "" : fmt::format(".{}", width));
    if (is_flat)
        lines.push_back(fmt::format("{} {} ADR_uq.0 {} {} {}", name, by.text(), result, first, second));
    else
        lines.push_back(
            fmt::format("{} {} {} ADR_ud.0 {} {} {}", name, by.text(), where.surface, first, second, result));
}

std::string Maker::lsc_address(const Execution& by, const Place& where, uint32_t unit,
                               std::vector<std::string>& lines) {
    const bool wide = where.surface.empty();
    addresses(by, where, unit, wide, lines);
    const std::string shift = chance(75) ? "" : fmt::format("+0x{:x}", random_.below(16) * 4);
    const std::string inside =
        fmt::format("[ADR_{}.0{}]:a{}", wide ? "uq" : "ud", wide && !faulty_ ? "" : shift, wide ? 64 : 32);
    return (wide || where.local ? "flat" : fmt::format("bti(0x{:x})", where.index)) + inside;
}

void Maker::lsc(std::vector<std::string>& lines) {
    struct Data {
        const char* word;
        unsigned memory, slot;
    };
    constexpr std::array all{Data{"d8c32", 1, 4}, Data{"d16c32", 2, 4}, Data{"d32", 4, 4}, Data{"d32", 4, 4},
                             Data{"d64", 8, 8}};
    Place where = place(true);
    const bool load = chance(50);
    const char* const port = where.local ? "slm" : "ugm";
    const unsigned kind = random_.below(4);
    const std::string guard = plain_guard(25);
    std::string data;
    std::string name;
    Execution by;
    uint32_t unit = 4;
    uint32_t bytes = 4;
    if (kind == 0) { // a run of dwords, by one lane
        constexpr std::array<unsigned, 5> counts{1, 4, 8, 16, 64};
        const unsigned count = pick(counts);
        by = {.size = 1, .offset = 0, .no_mask = chance(50)};
        unit = bytes = 4 * count;
        data = fmt::format(":d32{}t", count == 1 ? "" : fmt::format("x{}", count));
        if (count == 1)
            data = ":d32";
        name = load ? "lsc_load" : "lsc_store";
    } else if (kind == 1) {
        unsigned count = 0;
        const std::string letters = channels(count, "xyzw");
        by = execution(0x38);
        unit = 16;
        bytes = count * std::max(grf_, 4 * by.size);
        data = ":d32." + letters;
        name = load ? "lsc_load_quad" : "lsc_store_quad";
    } else {
        const Data what = pick(all);
        const unsigned count = what.slot == 4 && what.memory < 4 ? 1 : 1 + random_.below(4);
        by = execution(0x3f);
        unit = what.memory * count;
        bytes = count * std::max(grf_, what.slot * by.size);
        data = fmt::format(":{}{}", what.word, count == 1 ? "" : fmt::format("x{}", count));
        name = load ? "lsc_load" : "lsc_store";
    }
    const std::string address = lsc_address(by, where, unit, lines);
    const std::string registers = raw(bytes, "ud") + data;
    if (load)
        lines.push_back(fmt::format("{}{}.{} {} {} {}", guard, name, port, by.text(), registers, address));
    else
        lines.push_back(fmt::format("{}{}.{} {} {} {}", guard, name, port, by.text(), address, registers));
}

void Maker::lsc_atomic(std::vector<std::string>& lines) {
    constexpr std::array all{Operation{"iinc", 0},  Operation{"idec", 0}, Operation{"load", 0},
                             Operation{"store", 1}, Operation{"iadd", 1}, Operation{"isub", 1},
                             Operation{"smin", 1},  Operation{"smax", 1}, Operation{"umin", 1},
                             Operation{"umax", 1},  Operation{"icas", 2}, Operation{"and", 1},
                             Operation{"or", 1},    Operation{"xor", 1}};
    const Operation op = pick(all);
    const Place where = place(true);
    const unsigned width = chance(70) ? 32 : chance(60) ? 64 : 16;
    const Execution by = execution(0x38);
    const std::string guard = plain_guard(25);
    const std::string address = lsc_address(by, where, width / 8, lines);
    const uint32_t bytes = (width == 64 ? 8 : 4) * by.size;
    const std::string result = chance(20) ? "%null" : raw(bytes, "ud");
    const std::string first = op.sources > 0 ? raw(bytes, "ud") : "%null";
    const std::string second = op.sources > 1 ? raw(bytes, "ud") : "%null";
    lines.push_back(fmt::format("{}lsc_atomic_{}.{} {} {}{} {} {} {}", guard, op.word,
                                where.local ? "slm" : "ugm", by.text(), result,
                                width == 32   ? ":d32"
                                : width == 16 ? ":d16c32"
                                              : ":d64",
                                address, first, second));
}

Node Maker::message() {
    std::vector<std::string> lines;
    const unsigned kind = random_.below(lsc_ ? 14 : 9);
    if (kind < 3)
        scattered(lines);
    else if (kind < 4)
        blocks(lines);
    else if (kind < 6)
        flat(lines);
    else if (kind < 7)
        flat_block(lines);
    else if (kind < 9)
        atomic(lines);
    else if (kind < 12)
        lsc(lines);
    else
        lsc_atomic(lines);
    return {.before = std::move(lines)};
}

} // namespace visor::jit_fuzz
