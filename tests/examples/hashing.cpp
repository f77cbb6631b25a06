// Hashes and ciphers: results that their definitions publish, and the same algorithms on the host for the
// rest.
#include "examples/host.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace visor::test {

namespace {

// The first bits of the fractions of the roots of primes are SHA-256's constants.
template <class Root>
std::vector<uint32_t> root_fractions(size_t count, Root root) {
    std::vector<uint32_t> bits;
    for (int number = 2; bits.size() < count; ++number) {
        bool prime = true;
        for (int divisor = 2; divisor * divisor <= number; ++divisor)
            prime = prime && number % divisor != 0;
        if (prime) {
            const long double value = root(static_cast<long double>(number));
            bits.push_back(static_cast<uint32_t>((value - std::floor(value)) * 0x1p32L));
        }
    }
    return bits;
}

std::vector<uint32_t> sha256_of(const std::string& message) {
    static const auto rounds = root_fractions(64, [](long double x) { return std::cbrt(x); });
    std::vector<uint32_t> state = root_fractions(8, [](long double x) { return std::sqrt(x); });
    std::string padded = message + '\x80';
    while (padded.size() % 64 != 56)
        padded += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        padded += static_cast<char>(message.size() * 8 >> shift & 0xffU);
    for (size_t start = 0; start < padded.size(); start += 64) {
        std::array<uint32_t, 64> w{};
        for (size_t k = 0; k < 64; ++k)
            w[k / 4] |= uint32_t{static_cast<uint8_t>(padded[start + k])} << (24 - k % 4 * 8);
        for (size_t k = 16; k < 64; ++k) {
            const uint32_t a = w[k - 15], b = w[k - 2];
            w[k] = w[k - 16] + w[k - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
        }
        std::vector<uint32_t> s = state;
        for (size_t k = 0; k < 64; ++k) {
            const uint32_t a = s[0], e = s[4];
            const uint32_t one = s[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                 ((e & s[5]) ^ (~e & s[6])) + rounds[k] + w[k];
            const uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                                 ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
            std::ranges::rotate(s, s.end() - 1);
            s[4] += one;
            s[0] = one + two;
        }
        for (size_t k = 0; k < 8; ++k)
            state[k] += s[k];
    }
    return state;
}

// The first message is "abc", whose hash FIPS 180 publishes; the second is empty.
bool sha256(Example& example) {
    constexpr size_t count = 32, room = 128;
    Numbers numbers(101);
    std::vector<std::string> messages{"abc", ""};
    while (messages.size() < count) {
        std::string message(
            messages.size() < 4 ? 54 + messages.size() : static_cast<size_t>(numbers.below(120)), ' ');
        for (char& byte : message)
            byte = static_cast<char>(numbers.next());
        messages.push_back(message);
    }
    std::vector<uint8_t> bytes(count * room, 0x55);
    std::vector<int32_t> lengths;
    for (size_t i = 0; i < count; ++i) {
        std::ranges::copy(messages[i], bytes.begin() + static_cast<ptrdiff_t>(i * room));
        lengths.push_back(static_cast<int32_t>(messages[i].size()));
    }
    auto expected = rows<uint32_t>(count, [&](size_t i) { return sha256_of(messages[i]); });
    constexpr std::array<uint32_t, 8> abc{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                          0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    std::ranges::copy(abc, expected.begin());
    example.kernel("sha256").sizes(count, 16).zeros<uint32_t>(8 * count).array(bytes).array(lengths);
    return example.run() && same("hashes", example.result<uint32_t>(0), expected);
}

// The first message is "123456789", whose sum is the usual check value.
bool crc32(Example& example) {
    constexpr size_t count = 64, length = 9;
    Numbers numbers(102);
    auto messages = numbers.integers<uint8_t>(count * length);
    std::iota(messages.begin(), messages.begin() + length, uint8_t{'1'});
    auto expected = each<uint32_t>(count, [&](size_t i) {
        uint32_t sum = ~0U;
        for (size_t bit = 0; bit < 8 * length; ++bit) { // a bit at a time
            const uint32_t next = messages[i * length + bit / 8] >> bit % 8U & 1U;
            sum = sum >> 1U ^ ((sum ^ next) & 1U) * 0xedb88320U;
        }
        return ~sum;
    });
    expected[0] = 0xcbf43926;
    example.kernel("crc32").sizes(count, 32).zeros<uint32_t>(count).array(messages).value(int32_t{length});
    return example.run() && same("sums", example.result<uint32_t>(0), expected);
}

// The first block is a published test vector: key 00 01 ... 0f, plain text 41 42 ... 48.
bool xtea(Example& example) {
    constexpr size_t count = 64;
    constexpr std::array<uint32_t, 4> key{0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
    Numbers numbers(103);
    auto blocks = numbers.integers<uint32_t>(2 * count);
    blocks[0] = 0x41424344;
    blocks[1] = 0x45464748;
    auto expected = rows<uint32_t>(count, [&](size_t i) {
        uint32_t a = blocks[2 * i], b = blocks[2 * i + 1];
        for (uint32_t round = 0; round < 32; ++round) {
            const uint32_t before = round * 0x9e3779b9U, after = before + 0x9e3779b9U;
            a += ((b << 4U ^ b >> 5U) + b) ^ (before + key[before % 4]);
            b += ((a << 4U ^ a >> 5U) + a) ^ (after + key[after / 2048 % 4]);
        }
        return std::array{a, b};
    });
    expected[0] = 0x497df3d0;
    expected[1] = 0x72612cb5;
    example.kernel("xtea").sizes(count, 32).zeros<uint32_t>(2 * count).zeros<uint32_t>(2 * count);
    example.array(blocks).value(key);
    return example.run() && same("encrypted", example.result<uint32_t>(0), expected) &&
           same("decrypted", example.result<uint32_t>(1), blocks);
}

// A product in the field of AES: of polynomials, then the rest of its division by x^8 + x^4 + x^3 + x + 1.
uint8_t field_product(unsigned a, unsigned b) {
    unsigned product = 0;
    for (unsigned bit = 0; bit < 8; ++bit)
        product ^= (b >> bit & 1U) * (a << bit);
    for (unsigned bit = 14; bit >= 8; --bit)
        product ^= (product >> bit & 1U) * (0x11bU << (bit - 8));
    return static_cast<uint8_t>(product);
}

uint8_t aes_substitute(uint8_t x) {
    unsigned inverse = 0;
    for (unsigned candidate = 1; candidate < 256; ++candidate)
        inverse = field_product(x, candidate) == 1 ? candidate : inverse;
    unsigned result = 0x63;
    for (unsigned bit = 0; bit < 8; ++bit) {
        for (const unsigned turn : {0U, 4U, 5U, 6U, 7U})
            result ^= (inverse >> (bit + turn) % 8 & 1U) << bit;
    }
    return static_cast<uint8_t>(result);
}

using Block = std::array<uint8_t, 16>;

// FIPS 197: the rounds' keys as words in a row, then the rounds.
Block aes_of(const Block& plain, const Block& key, const std::array<uint8_t, 256>& table) {
    std::vector<uint8_t> keys(key.begin(), key.end());
    unsigned constant = 1;
    while (keys.size() < 176) {
        std::array<uint8_t, 4> word{};
        std::copy_n(keys.end() - 4, 4, word.begin());
        if (keys.size() % 16 == 0) {
            std::ranges::rotate(word, word.begin() + 1);
            for (uint8_t& byte : word)
                byte = table[byte];
            word[0] = static_cast<uint8_t>(word[0] ^ constant);
            constant = field_product(constant, 2);
        }
        for (const uint8_t byte : word)
            keys.push_back(static_cast<uint8_t>(byte ^ keys[keys.size() - 16]));
    }
    Block state = plain;
    for (size_t round = 0; round <= 10; ++round) {
        Block next = state;
        for (size_t k = 0; round > 0 && k < 16; ++k)
            next[k] = table[state[k % 4 + (k / 4 + k) % 4 * 4]];
        constexpr std::array<unsigned, 4> factors{2, 3, 1, 1};
        for (size_t k = 0; k < 16; ++k) {
            unsigned mixed = round > 0 && round < 10 ? 0 : next[k];
            for (size_t r = 0; round > 0 && round < 10 && r < 4; ++r)
                mixed ^= field_product(next[k / 4 * 4 + r], factors[(r + 4 - k % 4) % 4]);
            state[k] = static_cast<uint8_t>(mixed ^ keys[16 * round + k]);
        }
    }
    return state;
}

// The first block is the example of FIPS 197, appendix B.
bool aes(Example& example) {
    constexpr size_t count = 32;
    constexpr Block key{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    constexpr Block plain{0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                          0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
    constexpr Block secret{0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                           0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
    std::array<uint8_t, 256> table{};
    for (unsigned x = 0; x < 256; ++x)
        table[x] = aes_substitute(static_cast<uint8_t>(x));
    Numbers numbers(104);
    auto blocks = numbers.integers<uint8_t>(16 * count);
    std::ranges::copy(plain, blocks.begin());
    auto expected = rows<uint8_t>(count, [&](size_t i) {
        Block block{};
        std::copy_n(blocks.begin() + static_cast<ptrdiff_t>(16 * i), 16, block.begin());
        return aes_of(block, key, table);
    });
    std::ranges::copy(secret, expected.begin());
    example.kernel("aes").sizes(count, 16).zeros<uint8_t>(16 * count).array(blocks);
    example.array(std::vector(key.begin(), key.end()));
    return example.run() && same("encrypted", example.result<uint8_t>(0), expected);
}

void sip_round(std::array<uint64_t, 4>& v) {
    v[0] += v[1];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[3];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[2] = std::rotl(v[2], 32);
}

// The hash of 15 bytes is the one that the paper of SipHash works out.
bool siphash(Example& example) {
    constexpr size_t count = 64;
    constexpr uint64_t key0 = 0x0706050403020100, key1 = 0x0f0e0d0c0b0a0908;
    std::vector<uint8_t> message(count);
    std::iota(message.begin(), message.end(), uint8_t{0});
    auto expected = each<uint64_t>(count, [&](size_t length) {
        std::vector<uint8_t> padded(message.begin(), message.begin() + static_cast<ptrdiff_t>(length));
        while (padded.size() % 8 != 7)
            padded.push_back(0);
        padded.push_back(static_cast<uint8_t>(length));
        std::array v{key0 ^ 0x736f6d6570736575U, key1 ^ 0x646f72616e646f6dU, key0 ^ 0x6c7967656e657261U,
                     key1 ^ 0x7465646279746573U};
        for (size_t at = 0; at < padded.size(); at += 8) {
            uint64_t word = 0;
            std::memcpy(&word, &padded[at], 8);
            v[3] ^= word;
            sip_round(v);
            sip_round(v);
            v[0] ^= word;
        }
        v[2] ^= 0xff;
        for (int round = 0; round < 4; ++round)
            sip_round(v);
        return v[0] ^ v[1] ^ v[2] ^ v[3];
    });
    expected[15] = 0xa129ca6149be45e5;
    example.kernel("siphash").sizes(count, 32).zeros<uint64_t>(count).array(message).value(key0).value(key1);
    return example.run() && same("hashes", example.result<uint64_t>(0), expected);
}

} // namespace

std::span<const Check> hashing_checks() {
    static constexpr std::array checks{Check{"sha256", sha256}, Check{"crc32", crc32}, Check{"xtea", xtea},
                                       Check{"aes", aes}, Check{"siphash", siphash}};
    return checks;
}

} // namespace visor::test
