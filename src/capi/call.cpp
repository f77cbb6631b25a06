#include "capi/call.h"

#include <cstdint>
#include <exception>
#include <new>

namespace visor::capi {

namespace {

// A thread's last error message, and a static one for lack of memory.
struct LastMessage {
    std::string text;
    const char* short_of_memory = nullptr;
};
// Destructors of static objects run after thread_local ones: messages set there leak.
LastMessage& last() {
    thread_local bool gone = false;
    thread_local LastMessage* late = nullptr;
    struct Own {
        LastMessage message;
        ~Own() { gone = true; }
    };
    if (gone) {
        if (late == nullptr)
            late = new LastMessage;
        return *late;
    }
    thread_local Own own;
    return own.message;
}

constexpr size_t largest_struct = 65536; // a larger `size` is uninitialized

} // namespace

void refuse(visor_status status, std::string text) {
    throw Refusal{status, std::move(text)};
}

visor_status status_of(vm::ErrorKind kind) {
    switch (kind) {
    case vm::ErrorKind::invalid:
        return VISOR_ERROR_INPUT;
    case vm::ErrorKind::unsupported:
        return VISOR_ERROR_UNSUPPORTED;
    case vm::ErrorKind::compiler:
        return VISOR_ERROR_COMPILER;
    case vm::ErrorKind::time:
        return VISOR_ERROR_LIMIT;
    case vm::ErrorKind::fault:
        return VISOR_ERROR_FAULT;
    case vm::ErrorKind::internal:
        break;
    }
    return VISOR_ERROR_INTERNAL;
}

void refuse(const vm::Error& error) {
    refuse(status_of(error.kind), error.text);
}

visor_status fail(visor_status status, std::string_view text) noexcept {
    try {
        last().text = text;
        last().short_of_memory = nullptr;
    } catch (const std::bad_alloc&) {
        last().short_of_memory = "out of memory, also for saying why";
    }
    return status;
}

visor_status fail_with_current() noexcept {
    try {
        throw;
    } catch (const Refusal& refusal) {
        return fail(refusal.status, refusal.text);
    } catch (const std::bad_alloc&) {
        return fail(VISOR_ERROR_MEMORY, "out of memory");
    } catch (const std::exception& error) {
        return fail(VISOR_ERROR_INTERNAL, error.what());
    } catch (...) {
        return fail(VISOR_ERROR_INTERNAL, "internal error");
    }
}

const char* last_message() noexcept {
    return last().short_of_memory != nullptr ? last().short_of_memory : last().text.c_str();
}

std::string_view content_of(const void* data, size_t count, const char* what) {
    if (data == nullptr && count != 0)
        refuse(VISOR_ERROR_ARGUMENT, std::string(what) + " is NULL");
    if (count > PTRDIFF_MAX)
        refuse(VISOR_ERROR_ARGUMENT, std::string(what) + " is larger than memory");
    return count == 0 ? std::string_view() : std::string_view(static_cast<const char*>(data), count);
}

void check_size(size_t given, const char* what) {
    if (given < sizeof(size_t) || given > largest_struct)
        refuse(VISOR_ERROR_ARGUMENT, std::string(what) + ": its member `size` is not the size of the struct");
}

int32_t number_in(int32_t number, int32_t last, const char* what) {
    if (number < 0 || number > last)
        refuse(VISOR_ERROR_ARGUMENT,
               std::string(what) + " is " + std::to_string(number) + ", not 0 to " + std::to_string(last));
    return number;
}

void refuse_handle(Kind kind, uint64_t handle) {
    const std::string wanted = name_of(kind);
    if (handle == 0)
        refuse(VISOR_ERROR_HANDLE, "the " + wanted + " is NULL");
    const Kind is = handles().kind_of(handle);
    if (is != Kind::none)
        refuse(VISOR_ERROR_HANDLE, "this is no " + wanted + " but a handle of kind " + name_of(is));
    refuse(VISOR_ERROR_HANDLE, "this is no " + wanted + ", or one that was released");
}

} // namespace visor::capi
