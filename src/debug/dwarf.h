// The names, types and locations that a compiler's debug information (DWARF in a zebin) gives the variables
// of its functions, as plain data. libdw reads it, once; what is damaged or too large is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::debug {

inline constexpr uint32_t no_type = UINT32_MAX;

struct SourceType {
    enum class Kind : uint8_t {
        signed_integer,
        unsigned_integer,
        real,
        boolean,
        pointer,
        vector,
        array,
        structure,
        enumeration,
        other, // a type without a value to show: `name` says what
    };
    struct Member {
        std::string name;
        uint64_t offset = 0; // bytes; of a union's members 0
        uint32_t type = no_type;
        bool is_bit_field = false;
    };
    struct Enumerator {
        std::string name;
        int64_t value = 0;
    };

    Kind kind = Kind::other;
    std::string name; // as C spells it: "int", "float4", "struct pt", "int[8]"
    uint64_t bytes = 0;
    uint32_t element = no_type; // of a vector, an array, a pointer
    bool is_local = false;      // a pointer to shared local memory
    uint64_t count = 0;         // of a vector, an array
    std::vector<Member> members;
    std::vector<Enumerator> enumerators;
};

struct SourceVariableInfo {
    std::string name;
    uint32_t type = no_type; // in DebugInformation::types
    uint32_t line = 0;       // of its declaration; 0: not known
    bool is_parameter = false;
    bool in_local_memory = false; // an address is an offset in shared local memory
    // Of the location expressions, one for each range of machine code; none: the compiler kept no location.
    std::vector<std::vector<std::byte>> locations;
    bool is_partly_located = false;                 // the ranges end before its scope does, or have gaps
    std::optional<std::vector<std::byte>> constant; // its value everywhere
};

struct FileLine {
    uint32_t file = 0; // in DebugInformation::files
    uint32_t line = 0;

    friend auto operator<=>(const FileLine&, const FileLine&) = default;
};

// A function, a function that was inlined, or a block. The parents of a scope come before it.
struct SourceScope {
    enum class Kind : uint8_t { function, inlined, block };

    Kind kind = Kind::block;
    std::string name;            // of a function
    uint32_t parent = 0;         // its own index: none
    uint32_t unit = 0;           // the compile unit: a kernel, with what it calls
    std::vector<FileLine> lines; // that its machine code came from, sorted
    std::vector<SourceVariableInfo> variables;
};

struct DebugInformation {
    std::vector<std::string> files;
    std::vector<SourceType> types;
    std::vector<SourceScope> scopes;
};

// Of the bytes of a zebin. Error: a sentence that says why there is none.
[[nodiscard]] std::expected<DebugInformation, std::string> read_dwarf(std::span<const std::byte> zebin);

} // namespace visor::debug
