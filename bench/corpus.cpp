#include "corpus.h"

#include "isa/device.h"
#include "isa/opcode.h"
#include "text/text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

namespace visor::bench {

namespace {

std::string compiled(const std::string& device) {
    std::ifstream file(VISOR_COMPILED_TEXTS "/histogram." + device + ".visaasm");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

bool begins_word(std::string_view line, size_t at) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return in_word(line[at]) && (at == 0 || !in_word(line[at - 1]));
}

// Whether a word is one of the compiler's own names: V0042 of variables, _0_022 of labels.
bool is_own(std::string_view word) {
    return word.size() > 2 && (word[0] == 'V' || word[0] == '_') &&
           std::isdigit(static_cast<unsigned char>(word[1])) != 0;
}

// The line with `suffix` behind every name that each copy must have for itself.
void append_renamed(std::string& out, std::string_view line, const std::string& suffix) {
    constexpr std::string_view word_characters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (size_t at = 0; at < line.size();) {
        const size_t end = begins_word(line, at)
                               ? std::min(line.find_first_not_of(word_characters, at), line.size())
                               : at + 1;
        const std::string_view word = line.substr(at, end - at);
        out += word;
        if (is_own(word))
            out += suffix;
        at = end;
    }
}

// Whole kernels behind one another.
std::string many_kernels(std::string_view text, size_t bytes) {
    const size_t first_line = text.find('\n') + 1;
    std::string out(text.substr(0, first_line));
    const std::string_view rest = text.substr(first_line);
    constexpr std::string_view name = "\"kernel\"";
    const size_t at = rest.find(name);
    for (size_t copy = 0; out.size() < bytes; ++copy) {
        out += rest.substr(0, at);
        out += "\"kernel_" + std::to_string(copy) + "\"";
        out += rest.substr(at + name.size());
    }
    return out;
}

// One kernel: the first copy whole but for its end, then variables and code of the others.
std::string one_kernel(std::string_view text, size_t instructions) {
    const std::vector<std::string_view> lines = lines_of(text);
    const auto is_code = [](std::string_view line) { return line.starts_with("    "); };
    const auto per_copy = static_cast<size_t>(std::ranges::count_if(lines, is_code)) - 1;
    const size_t copies = (instructions + per_copy - 1) / per_copy;
    std::string declarations;
    std::string code;
    std::string head;
    for (size_t copy = 0; copy < copies; ++copy) {
        const std::string suffix = "_" + std::to_string(copy);
        for (const std::string_view line : lines) {
            const bool last = line.contains("ret (M1, 1)");
            if (line.starts_with(".decl V"))
                append_renamed(declarations, line, suffix);
            else if ((is_code(line) && !last) || line.starts_with("_0_"))
                append_renamed(code, line, suffix);
            else if (copy == 0 && !last && !line.starts_with(".input") && !line.starts_with(".function") &&
                     !line.starts_with("_main"))
                head += line;
        }
    }
    return head + declarations + code + "    ret (M1, 1)\n";
}

size_t count_instructions(const Module& module) {
    size_t count = 0;
    for (const Function& function : module.functions) {
        count += static_cast<size_t>(std::ranges::count_if(function.code, [](const Instruction& instruction) {
            return instruction.row->opcode != isa::opcode::label &&
                   instruction.row->opcode != isa::opcode::subroutine;
        }));
    }
    return count;
}

std::vector<Corpus> build() {
    constexpr size_t megabyte = size_t{1} << 20U;
    std::vector<Corpus> all;
    for (const char* device : {"skl", "pvc"})
        all.push_back({std::string("compiled-") + device, device, many_kernels(compiled(device), megabyte)});
    for (const size_t thousands : {size_t{2}, size_t{20}, size_t{200}})
        all.push_back(
            {std::to_string(thousands) + "k", "skl", one_kernel(compiled("skl"), thousands * 1000)});
    for (Corpus& corpus : all)
        corpus.instructions = count_instructions(parsed(corpus));
    return all;
}

} // namespace

const std::vector<Corpus>& corpora() {
    static const std::vector<Corpus> all = build();
    return all;
}

Module parsed(const Corpus& corpus) {
    Diagnostics diagnostics;
    auto module =
        text::parse(corpus.text, {.grf_bytes = isa::device_named(corpus.device)->grf_bytes}, diagnostics);
    if (!module) {
        std::cerr << render(diagnostics, {corpus.name, corpus.text}, Color::off);
        std::exit(1);
    }
    return *std::move(module);
}

} // namespace visor::bench
