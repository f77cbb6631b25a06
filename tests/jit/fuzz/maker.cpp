#include "maker.h"

#include "isa/device.h"
#include "isa/table.h"
#include "rig.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::jit_fuzz {

using isa::Type;

namespace {

constexpr std::array view_types{Type::ud, Type::d, Type::uw, Type::w,  Type::ub, Type::b,
                                Type::uq, Type::q, Type::f,  Type::df, Type::hf, Type::bf};

// Rows that vector() can fill, and whose results are to be the same bit for bit.
bool is_drawn(const isa::Row& row, const isa::Device& device) {
    const bool family = row.family == isa::Family::arith || row.family == isa::Family::logic ||
                        row.family == isa::Family::compare || row.family == isa::Family::move;
    if (!family || row.form != isa::TextForm::regular || *row.unsupported != '\0' ||
        !isa::contains(row.devices, device.id))
        return false;
    constexpr std::array inexact = std::to_array<std::string_view>(
        {"exp", "log", "sin", "cos", "pow", "rsqrt", "tanh", "sigm", "movs", "invm", "rsqtm"});
    return std::ranges::find(inexact, row.mnemonic) == inexact.end() &&
           std::ranges::none_of(row.format, [](const isa::Field& field) {
               return field.kind == isa::FieldKind::raw_dst || field.kind == isa::FieldKind::raw_src;
           });
}

template <class Test>
bool any_line(const Node& node, const Test& test) {
    return std::ranges::any_of(node.before, test) || std::ranges::any_of(node.after, test) ||
           std::ranges::any_of(node.body, [&test](const Node& child) { return any_line(child, test); });
}

bool names(const Node& node, std::string_view name) {
    return any_line(node, [name](const std::string& line) { return line.find(name) != std::string::npos; });
}

// Whether the operand at `at` may be a destination; raw ones are, unless the message stores.
bool may_be_written(const std::string& line, size_t at, size_t length) {
    if (line[at - 1] == '&' || line.find("addc") != std::string::npos ||
        line.find("subb") != std::string::npos)
        return true;
    const size_t view = line.find_first_of("(.", at + length);
    if (view != std::string::npos && line[view] == '.')
        return line.find("_st ") == std::string::npos && line.find("_store") == std::string::npos &&
               line.find("scatter") == std::string::npos;
    return line.find(") " + line.substr(at, length)) == at - 2;
}

// `name`: with what ends it.
bool writes(const Node& node, std::string_view name) {
    return any_line(node, [name](const std::string& line) {
        for (size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1))
            if (at >= 2 && may_be_written(line, at, name.size()))
                return true;
        return false;
    });
}

} // namespace

const char* name_of(Type type) {
    return isa::facts(type).name;
}

std::string Maker::Execution::text() const {
    return fmt::format("(M{}{}, {})", offset / 4 + 1, no_mask ? "_NM" : "", size);
}

Maker::Maker(Random random, Lengths lengths) : random_(random) {
    if (lengths == Lengths::mixed)
        choose_length();
    setting_.data = random_.next() >> 1U;
    choose_setting();
    const isa::Device& device = *isa::device_named(setting_.device);
    grf_ = device.grf_bytes;
    lsc_ = device.lsc;
    for (const isa::Row* row : isa::table())
        if (is_drawn(*row, device))
            rows_.push_back(row);
}

void Maker::choose_setting() {
    constexpr std::array<uint32_t, 4> widths{8, 16, 16, 32};
    setting_.device = chance(50) ? "skl" : "pvc";
    setting_.simd = pick(widths);
    setting_.threads = chance(65) ? 1 : 2 + random_.below(3);
    setting_.groups = chance(85) ? 1 : 2;
    if (chance(35))
        setting_.last_lanes = 1 + random_.below(setting_.simd);
    setting_.level = chance(60) ? 0 : 1 + random_.below(2);
    setting_.lowered = !chance(4);
    setting_.tiers = chance(50) ? 0 : 1 + random_.below(2);
    setting_.launches = 3;
    tame_ = chance(50);
    faulty_ = chance(5);
    local_ = chance(40);
    barriers_ = setting_.threads > 1 ? chance(70) : chance(10);
}

// LLVM's time for a program grows faster than its length, and most mistakes need few instructions.
void Maker::choose_length() {
    short_ = random_.below(64) != 0;
    budget_ = chance(85) ? 1 + random_.below(3) : 4 + random_.below(9);
}

void Maker::declare_general(const std::string& name, Type type, uint32_t bytes, bool input) {
    Declaration made{.name = name,
                     .base = "",
                     .line = fmt::format(".decl {} v_type=G type={} num_elts={} align=GRF", name,
                                         name_of(type), bytes / isa::size_of(type)),
                     .input = ""};
    if (input) {
        made.input = fmt::format(".input {} offset={} size={}", name, input_offset_, bytes);
        input_offset_ += (bytes + 63) / 64 * 64;
    }
    declarations_.push_back(std::move(made));
}

