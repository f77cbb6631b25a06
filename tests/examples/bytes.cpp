#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr int count = 100;
    constexpr int factor = 3;
    std::vector<uint8_t> in;
    std::vector<uint8_t> bytes;
    std::vector<int16_t> words;
    for (int i = 0; i < count; ++i) {
        in.push_back(static_cast<uint8_t>(i * 11));
        bytes.push_back(static_cast<uint8_t>(in.back() * factor + 1));
        words.push_back(static_cast<int16_t>(in.back() * -factor));
    }
    // One element more than is written on each side of the end: it must stay.
    bytes.push_back(0xAA);
    words.push_back(0x55AA);
    std::vector<uint8_t> bytes_before(count + 1, 0xAA);
    std::vector<int16_t> words_before(count + 1, 0x55AA);

    Example example(argc, argv);
    example.option("-g", "100")
        .option("-l", "50")
        .in(bytes_before)
        .in(words_before)
        .in(in)
        .value("3")
        .out(0)
        .out(1);
    return example.run() && same("bytes", example.result<uint8_t>(0), bytes) &&
                   same("words", example.result<int16_t>(1), words)
               ? 0
               : 1;
}
