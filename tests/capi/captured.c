/* Launches as folders, from C: captured FOLDER, which is new. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <visor/visor.h>

static int failures;

static void expect(int good, const char* what) {
    if (good)
        return;
    ++failures;
    fprintf(stderr, "%s: %s\n", what, visor_message());
}

static const char source[] =
    "kernel void add(global int* to, local int* tmp, int n) {"
    "    int i = get_global_id(0); tmp[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE);"
    "    to[i] += tmp[get_local_id(0)]; }"
    "kernel void outside(global int* p) { *(global int*)0x1000ul = p[0]; }"
    "kernel void dim(read_only image2d_t from, sampler_t how, write_only image2d_t to) {"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "    write_imagef(to, at, read_imagef(from, how, at) * 0.5f); }";

/* What the lanes of the first four places are, plus `first`. */
static const char by_hand[] = ".version 4.1\n"
                              ".kernel \"store\"\n"
                              ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
                              ".decl offsets v_type=G type=ud num_elts=8 align=GRF\n"
                              ".decl first v_type=G type=ud num_elts=1 align=dword\n"
                              ".decl out v_type=T num_elts=1\n"
                              ".input lanes offset=32 size=32\n"
                              ".input first offset=64 size=4\n"
                              ".kernel_attr SimdSize=8\n"
                              "    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\n"
                              "    add (M1, 8) lanes(0,0)<1> lanes(0,0)<1;1,0> first(0,0)<0;1,0>\n"
                              "    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0\n"
                              "    ret (M1, 1)\n";

static char folder[2048];
static char path[4096];
static visor_context context;
static visor_program program;
static visor_buffer buffer;

