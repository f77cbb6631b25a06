#include "isa/codec.h"

#include "isa/lsc_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace visor::isa {

namespace {

// A code and its word. The first row of a code is what is printed, the others are accepted as well.
struct Word {
    uint16_t code;
    const char* text;
};

constexpr std::array relations{Word{0, "eq"}, Word{1, "ne"}, Word{2, "gt"},
                               Word{3, "ge"}, Word{4, "lt"}, Word{5, "le"}};
constexpr std::array atomic_ops{
    Word{0x00, "add"},  Word{0x01, "sub"},     Word{0x02, "inc"},    Word{0x03, "dec"},
    Word{0x04, "min"},  Word{0x05, "max"},     Word{0x06, "xchg"},   Word{0x07, "cmpxchg"},
    Word{0x08, "and"},  Word{0x09, "or"},      Word{0x0a, "xor"},    Word{0x0b, "minsint"},
    Word{0x0b, "imin"}, Word{0x0c, "maxsint"}, Word{0x0c, "imax"},   Word{0x0d, "predec"},
    Word{0x10, "fmax"}, Word{0x11, "fmin"},    Word{0x12, "fcmpwr"}, Word{0x13, "fadd"},
    Word{0x14, "fsub"},
};
constexpr std::array source_channels{Word{0, "R"}, Word{1, "G"}, Word{2, "B"}, Word{3, "A"}};
constexpr std::array lfsr_formats{Word{0, "b32"}, Word{1, "b16v2"}, Word{2, "b8v4"}};
constexpr std::array media_modifiers{Word{0, "nomod"},  Word{1, "modified"}, Word{2, "top"},
                                     Word{3, "bottom"}, Word{4, "top_mod"},  Word{5, "bottom_mod"}};
constexpr std::array unorm_outputs{Word{0, "16-full"}, Word{1, "16-downsampled"}, Word{2, "8-full"},
                                   Word{3, "8-downsampled"}};
constexpr std::array avs_outputs{Word{0, "AVS_16_FULL"}, Word{1, "AVS_16_DOWN_SAMPLE"}, Word{2, "AVS_8_FULL"},
                                 Word{3, "AVS_8_DOWN_SAMPLE"}};
constexpr std::array avs_modes{Word{0, "AVS_16x4"}, Word{1, "AVS_8x4"}, Word{2, "AVS_16x8"},
                               Word{3, "AVS_4x4"}};
constexpr std::array dnscl_types{Word{1, "bftoe2m1"}, Word{2, "bftoint4"}, Word{4, "hftoe2m1"},
                                 Word{5, "hftoint4"}};
constexpr std::array dnscl_modes{Word{0, "mode0"}, Word{1, "mode1"}, Word{2, "mode2"}, Word{3, "mode3"}};
constexpr std::array dnscl_roundings{Word{0, "srnd"}, Word{1, "rne"}};
constexpr std::array sfids{Word{0, "ugm"}, Word{1, "ugml"}, Word{2, "tgm"}, Word{3, "slm"}, Word{4, "urb"}};
constexpr std::array caches{Word{0, "df"}, Word{1, "uc"}, Word{2, "ca"}, Word{3, "wb"},
                            Word{4, "wt"}, Word{5, "st"}, Word{6, "ri"}, Word{7, "cc"}};
constexpr std::array address_types{Word{1, "flat"}, Word{2, "bss"}, Word{3, "ss"},
                                   Word{4, "bti"},  Word{5, "arg"}, Word{6, "surf"}};
constexpr std::array address_sizes{Word{1, "a16"}, Word{2, "a32"}, Word{3, "a64"}, Word{4, "a32u"},
                                   Word{5, "a32s"}};
// The pages write d8u32, the compiler prints d8c32 and reads both, also with a "u" in front.
constexpr std::array data_sizes{
    Word{1, "d8"},     Word{2, "d16"},     Word{3, "d32"},   Word{4, "d64"},    Word{5, "d8c32"},
    Word{6, "d16c32"}, Word{7, "d16c32h"}, Word{5, "d8u32"}, Word{6, "d16u32"}, Word{7, "d16u32h"},
    Word{1, "u8"},     Word{2, "u16"},     Word{3, "u32"},   Word{4, "u64"},    Word{5, "u8c32"},
    Word{6, "u16c32"}, Word{7, "u16c32h"},
};
constexpr std::array data_orders{Word{1, "n"}, Word{2, "t"}};
constexpr std::array fence_ops{Word{0, "none"},    Word{1, "evict"}, Word{2, "invalidate"},
                               Word{3, "discard"}, Word{4, "clean"}, Word{5, "flushl3"},
                               Word{6, "type6"}};
constexpr std::array scopes{Word{0, "group"}, Word{1, "local"},  Word{2, "tile"},   Word{3, "gpu"},
                            Word{4, "gpus"},  Word{5, "sysrel"}, Word{6, "sysacq"}, Word{5, "system"}};
constexpr std::array cache_operations{Word{1, "reset"}};
constexpr std::array cache_bytes{Word{0, "64B"}};
constexpr std::array precisions{Word{1, "u1"},   Word{2, "s1"},   Word{3, "u2"},   Word{4, "s2"},
                                Word{5, "u4"},   Word{6, "s4"},   Word{7, "u8"},   Word{8, "s8"},
                                Word{9, "bf"},   Word{10, "hf"},  Word{11, "bf8"}, Word{12, "tf32"},
                                Word{14, "hf8"}, Word{15, "e2m1"}};

// Bits that each have a word; the words are joined by dots.
constexpr std::array call_flags{Word{1, "uniform"}, Word{2, "noreturn"}};
constexpr std::array sampler_flags{Word{1, "pixel_null_mask"}, Word{2, "cps"}, Word{4, "divS"}};

constexpr std::array rt_write_modes{
    Word{0x0008, "A"},   Word{0x0010, "O"},  Word{0x0100, "CPS"},    Word{0x0200, "PS"},
    Word{0x0400, "CM"},  Word{0x0800, "SI"}, Word{0x0040, "ST"},     Word{0x0080, "LRTW"},
    Word{0x0004, "RTI"}, Word{0x0020, "Z"},  Word{0x1000, "NULLRT"},
};

// Numbers behind codes 0, 1, 2 ...; 0 is a reserved code.
constexpr std::array<uint32_t, 4> block_counts{1, 2, 4, 8};
constexpr std::array<uint32_t, 3> block_types{1, 4, 8};
constexpr std::array<uint32_t, 5> oword_counts{1, 2, 4, 8, 16};
constexpr std::array<uint32_t, 3> element_byte_counts{1, 2, 4};
constexpr std::array<uint32_t, 3> element_counts{8, 16, 1};

std::span<const Word> words(Codec codec) {
    switch (codec) {
    case Codec::relation:
        return relations;
    case Codec::source_channel:
        return source_channels;
    case Codec::lfsr_format:
        return lfsr_formats;
    case Codec::media_modifier:
        return media_modifiers;
    case Codec::avs_output:
        return avs_outputs;
    case Codec::avs_mode:
        return avs_modes;
    case Codec::dnscl_type:
        return dnscl_types;
    case Codec::dnscl_mode:
        return dnscl_modes;
    case Codec::dnscl_rounding:
        return dnscl_roundings;
    case Codec::lsc_sfid:
        return sfids;
    case Codec::lsc_cache:
        return caches;
    case Codec::lsc_address_type:
        return address_types;
    case Codec::lsc_address_size:
        return address_sizes;
    case Codec::lsc_data_size:
        return data_sizes;
    case Codec::lsc_data_order:
        return data_orders;
    case Codec::lsc_fence_op:
        return fence_ops;
    case Codec::lsc_scope:
        return scopes;
    case Codec::lsc_cache_operation:
        return cache_operations;
    case Codec::lsc_cache_bytes:
        return cache_bytes;
    case Codec::call_flags:
        return call_flags;
    case Codec::sampler_flags:
        return sampler_flags;
    default:
        return {};
    }
}

std::span<const uint32_t> amounts(Codec codec) {
    switch (codec) {
    case Codec::block_count:
        return block_counts;
    case Codec::block_type:
        return block_types;
    case Codec::oword_count:
    case Codec::svm_block:
        return oword_counts;
    case Codec::element_bytes:
        return element_byte_counts;
    case Codec::element_count:
        return element_counts;
    case Codec::lsc_data_elements:
        return lsc::element_counts;
    default:
        return {};
    }
}

// The bits of a field that select its number.
uint64_t amount_code(Codec codec, uint64_t value) {
    if (codec == Codec::svm_block)
        return value & 7U;
    return codec == Codec::element_count ? value & 3U : value;
}

std::string number(uint64_t value) {
    return std::to_string(value);
}

std::string hexadecimal(uint64_t value) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return {digits.data(), end};
}

