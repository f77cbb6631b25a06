// Launch files: every key, value and size. Files that one names are looked for in a folder without any;
// nothing is run.
#include "finding.h"
#include "limits.h"

#include "cli/launch/launch_file.h"

#include <filesystem>
#include <variant>

using namespace visor;

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error) / "visor-fuzz-no-files";
    std::filesystem::create_directory(folder, error);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    static const std::string path =
        (std::filesystem::temp_directory_path() / "visor-fuzz-no-files/launch.json").string();
    const auto job = cli::parse_launch_file(path, fuzz::text_of(data, size));
    fuzz::require(job || !job.error().text.empty(), "the file is refused without a word");
    if (!job)
        return 0;
    for (const cli::NamedArray& array : job->arrays)
        if (const auto* const literal = std::get_if<cli::Array>(&array.value))
            fuzz::require(cli::bytes_of(literal->element, literal->shape) == literal->bytes.size(),
                          "an array has other bytes than its shape says");
    return 0;
}