static const char* below(const char* name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
static int is_there(const char* name) {
    FILE* const file = fopen(below(name), "r");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}
static visor_kernel kernel_of(const char* name) {
    visor_kernel kernel = NULL;
    expect(visor_kernel_create(program, name, &kernel) == VISOR_OK, name);
    return kernel;
}

/* Eight numbers of which `n` is added to each, into folder `into`. */
static visor_status add(const char* into, int n, visor_shape shape, visor_launch* launch) {
    visor_kernel kernel = kernel_of("add");
    const visor_argument arguments[3] = {{.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer},
                                         {.kind = VISOR_ARGUMENT_LOCAL, .bytes = 16},
                                         {.kind = VISOR_ARGUMENT_BYTES, .data = &n, .bytes = 4}};
    const visor_launch_options options = {.size = sizeof options, .capture = into};
    shape.size = sizeof shape;
    const visor_status status = visor_launch_run(kernel, arguments, 3, &shape, &options, launch);
    visor_kernel_release(kernel);
    return status;
}
static const visor_shape eight = {.dimensions = 1, .global = {8}, .local = {4}};

static void launches(void) {
    expect(add(folder, 5, eight, NULL) == VISOR_OK, "a captured launch");
    expect(is_there("Enqueue_0_add/kernel.cl") && is_there("Enqueue_0_add/Post/Enqueue_0000_Kernel_add_Arg_0_"
                                                           "Buffer_0001.bin"),
           "its folder");
    expect(visor_file_run(below("Enqueue_0_add"), NULL, NULL) == VISOR_OK, "it is launched again");
    expect(add(folder, 7, eight, NULL) == VISOR_OK && is_there("Enqueue_1_add/launch.json"),
           "the next one, from where the first ended");
    expect(visor_file_run(below("Enqueue_1_add"), NULL, NULL) == VISOR_OK, "which is launched again, too");
    expect(add(NULL, 1, eight, NULL) == VISOR_OK && add("", 1, eight, NULL) == VISOR_OK &&
               !is_there("Enqueue_2_add/launch.json"),
           "one that is not captured");
    int got[8] = {0};
    expect(visor_buffer_read(buffer, 0, sizeof got, got) == VISOR_OK && got[0] == 14 && got[7] == 21,
           "the results of all four");
}

static void started(void) {
    visor_kernel kernel = kernel_of("add");
    const int n = 2;
    const visor_argument arguments[3] = {{.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer},
                                         {.kind = VISOR_ARGUMENT_LOCAL, .bytes = 16},
                                         {.kind = VISOR_ARGUMENT_BYTES, .data = &n, .bytes = 4}};
    char into[sizeof folder];
    strcpy(into, folder);
    const visor_launch_options options = {.size = sizeof options, .capture = into};
    visor_shape shape = eight;
    shape.size = sizeof shape;
    visor_launch launch = NULL;
    expect(visor_launch_start(kernel, arguments, 3, &shape, &options, &launch) == VISOR_OK, "it starts");
    memset(into, 'x', sizeof into - 1); /* which was read */
    expect(visor_launch_wait(launch, -1) == VISOR_OK && is_there("Enqueue_2_add/Post/Enqueue_0002_Kernel_add_"
                                                                 "Arg_0_Buffer_0001.bin"),
           "a launch that was started");
    visor_launch_release(launch);
    visor_kernel_release(kernel);
}

static void faults(void) {
    visor_kernel kernel = kernel_of("outside");
    const visor_argument argument = {.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer};
    const visor_shape one = {.size = sizeof one, .dimensions = 1, .global = {1}};
    const visor_launch_options options = {.size = sizeof options, .capture = folder};
    expect(visor_launch_run(kernel, &argument, 1, &one, &options, NULL) == VISOR_ERROR_FAULT, "a fault");
    expect(is_there("Enqueue_3_outside/launch.json") && !is_there("Enqueue_3_outside/Post"), "its folder");
    expect(visor_file_run(below("Enqueue_3_outside"), NULL, NULL) == VISOR_ERROR_FAULT, "it faults again");
    visor_kernel_release(kernel);
}

static void images(void) {
    visor_kernel kernel = kernel_of("dim");
    visor_image from = NULL;
    visor_image to = NULL;
    visor_sampler how = NULL;
    const unsigned char pixels[24] = {200, 100, 50, 255, 7, 8, 9, 10};
    const visor_image_options image = {
        .size = sizeof image, .format = "rgba8", .shape = VISOR_IMAGE_2D, .width = 3, .height = 2};
    const visor_sampler_options nearest = {.size = sizeof nearest, .address = VISOR_ADDRESS_CLAMP_TO_EDGE};
    expect(visor_image_create(context, &image, pixels, &from) == VISOR_OK &&
               visor_image_create(context, &image, NULL, &to) == VISOR_OK &&
               visor_sampler_create(context, &nearest, &how) == VISOR_OK,
           "two images and a sampler");
    const visor_argument arguments[3] = {{.kind = VISOR_ARGUMENT_IMAGE, .image = from},
                                         {.kind = VISOR_ARGUMENT_SAMPLER, .sampler = how},
                                         {.kind = VISOR_ARGUMENT_IMAGE, .image = to}};
    const visor_shape shape = {.size = sizeof shape, .dimensions = 2, .global = {3, 2}};
    const visor_launch_options options = {.size = sizeof options, .capture = folder};
    expect(visor_launch_run(kernel, arguments, 3, &shape, &options, NULL) == VISOR_OK, "images");
    expect(visor_file_run(below("Enqueue_4_dim"), NULL, NULL) == VISOR_OK, "images again");
    visor_image_release(from);
    visor_image_release(to);
    visor_sampler_release(how);
    visor_kernel_release(kernel);
}

static void written_by_hand(void) {
    visor_program own = NULL;
    visor_kernel kernel = NULL;
    const unsigned first = 30;
    expect(visor_program_create(context, "store.visaasm", by_hand, strlen(by_hand), NULL, &own, NULL) ==
                   VISOR_OK &&
               visor_kernel_create(own, NULL, &kernel) == VISOR_OK,
           "text by hand");
    const visor_argument arguments[3] = {
        {.kind = VISOR_ARGUMENT_FILLER, .filler = VISOR_FILLER_LANE},
        {.kind = VISOR_ARGUMENT_BYTES, .data = &first, .bytes = 4},
        {.kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "out", .buffer = buffer}};
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    const visor_launch_options options = {.size = sizeof options, .capture = folder};
    expect(visor_launch_run(kernel, arguments, 3, &shape, &options, NULL) == VISOR_OK, "it runs");
    expect(is_there("Enqueue_5_store/kernel.visaasm"), "its text");
    expect(visor_file_run(below("Enqueue_5_store"), NULL, NULL) == VISOR_OK, "it is launched again");
    visor_kernel_release(kernel);
    visor_program_release(own);
}

/* What cannot be: it is refused before anything runs. */
static void refusals(void) {
    int before[8] = {0};
    int after[8] = {0};
    visor_launch launch = NULL;
    expect(visor_buffer_read(buffer, 0, sizeof before, before) == VISOR_OK, "what was there");
    char place[4200];
    snprintf(place, sizeof place, "%s/below", below("Enqueue_0_add/kernel.cl"));
    expect(add(place, 1, eight, &launch) == VISOR_ERROR_INPUT && launch == NULL &&
               strstr(visor_message(), "the launch is not captured: ") != NULL,
           "a folder below a file");
    visor_shape part = eight;
    part.first_group = 1;
    expect(add(folder, 1, part, &launch) == VISOR_ERROR_UNSUPPORTED && launch == NULL,
           "a part of the groups");
    visor_shape none = eight;
    none.global[0] = 0;
    expect(add(folder, 1, none, &launch) == VISOR_ERROR_UNSUPPORTED &&
               strstr(visor_message(), "it has no work-items") != NULL,
           "no work-items");
    expect(visor_buffer_read(buffer, 0, sizeof after, after) == VISOR_OK &&
               memcmp(before, after, sizeof before) == 0,
           "nothing ran");
}

static void files(void) {
    static char again[4096];
    snprintf(again, sizeof again, "%s/again", folder);
    static char first[4096];
    snprintf(first, sizeof first, "%s/Enqueue_0_add", folder);
    visor_file_options options = {.size = sizeof options, .capture = again, .capture_launches = "add:0"};
    expect(visor_file_run(first, &options, NULL) == VISOR_OK && is_there("again/Enqueue_0_add/launch.json"),
           "a launch file's launches");
    expect(visor_file_run(first, &options, NULL) == VISOR_ERROR_INPUT &&
               strstr(visor_message(), "is not empty") != NULL,
           "a folder that is in use");
    options.capture_launches = "a:b";
    expect(visor_file_run(first, &options, NULL) == VISOR_ERROR_ARGUMENT, "a choice that is none");
    options = (visor_file_options){.size = sizeof options, .capture_limit = 7};
    expect(visor_file_run(first, &options, NULL) == VISOR_ERROR_ARGUMENT, "a limit of nothing");
    options =
        (visor_file_options){.size = sizeof options, .capture = below("none"), .capture_launches = "other"};
    visor_bytes report = NULL;
    const void* text = NULL;
    size_t bytes = 0;
    expect(visor_file_run(first, &options, &report) == VISOR_OK &&
               visor_bytes_get(report, &text, &bytes) == VISOR_OK &&
               strstr(text, "no launch is captured") != NULL,
           "a choice of nothing is told");
    visor_bytes_release(report);
}

int main(int count, char** given) {
    if (count != 2)
        return 2;
    snprintf(folder, sizeof folder, "%s", given[1]);
    const visor_context_options skl = {.size = sizeof skl, .device = "skl"};
    const int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    expect(visor_context_create(&skl, &context) == VISOR_OK, "a context");
    expect(visor_program_create(context, "k.cl", source, sizeof source - 1, NULL, &program, NULL) == VISOR_OK,
           "a program");
    expect(visor_buffer_create(context, sizeof numbers, numbers, &buffer) == VISOR_OK, "a buffer");
    launches();
    started();
    faults();
    images();
    written_by_hand();
    refusals();
    files();
    visor_buffer_release(buffer);
    visor_program_release(program);
    visor_context_release(context);
    printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
