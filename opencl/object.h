// The header of every API handle, and object lifetimes.
//
// An object has two counts, in one atomic word. References belong to the application: clRetain... and
// clRelease... change them, queries report them. Holds belong to the platform: derived objects, commands,
// callbacks and running calls. While either count is not zero, the object is alive: even without references
// it can be queried, used, retained and released. The transition to zero of both counts is final: the thread
// that made it calls the destructor callbacks and destroys the object. Its memory stays readable as an
// invalid handle (handle_memory.h).
//
// No virtual functions: the loader's dispatch table has to be the first word.
#pragma once

#include "opencl/handle_memory.h"
#include "opencl/headers.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace visor::opencl {

class Object {
public:
    explicit Object(Kind kind) : header_{&dispatch_table(), kind, 1} {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    Object(Object&&) = delete;
    Object& operator=(Object&&) = delete;

    [[nodiscard]] Kind kind() const { return header_.kind.load(std::memory_order_relaxed); }
    [[nodiscard]] bool is_alive() const { return header_.counts.load(std::memory_order_acquire) != 0; }

    // ---- references

    [[nodiscard]] cl_uint references() const {
        return static_cast<cl_uint>(header_.counts.load(std::memory_order_relaxed) & all_references);
    }
    // False: the object is not alive, or the count is at its end.
    [[nodiscard]] bool retain() {
        return change([](uint64_t counts) {
            const bool can = counts != 0 && (counts & all_references) != all_references;
            return can ? counts + 1 : counts;
        });
    }
    enum class Released : uint8_t { none, one, last };
    // None: there was no reference. Last: the object has no holds either; the caller destroys it.
    [[nodiscard]] Released release() {
        uint64_t after = 0;
        const bool done = change([&](uint64_t counts) {
            after = (counts & all_references) == 0 ? counts : counts - 1;
            return after;
        });
        return !done ? Released::none : after == 0 ? Released::last : Released::one;
    }

    // ---- holds

    // False: the object is not alive.
    [[nodiscard]] bool hold() {
        return change([](uint64_t counts) { return counts == 0 ? counts : counts + one_hold; });
    }
    // True: that was the last hold, and there is no reference; the caller destroys the object.
    [[nodiscard]] bool let_go() {
        return header_.counts.fetch_sub(one_hold, std::memory_order_acq_rel) == one_hold;
    }

protected:
    ~Object() = default;

private:
    static constexpr uint64_t all_references = UINT32_MAX;
    static constexpr uint64_t one_hold = all_references + 1;

    // False: there is nothing to change.
    template <class Next>
    [[nodiscard]] bool change(Next next) {
        uint64_t counts = header_.counts.load(std::memory_order_relaxed);
        for (;;) {
            const uint64_t wanted = next(counts);
            if (wanted == counts)
                return false;
            if (header_.counts.compare_exchange_weak(counts, wanted, std::memory_order_acq_rel,
                                                     std::memory_order_relaxed))
                return true;
        }
    }

    Header header_;
};

// The base of all handles of one kind.
template <Kind own>
class Handle : public Object {
public:
    static constexpr Kind own_kind = own;

    static void* operator new(size_t bytes) { return take_memory(own, bytes); }
    static void operator delete(void* block, size_t bytes) noexcept { return_memory(own, block, bytes); }

protected:
    Handle() : Object(own) {}
    ~Handle() = default;
};

// Callbacks of the application that are called when an object ends: once, the last registered first.
class DestructorCallbacks {
public:
    void add(std::function<void()> callback) {
        const std::lock_guard guard(lock_);
        all_.push_back(std::move(callback));
    }
    void call() {
        for (; !all_.empty(); all_.pop_back())
            all_.back()();
    }

private:
    std::mutex lock_;
    std::vector<std::function<void()>> all_;
};

// Destroys an object whose counts are zero: callbacks see its state, but the handle is invalid. Then releases
// its parents iteratively, since chains of images may be long.
template <class T>
void end(T* object) {
    while (object != nullptr) {
        if constexpr (requires { object->destructor_callbacks; })
            object->destructor_callbacks.call();
        T* next = nullptr;
        if constexpr (requires { object->parent.take_last(); }) {
            auto parent = std::move(object->parent);
            delete object;
            next = parent.take_last();
        } else {
            delete object;
        }
        object = next;
    }
}

// A reference that holds an object; may be empty.
template <class T>
class Ref {
public:
    Ref() = default;
    // Nothing, when the object is not alive.
    explicit Ref(T* object) : object_(object != nullptr && object->hold() ? object : nullptr) {}
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
    void reset() { end(take_last()); }
    // Releases the hold; returns the object if that was the last: the caller destroys it.
    [[nodiscard]] T* take_last() {
        T* const object = std::exchange(object_, nullptr);
        return object != nullptr && object->let_go() ? object : nullptr;
    }

private:
    T* object_ = nullptr;
};

template <class T>
[[nodiscard]] bool is_valid(const T* object) {
    return object != nullptr && object->kind() == T::own_kind && object->is_alive();
}

// Holds the object of an application's handle, or of a list: another thread may release it meanwhile.
// Nothing: the handle is invalid.
template <class T>
[[nodiscard]] Ref<T> hold_valid(T* handle) {
    return is_valid(handle) ? Ref(handle) : Ref<T>();
}
// For handles that the loader has not dereferenced: they may be uninitialized, so they are checked before
// they are read.
template <class T>
[[nodiscard]] Ref<T> hold_if_handle(T* handle) {
    return is_handle_memory(T::own_kind, handle) ? hold_valid(handle) : Ref<T>();
}
template <class T>
[[nodiscard]] std::vector<Ref<T>> hold_valid(cl_uint count, T* const* handles) {
    std::vector<Ref<T>> out;
    out.reserve(count);
    for (T* handle : std::span(handles, count))
        out.push_back(hold_if_handle(handle));
    return out;
}

// clRetain..., clRelease...
template <class T>
[[nodiscard]] cl_int retain(T* object, cl_int invalid) {
    return is_valid(object) && object->retain() ? CL_SUCCESS : invalid;
}
template <class T>
[[nodiscard]] cl_int release(T* object, cl_int invalid) {
    if (!is_valid(object))
        return invalid;
    switch (object->release()) {
    case Object::Released::none:
        return invalid;
    case Object::Released::last:
        end(object);
        break;
    case Object::Released::one:
        break;
    }
    return CL_SUCCESS;
}

} // namespace visor::opencl
