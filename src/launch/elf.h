// The ELF container of a zebin: sections, symbols, relocations with their file offsets, every range checked.
// It does not interpret sections. Rejects files whose contents or names sum up to more than the file, since
// overlapping parts could amplify a small file.
#pragma once

#include "diagnostic/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::launch {

struct ElfSection {
    std::string name;
    uint32_t type = 0;
    bool writable = false;
    bool zero_filled = false; // no bytes in the file
    uint64_t bytes = 0;
    uint32_t link = 0;
    uint32_t info = 0;
    Location where;
    std::span<const std::byte> content; // of the file
};

struct ElfSymbol {
    std::string name;
    bool is_function = false;
    bool is_local = false;
    std::optional<size_t> section; // index; absent: undefined, absolute or common
    uint64_t value = 0;
};

struct ElfRelocation {
    uint64_t offset = 0;
    uint32_t type = 0;
    size_t symbol = 0; // index in ElfFile::symbols
};

struct ElfFile {
    uint8_t abi_version = 0;
    std::vector<ElfSection> sections; // by ELF index
    std::vector<ElfSymbol> symbols;   // by ELF index, of the one symbol table
    uint64_t bytes = 0;               // of the whole file

    // Entries of a relocation section without addends; rejected when their symbols' names sum up to more than
    // the file. Errors go to `diagnostics`.
    [[nodiscard]] std::vector<ElfRelocation> relocations(const ElfSection& section,
                                                         Diagnostics& diagnostics) const;
};

// `file` must outlive the result.
[[nodiscard]] std::optional<ElfFile> read_elf(std::span<const std::byte> file, Diagnostics& diagnostics);

} // namespace visor::launch
