// Rows of the flat messages, all of one opcode. What lies outside every allocation is a fault (ruling 30).
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

namespace code = sub_opcode::svm;

constexpr uint32_t load_flags = reads_memory | can_fault;
constexpr uint32_t store_flags = writes_memory | can_fault;

// 16 owords are not on the pages (ruling 18).
constexpr Field properties =
    with_codes(byte_field("properties", Codec::svm_block, Place::paren), 0b01111, 0b10000);
constexpr Field block_address = scalar_field("address", one_uq);
constexpr std::array block_load_format{sub_field, properties, block_address,
                                       raw_result("dst", 0, Extent::owords)};
constexpr std::array block_store_format{sub_field, properties, block_address,
                                        raw_source("src", 0, Extent::owords)};

constexpr Field block_size = byte_field("block_size", Codec::block_type, Place::suffix);
constexpr Field num_blocks = byte_field("num_blocks", Codec::block_count, Place::suffix);
constexpr Field addresses = raw_source("addresses", one_uq, Extent::lanes_8);
constexpr std::array gather_format{sub_field,
                                   exec_field,
                                   predicate_field,
                                   block_size,
                                   num_blocks,
                                   addresses,
                                   raw_result("dst", 0, Extent::svm_blocks)};
constexpr std::array scatter_format{sub_field,
                                    exec_field,
                                    predicate_field,
                                    block_size,
                                    num_blocks,
                                    addresses,
                                    raw_source("src", 0, Extent::svm_blocks)};

constexpr Field channels = byte_field("channels", Codec::channel_mask, Place::suffix);
constexpr Field scale = ignored_field(FieldKind::literal16, "scale");
// The compiler writes a base of zero as 0:ud.
constexpr Field address = emitted_also(scalar_field("address", one_uq), one_ud);
constexpr Field element_offset = raw_source("element_offset", one_uq, Extent::lanes_8);
constexpr std::array gather4_format{
    sub_field, exec_field, predicate_field, channels,
    scale,     address,    element_offset,  raw_result("dst", dword_data, Extent::channels_4)};
constexpr std::array scatter4_format{
    sub_field, exec_field, predicate_field, channels,
    scale,     address,    element_offset,  raw_source("src", dword_data, Extent::channels_4)};

constexpr Row message(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* page, uint8_t exec_sizes, const char* semantics) {
    return {.opcode = opcode::svm,
            .sub = sub,
            .mnemonic = mnemonic,
            .family = Family::svm,
            .format = format,
            .exec_sizes = exec_sizes,
            .flags = flags,
            .out_of_bounds = OutOfBounds::fault,
            .page = page,
            .semantics = semantics};
}

constexpr std::array table{
    message(code::block_ld, "svm_block_ld", block_load_format, load_flags | implicit_no_mask | core_five,
            "SVM_BLOCK_LD", no_exec_size, "bytes 0 .. 16*owords-1 of dst = those of memory from address on"),
    message(code::block_st, "svm_block_st", block_store_format, store_flags | implicit_no_mask,
            "SVM_BLOCK_ST", no_exec_size, "bytes of memory from address on = bytes 0 .. 16*owords-1 of src"),
    message(code::gather, "svm_gather", gather_format, load_flags, "SVM_GATHER", up_to_16,
            "blocks of 4 or 8 bytes: dst[j*pitch + i] = block j at addresses[i]\n"
            "of 1 byte: byte j of element i of dst = byte j at addresses[i]; an element\n"
            "is a dword, with 8 blocks a qword"),
    message(code::scatter, "svm_scatter", scatter_format, store_flags, "SVM_SCATTER", up_to_16,
            "blocks of 4 or 8 bytes: block j at addresses[i] = src[j*pitch + i]\n"
            "of 1 byte: byte j at addresses[i] = byte j of element i of src; an element\n"
            "is a dword, with 8 blocks a qword"),
    // svm_atomic stands with the other atomics.
    message(code::gather4scaled, "svm_gather4scaled", gather4_format, load_flags, "SVM_GATHER4_SCALED",
            lanes_8_16,
            "dst[k*pitch + i] = dword of memory at address + element_offset[i] + 4*c\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them"),
    message(code::scatter4scaled, "svm_scatter4scaled", scatter4_format, store_flags, "SVM_SCATTER4_SCALED",
            lanes_8_16,
            "dword of memory at address + element_offset[i] + 4*c = src[k*pitch + i]\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them"),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(block_load_format, {{order::svm_block::properties, "properties"},
                                               {order::svm_block::address, "address"},
                                               {order::svm_block::data, "dst"}}));
static_assert(has_operands(block_store_format, {{order::svm_block::properties, "properties"},
                                                {order::svm_block::address, "address"},
                                                {order::svm_block::data, "src"}}));
static_assert(has_operands(gather_format, {{order::svm_gather::block_size, "block_size"},
                                           {order::svm_gather::num_blocks, "num_blocks"},
                                           {order::svm_gather::addresses, "addresses"},
                                           {order::svm_gather::data, "dst"}}));
static_assert(has_operands(scatter_format, {{order::svm_gather::block_size, "block_size"},
                                            {order::svm_gather::num_blocks, "num_blocks"},
                                            {order::svm_gather::addresses, "addresses"},
                                            {order::svm_gather::data, "src"}}));
static_assert(has_operands(gather4_format, {{order::svm_gather4scaled::channels, "channels"},
                                            {order::svm_gather4scaled::scale, "scale"},
                                            {order::svm_gather4scaled::address, "address"},
                                            {order::svm_gather4scaled::element_offset, "element_offset"},
                                            {order::svm_gather4scaled::data, "dst"}}));
static_assert(has_operands(scatter4_format, {{order::svm_gather4scaled::channels, "channels"},
                                             {order::svm_gather4scaled::scale, "scale"},
                                             {order::svm_gather4scaled::address, "address"},
                                             {order::svm_gather4scaled::element_offset, "element_offset"},
                                             {order::svm_gather4scaled::data, "src"}}));

} // namespace

std::span<const Row> svm() {
    return table;
}

} // namespace visor::isa::rows
