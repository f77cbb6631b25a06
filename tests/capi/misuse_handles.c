/* Calls with handles that are none: NULL, numbers, pointers, released handles and those of another kind. */
#include "misuse.h"

#include <string.h>

visor_status context_memory(void* handle) {
    visor_memory_info info = {.size = sizeof info};
    return visor_context_memory(handle, &info);
}
static visor_status program_create(void* handle) {
    visor_program program = NULL;
    return visor_program_create(handle, "k.visaasm", store_text, store_bytes, NULL, &program, NULL);
}
visor_status buffer_create(void* handle) {
    visor_buffer buffer = NULL;
    return visor_buffer_create(handle, 16, NULL, &buffer);
}
static visor_status image_create(void* handle) {
    const visor_image_options options = {
        .size = sizeof options, .format = "rgba8", .shape = VISOR_IMAGE_2D, .width = 4, .height = 4};
    visor_image image = NULL;
    return visor_image_create(handle, &options, NULL, &image);
}
static visor_status sampler_create(void* handle) {
    const visor_sampler_options options = {.size = sizeof options};
    visor_sampler sampler = NULL;
    return visor_sampler_create(handle, &options, &sampler);
}
static visor_status kernel_count(void* handle) {
    uint32_t count = 0;
    return visor_program_kernel_count(handle, &count);
}
static visor_status kernel_name(void* handle) {
    const char* name = NULL;
    return visor_program_kernel_name(handle, 0, &name);
}
static visor_status kernel_create(void* handle) {
    visor_kernel kernel = NULL;
    return visor_kernel_create(handle, NULL, &kernel);
}
static visor_status kernel_facts(void* handle) {
    visor_kernel_info info = {.size = sizeof info};
    return visor_kernel_facts(handle, &info);
}
static visor_status kernel_parameter(void* handle) {
    visor_parameter_info info = {.size = sizeof info};
    return visor_kernel_parameter(handle, 0, &info);
}
static visor_status kernel_not_executed(void* handle) {
    visor_bytes lines = NULL;
    return visor_kernel_not_executed(handle, &lines);
}
static visor_status launch_run(void* handle) {
    const visor_argument argument = the_argument();
    const visor_shape shape = the_shape();
    return visor_launch_run(handle, &argument, 1, &shape, NULL, NULL);
}
static visor_status launch_start(void* handle) {
    const visor_argument argument = the_argument();
    const visor_shape shape = the_shape();
    visor_launch launch = NULL;
    return visor_launch_start(handle, &argument, 1, &shape, NULL, &launch);
}
/* A handle among the arguments of a launch. */
static visor_status launch_with(int32_t kind, void* handle) {
    const visor_argument arguments[2] = {the_argument(),
                                         {.kind = kind,
                                          .target = VISOR_TARGET_NAME,
                                          .name = "out",
                                          .buffer = kind == VISOR_ARGUMENT_BUFFER ? handle : NULL,
                                          .image = kind == VISOR_ARGUMENT_IMAGE ? handle : NULL,
                                          .sampler = kind == VISOR_ARGUMENT_SAMPLER ? handle : NULL}};
    const visor_shape shape = the_shape();
    return visor_launch_run(live[kernel_kind], arguments, 2, &shape, NULL, NULL);
}
static visor_status launch_with_buffer(void* handle) {
    /* A NULL buffer is a null pointer: that misuse is a released one's, too. */
    return launch_with(VISOR_ARGUMENT_BUFFER, handle == NULL ? released[buffer_kind] : handle);
}
static visor_status launch_with_image(void* handle) {
    return launch_with(VISOR_ARGUMENT_IMAGE, handle);
}
static visor_status launch_with_sampler(void* handle) {
    return launch_with(VISOR_ARGUMENT_SAMPLER, handle);
}
static visor_status buffer_size(void* handle) {
    size_t bytes = 0;
    return visor_buffer_size(handle, &bytes);
}
static visor_status buffer_read(void* handle) {
    char into[4];
    return visor_buffer_read(handle, 0, sizeof into, into);
}
static visor_status buffer_write(void* handle) {
    return visor_buffer_write(handle, 0, 4, "abc");
}
static visor_status buffer_map(void* handle) {
    void* memory = NULL;
    return visor_buffer_map(handle, &memory);
}
static visor_status buffer_address(void* handle) {
    uint64_t address = 0;
    return visor_buffer_address(handle, &address);
}
static visor_status image_size(void* handle) {
    size_t bytes = 0;
    return visor_image_size(handle, &bytes);
}
static visor_status image_read(void* handle) {
    char into[64];
    return visor_image_read(handle, sizeof into, into);
}
static visor_status image_write(void* handle) {
    const char from[64] = {0};
    return visor_image_write(handle, sizeof from, from);
}
static visor_status launch_wait(void* handle) {
    return visor_launch_wait(handle, 0);
}
static visor_status launch_stop(void* handle) {
    return visor_launch_stop(handle);
}
static visor_status launch_report(void* handle) {
    visor_report report = {.size = sizeof report};
    return visor_launch_report(handle, &report);
}
static visor_status launch_output(void* handle) {
    const char* out = NULL;
    return visor_launch_output(handle, &out, NULL);
}
static visor_status launch_fault(void* handle) {
    visor_fault fault = {.size = sizeof fault};
    return visor_launch_fault(handle, &fault);
}
static visor_status launch_counters(void* handle) {
    visor_counters counters = {.size = sizeof counters};
    return visor_launch_counters(handle, &counters);
}
static visor_status launch_finding(void* handle) {
    visor_finding finding = {.size = sizeof finding};
    return visor_launch_finding(handle, 0, &finding);
}
static visor_status launch_sarif(void* handle) {
    visor_bytes sarif = NULL;
    return visor_launch_sarif(handle, &sarif);
}
static visor_status launch_register(void* handle) {
    visor_register found = {.size = sizeof found};
    return visor_launch_register(handle, 0, &found);
}
static visor_status bytes_get(void* handle) {
    const void* data = NULL;
    size_t count = 0;
    return visor_bytes_get(handle, &data, &count);
}
static visor_status diagnostics_count(void* handle) {
    uint32_t count = 0;
    return visor_diagnostics_count(handle, &count);
}
static visor_status diagnostics_get(void* handle) {
    visor_diagnostic diagnostic = {.size = sizeof diagnostic};
    return visor_diagnostics_get(handle, 0, &diagnostic);
}
static visor_status diagnostics_note(void* handle) {
    visor_diagnostic diagnostic = {.size = sizeof diagnostic};
    return visor_diagnostics_note(handle, 0, 0, &diagnostic);
}
static visor_status diagnostics_text(void* handle) {
    const char* all = NULL;
    return visor_diagnostics_text(handle, &all);
}
static visor_status release_context(void* handle) {
    return visor_context_release(handle);
}
static visor_status release_program(void* handle) {
    return visor_program_release(handle);
}
static visor_status release_kernel(void* handle) {
    return visor_kernel_release(handle);
}
static visor_status release_buffer(void* handle) {
    return visor_buffer_release(handle);
}
static visor_status release_image(void* handle) {
    return visor_image_release(handle);
}
static visor_status release_sampler(void* handle) {
    return visor_sampler_release(handle);
}
static visor_status release_launch(void* handle) {
    return visor_launch_release(handle);
}
static visor_status release_bytes(void* handle) {
    return visor_bytes_release(handle);
}
static visor_status release_diagnostics(void* handle) {
    return visor_diagnostics_release(handle);
}

