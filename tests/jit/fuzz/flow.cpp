// Control flow around the drawn instructions: branches and loops that lanes take together or one by one, with
// counters of their own, so that all of them end.
#include "maker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::jit_fuzz {

using isa::Type;

namespace {

constexpr unsigned deepest = 3;

} // namespace

// Makes a predicate, or not: then it is one that stood there before.
std::string Maker::condition(const std::string& predicate, std::vector<std::string>& lines) {
    constexpr std::array relations{"eq", "ne", "gt", "ge", "lt", "le"};
    constexpr std::array types{isa::Type::d, isa::Type::ud, isa::Type::f, isa::Type::w};
    if (chance(70)) {
        const isa::Type type = pick(types);
        const unsigned size = setting_.simd;
        lines.push_back(fmt::format("cmp.{} (M1{}, {}) {} {} {}", pick(relations), chance(15) ? "_NM" : "",
                                    size, predicate, general(type, size, false),
                                    chance(50) ? immediate(type) : general(type, size, false)));
    }
    constexpr std::array controls{"", "", "", "", ".any", ".all"};
    return fmt::format("({}{}{})", chance(30) ? "!" : "", predicate, pick(controls));
}

// Makes a predicate that is the same in all lanes, whole or half by half, or now and then one whose halves
// are not made of the same; or takes one that stood there before.
std::string Maker::agreed_condition(std::vector<std::string>& lines) {
    constexpr std::array relations{"eq", "ne", "gt", "le"};
    const std::string predicate = fmt::format("PA{}", 1 + random_.below(2));
    const unsigned kind = random_.below(10);
    const bool halves = setting_.simd == 32 && chance(60);
    const unsigned size = halves ? 16 : setting_.simd;
    if (kind < 2)
        lines.push_back(fmt::format("setp (M1_NM, {}) {} 0x{:x}:ud", setting_.simd, predicate,
                                    chance(50) ? 0 : 0xffff'ffffU));
    else if (kind < 9) {
        const std::string number =
            fmt::format("and (M1_NM, 1) SUM(0,0)<1> {} 0x3:ud", general(Type::ud, 1, false));
        const std::string compare = fmt::format("{} SUM(0,0)<0;1,0> 0x{:x}:ud", predicate, random_.below(4));
        const char* const relation = pick(relations);
        const bool combine = chance(20);
        for (unsigned first = 0; first < setting_.simd; first += size) {
            const std::string mask = first == 0 ? "M1_NM" : "M5_NM";
            if (first == 0 || chance(40))
                lines.push_back(number);
            if (first != 0 && chance(20))
                lines.emplace_back("add (M1_NM, 1) SUM(0,0)<1> SUM(0,0)<0;1,0> 0x1:ud");
            lines.push_back(fmt::format("cmp.{} ({}, {}) {}", relation, mask, size, compare));
            if (combine)
                lines.push_back(fmt::format("xor ({0}, {1}) {2} {2} PA1", mask, size, predicate));
        }
    }
    return fmt::format("({}{})", chance(30) ? "!" : "", predicate);
}

Node Maker::branch(unsigned depth, unsigned budget) {
    const std::string predicate = fmt::format("P{}", 1 + random_.below(4));
    const std::string skip = new_label();
    Node node;
    const std::string when = chance(25) ? agreed_condition(node.before) : condition(predicate, node.before);
    const unsigned kind = random_.below(10);
    // Lane by lane, together, or as lane 0 says.
    const std::string jump = kind < 6   ? fmt::format("goto (M1, {})", setting_.simd)
                             : kind < 8 ? std::string("goto (M1, 1)")
                                        : std::string("jmp (M1, 1)");
    if (chance(60) || budget < 4) {
        node.before.push_back(fmt::format("{} {} {}", when, jump, skip));
        node.body = block(depth + 1, budget);
        node.after = {skip + ":"};
        return node;
    }
    const std::string end = new_label();
    const std::string leave = kind < 8 ? jump : "jmp (M1, 1)";
    node.body.push_back({.before = {fmt::format("{} {} {}", when, jump, skip)},
                         .body = block(depth + 1, budget / 2),
                         .after = {fmt::format("{} {}", leave, end)}});
    node.body.push_back({.before = {skip + ":"}, .body = block(depth + 1, budget / 2), .after = {end + ":"}});
    return node;
}

Node Maker::loop(unsigned depth, unsigned budget) {
    const unsigned number = loops_++;
    const std::string head = new_label();
    const std::string latch = new_label();
    const std::string out = new_label();
    const bool together = chance(45);
    const bool asks_each = together && chance(40); // with a goto of all lanes
    const unsigned size = together ? 1 : setting_.simd;
    const char* const region = together ? "<0;1,0>" : "<1;1,0>";
    Node node;
    node.before = {fmt::format("mov ({}, {}) CNT{}(0,0)<1> 0x0:ud", together ? "M1_NM" : "M1", size, number),
                   head + ":"};
    exits_.push_back(out);
    exits_.push_back(latch);
    node.body = !together && chance(40) ? walk() : block(depth + 1, budget);
    exits_.pop_back();
    exits_.pop_back();
    const std::string mask = together ? "M1_NM" : "M1";
    node.after = {latch + ":", fmt::format("add ({0}, {1}) CNT{2}(0,0)<1> CNT{2}(0,0){3} 0x1:ud", mask, size,
                                           number, region)};
    const unsigned asked = asks_each ? setting_.simd : size;
    if (together) {
        const unsigned rounds = 1 + random_.below(4);
        const bool halves = asked == 32 && chance(60);
        for (unsigned first = 0; first < asked; first += 16)
            if (first == 0 || halves)
                node.after.push_back(fmt::format("cmp.lt ({0}, {1}) PL{2} CNT{2}(0,0)<0;1,0> 0x{3:x}:ud",
                                                 first == 0 ? "M1_NM" : "M5_NM", halves ? 16 : asked, number,
                                                 rounds));
    } else
        node.after.push_back(
            fmt::format("cmp.lt (M1, {0}) PL{1} CNT{1}(0,0)<1;1,0> LIM{1}(0,0)<1;1,0>", size, number));
    node.after.push_back(fmt::format("(PL{}) {} (M1, {}) {}", number,
                                     together && !asks_each && chance(40) ? "jmp" : "goto", asked, head));
    node.after.push_back(out + ":");
    return node;
}

// What a loop does that only looks at memory, where each lane may go as far as it likes: what was loaded
// says where to look next.
std::vector<Node> Maker::walk() {
    constexpr std::array operations{"add", "xor", "or", "mul", "shl"};
    const unsigned size = setting_.simd;
    std::vector<Node> nodes;
    for (unsigned left = 1 + random_.below(3); left > 0; --left) {
        Node node;
        const Place where = place(size <= 16);
        const bool flat = where.surface.empty();
        addresses({.size = size}, where, 4, flat, node.before);
        const std::string guard = plain_guard(20);
        node.before.push_back(flat ? fmt::format("{}svm_gather.4.1 (M1, {}) ADR_uq.0 {}", guard, size,
                                                 raw(4 * std::max(size, grf_ / 4), "ud"))
                                   : fmt::format("{}gather_scaled.4 (M1, {}) {} 0x0:ud ADR_ud.0 {}", guard,
                                                 size, where.surface, raw(4 * size, "ud")));
        nodes.push_back(std::move(node));
        for (unsigned more = random_.below(4); more > 0; --more)
            nodes.push_back(
                {.before = {fmt::format("{} (M1, {}) {} {} {}", pick(operations), size,
                                        general(Type::ud, size, true), general(Type::ud, size, false),
                                        chance(30) ? immediate(Type::ud) : general(Type::ud, size, false))}});
    }
    return nodes;
}

// One of several ways, by a number that all lanes share.
Node Maker::choice(unsigned depth, unsigned budget) {
    const unsigned ways = 2 + random_.below(2);
    const std::string end = new_label();
    std::vector<std::string> labels;
    for (unsigned i = 0; i < ways; ++i)
        labels.push_back(new_label());
    Node node;
    node.before = {fmt::format("and (M1_NM, 1) SUM(0,0)<1> {} 0x3:ud", general(isa::Type::ud, 1, false)),
                   fmt::format("switchjmp (M1, 1) SUM(0,0)<0;1,0> ({})", fmt::join(labels, ", "))};
    for (unsigned i = 0; i < ways; ++i)
        node.body.push_back({.before = {labels[i] + ":"},
                             .body = block(depth + 1, budget / ways),
                             .after = {fmt::format("jmp (M1, 1) {}", end)}});
    node.after = {end + ":"};
    return node;
}

// Lanes leave a loop, go to its next round, or end.
Node Maker::escape() {
    Node node;
    const std::string when = chance(25) ? agreed_condition(node.before)
                                        : condition(fmt::format("P{}", 1 + random_.below(4)), node.before);
    if (exits_.empty() || chance(5))
        node.before.push_back(fmt::format("{} ret (M1, {})", when, setting_.simd));
    else
        node.before.push_back(fmt::format("{} goto (M1, {}) {}", when, chance(80) ? setting_.simd : 1,
                                          exits_[random_.below(static_cast<unsigned>(exits_.size()))]));
    return node;
}

Node Maker::leaf() {
    if (chance(24))
        return message();
    if (chance(4))
        return element_of_lane();
    if (chance(2))
        return {.before = {fmt::format("mov (M1_NM, 1) %cr0(0,0)<1> 0x{:x}:ud", chance(50) ? 0x4c0U : 0U)}};
    if (chance(2))
        return {.before = {chance(50) ? "yield (M1, 1)"
                           : lsc_     ? "lsc_fence.ugm.none.local"
                                      : "fence_global"}};
    return instruction();
}

std::vector<Node> Maker::block(unsigned depth, unsigned budget) {
    std::vector<Node> nodes;
    while (budget > 0) {
        const unsigned kind = random_.below(100);
        const unsigned part = std::min(budget, 2 + random_.below(9));
        if (depth < deepest && kind < 8) {
            nodes.push_back(branch(depth, part));
        } else if (depth < deepest && kind < 13 && loops_ < 4) {
            nodes.push_back(loop(depth, part));
        } else if (depth < deepest && kind < 15) {
            nodes.push_back(choice(depth, part));
        } else if (kind < 18 && (!exits_.empty() || chance(8))) {
            nodes.push_back(escape());
            budget -= std::min(budget, 1U);
            continue;
        } else if (depth == 0 && barriers_ && kind < 22) {
            nodes.push_back({.before = {"barrier"}});
            continue;
        } else {
            nodes.push_back(leaf());
            --budget;
            continue;
        }
        budget -= part;
    }
    return nodes;
}

} // namespace visor::jit_fuzz
