#include "exec/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

using oracle::Type;

constexpr size_t guard_bytes = 64; // behind each variable, to be left alone
constexpr size_t largest_message = 128;

std::optional<uint64_t> integer_bits(std::string_view word) {
    const bool negative = word.starts_with("-");
    std::string_view digits = negative ? word.substr(1) : word;
    const bool hex = digits.starts_with("0x");
    if (hex)
        digits.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return negative ? uint64_t{0} - value : value;
}

std::optional<uint64_t> real_bits(std::string_view word, Type type) {
    if (word.starts_with("0x") && !word.contains('p'))
        return integer_bits(word);
    const std::string text(word);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || text.empty())
        return std::nullopt;
    return oracle::bits_of(type, {value, 0}, oracle::Round::even);
}

std::optional<Element> element(std::string_view word, Type type) {
    if (word == "_")
        return Element{.meaning = Meaning::untouched, .pointer = {}};
    if (word == "?")
        return Element{.meaning = Meaning::anything, .pointer = {}};
    if (word == "nan" && oracle::is_float(type)) {
        const uint64_t quiet = oracle::bits_of(type, {std::nan(""), 0}, oracle::Round::even);
        return Element{.meaning = Meaning::any_nan, .bits = quiet, .pointer = {}};
    }
    if (word.starts_with("&"))
        return Element{.pointer = std::string(word.substr(1))};
    const auto bits = oracle::is_float(type) ? real_bits(word, type) : integer_bits(word);
    if (!bits)
        return std::nullopt;
    return Element{.bits = *bits, .pointer = {}};
}

size_t rounded_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

bool is_thread_number(const Array& array) {
    return array.words.size() == 1 && array.words[0] == "thread";
}

// Bytes of a variable with its guard.
std::expected<Bytes, std::string> content_of(const Array& array, bool guarded,
                                             std::vector<Pointer>* pointers) {
    const auto type = oracle::type_named(array.type);
    if (!type)
        return std::unexpected(fmt::format("line {}: no type `{}`", array.line, array.type));
    const auto values = is_thread_number(array) ? elements({"0"}, *type) : elements(array.words, *type);
    if (!values)
        return std::unexpected(fmt::format("line {}: no value: {}", array.line, values.error()));
    const size_t size = oracle::bytes(*type);
    const size_t used = std::max(array.elements, values->size()) * size;
    Bytes bytes(guarded ? rounded_up(used, guard_bytes) + guard_bytes : used, pattern);
    for (size_t i = 0; i < values->size(); ++i) {
        const Element& value = (*values)[i];
        if (!value.pointer.empty() && pointers != nullptr) {
            const size_t plus = value.pointer.find('+');
            const auto offset =
                plus == std::string::npos ? uint64_t{0} : integer_bits(value.pointer.substr(plus + 1));
            pointers->push_back({array.name, i * size, value.pointer.substr(0, plus), offset.value_or(0)});
        } else if (value.meaning == Meaning::bits || value.meaning == Meaning::any_nan) {
            std::memcpy(bytes.data() + i * size, &value.bits, size);
        }
    }
    return bytes;
}

bool is_variable(const LiteralCase& given, std::string_view name) {
    return std::ranges::any_of(given.inputs, [&](const Array& input) { return input.name == name; });
}

std::string with_regions(const LiteralCase& given, const std::string& line) {
    const size_t mask = line.find("(M");
    if (mask == std::string::npos || !line.starts_with(" "))
        return line;
    const size_t operands = line.find(')', mask) + 1;
    std::string text = line.substr(0, operands);
    bool first = true;
    for (const std::string& word : words_of(std::string_view(line).substr(operands))) {
        const size_t name = word.starts_with("(") ? word.find(')') + 1 : 0;
        text += " " + word;
        if (is_variable(given, word.substr(name)))
            text += first ? "(0,0)<1>" : "(0,0)<1;1,0>";
        first = false;
    }
    return text;
}

std::string declarations(const LiteralCase& given, const Launch& launch) {
    std::string text;
    for (size_t i = 0; i < given.inputs.size(); ++i) {
        const Array& input = given.inputs[i];
        const size_t size = oracle::bytes(*oracle::type_named(input.type));
        text += fmt::format(".decl {} v_type=G type={} num_elts={} align=GRF\n", input.name, input.type,
                            launch.inputs[i].second.size() / size);
    }
    if (!given.predicates.empty())
        text += ".decl predicate_bits v_type=G type=ud num_elts=16 align=GRF\n";
    for (const Predicate& predicate : given.predicates)
        text += fmt::format(".decl {} v_type=P num_elts={}\n", predicate.name, predicate.elements);
    for (const auto& [name, content] : launch.surfaces)
        text += fmt::format(".decl {} v_type=T num_elts=1\n", name);
    for (const SamplerWords& sampler : given.samplers)
        text += fmt::format(".decl {} v_type=S num_elts=1\n", sampler.name);
    for (const std::string& line : given.declarations)
        text += line + "\n";
    size_t at = guard_bytes;
    for (const auto& [name, content] : launch.inputs) {
        text += fmt::format(".input {} offset={} size={}\n", name, at, content.size());
        at += content.size();
    }
    return text + fmt::format(".kernel_attr SimdSize={}\n\n", given.simd);
}

