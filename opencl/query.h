// The answer of a clGet...Info call: writes the value if it fits, and its size if requested.
#pragma once

#include "opencl/headers.h"

#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace visor::opencl {

class Query {
public:
    Query(size_t param_value_size, void* value, size_t* needed)
        : param_value_size_(param_value_size), value_(value), needed_(needed) {}

    [[nodiscard]] cl_int bytes(const void* from, size_t count) const {
        if (value_ != nullptr) {
            if (param_value_size_ < count)
                return CL_INVALID_VALUE;
            if (count > 0)
                std::memcpy(value_, from, count);
        }
        if (needed_ != nullptr)
            *needed_ = count;
        return CL_SUCCESS;
    }
    template <class T>
    [[nodiscard]] cl_int value(const T& one) const {
        static_assert(std::is_trivially_copyable_v<T>);
        return bytes(&one, sizeof one);
    }
    template <class T>
    [[nodiscard]] cl_int list(std::span<const T> all) const {
        return bytes(all.data(), all.size_bytes());
    }
    // With its closing zero.
    [[nodiscard]] cl_int text(std::string_view words) const {
        const size_t count = words.size() + 1;
        if (value_ != nullptr) {
            if (param_value_size_ < count)
                return CL_INVALID_VALUE;
            std::memcpy(value_, words.data(), words.size());
            static_cast<char*>(value_)[words.size()] = '\0';
        }
        if (needed_ != nullptr)
            *needed_ = count;
        return CL_SUCCESS;
    }
    [[nodiscard]] cl_int size(size_t number) const { return value(number); }
    [[nodiscard]] cl_int number(cl_uint one) const { return value(one); }
    [[nodiscard]] cl_int truth(bool one) const { return number(one ? 1 : 0); }

    [[nodiscard]] size_t param_value_size() const { return param_value_size_; }
    [[nodiscard]] void* destination() const { return value_; }
    void set_size(size_t count) const {
        if (needed_ != nullptr)
            *needed_ = count;
    }

private:
    size_t param_value_size_;
    void* value_;
    size_t* needed_;
};

// The result of a function that creates an object, with an error code through a pointer that may be null.
class Outcome {
public:
    explicit Outcome(cl_int* errcode_ret) : errcode_ret_(errcode_ret) {}
    std::nullptr_t fail(cl_int code) const {
        if (errcode_ret_ != nullptr)
            *errcode_ret_ = code;
        return nullptr;
    }
    template <class T>
    T* done(T* object) const {
        if (errcode_ret_ != nullptr)
            *errcode_ret_ = CL_SUCCESS;
        return object;
    }

private:
    cl_int* errcode_ret_;
};

} // namespace visor::opencl
