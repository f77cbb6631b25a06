// lsc_load_block2d, lsc_store_block2d: the blocks that there are. The pages leave them to "external
// documentation"; the implementation's verifier has the rules.
#include "verify/lsc_message.h"
#include "verify/spelling.h"

#include <algorithm>

namespace visor::verify {

namespace {

namespace lsc = isa::lsc;

struct Block {
    uint64_t size; // of an element, as coded
    bool transposed;
    bool vnni;
    uint64_t count;
    uint64_t width;
    uint64_t height;
    bool newest_load; // of Xe3P on, which may be larger
};

bool check_numbers(const LscMessage& message, const Block& block) {
    const RuleRow& broken = rule("lsc-block");
    if (block.count == 0 || block.width == 0 || block.height == 0)
        return message.site.diag(broken, unwritten) << "a block has at least one row and one column";
    if (message.is_load())
        return true;
    if (block.vnni)
        return message.site.diag(broken, unwritten) << "a block that is stored cannot be transformed (vnni)";
    return block.count == 1 || message.site.diag(broken, unwritten)
                                   << "one block is stored; this message has " << block.count;
}

bool check_row(const LscMessage& message, const Block& block) {
    constexpr uint64_t most_loaded = 64;
    constexpr uint64_t newest_loaded = 256;
    constexpr uint64_t most_stored = 512;
    const uint64_t bytes = block.width * block.count * lsc::register_bytes[block.size];
    const uint64_t most = message.is_load() ? most_loaded : most_stored;
    return bytes <= most || (block.newest_load && bytes == newest_loaded) ||
           message.site.diag(rule("lsc-block"), unwritten)
               << "a row of the blocks has " << bytes << " bytes; at most " << most << " are allowed";
}

bool check_rows(const LscMessage& message, const Block& block) {
    const uint64_t rows = block.transposed ? block.width : block.height;
    const uint64_t most = message.before(isa::DeviceId::cri) ? 32 : 64;
    return rows <= most || message.site.diag(rule("lsc-block"), unwritten)
                               << "a block has " << rows << " rows; at most " << most << " are allowed";
}

// Blocks side by side.
bool check_count(const LscMessage& message, const Block& block) {
    if (block.transposed && !block.newest_load && block.size != lsc::d32 && block.size != lsc::d64)
        return message.site.diag(rule("lsc-block"), unwritten)
               << "elements of a transposed block are d32 or d64";
    uint64_t most = 1;
    if (!block.transposed || block.vnni) {
        if (block.size > lsc::d64)
            return message.site.diag(rule("lsc-block"), unwritten)
                   << "elements of a block are d8, d16, d32 or d64";
        most = block.size <= lsc::d16 || block.newest_load ? 4 : block.size == lsc::d32 ? 2 : 1;
    }
    return (block.count <= most && block.count != 3) || message.site.diag(rule("lsc-block"), unwritten)
                                                            << "the message has " << block.count
                                                            << " blocks; at most " << most
                                                            << " are allowed, and not 3";
}

void check_surface(const LscMessage& message) {
    for (const char* field : {"surface_base_addr", "surface_width", "surface_height", "surface_pitch",
                              "src0_addr_x", "src0_addr_y"}) {
        const auto operand = message.operand(field);
        if (operand && operand->operand.kind == OperandKind::general &&
            operand->operand.id == isa::id(isa::Predefined::null))
            operand->diag(rule("lsc-operands"), unwritten)
                << name(*operand) << " is the null variable, but is needed";
    }
}

void check_untyped(const LscMessage& message) {
    check_surface(message);
    const bool newest_load = message.is_load() && message.since(isa::DeviceId::cri);
    const Block block{message.value("data_size").value_or(0),
                      message.value("data_order").value_or(0) == lsc::order_transposed,
                      message.value("vnni").value_or(0) != 0,
                      message.value("blocks").value_or(0),
                      message.value("block_width").value_or(0),
                      message.value("block_height").value_or(0),
                      newest_load};
    if (block.size >= lsc::register_bytes.size())
        return; // check_literal has said so
    static_cast<void>(check_numbers(message, block) && check_row(message, block) &&
                      check_rows(message, block) && check_count(message, block));
}

void check_typed(const LscMessage& message) {
    constexpr uint64_t most = 64;
    constexpr uint64_t most_bytes = 256;
    const uint64_t width = message.value("block_width").value_or(0);
    const uint64_t height = message.value("block_height").value_or(0);
    const RuleRow& broken = rule("lsc-block");
    if (width == 0 || width > most || height == 0)
        message.site.diag(broken, unwritten) << "a block is " << width << " x " << height
                                             << "; its width is 1 to " << most << ", its height at least 1";
    else if (width * height > most_bytes)
        message.site.diag(broken, unwritten)
            << "a block has " << width * height << " bytes; at most " << most_bytes << " are allowed";
}

} // namespace

void check_block(const LscMessage& message) {
    if (message.value("blocks"))
        check_untyped(message);
    else if (message.value("block_width"))
        check_typed(message);
}

} // namespace visor::verify
