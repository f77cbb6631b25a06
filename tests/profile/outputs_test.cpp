#include "profile/outputs.h"

#include <gtest/gtest.h>

namespace visor::profile {
namespace {

TEST(Outputs, NamesWithTheProcess) {
    EXPECT_EQ(expand_process("a.out", 7), "a.out");
    EXPECT_EQ(expand_process("%p.out", 7), "7.out");
    EXPECT_EQ(expand_process("a.%p.%p", 12345), "a.12345.12345");
    EXPECT_EQ(expand_process("100%%p", 7), "100%p");
    EXPECT_EQ(expand_process("a%", 7), "a%");
    EXPECT_EQ(expand_process("%d", 7), "%d");
}

TEST(Outputs, NothingListensWhereNothingIsWanted) {
    EXPECT_FALSE(Paths{}.any());
    Outputs none{Paths{}};
    machine::MulticastWatcher watchers;
    none.add_to(watchers);
    EXPECT_EQ(watchers.listener(), nullptr);
    EXPECT_TRUE(none.write("visor").has_value());
}

TEST(Outputs, AFolderThatIsNotThereIsSaidBefore) {
    const Outputs outputs(Paths{.profile = "", .coverage = "/no/such/folder/c.info", .timeline = ""});
    EXPECT_FALSE(outputs.probe().has_value());
}

} // namespace
} // namespace visor::profile
