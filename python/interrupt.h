// Ctrl-C while the main thread is in a launch: Python itself would hear of it only when the launch is over.
#pragma once

#include <visor/visor.h>

#include <csignal>

namespace visor::python {

// Hears of Ctrl-C before Python's own handler does, for as long as it lives. A launch that `launch_began` is
// told of is stopped then.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    Interrupts(Interrupts&&) = delete;
    Interrupts& operator=(Interrupts&&) = delete;

    static void launch_began(void* user, visor_launch launch);

private:
    bool installed_ = false;
};

} // namespace visor::python
