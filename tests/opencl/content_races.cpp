// Sequences of calls that are drawn have commands of several queues touch the same bytes at the same time, as
// no application may. The thread sanitizer is to look at everything but those bytes.
extern "C" const char*
__tsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier): its name for it
    return "race:visor::opencl::copy_bytes\n"
           "race:visor::opencl::fill_bytes\n"
           "race:visor::opencl::copy_box\n"
           "race:visor::opencl::place\n"
           "race:visor::opencl::enqueue_copy_buffer\n"
           "race:visor::opencl::enqueue_fill_image\n"
           "race:visor::interp::\n"
           "race:visor::machine::\n";
}
