#include "outside.h"

#include "process/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace visor::oracle {

namespace {

constexpr const char* reader = "/usr/bin/GenX_IR";
constexpr int seconds = 30;

// The reader's names of platforms are the compiler's in upper case.
std::string platform(const isa::Device& device) {
    std::string name = device.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name;
}

// It leaves its files in the folder that it runs in, named after nothing: `.visaasm`. Told no platform, it
// crashes. Its exit code speaks of the machine code that it generates once the text is written.
test::Finished run_reader(const test::TemporaryFolder& folder, std::span<const std::byte> binary,
                          const isa::Device& device, const std::vector<std::string>& options) {
    if (!std::filesystem::exists(reader))
        throw std::runtime_error(fmt::format("{} is missing: scripts/setup test installs it", reader));
    test::write_file(folder.file("in.isa"),
                     std::string(reinterpret_cast<const char*>(binary.data()), binary.size()));
    std::vector<std::string> arguments{"/usr/bin/env", "-C",        folder.path(),   reader,
                                       "in.isa",       "-platform", platform(device)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::run(arguments, {}, "", seconds);
}

std::string left_behind(const test::TemporaryFolder& folder, std::string_view ending) {
    std::string content;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().native().ends_with(ending))
            content += test::read_file(entry.path());
    }
    return content;
}

} // namespace

std::expected<Reading, std::string> read_outside(std::span<const std::byte> binary,
                                                 const isa::Device& device) {
    const test::TemporaryFolder folder;
    // Its scheduler may never end once the text is written.
    const test::Finished done = run_reader(folder, binary, device, {"-dumpcommonisa", "-nopresched"});
    Reading reading{left_behind(folder, ".visaasm"), left_behind(folder, ".errors.txt")};
    if (reading.text.empty()) {
        return std::unexpected(fmt::format("the reader prints nothing (exit code {}) {} {}", done.exit_code,
                                           done.out, done.err));
    }
    return reading;
}

std::string machine_code(std::span<const std::byte> binary, const isa::Device& device) {
    const test::TemporaryFolder folder;
    static_cast<void>(run_reader(folder, binary, device, {"-dumpcommonisa", "-output"}));
    return left_behind(folder, ".asm");
}

} // namespace visor::oracle
