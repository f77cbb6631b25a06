#include "compile/parts.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

TEST(Parts, TheEnvironmentDecides) {
    const ScratchFolder folder;
    const Environment chosen("VISOR_LIBEXEC", folder.path().string());
    const auto missing = find_worker();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error(), "Visor's own program `visor-compile-worker` is missing; looked in `" +
                                   folder.path().string() + "`");
    const std::string program = folder.write_program("visor-compile-worker", "#!/bin/sh\n");
    EXPECT_EQ(find_worker(), program);
}

// Whatever the working folder and the name that the program was called by.
TEST(Parts, OwnFolderIsWhereTheCodeLies) {
    EXPECT_EQ(own_folder(), std::filesystem::read_symlink("/proc/self/exe").parent_path());
    EXPECT_TRUE(is_where_built());
}

TEST(Parts, TheWorkingFolderIsNone) {
    const ScratchFolder folder;
    const Environment chosen("VISOR_LIBEXEC", "");
    folder.write_program("visor-nothing", "");
    folder.write_program("libexec/visor/visor-nothing", "");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const auto found = find_part("visor-nothing");
    std::filesystem::current_path(before);
    EXPECT_FALSE(found) << *found;
}

} // namespace
} // namespace visor::compile