std::string word_of(std::span<const Word> list, uint64_t code) {
    const auto found = std::ranges::find_if(list, [&](const Word& word) { return word.code == code; });
    return found == list.end() ? number(code) : found->text;
}

std::optional<uint64_t> code_of(std::span<const Word> list, std::string_view text) {
    const auto found = std::ranges::find_if(list, [&](const Word& word) { return text == word.text; });
    return found == list.end() ? std::nullopt : std::optional<uint64_t>(found->code);
}

char lower(char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool same_folded(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

// What stands before the next dot; `rest` keeps what follows it.
std::string_view until_dot(std::string_view& rest) {
    const std::size_t dot = rest.find('.');
    const std::string_view word = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    return word;
}

// Letters of the set bits, lowest first.
std::string letters_of(std::string_view letters, uint64_t value) {
    std::string text;
    for (unsigned bit = 0; bit < letters.size(); ++bit) {
        if (((value >> bit) & 1U) != 0)
            text += letters[bit];
    }
    return text.empty() ? number(value) : text;
}

// Letters in their canonical order, at least one, each at most once.
std::optional<uint64_t> bits_of(std::string_view letters, std::string_view text, bool fold) {
    uint64_t value = 0;
    unsigned next = 0;
    for (const char c : text) {
        const auto same = [&](char letter) { return letter == c || (fold && lower(letter) == lower(c)); };
        while (next < letters.size() && !same(letters[next]))
            ++next;
        if (next == letters.size())
            return std::nullopt;
        value |= uint64_t{1} << next;
        ++next;
    }
    return text.empty() ? std::nullopt : std::optional(value);
}

std::string spell_flags(std::span<const Word> list, uint64_t value) {
    std::string text;
    for (const Word& word : list) {
        if ((value & word.code) != 0)
            text.append(text.empty() ? "" : ".").append(word.text);
    }
    return text;
}

std::optional<uint64_t> parse_flags(std::span<const Word> list, std::string_view text) {
    if (text.ends_with('.'))
        return std::nullopt;
    uint64_t value = 0;
    while (!text.empty()) {
        const auto bit = code_of(list, until_dot(text));
        if (!bit)
            return std::nullopt;
        value |= *bit;
    }
    return value;
}

constexpr std::string_view fence_letters = "EISCR"; // bits 0..4
constexpr uint64_t fence_l1_bit = 0x40;

std::string spell_fence(uint64_t mask) {
    std::string text;
    if ((mask & 0x1fU) != 0)
        text = letters_of(fence_letters, mask & 0x1fU);
    return (mask & fence_l1_bit) != 0 ? text + "L1" : text;
}

std::optional<uint64_t> parse_fence(std::string_view text) {
    uint64_t mask = 0;
    if (text.ends_with("L1")) {
        mask = fence_l1_bit;
        text.remove_suffix(2);
    }
    if (text.empty())
        return mask;
    const auto bits = bits_of(fence_letters, text, false);
    return bits ? std::optional(mask | *bits) : std::nullopt;
}

std::string spell_atomic(uint64_t value) {
    const std::string op = word_of(atomic_ops, value & 0x1fU);
    const unsigned bits = atomic_bits(value);
    return bits == 32 ? op : op + '.' + number(bits);
}

std::optional<uint64_t> parse_number(std::string_view text, int base) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<uint64_t> parse_plain(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X"))
        return parse_number(text.substr(2), 16);
    return parse_number(text, 10);
}

std::optional<uint64_t> parse_atomic(std::string_view text) {
    const bool has_width = text.find('.') != std::string_view::npos;
    const auto op = code_of(atomic_ops, until_dot(text));
    if (!op || !has_width)
        return op;
    const auto bits = parse_number(text, 10);
    const auto width = bits ? atomic_width_code(*bits) : std::nullopt;
    return width ? std::optional(*op | *width) : std::nullopt;
}

std::string spell_dpas(uint64_t value) {
    const DpasInfo info = dpas_info(value);
    return word_of(precisions, info.src1_precision) + '.' + word_of(precisions, info.src2_precision) + '.' +
           number(info.depth) + '.' + number(info.repeat);
}

std::optional<uint64_t> parse_precision(std::string_view text) {
    const auto found =
        std::ranges::find_if(precisions, [&](const Word& word) { return same_folded(text, word.text); });
    return found == precisions.end() ? std::nullopt : std::optional<uint64_t>(found->code);
}

// Depths are 1 2 4 8, repeat counts 1 to 8.
std::optional<uint64_t> parse_dpas(std::string_view text) {
    const auto src1 = parse_precision(until_dot(text));
    const auto src2 = parse_precision(until_dot(text));
    const auto depth = parse_number(until_dot(text), 10);
    const auto repeat = parse_number(text, 10);
    if (!src1 || !src2 || !depth || !repeat)
        return std::nullopt;
    const bool depth_is_legal = *depth == 1 || *depth == 2 || *depth == 4 || *depth == 8;
    if (!depth_is_legal || *repeat < 1 || *repeat > 8)
        return std::nullopt;
    return *src1 | *src2 << 8U | *depth << 16U | *repeat << 24U;
}

std::string spell_unorm(uint64_t value) {
    return letters_of("RGBA", value & 0xfU) + '.' + word_of(unorm_outputs, (value >> 4U) & 3U);
}

// Letters, or 0 for no channel, which the compiler has no spelling for.
std::optional<uint64_t> channels_of(std::string_view text) {
    return text == "0" ? std::optional<uint64_t>(0) : bits_of("RGBA", text, true);
}

std::optional<uint64_t> parse_unorm(std::string_view text) {
    const auto channels = channels_of(until_dot(text));
    const auto output = code_of(unorm_outputs, text);
    return channels && output ? std::optional(*channels | *output << 4U) : std::nullopt;
}

// A sequence of "<word>" in any order.
std::string spell_rt_write(uint64_t value) {
    std::string text;
    for (const Word& word : rt_write_modes) {
        if ((value & word.code) != 0)
            text.append("<").append(word.text).append(">");
    }
    return text;
}

std::optional<uint64_t> parse_rt_write(std::string_view text) {
    uint64_t value = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('>');
        if (text.front() != '<' || end == std::string_view::npos)
            return std::nullopt;
        const auto bit = code_of(rt_write_modes, text.substr(1, end - 1));
        if (!bit)
            return std::nullopt;
        value |= *bit;
        text.remove_prefix(end + 1);
    }
    return value;
}

constexpr std::array<const char*, 4> send_tails{"", "c", "_eot", "c_eot"};

std::optional<uint64_t> parse_send_modifiers(std::string_view text) {
    const auto found = std::ranges::find(send_tails, text);
    return found == send_tails.end()
               ? std::nullopt
               : std::optional<uint64_t>(static_cast<uint64_t>(found - send_tails.begin()));
}

std::string spell_channels_simd(uint64_t value) {
    return letters_of("RGBA", value & 0xfU) + '.' + ((value >> 4U & 3U) == 0 ? "8" : "16");
}

std::optional<uint64_t> parse_channels_simd(std::string_view text) {
    const auto channels = channels_of(until_dot(text));
    if (!channels || (text != "8" && text != "16"))
        return std::nullopt;
    return *channels | (text == "16" ? 0x10U : 0U);
}

std::optional<uint64_t> parse_amount(Codec codec, std::string_view text) {
    const auto wanted = parse_number(text, 10);
    const auto list = amounts(codec);
    const auto found = wanted && *wanted != 0 ? std::ranges::find(list, *wanted) : list.end();
    return found == list.end() ? std::nullopt
                               : std::optional<uint64_t>(static_cast<uint64_t>(found - list.begin()));
}

std::optional<uint64_t> parse_one_of(std::string_view text, std::string_view zero, std::string_view one) {
    if (text == zero)
        return 0;
    return text == one ? std::optional<uint64_t>(1) : std::nullopt;
}

} // namespace

