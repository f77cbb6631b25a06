// A kernel's signature as the compiler's metadata (.ze_info) states it: arguments, payload layout, binding
// table, memory needs. Names follow the metadata's own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::launch {

enum class ArgumentKind : uint8_t { value, global_pointer, constant_pointer, local_pointer, image, sampler };

// One argument of the OpenCL source.
struct Argument {
    uint32_t index = 0;
    ArgumentKind kind = ArgumentKind::value;
    std::string name;      // "" when the metadata has none
    std::string type_name; // "float*", "int4", ...
    uint32_t bytes = 0;    // of a value
    uint32_t slm_alignment = 1;
    std::string access;          // of an image: "read_only", ...
    std::string type_qualifiers; // "const restrict"; "" = none
    int sampler_index = -1;      // of a sampler; -1: the kernel does not sample with it
    bool used = true;            // false: the compiler removed it
};

enum class PayloadKind : uint8_t {
    global_id_offset,
    local_size,
    enqueued_local_size,
    group_count,
    global_size,
    work_dimensions,
    argument_value,
    argument_pointer,
    buffer_address,
    buffer_offset,
    const_base,  // of the program's constants
    global_base, // of its variables
    private_base,
    printf_buffer,
    implicit_arguments,
    image_property, // `property` names it
    sampler_address,
    sampler_normalized,
    sampler_snap,
    inline_sampler,
    indirect_data, // address of the payload after the inline data
    scratch_state, // of the thread's scratch block
    unknown,       // `property` names it: a launch is rejected
};

enum class AddressMode : uint8_t { none, stateless, stateful, slm, bindless };

struct PayloadItem {
    PayloadKind kind = PayloadKind::unknown;
    std::string property; // the metadata's arg_type
    uint32_t offset = 0;  // in the cross-thread payload
    uint32_t bytes = 0;
    int argument = -1;
    int binding = -1;           // const_base, global_base: the surface of this index is the same
    int sampler = -1;           // inline_sampler: which
    uint32_t source_offset = 0; // argument_value: first byte of the argument
    AddressMode mode = AddressMode::none;
    uint32_t slm_alignment = 1;
};

struct BindingTableEntry {
    uint32_t index = 0;
    uint32_t argument = 0;
};

struct InlineSampler {
    uint32_t index = 0;
    std::string address_mode;
    std::string filter_mode;
    bool normalized = false;
};

struct ThreadMemory {
    enum class Type : uint8_t { scratch, global } type = Type::scratch;
    std::string usage; // "single_space", "private_space", "spill_fill_space"
    uint32_t bytes = 0;
    bool per_work_item = false; // is_simt_thread: multiply by the SIMD size
};

struct Signature {
    std::string name;
    uint32_t simd = 0;
    uint32_t slm_bytes = 0;
    uint32_t barrier_count = 0;
    uint32_t grf_count = 128;
    std::array<uint32_t, 3> required_group_size{}; // zeros: none
    std::array<uint8_t, 3> walk_order{0, 1, 2};
    uint32_t inline_bytes = 0;     // of the payload, which the hardware passes in a register of their own
    uint32_t per_thread_bytes = 0; // local ids
    bool has_local_ids = false;
    std::vector<PayloadItem> payload;
    std::vector<BindingTableEntry> bindings;
    std::vector<InlineSampler> inline_samplers;
    std::vector<ThreadMemory> thread_memory;
    std::vector<Argument> arguments; // by index
    std::string attributes;          // as they stand in the source: "reqd_work_group_size(8,1,1)"
    uint32_t required_sub_group_size = 0;
    bool needs_implicit_arguments = false; // whether or not it calls anything
    // Unknown entries of the file for this kernel (known_keys.h): a launch is rejected, and names them.
    // `unknown_in_functions` applies to kernels with calls.
    std::vector<std::string> unknown;
    std::vector<std::string> unknown_in_functions;
};

} // namespace visor::launch
