// Draws programs that end and that do the same whenever they run: lane-wise instructions as the rows allow
// them, memory messages, and control flow around both. What a form cannot have is left to the verifier,
// which refuses single lines. Knows the text of messages, and of no instruction what it means.
#pragma once

#include "exec/plan.h"
#include "isa/row.h"
#include "recipe.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace visor::jit_fuzz {

using exec_test::Random;

// `large`: 20 to 60 instructions in a frame of their own. `mixed`: one of 64 is so; the others have few
// instructions, and a frame that stores what these write.
enum class Lengths : uint8_t { large, mixed };

class Maker {
public:
    explicit Maker(uint64_t seed, Lengths lengths = Lengths::mixed) : Maker(Random(seed), lengths) {}
    explicit Maker(Random random, Lengths lengths = Lengths::large);
    [[nodiscard]] Recipe make();

private:
    struct Root {
        std::string name;
        uint32_t bytes = 0;
        isa::Type type = isa::Type::ud; // what most operands see it as
        bool tame = false;              // and where: from its first element on
    };
    struct Execution {
        unsigned size = 1;
        unsigned offset = 0;
        bool no_mask = false;
        [[nodiscard]] std::string text() const; // "(M3_NM, 8)"
    };

    // ---- maker.cpp: the frame
    bool chance(unsigned of_hundred) { return random_.below(100) < of_hundred; }
    template <class List>
    const auto& pick(const List& list) {
        return list[random_.below(static_cast<unsigned>(std::size(list)))];
    }
    void choose_setting();
    void choose_length();
    void declare();
    void declare_general(const std::string& name, isa::Type type, uint32_t bytes, bool input);
    void declare_views(const Root& root);
    // `code`: the rest. Of a short program they hold what it names, and now and then more.
    [[nodiscard]] std::vector<std::string> prologue(const Node& code);
    [[nodiscard]] std::vector<std::string> epilogue(const Node& code);
    [[nodiscard]] bool is_observed(const Root& root, const Node& code);
    void observe(const Root& root, std::vector<std::string>& lines);
    [[nodiscard]] std::string out_offset(uint32_t unit, std::vector<std::string>& lines) const;
    void store_block(const std::string& variable, uint32_t bytes, std::vector<std::string>& lines);

    // ---- translate/simd_control_flow.cpp
    [[nodiscard]] std::vector<Node> block(unsigned depth, unsigned budget);
    [[nodiscard]] Node branch(unsigned depth, unsigned budget);
    [[nodiscard]] Node loop(unsigned depth, unsigned budget);
    [[nodiscard]] std::vector<Node> walk();
    [[nodiscard]] Node choice(unsigned depth, unsigned budget);
    [[nodiscard]] Node escape();
    [[nodiscard]] Node leaf();
    [[nodiscard]] std::string new_label() { return "L" + std::to_string(labels_++); }
    [[nodiscard]] std::string condition(const std::string& predicate, std::vector<std::string>& lines);
    [[nodiscard]] std::string agreed_condition(std::vector<std::string>& lines);

    // ---- lanewise.cpp
    [[nodiscard]] Node instruction();
    [[nodiscard]] Execution execution(unsigned sizes);
    [[nodiscard]] std::string guard(const isa::Row& row);
    [[nodiscard]] std::string suffix(const isa::Row& row);
    [[nodiscard]] isa::Type type_among(isa::TypeSet set, isa::Type wish);
    [[nodiscard]] std::string vector(const isa::Row& row, const isa::Field& field, isa::Type type,
                                     unsigned lanes, std::vector<std::string>& before);
    [[nodiscard]] std::string general(isa::Type type, unsigned lanes, bool result);
    [[nodiscard]] Node element_of_lane();
    [[nodiscard]] std::string indirect(isa::Type type, unsigned lanes, bool result,
                                       std::vector<std::string>& before);
    [[nodiscard]] std::string immediate(isa::Type type);
    [[nodiscard]] std::string modifier(const isa::Row& row);
    [[nodiscard]] const Root& root_for(isa::Type type, uint32_t bytes);
    [[nodiscard]] std::string at(const Root& root, isa::Type type, uint32_t byte) const;

    // ---- messages.cpp
    struct Place {
        std::string surface; // "": flat
        unsigned index = 0;  // in the binding table
        uint32_t bytes = 0;
        bool local = false; // shared
    };
    [[nodiscard]] Node message();
    [[nodiscard]] Place place(bool flat_too);
    // What addresses a message may take: `bytes` are there, masks leave `reach` of them.
    struct Row {
        std::string name; // of the register that they are put into
        std::string exec; // of the message
        uint32_t unit;    // bytes that are touched at each address
        uint32_t reach;
        uint32_t grain;
        uint32_t bytes;
    };
    bool row_of_addresses(const Execution& by, const Row& row, std::vector<std::string>& lines);
    // Lines that fill ADR; `unit` bytes are touched at each address.
    void addresses(const Execution& by, const Place& place, uint32_t unit, bool wide,
                   std::vector<std::string>& lines);
    [[nodiscard]] std::string raw(uint32_t bytes, const char* type);
    [[nodiscard]] std::string channels(unsigned& count, std::string_view letters);
    void scattered(std::vector<std::string>& lines);
    void blocks(std::vector<std::string>& lines);
    void flat(std::vector<std::string>& lines);
    void flat_block(std::vector<std::string>& lines);
    void lsc(std::vector<std::string>& lines);
    void atomic(std::vector<std::string>& lines);
    void lsc_atomic(std::vector<std::string>& lines);
    [[nodiscard]] std::string lsc_address(const Execution& by, const Place& place, uint32_t unit,
                                          std::vector<std::string>& lines);
    [[nodiscard]] std::string plain_guard(unsigned of_hundred);

    Random random_;
    Setting setting_;
    uint32_t grf_ = 32;
    bool lsc_ = false;
    bool tame_ = false;     // operands as compilers have them
    bool faulty_ = false;   // may leave flat memory
    bool local_ = false;    // has shared local memory
    bool barriers_ = false; //
    bool short_ = false;    // frames and bodies
    unsigned budget_ = 0;   // of the body
    std::vector<Root> roots_;
    std::vector<Declaration> declarations_;
    std::vector<const isa::Row*> rows_;
    uint32_t input_offset_ = 64;
    uint32_t stored_ = 0; // bytes, by the epilogue
    unsigned labels_ = 0;
    unsigned loops_ = 0;
    unsigned indirect_ = 0;          // operands of the instruction at hand
    std::vector<std::string> exits_; // labels that lanes may leave for, innermost last
};

[[nodiscard]] const char* name_of(isa::Type type);

} // namespace visor::jit_fuzz
