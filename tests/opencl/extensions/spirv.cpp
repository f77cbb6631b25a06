// Modules of SPIR-V, written word by word.
#include "host.h"

#include <cstring>
#include <initializer_list>

namespace visor::opencl_extensions {

namespace {

class Module {
public:
    explicit Module(uint32_t version) : words_{0x07230203, version, 0, 64, 0} {}

    void add(uint32_t opcode, std::initializer_list<uint32_t> operands, std::string_view text = {}) {
        const size_t text_words = text.empty() ? 0 : text.size() / 4 + 1;
        words_.push_back(static_cast<uint32_t>((1 + operands.size() + text_words) << 16 | opcode));
        words_.insert(words_.end(), operands);
        const size_t at = words_.size();
        words_.resize(at + text_words, 0);
        if (!text.empty())
            std::memcpy(&words_[at], text.data(), text.size());
    }
    [[nodiscard]] const std::vector<uint32_t>& words() const { return words_; }

private:
    std::vector<uint32_t> words_;
};

enum Id : uint32_t {
    none,
    type_void,
    type_int,
    type_long,
    type_vector,
    type_pointer,
    type_input,
    type_function,
    item,
    main,
    entry,
    argument,
    loaded,
    wide,
    narrow,
    address,
    value,
    constant,
    result,
    base_index,
    base,
    first,
    second,
    third,
    fourth,
    fifth,
    sixth,
    mask,
    last_lane
};

void begin(Module& out, bool sub_groups, const Declared& declared = {}) {
    for (const uint32_t capability : {4u, 6u, 11u}) // Addresses, Kernel, Int64
        out.add(17, {capability});
    for (const uint32_t capability : declared.capabilities)
        out.add(17, {capability});
    for (const std::string_view extension : declared.extensions)
        out.add(10, {}, extension);
    if (sub_groups) {
        for (const uint32_t capability :
             {58u, 5568u, 5569u}) // SubgroupDispatch, ...ShuffleINTEL, ...BufferBlockIOINTEL
            out.add(17, {capability});
        out.add(10, {}, "SPV_INTEL_subgroups");
    }
    out.add(14, {2, 2});                // Physical64, OpenCL
    out.add(15, {6, main, 0x6b, item}); // Kernel "k"
    if (sub_groups)
        out.add(16, {main, 35, lanes}); // SubgroupSize
    out.add(71, {item, 11, 28});        // GlobalInvocationId
    out.add(71, {item, 22});
    out.add(19, {type_void});
    out.add(21, {type_int, 32, 0});
    out.add(21, {type_long, 64, 0});
    out.add(23, {type_vector, type_long, 3});
    out.add(32, {type_pointer, 5, type_int});
    out.add(32, {type_input, 1, type_vector});
    out.add(33, {type_function, type_void, type_pointer});
    out.add(43, {type_int, constant, 3});
    out.add(43, {type_long, mask, 0xfffffff0u, 0xffffffffu});
    out.add(43, {type_int, last_lane, 15});
    out.add(43, {type_int, sixth, 1});
    out.add(59, {type_input, item, 1});
    out.add(54, {type_void, main, 0, type_function});
    out.add(55, {type_pointer, argument});
    out.add(248, {entry});
    out.add(61, {type_vector, loaded, item});
    out.add(81, {type_long, wide, loaded, 0});
    out.add(113, {type_int, narrow, wide});
}
void end(Module& out) {
    out.add(253, {});
    out.add(56, {});
}

} // namespace

std::vector<uint32_t> times_three_module(uint32_t version, const Declared& declared) {
    Module out(version);
    begin(out, false, declared);
    out.add(132, {type_int, result, narrow, constant});
    out.add(70, {type_pointer, address, argument, wide});
    out.add(62, {address, result, 2, 4});
    end(out);
    return out.words();
}

std::vector<uint32_t> sub_group_module() {
    Module out(0x00010000);
    begin(out, true);
    out.add(199, {type_long, base_index, wide, mask});
    out.add(70, {type_pointer, base, argument, base_index});
    out.add(5575, {type_int, value, base});                  // block read
    out.add(199, {type_int, first, narrow, last_lane});      // lane
    out.add(198, {type_int, second, first, sixth});          // its neighbour
    out.add(5571, {type_int, third, value, second});         // shuffle
    out.add(5574, {type_int, fourth, third, sixth});         // shuffle xor
    out.add(5572, {type_int, fifth, fourth, fourth, sixth}); // shuffle down
    out.add(5573, {type_int, address, fifth, fifth, sixth}); // shuffle up
    out.add(132, {type_int, result, address, constant});
    out.add(128, {type_int, static_cast<uint32_t>(40), result, third});
    out.add(5576, {base, 40}); // block write
    end(out);
    return out.words();
}

} // namespace visor::opencl_extensions
