// Names are those of the compiler's pages: zeinfo.md and elf.md of the zebin, 4_visa_header.md and
// VISAAttributes.h of vISA, and the driver's zeinfo.h for older ones.
#include "launch/known_keys.h"

#include "launch/elf.h"
#include "module/module.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace visor::launch {

namespace {

constexpr std::string_view machine_code = "about the machine code, which nobody here runs";
constexpr std::string_view for_the_driver = "a hint for the driver's scheduling or residency";
constexpr std::string_view stated_by_code = "the vISA text has the instructions themselves";
constexpr std::string_view for_queries = "for queries of the host; no launch reads it";
constexpr std::string_view stated_elsewhere = "another key says the same, and that one is honoured";
constexpr std::string_view no_caches = "Visor has no caches";
constexpr std::string_view only_default = "what it switches on is not done; other values are refused";

constexpr KnownKey of_file[] = {
    {"version", "", ""}, // the major number is checked
    {"kernels", "", ""},
    {"functions", "", ""},
    {"kernels_misc_info", "", ""},
    {"kernels_cost_info", "", "estimates of run time; the page: not necessary for execution"},
    {"global_host_access_table", "", "names of variables for the host's own accesses"},
    {"l1_cache_policy", "", no_caches},
};

constexpr KnownKey of_kernel[] = {
    {"name", "", ""},
    {"user_attributes", "", ""},
    {"execution_env", "", ""},
    {"payload_arguments", "", ""},
    {"per_thread_payload_arguments", "", ""},
    {"binding_table_indices", "", ""},
    {"per_thread_memory_buffers", "", ""},
    {"inline_samplers", "", ""},
    {"experimental_properties", "", "the page: must not affect the correctness of execution"},
    {"debug_env", "", "where a debugger finds its own surface"},
};

// The words of the source; `invalid_kernel` is missing, so that its reason is a refusal.
constexpr KnownKey of_user_attributes[] = {
    {"intel_reqd_sub_group_size", "", ""},
    {"intel_reqd_workgroup_walk_order", "", stated_elsewhere}, // work_group_walk_order_dimensions
    {"intel_reqd_thread_group_dispatch_size", "", for_the_driver},
    {"reqd_work_group_size", "", stated_elsewhere}, // required_work_group_size
    {"vec_type_hint", "", for_queries},
    {"work_group_size_hint", "", for_queries},
    {"hint", "", for_queries},
};

constexpr KnownKey of_execution_env[] = {
    {"actual_kernel_start_offset", "", machine_code},
    {"barrier_count", "", ""},
    {"disable_mid_thread_preemption", "", for_the_driver},
    {"eu_thread_count", "", for_the_driver},
    {"generate_local_id", "", "who makes the local ids; where they lie is per_thread_payload_arguments"},
    {"grf_count", "", ""},
    {"has_4gb_buffers", "", stated_by_code},
    {"has_bindless_image_read", "false", only_default},
    {"has_device_enqueue", "false", only_default},
    {"has_dpas", "", stated_by_code},
    {"has_fence_for_image_access", "", stated_by_code},
    {"has_global_atomics", "", for_the_driver},
    {"has_indirect_calls", "", stated_by_code},
    {"has_lsc_stores_with_non_default_l1_cache_controls", "", no_caches},
    {"has_multi_scratch_spaces", "", "each space is a per-thread memory buffer, and those are honoured"},
    {"has_no_stateless_write", "", for_the_driver},
    {"has_printf_calls", "", stated_by_code},
    {"has_rtcalls", "false", only_default},
    {"has_sample", "", "allows an order of pixels for speed; told by the code"},
    {"has_stack_calls", "", stated_by_code},
    {"hw_preemption_mode", "", for_the_driver},
    {"indirect_stateless_count", "", "which memory has to be resident: all of it is"},
    {"inline_data_payload_size", "", ""},
    {"offset_to_skip_per_thread_data_load", "", machine_code},
    {"offset_to_skip_set_ffid_gp", "", machine_code},
    {"private_size", "", "a sum; the per-thread memory buffers are honoured"},
    {"quantum_partition_dimension", "0", only_default},
    {"quantum_size", "0", only_default},
    {"quantum_walk_order", "0", only_default},
    {"require_assert_buffer", "false", only_default},
    {"require_disable_eufusion", "", "no execution units are fused"},
    {"require_iab", "true false", ""},
    {"require_sync_buffer", "false", only_default},
    {"required_sub_group_size", "", stated_elsewhere}, // simd_size
    {"required_work_group_size", "", ""},
    {"simd_size", "", ""},
    {"slm_alloc_mode", "0", ""}, // 1: the launch would add slm_size
    {"slm_size", "", ""},
    {"spill_size", "", "spills are the machine code's"},
    {"subgroup_independent_forward_progress", "", "threads switch wherever they may wait for another"},
    {"thread_scheduling_mode", "", for_the_driver},
    {"work_group_walk_order_dimensions", "", ""},
};

// arg_type: what is unknown is refused as a launch parameter.
constexpr KnownKey of_payload_arguments[] = {
    {"arg_type", "", ""},
    {"offset", "", ""},
    {"size", "", ""},
    {"arg_index", "", ""},
    {"addrmode", "stateless stateful bindless slm", ""},
    {"addrspace", "global local constant image sampler", ""},
    {"access_type", "readonly writeonly readwrite", ""},
    {"sampler_index", "", ""},
    {"source_offset", "", ""},
    {"slm_alignment", "", ""},
    {"image_type",
     "image_buffer image_1d image_1d_array image_2d image_2d_array image_3d image_cube image_cube_array "
     "image_2d_depth image_2d_array_depth image_2d_msaa image_2d_msaa_depth image_2d_array_msaa "
     "image_2d_array_msaa_depth image_2d_media image_2d_media_block",
     "the argument's type name says it, and that one is checked"},
    {"image_transformable", "", "allows the driver another layout of a 3D image; Visor has one"},
    {"sampler_type", "texture", ""},
    {"is_pipe", "false", only_default},
    {"is_ptr", "", "which memory has to be resident: all of it is"},
    {"bti_value", "", ""}, // of const_base and global_base
};

constexpr KnownKey of_per_thread_payload_arguments[] = {
    {"arg_type", "", ""},
    {"offset", "", ""},
    {"size", "", ""},
};

constexpr KnownKey of_binding_table_indices[] = {
    {"bti_value", "", ""},
    {"arg_index", "", ""},
};

constexpr KnownKey of_per_thread_memory_buffers[] = {
    {"type", "global scratch", ""},
    {"usage", "private_space spill_fill_space single_space", ""},
    {"size", "", ""},
    {"slot", "", ""},
    {"is_simt_thread", "true false", ""},
};

constexpr KnownKey of_inline_samplers[] = {
    {"sampler_index", "", ""},
    {"addrmode", "none clamp_border clamp_edge repeat mirror", ""},
    {"filtermode", "nearest linear", ""},
    {"normalized", "true false", ""},
};

constexpr KnownKey of_experimental_properties[] = {
    {"has_non_kernel_arg_load", "", for_the_driver},
    {"has_non_kernel_arg_store", "", for_the_driver},
    {"has_non_kernel_arg_atomic", "", for_the_driver},
};

constexpr KnownKey of_debug_env[] = {
    {"sip_surface_bti", "", "a debugger's"},
    {"sip_surface_offset", "", "a debugger's"},
};

constexpr KnownKey of_functions[] = {
    {"name", "", ""}, {"execution_env", "", ""}, // checked; a function runs in its kernel's environment
};

constexpr KnownKey of_host_access[] = {
    {"device_name", "", for_queries},
    {"host_name", "", for_queries},
};

constexpr KnownKey of_kernels_misc_info[] = {
    {"name", "", ""},
    {"args_info", "", ""},
};

constexpr KnownKey of_args_info[] = {
    {"index", "", ""},
    {"name", "", ""},
    {"address_qualifier", "__global __constant __local __private", ""},
    {"access_qualifier", "NONE __read_only __write_only __read_write", ""},
    {"type_name", "", ""},
    {"type_qualifiers", "", ""},
};

std::span<const KnownKey> keys_of(KeyLevel level) {
    switch (level) {
    case KeyLevel::file:
        return of_file;
    case KeyLevel::kernel:
        return of_kernel;
    case KeyLevel::user_attributes:
        return of_user_attributes;
    case KeyLevel::execution_env:
        return of_execution_env;
    case KeyLevel::payload_arguments:
        return of_payload_arguments;
    case KeyLevel::per_thread_payload_arguments:
        return of_per_thread_payload_arguments;
    case KeyLevel::binding_table_indices:
        return of_binding_table_indices;
    case KeyLevel::per_thread_memory_buffers:
        return of_per_thread_memory_buffers;
    case KeyLevel::inline_samplers:
        return of_inline_samplers;
    case KeyLevel::experimental_properties:
        return of_experimental_properties;
    case KeyLevel::debug_env:
        return of_debug_env;
    case KeyLevel::functions:
        return of_functions;
    case KeyLevel::global_host_access_table:
        return of_host_access;
    case KeyLevel::kernels_misc_info:
        return of_kernels_misc_info;
    case KeyLevel::args_info:
        return of_args_info;
    }
    return {};
}

// ---- sections

enum Type : uint32_t {
    type_null = 0,
    type_bits = 1,
    type_symbols = 2,
    type_strings = 3,
    type_rela = 4,
    type_note = 7,
    type_no_bits = 8,
    type_rel = 9,
    type_spirv = 0xff000009,
    type_ze_info = 0xff000011,
    type_gtpin = 0xff000012,
    type_visa_text = 0xff000013,
    type_misc = 0xff000014,
    type_pisa = 0xff000015,
};

struct KnownSection {
    std::string_view name; // ending with a dot or an underscore: a prefix
    uint32_t type;
    std::string_view why; // as of keys
};

constexpr KnownSection sections[] = {
    {"", type_null, "ELF's own"},
    {".strtab", type_strings, ""},
    {".shstrtab", type_strings, ""},
    {".symtab", type_symbols, ""},
    {".ze_info", type_ze_info, ""},
    {".visaasm", type_visa_text, ""},
    {".visaasm.", type_visa_text, ""},
    {".note.intelgt.compat", type_note, ""},
    {".note.intelgt.metrics", type_note, "counters of the hardware for a profiler"},
    {".spv", type_spirv, ""},
    {".spv.", type_spirv, ""},
    {".misc.buildOptions", type_misc, ""},
    {".misc.specConstantsIds", type_misc, "the code has the constants in it"},
    {".misc.specConstantsValues", type_misc, "the code has the constants in it"},
    {".data.const", type_bits, ""},
    {".data.const.string", type_bits, ""},
    {".data.global", type_bits, ""},
    {".data.global_const", type_bits, ""},
    {".bss.const", type_no_bits, ""},
    {".bss.global", type_no_bits, ""},
    {".rel.data.", type_rel, ""},
    {".rela.data.", type_rela, ""}, // refused by the reader
    {".text", type_bits, machine_code},
    {".text.", type_bits, machine_code},
    {".rel.text", type_rel, machine_code},
    {".rel.text.", type_rel, machine_code},
    {".rela.text", type_rela, machine_code},
    {".rela.text.", type_rela, machine_code},
    {".gtpin_info", type_gtpin, machine_code},
    {".gtpin_info.", type_gtpin, machine_code},
    {".pisa", type_pisa, "the same code in another form"},
    {".pisa.", type_pisa, "the same code in another form"},
    {".debug_", type_bits, "lines and names for a debugger"},
    {".rel.debug_", type_rel, "lines and names for a debugger"},
    {".rela.debug_", type_rela, "lines and names for a debugger"},
};

bool fits(const KnownSection& known, const ElfSection& section) {
    const bool begins = known.name.ends_with('.') || known.name.ends_with('_');
    return known.type == section.type &&
           (begins ? section.name.starts_with(known.name) : section.name == known.name);
}

// ---- attributes

struct KnownAttribute {
    std::string_view name;
    std::string_view why; // as of keys
};

constexpr std::string_view for_the_finalizer = "how machine code is made, or where its own data lie";
constexpr std::string_view stitching = "how the finalizer joins pieces of machine code";
constexpr std::string_view for_registers = "about the allocation of registers";

constexpr KnownAttribute attributes[] = {
    // of kernels and functions
    {"SimdSize", ""},
    {"SLMSize", ""},
    {"AllLaneActive", "allows faster code where all lanes are on"},
    {"ArgSize", for_registers},
    {"AsmName", "a file name"},
    {"Callable", stitching},
    {"Caller", stitching},
    {"Composable", stitching},
    {"CrossThreadInputSize", "where inputs lie is said by each .input"},
    {"DisableLoadThreadPayloadWA", for_the_finalizer},
    {"Entry", stitching},
    {"Extern", "every function can be called by its address"},
    {"LTO_InvokeOptTarget", stitching},
    {"MaxRegThreadDispatch", for_registers},
    {"NBarrierCnt", "every number of barriers is there"},
    {"NoBarrier", stated_by_code},
    {"NumGRF", for_registers},
    {"OutputAsmPath", "a file name"},
    {"PerThreadInputSize", "where inputs lie is said by each .input"},
    {"RetValSize", for_registers},
    {"ScratchIndirectMemOffset", for_the_finalizer},
    {"ScratchIndirectRegOffset", for_the_finalizer},
    {"ScratchInlineOffset", for_the_finalizer},
    {"SepSpillPvtSS", for_the_finalizer},
    {"SpillMemOffset", for_the_finalizer},
    {"Target", "which compiler made the text"},
    {"crossThreadInputSize", "where inputs lie is said by each .input"},
    {"perThreadInputSize", "where inputs lie is said by each .input"},
    // of variables
    {"DoNotSpill", for_registers},
    {"ExclusiveLoad", for_registers},
    {"ForceSpill", for_registers},
    {"Input", for_registers},
    {"Input_Output", for_registers},
    {"NoWidening", for_registers},
    {"Output", for_registers},
    {"PayloadLiveOut", for_registers},
    {"Scope", "where a variable may be used, which the text keeps to"},
    {"SurfaceUsage", for_the_finalizer},
};

using Attributes = std::vector<Attribute>;

const Attribute* first_unknown(const Attributes& given) {
    const auto found = std::ranges::find_if(given, [](const Attribute& attribute) {
        return std::ranges::find(attributes, std::string_view(attribute.name), &KnownAttribute::name) ==
               std::end(attributes);
    });
    return found == given.end() ? nullptr : &*found;
}

template <class Variables>
const Attribute* first_unknown_of(const Variables& variables) {
    for (const auto& variable : variables)
        if (const Attribute* found = first_unknown(variable.attributes))
            return found;
    return nullptr;
}

} // namespace

const KnownKey* find_key(KeyLevel level, std::string_view key) {
    const std::span<const KnownKey> keys = keys_of(level);
    const auto found = std::ranges::find(keys, key, &KnownKey::key);
    return found == keys.end() ? nullptr : &*found;
}

bool is_known_value(const KnownKey& known, std::string_view value) {
    std::string_view rest = known.values;
    if (rest.empty())
        return true;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == value)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool is_known(const ElfSection& section) {
    return std::ranges::any_of(sections, [&](const KnownSection& known) { return fits(known, section); });
}

std::optional<std::string> unknown_attribute(const Function& function) {
    const Attribute* found = first_unknown(function.attributes);
    for (const auto* others :
         {&function.addresses, &function.predicates, &function.samplers, &function.surfaces})
        found = found != nullptr ? found : first_unknown_of(*others);
    found = found != nullptr ? found : first_unknown_of(function.general);
    return found == nullptr ? std::nullopt : std::optional(fmt::format("`{}`", found->name));
}

} // namespace visor::launch
