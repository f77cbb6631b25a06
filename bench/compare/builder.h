// How pieces of work are put together: their data, and their arguments in the order of the kernel's
// parameters.
#pragma once

#include "work.h"

#include <cstring>
#include <utility>

namespace visor::compare {

// Numbers that look like data and are the same everywhere.
class Random {
public:
    uint32_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        uint64_t mixed = state_;
        mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
        return static_cast<uint32_t>(mixed >> 32U);
    }
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(next() >> 8U) * 0x1p-24F;
    }

private:
    uint64_t state_ = 1;
};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

inline std::vector<float> floats(size_t count, float low, float high) {
    Random random;
    std::vector<float> values(count);
    for (float& value : values)
        value = random.between(low, high);
    return values;
}

template <class T>
std::vector<T> integers(size_t count) {
    Random random;
    std::vector<T> values(count);
    for (T& value : values)
        value = static_cast<T>(random.next());
    return values;
}

inline size_t bytes_of(const ImageLayout& layout) {
    const size_t channels = layout.order == CL_R ? 1 : layout.order == CL_RG ? 2 : 4;
    const size_t bytes = layout.type == CL_FLOAT ? 4 : layout.type == CL_UNORM_INT16 ? 2 : 1;
    return layout.size[0] * layout.size[1] * layout.size[2] * channels * bytes;
}

// Adds to a piece of work, in the order of the kernel's parameters.
class Builder {
public:
    explicit Builder(std::string name, std::string source) {
        work_.name = std::move(name);
        work_.source = std::move(source);
    }
    template <class T>
    Builder& input(const std::vector<T>& values) {
        return add({.content = bytes_of(values)});
    }
    Builder& output(size_t bytes) {
        return add({.content = std::vector<std::byte>(bytes), .is_result = true});
    }
    template <class T>
    Builder& image(const ImageLayout& layout, const std::vector<T>& texels) {
        return add({.content = bytes_of(texels), .image = layout});
    }
    Builder& result_image(const ImageLayout& layout) {
        return add({.content = std::vector<std::byte>(bytes_of(layout)),
                    .image = layout,
                    .is_result = true,
                    .compared = layout.type == CL_UNORM_INT8 ? Compared::bytes_by_one : Compared::as_work});
    }
    Builder& kernel(std::string name) {
        work_.kernel = std::move(name);
        return *this;
    }
    template <class T>
    Builder& value(T number) {
        Argument argument{
            .kind = Argument::Kind::value, .buffer = 0, .value = std::vector<std::byte>(sizeof(T))};
        std::memcpy(argument.value.data(), &number, sizeof(T));
        work_.arguments.push_back(std::move(argument));
        return *this;
    }
    Builder& over(unsigned dimensions, Sizes global, Sizes local) {
        work_.dimensions = dimensions;
        work_.global = global;
        work_.local = local;
        return *this;
    }
    // Results that are floats have 64 bits.
    Builder& doubles() {
        work_.doubles = true;
        return *this;
    }
    Builder& from_memory() {
        work_.from_memory = true;
        return *this;
    }
    Work done(double tolerance, double wanted_ratio, void (*native)(Arrays)) {
        work_.tolerance = tolerance;
        work_.wanted_ratio = wanted_ratio;
        work_.native = native;
        return std::move(work_);
    }

private:
    Builder& add(Buffer buffer) {
        work_.arguments.push_back(
            {.kind = Argument::Kind::buffer, .buffer = work_.buffers.size(), .value = {}});
        work_.buffers.push_back(std::move(buffer));
        return *this;
    }
    Work work_;
};

template <class T>
T* at(Arrays arrays, size_t index) {
    return reinterpret_cast<T*>(arrays[index].data());
}
template <class T>
size_t count(Arrays arrays, size_t index) {
    return arrays[index].size() / sizeof(T);
}

} // namespace visor::compare
