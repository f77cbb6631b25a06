/* The C API as a program uses it, from the library's facts to the findings of a launch. Expected numbers are
 * worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <visor/visor.h>

static int failures;

static void expect(int good, const char* what) {
    if (good)
        return;
    ++failures;
    fprintf(stderr, "FAILED: %s (last message: %s)\n", what, visor_message());
}

/* out[lane] = lane + first; the loop runs `turns` times before it. */
static const char counting[] = ".version 4.1\n"
                               ".kernel \"counting\"\n"
                               ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
                               ".decl offsets v_type=G type=ud num_elts=8 align=GRF\n"
                               ".decl first v_type=G type=ud num_elts=1 align=dword\n"
                               ".decl turns v_type=G type=ud num_elts=1 align=dword\n"
                               ".decl P1 v_type=P num_elts=1\n"
                               ".decl out v_type=T num_elts=1\n"
                               ".input lanes offset=32 size=32\n"
                               ".input first offset=64 size=4\n"
                               ".input turns offset=68 size=4\n"
                               ".kernel_attr SimdSize=8\n"
                               "again:\n"
                               "    add (M1_NM, 1) turns(0,0)<1> turns(0,0)<0;1,0> 0xffffffff:ud\n"
                               "    cmp.ne (M1_NM, 1) P1 turns(0,0)<0;1,0> 0x0:ud\n"
                               "    (P1) jmp (M1_NM, 1) again\n"
                               "    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\n"
                               "    add (M1, 8) lanes(0,0)<1> lanes(0,0)<1;1,0> first(0,0)<0;1,0>\n"
                               "    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0\n"
                               "    ret (M1, 1)\n";

static visor_context context;
static visor_kernel kernel;
static visor_buffer out;
static const uint32_t first = 100;

static void set_arguments(visor_argument* arguments, const uint32_t* turns) {
    const visor_argument all[4] = {
        {.kind = VISOR_ARGUMENT_FILLER, .filler = VISOR_FILLER_LANE},
        {.kind = VISOR_ARGUMENT_BYTES, .data = &first, .bytes = 4},
        {.kind = VISOR_ARGUMENT_BYTES,
         .target = VISOR_TARGET_NAME,
         .name = "turns",
         .data = turns,
         .bytes = 4},
        {.kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "out", .buffer = out}};
    memcpy(arguments, all, sizeof all);
}
static const visor_shape one_thread = {.size = sizeof one_thread, .hw_threads = 1};

static visor_status run(uint32_t turns, const visor_launch_options* options, visor_launch* launch) {
    visor_argument arguments[4];
    set_arguments(arguments, &turns);
    return visor_launch_run(kernel, arguments, 4, &one_thread, options, launch);
}

static void about_the_library(void) {
    visor_library_info info = {.size = sizeof info};
    visor_device_info device = {.size = sizeof device};
    expect(visor_library(&info) == VISOR_OK && strcmp(info.version, visor_version()) == 0,
           "the library's facts");
    expect(visor_device(0, &device) == VISOR_OK && strcmp(device.name, "skl") == 0 && device.grf_bytes == 32,
           "the first device");
    /* An older program's struct: what it has room for is filled, what lies behind is left alone. */
    struct {
        visor_device_info device;
        char behind;
    } older;
    memset(&older, 'x', sizeof older);
    older.device.size = offsetof(visor_device_info, description);
    expect(visor_device(0, &older.device) == VISOR_OK && strcmp(older.device.name, "skl") == 0,
           "an older struct");
    expect(memcmp(&older.device.description, "xxxxxxxx", 8) == 0, "memory behind an older struct");
    expect(strcmp(visor_status_name(VISOR_ERROR_FAULT), "fault") == 0 &&
               strcmp(visor_status_name((visor_status)99), "unknown") == 0,
           "names of statuses");
    uint32_t count = 0;
    visor_isa_entry entry = {.size = sizeof entry};
    visor_bytes page = NULL;
    const void* text = NULL;
    size_t bytes = 0;
    expect(visor_isa_count(&count) == VISOR_OK && count > 200, "the number of instructions");
    expect(visor_isa_get(count - 1, &entry) == VISOR_OK && entry.name[0] != '\0', "the last instruction");
    expect(visor_isa_page("scatter_scaled.4", &page) == VISOR_OK, "a page");
    expect(visor_bytes_get(page, &text, &bytes) == VISOR_OK && strlen(text) == bytes &&
               strstr(text, "scatter_scaled") != NULL,
           "the text of a page");
    visor_bytes_release(page);
    expect(visor_isa_json(VISOR_ISA_COVERAGE, NULL, &page) == VISOR_OK, "the coverage table");
    visor_bytes_get(page, &text, &bytes);
    expect(((const char*)text)[0] == '{', "JSON");
    visor_bytes_release(page);
}