void Maker::declare_views(const Root& root) {
    for (const Type type : view_types) {
        const std::string name = fmt::format("{}_{}", root.name, name_of(type));
        declarations_.push_back({name, root.name,
                                 fmt::format(".decl {} v_type=G type={} num_elts={} alias=<{}, 0>", name,
                                             name_of(type), root.bytes / isa::size_of(type), root.name),
                                 ""});
    }
}

void Maker::declare() {
    constexpr std::array<uint32_t, 9> sizes{32, 64, 128, 128, 128, 128, 256, 256, 512};
    constexpr std::array<uint32_t, 8> short_sizes{32, 64, 64, 128, 128, 128, 256, 512};
    constexpr std::array tame_types{Type::ud, Type::d,  Type::f,  Type::f,
                                    Type::uw, Type::hf, Type::uq, Type::df};
    const unsigned count = (short_ ? 2 : 6) + random_.below(3);
    for (unsigned i = 0; i < count; ++i) {
        Root root{.name = fmt::format("V{}", i),
                  .bytes = short_ ? pick(short_sizes) : pick(sizes),
                  .type = pick(tame_types),
                  .tame = false};
        root.tame = tame_ && chance(80);
        if (root.tame)
            root.bytes = std::max<uint32_t>(32, setting_.simd * isa::size_of(root.type));
        roots_.push_back(root);
    }
    const uint32_t last_bytes = short_ && chance(75) ? 16 * setting_.simd : 1024;
    roots_.push_back(
        {.name = "V9", .bytes = last_bytes, .type = Type::ud, .tame = false}); // room for messages
    for (const Root& root : roots_) {
        declare_general(root.name, Type::ub, root.bytes, chance(85));
        declare_views(root);
    }
    for (const char* const name : {"ADR", "OFFS", "SLM"}) {
        declare_general(name, Type::ub, 512, false);
        declare_views({.name = name, .bytes = 512, .type = Type::ud, .tame = false});
    }
    declare_general("LANE", Type::uw, 64, true);
    declare_general("LOFF", Type::ud, 128, false);
    declare_general("TID", Type::ud, 4, true);
    declare_general("OFF", Type::ud, 4, false);
    declare_general("SUM", Type::ud, 4, false);
    declare_general("BITS", Type::ud, 128, false);
    declare_general("BASE0", Type::uq, 8, true);
    declare_general("BASE2", Type::uq, 8, true);
    declare_general("SA", Type::uq, 8, false);
    for (unsigned i = 0; i < 4; ++i) {
        declare_general(fmt::format("CNT{}", i), Type::ud, 128, false);
        declare_general(fmt::format("LIM{}", i), Type::ud, 128, true);
        declarations_.push_back(
            {fmt::format("PL{}", i), "", fmt::format(".decl PL{} v_type=P num_elts=32", i), ""});
    }
    for (const char* const name : {"P1", "P2", "P3", "P4", "PA1", "PA2"})
        declarations_.push_back({name, "", fmt::format(".decl {} v_type=P num_elts=32", name), ""});
    for (unsigned i = 0; i < 4; ++i)
        declarations_.push_back(
            {fmt::format("A{}", i), "", fmt::format(".decl A{} v_type=A num_elts=16", i), ""});
}

std::vector<std::string> Maker::prologue(const Node& code) {
    std::vector<std::string> lines;
    const uint32_t mode = chance(60)   ? 0x4c0U
                          : chance(50) ? 0U
                                       : random_.below(0x20) * 0x40U | random_.below(4) << 4U;
    if (mode != 0 || chance(20))
        lines.push_back(fmt::format("mov (M1_NM, 1) %cr0(0,0)<1> 0x{:x}:ud", mode));
    if (!short_ || names(code, "LOFF"))
        lines.push_back(fmt::format("shl (M1_NM, {}) LOFF(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud",
                                    std::max(16U, setting_.simd)));
    for (unsigned i = 1; i <= 4; ++i)
        if ((!short_ || names(code, fmt::format("P{}", i))) && chance(75))
            lines.push_back(
                fmt::format("setp (M1_NM, 32) P{} 0x{:x}:ud", i, static_cast<uint32_t>(random_.next())));
    return lines;
}

