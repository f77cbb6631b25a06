// What is in the binaries was read with readelf and by eye from their .ze_info; as comment lines it must say
// the same.
#include "launch/annotation.h"
#include "sample.h"

#include <gtest/gtest.h>
#include <random>

namespace visor::launch {
namespace {

constexpr std::string_view smallest = "//! visor: version 1\n//! visor: device skl\n"
                                      "//! visor: ze_info kernels:\n"
                                      "//! visor: ze_info - name: k\n"
                                      "//! visor: ze_info   execution_env: {simd_size: 16}\n";

std::optional<Zebin> read(const std::string& text, Diagnostics& diagnostics) {
    auto zebin = read_annotations(text, diagnostics);
    EXPECT_EQ(zebin.has_value(), diagnostics.ok());
    return zebin;
}

TEST(Annotation, SmallestText) {
    Diagnostics diagnostics;
    const auto zebin = read(std::string(smallest) + ".version 4.1\n", diagnostics);
    ASSERT_TRUE(zebin);
    EXPECT_EQ(zebin->device, isa::DeviceId::skl);
    ASSERT_EQ(zebin->kernels.size(), 1U);
    EXPECT_EQ(zebin->kernels[0].signature.name, "k");
    EXPECT_EQ(zebin->kernels[0].signature.simd, 16U);
}

TEST(Annotation, BlankLinesOtherCommentsAndLineEndsOfOtherSystems) {
    Diagnostics diagnostics;
    std::string text = "\xef\xbb\xbf// mine\r\n\r\n";
    for (const char c : smallest)
        text += c == '\n' ? std::string("\r\n  ") : std::string(1, c);
    ASSERT_TRUE(read(text, diagnostics)) << diagnostics.all().front().message;
    EXPECT_TRUE(is_annotated(text));
    EXPECT_FALSE(is_annotated("// //! visor: version 1\n.version 4.1\n"));
}

TEST(Annotation, ArgumentsOfACompiledKernel) {
    const Zebin from = sample("saxpy.skl.zebin");
    Diagnostics diagnostics;
    const auto zebin = read(annotations(from, *from.device), diagnostics);
    ASSERT_TRUE(zebin);
    ASSERT_EQ(zebin->kernels.size(), 2U);
    const Signature& saxpy = zebin->kernels[0].signature;
    EXPECT_EQ(saxpy.name, "saxpy");
    EXPECT_EQ(saxpy.simd, 32U);
    ASSERT_EQ(saxpy.arguments.size(), 4U);
    EXPECT_EQ(saxpy.arguments[0].name, "y");
    EXPECT_EQ(saxpy.arguments[0].type_name, "float*");
    EXPECT_EQ(saxpy.arguments[3].name, "n");
    EXPECT_EQ(saxpy.arguments[3].type_name, "int");
    ASSERT_EQ(saxpy.payload.size(), 11U);
    EXPECT_EQ(saxpy.payload[6].kind, PayloadKind::argument_value);
    EXPECT_EQ(saxpy.payload[6].offset, 48U);
    EXPECT_EQ(saxpy.payload[6].argument, 2);
    EXPECT_EQ(saxpy.bindings.size(), 2U);
    EXPECT_TRUE(saxpy.has_local_ids);
    EXPECT_EQ(saxpy.per_thread_bytes, 192U);
}

// scope.cl: table = {10, 20, 30, 40}, counter = 7, pointer = &counter, three longs of zero.
TEST(Annotation, ProgramScopeData) {
    const Zebin from = sample("scope.skl.zebin");
    Diagnostics diagnostics;
    const auto zebin = read(annotations(from, *from.device), diagnostics);
    ASSERT_TRUE(zebin);
    EXPECT_EQ(zebin->build_options, "-cl-std=CL2.0");
    ASSERT_EQ(zebin->sections.size(), from.sections.size());
    const auto number = [&](const Symbol& symbol) {
        const DataSection& section = zebin->sections[static_cast<size_t>(symbol.section)];
        return symbol.offset < section.content.size()
                   ? std::to_integer<int>(section.content[static_cast<size_t>(symbol.offset)])
                   : 0;
    };
    int known = 0;
    for (const Symbol& symbol : zebin->symbols) {
        known += symbol.name == "table" && number(symbol) == 10 ? 1 : 0;
        known += symbol.name == "counter" && number(symbol) == 7 ? 1 : 0;
        known += symbol.name == "zeros" && number(symbol) == 0 ? 1 : 0;
    }
    EXPECT_EQ(known, 3);
    ASSERT_EQ(zebin->relocations.size(), 1U);
    EXPECT_EQ(zebin->relocations[0].symbol, "counter");
    EXPECT_EQ(zebin->relocations[0].kind, RelocationKind::address64);
}

struct Mistake {
    const char* lines; // put behind the smallest metadata
    const char* told;
    uint32_t line; // counted from 1, of the lines
};

// Names and words that only a damaged file has: each stays in its line, and pointers find their symbols.
TEST(Annotation, NamesWithLineEndsAndBlanks) {
    Zebin from = sample("scope.skl.zebin");
    from.unknown = {"section `a\nb`"};
    from.build_options = "-cl-a\n-cl-b";
    from.symbols = {{.name = "x\ny z", .section = 0, .offset = 0, .defined = true}};
    from.relocations = {{.section = 0, .offset = 0, .kind = RelocationKind::address64, .symbol = "x\ny z"}};
    Diagnostics diagnostics;
    const auto zebin = read(annotations(from, *from.device), diagnostics);
    ASSERT_TRUE(zebin) << diagnostics.all().front().message;
    EXPECT_EQ(zebin->unknown, std::vector<std::string>{"section `a?b`"});
    ASSERT_EQ(zebin->symbols.size(), 1U);
    EXPECT_EQ(zebin->symbols[0].name, "x?y?z");
    ASSERT_EQ(zebin->relocations.size(), 1U);
    EXPECT_EQ(zebin->relocations[0].symbol, "x?y?z");
}

TEST(Annotation, MistakesAreLocated) {
    for (const Mistake& mistake : {
             Mistake{"//! visor: sections x", "did you mean `section`", 1},
             Mistake{"//! visor: section s shiny 4", "`constant` or `variable`", 1},
             Mistake{"//! visor: section s constant", "expected its size in bytes", 1},
             Mistake{"//! visor: section s constant 99999999999999", "at most", 1},
             Mistake{"//! visor: bytes 00", "needs a `section` above it", 1},
             Mistake{"//! visor: section s constant 1\n//! visor: bytes 0000", "are not some of the 1 bytes",
                     2},
             Mistake{"//! visor: section s constant 4\n//! visor: bytes 0x00", "is no byte", 2},
             Mistake{"//! visor: symbol 0 0 a", "no `section` above", 1},
             Mistake{"//! visor: section s constant 4\n//! visor: symbol 0 5 a", "at most 4", 2},
             Mistake{"//! visor: section s constant 4\n//! visor: symbol 1 0 a", "at most 0", 2},
             Mistake{"//! visor: section s constant 4\n//! visor: symbol 0 0", "name is missing", 2},
             Mistake{"//! visor: section s variable 8\n//! visor: bytes 00000000\n"
                     "//! visor: pointer 0 0 address64 a",
                     "no room for a pointer", 3},
             Mistake{".version 4.1\n//! visor: device skl", "stands before the first line", 2},
             Mistake{"//! visor: ze_info  nonsense: [", "no YAML", 1},
         }) {
        SCOPED_TRACE(mistake.lines);
        Diagnostics diagnostics;
        const std::string text = std::string(smallest) + mistake.lines + "\n";
        EXPECT_FALSE(read(text, diagnostics));
        ASSERT_FALSE(diagnostics.all().empty());
        const Diagnostic& found = diagnostics.all().front();
        EXPECT_NE(found.message.find(mistake.told), std::string::npos) << found.message;
        ASSERT_TRUE(found.where);
        // The end of input belongs to the line before it.
        const uint32_t line = line_column(text, found.where->offset).line;
        EXPECT_GE(line, 5 + mistake.line - 1);
        EXPECT_LE(line, 5 + mistake.line + 1);
    }
}

TEST(Annotation, ItemsThatShareBytesAreToldWithBothLines) {
    Diagnostics diagnostics;
    const std::string text = "//! visor: version 1\n//! visor: device skl\n//! visor: ze_info kernels:\n"
                             "//! visor: ze_info   - name: k\n"
                             "//! visor: ze_info     execution_env: {simd_size: 16}\n"
                             "//! visor: ze_info     payload_arguments:\n"
                             "//! visor: ze_info       - {arg_type: local_size, offset: 12, size: 12}\n"
                             "//! visor: ze_info       - {arg_type: global_id_offset, offset: 0, size: 12}\n"
                             "//! visor: ze_info       - {arg_type: work_dimensions, offset: 23, size: 4}\n";
    EXPECT_FALSE(read(text, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1U);
    const Diagnostic& found = diagnostics.all()[0];
    EXPECT_EQ(found.rule, "input-overlap");
    EXPECT_EQ(line_column(text, found.where->offset).line, 9U);
    ASSERT_EQ(found.notes.size(), 1U);
    EXPECT_EQ(line_column(text, found.notes[0].where->offset).line, 7U);
}

TEST(Annotation, WithoutKernelsAreSaidAgain) {
    Diagnostics diagnostics;
    const auto none = read("//! visor: version 1\n//! visor: device skl\n//! visor: ze_info kernels:\n"
                           "//! visor: section s constant 1\n",
                           diagnostics);
    ASSERT_TRUE(none);
    const auto again = read(annotations(*none, *none->device), diagnostics);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->kernels.empty());
    EXPECT_EQ(again->sections.size(), 1U);
}

TEST(Annotation, ANewerVersionIsNotGuessedAt) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read("//! visor: version 2\n//! visor: shiny\n", diagnostics));
    EXPECT_EQ(diagnostics.errors(), 0U);
    EXPECT_EQ(diagnostics.unsupported_count(), 1U);
}

TEST(Annotation, DamageEndsInDiagnosticsInsideTheText) {
    const Zebin from = sample("scope.skl.zebin");
    const std::string whole = annotations(from, *from.device);
    std::mt19937 random(1);
    for (int round = 0; round < 600; ++round) {
        std::string text = whole;
        for (int edit = 0; edit <= round % 6; ++edit) {
            const size_t at = random() % text.size();
            if (random() % 3 == 0)
                text.erase(at, random() % 8);
            else
                text[at] = static_cast<char>(random() % 2 == 0 ? ' ' + random() % 95 : random() % 256);
        }
        Diagnostics diagnostics;
        static_cast<void>(read(text, diagnostics));
        for (const Diagnostic& found : diagnostics.all())
            EXPECT_LE(found.where.value_or(Location{}).offset, text.size()) << found.message;
    }
}

} // namespace
} // namespace visor::launch