static void about_code(void) {
    static const char broken[] =
        ".version 4.1\n.kernel \"k\"\n.kernel_attr SimdSize=8\n    mov (M1, 8) V99(0,0)<1> 0x1:ud\n";
    visor_diagnostics diagnostics = NULL;
    visor_diagnostic found = {.size = sizeof found};
    const char* text = NULL;
    uint32_t count = 0;
    expect(visor_check("broken.visaasm", broken, sizeof broken - 1, NULL, &diagnostics) == VISOR_OK,
           "a check");
    expect(visor_diagnostics_count(diagnostics, &count) == VISOR_OK && count >= 1, "what was found");
    expect(visor_diagnostics_get(diagnostics, 0, &found) == VISOR_OK && found.severity == VISOR_ERROR &&
               found.line == 4 && strcmp(found.file, "broken.visaasm") == 0 &&
               strstr(found.message, "V99") != NULL,
           "the message");
    expect(visor_diagnostics_text(diagnostics, &text) == VISOR_OK &&
               strstr(text, "broken.visaasm:4:") != NULL,
           "the message with its line");
    visor_diagnostics_release(diagnostics);
    const visor_code_options snippet = {.size = sizeof snippet, .snippet = 1};
    static const char fragment[] = "    mov (M1, 8) V99(0,0)<1> 0x1:ud\n";
    expect(visor_check("part", fragment, sizeof fragment - 1, &snippet, &diagnostics) == VISOR_OK &&
               visor_diagnostics_get(diagnostics, 0, &found) == VISOR_OK && found.line == 1,
           "a snippet's own line");
    visor_diagnostics_release(diagnostics);
    visor_bytes binary = NULL;
    visor_bytes printed = NULL;
    visor_bytes again = NULL;
    const void* a = NULL;
    const void* b = NULL;
    size_t a_bytes = 0;
    size_t b_bytes = 0;
    expect(visor_assemble("c.visaasm", counting, sizeof counting - 1, NULL, &binary, &diagnostics) ==
               VISOR_OK,
           "assemble");
    expect(visor_diagnostics_count(diagnostics, &count) == VISOR_OK, "an assembler's messages");
    visor_diagnostics_release(diagnostics);
    visor_bytes_get(binary, &a, &a_bytes);
    expect(a_bytes > 4 && memcmp(a, "CISA", 4) == 0, "a binary's first bytes");
    expect(visor_disassemble("c.isa", a, a_bytes, NULL, &printed, NULL) == VISOR_OK, "disassemble");
    visor_bytes_get(printed, &b, &b_bytes);
    expect(visor_assemble("c.visaasm", b, b_bytes, NULL, &again, NULL) == VISOR_OK, "assemble again");
    visor_bytes_get(again, &b, &b_bytes);
    expect(a_bytes == b_bytes && memcmp(a, b, a_bytes) == 0, "the same bytes");
    int32_t equal = 0;
    expect(visor_diff("c.visaasm", counting, sizeof counting - 1, "c.isa", a, a_bytes, NULL, NULL, 0, &equal,
                      NULL) == VISOR_OK &&
               equal == 1,
           "a text and its binary compared");
    visor_bytes differences = NULL;
    static const char other[] = ".version 4.1\n.kernel \"other\"\n    ret (M1, 1)\n";
    expect(visor_diff("c.isa", a, a_bytes, "other.visaasm", other, sizeof other - 1, NULL, "", 1, &equal,
                      &differences) == VISOR_OK &&
               equal == 0,
           "two kernels compared");
    visor_bytes_get(differences, &b, &b_bytes);
    expect(b_bytes > 0 && strstr(b, "\"only_second\"") != NULL, "what is in the second alone");
    visor_bytes_release(differences);
    const visor_code_options runs = {.size = sizeof runs, .runs = 3};
    expect(visor_diff("c.visaasm", counting, sizeof counting - 1, "c.isa", a, a_bytes, &runs, NULL, 0, &equal,
                      &differences) == VISOR_OK &&
               equal == 1,
           "a text and its binary run");
    visor_bytes_get(differences, &b, &b_bytes);
    expect(b_bytes > 0 && strstr(b, "\"runs\": 3") != NULL, "how often they ran");
    visor_bytes_release(differences);
    visor_bytes_release(again);
    visor_bytes_release(printed);
    visor_bytes_release(binary);
}

