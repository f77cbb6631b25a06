// What every handle of the API begins with: the loader's dispatch table, then the kind of object and two
// counts. The application's count is the one that queries tell; commands, callbacks and other objects hold
// without being seen there. An object goes when nobody holds it any more. No virtual functions: the table has
// to be the first word.
#pragma once

#include "opencl/headers.h"

#include <atomic>
#include <cstdint>
#include <utility>

namespace visor::opencl {

enum class Kind : uint32_t {
    platform = 0x5649'0001,
    device,
    context,
    queue,
    event,
    memory,
    sampler,
    program,
    kernel,
    gone
};

[[nodiscard]] const cl_icd_dispatch& dispatch_table();

class Object {
public:
    explicit Object(Kind kind) : dispatch_(&dispatch_table()), kind_(kind) {}
    ~Object() { kind_ = Kind::gone; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    Object(Object&&) = delete;
    Object& operator=(Object&&) = delete;

    [[nodiscard]] Kind kind() const { return kind_; }

    // The application's references.
    [[nodiscard]] cl_uint references() const { return references_.load(std::memory_order_relaxed); }
    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
    // True: that was the last one.
    [[nodiscard]] bool release() { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    // Ours; all of the application's together count as one.
    void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
    // Not when the last holder has let go already, and the object is about to vanish.
    [[nodiscard]] bool try_hold() {
        cl_uint count = holders_.load(std::memory_order_relaxed);
        while (count != 0) {
            if (holders_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
                return true;
        }
        return false;
    }
    [[nodiscard]] bool let_go() { return holders_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
    const cl_icd_dispatch* dispatch_;
    Kind kind_;
    std::atomic<cl_uint> references_{1};
    std::atomic<cl_uint> holders_{1};
};

// Nothing, or an object that is held.
template <class T>
class Ref {
public:
    Ref() = default;
    explicit Ref(T* object) : object_(object) {
        if (object_ != nullptr)
            object_->hold();
    }
    ~Ref() { reset(); }
    Ref(const Ref& other) : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }

    [[nodiscard]] T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    void reset() {
        T* object = std::exchange(object_, nullptr);
        if (object != nullptr && object->let_go())
            delete object;
    }

private:
    T* object_ = nullptr;
};

template <class T>
[[nodiscard]] bool is_valid(const T* object) {
    return object != nullptr && object->kind() == T::own_kind;
}

// clRetain..., clRelease...
template <class T>
[[nodiscard]] cl_int retain(T* object, cl_int invalid) {
    if (!is_valid(object))
        return invalid;
    object->retain();
    return CL_SUCCESS;
}
template <class T>
[[nodiscard]] cl_int release(T* object, cl_int invalid) {
    if (!is_valid(object))
        return invalid;
    if (object->release() && object->let_go())
        delete object;
    return CL_SUCCESS;
}

} // namespace visor::opencl
