// The known metadata keys, sections and vISA attributes of compiled files. An entry is honoured, or has the
// reason why it can be ignored. Anything else comes from a compiler that is newer than this list: kernels
// with it are rejected by name, since ignoring it could make results silently wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace visor {
struct Function;
}

namespace visor::launch {

struct ElfSection;

// The maps of .ze_info.
enum class KeyLevel : uint8_t {
    file,
    kernel,
    user_attributes,
    execution_env,
    payload_arguments,
    per_thread_payload_arguments,
    binding_table_indices,
    per_thread_memory_buffers,
    inline_samplers,
    experimental_properties,
    debug_env,
    functions,
    global_host_access_table,
    kernels_misc_info,
    args_info,
};

struct KnownKey {
    std::string_view key;
    std::string_view values; // the known ones, separated by blanks; "": every value
    std::string_view why;    // why it can be ignored; "": honoured
};

// nullptr: not known.
[[nodiscard]] const KnownKey* find_key(KeyLevel level, std::string_view key);
[[nodiscard]] bool is_known_value(const KnownKey& known, std::string_view value);

[[nodiscard]] bool is_known(const ElfSection& section);

// The first attribute, of the function or of a variable, that Visor does not know: "`Name`".
[[nodiscard]] std::optional<std::string> unknown_attribute(const Function& function);

} // namespace visor::launch
