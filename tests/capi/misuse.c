/* Every way to hold the C API wrong that we know: each is told with a status and words, and nothing crashes
 * or leaks. The handles of every call are given NULL, numbers that were never handles, a released handle and
 * a live one of every other kind; the other misuses stand in a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <visor/visor.h>

enum {
    context_kind,
    program_kind,
    kernel_kind,
    buffer_kind,
    image_kind,
    sampler_kind,
    launch_kind,
    bytes_kind,
    diagnostics_kind,
    kind_count
};
static const char* const kind_names[kind_count] = {"context", "program", "kernel", "buffer",     "image",
                                                   "sampler", "launch",  "bytes",  "diagnostics"};
static void* live[kind_count];
static void* released[kind_count];
static int cases;
static int wrong;

static const char text[] = ".version 4.1\n"
                           ".kernel \"store\"\n"
                           ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
                           ".decl offsets v_type=G type=ud num_elts=8 align=GRF\n"
                           ".decl out v_type=T num_elts=1\n"
                           ".input lanes offset=32 size=32\n"
                           ".kernel_attr SimdSize=8\n"
                           "    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\n"
                           "    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0\n"
                           "    ret (M1, 1)\n";

static void expect_refused(visor_status status, visor_status wanted, const char* what, const char* how) {
    ++cases;
    if (status == wanted && visor_message()[0] != '\0')
        return;
    ++wrong;
    fprintf(stderr, "%s with %s: %s (%s)\n", what, how, visor_status_name(status), visor_message());
}

/* ---- calls that take a handle ---- */

static visor_argument the_argument(void) {
    const visor_argument argument = {.kind = VISOR_ARGUMENT_FILLER,
                                     .target = VISOR_TARGET_NAME,
                                     .name = "lanes",
                                     .filler = VISOR_FILLER_LANE};
    return argument;
}
static visor_shape the_shape(void) {
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    return shape;
}

