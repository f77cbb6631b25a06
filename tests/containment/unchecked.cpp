// Compiled code whose checks were forgotten: one kind of pointer after the other loses its marks, in the
// kernel of every message, with all lanes and with some, on each tier and with less of the CPU; the verifier
// of accesses has to refuse each. A kind that no kernel has a pointer of fails: nobody would know whether it
// is seen.
#include "forms.h"

#include "isa/predefined.h"
#include "jit/driver/pipeline.h"
#include "jit/engine/access_mark.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace visor::containment {
namespace {

using jit::Guard;
using jit::Use;

// Every kind that compiled code has.
constexpr std::array kinds{
    jit::Mark{Guard::flat, Use::unit},          jit::Mark{Guard::flat, Use::row},
    jit::Mark{Guard::flat, Use::masked_row},    jit::Mark{Guard::flat, Use::lanes},
    jit::Mark{Guard::flat, Use::block},         jit::Mark{Guard::flat, Use::atomic},
    jit::Mark{Guard::flat, Use::ahead},         jit::Mark{Guard::surface, Use::unit},
    jit::Mark{Guard::surface, Use::row},        jit::Mark{Guard::surface, Use::masked_row},
    jit::Mark{Guard::surface, Use::lanes},      jit::Mark{Guard::surface, Use::block},
    jit::Mark{Guard::surface, Use::block_tail}, jit::Mark{Guard::surface, Use::atomic},
    jit::Mark{Guard::surface, Use::ahead},      jit::Mark{Guard::local, Use::unit},
    jit::Mark{Guard::local, Use::row},          jit::Mark{Guard::local, Use::masked_row},
    jit::Mark{Guard::local, Use::lanes},        jit::Mark{Guard::local, Use::block},
    jit::Mark{Guard::local, Use::block_tail},   jit::Mark{Guard::local, Use::atomic},
    jit::Mark{Guard::scratch, Use::unit},       jit::Mark{Guard::scratch, Use::row},
    jit::Mark{Guard::scratch, Use::masked_row}, jit::Mark{Guard::scratch, Use::lanes},
    jit::Mark{Guard::scratch, Use::block},      jit::Mark{Guard::scratch, Use::block_tail},
    jit::Mark{Guard::registers, Use::unit},     jit::Mark{Guard::registers, Use::lanes},
    jit::Mark{Guard::windows, Use::unit},       jit::Mark{Guard::stack, Use::unit},
};

struct Kernel {
    std::string text;
    std::string device;
};

constexpr const char* lanes_end = "    scatter.4 (M1, 16) T6 0x0:ud ID.0 SUM.0\n    ret (M1, 1)\n";

// Variables, inputs, and the number of each lane.
std::string lanes_begin() {
    std::string text = ".version 4.1\n.kernel \"lanes\"\n"
                       ".decl ID v_type=G type=ud num_elts=16 align=GRF\n"
                       ".decl AT v_type=G type=uq num_elts=16 align=GRF\n"
                       ".decl X v_type=G type=ud num_elts=1 align=GRF\n"
                       ".decl Y v_type=G type=uq num_elts=1 align=GRF\n"
                       ".decl SUM v_type=G type=ud num_elts=16 align=GRF\n"
                       ".decl N v_type=G type=d num_elts=1 align=GRF\n"
                       ".decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=1\n"
                       ".decl A0 v_type=A num_elts=16\n"
                       ".decl T6 v_type=T num_elts=1\n";
    for (int k = 0; k < 8; ++k)
        text += fmt::format(".decl D{} v_type=G type=ud num_elts=16 align=GRF\n", k);
    return text + ".input X offset=64 size=4\n.input Y offset=72 size=8\n.kernel_attr SimdSize=16\n"
                  ".kernel_attr SLMSize=1\n"
                  "    mov (M1, 8) ID(0,0)<1> 0x76543210:v\n"
                  "    add (M1, 8) ID(0,8)<1> ID(0,0)<1;1,0> 0x8:ud\n";
}

std::string spread(int bytes) {
    return fmt::format("    mul (M1, 16) ID(0,0)<1> ID(0,0)<1;1,0> 0x{:x}:ud\n"
                       "    add (M1, 16) ID(0,0)<1> ID(0,0)<1;1,0> X(0,0)<0;1,0>\n"
                       "    mov (M1, 16) AT(0,0)<1> ID(0,0)<1;1,0>\n"
                       "    add (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> Y(0,0)<0;1,0>\n",
                       bytes);
}

// The surface that the code names.
std::string named(int number) {
    return fmt::format("    movs (M1, 1) T6(0) 0x{:x}:ud\n", number);
}

// Scratch memory, which older devices have as a surface.
std::string scratch_accesses() {
    std::string text = named(isa::bti_stateless);
    for (const char* const verb : {"gather", "scatter"})
        for (const char* const predicate : {"", "(P1) "})
            text += fmt::format("    {}{}_scaled.4 (M1, 16) T6 X(0,0)<0;1,0> ID.0 D0.0\n"
                                "    {}{}_scaled.4 (M1, 16) T6 0x0:ud D1.0 D0.0\n",
                                predicate, verb, predicate, verb);
    return text + "    oword_ld (4) T6 X(0,0)<0;1,0> D0.0\n    oword_st (4) T6 X(0,0)<0;1,0> D0.0\n";
}

std::string far_accesses() {
    std::string text;
    for (const char* const where : {"T6", "%slm"})
        for (const char* const verb : {"gather", "scatter"})
            text += fmt::format("    {}_scaled.4 (M1, 16) {} X(0,0)<0;1,0> ID.0 D0.0\n", verb, where);
    text += "    cmp.lt (M1, 16) P1 ID(0,0)<1;1,0> X(0,0)<0;1,0>\n";
    for (const char* const verb : {"gather", "scatter"})
        text += fmt::format("    svm_{0}.4.1 (M1, 16) AT.0 D0.0\n    (P1) svm_{0}.4.1 (M1, 16) AT.0 D0.0\n",
                            verb);
    return text;
}

// Rows of a group far from each other.
std::string group_rows(bool flat) {
    std::string text = "    barrier\n" + named(1);
    for (int k = 0; k < 8; ++k)
        text += flat ? fmt::format("    add (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x400:uq\n"
                                   "    svm_gather.4.1 (M1, 16) AT.0 D{}.0\n",
                                   k)
                     : fmt::format("    gather_scaled.4 (M1, 16) T6 0x{:x}:ud ID.0 D{}.0\n", 0x400 * k, k);
    for (int k = 0; k < 8; ++k)
        text += fmt::format("    add (M1, 16) SUM(0,0)<1> SUM(0,0)<1;1,0> D{}(0,0)<1;1,0>\n", k);
    return text;
}

std::string loop_over_rows(bool flat) {
    const std::string load = flat ? "    svm_gather.4.1 (M1, 16) AT.0 D0.0\n"
                                    "    add (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x4:uq\n"
                                  : "    gather_scaled.4 (M1, 16) T6 0x0:ud ID.0 D0.0\n"
                                    "    add (M1, 16) ID(0,0)<1> ID(0,0)<1;1,0> 0x4:ud\n";
    return "    mov (M1, 1) N(0,0)<1> 0x40:d\nagain:\n" + named(1) + load +
           "    add (M1, 16) SUM(0,0)<1> SUM(0,0)<1;1,0> D0(0,0)<1;1,0>\n"
           "    add (M1, 1) N(0,0)<1> N(0,0)<0;1,0> -1:d\n"
           "    cmp.gt (M1_NM, 1) P2 N(0,0)<0;1,0> 0x0:d\n"
           "    (P2) jmp (M1, 1) again\n";
}

// One register a thread, and one a lane.
std::string registers_by_address() {
    return "    addr_add (M1, 1) A0(0)<1> &SUM X(0,0)<0;1,0>\n"
           "    mov (M1, 1) r[A0(0),0]<1>:ud X(0,0)<0;1,0>\n"
           "    addr_add (M1, 8) A0(0)<1> &SUM ID(0,0)<1;1,0>\n"
           "    mov (M1, 8) D0(0,0)<1> r[A0(0),0]<1,0>:ud\n"
           "    add (M1, 8) SUM(0,0)<1> D0(0,0)<1;1,0> X(0,0)<0;1,0>\n";
}

// Lanes with constant distances, from a number on that the launch gives; a loop over rows; and what is read
// for a whole group.
std::vector<Kernel> kernels_of_lanes() {
    std::vector<Kernel> all;
    for (const char* const device : {"skl", "pvc"})
        for (const int apart : {4, 64}) {
            const std::string begin = lanes_begin() + spread(apart);
            if (std::string_view(device) == "skl")
                all.push_back({begin + scratch_accesses() + lanes_end, device});
            all.push_back({begin + far_accesses() + lanes_end, device});
            for (const bool flat : {false, true}) {
                all.push_back({begin + group_rows(flat) + lanes_end, device});
                all.push_back({begin + loop_over_rows(flat) + lanes_end, device});
            }
        }
    for (const char* const device : {"skl", "pvc"})
        all.push_back({lanes_begin() + registers_by_address() + lanes_end, device});
    return all;
}

std::vector<Kernel> kernels() {
    std::vector<Kernel> all = kernels_of_lanes();
    for (Form form : forms()) {
        if (!form.image.empty())
            continue; // images are the interpreter's
        all.push_back({text_of(form), form.device});
        if (form.line.starts_with("(P1) ")) {
            form.line = form.line.substr(5);
            all.push_back({text_of(form), form.device});
        }
    }
    return all;
}

struct Way {
    const char* name;
    jit::Tier tier;
    jit::Level level;
    bool eager;
};
constexpr std::array ways{Way{"best", jit::Tier::best, jit::Level::host, true},
                          Way{"best, AVX2", jit::Tier::best, jit::Level::avx2, false},
                          Way{"quick", jit::Tier::quick, jit::Level::host, false}};

// Gathers, and rows of flat messages that are read by lines, are AVX-512's.
bool host_has(const jit::Mark& kind) {
    static const bool gathers =
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    const std::string name = jit::name_of(kind);
    return gathers || name == "registers.lanes" || !(name.ends_with(".lanes") || name == "flat.ahead");
}

class Planting {
public:
    void run() {
        for (const Kernel& kernel : kernels()) {
            const auto program = prepared(kernel);
            if (!program)
                continue;
            ++kernels_;
            for (const Way& way : ways)
                look_at(kernel, *program, way);
        }
    }