// Everything that can be seen, to OUT.
std::string stores(const LiteralCase& given, const Launch& launch) {
    std::string text;
    size_t at = 0;
    for (const auto& [name, content] : launch.inputs) {
        append_messages(text, false, "OUT", at, name, content.size());
        at += content.size();
    }
    for (const Predicate& predicate : given.predicates) {
        text += fmt::format("    mov (M1_NM, 1) predicate_bits(0,0)<1> {}\n", predicate.name);
        append_messages(text, false, "OUT", at, "predicate_bits", 16);
        at += 16;
    }
    return text;
}

std::string body(const LiteralCase& given, const Launch& launch) {
    std::string text = fmt::format("    mov (M1_NM, 1) %cr0(0,0)<1> 0x{:x}:ud\n", given.control);
    for (const Predicate& predicate : given.predicates)
        text += fmt::format("    setp (M1_NM, {}) {} 0x{:x}:ud\n", predicate.elements, predicate.name,
                            predicate.bits);
    // A line `OUT` says where the results are stored when that is not the end.
    bool stored = false;
    for (const std::string& line : full_code(given)) {
        if (words_of(line)[0] == "OUT") {
            text += stores(given, launch) + "    ret (M1, 1)\n";
            stored = true;
        } else {
            text += line + "\n";
        }
    }
    return stored ? text : text + stores(given, launch) + "    ret (M1, 1)\n";
}

struct Seen {
    Bytes before;
    std::span<const std::byte> after;
    std::vector<bool> checked;
};

std::string compare(const Expectation& expectation, Seen& seen) {
    const auto type = oracle::type_named(expectation.type);
    if (!type)
        return fmt::format("line {}: no type `{}`\n", expectation.line, expectation.type);
    const auto values = elements(expectation.words, *type);
    const size_t size = oracle::bytes(*type);
    if (!values || expectation.byte_offset + values->size() * size > seen.after.size())
        return fmt::format("line {}: no values, or too many\n", expectation.line);
    std::string text;
    for (size_t i = 0; i < values->size(); ++i) {
        const Element& value = (*values)[i];
        const size_t at = expectation.byte_offset + i * size;
        uint64_t got = 0;
        uint64_t want = 0;
        std::memcpy(&got, seen.after.data() + at, size);
        if (value.meaning == Meaning::untouched)
            std::memcpy(&want, seen.before.data() + at, size);
        else
            std::memcpy(&want, &value.bits, size);
        std::fill_n(seen.checked.begin() + static_cast<std::ptrdiff_t>(at), size, true);
        const bool good = value.meaning == Meaning::anything || got == want ||
                          (value.meaning == Meaning::any_nan && oracle::is_nan(*type, got));
        if (!good)
            text += fmt::format("  line {}: {} element {}: 0x{:x}, expected 0x{:x}\n", expectation.line,
                                expectation.name, i, got, want);
    }
    return text;
}

std::string others(const std::string& name, const Seen& seen) {
    for (size_t i = 0; i < seen.after.size(); ++i) {
        if (!seen.checked[i] && seen.after[i] != seen.before[i])
            return fmt::format("  {} byte {}: 0x{:02x}, was 0x{:02x} and is not mentioned\n", name, i,
                               std::to_integer<unsigned>(seen.after[i]),
                               std::to_integer<unsigned>(seen.before[i]));
    }
    return "";
}

std::string compare_all(const LiteralCase& given, const std::string& name, Seen seen) {
    seen.checked.assign(seen.after.size(), false);
    std::string text;
    for (const Expectation& expectation : given.expectations) {
        if (expectation.name == name)
            text += compare(expectation, seen);
    }
    return text + others(name, seen);
}

std::string compare_predicate(const LiteralCase& given, const Predicate& predicate,
                              std::span<const std::byte> after) {
    uint32_t got = 0;
    std::memcpy(&got, after.data(), sizeof got);
    uint32_t want = predicate.bits;
    for (const Expectation& expectation : given.expectations) {
        if (expectation.name == predicate.name && !expectation.words.empty())
            want = static_cast<uint32_t>(integer_bits(expectation.words[0]).value_or(0));
    }
    return got == want ? ""
                       : fmt::format("  predicate {}: 0x{:x}, expected 0x{:x}\n", predicate.name, got, want);
}

std::string unknown_names(const LiteralCase& given) {
    std::string text;
    for (const Expectation& expectation : given.expectations) {
        const bool known =
            is_variable(given, expectation.name) ||
            std::ranges::any_of(given.buffers, [&](const Array& b) { return b.name == expectation.name; }) ||
            std::ranges::any_of(given.predicates,
                                [&](const Predicate& p) { return p.name == expectation.name; });
        if (!known)
            text += fmt::format("  line {}: there is no `{}`\n", expectation.line, expectation.name);
    }
    return text;
}

