#include "repeated.h"

namespace visor::bench {

namespace {

constexpr std::string_view begin = ".version 4.1\n.kernel \"k\"\n";
constexpr std::string_view end = "ret (M1, 1)\n";
constexpr std::string_view variable = ".version 4.1\n.kernel \"k\"\n.decl V v_type=G type=ud num_elts=8\n";
constexpr std::string_view newer_end = "lsc_fence.ugm.none.group (M1, 1)\nret (M1, 1)\n";
constexpr std::string_view metadata = "//! visor: version 1\n//! visor: device skl\n";

// As many errors as are kept, each with a hint that looks at all names.
std::string_view undeclared() {
    static const std::string text = [] {
        std::string out;
        for (int i = 0; i < 100; ++i)
            out += "mov (M1, 8) W" + std::to_string(i * 97) + "(0,0)<1> 0x0:ud\n";
        return out;
    }();
    return text;
}

std::vector<Repeated> declarations() {
    return {
        {"declarations", begin, ".decl V# v_type=G type=ud num_elts=8 align=GRF\n", end},
        {"aliases", variable, ".decl V# v_type=G type=ud num_elts=1 alias=<V,0>\n", end},
        {"chain-of-aliases",
         ".version 4.1\n.kernel \"k\"\n.decl V0 v_type=G type=ud num_elts=8\n.decl V1 v_type=G "
         "type=ud num_elts=1 alias=<V0,0>\n",
         ".decl W# v_type=G type=ud num_elts=1 alias=<V1,0>\n", end},
        {"predicates", begin, ".decl P# v_type=P num_elts=8\n", end},
        {"surfaces", begin, ".decl T1# v_type=T num_elts=1\n", end},
        {"inputs", variable, ".input V offset=32 size=32\n", end},
        {"declared-twice", variable, ".decl V v_type=G type=ud num_elts=8\n", end},
        {"bad-declarations", begin, ".decl V# v_type=G type=xd num_elts=8\n", end},
        {"bad-counts", begin, ".decl P# v_type=P num_elts=3\n", end},
        {"bad-parts", begin, ".decl V# v_typ=G\n", end},
        {"one-expression", ".version 4.1\n.kernel \"k\"\n.decl V v_type=G type=ud num_elts=1", "+0",
         "\nret (M1, 1)\n"},
        // attributes
        {"unknown-attributes", begin, ".kernel_attr A#=1\n", end},
        {"attribute-twice", begin, ".kernel_attr SLMSize=1\n", end},
        {"attributes-of-a-line",
         ".version 4.1\n.kernel \"k\"\n.decl V v_type=G type=ud num_elts=8 attrs={Scope=1", ", a#=#",
         "}\nret (M1, 1)\n"},
        {"attribute-strings", begin, ".kernel_attr AsmName=\"a\\n#\"\n", end},
    };
}

std::vector<Repeated> kernels_and_labels() {
    return {
        {"kernels", ".version 4.1\n", ".kernel \"k#\"\nret (M1, 1)\n", ""},
        {"kernels-twice", ".version 4.1\n", ".kernel \"k\"\nret (M1, 1)\n", ""},
        {"empty-kernels", ".version 4.1\n", ".kernel \"k#\"\n", ""},
        {"scopes", begin, "{}\n", end},
        {"scopes-in-scopes", begin, "{\n", end},
        {"shadows", variable, "{\n.decl V v_type=G type=ud num_elts=8\n", end},
        {"labels", begin, "L#:\n", end},
        {"labels-twice", begin, "L:\n", end},
        {"undefined-labels", begin, "goto (M1, 8) L#\n", end},
        {"undefined-among-many", begin, "L#:\ngoto (M1, 8) M#\n", end},
        {"subroutines", begin, ".function \"f#\"\nL#:\ncall (M1, 8) f#\nret (M1, 1)\n", end},
        {"functions-called", begin, "fcall (M1, 8) f# 0 0\n", end},
        {"jumps", begin, "L#:\ngoto (M1, 8) L#\n", end},
    };
}

std::vector<Repeated> instructions() {
    return {
        {"instructions", variable, "mov (M1, 8) V(0,0)<1> 0x#:ud\n", end},
        {"instructions-of-many", begin,
         ".decl V# v_type=G type=ud num_elts=8\nmov (M1, 8) V#(0,0)<1> 0x0:ud\n", end},
        {"lines", begin, "LOC #\n", end},
        {"files", begin, "FILE \"a#\"\n", end},
        {"unknown-instructions", begin, "moov# (M1, 8) V(0,0)<1> 0x0:ud\n", end},
        {"undeclared", begin, "mov (M1, 8) V#(0,0)<1> 0x0:ud\n", end},
        {"undeclared-among-many", begin,
         ".decl V# v_type=G type=ud num_elts=8\nmov (M1, 8) W#(0,0)<1> 0x0:ud\n", end},
        {"bad-operands", variable, "mov (M1, 8) V(9,0)<1> V(0,0)<0;1,0>\n", end},
        {"bad-sizes", variable, "mov (M1, 7) V(0,0)<1> 0x0:ud\n", end},
        {"warned-of", variable, ".decl U# v_type=G type=ud num_elts=4096\n", end},
        {"jump-table", begin, "L#:\nswitchjmp (M1, 1) 0 (L#)\n", end},
        {"one-jump-table", ".version 4.1\n.kernel \"k\"\nL:\nswitchjmp (M1, 1) 0 (L", ", L",
         ")\nret (M1, 1)\n"},
    };
}

std::vector<Repeated> blanks() {
    return {
        {"empty-lines", begin, "\n", end},
        {"joined-lines", begin, "\\\n", end},
        {"comments", begin, "/* # */ // #\n", end},
        {"open-comments", begin, "/* #\n", end},
        {"nothing", begin, "???\n", end},
        {"quotes", begin, "\"\n", end},
        {"braces", begin, "}\n", end},
        {"one-name", begin, "aaaaaaaa", end},
        {"one-bad-line", begin, "mov (M1, 8) ", end},
    };
}

std::vector<Repeated> devices_and_metadata() {
    return {
        // Verified for each device that has it.
        {"newer-attributes", begin, ".kernel_attr A#=1\n", newer_end},
        {"newer-bad-operands", variable, "mov (M1, 8) V(9,0)<1> V(0,0)<0;1,0>\n", newer_end},
        {"hints-of-many", begin, ".decl V# v_type=G type=ud num_elts=8\n", undeclared()},
        {"metadata-kernels", "//! visor: version 1\n//! visor: device skl\n//! visor: ze_info kernels:\n",
         "//! visor: ze_info   - {name: k#, execution_env: {simd_size: 8}}\n",
         ".version 4.1\n.kernel \"k0\"\nret (M1, 1)\n"},
        {"metadata-sections", metadata, "//! visor: section a# constant 4\n", ".version 4.1\n"},
        {"metadata-symbols", "//! visor: version 1\n//! visor: device skl\n//! visor: section a constant 4\n",
         "//! visor: symbol 0 0 x#\n", ".version 4.1\n"},
        {"metadata-errors", metadata, "//! visor: symbols 0 0 x#\n", ".version 4.1\n"},
        {"metadata-unknown", metadata, "//! visor: unknown x#\n", ".version 4.1\n"},
        {"metadata-missing",
         "//! visor: version 1\n//! visor: device skl\n//! visor: ze_info kernels:\n//! visor: "
         "ze_info   - {name: k, execution_env: {simd_size: 8}}\n.version 4.1\n",
         ".kernel \"k#\"\nret (M1, 1)\n", ""},
    };
}

} // namespace

const std::vector<Repeated>& repeated_kinds() {
    static const std::vector<Repeated> kinds = [] {
        std::vector<Repeated> all;
        for (const auto& part :
             {declarations(), kernels_and_labels(), instructions(), blanks(), devices_and_metadata()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kinds;
}

std::string text_of(const Repeated& kind, size_t bytes) {
    std::string out(kind.before);
    for (size_t number = 0; out.size() + kind.after.size() < bytes; ++number) {
        for (const char c : kind.line) {
            if (c == '#')
                out += std::to_string(number);
            else
                out += c;
        }
    }
    out += kind.after;
    return out;
}

} // namespace visor::bench
