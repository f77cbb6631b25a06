#include "cli/value/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace visor::cli {

TemporaryFolder::TemporaryFolder() {
    std::error_code problem;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
    std::string name = (parent / "visor-XXXXXX").string();
    if (!problem && mkdtemp(name.data()) != nullptr)
        path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
        std::filesystem::remove_all(path_, ignored);
}

} // namespace visor::cli