    [[nodiscard]] int verdict() const {
        size_t missing = 0;
        size_t skipped = 0;
        for (const jit::Mark& kind : kinds) {
            const auto seen = seen_.find(jit::name_of(kind));
            const bool none = seen == seen_.end();
            const char* const why = host_has(kind) ? "no kernel has it" : "SKIPPED: needs AVX-512";
            fmt::print("{}: {}\n", jit::name_of(kind), none ? why : seen->second);
            missing += none && host_has(kind) ? 1U : 0U;
            skipped += none && !host_has(kind) ? 1U : 0U;
        }
        fmt::print("{} kernels, {} of {} kinds, {} skipped, {} failures\n", kernels_,
                   kinds.size() - missing - skipped, kinds.size(), skipped, failures_);
        return missing == 0 && failures_ == 0 && kernels_ > 300 ? EXIT_SUCCESS : EXIT_FAILURE;
    }

private:
    std::optional<Program> prepared(const Kernel& kernel) {
        const isa::Device& device = *isa::device_named(kernel.device);
        Diagnostics diagnostics;
        auto module = text::parse(kernel.text, {device.grf_bytes}, diagnostics);
        auto program =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device, diagnostics)
                   : std::nullopt;
        if (!program)
            fail(fmt::format("{}{}", diagnostics.all().front().message, kernel.text));
        return program;
    }

