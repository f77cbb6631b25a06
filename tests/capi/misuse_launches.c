/* Launches with arguments, shapes and options that no kernel takes, and calls from where they would wait for
 * themselves.
 */
#include "misuse.h"

#include <math.h>

static visor_status with_argument(visor_argument argument) {
    return launch_one(argument, the_shape(), NULL);
}
static visor_status with_shape(visor_shape shape) {
    return launch_one(buffer_argument(), shape, NULL);
}
static visor_status with_options(visor_launch_options options) {
    return launch_one(buffer_argument(), the_shape(), &options);
}

void wrong_arguments(void* other_buffer) {
    visor_argument argument = buffer_argument();
    argument.kind = 6;
    refused(with_argument(argument), "a kind of argument past the last");
    argument.kind = -1;
    refused(with_argument(argument), "a negative kind");
    argument = buffer_argument();
    argument.target = 5;
    refused(with_argument(argument), "a target past the last");
    argument.target = -5;
    refused(with_argument(argument), "a negative target");
    argument.target = VISOR_TARGET_INDEX;
    argument.index = 99;
    refused(with_argument(argument), "a parameter that is not there");
    argument.index = UINT32_MAX;
    refused(with_argument(argument), "the largest index");
    argument = buffer_argument();
    argument.name = NULL;
    refused(with_argument(argument), "a name that is NULL");
    argument.name = "";
    refused(with_argument(argument), "an empty name");
    argument.name = "nobody";
    refused(with_argument(argument), "an unknown name");
    argument.name = "lanes";
    refused(with_argument(argument), "an input given twice");
    argument = buffer_argument();
    argument.target = VISOR_TARGET_BTI;
    argument.index = 240;
    refused(with_argument(argument), "a binding-table index of the hardware's own");
    argument.index = UINT32_MAX;
    refused(with_argument(argument), "the largest binding-table index");
    argument.index = 0;
    argument.kind = VISOR_ARGUMENT_BYTES;
    refused(with_argument(argument), "bytes as a surface");
    argument.target = VISOR_TARGET_SAMPLER_INDEX;
    argument.kind = VISOR_ARGUMENT_BUFFER;
    refused(with_argument(argument), "a buffer as a sampler");
    argument.index = 16;
    refused(with_argument(argument), "a sampler index past the last");
    argument = buffer_argument();
    argument.kind = VISOR_ARGUMENT_BYTES;
    argument.bytes = 8;
    refused(with_argument(argument), "bytes at NULL");
    argument.bytes = SIZE_MAX;
    argument.data = &argument;
    refused(with_argument(argument), "all memory as a value");
    argument.bytes = 4;
    refused(with_argument(argument), "bytes for a surface");
    argument.kind = VISOR_ARGUMENT_LOCAL;
    refused(with_argument(argument), "local memory for a hand-written kernel");
    argument.kind = VISOR_ARGUMENT_FILLER;
    refused(with_argument(argument), "a filler for a surface");
    argument.filler = 5;
    refused(with_argument(argument), "a filler past the last");
    argument.kind = VISOR_ARGUMENT_SAMPLER;
    argument.sampler = live[sampler_kind];
    refused(with_argument(argument), "a sampler for a surface");
    argument = buffer_argument();
    argument.buffer = other_buffer;
    refused(with_argument(argument), "a buffer of another context");
}

