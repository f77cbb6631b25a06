// A target without libFuzzer: inputs are drawn from a seed, one after the other, without coverage. For builds
// that have none: draw_NAME [--seed N] [--seconds S] [--count N], or FILE... for these inputs.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** words); // some targets have one

namespace {

std::vector<uint8_t> drawn(uint64_t seed) {
    constexpr size_t most = 4096;
    const auto next = [&seed] {
        seed += 0x9e3779b97f4a7c15U;
        uint64_t mixed = (seed ^ seed >> 30U) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
        return mixed ^ mixed >> 31U;
    };
    std::vector<uint8_t> bytes(next() % most);
    for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(next());
    return bytes;
}

constexpr const char* kept_file = "drawn_input"; // of the working folder: what a crash leaves

void keep(const std::vector<uint8_t>& bytes) {
    std::ofstream file(kept_file, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

int main(int count, char** words) {
    if (LLVMFuzzerInitialize != nullptr)
        LLVMFuzzerInitialize(&count, &words);
    uint64_t seed = 1;
    uint64_t most = UINT64_MAX;
    double seconds = 10;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word.starts_with("--") && i + 1 < count) {
            const std::string_view value = words[++i];
            uint64_t number = 0;
            std::from_chars(value.data(), value.data() + value.size(), number);
            (word == "--seed" ? seed : most) = number;
            if (word == "--seconds") {
                seconds = static_cast<double>(number);
                most = UINT64_MAX;
            }
            continue;
        }
        std::ifstream file(words[i], std::ios::binary);
        const std::string content(std::istreambuf_iterator<char>(file), {});
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(content.data()), content.size());
        most = 0;
    }
    const auto began = std::chrono::steady_clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    uint64_t done = 0;
    for (; done < most && (most != UINT64_MAX || passed() < seconds); ++done) {
        const std::vector<uint8_t> bytes = drawn(seed + done);
        keep(bytes);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    if (done != 0)
        std::remove(kept_file);
    std::printf("%llu inputs from seed %llu on in %.1f s\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(seed), passed());
    return EXIT_SUCCESS;
}