// Registers are gone with the thread; memory is as the lanes before have left it.
std::string fault_differences(const LiteralCase& given, const Launch& launch, const Outcome& outcome) {
    const Outside& outside = *given.outside;
    const auto buffer = outcome.addresses.find(outside.buffer);
    if (buffer == outcome.addresses.end())
        return fmt::format("  there is no buffer `{}`, or the kernel did not start: {}\n", outside.buffer,
                           outcome.error);
    const uint64_t address = buffer->second + outside.byte_offset;
    std::string text;
    if (outcome.fault.kind != machine::FaultKind::out_of_bounds || outcome.fault.lane != outside.lane ||
        outcome.fault.address != address)
        text = fmt::format("  expected lane {} outside at 0x{:x}, got lane {} at 0x{:x}: {}\n", outside.lane,
                           address, outcome.fault.lane, outcome.fault.address, outcome.error);
    for (const auto& [name, content] : launch.surfaces) {
        if (name != "OUT")
            text += compare_all(given, name, {content, outcome.surfaces.at(name), {}});
    }
    return text;
}

} // namespace

std::expected<std::vector<Element>, std::string> elements(const std::vector<std::string>& words, Type type) {
    std::vector<Element> out;
    for (const std::string& word : words) {
        const size_t star = word.find('*');
        const auto value = element(word.substr(0, star), type);
        const auto count =
            star == std::string::npos ? std::optional<uint64_t>(1) : integer_bits(word.substr(star + 1));
        if (!value || !count || *count > 4096)
            return std::unexpected(word);
        out.insert(out.end(), *count, *value);
    }
    return out;
}

void append_messages(std::string& text, bool load, std::string_view surface, size_t at,
                     std::string_view variable, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        size_t piece = largest_message;
        while (piece > bytes - done)
            piece /= 2;
        text += fmt::format("    {} ({}) {} 0x{:x}:ud {}.{}\n", load ? "oword_ld" : "oword_st", piece / 16,
                            surface, (at + done) / 16, variable, done);
        done += piece;
    }
}

std::vector<std::string> full_code(const LiteralCase& given) {
    std::vector<std::string> lines;
    for (const std::string& line : given.code)
        lines.push_back(with_regions(given, line));
    return lines;
}

std::expected<Launch, std::string> kernel_of(const LiteralCase& given, const std::string& device,
                                             unsigned /*grf_bytes*/) {
    Launch launch;
    launch.device = device;
    launch.simd = given.simd;
    launch.threads = given.threads;
    size_t out = 16 * given.predicates.size();
    for (const Array& input : given.inputs) {
        auto content = content_of(input, true, &launch.pointers);
        if (!content)
            return std::unexpected(content.error());
        out += content->size();
        if (is_thread_number(input))
            launch.thread_number = input.name;
        launch.inputs.emplace_back(input.name, std::move(*content));
    }
    for (const Array& buffer : given.buffers) {
        auto content = content_of(buffer, false, nullptr);
        if (!content)
            return std::unexpected(content.error());
        launch.surfaces.emplace_back(buffer.name, std::move(*content));
        if (!buffer.format.empty())
            launch.images[buffer.name] = {buffer.format, buffer.size};
    }
    for (const SamplerWords& sampler : given.samplers)
        launch.samplers.emplace_back(sampler.name, sampler.words);
    launch.surfaces.emplace_back("OUT", Bytes(std::max<size_t>(out, 16), pattern));
    launch.text = ".version 4.1\n.kernel \"case\"\n" + declarations(given, launch) + body(given, launch);
    return launch;
}

std::string differences(const LiteralCase& given, const Launch& launch, const Outcome& outcome) {
    if (given.outside)
        return fault_differences(given, launch, outcome);
    if (!given.fault.empty())
        return outcome.error.contains(given.fault)
                   ? ""
                   : fmt::format("  expected the fault `{}`, got `{}`\n", given.fault, outcome.error);
    if (!outcome.error.empty())
        return "  " + outcome.error + "\n";
    std::string text = unknown_names(given);
    const std::span<const std::byte> out = outcome.surfaces.at("OUT");
    size_t at = 0;
    for (const auto& [name, content] : launch.inputs) {
        const bool holds_pointer =
            std::ranges::any_of(launch.pointers, [&](const Pointer& p) { return p.input == name; });
        if (!holds_pointer && given.threads == 1)
            text += compare_all(given, name, {content, out.subspan(at, content.size()), {}});
        at += content.size();
    }
    for (const Predicate& predicate : given.predicates) {
        if (given.threads == 1) // else it is of whichever thread was last
            text += compare_predicate(given, predicate, out.subspan(at, 16));
        at += 16;
    }
    for (const auto& [name, content] : launch.surfaces) {
        if (name != "OUT")
            text += compare_all(given, name, {content, outcome.surfaces.at(name), {}});
    }
    return text;
}

} // namespace visor::exec_test
