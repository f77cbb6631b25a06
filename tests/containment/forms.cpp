#include "forms.h"

#include "isa/reference.h"
#include "isa/table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace visor::containment {

namespace {

using isa::Family;

bool touches_memory(const isa::Row& row) {
    constexpr std::array families{Family::scattered, Family::block, Family::svm,    Family::lsc,
                                  Family::atomic,    Family::typed, Family::sampler};
    return std::ranges::find(families, row.family) != families.end() && *row.unsupported == '\0' &&
           row.form != isa::TextForm::lsc_fence;
}

// Of each register size the first that has the row.
std::vector<const isa::Device*> devices_of(const isa::Row& row) {
    std::vector<const isa::Device*> found;
    for (const uint32_t grf : {32U, 64U})
        for (const isa::Device& device : isa::devices())
            if (device.executes && device.grf_bytes == grf && isa::contains(row.devices, device.id)) {
                found.push_back(&device);
                break;
            }
    return found;
}

void add_examples(std::vector<Form>& all) {
    for (const isa::Row* row : isa::table()) {
        if (!touches_memory(*row))
            continue;
        std::string line = isa::reference(*row).example;
        if (isa::has_predicate(*row) && !line.starts_with('('))
            line = "(P1) " + line;
        const bool image = row->family == Family::typed || row->family == Family::sampler ||
                           row->form == isa::TextForm::lsc_typed;
        for (const isa::Device* device : devices_of(*row)) {
            all.push_back({line, device->name, image ? "rgba8" : ""});
            if (image)
                all.push_back({line, device->name, "r32u"});
        }
    }
}

void add_flat(std::vector<Form>& all) {
    for (const char* const device : {"skl", "pvc"})
        for (const uint32_t unit : {1U, 4U, 8U})
            for (const uint32_t count : {1U, 2U, 4U, 8U}) {
                all.push_back({fmt::format("(P1) svm_gather.{}.{} (M1, 16) V0032.0 V0033.0", unit, count),
                               device, "", unit * count});
                all.push_back({fmt::format("(P1) svm_scatter.{}.{} (M1, 16) V0032.0 V0033.0", unit, count),
                               device, "", unit * count});
            }
    for (const char* const op : {"add", "inc", "cmpxchg", "fmin"})
        for (const uint32_t bits : {16U, 32U, 64U}) {
            const std::string width = bits == 32 ? "" : fmt::format(".{}", bits);
            const bool one = std::string_view(op) == "inc";
            const bool two = std::string_view(op) == "cmpxchg";
            if (bits != 32 && std::string_view(op) == "fmin")
                continue;
            all.push_back({fmt::format("(P1) svm_atomic.{}{} (M1, 16) V0032.0 V0033.0 {} {}", op, width,
                                       one ? "%null.0" : "V0034.0", two ? "V0035.0" : "%null.0"),
                           "pvc", "", bits / 8});
        }
}

struct Data {
    const char* word;
    uint32_t bytes;
};
constexpr std::array data{Data{"d8c32", 1},  Data{"d16c32", 2}, Data{"d32", 4},
                          Data{"d32x2", 8},  Data{"d32x3", 12}, Data{"d32x4", 16},
                          Data{"d32x8", 32}, Data{"d64", 8},    Data{"d64x4", 32}};

void add_lsc(std::vector<Form>& all) {
    for (const char* const device : {"dg2", "pvc"})
        for (const Data& each : data) {
            all.push_back({fmt::format("(P1) lsc_load.ugm (M1, 16) V0033:{} flat[V0032]:a64", each.word),
                           device, "", each.bytes});
            all.push_back({fmt::format("(P1) lsc_store.ugm (M1, 16) flat[V0032]:a64 V0033:{}", each.word),
                           device, "", each.bytes});
            all.push_back(
                {fmt::format("(P1) lsc_load.ugm (M1, 16) V0033:{} bti(0x2)[V0032]:a32", each.word), device});
            all.push_back(
                {fmt::format("(P1) lsc_store.ugm (M1, 16) bti(0x2)[V0032+0x10]:a32 V0033:{}", each.word),
                 device});
            all.push_back(
                {fmt::format("(P1) lsc_load.slm (M1, 16) V0033:{} flat[V0032]:a32", each.word), device});
            all.push_back(
                {fmt::format("(P1) lsc_store.slm (M1, 16) flat[V0032-0x8]:a32 V0033:{}", each.word), device});
        }
    for (const char* const where :
         {"ugm (M1, 16) V0033:d32 flat[V0032]:a64", "ugm (M1, 16) V0033:d32 bti(0x2)[V0032]:a32",
          "slm (M1, 16) V0033:d32 flat[V0032]:a32"}) {
        const uint32_t unit = std::string_view(where).ends_with("a64") ? 4 : 0;
        all.push_back({fmt::format("(P1) lsc_atomic_iadd.{} V0034 %null", where), "pvc", "", unit});
        all.push_back({fmt::format("(P1) lsc_atomic_icas.{} V0034 V0035", where), "pvc", "", unit});
        all.push_back({fmt::format("(P1) lsc_atomic_fadd.{} V0034 %null", where), "pvc", "", unit});
    }
    for (const uint32_t count : {4U, 8U, 16U, 64U}) {
        all.push_back({fmt::format("(P1) lsc_load.ugm (M1, 1) V0033:d32x{}t flat[V0032]:a64", count), "pvc",
                       "", 4 * count, 1});
        all.push_back({fmt::format("(P1) lsc_store.ugm (M1, 1) bti(0x2)[V0032]:a32 V0033:d32x{}t", count),
                       "pvc", "", 0, 1});
        all.push_back(
            {fmt::format("(P1) lsc_load.slm (M1, 1) V0033:d32x{}t flat[V0032]:a32", count), "pvc", "", 0, 1});
    }
}

// Small handles, and any number at all.
void add_handles(std::vector<Form>& all) {
    for (const char* const device : {"dg2", "pvc"})
        for (const char* const word : {"d8c32", "d32", "d32x4"})
            for (const char* const handle : {"0x2", "V0036(0,0)", "V0036_uq(0,0)"}) {
                all.push_back(
                    {fmt::format("(P1) lsc_load.ugm (M1, 1) V0033:{} bss({})[V0032]:a32", word, handle),
                     device, "", 0, 1});
                all.push_back(
                    {fmt::format("(P1) lsc_store.ugm (M1, 1) bss({})[V0032]:a32 V0033:{}", handle, word),
                     device, "", 0, 1});
            }
    all.push_back({"(P1) lsc_load.ugm (M1, 1) V0033:d32 bss(V0033(0,0))[V0032]:a32", "pvc", "", 0, 1});
    all.push_back({"(P1) lsc_atomic_iadd.ugm (M1, 1) V0033:d32 bss(V0036(0,0))[V0032]:a32 V0034 %null", "pvc",
                   "", 0, 1});
    all.push_back({"lsc_store.ugm (M1, 1) ss(V0036(0,0))[V0032]:a32 V0033:d32x16t", "pvc", "", 0, 1});
}

void add_surfaces(std::vector<Form>& all) {
    for (const char* const device : {"skl", "pvc"})
        for (const char* const surface : {"T6", "%slm", "%scratch"}) {
            if (std::string_view(surface) == "%scratch" && std::string_view(device) == "pvc")
                continue;
            for (const uint32_t bytes : {1U, 2U, 4U})
                for (const char* const verb : {"gather", "scatter"}) {
                    all.push_back({fmt::format("(P1) {}_scaled.{} (M1, 16) {} 0x0:ud V0032.0 V0033.0", verb,
                                               bytes, surface),
                                   device});
                    all.push_back(
                        {fmt::format("(P1) {}_scaled.{} (M1, 16) {} V0032(0,0)<0;1,0> V0032.0 V0033.0", verb,
                                     bytes, surface),
                         device});
                    all.push_back(
                        {fmt::format("{}.{} (M1, 16) {} 0x0:ud V0032.0 V0033.0", verb, bytes, surface),
                         device});
                }
            for (const char* const verb : {"gather", "scatter"})
                for (const char* const channels : {"R", "A", "RGBA", "GA"})
                    all.push_back({fmt::format("(P1) {}4_scaled.{} (M1, 16) {} 0x0:ud V0032.0 V0033.0", verb,
                                               channels, surface),
                                   device});
            for (const uint32_t count : {1U, 2U, 4U, 8U})
                for (const char* const verb : {"oword_ld", "oword_st", "oword_ld_unaligned"})
                    all.push_back(
                        {fmt::format("{} ({}) {} V0032(0,0)<0;1,0> V0033.0", verb, count, surface), device});
            for (const char* const width : {"", ".16", ".64"})
                all.push_back(
                    {fmt::format("(P1) dword_atomic.add{} (M1, 16) {} V0032.0 V0034.0 %null.0 V0033.0", width,
                                 surface),
                     device});
        }
    for (const uint32_t count : {1U, 2U, 4U, 8U})
        for (const char* const verb : {"qw_gather", "qw_scatter"})
            all.push_back({fmt::format("(P1) {}.{} (M1, 16) T6 V0032.0 V0033.0", verb, count), "pvc"});
    for (const uint32_t count : {1U, 2U, 4U, 8U})
        for (const char* const verb : {"svm_block_ld", "svm_block_ld.unaligned", "svm_block_st"})
            all.push_back(
                {fmt::format("{} ({}) V0032_uq(0,0)<0;1,0> V0033.0", verb, count), "skl", "", 16 * count, 1});
}

} // namespace

