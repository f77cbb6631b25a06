// Properties over the texts of tests/data: what changes nothing changes nothing, and whatever is changed of
// any instruction is a difference.
#include "parsed.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <set>

namespace visor::compare {
namespace {

struct Text {
    std::string name;
    Module module;
};

std::vector<Text> corpus() {
    std::vector<Text> out;
    for (const char* const folder : {"/compiled", "/modern"}) {
        for (const auto& entry : std::filesystem::directory_iterator(std::string(VISOR_TEST_DATA) + folder)) {
            if (entry.path().extension() != ".visaasm")
                continue;
            std::ifstream file(entry.path());
            const std::string content{std::istreambuf_iterator<char>(file), {}};
            Diagnostics diagnostics;
            auto module = text::parse(content, {}, diagnostics);
            if (module)
                out.push_back({entry.path().filename(), *std::move(module)});
        }
    }
    EXPECT_GT(out.size(), 20U);
    return out;
}

std::string differences(const Module& first, const Module& second) {
    std::string out;
    for (size_t i = 0; i < first.functions.size(); ++i)
        for (const Difference& found : compare(first.functions[i], second.functions[i], {}).differences)
            out += found.message + ": " + found.first.text + " | " + found.second.text + "\n";
    return out;
}

template <class T>
void rename(std::vector<T>& things) {
    size_t number = things.size();
    for (T& thing : things)
        thing.name = "renamed" + std::to_string(--number);
}

void rename(Function& function) {
    rename(function.general);
    rename(function.addresses);
    rename(function.predicates);
    rename(function.samplers);
    rename(function.surfaces);
    for (Label& label : function.labels)
        if (label.kind == LabelKind::block || label.kind == LabelKind::subroutine)
            label.name += "_again";
}

// The general variables in another order.
void shuffle_declarations(Function& function, std::mt19937& random) {
    const size_t count = function.general.size();
    std::vector<uint32_t> place(count); // of each
    for (size_t i = 0; i < count; ++i)
        place[i] = static_cast<uint32_t>(i);
    std::ranges::shuffle(place, random);
    const auto moved = [&](uint32_t id) {
        const bool own = id >= isa::first_user_general && id - isa::first_user_general < count;
        return own ? isa::first_user_general + place[id - isa::first_user_general] : id;
    };
    std::vector<GeneralVariable> general(count);
    for (size_t i = 0; i < count; ++i) {
        general[place[i]] = function.general[i];
        general[place[i]].alias = moved(function.general[i].alias);
    }
    function.general = std::move(general);
    for (Input& input : function.inputs)
        if (input.klass == InputClass::general)
            input.id = moved(input.id);
    for (Instruction& instruction : function.code)
        for (Operand& operand : instruction.operands) {
            const bool address =
                operand.kind == OperandKind::address_of || operand.kind == OperandKind::variable;
            if (operand.kind == OperandKind::general || operand.kind == OperandKind::raw ||
                (address && operand.klass == 0))
                operand.id = moved(operand.id);
        }
}

TEST(Corpus, PrintedAndParsed) {
    for (const Text& text : corpus())
        EXPECT_EQ(differences(text.module, parsed(text::print(text.module))), "") << text.name;
}

TEST(Corpus, Renamed) {
    for (const Text& text : corpus()) {
        Module other = text.module;
        for (Function& function : other.functions)
            rename(function);
        EXPECT_EQ(differences(text.module, other), "") << text.name;
    }
}

TEST(Corpus, DeclarationsShuffled) {
    std::mt19937 random(7);
    for (const Text& text : corpus()) {
        Module other = text.module;
        for (Function& function : other.functions)
            shuffle_declarations(function, random);
        EXPECT_EQ(differences(text.module, other), "") << text.name;
    }
}

// General roots that an instruction names; nothing: it does more than arithmetic on them.
std::optional<std::set<uint32_t>> roots(const Function& function, const Instruction& instruction) {
    std::set<uint32_t> out;
    const isa::Family family = instruction.row->family;
    if ((family != isa::Family::arith && family != isa::Family::logic && family != isa::Family::move) ||
        instruction.predicate.id != 0)
        return std::nullopt;
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == OperandKind::general && operand.id >= isa::first_user_general)
            out.insert(root_of(function, operand.id).id);
        else if (operand.kind != OperandKind::immediate && operand.kind != OperandKind::literal)
            return std::nullopt;
    }
    return out;
}

TEST(Corpus, NeighboursWithoutACommonVariableSwapped) {
    size_t tried = 0;
    for (const Text& text : corpus()) {
        for (const Function& function : text.module.functions) {
            for (size_t at = 0; at + 1 < function.code.size(); ++at) {
                const auto first = roots(function, function.code[at]);
                const auto second = roots(function, function.code[at + 1]);
                if (!first || !second ||
                    std::ranges::any_of(*first, [&](uint32_t root) { return second->contains(root); }))
                    continue;
                Function other = function;
                std::swap(other.code[at], other.code[at + 1]);
                ++tried;
                EXPECT_TRUE(compare(function, other, {}).equal()) << text.name << ": " << at;
            }
        }
    }
    EXPECT_GT(tried, 100U);
}

