#include "jit/target/llvm19/mask_complement.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::jit {
namespace {

struct Rest {
    bool has_xor = false;
    uint32_t value = 0;
};

Rest rest(const char* part, const char* made, uint32_t x, uint32_t mask) {
    Assembled code;
    if (!code.parse(fmt::format("define i32 @f(i32 %x, i32 %mask) {{\n"
                                "  %part = and i32 {}\n"
                                "  %{} = xor i32 {}\n"
                                "  ret i32 %rest\n}}\n",
                                part, std::string_view(made).contains("%second") ? "first" : "rest", made)))
        return {};
    complement_masks_by_and(code.function());
    code.verify();
    Rest out;
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        out.has_xor = out.has_xor || (instruction.getOpcode() == llvm::Instruction::Xor &&
                                      !llvm::isa<llvm::Constant>(instruction.getOperand(1)));
    code.link();
    out.value = code.linked<uint32_t(uint32_t, uint32_t)>()(x, mask);
    return out;
}

TEST(MaskComplement, ARestIsWhatIsNotThePart) {
    for (const char* const part : {"%x, %mask", "%mask, %x"})
        for (const char* const made : {"%part, %mask", "%mask, %part"}) {
            const Rest made_of = rest(part, made, 0b0110, 0b0011);
            EXPECT_FALSE(made_of.has_xor);
            EXPECT_EQ(made_of.value, 0b0001U);
        }
}

// ... ^ x, the other one: what is in x and not in the mask.
TEST(MaskComplement, EitherMayBeTheMask) {
    EXPECT_EQ(rest("%x, %mask", "%part, %x", 0b0110, 0b0011).value, 0b0100U);
}

// The rest of a rest: ~(~x & mask) & mask.
TEST(MaskComplement, OfOneAnother) {
    EXPECT_EQ(rest("%x, %mask",
                   "%part, %mask\n"
                   "  %second = and i32 %first, %mask\n"
                   "  %rest = xor i32 %second, %mask",
                   0b0110, 0b0011)
                  .value,
              0b0010U);
}

TEST(MaskComplement, OtherNumbersStay) {
    const Rest other = rest("%x, 5", "%part, %mask", 0b0110, 0b0011); // 4 ^ 3
    EXPECT_TRUE(other.has_xor);
    EXPECT_EQ(other.value, 0b0111U);
}

} // namespace
} // namespace visor::jit
