// Damaged files: whatever the bytes are, reading ends soon, and what it accepts can be written again.
#include "every_row.h"
#include "sample.h"

#include "isa/table.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace visor::test {
namespace {

// Declarations of every kind, attributes, two routines, and an instruction of every row.
Bytes rich_file() {
    Module module =
        parsed(".version 4.1\n.kernel \"k\"\n"
               ".decl V32 v_type=G type=d num_elts=16 align=GRF attrs={Output, Scope=1}\n"
               ".decl V33 v_type=G type=d num_elts=8 align=GRF alias=<V32, 32>\n"
               ".decl A0 v_type=A num_elts=4\n.decl P1 v_type=P num_elts=16\n"
               ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=2\n"
               ".input V32 offset=64 size=64\n.kernel_attr SimdSize=16\n"
               ".kernel_attr OutputAsmPath=\"x.asm\"\nL:\n    (P1) goto (M1, 16) L\n    ret (M1, 1)\n"
               ".global_function \"f\"\n    fret (M1, 16)\n");
    Function function = workshop();
    function.strings = {"a string"};
    RowPlay play(function, 1);
    for (const isa::Row* row : isa::table()) {
        if (row->form != isa::TextForm::label && row->form != isa::TextForm::subroutine)
            function.code.push_back(play.play(*row));
    }
    module.functions.push_back(function);
    return written(module);
}

// Neither crashes nor accepts what it cannot hold.
void expect_sane(const Bytes& bytes) {
    Diagnostics diagnostics;
    const std::optional<Module> module = binary::read(bytes, {}, diagnostics);
    if (!module) {
        EXPECT_GT(diagnostics.errors(), 0U);
        for (const Diagnostic& diagnostic : diagnostics.all())
            EXPECT_TRUE(diagnostic.where.has_value()) << diagnostic.message;
        return;
    }
    EXPECT_EQ(diagnostics.errors(), 0U);
    Diagnostics writing;
    const std::optional<Bytes> again = binary::write(*module, {}, writing);
    ASSERT_TRUE(again.has_value()) << messages(writing);
    Diagnostics rereading;
    const std::optional<Module> twice = binary::read(*again, {}, rereading);
    ASSERT_TRUE(twice.has_value()) << messages(rereading);
    EXPECT_TRUE(same(carried(*twice), carried(*module)));
}

TEST(Damage, WholeFilesAreAccepted) {
    EXPECT_EQ(reread(rich_file()).functions.size(), 3U);
}

TEST(Damage, EveryTruncationIsAnError) {
    const Bytes file = rich_file();
    for (size_t length = 0; length < file.size(); ++length) {
        Diagnostics diagnostics;
        const std::span<const std::byte> part(file.data(), length);
        ASSERT_FALSE(binary::read(part, {}, diagnostics).has_value()) << length;
        ASSERT_GT(diagnostics.errors(), 0U) << length;
    }
}

TEST(Damage, OneByteAnywhere) {
    const Bytes file = rich_file();
    std::mt19937 random(20);
    for (size_t at = 0; at < file.size(); ++at) {
        SCOPED_TRACE(at);
        Bytes damaged = file;
        damaged[at] ^= static_cast<std::byte>(1 + random() % 255);
        expect_sane(damaged);
    }
}

TEST(Damage, ManyBytesAtOnce) {
    const Bytes file = rich_file();
    std::mt19937 random(21);
    for (int round = 0; round < 3000; ++round) {
        SCOPED_TRACE(round);
        Bytes damaged = file;
        const size_t flips = 1 + random() % 20;
        for (size_t flip = 0; flip < flips; ++flip)
            damaged[random() % damaged.size()] = static_cast<std::byte>(random());
        expect_sane(damaged);
    }
}

TEST(Damage, NoiseBehindTheSignature) {
    std::mt19937 random(22);
    for (int round = 0; round < 2000; ++round) {
        ByteList noise;
        noise.text("CISA").u8({4, 1}).u16({static_cast<unsigned>(random() % 3)});
        const size_t length = random() % 200;
        for (size_t i = 0; i < length; ++i)
            noise.u8({static_cast<unsigned>(random() % 5 == 0 ? random() % 256 : random() % 4)});
        expect_sane(noise.bytes);
    }
}

// A count that promises more than the file has is refused before anything is made for it.
TEST(Damage, CountsAreBoundedByTheBytesThatFollow) {
    for (const unsigned count : {0xffffffffU, 0x10000000U, 0x00100000U}) {
        ByteList routine;
        routine.u32({count}).strings({"k"});
        ByteList file;
        file.text("CISA")
            .u8({4, 1})
            .u16({1})
            .u16({1})
            .text("k")
            .u32({32, routine.size(), 0})
            .u16({0, 0})
            .u8({0});
        file.u16({0, 0}).append(routine.bytes);
        Diagnostics diagnostics;
        EXPECT_FALSE(binary::read(file.bytes, {}, diagnostics).has_value());
        EXPECT_EQ(count_rule(diagnostics, "count-too-large"), 1U) << messages(diagnostics);
    }
}

// Offsets that the header gives: of the routine, of two that overlap, and of machine code.
TEST(Damage, MessagesStayInsideTheFile) {
    const Bytes one = written(parsed(kernel_text("", "    ret (M1, 1)")));
    const Bytes routine(one.begin() + 32, one.end());
    const auto bytes = static_cast<unsigned>(routine.size());
    constexpr unsigned far = 0x10000000;
    ByteList truncated;
    truncated.text("CISA").u8({4, 1}).u16({1}).u16({1}).text("k");
    truncated.u32({far, bytes, 0}).u16({0, 0}).u8({0}).u16({0, 0}).append(routine);
    ByteList overlapping;
    overlapping.text("CISA").u8({4, 1}).u16({2});
    for (int kernel = 0; kernel < 2; ++kernel)
        overlapping.u16({1}).text("k").u32({far, bytes, 0}).u16({0, 0}).u8({0});
    overlapping.u16({0, 0}).append(routine);
    ByteList native;
    native.text("CISA").u8({4, 1}).u16({1}).u16({1}).text("k").u32({41, bytes, 0}).u16({0, 0});
    native.u8({1, 12}).u32({far, 4}).u16({0, 0}).append(routine);
    for (const Bytes& file : {truncated.bytes, overlapping.bytes, native.bytes}) {
        Diagnostics diagnostics;
        static_cast<void>(binary::read(file, {}, diagnostics));
        ASSERT_EQ(diagnostics.all().size(), 1U) << messages(diagnostics);
        const Diagnostic& found = diagnostics.all().front();
        EXPECT_EQ(found.where.value().offset, file.size()) << found.message;
    }
}

TEST(Damage, RoutinesDoNotShareBytes) {
    const Bytes one = written(parsed(kernel_text("", "    ret (M1, 1)")));
    const Bytes routine(one.begin() + 32, one.end());
    ByteList file;
    file.text("CISA").u8({4, 1}).u16({2});
    for (int kernel = 0; kernel < 2; ++kernel)
        file.u16({1}).text("k").u32({52, static_cast<unsigned>(routine.size()), 0}).u16({0, 0}).u8({0});
    file.u16({0, 0}).append(routine);
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::read(file.bytes, {}, diagnostics).has_value());
    EXPECT_EQ(count_rule(diagnostics, "routines-overlap"), 1U) << messages(diagnostics);
}