static void make_kernel(void) {
    visor_context_options options = {.size = sizeof options, .device = "skl", .memory_limit = 1 << 20};
    visor_program program = NULL;
    visor_diagnostics diagnostics = NULL;
    uint32_t count = 99;
    const char* name = NULL;
    expect(visor_context_create(&options, &context) == VISOR_OK, "a context");
    expect(visor_program_create(context, "counting.visaasm", counting, sizeof counting - 1, NULL, &program,
                                &diagnostics) == VISOR_OK,
           "a program");
    expect(visor_diagnostics_count(diagnostics, &count) == VISOR_OK && count == 0, "no messages");
    visor_diagnostics_release(diagnostics);
    expect(visor_program_kernel_count(program, &count) == VISOR_OK && count == 1, "one kernel");
    expect(visor_program_kernel_name(program, 0, &name) == VISOR_OK && strcmp(name, "counting") == 0,
           "its name");
    expect(visor_kernel_create(program, NULL, &kernel) == VISOR_OK, "the only kernel");
    visor_program_release(program); /* the kernel keeps it */
    visor_kernel_info info = {.size = sizeof info};
    visor_parameter_info parameter = {.size = sizeof parameter};
    expect(visor_kernel_facts(kernel, &info) == VISOR_OK && info.hand_written && info.simd == 8 &&
               info.parameter_count == 4 && strcmp(info.name, "counting") == 0,
           "a kernel's facts");
    expect(visor_kernel_parameter(kernel, 1, &parameter) == VISOR_OK &&
               strcmp(parameter.name, "first") == 0 && parameter.kind == VISOR_PARAMETER_VARIABLE &&
               parameter.bytes == 4,
           "a parameter's facts");
    visor_bytes lines = NULL;
    const void* data = NULL;
    size_t bytes = 99;
    expect(visor_kernel_not_executed(kernel, &lines) == VISOR_OK &&
               visor_bytes_get(lines, &data, &bytes) == VISOR_OK && bytes == 0,
           "everything is executed");
    visor_bytes_release(lines);
}

