// The C types of debug information.
#pragma once

#include "debug/dwarf.h"

#include <elfutils/libdw.h>
#include <unordered_map>
#include <vector>

namespace visor::debug {

class TypeReader {
public:
    explicit TypeReader(std::vector<SourceType>& types) : types_(types) {}

    // Of the DW_AT_type of an entry; no_type: it has none, or one that is not understood.
    [[nodiscard]] uint32_t type_of(Dwarf_Die& entry, uint32_t depth = 0);

private:
    [[nodiscard]] uint32_t read(Dwarf_Die& entry, uint32_t depth);
    [[nodiscard]] SourceType described(Dwarf_Die& entry, uint32_t depth);
    [[nodiscard]] SourceType copy_of(uint32_t type);
    [[nodiscard]] SourceType base(Dwarf_Die& entry) const;
    [[nodiscard]] SourceType pointer(Dwarf_Die& entry, uint32_t depth);
    [[nodiscard]] SourceType array(Dwarf_Die& entry, uint32_t depth);
    [[nodiscard]] SourceType structure(Dwarf_Die& entry, uint32_t depth);
    [[nodiscard]] SourceType enumeration(Dwarf_Die& entry, uint32_t depth);

    std::vector<SourceType>& types_;
    size_t parts_ = 0;                              // members and enumerators of all types, copies included
    std::unordered_map<Dwarf_Off, uint32_t> known_; // by offset of the entry
};

// DW_AT_name; "": none, or longer than any name.
[[nodiscard]] std::string name_of(Dwarf_Die& entry);
[[nodiscard]] std::optional<uint64_t> number_of(Dwarf_Die& entry, unsigned attribute);

} // namespace visor::debug