// Thousands of variables that share one long name would make a small file large.
TEST(Damage, NamesAreNotCopiedWithoutBound) {
    ByteList routine;
    routine.u32({2}).strings({"k", std::string(1023, 'n')}).u32({0, 0});
    routine.u16({60000});
    for (int variable = 0; variable < 60000; ++variable)
        routine.u32({1}).u16({1}).u8({0});
    ByteList file;
    file.text("CISA").u8({4, 1}).u16({1}).u16({1}).text("k").u32({32, routine.size(), 0}).u16({0, 0}).u8({0});
    file.u16({0, 0}).append(routine.bytes);
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::read(file.bytes, {}, diagnostics).has_value());
    EXPECT_EQ(count_rule(diagnostics, "names-too-long"), 1U) << messages(diagnostics);
}

TEST(Damage, IsReportedWhereItIs) {
    const std::string text = kernel_text(".decl V32 v_type=G type=d num_elts=16 align=GRF",
                                         "    mov (M1, 16) V32(0,0)<1> 0x7:d\n    ret (M1, 1)");
    const Bytes file = written(parsed(text));
    const size_t code = file.size() - 4 - 19;
    const auto rule_at = [&](size_t at, unsigned value) {
        Bytes damaged = file;
        damaged[code + at] = static_cast<std::byte>(value);
        Diagnostics diagnostics;
        EXPECT_FALSE(binary::read(damaged, {}, diagnostics).has_value());
        EXPECT_FALSE(diagnostics.all().empty());
        const Diagnostic& first = diagnostics.all().front();
        return first.rule + " @" + std::to_string(first.where->offset - code);
    };
    EXPECT_EQ(rule_at(0, 0x3b), "unknown-opcode @0");
    EXPECT_EQ(rule_at(1, 0x06), "bad-exec-size @1");
    EXPECT_EQ(rule_at(2, 0x01), "unknown-id @2"); // predicate 1
    EXPECT_EQ(rule_at(4, 0x04), "bad-operand @4");
    EXPECT_EQ(rule_at(5, 0x21), "unknown-id @5"); // variable 33
    EXPECT_EQ(rule_at(11, 0x08), "bad-region @11");
}

TEST(Damage, EveryErrorOfARoutineIsFound) {
    const std::string text =
        kernel_text(".decl V32 v_type=G type=d num_elts=16 align=GRF",
                    "    mov (M1, 16) V32(0,0)<1> 0x7:d\n    mov (M1, 16) V32(0,0)<1> 0x7:d\n"
                    "    ret (M1, 1)");
    Bytes file = written(parsed(text));
    const size_t code = file.size() - 4 - 2 * 19;
    file[code + 5] = std::byte{0x21};
    file[code + 19 + 5] = std::byte{0x22};
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::read(file, {}, diagnostics).has_value());
    EXPECT_EQ(count_rule(diagnostics, "unknown-id"), 2U) << messages(diagnostics);
}

} // namespace
} // namespace visor::test
