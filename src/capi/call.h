// The frame of every C API call: it returns a status only, and stores the error message per thread. Inside of
// a call a failure is thrown as a Refusal, and caught at the call's end.
#pragma once

#include "capi/handle.h"
#include "visor/visor.h"
#include "vm/vm.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace visor::capi {

struct Refusal {
    visor_status status = VISOR_ERROR_INTERNAL;
    std::string text;
};
[[noreturn]] void refuse(visor_status status, std::string text);
// Converts the facade's error.
[[noreturn]] void refuse(const vm::Error& error);
[[nodiscard]] visor_status status_of(vm::ErrorKind kind);

// Stores this thread's last error message. Never throws: without memory, stores a shorter one.
visor_status fail(visor_status status, std::string_view text) noexcept;
// Of the exception that is being handled.
visor_status fail_with_current() noexcept;
[[nodiscard]] const char* last_message() noexcept;

// Runs the body of a call; it returns nothing, or a status of its own.
template <class Body>
visor_status call(Body&& body) noexcept {
    try {
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            return VISOR_OK;
        } else {
            return body();
        }
    } catch (...) {
        return fail_with_current();
    }
}

// ---- arguments ----

template <class T>
T& needed(T* pointer, const char* what) {
    if (pointer == nullptr)
        refuse(VISOR_ERROR_ARGUMENT, std::string(what) + " is NULL");
    return *pointer;
}
// An out-argument, cleared first: a failed call leaves no stale handle.
template <class T>
T& result(T* pointer, const char* what) {
    return needed(pointer, what) = T{};
}
[[nodiscard]] inline std::string_view text_of(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}
// `count` bytes at `data`, which may be NULL when `count` is 0. Rejects more than half of the address space.
[[nodiscard]] std::string_view content_of(const void* data, size_t count, const char* what);

void check_size(size_t given, const char* what);
// A struct of the caller's header version: members missing there are zero; members unknown to this library
// have to be zero.
template <class T>
T read_struct(const T* from, const char* what) {
    T out{};
    if (from == nullptr)
        return out;
    size_t given = 0;
    std::memcpy(&given, from, sizeof given);
    check_size(given, what);
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    for (size_t i = sizeof(T); i < given; ++i)
        if (bytes[i] != std::byte{0})
            refuse(VISOR_ERROR_UNSUPPORTED,
                   std::string(what) + " asks for something that this version of Visor does not know");
    std::memcpy(&out, bytes, given < sizeof(T) ? given : sizeof(T));
    return out;
}
// Fills the caller's struct up to its size.
template <class T>
void write_struct(T* to, T value, const char* what) {
    needed(to, what);
    size_t given = 0;
    std::memcpy(&given, to, sizeof given);
    check_size(given, what);
    auto* bytes = reinterpret_cast<std::byte*>(to);
    if (given > sizeof(T))
        std::memset(bytes + sizeof(T), 0, given - sizeof(T));
    value.size = given;
    std::memcpy(bytes, &value, given < sizeof(T) ? given : sizeof(T));
}
// An enumeration's number.
[[nodiscard]] int32_t number_in(int32_t number, int32_t last, const char* what);

// ---- handles ----

template <class Handle>
uint64_t number_of(Handle handle) {
    return std::bit_cast<uintptr_t>(handle);
}
[[noreturn]] void refuse_handle(Kind kind, uint64_t handle);

template <class Object, class Handle>
std::shared_ptr<Object> find(Handle handle) {
    auto found = handles().find(Object::kind, number_of(handle));
    if (found == nullptr)
        refuse_handle(Object::kind, number_of(handle));
    return std::static_pointer_cast<Object>(std::move(found));
}
template <class Object, class Handle>
void give(Handle* out, std::shared_ptr<Object> object) {
    *out = std::bit_cast<Handle>(static_cast<uintptr_t>(handles().add(Object::kind, std::move(object))));
}
// Releasing the result runs the object's destructor, outside of the handle table's lock.
template <class Object, class Handle>
std::shared_ptr<Object> take(Handle handle) {
    auto found = handles().remove(Object::kind, number_of(handle));
    if (found == nullptr)
        refuse_handle(Object::kind, number_of(handle));
    return std::static_pointer_cast<Object>(std::move(found));
}

} // namespace visor::capi
