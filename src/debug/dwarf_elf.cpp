#include "debug/dwarf_elf.h"

#include <cstring>
#include <fmt/format.h>
#include <gelf.h>
#include <string_view>

namespace visor::debug {

namespace {

// The zebin's relocation types (its ABI: R_ZE_SYM_ADDR and the two halves).
enum Relocation : uint32_t { whole = 1, low_half = 2, high_half = 3 };

constexpr size_t largest = size_t{256} << 20U;
constexpr size_t most_sections = 1U << 16U;

std::string_view name_of(Elf* elf, size_t names, const GElf_Shdr& header) {
    const char* const name = elf_strptr(elf, names, header.sh_name);
    return name == nullptr ? std::string_view() : name;
}

bool is_inside(const GElf_Shdr& header, size_t bytes) {
    return header.sh_type != SHT_NOBITS && header.sh_offset <= bytes &&
           header.sh_size <= bytes - header.sh_offset;
}

struct Target {
    std::span<char> bytes;
    Elf_Data* symbols = nullptr;
};

void relocate(const Target& target, const GElf_Rela& entry) {
    GElf_Sym symbol;
    if (gelf_getsym(target.symbols, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
        return;
    const uint64_t value = symbol.st_value + static_cast<uint64_t>(entry.r_addend);
    const auto type = static_cast<uint32_t>(GELF_R_TYPE(entry.r_info));
    const size_t bytes = type == whole ? sizeof value : sizeof(uint32_t);
    if (type < whole || type > high_half || bytes > target.bytes.size() ||
        entry.r_offset > target.bytes.size() - bytes)
        return;
    const uint64_t stored = type == high_half ? value >> 32U : value;
    std::memcpy(target.bytes.data() + entry.r_offset, &stored, bytes); // both are little-endian
}

// All sections with explicit addends whose target is one of debug information.
void relocate_all(Elf* elf, std::vector<char>& bytes) {
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    size_t seen = 0;
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr && seen < most_sections;
         section = elf_nextscn(elf, section), ++seen) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA ||
            header.sh_entsize == 0 || !is_inside(header, bytes.size()))
            continue;
        Elf_Scn* const target = elf_getscn(elf, header.sh_info);
        Elf_Scn* const table = elf_getscn(elf, header.sh_link);
        GElf_Shdr to;
        if (target == nullptr || table == nullptr || gelf_getshdr(target, &to) == nullptr ||
            !is_inside(to, bytes.size()) || !name_of(elf, names, to).starts_with(".debug_"))
            continue;
        Elf_Data* const entries = elf_getdata(section, nullptr);
        Elf_Data* const symbols = elf_getdata(table, nullptr);
        if (entries == nullptr || symbols == nullptr)
            continue;
        const Target place{std::span(bytes).subspan(to.sh_offset, to.sh_size), symbols};
        const size_t count = header.sh_size / header.sh_entsize;
        for (size_t k = 0; k < count && k < INT32_MAX; ++k)
            if (GElf_Rela entry; gelf_getrela(entries, static_cast<int>(k), &entry) != nullptr)
                relocate(place, entry);
    }
}

// Libdw would unpack them to whatever size they name.
bool has_compressed(Elf* elf) {
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr &&
            ((header.sh_flags & SHF_COMPRESSED) != 0 || name_of(elf, names, header).starts_with(".zdebug")))
            return true;
    }
    return false;
}

} // namespace

std::expected<RelocatedElf, std::string> RelocatedElf::read(std::span<const std::byte> zebin) {
    if (zebin.empty() || zebin.size() > largest)
        return std::unexpected("there is no zebin to read debug information from");
    elf_version(EV_CURRENT);
    RelocatedElf out;
    out.bytes_.resize(zebin.size());
    std::memcpy(out.bytes_.data(), zebin.data(), zebin.size());
    std::vector<char> relocated = out.bytes_;
    out.elf_.reset(elf_memory(out.bytes_.data(), out.bytes_.size()));
    if (out.elf_ == nullptr || elf_kind(out.elf_.get()) != ELF_K_ELF)
        return std::unexpected("the zebin is no ELF file");
    if (has_compressed(out.elf_.get()))
        return std::unexpected("the program has compressed sections, which no compiler of OpenCL writes");
    relocate_all(out.elf_.get(), relocated);
    // Opened again, since libelf may have kept what it read.
    out.elf_.reset();
    out.bytes_ = std::move(relocated);
    out.elf_.reset(elf_memory(out.bytes_.data(), out.bytes_.size()));
    if (out.elf_ == nullptr)
        return std::unexpected("the zebin is no ELF file");
    return out;
}

std::span<const std::byte> RelocatedElf::section(std::string_view name) const {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0)
        return {};
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section != nullptr;
         section = elf_nextscn(elf_.get(), section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr && is_inside(header, bytes_.size()) &&
            name_of(elf_.get(), names, header) == name)
            return std::as_bytes(std::span(bytes_)).subspan(header.sh_offset, header.sh_size);
    }
    return {};
}

} // namespace visor::debug
