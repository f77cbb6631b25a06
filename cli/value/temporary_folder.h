// A new folder below TMPDIR that nobody else can look into. It goes, with all that is in it, when the object
// does.
#pragma once

#include <string>

namespace visor::cli {

class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    // "": it could not be made.
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace visor::cli
