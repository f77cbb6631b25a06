#include "launch/elf.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <memory>

namespace visor::launch {

namespace {

using Handle = std::unique_ptr<Elf, int (*)(Elf*)>;

class Reader {
public:
    Reader(std::span<const std::byte> file, Diagnostics& diagnostics)
        : file_(file), diagnostics_(diagnostics) {}

    std::optional<ElfFile> read() {
        if (!open())
            return std::nullopt;
        ElfFile out;
        out.bytes = file_.size();
        out.abi_version = std::to_integer<uint8_t>(file_[EI_ABIVERSION]);
        if (!read_sections(out) || !read_symbols(out))
            return std::nullopt;
        return out;
    }

private:
    [[nodiscard]] Location at(uint64_t offset, uint64_t bytes = 1) const {
        return within(offset, bytes, file_.size());
    }
    bool fail(Location where, std::string message) {
        diagnostics_.error(where, "bad-elf", std::move(message));
        return false;
    }

    bool open() {
        if (file_.size() > UINT32_MAX)
            return fail(at(0), fmt::format("the file has {} bytes; the limit is 4 GiB", file_.size()));
        if (elf_version(EV_CURRENT) == EV_NONE)
            return fail(at(0), "the ELF library does not know the current version of ELF");
        // libelf only reads it; its interface predates const.
        auto* bytes = const_cast<char*>(reinterpret_cast<const char*>(file_.data()));
        elf_ = Handle(elf_memory(bytes, file_.size()), elf_end);
        GElf_Ehdr header;
        if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header) == nullptr)
            return fail(at(0), "this is no whole ELF file");
        if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
            return fail(at(EI_CLASS), "only 64-bit little-endian ELF files are zebins");
        return true;
    }

    bool read_sections(ElfFile& out) {
        size_t count = 0;
        size_t names = 0;
        if (elf_getshdrnum(elf_.get(), &count) != 0 || elf_getshdrstrndx(elf_.get(), &names) != 0)
            return fail(at(0), "the section headers cannot be read");
        for (size_t i = 0; i < count; ++i) {
            Elf_Scn* const handle = elf_getscn(elf_.get(), i);
            GElf_Shdr header;
            if (handle == nullptr || gelf_getshdr(handle, &header) == nullptr)
                return fail(at(0), fmt::format("section header {} cannot be read", i));
            const char* name = elf_strptr(elf_.get(), names, header.sh_name);
            if (!add_section(out, header, name != nullptr ? name : ""))
                return false;
        }
        return true;
    }

    // Whether the sum of contents or names is at most the file's size.
    bool take(uint64_t& sum, uint64_t bytes, Location where, std::string_view what) {
        sum += bytes;
        if (sum <= file_.size())
            return true;
        return fail(where, fmt::format("{} share bytes: they are larger than the file", what));
    }

    bool add_section(ElfFile& out, const GElf_Shdr& header, const char* name) {
        if (!take(name_bytes_, std::strlen(name), at(0), "names of sections"))
            return false;
        ElfSection section;
        section.name = name;
        section.type = header.sh_type;
        section.writable = (header.sh_flags & SHF_WRITE) != 0;
        section.zero_filled = header.sh_type == SHT_NOBITS;
        section.bytes = header.sh_size;
        section.link = header.sh_link;
        section.info = header.sh_info;
        section.where = at(header.sh_offset, header.sh_size);
        if (header.sh_type == SHT_NULL) {
            section.bytes = 0;
        } else if (!section.zero_filled) {
            if (header.sh_offset > file_.size() || header.sh_size > file_.size() - header.sh_offset) {
                return fail(
                    at(0),
                    fmt::format("section `{}` (offset 0x{:x}, {} bytes) reaches past the end of the file",
                                name, header.sh_offset, header.sh_size));
            }
            section.content = file_.subspan(header.sh_offset, header.sh_size);
            if (!take(content_bytes_, header.sh_size, section.where, "sections"))
                return false;
        }
        out.sections.push_back(std::move(section));
        return true;
    }

    bool read_symbols(ElfFile& out) {
        const auto table = std::ranges::find(out.sections, uint32_t{SHT_SYMTAB}, &ElfSection::type);
        if (table == out.sections.end())
            return true;
        Elf_Scn* const handle = elf_getscn(elf_.get(), static_cast<size_t>(table - out.sections.begin()));
        Elf_Data* const data = elf_getdata(handle, nullptr);
        const size_t count = table->content.size() / sizeof(Elf64_Sym);
        for (size_t i = 0; i < count; ++i) {
            GElf_Sym symbol;
            if (data == nullptr || gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr)
                return fail(table->where, fmt::format("symbol {} cannot be read", i));
            const char* name = elf_strptr(elf_.get(), table->link, symbol.st_name);
            if (name == nullptr)
                return fail(at(table->where.offset + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym)),
                            fmt::format("the name of symbol {} lies outside the string table", i));
            if (!take(symbol_bytes_, std::strlen(name), table->where, "names of symbols"))
                return false;
            ElfSymbol& added = out.symbols.emplace_back();
            added.name = name;
            added.is_function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
            added.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
            added.value = symbol.st_value;
            if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < out.sections.size())
                added.section = symbol.st_shndx;
        }
        return true;
    }

    std::span<const std::byte> file_;
    Diagnostics& diagnostics_;
    Handle elf_{nullptr, elf_end};
    uint64_t content_bytes_ = 0; // of the sections so far
    uint64_t name_bytes_ = 0;    // of theirs
    uint64_t symbol_bytes_ = 0;  // of symbols' names
};

} // namespace

std::vector<ElfRelocation> ElfFile::relocations(const ElfSection& section, Diagnostics& diagnostics) const {
    std::vector<ElfRelocation> out;
    uint64_t names = 0;
    for (size_t i = 0; (i + 1) * sizeof(Elf64_Rel) <= section.content.size(); ++i) {
        Elf64_Rel entry;
        std::memcpy(&entry, section.content.data() + i * sizeof entry, sizeof entry);
        const size_t symbol = ELF64_R_SYM(entry.r_info);
        if (symbol >= symbols.size()) {
            diagnostics.error(within(section.where.offset + i * sizeof entry, sizeof entry, bytes), "bad-elf",
                              fmt::format("relocation {} of `{}` names symbol {} of {}", i, section.name,
                                          symbol, symbols.size()));
            continue;
        }
        names += symbols[symbol].name.size();
        if (names > bytes) {
            diagnostics.error(section.where, "bad-elf",
                              fmt::format("the names that relocations of `{}` name are larger than the file",
                                          section.name));
            return {};
        }
        out.push_back({entry.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info)), symbol});
    }
    return out;
}

std::optional<ElfFile> read_elf(std::span<const std::byte> file, Diagnostics& diagnostics) {
    return Reader(file, diagnostics).read();
}

} // namespace visor::launch
