// Any module will do: one whose fields were changed at random, as no text or binary can give it, is reported
// and not stumbled over. Under the sanitizers this is the test that counts.
#include "cases.h"
#include "isa/table.h"
#include "text/text.h"

#include <gtest/gtest.h>
#include <random>

namespace visor::verify {
namespace {

constexpr const char* program = R"(.input ud1 offset=32 size=4
.kernel_attr SimdSize=16
here:
mov (M1, 16) ud16(0,0)<1> ud16(0,0)<8;8,1>
(P16) sel (M1, 16) f16(0,0)<1> r[A8(0),4]<4;4,1>:f 0x3f800000:f
cmp.lt (M1, 16) P16 ud16(0,0)<1;1,0> 0x76543210:v
and (M1, 16) P16 P16 P16
addr_add (M1, 8) A8(0)<1> &ud64 uw16(0,0)<1;1,0>
movs (M1_NM, 2) T7(0) ud16(0,0)<1;1,0>
scatter4_scaled.RG (M1, 8) T6 0x0:ud ud16.0 ud16.0
svm_gather.4.2 (M1, 8) uq8.0 ud16.0
svm_block_ld (4) uq1(0,0)<0;1,0> ud16.0
svm_atomic.cmpxchg (M1, 8) uq8.0 ud16.0 ud16.0 ud16.0
lsc_load.ugm (M1, 8) ud16:d32 flat[uq8]:a64
switchjmp (M1, 1) ub1(0,0)<0;1,0> (here, there)
call (M1, 16) sub
there:
goto (M1, 16) here
ret (M1, 1)
.function "sub"
sub:
ret (M1, 16)
)";

class Damage {
public:
    explicit Damage(uint32_t seed) : random_(seed) {}

    void apply(Module& module) {
        Function& function = module.functions[0];
        for (uint32_t count = below(4) + 1; count > 0; --count) {
            if (below(4) == 0)
                declaration(function.general[below(static_cast<uint32_t>(function.general.size()))]);
            else
                instruction(function.code[below(static_cast<uint32_t>(function.code.size()))]);
        }
    }

private:
    uint32_t any() { return static_cast<uint32_t>(random_()); }
    uint32_t below(uint32_t end) { return any() % end; }
    uint32_t number() { return below(2) == 0 ? below(64) : any(); }

    void declaration(GeneralVariable& variable) {
        variable.alias = number();
        variable.alias_offset = number();
        variable.elements = number();
        variable.type = static_cast<isa::Type>(below(isa::type_count));
    }

    void instruction(Instruction& instruction) {
        switch (below(6)) {
        case 0:
            instruction.row = isa::table()[below(static_cast<uint32_t>(isa::table().size()))];
            break;
        case 1:
            instruction.execution = {static_cast<uint8_t>(number()), static_cast<uint8_t>(number()),
                                     below(2) == 0};
            break;
        case 2:
            instruction.predicate.id = static_cast<uint16_t>(number());
            break;
        case 3:
            instruction.operands.resize(below(12));
            break;
        default:
            if (!instruction.operands.empty())
                operand(instruction.operands[below(static_cast<uint32_t>(instruction.operands.size()))]);
        }
    }

    void operand(Operand& operand) {
        constexpr uint32_t kinds = static_cast<uint32_t>(OperandKind::literal) + 1;
        operand.kind = below(2) == 0 ? operand.kind : static_cast<OperandKind>(below(kinds));
        operand.type = static_cast<isa::Type>(below(isa::type_count));
        operand.region = {static_cast<uint8_t>(number()), static_cast<uint8_t>(number()),
                          static_cast<uint8_t>(number())};
        operand.row = static_cast<uint8_t>(number());
        operand.column = static_cast<uint8_t>(number());
        operand.id = number();
        operand.offset = static_cast<int32_t>(number());
        operand.value = number();
        operand.klass = static_cast<uint8_t>(below(6));
    }

    std::mt19937 random_;
};

// A code that no text can spell is none: tables of codes are not read behind their ends.
TEST(DamagedModules, EveryCodeOfALiteral) {
    for (const char* line :
         {"lsc_load.ugm (M1_NM, 1) ud16:d32x8t flat[uq1]:a64", "lsc_load.ugm (M1, 8) ud16:d32 flat[uq8]:a64",
          "lsc_load_quad.ugm (M1, 8) ud16:d32.x flat[uq8]:a64",
          "lsc_store.slm (M1, 8) flat[ud16]:a32 ud16:d8u32",
          "lsc_atomic_iinc.ugm (M1, 8) ud16:d32 flat[uq8]:a64 %null %null",
          "lsc_fence.ugm.none.group (M1, 1)"}) {
        SCOPED_TRACE(line);
        Diagnostics parsing;
        const auto module = text::parse(std::string(prologue) + line + "\nret (M1, 1)\n", {}, parsing);
        ASSERT_TRUE(module.has_value()) << render(parsing, {"p", "", true}, Color::off);
        for (size_t i = 0; i < module->functions[0].code[0].operands.size(); ++i) {
            for (const uint64_t code : {0U, 7U, 8U, 9U, 31U, 32U, 135U, 255U}) {
                Module damaged = *module;
                damaged.functions[0].code[0].operands[i].value = code;
                for (const Profile profile : {Profile::spec, Profile::igc, Profile::run}) {
                    Diagnostics found;
                    verify(damaged, {.profile = profile, .device = isa::device_named("pvc")}, found);
                }
            }
        }
    }
}

TEST(DamagedModules, AreReported) {
    Diagnostics parsing;
    const auto module = text::parse(std::string(prologue) + program, {}, parsing);
    ASSERT_TRUE(module.has_value()) << render(parsing, {"p", std::string(prologue) + program, false},
                                              Color::off);
    size_t reported = 0;
    constexpr uint32_t rounds = 3000;
    for (uint32_t seed = 0; seed < rounds; ++seed) {
        Module damaged = *module;
        Damage(seed).apply(damaged);
        Diagnostics diagnostics;
        verify(damaged, {.profile = seed % 2 == 0 ? Profile::spec : Profile::igc}, diagnostics);
        reported += diagnostics.all().empty() ? 0 : 1;
    }
    EXPECT_GT(reported, rounds * 9 / 10);
}

} // namespace
} // namespace visor::verify
