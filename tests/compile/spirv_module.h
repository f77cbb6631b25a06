// SPIR-V modules written down word by word, as the specification has them.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace visor::test::spirv {

class Module {
public:
    explicit Module(uint32_t bound, uint32_t version = 0x00010200)
        : words_{0x07230203, version, 0, bound, 0} {}

    Module& add(uint32_t opcode, const std::vector<uint32_t>& operands) {
        words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16U | opcode);
        words_.insert(words_.end(), operands.begin(), operands.end());
        return *this;
    }
    Module& raw(std::initializer_list<uint32_t> words) {
        words_.insert(words_.end(), words);
        return *this;
    }
    [[nodiscard]] std::string bytes() const {
        std::string out(words_.size() * 4, '\0');
        std::memcpy(out.data(), words_.data(), out.size());
        return out;
    }

private:
    std::vector<uint32_t> words_;
};

// Operands, the last of them a string.
inline std::vector<uint32_t> with_text(std::vector<uint32_t> operands, std::string_view text,
                                       const std::vector<uint32_t>& after = {}) {
    std::string padded(text);
    padded.resize(text.size() / 4 * 4 + 4);
    const size_t first = operands.size();
    operands.resize(first + padded.size() / 4);
    std::memcpy(operands.data() + first, padded.data(), padded.size());
    operands.insert(operands.end(), after.begin(), after.end());
    return operands;
}

// Ids of number(): what a body of one's own may use. New ids begin at `free`.
enum Id : uint32_t {
    std_id = 1,
    ulong_id,
    uint_id,
    void_id,
    vector_id,
    vector_pointer_id,
    ulong_pointer_id,
    uint_pointer_id,
    function_id,
    global_id, // the built-in variable GlobalInvocationId
    main_id,
    out_id,
    label_id,
    free_id
};

struct Body {
    uint32_t bound = free_id;
    uint32_t index = 0;                              // a ulong, below
    std::vector<std::vector<uint32_t>> globals;      // opcode, operands: behind the types
    std::vector<std::vector<uint32_t>> instructions; // that compute `index`
    uint32_t storage = 1;                            // of the variable: Input
    uint32_t version = 0x00010200;
};

// kernel number(global uint* out): out[index] = index. Three ids from `bound` - 3 on are its own.
inline std::string number(const Body& body) {
    Module module(body.bound, body.version);
    for (const uint32_t capability : {4U, 5U, 6U, 11U}) // Addresses, Linkage, Kernel, Int64
        module.add(17, {capability});
    module.add(11, with_text({std_id}, "OpenCL.std"));
    module.add(14, {2, 2}); // Physical64 OpenCL
    module.add(15, with_text({6, main_id}, "number", {global_id}));
    module.add(71, {global_id, 11, 28}); // BuiltIn GlobalInvocationId
    module.add(71, {global_id, 22});     // Constant
    module.add(21, {ulong_id, 64, 0}).add(21, {uint_id, 32, 0}).add(19, {void_id});
    module.add(23, {vector_id, ulong_id, 3});
    module.add(32, {vector_pointer_id, body.storage, vector_id});
    module.add(32, {ulong_pointer_id, body.storage, ulong_id});
    module.add(32, {uint_pointer_id, 5, uint_id});
    module.add(33, {function_id, void_id, uint_pointer_id});
    module.add(59, {vector_pointer_id, global_id, body.storage});
    for (const std::vector<uint32_t>& one : body.globals)
        module.add(one.front(), {one.begin() + 1, one.end()});
    module.add(54, {void_id, main_id, 0, function_id}).add(55, {uint_pointer_id, out_id});
    module.add(248, {label_id});
    for (const std::vector<uint32_t>& one : body.instructions)
        module.add(one.front(), {one.begin() + 1, one.end()});
    const uint32_t narrow = body.bound - 2;
    const uint32_t address = body.bound - 1;
    module.add(113, {uint_id, narrow, body.index});                   // OpUConvert
    module.add(67, {uint_pointer_id, address, out_id, body.index});   // OpPtrAccessChain
    module.add(62, {address, narrow, 2, 4}).add(253, {}).add(56, {}); // OpStore, OpReturn, OpFunctionEnd
    return module.bytes();
}

// As DPC++ reads the number of a work-item: OpBitcast of the variable's address, OpLoad of its first
// component.
inline std::string number_by_bitcast(uint32_t version = 0x00010200) {
    return number({.bound = free_id + 4,
                   .index = free_id + 1,
                   .globals = {},
                   .instructions = {{124, ulong_pointer_id, free_id, global_id},
                                    {61, ulong_id, free_id + 1, free_id, 2, 32}},
                   .version = version});
}

// The same as the compiler takes it.
inline std::string number_by_extract(uint32_t version = 0x00010200) {
    return number({.bound = free_id + 4,
                   .index = free_id + 1,
                   .globals = {},
                   .instructions = {{61, vector_id, free_id, global_id, 2, 32},
                                    {81, ulong_id, free_id + 1, free_id, 0}},
                   .version = version});
}

} // namespace visor::test::spirv
