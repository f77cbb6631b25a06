// One memory message of a sweep: its line of text, the registers it starts from, and the same as a value for
// the oracle. What a message may be is written here from the pages; which of it is wanted (a shape) is drawn
// or counted through.
#pragma once

#include "exec/plan.h"
#include "oracle/memory.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::exec_test {

inline constexpr size_t register_bytes = 2048; // of the one variable that all operands lie in
inline constexpr size_t alias_begin = 512;     // where a second name for a part of it begins

enum class MessageKind : uint8_t {
    scaled,      // a number of bytes
    scaled4,     // channels
    qwords,      // blocks
    counted,     // gather, scatter
    owords,      //
    flat_block,  // svm_block
    flat_lanes,  // svm_gather, svm_scatter
    flat4,       // channels
    atomic,      // operation and width
    flat_atomic, //
    lsc,         // data size, elements
    lsc_quad,    // channels
    lsc_strided, //
    lsc_atomic,  // operation and width
    lsc_status,  //
};

// `codes` is how many variants of the literals a message has: what each means is decode's.
struct MessageRow {
    const char* mnemonic;
    MessageKind kind;
    unsigned sizes; // bits, as in Row::exec_sizes
    unsigned codes;
    bool core = false; // of the five whose every combination is run
};
[[nodiscard]] std::span<const MessageRow> message_rows();

struct MessageShape {
    const MessageRow* row = nullptr;
    unsigned size = 1;
    unsigned code = 0;
    unsigned first_channel = 0;
    bool no_mask = false;
    oracle::Combine combine = oracle::Combine::none;
    bool inverted = false;
};
// The row's shapes, each once; masks take turns except for the five.
[[nodiscard]] std::vector<MessageShape> every_shape(const MessageRow& row, size_t grf);
[[nodiscard]] MessageShape random_shape(size_t grf, Random& random);
[[nodiscard]] bool has_mask(MessageKind kind);
[[nodiscard]] bool is_flat(MessageKind kind); // whatever its operands are
// Whether a row with these execution sizes is among the message rows.
[[nodiscard]] bool is_swept(std::string_view mnemonic, unsigned sizes);

// What the messages of a kernel share.
struct Surface {
    std::string name;
    oracle::Place place;
    uint32_t index = 0; // in the binding table; for LSC
};
struct Setting {
    uint32_t active = UINT32_MAX; // the execution mask
    std::vector<Surface> surfaces;
};

struct MessagePlan {
    std::string text;        // lines
    oracle::Bytes registers; // at the start
    oracle::Message message;
    bool wants_fault = false;
};
// A flat access outside every allocation is only made when `fault` says so.
[[nodiscard]] MessagePlan plan_message(const MessageShape& shape, const Setting& setting,
                                       const oracle::World& world, bool fault, Random& random);

} // namespace visor::exec_test