std::string spell(Codec codec, uint64_t value) {
    switch (codec) {
    case Codec::plain:
        return number(value);
    case Codec::hex:
        return "0x" + hexadecimal(value);
    case Codec::hex_byte:
        return "x" + hexadecimal(value);
    case Codec::channel_mask:
        return letters_of("RGBA", value);
    case Codec::lsc_channel_mask:
        return letters_of("xyzw", value);
    case Codec::atomic_op:
        return spell_atomic(value);
    case Codec::modified:
        return value == 0 ? "" : "mod";
    case Codec::fence_mask:
        return spell_fence(value);
    case Codec::lifetime:
        return (value & 1U) == 0 ? "start" : "end";
    case Codec::signal:
        return value == 0 ? "wait" : "signal";
    case Codec::lsc_overfetch:
        return value == 0 ? "" : "ov";
    case Codec::call_flags:
    case Codec::sampler_flags:
        return spell_flags(words(codec), value);
    case Codec::dpas_info:
        return spell_dpas(value);
    case Codec::unorm_output:
        return spell_unorm(value);
    case Codec::rt_write_mode:
        return spell_rt_write(value);
    case Codec::send_modifiers:
        return send_tails[value & 3U];
    case Codec::channels_simd:
        return spell_channels_simd(value);
    default:
        break;
    }
    if (const auto list = words(codec); !list.empty())
        return word_of(list, value);
    const auto counted = amount(codec, value);
    return number(counted ? *counted : value);
}

