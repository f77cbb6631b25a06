// The library itself, its devices, and the instruction reference.
#include "capi/objects.h"
#include "compile/compile.h"
#include "coverage/coverage.h"
#include "isa/device.h"
#include "isa/reference.h"
#include "isa/table.h"
#include "vm/target.h"

#include <array>
#include <mutex>
#include <set>

using namespace visor;
using namespace visor::capi;

namespace {

// Interns a string for the process's lifetime: there are few.
const char* kept(std::string text) {
    static std::mutex mutex;
    static std::set<std::string>& all = *new std::set<std::string>;
    const std::lock_guard lock(mutex);
    return all.insert(std::move(text)).first->c_str();
}

void give_text(visor_bytes* out, std::string text) {
    auto made = std::make_shared<BytesObject>();
    made->content = std::move(text);
    give(out, std::move(made));
}

std::vector<const isa::Row*> rows_of(const char* name) {
    if (name == nullptr)
        return {isa::table().begin(), isa::table().end()};
    auto rows = coverage::rows_named(name);
    if (rows.empty())
        refuse(VISOR_ERROR_ARGUMENT,
               "there is no instruction `" + std::string(name) + "`" + did_you_mean(name, isa::mnemonics()));
    return rows;
}

} // namespace

const char* visor_version(void) {
    return vm::version().data(); // a literal
}

const char* visor_status_name(visor_status status) {
    constexpr std::array<const char*, 13> names{"ok",       "argument", "handle",   "input",   "unsupported",
                                                "compiler", "limit",    "fault",    "stopped", "memory",
                                                "busy",     "internal", "not ready"};
    const auto index = static_cast<size_t>(status);
    return index < names.size() ? names[index] : "unknown";
}

const char* visor_message(void) {
    return last_message();
}

visor_status visor_library(visor_library_info* info) {
    return call([&] {
        visor_library_info out{};
        out.version = visor_version();
        const compile::CompilerList compilers = compile::list_compilers();
        std::string titles;
        for (const compile::CompilerFacts& one : compilers.found)
            titles += (titles.empty() ? "" : ", ") + one.title;
        out.compiler = kept(titles);
        out.cache_folder = kept(compile::cache_folder());
        out.has_jit = vm::has_jit() ? 1 : 0;
        out.device_count = static_cast<int32_t>(isa::devices().size());
        write_struct(info, out, "visor_library_info");
    });
}

visor_status visor_find_device(const char* name, const void* content, size_t bytes, const char** device) {
    return call([&] {
        result(device, "`device`");
        needed(name, "`name`");
        *device = vm::find_device(name, content_of(content, bytes, "`content`"), "").device->name;
    });
}

visor_status visor_device(uint32_t index, visor_device_info* info) {
    return call([&] {
        if (index >= isa::devices().size())
            refuse(VISOR_ERROR_ARGUMENT, "there are " + std::to_string(isa::devices().size()) +
                                             " devices, none is number " + std::to_string(index));
        const isa::Device& device = isa::devices()[index];
        visor_device_info out{};
        out.name = device.name;
        out.description = device.description;
        out.grf_bytes = device.grf_bytes;
        out.slm_bytes = device.slm_bytes;
        out.max_group_size = device.max_group_size;
        out.max_group_threads = device.max_threads_group;
        out.int64 = device.int64 ? 1 : 0;
        out.fp64 = device.fp64 ? 1 : 0;
        out.lsc = device.lsc ? 1 : 0;
        out.compiles = compile::list_compilers().knows(device.name) ? 1 : 0;
        out.executes = device.executes ? 1 : 0;
        write_struct(info, out, "visor_device_info");
    });
}

visor_status visor_bytes_get(visor_bytes bytes, const void** data, size_t* count) {
    return call([&] {
        result(data, "`data`");
        result(count, "`count`");
        const auto found = find<BytesObject>(bytes);
        *data = found->content.c_str();
        *count = found->content.size();
    });
}

visor_status visor_bytes_release(visor_bytes bytes) {
    return call([&] { static_cast<void>(take<BytesObject>(bytes)); });
}

visor_status visor_isa_count(uint32_t* count) {
    return call([&] { result(count, "`count`") = static_cast<uint32_t>(isa::table().size()); });
}

visor_status visor_isa_get(uint32_t index, visor_isa_entry* entry) {
    return call([&] {
        if (index >= isa::table().size())
            refuse(VISOR_ERROR_ARGUMENT, "there are " + std::to_string(isa::table().size()) +
                                             " instructions, none is number " + std::to_string(index));
        const isa::Row& row = *isa::table()[index];
        visor_isa_entry out{};
        out.name = kept(coverage::unique_name(row));
        out.mnemonic = kept(row.mnemonic);
        out.family = kept(isa::reference(row).family);
        out.fidelity = isa::name_of(isa::fidelity(row));
        out.unsupported = kept(std::string(row.unsupported));
        out.has_binary = isa::has(row, isa::no_binary) ? 0 : 1;
        out.opcode = row.opcode;
        write_struct(entry, out, "visor_isa_entry");
    });
}

visor_status visor_isa_page(const char* name, visor_bytes* page) {
    return call([&] {
        result(page, "`page`");
        needed(name, "`name`");
        std::string text;
        for (const isa::Row* row : rows_of(name))
            text += (text.empty() ? "" : "\n") + isa::page(*row);
        give_text(page, std::move(text));
    });
}

visor_status visor_isa_json(int32_t table, const char* name, visor_bytes* json) {
    return call([&] {
        result(json, "`json`");
        const int32_t which = number_in(table, VISOR_ISA_FIDELITY, "`table`");
        if (which != VISOR_ISA_REFERENCE && name != nullptr)
            refuse(VISOR_ERROR_ARGUMENT, "`name` goes with the reference alone");
        if (which == VISOR_ISA_REFERENCE)
            return give_text(json, coverage::reference_json(rows_of(name)));
        give_text(json, which == VISOR_ISA_COVERAGE ? coverage::coverage_json() : coverage::fidelity_json());
    });
}
