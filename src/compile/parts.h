// Where Visor's own helper programs and modules lie: in $VISOR_LIBEXEC, else by the file that this code is
// in, the library or the program `visor`; never by the application that has loaded it, nor by its working
// folder.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace visor::compile {

// Of the library or program that this code is in. Empty: the system does not tell.
[[nodiscard]] const std::filesystem::path& own_folder();
// Whether it lies where it was built: what has been installed no longer looks there.
[[nodiscard]] bool is_where_built();

// Path of a helper program or module. Error: where it was looked for.
[[nodiscard]] std::expected<std::string, std::string> find_part(std::string_view file);
// Of the worker that loads the OpenCL compiler.
[[nodiscard]] std::expected<std::string, std::string> find_worker();

} // namespace visor::compile
