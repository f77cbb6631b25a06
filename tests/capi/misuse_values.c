/* Options, programs, memory and code with values that no call takes. */
#include "misuse.h"

#include <math.h>

static visor_status with_settings(visor_settings settings) {
    const visor_context_options options = {.size = sizeof options, .settings = &settings};
    visor_context context = NULL;
    return visor_context_create(&options, &context);
}

void wrong_options(void) {
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
    return visor_program_create(live[context_kind], "k.visaasm", store_text, store_bytes, &options, &program,
                                NULL);
}

void wrong_programs(void) {
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    const char* name = NULL;
    refused(visor_program_create(live[context_kind], "k", store_text, 5, NULL, NULL, NULL),
            "no place for a program");
    refused(load(NULL, store_text, store_bytes), "a program without a name");
    refused(load("k.visaasm", NULL, 100), "100 bytes at NULL");
    refused(load("k.visaasm", store_text, SIZE_MAX), "more bytes than memory");
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
    const visor_kernel_text nameless = {.text = store_text, .bytes = 3};
    refused(load_with((visor_program_options){
                .size = sizeof(visor_program_options), .texts = &nameless, .text_count = 1}),
            "a text for no kernel");
    const visor_kernel_text textless = {.kernel = "store", .bytes = 3};
    refused(load_with((visor_program_options){
                .size = sizeof(visor_program_options), .texts = &textless, .text_count = 1}),
            "a text at NULL");
    const visor_kernel_text replaced = {.kernel = "store", .text = store_text, .bytes = store_bytes};
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

void wrong_memory(void) {
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
void wrong_code(void) {
    visor_diagnostics diagnostics = NULL;
    visor_bytes bytes = NULL;
    visor_code_options options = {.size = sizeof options, .device = "gen99"};
    int32_t equal = 0;
    refused(visor_diff("k", store_text, 9, "k", store_text, 9, NULL, NULL, 0, NULL, &bytes),
            "no place for what a comparison says");
    refused(visor_diff("k", store_text, 9, NULL, store_text, 9, NULL, NULL, 0, &equal, &bytes),
            "comparing without a name");
    refused(visor_diff("k", store_text, 9, "k", NULL, 9, NULL, NULL, 0, &equal, &bytes), "comparing NULL");
    refused(visor_diff("k.visaasm", store_text, 9, "k.visaasm", store_text, SIZE_MAX, NULL, NULL, 0, &equal,
                       &bytes),
            "comparing all memory");
    refused(visor_reduce("k", store_text, 9, NULL, NULL, NULL, &bytes, NULL), "reducing without who decides");
    refused(visor_launch_costs(NULL, "lcov", &bytes), "costs of no launch");
    refused(visor_check("k", store_text, 9, NULL, NULL), "no place for diagnostics");
    refused(visor_check(NULL, store_text, 9, NULL, &diagnostics), "checking without a name");
    refused(visor_check("k.visaasm", NULL, 9, NULL, &diagnostics), "checking NULL");
    refused(visor_check("k.visaasm", store_text, SIZE_MAX, NULL, &diagnostics), "checking all memory");
    refused(visor_check("k.visaasm", store_text, 9, &options, &diagnostics),
            "checking for an unknown device");
    options.device = NULL;
    options.profile = 3;
    refused(visor_check("k.visaasm", store_text, 9, &options, &diagnostics), "a profile past the last");
    options.profile = 0;
    options.size = 5;
    refused(visor_check("k.visaasm", store_text, 9, &options, &diagnostics),
            "code options with a wrong size");
    refused(visor_check("k.what", "what", 4, NULL, &diagnostics), "checking what nobody knows");
    refused(visor_assemble("k.visaasm", store_text, store_bytes, NULL, NULL, NULL), "no place for a binary");
    refused(visor_assemble(NULL, store_text, 9, NULL, &bytes, NULL), "assembling without a name");
    refused(visor_assemble("k.visaasm", NULL, 9, NULL, &bytes, NULL), "assembling NULL");
    refused(visor_assemble("k.isa", "CISA\4\1", 6, NULL, &bytes, NULL), "assembling a binary");
    refused(visor_assemble("k.visaasm", ".version 4.1\nwhat", 17, NULL, &bytes, NULL), "assembling nonsense");
    refused(visor_disassemble("k.isa", "CISA\4\1", 6, NULL, &bytes, NULL), "disassembling half a binary");
    refused(visor_disassemble("k.isa", NULL, 6, NULL, &bytes, NULL), "disassembling NULL");
    refused(visor_disassemble("k.isa", store_text, 6, NULL, NULL, NULL), "no place for text");
    refused(visor_compile("k.cl", "kernel", 6, 7, NULL, &bytes, NULL), "emitting something else");
    refused(visor_compile("k.visaasm", store_text, 9, VISOR_EMIT_ZEBIN, NULL, &bytes, NULL),
            "compiling vISA");
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

void wrong_files(void) {
    visor_bytes report = NULL;
    visor_file_options options = {.size = 4};
    refused(visor_file_run(NULL, NULL, &report), "a launch file at NULL");
    refused(visor_file_run("x.json", &options, &report), "file options with a wrong size");
    options.size = sizeof options;
    options.device = "gen99";
    refused(visor_file_run("x.json", &options, &report), "a launch file for an unknown device");
    options.device = NULL;
    options.checks = 1U << 31U;
    refused(visor_file_run("x.json", &options, &report), "an unknown checker for a launch file");
    options.checks = 0;
    const visor_settings settings = {.size = sizeof settings, .engine = -7};
    options.settings = &settings;
    refused(visor_file_run("x.json", &options, &report), "a negative engine for a launch file");
    options.settings = NULL;
    options.register_count = 3;
    refused(visor_file_run("x.json", &options, &report), "three registers at NULL");
    refused(visor_file_run("", NULL, NULL), "a launch file without a name");
    refused(visor_file_run("/nowhere/at/all.json", NULL, &report), "a launch file that is nowhere");
    expect_good(visor_bytes_release(report), "its report");
    refused(visor_file_run("/", NULL, NULL), "a folder as a launch file");
    refused(visor_file_run("/dev/null", NULL, NULL), "nothing as a launch file");
    refused(visor_file_run("/proc/version", NULL, NULL), "what is no launch file");
}
