// A zebin's ELF with the relocations of its debug sections done, for libdw, which does not know this
// machine's.
#pragma once

#include <cstddef>
#include <expected>
#include <libelf.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace visor::debug {

struct ElfCloser {
    void operator()(Elf* elf) const { elf_end(elf); }
};

class RelocatedElf {
public:
    // Error: a sentence.
    [[nodiscard]] static std::expected<RelocatedElf, std::string> read(std::span<const std::byte> zebin);

    [[nodiscard]] Elf* elf() const { return elf_.get(); }
    // Empty: there is no such section.
    [[nodiscard]] std::span<const std::byte> section(std::string_view name) const;

private:
    std::vector<char> bytes_; // that elf_ refers to
    std::unique_ptr<Elf, ElfCloser> elf_;
};

} // namespace visor::debug
