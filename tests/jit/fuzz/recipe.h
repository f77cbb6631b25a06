// A program of the differential fuzzer: its launch, its declarations, and its code as a tree, so that parts
// can be taken out of it and the rest still runs. It knows no instruction.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace visor::jit_fuzz {

// What the text's first lines say, as `// simd 16`.
struct Setting {
    std::string device = "skl";
    uint32_t simd = 16;
    uint32_t threads = 1; // of a group
    uint32_t groups = 1;
    uint32_t last_lanes = 0; // of the last thread; 0 = all
    uint32_t level = 0;      // jit::Level
    bool lowered = true;
    uint32_t tiers = 0;    // 0: the best code; 1: tier 1 code; 2: that, and then better
    uint64_t data = 0;     // what buffers and variables hold at first is drawn from this
    uint32_t launches = 1; // with other data each
    uint32_t told = 0;     // machine::EventKinds: checkers listen to both, and have to find the same
};

// Lines around other nodes; a leaf has `before` alone.
struct Node {
    std::vector<std::string> before{};
    std::vector<Node> body{};
    std::vector<std::string> after{};
};

// Written only when the code names it, or it has no name.
struct Declaration {
    std::string name;
    std::string base; // of an alias
    std::string line;
    std::string input; // the line that makes it one
};

struct Recipe {
    Setting setting;
    std::string head;                      // version, name and attributes
    std::vector<Declaration> declarations; // bases before their aliases
    Node code;
};

[[nodiscard]] std::string text_of(const Recipe& recipe);
// Error: the line that is not understood.
[[nodiscard]] std::expected<Setting, std::string> setting_of(const std::string& text);

// Takes out every node that has one of these lines (from 1) of the text: a leaf as a whole, of others what
// they wrap around their bodies. False: the lines are not of nodes.
bool remove_lines(Recipe& recipe, const std::vector<uint32_t>& lines);

[[nodiscard]] size_t instruction_count(const Recipe& recipe);

} // namespace visor::jit_fuzz
