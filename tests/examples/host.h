// What the example checks share: arrays as files, a run of the program, and comparison. Everything that an
// example's result is compared with is computed in plain C++ here and never comes from Visor.
#pragma once

#include "process/process.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

namespace visor::test {

template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, float>)
        return "f32";
    else if constexpr (std::is_same_v<T, double>)
        return "f64";
    else if constexpr (std::is_same_v<T, int32_t>)
        return "i32";
    else if constexpr (std::is_same_v<T, uint32_t>)
        return "u32";
    else if constexpr (std::is_same_v<T, int16_t>)
        return "i16";
    else if constexpr (std::is_same_v<T, int64_t>)
        return "i64";
    else if constexpr (std::is_same_v<T, uint64_t>)
        return "u64";
    else
        return "u8";
}

// One run of one example on one device.
class Example {
public:
    // argv: VISOR SOURCE DEVICE
    Example(int argc, char** argv)
        : visor_(argc > 1 ? argv[1] : ""), source_(argc > 2 ? argv[2] : ""),
          device_(argc > 3 ? argv[3] : "skl") {}

    // An array argument with this content.
    template <class T>
    Example& in(const std::vector<T>& values) {
        const std::string path = folder_.file("in" + std::to_string(arguments_.size()) + ".bin");
        write_file(path,
                   std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
        arguments_.push_back("@" + path + ":" + type_name<T>());
        return *this;
    }
    // An argument as the command line takes it.
    Example& value(const std::string& text) {
        arguments_.push_back(text);
        return *this;
    }
    Example& option(const std::string& name, const std::string& text) {
        options_.push_back(name);
        options_.push_back(text);
        return *this;
    }
    // The argument whose content is wanted after the run.
    Example& out(unsigned index) {
        outputs_.push_back(index);
        return *this;
    }

    // False, with everything that was said, when the run did not end with exit code 0.
    [[nodiscard]] bool run() {
        std::vector<std::string> command{visor_, "run", source_, "--device", device_};
        command.insert(command.end(), options_.begin(), options_.end());
        for (const std::string& argument : arguments_) {
            command.emplace_back("-a");
            command.push_back(argument);
        }
        for (const unsigned index : outputs_) {
            command.emplace_back("--out");
            command.push_back(std::to_string(index) + "=" + output_path(index));
        }
        const Finished finished = visor::test::run(command);
        said_ = finished.out;
        if (finished.exit_code != 0)
            std::cout << "exit code " << finished.exit_code << '\n' << finished.out << finished.err;
        return finished.exit_code == 0;
    }

    template <class T>
    [[nodiscard]] std::vector<T> result(unsigned index) const {
        const std::string content = read_file(output_path(index));
        std::vector<T> values(content.size() / sizeof(T));
        std::memcpy(values.data(), content.data(), values.size() * sizeof(T));
        return values;
    }
    [[nodiscard]] const std::string& said() const { return said_; }

private:
    [[nodiscard]] std::string output_path(unsigned index) const {
        return folder_.file("out" + std::to_string(index) + ".bin");
    }

    std::string visor_;
    std::string source_;
    std::string device_;
    TemporaryFolder folder_;
    std::vector<std::string> arguments_;
    std::vector<std::string> options_;
    std::vector<unsigned> outputs_;
    std::string said_;
};

// Exactly equal; the first difference is named.
template <class T>
[[nodiscard]] bool same(const std::string& what, const std::vector<T>& got, const std::vector<T>& expected) {
    if (got.size() != expected.size()) {
        std::cout << what << ": " << got.size() << " elements, expected " << expected.size() << '\n';
        return false;
    }
    for (size_t i = 0; i < got.size(); ++i) {
        if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0) {
            std::cout << what << '[' << i << "] is " << +got[i] << ", expected " << +expected[i] << '\n';
            return false;
        }
    }
    std::cout << what << ": " << got.size() << " elements equal\n";
    return true;
}

// Distance in units of the last place of `expected`, of at most `ulps`.
[[nodiscard]] inline bool within_ulps(const std::string& what, const std::vector<float>& got,
                                      const std::vector<double>& expected, double ulps) {
    if (got.size() != expected.size()) {
        std::cout << what << ": " << got.size() << " elements, expected " << expected.size() << '\n';
        return false;
    }
    double worst = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const auto nearest = static_cast<float>(expected[i]);
        const double ulp = std::max(static_cast<double>(std::nextafter(std::fabs(nearest), INFINITY)) -
                                        static_cast<double>(std::fabs(nearest)),
                                    0x1p-149);
        const double distance = std::fabs(static_cast<double>(got[i]) - expected[i]) / ulp;
        worst = std::max(worst, distance);
        if (!(distance <= ulps)) {
            std::cout << what << '[' << i << "] is " << got[i] << ", expected " << expected[i] << " ("
                      << distance << " ulp)\n";
            return false;
        }
    }
    std::cout << what << ": " << got.size() << " elements within " << worst << " ulp\n";
    return true;
}

// The same numbers on every machine.
class Numbers {
public:
    explicit Numbers(uint32_t seed) : state_(seed) {}
    uint32_t next() {
        state_ = state_ * 1664525U + 1013904223U;
        return state_ >> 8U;
    }
    // In [0, 1), a multiple of 2^-16.
    float unit() { return static_cast<float>(next() & 0xffffU) / 65536.0F; }

private:
    uint32_t state_;
};

} // namespace visor::test
