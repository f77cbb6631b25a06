// lsc_extended_cache_ctrl in binaries: as IGC's AppendVISALscExtendedCacheCtrlInst writes its operands, with
// the three cache levels that other LSC messages have in text alone.
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

constexpr std::string_view declarations =
    ".decl V32 v_type=G type=uq num_elts=32 align=GRF\n.decl P1 v_type=P num_elts=32";

Module with(std::string_view line) {
    return parsed(kernel_text(declarations, "    " + std::string(line) + "\n    ret (M1, 1)"));
}

// 89, sub-opcode, exec, pred(2), ugm, levels 5 1 1 (st uc uc), reset 1, 64B 0, flat 1, a64 3, variable(4)
// and offset(2); variables count from 32 on.
TEST(CacheControl, IsWrittenAsIgcDoes) {
    EXPECT_EQ(to_hex(code_of(
                  written(with("lsc_extended_cache_ctrl.ugm.st.uc.uc.reset.64B (M1, 16) flat[V32.64]:a64")))),
              "89 33 04 00 00 00 05 01 01 01 00 01 03 20 00 00 00 40 00 34 00 00 00");
    EXPECT_EQ(to_hex(code_of(
                  written(with("(!P1) lsc_extended_cache_ctrl.ugm.reset.64B (M5_NM, 8) flat[V32]:a64")))),
              "89 33 c3 01 80 00 00 00 00 01 00 01 03 20 00 00 00 00 00 34 00 00 00");
}

TEST(CacheControl, ComesBack) {
    for (const char* line :
         {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 32) flat[V32]:a64",
          "(P1) lsc_extended_cache_ctrl.ugm.ca.uc.uc.reset.64B (M1, 16) flat[V32.8]:a64"}) {
        SCOPED_TRACE(line);
        const Module module = with(line);
        EXPECT_TRUE(same(reread(written(module)), carried(module)));
    }
}

} // namespace
} // namespace visor::test