std::optional<uint64_t> parse(Codec codec, std::string_view text) {
    switch (codec) {
    case Codec::plain:
    case Codec::hex:
        return parse_plain(text);
    case Codec::hex_byte:
        return text.starts_with('x') ? parse_number(text.substr(1), 16) : std::nullopt;
    case Codec::channel_mask:
        return bits_of("RGBA", text, true);
    case Codec::lsc_channel_mask:
        return bits_of("xyzw", text, false);
    case Codec::atomic_op:
        return parse_atomic(text);
    case Codec::modified:
        return parse_one_of(text, "", "mod");
    case Codec::fence_mask:
        return parse_fence(text);
    case Codec::lifetime:
        return parse_one_of(text, "start", "end");
    case Codec::signal:
        return parse_one_of(text, "wait", "signal");
    case Codec::lsc_overfetch:
        return text == "ov" ? std::optional<uint64_t>(1) : std::nullopt;
    case Codec::call_flags:
    case Codec::sampler_flags:
        return parse_flags(words(codec), text);
    case Codec::dpas_info:
        return parse_dpas(text);
    case Codec::unorm_output:
        return parse_unorm(text);
    case Codec::rt_write_mode:
        return parse_rt_write(text);
    case Codec::send_modifiers:
        return parse_send_modifiers(text);
    case Codec::channels_simd:
        return parse_channels_simd(text);
    default:
        break;
    }
    if (const auto list = words(codec); !list.empty())
        return code_of(list, text);
    return parse_amount(codec, text);
}

