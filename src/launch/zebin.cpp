#include "launch/zebin.h"

#include "launch/elf.h"
#include "launch/known_keys.h"
#include "launch/scopes.h"
#include "launch/ze_info.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace visor::launch {

namespace {

constexpr uint32_t type_bits = 1;
constexpr uint32_t type_no_bits = 8;
constexpr uint32_t type_note = 7;
constexpr uint32_t type_rel = 9;
constexpr uint32_t type_rela = 4;
constexpr uint32_t type_spirv = 0xff000009;
constexpr uint32_t type_ze_info = 0xff000011;
constexpr uint32_t type_visa_text = 0xff000013;
constexpr uint32_t type_misc = 0xff000014;
constexpr std::string_view text_section = ".visaasm";
constexpr std::string_view old_section = "Intel(R) OpenCL Device Binary"; // of the older format
constexpr std::string_view symbol_dummy = "Intel_Symbol_Table_Void_Program";
constexpr uint64_t max_zero_filled = uint64_t{1} << 32U;
constexpr size_t max_unknown = 16; // as many as a message may name

std::string_view text_of(const ElfSection& section) {
    return {reinterpret_cast<const char*>(section.content.data()), section.content.size()};
}

// Options as text: replaces control characters of damaged files by blanks, and trims the end.
std::string one_line(std::string_view text) {
    std::string out(text);
    std::ranges::replace_if(out, [](char c) { return c >= 0 && c < ' '; }, ' ');
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string printable(std::string name) {
    std::ranges::replace_if(name, [](char c) { return c >= 0 && c <= ' '; }, '?');
    return name;
}

// The compiler's product families (its igfxfmid.h), by the device whose code they run.
struct Products {
    uint32_t first;
    uint32_t last;
    isa::DeviceId device;
};
constexpr std::array products{
    Products{18, 23, isa::DeviceId::skl},     // Skylake to Gemini Lake
    Products{25, 28, isa::DeviceId::icllp},   // Ice Lake to Jasper Lake
    Products{29, 30, isa::DeviceId::tgllp},   // Tiger Lake, Rocket Lake
    Products{31, 33, isa::DeviceId::adl},     // Alder Lake, Raptor Lake
    Products{1210, 1210, isa::DeviceId::dg1}, //
    Products{1250, 1250, isa::DeviceId::xehp},
    Products{1270, 1270, isa::DeviceId::dg2},
    Products{1271, 1271, isa::DeviceId::pvc},
    Products{1272, 1272, isa::DeviceId::mtl},
    Products{1273, 1273, isa::DeviceId::arl},
    Products{1274, 1274, isa::DeviceId::bmg},
    Products{1275, 1275, isa::DeviceId::lnl},
    Products{1300, 1300, isa::DeviceId::ptl}, // Wildcat Lake has the number as well
    Products{1340, 1340, isa::DeviceId::nvl_s},
    Products{1360, 1360, isa::DeviceId::nvl_p},
    Products{1380, 1380, isa::DeviceId::cri},
};

// Versions of the graphics IP, architecture and release (compute-runtime's AOT product configurations),
// likewise. Explicit SIMD code of newer compilers has no family but 0, and this.
struct Releases {
    uint32_t architecture;
    uint32_t first;
    uint32_t last;
    isa::DeviceId device;
};
constexpr std::array releases{
    Releases{9, 0, 7, isa::DeviceId::skl},      Releases{11, 0, 2, isa::DeviceId::icllp},
    Releases{12, 0, 1, isa::DeviceId::tgllp},   Releases{12, 2, 4, isa::DeviceId::adl},
    Releases{12, 10, 10, isa::DeviceId::dg1},   Releases{12, 50, 50, isa::DeviceId::xehp},
    Releases{12, 55, 57, isa::DeviceId::dg2},   Releases{12, 60, 61, isa::DeviceId::pvc},
    Releases{12, 70, 71, isa::DeviceId::mtl},   Releases{12, 74, 74, isa::DeviceId::arl},
    Releases{20, 1, 2, isa::DeviceId::bmg},     Releases{20, 4, 4, isa::DeviceId::lnl},
    Releases{30, 0, 3, isa::DeviceId::ptl},     Releases{30, 4, 5, isa::DeviceId::nvl_s},
    Releases{35, 10, 10, isa::DeviceId::nvl_p}, Releases{35, 11, 11, isa::DeviceId::cri},
};

uint32_t word_at(std::span<const std::byte> bytes, size_t offset) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// The notes of .note.intelgt.compat with the owner "IntelGT" (elf.md, ELF note type for INTELGT).
struct Compatibility {
    std::optional<uint32_t> product_family;
    std::optional<uint32_t> configuration; // of the product: its version as an IP; beside the family
    std::vector<uint32_t> unknown_types;
};

// Other notes are not needed: core family, steppings, versions of the file, of stack calls and of a driver
// option.
constexpr uint32_t product_configuration = 6;
bool is_known_note(uint32_t type) {
    constexpr uint32_t last = 8;
    return type >= 1 && type <= last;
}

Compatibility read_notes(std::span<const std::byte> notes) {
    constexpr std::string_view owner{"IntelGT\0", 8};
    constexpr size_t header = 12;
    const auto padded = [](uint64_t bytes) { return (bytes + 3) / 4 * 4; };
    Compatibility out;
    while (notes.size() >= header) {
        const uint64_t name_bytes = padded(word_at(notes, 0));
        const uint64_t value_bytes = word_at(notes, 4);
        const uint32_t type = word_at(notes, 8);
        if (header + name_bytes + value_bytes > notes.size())
            break;
        const bool ours =
            name_bytes == owner.size() && std::memcmp(notes.data() + header, owner.data(), owner.size()) == 0;
        if (ours && type == 1 && value_bytes == 4)
            out.product_family = word_at(notes, header + name_bytes);
        else if (ours && type == product_configuration && value_bytes == 4)
            out.configuration = word_at(notes, header + name_bytes);
        else if (ours && !is_known_note(type))
            out.unknown_types.push_back(type);
        notes = notes.subspan(std::min<uint64_t>(header + name_bytes + padded(value_bytes), notes.size()));
    }
    return out;
}

// By the family, else by the configuration.
std::optional<isa::DeviceId> device_of(const Compatibility& target) {
    const uint32_t family = target.product_family.value_or(0);
    const auto* const known = std::ranges::find_if(
        products, [family](const Products& range) { return family >= range.first && family <= range.last; });
    if (known != products.end())
        return known->device;
    if (family != 0 || !target.configuration)
        return std::nullopt;
    const uint32_t architecture = *target.configuration >> 22U;
    const uint32_t release = *target.configuration >> 14U & 0xffU;
    const auto* const found = std::ranges::find_if(releases, [&](const Releases& range) {
        return architecture == range.architecture && release >= range.first && release <= range.last;
    });
    return found == releases.end() ? std::nullopt : std::optional(found->device);
}

// "was compiled for product family 7"
std::string target_of(const Compatibility& target) {
    if (!target.product_family && !target.configuration)
        return "does not say which product family it was compiled for";
    if (target.product_family.value_or(0) != 0 || !target.configuration)
        return fmt::format("was compiled for product family {}", *target.product_family);
    return fmt::format("was compiled for version {}.{}.{} of the graphics IP", *target.configuration >> 22U,
                       *target.configuration >> 14U & 0xffU, *target.configuration & 0x3fU);
}

// "18 to 23 (skl), 25 to 28 (icllp), ..."
std::string known_products() {
    std::string out;
    for (const Products& range : products)
        out += fmt::format("{}{} ({})", out.empty() ? "" : ", ",
                           range.first == range.last ? fmt::format("{}", range.first)
                                                     : fmt::format("{} to {}", range.first, range.last),
                           isa::device(range.device).name);
    return out;
}

class Reader {
public:
    Reader(const ElfFile& elf, Diagnostics& diagnostics)
        : elf_(elf), diagnostics_(diagnostics),
          before_(diagnostics.errors() + diagnostics.unsupported_count()) {}

    std::optional<Zebin> read() {
        if (!has_marks())
            return std::nullopt;
        constexpr uint8_t newest_abi = 2; // Xe3P's way of calling kernels (elf.md, EI_ABIVERSION)
        if (elf_.abi_version > newest_abi)
            refuse(fmt::format("version {} of the binary interface in its ELF header", elf_.abi_version));
        read_sections();
        join_zero_filled();
        check_product();
        read_symbols();
        read_relocations();
        match_kernels();
        const bool good = diagnostics_.errors() + diagnostics_.unsupported_count() == before_;
        return good ? std::optional(std::move(zebin_)) : std::nullopt;
    }

private:
    bool has_marks() {
        const auto has = [this](std::string_view name) {
            return std::ranges::find(elf_.sections, name, &ElfSection::name) != elf_.sections.end();
        };
        if (has(".ze_info") || has(text_section) || has(".note.intelgt.compat"))
            return true;
        const bool old = has(old_section);
        diagnostics_.error(std::nullopt, "not-a-zebin",
                           old ? "this device binary has the older format: compile it with --format zebin"
                               : "this ELF file is no zebin");
        return false;
    }

    void fail(const ElfSection& section, std::string rule, std::string message) {
        diagnostics_.error(section.where, std::move(rule), std::move(message));
    }

    void read_sections() {
        data_index_.assign(elf_.sections.size(), -1);
        for (size_t i = 0; i < elf_.sections.size(); ++i) {
            const ElfSection& section = elf_.sections[i];
            const bool data = section.name.starts_with(".data.") || section.name.starts_with(".bss.");
            if (section.type == type_visa_text && section.name == text_section)
                texts_.push_back(&section);
            else if (section.type == type_visa_text && section.name.starts_with(text_section))
                zebin_.functions.push_back(
                    {section.name.substr(text_section.size() + 1), disambiguate_scopes(text_of(section))});
            else if (section.type == type_ze_info)
                take_metadata(section);
            else if (section.type == type_spirv)
                zebin_.spirv.assign(section.content.begin(), section.content.end());
            else if (section.type == type_misc && section.name == ".misc.buildOptions")
                zebin_.build_options = one_line(text_of(section));
            else if (section.type == type_note && section.name == ".note.intelgt.compat")
                take_notes(section);
            else if (data && is_data(section)) // strings of newer compilers are not marked as allocated
                add_data(i);
            else if (!is_known(section))
                refuse(fmt::format("section `{}` of type 0x{:x}", printable(section.name), section.type));
        }
    }

    static bool is_data(const ElfSection& section) {
        return section.type == type_bits || section.type == type_no_bits;
    }

    // Unknown entries that reject every kernel.
    void refuse(std::string what) {
        if (unknown_.size() < max_unknown)
            unknown_.push_back(std::move(what));
    }

    void take_metadata(const ElfSection& section) {
        if (info_ != nullptr)
            fail(section, "bad-metadata", "the zebin has two sections of metadata");
        info_ = &section;
    }

    void take_notes(const ElfSection& section) {
        compatibility_ = read_notes(section.content);
        for (const uint32_t type : compatibility_.unknown_types)
            refuse(fmt::format("a note of type {} in `{}`", type, section.name));
        notes_ = section.where;
    }

    // vISA text is for one device: on another one it would be wrong, or rejected with misleading errors.
    void check_product() {
        zebin_.device = device_of(compatibility_);
        if (!zebin_.device)
            diagnostics_.unsupported(
                notes_, "unknown-product",
                fmt::format("this file {}: Visor knows {}", target_of(compatibility_), known_products()));
    }

    void add_data(size_t index) {
        const ElfSection& section = elf_.sections[index];
        if (section.bytes > max_zero_filled)
            return fail(section, "bad-elf",
                        fmt::format("section `{}` wants {} bytes", section.name, section.bytes));
        data_index_[index] = static_cast<int>(zebin_.sections.size());
        zebin_.sections.push_back({.name = section.name,
                                   .content = {section.content.begin(), section.content.end()},
                                   .bytes = section.bytes,
                                   .constant = !section.writable});
    }

    // Zero-initialized variables follow the initialized ones, as in the driver; a symbol may extend across
    // both.
    void join_zero_filled() {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 2> pairs{
            {{".data.global", ".bss.global"}, {".data.const", ".bss.const"}}};
        for (const auto& [with_values, without] : pairs) {
            const auto data = std::ranges::find(zebin_.sections, with_values, &DataSection::name);
            const auto zeros = std::ranges::find(zebin_.sections, without, &DataSection::name);
            if (data == zebin_.sections.end() || zeros == zebin_.sections.end())
                continue;
            const auto joined = static_cast<int>(data - zebin_.sections.begin());
            const auto gone = static_cast<int>(zeros - zebin_.sections.begin());
            for (size_t i = 0; i < data_index_.size(); ++i)
                if (data_index_[i] == gone) {
                    data_index_[i] = joined;
                    joined_at_[i] = data->bytes;
                }
            data->bytes += zeros->bytes;
            zeros->bytes = 0; // no longer referenced
        }
    }

    void read_symbols() {
        for (const ElfSymbol& symbol : elf_.symbols) {
            // Every kernel's code begins with an unreferenced local `_entry`.
            if (symbol.name.empty() || (symbol.is_local && symbol.name == "_entry"))
                continue;
            Symbol out{.name = symbol.name,
                       .is_function = symbol.is_function,
                       .defined = symbol.section.has_value()};
            if (symbol.section)
                out.section = data_index_[*symbol.section];
            if (out.section >= 0) {
                const auto joined_at = joined_at_.find(*symbol.section);
                if (__builtin_add_overflow(
                        symbol.value, joined_at == joined_at_.end() ? 0 : joined_at->second, &out.offset))
                    out.offset = UINT64_MAX;
                if (out.offset > zebin_.sections[static_cast<size_t>(out.section)].bytes)
                    fail(elf_.sections[*symbol.section], "bad-elf",
                         fmt::format("symbol `{}` lies outside its section", out.name));
            }
            zebin_.symbols.push_back(std::move(out));
        }
    }

    // Relocations of data; those of machine code are not needed.
    void read_relocations() {
        for (const ElfSection& section : elf_.sections) {
            const bool relocates = section.type == type_rel || section.type == type_rela;
            if (!relocates || section.info >= elf_.sections.size() || data_index_[section.info] < 0)
                continue;
            if (section.type == type_rela) {
                diagnostics_.unsupported(section.where, "relocation",
                                         fmt::format("relocations with addends (`{}`)", section.name));
                continue;
            }
            for (const ElfRelocation& entry : elf_.relocations(section, diagnostics_))
                add_relocation(section, entry);
        }
    }

    void add_relocation(const ElfSection& section, const ElfRelocation& entry) {
        constexpr uint32_t none = 0;
        if (entry.type == none)
            return;
        if (entry.type > static_cast<uint32_t>(RelocationKind::high32)) {
            diagnostics_.unsupported(section.where, "relocation",
                                     fmt::format("relocation type {} in `{}`", entry.type, section.name));
            return;
        }
        Relocation out{.section = static_cast<size_t>(data_index_[section.info]),
                       .offset = entry.offset,
                       .kind = static_cast<RelocationKind>(entry.type),
                       .symbol = elf_.symbols[entry.symbol].name};
        const uint64_t bytes = out.kind == RelocationKind::address64 ? 8 : 4;
        const uint64_t section_bytes = zebin_.sections[out.section].content.size();
        if (bytes > section_bytes || out.offset > section_bytes - bytes)
            return fail(section, "bad-elf",
                        fmt::format("a relocation of `{}` patches offset 0x{:x} of {} bytes",
                                    zebin_.sections[out.section].name, out.offset, section_bytes));
        zebin_.relocations.push_back(std::move(out));
    }

    // Explicit SIMD code has its kernels' texts in sections that are named after them, as functions' are.
    void match_by_name(std::vector<Signature>& signatures) {
        for (Signature& signature : signatures) {
            if (signature.name == symbol_dummy)
                continue;
            const auto text = std::ranges::find(zebin_.functions, signature.name, &ZebinFunction::name);
            if (text == zebin_.functions.end())
                return fail(*info_, "bad-metadata",
                            fmt::format("there is no vISA text of kernel `{}`", printable(signature.name)));
            add_kernel(std::move(signature), std::move(text->text));
            zebin_.functions.erase(text);
        }
    }

    void add_kernel(Signature signature, std::string text) {
        signature.unknown.insert(signature.unknown.end(), unknown_.begin(), unknown_.end());
        zebin_.kernels.push_back({std::move(signature), std::move(text)});
    }

    // The n-th text is the n-th kernel of the metadata: names in the text are meaningless (launch ABI 1.1).
    void match_kernels() {
        if (info_ == nullptr) {
            if (!texts_.empty())
                fail(*texts_.front(), "bad-metadata", "the zebin has vISA text but no .ze_info");
            return; // a program without kernels
        }
        std::optional<std::vector<Signature>> signatures =
            read_ze_info(text_of(*info_), info_->where.offset, diagnostics_);
        if (!signatures)
            return;
        if (texts_.empty() && zebin_.functions.empty() && !signatures->empty())
            return fail(
                *info_, "no-visa-text",
                "the zebin has no vISA text: compile it with -internal_options -ze-emit-zebin-visa-sections");
        zebin_.metadata = text_of(*info_);
        zebin_.unknown = unknown_;
        if (texts_.empty())
            return match_by_name(*signatures);
        if (texts_.size() != signatures->size())
            return fail(*info_, "bad-metadata",
                        fmt::format("the metadata has {} kernels, but there are {} vISA texts",
                                    signatures->size(), texts_.size()));
        for (size_t i = 0; i < texts_.size(); ++i)
            if ((*signatures)[i].name != symbol_dummy)
                add_kernel(std::move((*signatures)[i]), disambiguate_scopes(text_of(*texts_[i])));
    }

    const ElfFile& elf_;
    Diagnostics& diagnostics_;
    size_t before_; // errors that were there already
    Zebin zebin_;
    std::vector<int> data_index_;          // by ELF section: index in Zebin::sections or -1
    std::map<size_t, uint64_t> joined_at_; // likewise, of joined sections: their offset
    std::vector<const ElfSection*> texts_;
    const ElfSection* info_ = nullptr;
    std::vector<std::string> unknown_; // of the file as a whole
    Compatibility compatibility_;
    std::optional<Location> notes_;
};

} // namespace

bool is_elf(std::span<const std::byte> file) {
    constexpr std::string_view magic = "\177ELF";
    return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

std::optional<std::string> machine_code_target(std::span<const std::byte> file) {
    Diagnostics ignored;
    const std::optional<ElfFile> elf = read_elf(file, ignored);
    if (!elf)
        return std::nullopt;
    bool has_code = false;
    Compatibility target;
    for (const ElfSection& section : elf->sections) {
        if (section.name.starts_with(text_section))
            return std::nullopt;
        has_code = has_code || section.name.starts_with(".text.") || section.name == old_section;
        if (section.type == type_note && section.name == ".note.intelgt.compat")
            target = read_notes(section.content);
    }
    if (!has_code)
        return std::nullopt;
    if (const auto device = device_of(target))
        return isa::device(*device).name;
    return target.product_family ? fmt::format("product family {}", *target.product_family)
                                 : "an Intel GPU that it does not name";
}

std::optional<isa::DeviceId> product_of(std::span<const std::byte> file) {
    Diagnostics ignored;
    const std::optional<ElfFile> elf = read_elf(file, ignored);
    if (!elf)
        return std::nullopt;
    for (const ElfSection& section : elf->sections)
        if (section.type == type_note && section.name == ".note.intelgt.compat")
            if (const auto device = device_of(read_notes(section.content)))
                return device;
    return std::nullopt;
}

std::optional<Zebin> read_zebin(std::span<const std::byte> file, Diagnostics& diagnostics) {
    const std::optional<ElfFile> elf = read_elf(file, diagnostics);
    if (!elf)
        return std::nullopt;
    return Reader(*elf, diagnostics).read();
}

} // namespace visor::launch