// The offset in OUT of what is stored next, in units of `unit` bytes; counted by the kernel when threads
// share OUT.
std::string Maker::out_offset(uint32_t unit, std::vector<std::string>& lines) const {
    if (setting_.threads * setting_.groups == 1)
        return fmt::format("0x{:x}:ud", stored_ / unit);
    lines.push_back(fmt::format("add (M1_NM, 1) SUM(0,0)<1> OFF(0,0)<0;1,0> 0x{:x}:ud", stored_ / 16));
    if (unit != 16)
        lines.emplace_back("shl (M1_NM, 1) SUM(0,0)<1> SUM(0,0)<0;1,0> 0x4:ud");
    return "SUM(0,0)<0;1,0>";
}

void Maker::store_block(const std::string& variable, uint32_t bytes, std::vector<std::string>& lines) {
    for (uint32_t done = 0; done < bytes;) {
        uint32_t piece = 128;
        while (piece > bytes - done)
            piece /= 2;
        const std::string offset = out_offset(16, lines);
        lines.push_back(fmt::format("oword_st ({}) OUT {} {}.{}", piece / 16, offset, variable, done));
        done += piece;
        stored_ += piece;
    }
}

// As a whole, or what the lanes that are on have in it.
void Maker::observe(const Root& root, std::vector<std::string>& lines) {
    const bool by_lane = root.bytes >= 4 * setting_.simd && chance(root.tame && !short_ ? 50 : 20);
    if (!by_lane)
        return store_block(root.name + "_ud", root.bytes, lines);
    const std::string offset = out_offset(1, lines);
    lines.push_back(
        fmt::format("scatter_scaled.4 (M1, {}) OUT {} LOFF.0 {}_ud.0", setting_.simd, offset, root.name));
    stored_ += 4 * setting_.simd;
}

bool Maker::is_observed(const Root& root, const Node& code) {
    if (short_) // what else changes it is a mistake that needs no more than a few of them
        return writes(code, root.name + "_") || writes(code, root.name + ' ') || chance(5);
    return chance(root.name == "V9" ? 40 : 75);
}

std::vector<std::string> Maker::epilogue(const Node& code) {
    const uint64_t window = out_bytes / (uint64_t{setting_.threads} * setting_.groups) / 16;
    std::vector<std::string> lines;
    if (setting_.threads > 1)
        lines.push_back(fmt::format("mul (M1_NM, 1) OFF(0,0)<1> TID(0,0)<0;1,0> 0x{:x}:ud", window));
    if (setting_.groups > 1) {
        lines.push_back(fmt::format("mul (M1_NM, 1) SUM(0,0)<1> %group_id_x(0,0)<0;1,0> 0x{:x}:ud",
                                    window * setting_.threads));
        lines.emplace_back("add (M1_NM, 1) OFF(0,0)<1> OFF(0,0)<0;1,0> SUM(0,0)<0;1,0>");
    }
    for (const Root& root : roots_)
        if (is_observed(root, code))
            observe(root, lines);
    bool predicates = !short_;
    for (unsigned i = 1; i <= 4; ++i)
        if (short_ ? writes(code, fmt::format("P{} ", i)) : chance(60)) {
            lines.push_back(fmt::format("mov (M1_NM, 1) BITS(0,{})<1> P{}", i, i));
            predicates = true;
        }
    if (predicates)
        store_block("BITS", 32, lines);
    if (local_ && (!short_ || names(code, "slm"))) {
        for (uint32_t i = 0; i < 4; ++i)
            lines.push_back(
                fmt::format("gather_scaled.4 (M1_NM, 16) %slm 0x{:x}:ud LOFF.0 SLM_ud.{}", 64 * i, 64 * i));
        store_block("SLM_ud", 256, lines);
    }
    lines.emplace_back("ret (M1, 1)");
    return lines;
}

Recipe Maker::make() {
    declare();
    Recipe recipe;
    recipe.setting = setting_;
    recipe.head = ".version 4.1\n.kernel \"fuzz\"\n";
    for (const char* const name : {"B0", "B1", "B2", "OUT", "UNBOUND"})
        recipe.head += fmt::format(".decl {} v_type=T num_elts=1\n", name);
    if (short_) { // its frame is drawn last
        recipe.code.body = block(0, budget_);
        recipe.code.after = epilogue(recipe.code);
        recipe.code.before = prologue(recipe.code);
    } else {
        recipe.code.before = prologue(recipe.code);
        recipe.code.body = block(0, 12 + random_.below(26));
        recipe.code.after = epilogue(recipe.code);
    }
    recipe.declarations = std::move(declarations_);
    // Attributes follow declarations; the last line of inputs' place will do.
    Declaration attributes{.name = "", .base = "", .line = "", .input = ""};
    attributes.input =
        fmt::format(".kernel_attr SimdSize={}{}", setting_.simd, local_ ? "\n.kernel_attr SLMSize=1" : "");
    recipe.declarations.push_back(std::move(attributes));
    return recipe;
}

} // namespace visor::jit_fuzz