uint64_t said(Codec codec, uint64_t value) {
    switch (codec) {
    case Codec::svm_block:
    case Codec::channel_mask:
    case Codec::lsc_channel_mask:
        return value & 0x0fU;
    case Codec::relation:
    case Codec::oword_count:
    case Codec::sampler_flags:
        return value & 0x07U;
    case Codec::element_bytes:
    case Codec::call_flags:
    case Codec::send_modifiers:
        return value & 0x03U;
    case Codec::atomic_op:
        return value & 0x7fU;
    case Codec::element_count:
        return value & 0xf3U;
    case Codec::lifetime: // start or end, and the class of the variable
        return value & 0xf1U;
    case Codec::unorm_output:
        return value & 0x3fU;
    case Codec::channels_simd: // any code but 0 is read as 16 lanes
        return (value & 0x0fU) | ((value & 0x30U) != 0 ? 0x10U : 0U);
    case Codec::fence_mask:
        return (value & fence_sw_bit) != 0 ? fence_sw_bit : value;
    case Codec::rt_write_mode:
        return parse_rt_write(spell_rt_write(value)).value_or(value);
    default:
        return value;
    }
}

std::optional<uint32_t> amount(Codec codec, uint64_t value) {
    if (codec == Codec::lsc_address_size) {
        constexpr std::array<uint32_t, 6> bits{0, 16, 32, 64, 32, 32};
        return value > 0 && value < bits.size() ? std::optional(bits[value]) : std::nullopt;
    }
    if (codec == Codec::lsc_data_size) { // of the datum in memory
        constexpr std::array<uint32_t, 8> bits{0, 8, 16, 32, 64, 8, 16, 16};
        return value > 0 && value < bits.size() ? std::optional(bits[value]) : std::nullopt;
    }
    const auto list = amounts(codec);
    const uint64_t code = amount_code(codec, value);
    if (code >= list.size() || list[code] == 0)
        return std::nullopt;
    return list[code];
}

std::optional<AtomicOp> atomic_op(uint64_t value) {
    const uint64_t code = value & 0x1fU;
    const auto known = std::ranges::any_of(atomic_ops, [&](const Word& word) { return word.code == code; });
    return known ? std::optional(static_cast<AtomicOp>(code)) : std::nullopt;
}

unsigned atomic_sources(AtomicOp op) {
    switch (op) {
    case AtomicOp::inc:
    case AtomicOp::dec:
    case AtomicOp::predec:
        return 0;
    case AtomicOp::cmpxchg:
    case AtomicOp::fcmpwr:
        return 2;
    default:
        return 1;
    }
}

bool atomic_is_float(AtomicOp op) {
    return op >= AtomicOp::fmax && op <= AtomicOp::fsub;
}

std::string_view fence_mnemonic(uint64_t mask) {
    if ((mask & fence_sw_bit) != 0)
        return "fence_sw";
    return (mask & fence_local_bit) != 0 ? "fence_local" : "fence_global";
}

std::optional<uint64_t> fence_mnemonic_bits(std::string_view mnemonic) {
    if (mnemonic == "fence_global")
        return 0;
    if (mnemonic == "fence_local")
        return fence_local_bit;
    return mnemonic == "fence_sw" ? std::optional(fence_sw_bit) : std::nullopt;
}

} // namespace visor::isa