static void memory(void) {
    const uint32_t content[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t got[8] = {0};
    void* mapped = NULL;
    uint64_t address = 0;
    size_t bytes = 0;
    expect(visor_buffer_create(context, sizeof content, content, &out) == VISOR_OK, "a buffer");
    expect(visor_buffer_size(out, &bytes) == VISOR_OK && bytes == 32, "its size");
    expect(visor_buffer_read(out, 4, 8, got) == VISOR_OK && got[0] == 2 && got[1] == 3 && got[2] == 0,
           "a part of it");
    expect(visor_buffer_write(out, 28, 4, content) == VISOR_OK, "a write");
    expect(visor_buffer_map(out, &mapped) == VISOR_OK && ((uint32_t*)mapped)[7] == 1, "the memory itself");
    expect(visor_buffer_address(out, &address) == VISOR_OK && address != 0, "its address");
    visor_buffer large = NULL;
    expect(visor_buffer_create(context, 1 << 20, NULL, &large) == VISOR_ERROR_MEMORY, "the context's limit");
    for (int i = 0; i < 64; ++i) { /* what is released can be had again */
        expect(visor_buffer_create(context, 1 << 19, NULL, &large) == VISOR_OK, "half of the limit");
        expect(visor_buffer_release(large) == VISOR_OK, "given back");
    }
    visor_memory_info info = {.size = sizeof info};
    expect(visor_context_memory(context, &info) == VISOR_OK && info.allocations == 1 && info.bytes == 32,
           "what is left");
    const visor_image_options image_options = {
        .size = sizeof image_options, .format = "rgba8", .shape = VISOR_IMAGE_2D, .width = 2, .height = 2};
    const unsigned char pixels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    unsigned char read[16] = {0};
    visor_image image = NULL;
    expect(visor_image_create(context, &image_options, pixels, &image) == VISOR_OK, "an image");
    expect(visor_image_size(image, &bytes) == VISOR_OK && bytes == 16, "its size");
    expect(visor_image_read(image, 16, read) == VISOR_OK && memcmp(read, pixels, 16) == 0, "its pixels");
    expect(visor_image_write(image, 16, read) == VISOR_OK, "new pixels");
    visor_image_release(image);
}

static void results(void) {
    const visor_register_request wanted = {.name = "first"};
    const visor_launch_options options = {.size = sizeof options,
                                          .checks = VISOR_CHECK_ALL,
                                          .count = 1,
                                          .registers = &wanted,
                                          .register_count = 1};
    visor_launch launch = NULL;
    visor_report report = {.size = sizeof report};
    visor_counters counters = {.size = sizeof counters};
    visor_register found = {.size = sizeof found};
    visor_fault fault = {.size = sizeof fault};
    uint32_t got[8] = {0};
    expect(run(3, &options, &launch) == VISOR_OK, "a launch");
    expect(visor_buffer_read(out, 0, sizeof got, got) == VISOR_OK && got[0] == 100 && got[7] == 107,
           "its results");
    /* Three turns of three instructions, then four. */
    expect(visor_launch_report(launch, &report) == VISOR_OK && report.instructions == 13 &&
               report.work_groups == 1 && report.hardware_threads == 1 && report.finding_count == 0 &&
               report.status == VISOR_OK && strcmp(report.message, "") == 0 &&
               strcmp(report.fidelity, "exact") == 0,
           "its report");
    expect(visor_launch_counters(launch, &counters) == VISOR_OK && counters.instructions == 13 &&
               counters.writes == 1 && counters.bytes_written == 32 && counters.reads == 0,
           "its counters");
    expect(visor_launch_register(launch, 0, &found) == VISOR_OK && found.found &&
               strcmp(found.elements, "100") == 0 && strcmp(found.type, "ud") == 0 && found.bytes == 4,
           "a register");
    expect(visor_launch_fault(launch, &fault) == VISOR_OK && strcmp(fault.kind, "none") == 0, "no fault");
    visor_launch_release(launch);
}

static void limits_and_faults(void) {
    const visor_settings little = {.size = sizeof little, .fuel = 100, .engine = VISOR_ENGINE_INTERPRETER};
    const visor_launch_options options = {.size = sizeof options, .settings = &little};
    visor_launch launch = NULL;
    visor_fault fault = {.size = sizeof fault};
    visor_report report = {.size = sizeof report};
    expect(run(1000, &options, &launch) == VISOR_ERROR_LIMIT, "out of fuel");
    expect(strstr(visor_message(), "counting") != NULL, "the words for it");
    expect(visor_launch_fault(launch, &fault) == VISOR_OK && strcmp(fault.kind, "fuel") == 0, "the fault");
    expect(visor_launch_report(launch, &report) == VISOR_OK && report.status == VISOR_ERROR_LIMIT,
           "its status");
    visor_launch_release(launch);
    const visor_settings short_time = {.size = sizeof short_time, .fuel = UINT64_MAX, .timeout = 0.05};
    const visor_launch_options in_time = {.size = sizeof in_time, .settings = &short_time};
    expect(run(0, &in_time, &launch) == VISOR_ERROR_LIMIT, "out of time");
    visor_launch_release(launch);
    /* A surface that is four bytes short: the last lane's write is dropped, and found. */
    visor_buffer small = NULL;
    visor_argument arguments[4];
    const uint32_t turns = 1;
    expect(visor_buffer_create(context, 28, NULL, &small) == VISOR_OK, "a small buffer");
    set_arguments(arguments, &turns);
    arguments[3].buffer = small;
    const visor_launch_options checked = {.size = sizeof checked, .checks = VISOR_CHECK_MEMORY};
    visor_finding finding = {.size = sizeof finding};
    visor_bytes sarif = NULL;
    expect(visor_launch_run(kernel, arguments, 4, &one_thread, &checked, &launch) == VISOR_OK,
           "a launch with a finding");
    expect(visor_launch_report(launch, &report) == VISOR_OK && report.finding_count == 1, "one finding");
    expect(visor_launch_finding(launch, 0, &finding) == VISOR_OK && strcmp(finding.checker, "memory") == 0 &&
               finding.severity == VISOR_ERROR && finding.party.lane == 7 && finding.party.line == 19,
           "what it says");
    expect(visor_launch_sarif(launch, &sarif) == VISOR_OK, "SARIF");
    visor_bytes_release(sarif);
    visor_launch_release(launch);
    const visor_launch_options lived_with = {
        .size = sizeof lived_with, .checks = VISOR_CHECK_MEMORY, .suppressions = "* counting we know\n"};
    expect(visor_launch_run(kernel, arguments, 4, &one_thread, &lived_with, &launch) == VISOR_OK,
           "suppressions");
    expect(visor_launch_report(launch, &report) == VISOR_OK && report.finding_count == 0 &&
               report.suppressed_count == 1,
           "a finding that was left out");
    visor_launch_release(launch);
    visor_buffer_release(small);
}

static void started(void) {
    const visor_settings endless = {.size = sizeof endless, .fuel = UINT64_MAX};
    const visor_launch_options options = {.size = sizeof options, .settings = &endless};
    visor_argument arguments[4];
    visor_launch launch = NULL;
    visor_launch next = NULL;
    visor_report report = {.size = sizeof report};
    uint32_t got = 0;
    const uint32_t turns = 0; /* wraps around: four thousand million turns */
    const uint32_t few = 1;
    set_arguments(arguments, &turns);
    expect(visor_launch_start(kernel, arguments, 4, &one_thread, &options, &launch) == VISOR_OK, "a start");
    expect(visor_launch_wait(launch, 0.01) == VISOR_NOT_READY, "not yet");
    expect(visor_launch_report(launch, &report) == VISOR_ERROR_BUSY, "no report yet");
    set_arguments(arguments, &few);
    expect(visor_launch_start(kernel, arguments, 4, &one_thread, NULL, &next) == VISOR_OK, "another start");
    expect(visor_launch_stop(launch) == VISOR_OK, "a stop");
    expect(visor_launch_wait(launch, -1) == VISOR_ERROR_STOPPED, "stopped");
    const uint32_t zero = 0;
    expect(visor_launch_wait(next, 60) == VISOR_OK, "the next one ran");
    expect(visor_buffer_write(out, 0, 4, &zero) == VISOR_OK, "a write behind it");
    expect(visor_buffer_read(out, 0, 4, &got) == VISOR_OK && got == 0, "in order");
    visor_launch_release(next);
    visor_launch_release(launch);
    /* A read waits for the launch before it; the launch's handle and its buffers may be gone by then. */
    expect(visor_launch_start(kernel, arguments, 4, &one_thread, NULL, &launch) == VISOR_OK, "a third start");
    visor_launch_release(launch);
    expect(visor_buffer_read(out, 0, 4, &got) == VISOR_OK && got == 100, "its result");
}

static int instructions;
static int lines;
static int on_instruction(void* user, const visor_instruction_event* event) {
    expect(user == &instructions && event->thread == 0 && event->mnemonic[0] != '\0', "an event");
    ++instructions;
    return 0;
}
static int stores;
static int on_memory(void* user, const visor_memory_event* event) {
    (void)user;
    ++stores;
    expect(event->access == VISOR_ACCESS_WRITE && event->space == VISOR_SPACE_SURFACE &&
               event->lanes == 0xff && event->addresses[3] == 12 && event->bytes == 4,
           "a store");
    return 0;
}
static int on_trace(void* user, const char* text, size_t bytes) {
    (void)user;
    for (size_t i = 0; i < bytes; ++i)
        lines += text[i] == '\n';
    return 0;
}
static int stop_at_once(void* user, const visor_instruction_event* event) {
    (void)user;
    (void)event;
    return 1;
}

static void watched(void) {
    visor_watch watch = {.size = sizeof watch,
                         .user = &instructions,
                         .instruction = on_instruction,
                         .memory = on_memory,
                         .trace = on_trace};
    visor_launch_options options = {.size = sizeof options, .watch = &watch};
    expect(run(1, &options, NULL) == VISOR_OK, "a watched launch");
    expect(instructions == 7 && stores == 1 && lines == 7, "what was heard of it");
    watch.instruction = stop_at_once;
    watch.memory = NULL;
    watch.trace = NULL;
    expect(run(0, &options, NULL) == VISOR_ERROR_STOPPED, "a listener that stops the launch");
}

static char printed[64];
static void on_printf(void* user, const char* text, size_t bytes) {
    (void)user;
    memcpy(printed, text, bytes < sizeof printed - 1 ? bytes : sizeof printed - 1);
}
static char warned[2048];
static void on_message(void* user, visor_severity severity, const char* text) {
    (void)user;
    expect(severity == VISOR_WARNING, "a warning");
    strncpy(warned, text, sizeof warned - 1);
}

static void compiled(void) {
    visor_library_info info = {.size = sizeof info};
    visor_library(&info);
    if (info.compiler[0] == '\0') {
        printf("no OpenCL compiler here: what needs one was left out\n");
        return;
    }
    static const char source[] = "#warning mind this\n"
                                 "kernel void k(global int* out, local int* tmp, int4 v) {\n"
                                 "    tmp[0] = v.z;\n"
                                 "    out[get_global_id(0)] = tmp[0] + get_global_id(0);\n"
                                 "    if (get_global_id(0) == 0) printf(\"sum %d\\n\", v.x + v.y);\n"
                                 "}\n";
    visor_context own = NULL;
    visor_program program = NULL;
    visor_kernel compiled_kernel = NULL;
    visor_buffer buffer = NULL;
    visor_launch launch = NULL;
    const char* output = NULL;
    size_t bytes = 0;
    const int32_t vector[4] = {1, 2, 3, 4};
    int32_t got[16];
    const visor_context_options options = {
        .size = sizeof options, .message = on_message, .printf_sink = on_printf};
    expect(visor_context_create(&options, &own) == VISOR_OK, "a context with sinks");
    expect(visor_program_create(own, "k.cl", source, sizeof source - 1, NULL, &program, NULL) == VISOR_OK,
           "OpenCL C");
    expect(strstr(warned, "mind this") != NULL, "the compiler's warning");
    expect(visor_kernel_create(program, "k", &compiled_kernel) == VISOR_OK, "a compiled kernel");
    expect(visor_buffer_create(own, sizeof got, NULL, &buffer) == VISOR_OK, "its buffer");
    const visor_argument arguments[3] = {
        {.kind = VISOR_ARGUMENT_BYTES, .target = VISOR_TARGET_INDEX, .index = 2, .data = vector, .bytes = 16},
        {.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer},
        {.kind = VISOR_ARGUMENT_LOCAL, .bytes = 4}};
    const visor_shape shape = {.size = sizeof shape, .dimensions = 1, .global = {16}, .local = {16}};
    expect(visor_launch_run(compiled_kernel, arguments, 3, &shape, NULL, &launch) == VISOR_OK, "it runs");
    expect(visor_buffer_read(buffer, 0, sizeof got, got) == VISOR_OK && got[0] == 3 && got[15] == 18,
           "its results");
    expect(visor_launch_output(launch, &output, &bytes) == VISOR_OK && strcmp(output, "sum 3\n") == 0 &&
               bytes == 6,
           "what it printed");
    expect(strcmp(printed, "sum 3\n") == 0, "what the sink was told");
    visor_launch_release(launch);
    visor_bytes made = NULL;
    visor_bytes log = NULL;
    const void* data = NULL;
    expect(visor_compile("k.cl", source, sizeof source - 1, VISOR_EMIT_VISA_TEXT, NULL, &made, &log) ==
               VISOR_OK,
           "to text");
    expect(visor_bytes_get(made, &data, &bytes) == VISOR_OK && strstr(data, "//! visor:") != NULL,
           "with its metadata");
    visor_bytes_release(made);
    visor_bytes_release(log);
    visor_diagnostics diagnostics = NULL;
    visor_diagnostic found = {.size = sizeof found};
    visor_program broken = NULL;
    expect(visor_program_create(own, "b.cl", "kernel void k( {", 16, NULL, &broken, &diagnostics) ==
                   VISOR_ERROR_INPUT &&
               broken == NULL,
           "what does not compile");
    expect(visor_diagnostics_get(diagnostics, 0, &found) == VISOR_OK && found.severity == VISOR_ERROR,
           "and why");
    visor_diagnostics_release(diagnostics);
    visor_context_release(own); /* before what it holds */
    visor_buffer_release(buffer);
    visor_kernel_release(compiled_kernel);
    visor_program_release(program);
}

int main(void) {
    about_the_library();
    about_code();
    make_kernel();
    memory();
    results();
    limits_and_faults();
    started();
    watched();
    compiled();
    visor_buffer_release(out);
    visor_kernel_release(kernel);
    visor_context_release(context);
    printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
