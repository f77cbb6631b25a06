// Draws the operands of one memory message. Addresses lie inside, at the edge, outside, on top of each other
// or wrap; lanes that are off have wild ones. What kind of message it is stands in message_legacy.cpp and
// message_lsc.cpp.
#pragma once

#include "exec/message_plan.h"

#include <utility>

namespace visor::exec_test {

class MessageMaker {
public:
    MessageMaker(const MessageShape& shape, const Setting& setting, const oracle::World& world, bool fault,
                 Random& random);

    MessagePlan make();

private:
    using Range = std::pair<size_t, size_t>; // bytes of the registers: begin, end

    const MessageShape& shape_;
    const Setting& setting_;
    const oracle::World& world_;
    Random& random_;
    MessagePlan plan_;
    oracle::Message& m_;
    std::string before_; // lines
    std::string guard_;  // "(P1) "
    std::vector<Range> kept_;
    unsigned fault_lane_ = 0;

    // ---- words ----
    void set_guard();
    [[nodiscard]] std::string exec() const; // "(M3_NM, 8)"
    // By the variable itself, or by another name for its later part.
    [[nodiscard]] std::string raw(const char* type, size_t at);
    [[nodiscard]] std::string place_of(const char* type, size_t at) const; // row and column
    [[nodiscard]] std::string general(const char* type, size_t at) const;  // one element
    void finish(const std::string& line);

    // ---- registers ----
    bool chance(unsigned of_hundred) { return random_.below(100) < of_hundred; }
    size_t whole_rows(size_t bytes) const;
    size_t anywhere(size_t bytes);
    size_t apart(size_t bytes, size_t alignment); // from all that is to keep its value
    void set(size_t at, size_t bytes, uint64_t value);
    [[nodiscard]] uint64_t get(size_t at, size_t bytes) const;
    // A destination; often on top of the addresses.
    size_t destination(size_t bytes, Range addresses);
    // A scalar source that holds `value`: an immediate, an element, or reached through an address.
    std::string scalar(const char* type, size_t bytes, uint64_t value, bool immediate);

    // ---- memory ----
    struct Reach { // what a message touches behind an address
        size_t begin = 0;
        size_t end = 1;
        size_t unit = 1;  // that its addresses are to be a multiple of
        size_t grain = 1; // that they are a multiple of here
    };
    const Surface& choose_surface();
    [[nodiscard]] size_t bytes_of(const oracle::Place& place) const;
    size_t position(size_t size, const Reach& reach);
    uint64_t surface_target(size_t size, const Reach& reach);
    uint64_t flat_target(const Reach& reach, bool outside);
    // A base address for each lane.
    std::vector<uint64_t> targets(const Reach& reach);
    void fill_targets(size_t at, size_t bytes, const std::vector<uint64_t>& values);
    [[nodiscard]] uint64_t peek(uint64_t address, size_t bytes) const;

    // ---- messages ----
    uint32_t choose_offset();
    uint64_t past_the_end(unsigned unit);
    void put_offsets(const std::vector<uint64_t>& at, unsigned unit);
    std::string surface_operands(const Surface& surface, const std::vector<uint64_t>& at, unsigned unit);
    void scaled();
    void scaled4();
    void qwords();
    void counted();
    void owords();
    void flat_block();
    void flat_lanes();
    void flat4();
    void atomic();
    struct AtomicOperands {
        std::string first, second, result;
    };
    AtomicOperands atomic_operands(size_t slot, const char* type, const std::vector<uint64_t>& at,
                                   unsigned sources, Range addresses);
    void choose_operation(unsigned op);

    // ---- LSC ----
    struct LscPlace {
        std::string begin, end; // "bti(0x1)[" and "]"
        bool flat = false;
    };
    LscPlace choose_lsc_place();
    void choose_data(unsigned code);
    [[nodiscard]] size_t lsc_bytes() const;
    std::string lsc_address(const Reach& reach, const LscPlace& place, std::vector<uint64_t>& at);
    std::string lsc_pitch(Reach& reach);
    [[nodiscard]] Reach lsc_reach() const;
    [[nodiscard]] std::string lsc_head(const LscPlace& place) const;
    void lsc();
    void lsc_atomic();
    void lsc_status();
    std::string data_word_; // ":d32x2"
};

} // namespace visor::exec_test
