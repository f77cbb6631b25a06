// jit_forms FOLDER: which forms of each instruction compiled code executes itself. Compiles what the
// execution cases (tests/exec) of each row and their sweeps launch, and compares with what the reference says
// (isa/compiled_forms.h). Exit code 0: they agree.
#include "exec/literal.h"
#include "exec/sweep.h"
#include "isa/compiled_forms.h"
#include "isa/table.h"
#include "jit/driver/pipeline.h"
#include "jit/program/image_messages.h"
#include "text/text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace visor::exec_test {

namespace {

struct Forms {
    size_t compiled = 0;
    size_t interpreted = 0;
    uint8_t calls = 0; // isa::RuntimeCallKind, in the code of compiled forms

    [[nodiscard]] bool none() const { return compiled + interpreted == 0; }
};

uint8_t kind_of(jit::RuntimeEntry entry) {
    switch (entry) {
    case jit::RuntimeEntry::check_range:
    case jit::RuntimeEntry::check_lanes:
        return isa::calls_allocation_lookup;
    case jit::RuntimeEntry::meet:
        return isa::calls_barrier;
    case jit::RuntimeEntry::poll:
        return isa::calls_safepoint;
    case jit::RuntimeEntry::step:
        return isa::calls_interpreter;
    default:
        return 0;
    }
}

// Any image will do: forms do not depend on it, but for formats that are not converted.
std::vector<jit::ImageAccess> images_of(const Program& program) {
    std::vector<jit::ImageAccess> images;
    for (uint32_t i = 0; i < program.code.size(); ++i)
        if (jit::image_operands(program, program.code[i]))
            images.push_back({.instruction = i});
    return images;
}

void count(const Launch& launch, const isa::Row& row, Forms& forms) {
    const isa::Device& device = *isa::device_named(launch.device);
    Diagnostics diagnostics;
    auto module = text::parse(launch.text, {device.grf_bytes}, diagnostics);
    auto program =
        module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                  device, diagnostics)
               : std::nullopt;
    if (!program)
        return;
    auto object =
        jit::compile(*program, {.simd = launch.simd, .tier = jit::Tier::best, .images = images_of(*program)});
    if (!object)
        return;
    const std::set<uint32_t> interpreted(object->interpreted.begin(), object->interpreted.end());
    for (uint32_t i = 0; i < program->code.size(); ++i)
        if (program->code[i].row == &row)
            ++(interpreted.contains(i) ? forms.interpreted : forms.compiled);
    for (const jit::InstructionCall& call : object->calls)
        if (program->code[call.instruction].row == &row && !interpreted.contains(call.instruction))
            forms.calls |= kind_of(call.entry);
}

constexpr size_t in_kernel = 32;
constexpr size_t most_kernels = 12; // of a row's sweeps

Forms forms_of(const CaseFile& file, const isa::Row& row) {
    Forms forms;
    for (const LiteralCase& given : file.cases) {
        const std::string device =
            given.devices.empty() ? std::string(devices_for(row, {}).front()->name) : given.devices.front();
        const isa::Device* const known = isa::device_named(device);
        if (const auto kernel = kernel_of(given, device, known->grf_bytes))
            count(*kernel, row, forms);
    }
    auto planned = plan(file);
    for (size_t kernels = 0; planned && !planned->empty() && kernels < most_kernels; ++kernels) {
        const Planned first = planned->front();
        std::vector<Planned> batch;
        std::vector<Planned> rest;
        for (size_t k = 0; k < planned->size(); ++k) {
            Planned& one = (*planned)[k];
            const bool spread = k % (1 + planned->size() / in_kernel) == 0;
            if (batch.size() < in_kernel && spread && SweepKernel::together(first, one))
                batch.push_back(std::move(one));
            else if (!SweepKernel::together(first, one))
                rest.push_back(std::move(one));
        }
        count(SweepKernel(file, batch).launch(), row, forms);
        *planned = std::move(rest);
    }
    return forms;
}

bool check(const std::filesystem::path& path) {
    const auto file = read_case_file(path.string());
    const isa::Row* const row = file ? row_of(*file) : nullptr;
    if (row == nullptr)
        return false;
    const Forms forms = forms_of(*file, *row);
    const isa::CompiledForms stated = isa::compiled_forms(*row);
    const isa::Compiled said = stated.state;
    const bool is_true = forms.none() || (said == isa::Compiled::in_line && forms.interpreted == 0) ||
                         (said == isa::Compiled::interpreted && forms.compiled == 0) ||
                         (said == isa::Compiled::partly && forms.interpreted != 0);
    if (!is_true)
        fmt::print("{}: {}, by the reference; of the cases' forms {} are compiled, {} interpreted\n",
                   path.string(), isa::name_of(said), forms.compiled, forms.interpreted);
    // Not every case has what the interpreter is called for.
    const auto missing = static_cast<uint8_t>(stated.calls & ~forms.calls & ~isa::calls_interpreter);
    const auto unsaid = static_cast<uint8_t>(forms.calls & ~stated.calls);
    const bool calls_are_true = forms.compiled == 0 || (missing == 0 && unsaid == 0);
    if (!calls_are_true)
        fmt::print("{}: calls {:#x}, by the reference; the cases' code calls {:#x}\n", path.string(),
                   stated.calls, forms.calls);
    return is_true && calls_are_true;
}

} // namespace

} // namespace visor::exec_test

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1]))
        if (entry.path().extension() == ".case" && !entry.path().string().contains("/self/"))
            files.push_back(entry.path());
    std::ranges::sort(files);
    bool fine = !files.empty();
    for (const auto& file : files)
        fine = visor::exec_test::check(file) && fine;
    return fine ? 0 : 1;
}