static const struct {
    const char* name;
    int kind;
    visor_status (*call)(void* handle);
} with_handle[] = {
    {"visor_context_memory", context_kind, context_memory},
    {"visor_context_release", context_kind, release_context},
    {"visor_program_create", context_kind, program_create},
    {"visor_buffer_create", context_kind, buffer_create},
    {"visor_image_create", context_kind, image_create},
    {"visor_sampler_create", context_kind, sampler_create},
    {"visor_program_kernel_count", program_kind, kernel_count},
    {"visor_program_kernel_name", program_kind, kernel_name},
    {"visor_program_release", program_kind, release_program},
    {"visor_kernel_create", program_kind, kernel_create},
    {"visor_kernel_facts", kernel_kind, kernel_facts},
    {"visor_kernel_parameter", kernel_kind, kernel_parameter},
    {"visor_kernel_not_executed", kernel_kind, kernel_not_executed},
    {"visor_kernel_release", kernel_kind, release_kernel},
    {"visor_launch_run", kernel_kind, launch_run},
    {"visor_launch_start", kernel_kind, launch_start},
    {"a buffer argument", buffer_kind, launch_with_buffer},
    {"an image argument", image_kind, launch_with_image},
    {"a sampler argument", sampler_kind, launch_with_sampler},
    {"visor_buffer_size", buffer_kind, buffer_size},
    {"visor_buffer_read", buffer_kind, buffer_read},
    {"visor_buffer_write", buffer_kind, buffer_write},
    {"visor_buffer_map", buffer_kind, buffer_map},
    {"visor_buffer_address", buffer_kind, buffer_address},
    {"visor_buffer_release", buffer_kind, release_buffer},
    {"visor_image_size", image_kind, image_size},
    {"visor_image_read", image_kind, image_read},
    {"visor_image_write", image_kind, image_write},
    {"visor_image_release", image_kind, release_image},
    {"visor_sampler_release", sampler_kind, release_sampler},
    {"visor_launch_wait", launch_kind, launch_wait},
    {"visor_launch_stop", launch_kind, launch_stop},
    {"visor_launch_report", launch_kind, launch_report},
    {"visor_launch_output", launch_kind, launch_output},
    {"visor_launch_fault", launch_kind, launch_fault},
    {"visor_launch_counters", launch_kind, launch_counters},
    {"visor_launch_finding", launch_kind, launch_finding},
    {"visor_launch_sarif", launch_kind, launch_sarif},
    {"visor_launch_register", launch_kind, launch_register},
    {"visor_launch_release", launch_kind, release_launch},
    {"visor_bytes_get", bytes_kind, bytes_get},
    {"visor_bytes_release", bytes_kind, release_bytes},
    {"visor_diagnostics_count", diagnostics_kind, diagnostics_count},
    {"visor_diagnostics_get", diagnostics_kind, diagnostics_get},
    {"visor_diagnostics_note", diagnostics_kind, diagnostics_note},
    {"visor_diagnostics_text", diagnostics_kind, diagnostics_text},
    {"visor_diagnostics_release", diagnostics_kind, release_diagnostics},
};
void release_all(void** of) {
    for (size_t i = 0; i < sizeof with_handle / sizeof with_handle[0]; ++i)
        if (strstr(with_handle[i].name, "_release") != NULL)
            with_handle[i].call(of[with_handle[i].kind]);
}

void wrong_handles(void) {
    int here = 0;
    static const uintptr_t never[] = {
        1, 42, 0x1234, 0xdeadbeef, UINTPTR_MAX, UINTPTR_MAX >> 1, (uintptr_t)1 << 32};
    for (size_t i = 0; i < sizeof with_handle / sizeof with_handle[0]; ++i) {
        expect_refused(with_handle[i].call(NULL), VISOR_ERROR_HANDLE, with_handle[i].name, "NULL");
        for (size_t k = 0; k < sizeof never / sizeof never[0]; ++k)
            expect_refused(with_handle[i].call((void*)never[k]), VISOR_ERROR_HANDLE, with_handle[i].name,
                           "a number");
        expect_refused(with_handle[i].call(&here), VISOR_ERROR_HANDLE, with_handle[i].name, "a pointer");
        expect_refused(with_handle[i].call(released[with_handle[i].kind]), VISOR_ERROR_HANDLE,
                       with_handle[i].name, "a released handle");
        for (int kind = 0; kind < kind_count; ++kind)
            if (kind != with_handle[i].kind)
                expect_refused(with_handle[i].call(live[kind]), VISOR_ERROR_HANDLE, with_handle[i].name,
                               kind_names[kind]);
    }
}
