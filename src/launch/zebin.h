// Reads a zebin: the ELF that the compiler writes, with the vISA text of every kernel, its metadata, data
// sections, symbols and relocations (facts: launch ABI 1.1). Untrusted input: every size is checked.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "launch/signature.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::launch {

struct ZebinKernel {
    Signature signature;
    std::string text; // vISA; its own .kernel name means nothing
};

struct ZebinFunction {
    std::string name;
    std::string text;
};

// A section that lives in device memory for as long as the program.
struct DataSection {
    std::string name;               // ".data.const", ".data.global", ".data.const.string", ".bss.global", ...
    std::vector<std::byte> content; // empty for zero-filled ones
    uint64_t bytes = 0;
    bool constant = false;
};

struct Symbol {
    std::string name;
    int section = -1; // index in Zebin::sections, -1 = elsewhere (a function, or undefined)
    uint64_t offset = 0;
    bool is_function = false;
    bool defined = false;
};

enum class RelocationKind : uint8_t { address64 = 1, low32 = 2, high32 = 3 };
struct Relocation {
    size_t section = 0; // what is patched; the addend is in place
    uint64_t offset = 0;
    RelocationKind kind = RelocationKind::address64;
    std::string symbol;
};

struct Zebin {
    std::vector<ZebinKernel> kernels; // without the compiler's symbol-table dummy
    std::vector<ZebinFunction> functions;
    std::vector<DataSection> sections;
    std::vector<Symbol> symbols;
    std::vector<Relocation> relocations;
    std::string metadata;                // .ze_info, as it stands there
    std::string build_options;           // of the OpenCL compiler; "" when the file does not say
    std::vector<std::byte> spirv;        // empty when the file has none
    std::optional<isa::DeviceId> device; // that it was compiled for, when the file says so
    std::vector<std::string> unknown;    // of the file as a whole: each kernel's signature has it as well
};

[[nodiscard]] bool is_elf(std::span<const std::byte> file);

// The target of a device binary without vISA: "pvc", "product family 1272". Nothing: it is no device binary,
// or has vISA.
[[nodiscard]] std::optional<std::string> machine_code_target(std::span<const std::byte> file);

// The target device that a device binary names; nothing: none, or unknown.
[[nodiscard]] std::optional<isa::DeviceId> product_of(std::span<const std::byte> file);

// Problems go to `diagnostics`, located by file offset.
[[nodiscard]] std::optional<Zebin> read_zebin(std::span<const std::byte> file, Diagnostics& diagnostics);

} // namespace visor::launch