// The second reads what the first writes.
TEST(Corpus, AWriterAndItsReaderSwapped) {
    size_t tried = 0;
    for (const Text& text : corpus()) {
        for (const Function& function : text.module.functions) {
            for (size_t at = 0; at + 1 < function.code.size(); ++at) {
                const auto& a = function.code[at];
                const auto& b = function.code[at + 1];
                if (!roots(function, a) || !roots(function, b) ||
                    a.operands[0].id < isa::first_user_general ||
                    !std::ranges::any_of(
                        b.operands.begin() + 1, b.operands.end(),
                        [&](const Operand& operand) {
                            return operand.kind == OperandKind::general && operand.id == a.operands[0].id &&
                                   operand.row == a.operands[0].row && operand.column == a.operands[0].column;
                        }))
                    continue;
                Function other = function;
                std::swap(other.code[at], other.code[at + 1]);
                ++tried;
                EXPECT_FALSE(compare(function, other, {}).equal()) << text.name << ": " << at;
            }
        }
    }
    EXPECT_GT(tried, 30U);
}

// Everything that can be changed of an instruction so that it says something else.
std::vector<Instruction> changes(const Instruction& instruction) {
    std::vector<Instruction> out;
    const auto add = [&](auto change) {
        out.push_back(instruction);
        change(out.back());
    };
    add([](Instruction& i) { i.execution.no_mask = !i.execution.no_mask; });
    add([](Instruction& i) { i.execution.size = i.execution.size == 8 ? 16 : 8; });
    add([](Instruction& i) { i.execution.offset ^= 4U; });
    add([](Instruction& i) { i.saturate = !i.saturate; });
    if (instruction.predicate.id != 0) {
        add([](Instruction& i) { i.predicate.inverted = !i.predicate.inverted; });
        add([](Instruction& i) {
            i.predicate.control = PredicateControl{uint8_t((uint8_t(i.predicate.control) + 1) % 3)};
        });
        add([](Instruction& i) { i.predicate.id = 0; });
    }
    for (size_t k = 0; k < instruction.operands.size(); ++k) {
        switch (instruction.operands[k].kind) {
        case OperandKind::general:
            add([k](Instruction& i) { i.operands[k].column ^= 1U; });
            add([k](Instruction& i) { i.operands[k].row ^= 1U; });
            add([k](Instruction& i) { i.operands[k].region.horizontal ^= 2U; });
            add([k](Instruction& i) {
                i.operands[k].modifier = SourceModifier{uint8_t((uint8_t(i.operands[k].modifier) + 1) % 6)};
            });
            break;
        case OperandKind::raw:
            add([k](Instruction& i) { i.operands[k].offset ^= 32; });
            break;
        case OperandKind::indirect:
            add([k](Instruction& i) { i.operands[k].offset ^= 4; });
            add([k](Instruction& i) {
                i.operands[k].type = i.operands[k].type == isa::Type::ud ? isa::Type::d : isa::Type::ud;
            });
            break;
        case OperandKind::immediate:
            add([k](Instruction& i) { i.operands[k].value ^= 1U; });
            add([k](Instruction& i) {
                i.operands[k].type = i.operands[k].type == isa::Type::ud ? isa::Type::d : isa::Type::ud;
            });
            break;
        case OperandKind::literal:
            add([k](Instruction& i) { i.operands[k].value ^= 1U; });
            break;
        case OperandKind::address:
            add([k](Instruction& i) { i.operands[k].column ^= 1U; });
            add([k](Instruction& i) { i.operands[k].width ^= 2U; });
            break;
        default:
            break;
        }
    }
    return out;
}

bool is_left_out(const Function& function, const Instruction& instruction) {
    const isa::TextForm form = instruction.row->form;
    if (form == isa::TextForm::file || form == isa::TextForm::loc)
        return true;
    return form == isa::TextForm::label &&
           function.labels[instruction.operands[0].id].kind == LabelKind::block;
}

TEST(Corpus, AnyChangeIsADifference) {
    size_t tried = 0;
    for (const Text& text : corpus()) {
        for (const Function& function : text.module.functions) {
            for (size_t at = 0; at < function.code.size(); ++at) {
                if (is_left_out(function, function.code[at]))
                    continue;
                Function other = function;
                for (const Instruction& changed : changes(function.code[at])) {
                    other.code[at] = changed;
                    ++tried;
                    EXPECT_FALSE(compare(function, other, {}).equal())
                        << text.name << ": " << text::print(function, function.code[at]) << " became "
                        << text::print(other, changed);
                }
                other.code.erase(other.code.begin() + static_cast<std::ptrdiff_t>(at));
                EXPECT_FALSE(compare(function, other, {}).equal()) << text.name << " without " << at;
            }
        }
    }
    EXPECT_GT(tried, 5000U);
}

} // namespace
} // namespace visor::compare
