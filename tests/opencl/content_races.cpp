// Sequences of calls that are drawn have commands of several queues touch the same bytes at the same time, as
// no application may. The thread sanitizer is to look at everything but those bytes.
//
// A function that is inlined has no namespace in a stack where the debugging information gives its short
// name.
extern "C" const char*
__tsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier): its name for it
    return "race:visor::opencl::copy_bytes\n"
           "race:^copy_bytes\n"
           "race:visor::opencl::fill_bytes\n"
           "race:^fill_bytes\n"
           "race:visor::opencl::fill_repeating\n"
           "race:^fill_repeating\n"
           "race:visor::opencl::copy_box\n"
           "race:^copy_box\n"
           "race:visor::opencl::place_content\n"
           "race:^place_content\n"
           "race:visor::opencl::enqueue_copy_buffer\n"
           "race:^enqueue_copy_buffer\n"
           "race:visor::opencl::enqueue_fill_image\n"
           "race:^enqueue_fill_image\n"
           "race:visor::interp::\n"
           "race:/src/interp/\n"
           "race:visor::machine::\n"
           "race:/src/machine/\n";
}