std::vector<Form> forms() {
    std::vector<Form> all;
    add_examples(all);
    add_flat(all);
    add_lsc(all);
    add_handles(all);
    add_surfaces(all);
    for (Form& form : all)
        form.offsets =
            form.unit == 0 &&
            (form.line.contains("T6") || form.line.contains("%s") || form.line.contains("bti(") ||
             (form.line.contains("ss(") && !form.line.contains("_uq")) || form.line.contains("slm"));
    return all;
}

std::string text_of(const Form& form) {
    std::string text = ".version 4.1\n.kernel \"contained\"\n";
    for (size_t i = 0; i < variables; ++i)
        text += fmt::format(".decl V00{0} v_type=G type=ud num_elts=256 align=GRF\n"
                            ".decl V00{0}_uq v_type=G type=uq num_elts=128 alias=<V00{0}, 0>\n",
                            32 + i);
    text += ".decl MASK v_type=G type=ud num_elts=1 align=GRF\n.decl P1 v_type=P num_elts=32\n"
            ".decl P2 v_type=P num_elts=32\n.decl A0 v_type=A num_elts=16\n.decl S0 v_type=S num_elts=1\n"
            ".decl T6 v_type=T num_elts=1\n.decl OUT v_type=T num_elts=1\n";
    for (size_t i = 0; i < variables; ++i)
        text +=
            fmt::format(".input V00{} offset={} size={}\n", 32 + i, 64 + i * variable_bytes, variable_bytes);
    text += ".input MASK offset=8192 size=4\n.kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
            "    setp (M1_NM, 32) P1 MASK(0,0)<0;1,0>\n    " +
            form.line + "\n";
    for (size_t i = 0; i < 4; ++i)
        text += fmt::format("    oword_st (8) OUT 0x{:x}:ud V00{}.0\n", 8 * i, 32 + i);
    return text + "    ret (M1, 1)\n";
}

} // namespace visor::containment
