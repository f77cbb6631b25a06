#include "compile/compilers.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

Compiler compiler(const std::string& name, std::initializer_list<const char*> devices) {
    Compiler one;
    one.location.name = name;
    for (const char* const device : devices)
        one.targets.push_back({device, device});
    return one;
}

// As in Debian's suite sid: ocloc 26.27 says that it knows skl and icllp, whose code 24.35 makes.
TEST(Compilers, DelegatedDevicesAreTheOlderCompilers) {
    std::vector<Compiler> all{compiler("/usr/lib/libocloc.so", {"skl", "icllp", "tgllp", "pvc"}),
                              compiler("/usr/lib/libocloc_legacy1.so", {"skl", "icllp"}),
                              compiler("/opt/libocloc.so", {"skl", "pvc"})};
    leave_delegated(all);
    EXPECT_EQ(all[0].target_for("skl"), nullptr);
    EXPECT_EQ(all[0].target_for("icllp"), nullptr);
    EXPECT_NE(all[0].target_for("tgllp"), nullptr);
    EXPECT_NE(all[0].target_for("pvc"), nullptr);
    EXPECT_NE(all[1].target_for("skl"), nullptr);
    EXPECT_NE(all[2].target_for("skl"), nullptr) << "no library for older devices lies beside it";
}

} // namespace
} // namespace visor::compile
