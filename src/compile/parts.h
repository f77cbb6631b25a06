// Locates Visor's helper programs and modules: in $VISOR_LIBEXEC, else relative to the file of this code, the
// library or the program `visor`; never relative to the application or its working folder.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace visor::compile {

// The folder of the library or program with this code. Empty: unknown.
[[nodiscard]] const std::filesystem::path& own_folder();
// Whether it runs from the build folder; an installed one does not search there.
[[nodiscard]] bool is_where_built();

// Path of a helper program or module. Error: where it was looked for.
[[nodiscard]] std::expected<std::string, std::string> find_part(std::string_view file);
// Of the worker that loads the OpenCL compiler.
[[nodiscard]] std::expected<std::string, std::string> find_worker();

} // namespace visor::compile