static visor_status context_memory(void* handle) {
    visor_memory_info info = {.size = sizeof info};
    return visor_context_memory(handle, &info);
}
static visor_status program_create(void* handle) {
    visor_program program = NULL;
    return visor_program_create(handle, "k.visaasm", text, sizeof text - 1, NULL, &program, NULL);
}
static visor_status buffer_create(void* handle) {
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

/* One live handle of each kind. */
static int make_all(void** out) {
    const visor_argument argument = the_argument();
    visor_argument arguments[2] = {
        argument, {.kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "out"}};
    const visor_shape shape = the_shape();
    const visor_image_options image = {
        .size = sizeof image, .format = "rgba8", .shape = VISOR_IMAGE_2D, .width = 4, .height = 4};
    const visor_sampler_options sampler = {.size = sizeof sampler};
    visor_context context = NULL;
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    visor_buffer buffer = NULL;
    visor_image made_image = NULL;
    visor_sampler made_sampler = NULL;
    visor_launch launch = NULL;
    visor_bytes page = NULL;
    visor_diagnostics diagnostics = NULL;
    int good = visor_context_create(NULL, &context) == VISOR_OK;
    good = good && visor_program_create(context, "k.visaasm", text, sizeof text - 1, NULL, &program,
                                        &diagnostics) == VISOR_OK;
    good = good && visor_kernel_create(program, "store", &kernel) == VISOR_OK;
    good = good && visor_buffer_create(context, 32, NULL, &buffer) == VISOR_OK;
    good = good && visor_image_create(context, &image, NULL, &made_image) == VISOR_OK;
    good = good && visor_sampler_create(context, &sampler, &made_sampler) == VISOR_OK;
    arguments[1].buffer = buffer;
    good = good && visor_launch_run(kernel, arguments, 2, &shape, NULL, &launch) == VISOR_OK;
    good = good && visor_isa_page("add", &page) == VISOR_OK;
    out[context_kind] = context;
    out[program_kind] = program;
    out[kernel_kind] = kernel;
    out[buffer_kind] = buffer;
    out[image_kind] = made_image;
    out[sampler_kind] = made_sampler;
    out[launch_kind] = launch;
    out[bytes_kind] = page;
    out[diagnostics_kind] = diagnostics;
    return good;
}

static void release_all(void** of) {
    for (size_t i = 0; i < sizeof with_handle / sizeof with_handle[0]; ++i)
        if (strstr(with_handle[i].name, "_release") != NULL)
            with_handle[i].call(of[with_handle[i].kind]);
}

static void wrong_handles(void) {
    static const uintptr_t never[] = {
        1, 42, 0x1234, 0xdeadbeef, UINTPTR_MAX, UINTPTR_MAX >> 1, (uintptr_t)1 << 32};
    for (size_t i = 0; i < sizeof with_handle / sizeof with_handle[0]; ++i) {
        expect_refused(with_handle[i].call(NULL), VISOR_ERROR_HANDLE, with_handle[i].name, "NULL");
        for (size_t k = 0; k < sizeof never / sizeof never[0]; ++k)
            expect_refused(with_handle[i].call((void*)never[k]), VISOR_ERROR_HANDLE, with_handle[i].name,
                           "a number");
        expect_refused(with_handle[i].call(&cases), VISOR_ERROR_HANDLE, with_handle[i].name, "a pointer");
        expect_refused(with_handle[i].call(released[with_handle[i].kind]), VISOR_ERROR_HANDLE,
                       with_handle[i].name, "a released handle");
        for (int kind = 0; kind < kind_count; ++kind)
            if (kind != with_handle[i].kind)
                expect_refused(with_handle[i].call(live[kind]), VISOR_ERROR_HANDLE, with_handle[i].name,
                               kind_names[kind]);
    }
}

/* ---- other arguments ---- */

static void refused(visor_status status, const char* what) {
    ++cases;
    if (status != VISOR_OK && status != VISOR_ERROR_INTERNAL && visor_message()[0] != '\0')
        return;
    ++wrong;
    fprintf(stderr, "%s: %s (%s)\n", what, visor_status_name(status), visor_message());
}

static visor_status with_settings(visor_settings settings) {
    const visor_context_options options = {.size = sizeof options, .settings = &settings};
    visor_context context = NULL;
    return visor_context_create(&options, &context);
}

static void wrong_options(void) {
    visor_context context = NULL;
    visor_context_options options = {.size = sizeof options};
    refused(visor_context_create(&options, NULL), "no place for a context");
    options.size = 0;
    refused(visor_context_create(&options, &context), "options without a size");
    options.size = 7;
    refused(visor_context_create(&options, &context), "options smaller than their size");
    options.size = SIZE_MAX;
    refused(visor_context_create(&options, &context), "options as large as memory");
    options.size = 1U << 20U;
    refused(visor_context_create(&options, &context), "options of a mebibyte");
    options.size = sizeof options;
    options.device = "";
    refused(visor_context_create(&options, &context), "a device without a name");
    options.device = "skll";
    refused(visor_context_create(&options, &context), "an unknown device");
    struct {
        visor_context_options known;
        uint64_t unknown;
    } larger = {.known = {.size = sizeof larger}, .unknown = 1};
    refused(visor_context_create(&larger.known, &context), "a member of a later version");
    refused(with_settings((visor_settings){.size = 0}), "settings without a size");
    refused(with_settings((visor_settings){.size = sizeof(visor_settings), .engine = 3}),
            "an engine past the last");
    refused(with_settings((visor_settings){.size = sizeof(visor_settings), .engine = -1}),
            "a negative engine");
    refused(with_settings((visor_settings){.size = sizeof(visor_settings), .threads = 1025}),
            "too many threads");
    refused(with_settings((visor_settings){.size = sizeof(visor_settings), .timeout = -1}),
            "a negative time");
    refused(with_settings((visor_settings){.size = sizeof(visor_settings), .timeout = NAN}),
            "no time at all");
    refused(visor_library(NULL), "no place for the library's facts");
    visor_library_info library = {.size = 1};
    refused(visor_library(&library), "a size that holds no size");
    visor_device_info device = {.size = sizeof device};
    refused(visor_device(1000, &device), "a device past the last");
    refused(visor_device(0, NULL), "no place for a device");
}

static visor_status load(const char* name, const void* content, size_t bytes) {
    visor_program program = NULL;
    visor_diagnostics diagnostics = NULL;
    const visor_status status =
        visor_program_create(live[context_kind], name, content, bytes, NULL, &program, &diagnostics);
    if (diagnostics != NULL)
        visor_diagnostics_release(diagnostics);
    return status;
}

static visor_status load_with(visor_program_options options) {
    visor_program program = NULL;
    return visor_program_create(live[context_kind], "k.visaasm", text, sizeof text - 1, &options, &program,
                                NULL);
}

static void wrong_programs(void) {
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    const char* name = NULL;
    refused(visor_program_create(live[context_kind], "k", text, 5, NULL, NULL, NULL),
            "no place for a program");
    refused(load(NULL, text, sizeof text - 1), "a program without a name");
    refused(load("k.visaasm", NULL, 100), "100 bytes at NULL");
    refused(load("k.visaasm", text, SIZE_MAX), "more bytes than memory");
    refused(load("k.visaasm", NULL, 0), "an empty program");
    refused(load("k.visaasm", "", 0), "another empty program");
    refused(load("k.visaasm", ".version 4.1\n.kernel \"k\"\nnonsense\n", 35), "nonsense");
    refused(load("k.zebin", "\177ELF", 4), "half an ELF header");
    refused(load("k.isa", "CISA", 4), "half a binary's header");
    refused(load("k.bin", "\0\1\2\3\4\5\6\7", 8), "what nobody knows");
    refused(load_with((visor_program_options){.size = 3}), "program options with a wrong size");
    refused(
        load_with((visor_program_options){.size = sizeof(visor_program_options), .include_folder_count = 1}),
        "one include folder at NULL");
    refused(load_with((visor_program_options){.size = sizeof(visor_program_options), .text_count = 2}),
            "two texts at NULL");
    const visor_kernel_text nameless = {.text = text, .bytes = 3};
    refused(load_with((visor_program_options){
                .size = sizeof(visor_program_options), .texts = &nameless, .text_count = 1}),
            "a text for no kernel");
    const visor_kernel_text textless = {.kernel = "store", .bytes = 3};
    refused(load_with((visor_program_options){
                .size = sizeof(visor_program_options), .texts = &textless, .text_count = 1}),
            "a text at NULL");
    const visor_kernel_text replaced = {.kernel = "store", .text = text, .bytes = sizeof text - 1};
    refused(load_with((visor_program_options){
                .size = sizeof(visor_program_options), .texts = &replaced, .text_count = 1}),
            "a text for hand-written vISA");
    refused(load_with((visor_program_options){.size = sizeof(visor_program_options), .time_limit = NAN}),
            "a time limit that is no number");
    refused(visor_program_kernel_count(live[program_kind], NULL), "no place for a count");
    refused(visor_program_kernel_name(live[program_kind], 1, &name), "a kernel past the last");
    refused(visor_program_kernel_name(live[program_kind], 0, NULL), "no place for a name");
    refused(visor_kernel_create(live[program_kind], "stor", &kernel), "an unknown kernel");
    refused(visor_kernel_create(live[program_kind], NULL, NULL), "no place for a kernel");
    refused(visor_kernel_facts(live[kernel_kind], NULL), "no place for facts");
    visor_kernel_info info = {.size = SIZE_MAX};
    refused(visor_kernel_facts(live[kernel_kind], &info), "facts as large as memory");
    visor_parameter_info parameter = {.size = sizeof parameter};
    refused(visor_kernel_parameter(live[kernel_kind], 99, &parameter), "a parameter past the last");
    refused(visor_kernel_not_executed(live[kernel_kind], NULL), "no place for lines");
    (void)program;
}

static visor_status image_of(visor_image_options options) {
    visor_image image = NULL;
    return visor_image_create(live[context_kind], &options, NULL, &image);
}

static visor_status sampler_of(visor_sampler_options options) {
    visor_sampler sampler = NULL;
    return visor_sampler_create(live[context_kind], &options, &sampler);
}

static void wrong_memory(void) {
    visor_buffer buffer = NULL;
    char bytes[64];
    const size_t all = sizeof(visor_image_options);
    refused(visor_buffer_create(live[context_kind], 0, NULL, &buffer), "a buffer of nothing");
    refused(visor_buffer_create(live[context_kind], SIZE_MAX, NULL, &buffer), "a buffer of all memory");
    refused(visor_buffer_create(live[context_kind], SIZE_MAX - 4095, NULL, &buffer),
            "a buffer of nearly all");
    refused(visor_buffer_create(live[context_kind], SIZE_MAX / 2, NULL, &buffer), "a buffer of half of it");
    refused(visor_buffer_create(live[context_kind], 16, NULL, NULL), "no place for a buffer");
    refused(visor_buffer_size(live[buffer_kind], NULL), "no place for a size");
    refused(visor_buffer_read(live[buffer_kind], 0, 33, bytes), "a byte past the end");
    refused(visor_buffer_read(live[buffer_kind], 33, 0, bytes), "nothing from past the end");
    refused(visor_buffer_read(live[buffer_kind], SIZE_MAX, 2, bytes), "an offset that wraps around");
    refused(visor_buffer_read(live[buffer_kind], 1, SIZE_MAX, bytes), "a length that wraps around");
    refused(visor_buffer_read(live[buffer_kind], 0, 4, NULL), "reading into NULL");
    refused(visor_buffer_write(live[buffer_kind], 0, 33, bytes), "writing past the end");
    refused(visor_buffer_write(live[buffer_kind], SIZE_MAX - 1, 4, bytes), "writing around the end");
    refused(visor_buffer_write(live[buffer_kind], 4, SIZE_MAX - 2, bytes), "writing all memory");
    refused(visor_buffer_write(live[buffer_kind], 0, 4, NULL), "writing from NULL");
    refused(visor_buffer_map(live[buffer_kind], NULL), "no place for a mapping");
    refused(visor_buffer_address(live[buffer_kind], NULL), "no place for an address");
    visor_image image = NULL;
    refused(visor_image_create(live[context_kind], NULL, NULL, &image), "an image without options");
    refused(image_of((visor_image_options){.size = all, .width = 4}), "an image without a format");
    refused(image_of((visor_image_options){.size = all, .format = "rgba9", .width = 4}), "an unknown format");
    refused(image_of((visor_image_options){.size = all, .format = "r8", .shape = 6, .width = 4}),
            "a shape past the last");
    refused(image_of((visor_image_options){.size = all, .format = "r8", .shape = -1, .width = 4}),
            "a negative shape");
    refused(image_of((visor_image_options){.size = all, .format = "r8", .shape = VISOR_IMAGE_2D}),
            "no width");
    refused(image_of((visor_image_options){.size = all, .format = "r8", .width = 4, .height = 4}),
            "a line with a height");
    refused(image_of((visor_image_options){
                .size = all, .format = "r8", .shape = VISOR_IMAGE_2D, .width = 4, .depth = 2}),
            "a plane with a depth");
    refused(image_of((visor_image_options){
                .size = all, .format = "r8", .shape = VISOR_IMAGE_2D, .width = 4, .layers = 2}),
            "layers of no array");
    refused(image_of((visor_image_options){.size = all,
                                           .format = "rgba32f",
                                           .shape = VISOR_IMAGE_3D,
                                           .width = UINT32_MAX,
                                           .height = UINT32_MAX,
                                           .depth = UINT32_MAX}),
            "an image larger than 64 bits");
    refused(visor_image_size(live[image_kind], NULL), "no place for an image's size");
    refused(visor_image_read(live[image_kind], 63, bytes), "an image less a byte");
    refused(visor_image_read(live[image_kind], 64, NULL), "an image into NULL");
    refused(visor_image_write(live[image_kind], SIZE_MAX, bytes), "an image of all memory");
    refused(visor_image_write(live[image_kind], 64, NULL), "an image from NULL");
    refused(sampler_of((visor_sampler_options){.size = 0}), "a sampler without a size");
    refused(sampler_of((visor_sampler_options){.size = sizeof(visor_sampler_options), .address = 5}),
            "an address mode");
    refused(sampler_of((visor_sampler_options){.size = sizeof(visor_sampler_options), .filter = 2}),
            "a filter");
    refused(sampler_of((visor_sampler_options){.size = sizeof(visor_sampler_options), .comparison = 8}),
            "a comparison");
    visor_sampler sampler = NULL;
    refused(visor_sampler_create(live[context_kind], NULL, &sampler), "a sampler without options");
}

/* ---- launches ---- */

static visor_status launch_one(visor_argument argument, visor_shape shape,
                               const visor_launch_options* options) {
    const visor_argument arguments[2] = {the_argument(), argument};
    visor_launch launch = NULL;
    const visor_status status = visor_launch_run(live[kernel_kind], arguments, 2, &shape, options, &launch);
    if (launch != NULL)
        visor_launch_release(launch);
    return status;
}

static visor_argument buffer_argument(void) {
    const visor_argument argument = {.kind = VISOR_ARGUMENT_BUFFER,
                                     .target = VISOR_TARGET_NAME,
                                     .name = "out",
                                     .buffer = live[buffer_kind]};
    return argument;
}
static visor_status with_argument(visor_argument argument) {
    return launch_one(argument, the_shape(), NULL);
}
static visor_status with_shape(visor_shape shape) {
    return launch_one(buffer_argument(), shape, NULL);
}
static visor_status with_options(visor_launch_options options) {
    return launch_one(buffer_argument(), the_shape(), &options);
}

static void wrong_arguments(void* other_buffer) {
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

static void wrong_launches(void) {
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

static void wrong_code(void) {
    visor_diagnostics diagnostics = NULL;
    visor_bytes bytes = NULL;
    visor_code_options options = {.size = sizeof options, .device = "gen99"};
    refused(visor_check("k", text, 9, NULL, NULL), "no place for diagnostics");
    refused(visor_check(NULL, text, 9, NULL, &diagnostics), "checking without a name");
    refused(visor_check("k.visaasm", NULL, 9, NULL, &diagnostics), "checking NULL");
    refused(visor_check("k.visaasm", text, SIZE_MAX, NULL, &diagnostics), "checking all memory");
    refused(visor_check("k.visaasm", text, 9, &options, &diagnostics), "checking for an unknown device");
    options.device = NULL;
    options.profile = 3;
    refused(visor_check("k.visaasm", text, 9, &options, &diagnostics), "a profile past the last");
    options.profile = 0;
    options.size = 5;
    refused(visor_check("k.visaasm", text, 9, &options, &diagnostics), "code options with a wrong size");
    refused(visor_check("k.what", "what", 4, NULL, &diagnostics), "checking what nobody knows");
    refused(visor_assemble("k.visaasm", text, sizeof text - 1, NULL, NULL, NULL), "no place for a binary");
    refused(visor_assemble(NULL, text, 9, NULL, &bytes, NULL), "assembling without a name");
    refused(visor_assemble("k.visaasm", NULL, 9, NULL, &bytes, NULL), "assembling NULL");
    refused(visor_assemble("k.isa", "CISA\4\1", 6, NULL, &bytes, NULL), "assembling a binary");
    refused(visor_assemble("k.visaasm", ".version 4.1\nwhat", 17, NULL, &bytes, NULL), "assembling nonsense");
    refused(visor_disassemble("k.isa", "CISA\4\1", 6, NULL, &bytes, NULL), "disassembling half a binary");
    refused(visor_disassemble("k.isa", NULL, 6, NULL, &bytes, NULL), "disassembling NULL");
    refused(visor_disassemble("k.isa", text, 6, NULL, NULL, NULL), "no place for text");
    refused(visor_compile("k.cl", "kernel", 6, 7, NULL, &bytes, NULL), "emitting something else");
    refused(visor_compile("k.visaasm", text, 9, VISOR_EMIT_ZEBIN, NULL, &bytes, NULL), "compiling vISA");
    refused(visor_compile("k.cl", NULL, 9, VISOR_EMIT_ZEBIN, NULL, &bytes, NULL), "compiling NULL");
    refused(visor_compile("k.cl", "kernel", 6, VISOR_EMIT_ZEBIN, NULL, NULL, NULL), "no place for a zebin");
    visor_code_options any = {.size = sizeof any, .device = "any"};
    refused(visor_compile("k.cl", "kernel", 6, VISOR_EMIT_ZEBIN, &any, &bytes, NULL),
            "compiling for any device");
    any.include_folder_count = 2;
    any.device = "skl";
    refused(visor_compile("k.cl", "kernel", 6, VISOR_EMIT_ZEBIN, &any, &bytes, NULL), "folders at NULL");
    visor_diagnostic diagnostic = {.size = sizeof diagnostic};
    refused(visor_diagnostics_get(live[diagnostics_kind], 0, &diagnostic), "a message past the last");
    refused(visor_diagnostics_note(live[diagnostics_kind], 0, 0, &diagnostic), "a note past the last");
    refused(visor_diagnostics_count(live[diagnostics_kind], NULL), "no place for a count");
    refused(visor_diagnostics_text(live[diagnostics_kind], NULL), "no place for words");
    const void* data = NULL;
    size_t count = 0;
    refused(visor_bytes_get(live[bytes_kind], NULL, &count), "no place for data");
    refused(visor_bytes_get(live[bytes_kind], &data, NULL), "no place for its size");
    refused(visor_isa_count(NULL), "no place for a number");
    visor_isa_entry entry = {.size = sizeof entry};
    refused(visor_isa_get(100000, &entry), "an instruction past the last");
    refused(visor_isa_get(0, NULL), "no place for an instruction");
    refused(visor_isa_page("no_such_thing", &bytes), "an unknown instruction");
    refused(visor_isa_page(NULL, &bytes), "a page of nothing");
    refused(visor_isa_page("add", NULL), "no place for a page");
    refused(visor_isa_json(VISOR_ISA_COVERAGE, "add", &bytes), "coverage of one instruction");
    refused(visor_isa_json(4, NULL, &bytes), "an unknown table");
    refused(visor_isa_json(VISOR_ISA_REFERENCE, "nothing.at.all", &bytes), "JSON of nothing");
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

static void wrong_thread(void) {
    const visor_watch watch = {.size = sizeof watch, .instruction = misuse_in_callback};
    const visor_launch_options options = {.size = sizeof options, .watch = &watch};
    if (launch_one(buffer_argument(), the_shape(), &options) != VISOR_OK) {
        ++wrong;
        fprintf(stderr, "the launch with callbacks: %s\n", visor_message());
    }
    for (int i = 0; i < 6; ++i)
        expect_refused(in_callback[i], VISOR_ERROR_BUSY, "a call", "a callback around it");
}

int main(void) {
    void* other[kind_count];
    if (!make_all(live) || !make_all(released) || !make_all(other)) {
        fprintf(stderr, "no handles to misuse: %s\n", visor_message());
        return 1;
    }
    release_all(released);
    wrong_handles();
    wrong_options();
    wrong_programs();
    wrong_memory();
    wrong_arguments(other[buffer_kind]);
    wrong_launches();
    wrong_code();
    wrong_thread();
    /* All that is still good. */
    if (launch_one(buffer_argument(), the_shape(), NULL) != VISOR_OK) {
        ++wrong;
        fprintf(stderr, "a good launch after all of it: %s\n", visor_message());
    }
    release_all(other);
    release_all(live);
    printf("%d misuses, %d not refused as they should be\n", cases, wrong);
    return wrong == 0 && cases >= 200 ? 0 : 1;
}
