// Sequences of calls that are drawn have commands of several queues touch the same bytes at the same time, as
// no application may. The thread sanitizer is to look at everything but those bytes: they are moved in one
// file of the platform, and in the engine.
extern "C" const char*
__tsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier): its name for it
    return "race:/opencl/memory/content.h\n"
           "race:visor::interp::\n"
           "race:/src/interp/\n"
           "race:visor::machine::\n"
           "race:/src/machine/\n";
}
