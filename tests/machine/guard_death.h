// That an access dies in a guard, and not otherwise.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::machine {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true; // its handler of the signal ends the process
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

inline bool died_by_access(int status) {
    if (sanitized && WIFEXITED(status))
        return WEXITSTATUS(status) != 0;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

inline std::byte read_byte(const std::byte* address) {
    return *static_cast<const volatile std::byte*>(address);
}
inline void write_byte(std::byte* address) {
    *static_cast<volatile std::byte*>(address) = std::byte{1};
}

// Neither the first byte behind a block nor the one a page in front of it can be touched.
inline void expect_guarded(std::byte* first, std::byte* end) {
    std::byte* const page_before = first - sysconf(_SC_PAGESIZE);
    EXPECT_EXIT(read_byte(end), died_by_access, "");
    EXPECT_EXIT(write_byte(end), died_by_access, "");
    EXPECT_EXIT(read_byte(page_before), died_by_access, "");
    EXPECT_EXIT(write_byte(page_before), died_by_access, "");
}

} // namespace visor::machine
