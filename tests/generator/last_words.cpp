#include "last_words.h"

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>

#include <unistd.h>

// The sanitizers' own, where they are linked in: they end a program without a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace visor::generator {

namespace {

// A signal handler reaches nothing else.
std::string_view property_name;
volatile uint64_t current_seed = 0;

void put(std::string_view text) {
    static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

void speak() {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), current_seed).ptr;
    put("died: property ");
    put(property_name);
    put(" --count 1 --seed ");
    put({digits.data(), static_cast<size_t>(end - digits.data())});
    put("\n");
}

void on_signal(int signal) {
    if (signal == SIGALRM)
        put("this input takes too long\n");
    speak();
    std::signal(signal, SIG_DFL);
    std::raise(signal == SIGALRM ? SIGKILL : signal);
}

} // namespace

void speak_when_dying(std::string_view property) {
    property_name = property;
    std::signal(SIGALRM, on_signal);
    if (&__sanitizer_set_death_callback != nullptr)
        return __sanitizer_set_death_callback(speak);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        std::signal(signal, on_signal);
}

void begin(uint64_t seed, unsigned seconds) {
    current_seed = seed;
    alarm(seconds);
}

} // namespace visor::generator
