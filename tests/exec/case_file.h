// A case file, tests/exec/<family>/<mnemonic>.case, as data: literal cases with operands, lines of vISA and
// expected lanes, and sweeps whose expected lanes come from the oracle. Words stay words here; what a value
// means depends on a type and is literal.h's. docs/dev/test-suites.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::exec_test {

// `name type[elements] = words`; of `buffer` too. `image T6 rgba8 4x2 ub = 1 2 3`.
struct Array {
    std::string name;
    std::string type;
    size_t elements = 0; // 0: as many as there are words
    std::vector<std::string> words;
    size_t line = 0;
    std::string format; // of an image: `image name format size type = words`
    std::string size;
};

// `sampler S0 linear clamp_edge normalized less`
struct SamplerWords {
    std::string name;
    std::vector<std::string> words;
};

// `name+offset type = words`; of a predicate `name = bits`.
struct Expectation {
    std::string name;
    size_t byte_offset = 0;
    std::string type; // "": a predicate
    std::vector<std::string> words;
    size_t line = 0;
};

struct Predicate {
    std::string name;
    uint32_t elements = 32;
    uint32_t bits = 0;
};

// `outside 3 T6+12`: lane 3 (-1: no single one) touched what begins 12 bytes into T6 and lies outside.
struct Outside {
    int lane = -1;
    std::string buffer;
    uint64_t byte_offset = 0;
};

struct LiteralCase {
    std::string name;
    size_t line = 0;
    std::vector<Array> inputs;
    std::vector<Array> buffers; // and images
    std::vector<SamplerWords> samplers;
    std::vector<Predicate> predicates;
    std::vector<std::string> declarations; // further .decl lines
    std::vector<std::string> code;
    std::vector<Expectation> expectations;
    std::vector<std::string> devices; // empty: one for each register size
    uint32_t simd = 32;
    uint32_t threads = 1;
    uint32_t control = 0x4c0; // %cr0: denormals are kept
    std::string fault;        // what the run's error is to say
    std::optional<Outside> outside;
};

enum class Breadth : uint8_t {
    full,  // every variant in every execution size
    mix,   // plain and one variant in every execution size
    modes, // plain, in every rounding mode and with denormals flushed
};

struct Sweep {
    size_t line = 0;
    Breadth breadth = Breadth::full;
    std::vector<std::vector<std::string>> columns; // types of destination and sources
};

struct CaseFile {
    std::string path;
    std::string family;
    std::string mnemonic;
    std::vector<std::string> suffixes{""};
    std::vector<std::string> variants;             // empty: all
    double ulps = 0;                               // of the math unit's results, 0: exact
    bool moderate = false;                         // floats of small magnitude only
    std::map<std::string, std::string> exceptions; // "size 2", "src0 vf" -> why
    std::vector<Sweep> sweeps;
    std::vector<LiteralCase> cases;
};

// Error: `path:line: what`.
[[nodiscard]] std::expected<CaseFile, std::string> read_case_file(const std::string& path);

[[nodiscard]] std::vector<std::string> words_of(std::string_view line);

} // namespace visor::exec_test
