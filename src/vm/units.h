// The vISA units of a file: one for a text or a binary, one for every kernel and function of a zebin. For
// verbs that inspect code without running it, and for the loader. Reads and checks; allocates no device
// memory.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "launch/zebin.h"
#include "module/module.h"
#include "text/text.h"
#include "verify/verify.h"
#include "vm/vm.h"

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::vm {

struct Unit {
    std::string name;    // its name in messages: "k.visaasm", "k.zebin(saxpy)"
    std::string content; // the text, or the binary's bytes
    bool binary = false;
    bool from_compiler = false;   // compiler output, edited or not:
                                  // a zebin's text, or one with launch metadata in it
    std::optional<Module> module; // absent: the diagnostics say why
    Diagnostics diagnostics;      // of reading, and of what was checked since
    // Without a module: the rest of a text whose errors are all inside of kernels.
    std::optional<text::PartialModule> partial{};

    [[nodiscard]] SourceView source() const { return {name, content, binary}; }
};

// The module, or the rest of it; nullptr: none.
[[nodiscard]] const Module* readable(const Unit& unit);

// A GRF's bytes; `device` may be nullptr for "any".
[[nodiscard]] uint32_t grf_bytes(const isa::Device* device);

// Whether it is compiler output: text with launch metadata always is.
enum class Author : uint8_t { anybody, compiler };

[[nodiscard]] Unit read_text(std::string_view name, std::string_view content, const isa::Device* device,
                             size_t max_errors = Diagnostics::default_max_errors,
                             Author author = Author::anybody);
[[nodiscard]] Unit read_binary(std::string_view name, std::string_view content, const isa::Device* device,
                               size_t max_errors = Diagnostics::default_max_errors);

// Text with its launch metadata in comment lines (launch/annotation.h); read_text alone passes them over.
struct AnnotatedText {
    Unit unit;                          // problems of the metadata are among its diagnostics
    std::optional<launch::Zebin> facts; // absent: the diagnostics say why
};
// `device` absent: the one that the metadata names. Error: the text is for another device.
[[nodiscard]] std::expected<AnnotatedText, Error>
read_annotated(std::string_view name, std::string_view content, std::optional<const isa::Device*> device,
               size_t max_errors = Diagnostics::default_max_errors);

// Adds the verifier's findings to the unit's own; does nothing without a module.
void check(Unit& unit, verify::Profile profile, const isa::Device* device);
// As `check` with profile igc; adds violations of the pages alone as warnings, unless it is compiler output.
void check_before_use(Unit& unit, const isa::Device* device);

// Names of kernels that profile igc rejects for this device; called functions are not included.
[[nodiscard]] std::vector<std::string> refused_kernels(const Module& module, const isa::Device* device);

// Removes kernels that are not run, by name, with their syntax errors.
void leave_out(Unit& unit, const std::function<bool(std::string_view)>& unwanted);

// All messages, ready to print. Those about a binary show the instruction they mean.
[[nodiscard]] std::string render(const Unit& unit, Color color);
// They as an Error: `unsupported` when there is no error beside what Visor does not support.
[[nodiscard]] Error error_of(const Unit& unit, Color color);

struct UnitsRequest {
    std::optional<const isa::Device*> device;            // absent: the file's own, else any; nullptr: any
    std::string compiler;                                // as LoadOptions has it
    std::string compiler_options;                        // for OpenCL C
    size_t max_errors = Diagnostics::default_max_errors; // of each unit
    Color color = Color::off;
};
struct Units {
    std::vector<Unit> units;
    const isa::Device* device = nullptr; // nullptr: any
    std::string warnings;                // of the outside compiler, ready to print
};
// OpenCL C and SPIR-V are compiled first. Error: the file as a whole is not what it should be; what is wrong
// inside a unit is in its diagnostics.
[[nodiscard]] std::expected<Units, Error> read_units(std::string_view name, std::string_view content,
                                                     const UnitsRequest& request);

} // namespace visor::vm