void wrong_launches(void) {
    const size_t all = sizeof(visor_shape);
    const visor_argument good = buffer_argument();
    visor_launch launch = NULL;
    visor_shape shape = the_shape();
    refused(visor_launch_run(live[kernel_kind], NULL, 2, &shape, NULL, NULL), "two arguments at NULL");
    refused(visor_launch_run(live[kernel_kind], &good, SIZE_MAX, &shape, NULL, NULL), "SIZE_MAX arguments");
    refused(visor_launch_run(live[kernel_kind], NULL, 0, &shape, NULL, NULL), "no arguments");
    refused(visor_launch_run(live[kernel_kind], &good, 1, NULL, NULL, NULL), "no shape");
    refused(visor_launch_start(live[kernel_kind], &good, 1, &shape, NULL, NULL), "no place for a launch");
    refused(visor_launch_start(live[kernel_kind], &good, 1, NULL, NULL, &launch), "no shape to start");
    refused(visor_launch_start(live[kernel_kind], NULL, 3, &shape, NULL, &launch), "NULL to start with");
    refused(with_shape((visor_shape){.size = 0}), "a shape without a size");
    refused(with_shape((visor_shape){.size = all, .dimensions = 4}), "four dimensions");
    refused(with_shape((visor_shape){.size = all, .dimensions = UINT32_MAX}), "all dimensions");
    refused(with_shape((visor_shape){.size = all, .dimensions = 1, .global = {UINT64_MAX}, .local = {8}}),
            "the largest size");
    refused(with_shape(
                (visor_shape){.size = all, .dimensions = 3, .global = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}),
            "a product past 64 bits");
    refused(with_shape((visor_shape){.size = all, .dimensions = 1, .global = {64}, .local = {UINT32_MAX}}),
            "the largest group");
    refused(with_shape((visor_shape){.size = all, .dimensions = 1, .global = {63}, .local = {8}}),
            "a part of a group");
    refused(with_shape((visor_shape){.size = all, .dimensions = 1, .global = {8}, .hw_threads = 2}),
            "a size given twice");
    refused(with_shape((visor_shape){.size = all, .hw_threads = UINT32_MAX}), "all hardware threads");
    refused(with_shape((visor_shape){.size = all, .groups = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}),
            "all groups");
    refused(with_shape((visor_shape){.size = all, .simd = 7}), "seven lanes");
    refused(with_shape((visor_shape){.size = all, .slm_bytes = UINT32_MAX}), "all local memory");
    const size_t options = sizeof(visor_launch_options);
    refused(with_options((visor_launch_options){.size = 2}), "launch options with a wrong size");
    refused(with_options((visor_launch_options){.size = options, .checks = 128}), "an unknown checker");
    refused(with_options((visor_launch_options){.size = options, .register_count = 1}), "a register at NULL");
    refused(with_options((visor_launch_options){.size = options, .register_count = SIZE_MAX}),
            "SIZE_MAX registers");
    const visor_register_request unnamed = {.group = 0};
    refused(with_options((visor_launch_options){.size = options, .registers = &unnamed, .register_count = 1}),
            "no name");
    const visor_register_request unknown = {.name = "V99"};
    refused(with_options((visor_launch_options){.size = options, .registers = &unknown, .register_count = 1}),
            "an unknown register");
    refused(with_options((visor_launch_options){.size = options, .suppressions = "rule"}),
            "half a suppression");
    const visor_watch sizeless = {.size = 0};
    refused(with_options((visor_launch_options){.size = options, .watch = &sizeless}),
            "a watch without a size");
    const visor_settings settings = {.size = sizeof settings, .engine = 9};
    refused(with_options((visor_launch_options){.size = options, .settings = &settings}),
            "an unknown engine");
    refused(visor_launch_wait(live[launch_kind], NAN), "waiting for no time");
    refused(visor_launch_report(live[launch_kind], NULL), "no place for a report");
    refused(visor_launch_output(live[launch_kind], NULL, NULL), "no place for the output");
    refused(visor_launch_fault(live[launch_kind], NULL), "no place for a fault");
    visor_counters counters = {.size = sizeof counters};
    refused(visor_launch_counters(live[launch_kind], &counters), "what was not counted");
    visor_finding finding = {.size = sizeof finding};
    refused(visor_launch_finding(live[launch_kind], 0, &finding), "a finding past the last");
    refused(visor_launch_sarif(live[launch_kind], NULL), "no place for SARIF");
    visor_register found = {.size = sizeof found};
    refused(visor_launch_register(live[launch_kind], 0, &found), "a register past the last");
}
/* ---- calls from where they would wait for themselves ---- */

static visor_status in_callback[6];
static int misuse_in_callback(void* user, const visor_instruction_event* event) {
    (void)user;
    (void)event;
    const visor_argument arguments[2] = {the_argument(), buffer_argument()};
    const visor_shape shape = the_shape();
    char byte = 0;
    void* memory = NULL;
    visor_launch launch = NULL;
    in_callback[0] = visor_buffer_read(live[buffer_kind], 0, 1, &byte);
    in_callback[1] = visor_buffer_map(live[buffer_kind], &memory);
    in_callback[2] = visor_launch_run(live[kernel_kind], arguments, 2, &shape, NULL, NULL);
    in_callback[3] = visor_launch_start(live[kernel_kind], arguments, 2, &shape, NULL, &launch);
    in_callback[4] = context_memory(live[context_kind]);
    in_callback[5] = buffer_create(live[context_kind]);
    return 0;
}

void wrong_thread(void) {
    const visor_watch watch = {.size = sizeof watch, .instruction = misuse_in_callback};
    const visor_launch_options options = {.size = sizeof options, .watch = &watch};
    expect_good(launch_one(buffer_argument(), the_shape(), &options), "the launch with callbacks");
    for (int i = 0; i < 6; ++i)
        expect_refused(in_callback[i], VISOR_ERROR_BUSY, "a call", "a callback around it");
}