    // What compile() says without marks of a kind.
    static std::string without(jit::Mark kind, const Program& program, const Way& way) {
        jit::CompileOptions options{.level = way.level, .tier = way.tier, .eager = way.eager};
        options.unmarked = kind;
        const auto object = jit::compile(program, options);
        return object ? "accepted" : object.error();
    }

    // A kind that there is not tells which there are; of those, each that no kernel had so far.
    void look_at(const Kernel& kernel, const Program& program, const Way& way) {
        constexpr std::string_view lists = "no pointer of that kind: ";
        const std::string said = without({Guard::windows, Use::ahead}, program, way);
        const size_t list = said.find(lists);
        if (list == std::string::npos)
            return fail(fmt::format("{}: {}\n{}", way.name, said, kernel.text));
        const std::string names = " " + said.substr(list + lists.size()) + " ";
        for (const jit::Mark& kind : kinds) {
            const std::string name = jit::name_of(kind);
            if (seen_.contains(name) || !names.contains(" " + name + " "))
                continue;
            const std::string verdict = without(kind, program, way);
            if (verdict.contains("that nothing checked"))
                seen_[name] = fmt::format("refused ({})", way.name);
            else
                fail(fmt::format("{}, {}: {}\n{}", name, way.name, verdict, kernel.text));
        }
    }

    void fail(const std::string& what) {
        if (++failures_ <= 5)
            fmt::print(stderr, "{}\n", what);
    }

    std::map<std::string, std::string> seen_;
    size_t kernels_ = 0;
    size_t failures_ = 0;
};

} // namespace
} // namespace visor::containment

int main() {
    visor::containment::Planting planting;
    planting.run();
    return planting.verdict();
}
