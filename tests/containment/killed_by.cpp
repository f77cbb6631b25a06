#include "killed_by.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace visor::containment {

namespace {

constexpr std::string_view begin = "killed by: ";
std::array<char, 512> text{}; // what a signal's handler prints

void say_and_end(int /*signal*/) {
    end_killed(2, "\n");
}

} // namespace

void end_killed(int exit_code, std::string_view more) {
    bool written = write(STDERR_FILENO, text.data(), std::strlen(text.data())) >= 0;
    written = write(STDERR_FILENO, more.data(), more.size()) >= 0 && written;
    _exit(written ? exit_code : 3);
}

void tell_when_killed() {
    std::signal(SIGSEGV, say_and_end);
    std::signal(SIGBUS, say_and_end);
    std::signal(SIGABRT, say_and_end);
}

void now_doing(std::string_view what) {
    const size_t bytes = std::min(what.size(), text.size() - begin.size() - 1);
    char* end = std::ranges::copy(begin, text.begin()).out;
    end = std::copy_n(what.begin(), bytes, end);
    *end = '\0';
}

} // namespace visor::containment
