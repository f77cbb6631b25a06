/* Every way to hold the C API wrong that we know: each is told with a status and words, and nothing crashes
 * or leaks. The handles of every call are given NULL, numbers that were never handles, a released handle and
 * a live one of every other kind (misuse_handles.c); the other misuses stand in lists (misuse_values.c,
 * misuse_launches.c).
 */
#include "misuse.h"

#include <stdio.h>

static int cases;
static int wrong;
const char* const kind_names[kind_count] = {"context", "program", "kernel", "buffer",     "image",
                                            "sampler", "launch",  "bytes",  "diagnostics"};
void* live[kind_count];
void* released[kind_count];

const char store_text[] = ".version 4.1\n"
                          ".kernel \"store\"\n"
                          ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
                          ".decl offsets v_type=G type=ud num_elts=8 align=GRF\n"
                          ".decl out v_type=T num_elts=1\n"
                          ".input lanes offset=32 size=32\n"
                          ".kernel_attr SimdSize=8\n"
                          "    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\n"
                          "    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0\n"
                          "    ret (M1, 1)\n";
const size_t store_bytes = sizeof store_text - 1;

void expect_refused(visor_status status, visor_status wanted, const char* what, const char* how) {
    ++cases;
    if (status == wanted && visor_message()[0] != '\0')
        return;
    ++wrong;
    fprintf(stderr, "%s with %s: %s (%s)\n", what, how, visor_status_name(status), visor_message());
}
void refused(visor_status status, const char* what) {
    ++cases;
    if (status != VISOR_OK && status != VISOR_ERROR_INTERNAL && visor_message()[0] != '\0')
        return;
    ++wrong;
    fprintf(stderr, "%s: %s (%s)\n", what, visor_status_name(status), visor_message());
}
void expect_good(visor_status status, const char* what) {
    if (status == VISOR_OK)
        return;
    ++wrong;
    fprintf(stderr, "%s: %s\n", what, visor_message());
}

visor_argument the_argument(void) {
    const visor_argument argument = {.kind = VISOR_ARGUMENT_FILLER,
                                     .target = VISOR_TARGET_NAME,
                                     .name = "lanes",
                                     .filler = VISOR_FILLER_LANE};
    return argument;
}
visor_shape the_shape(void) {
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    return shape;
}
visor_argument buffer_argument(void) {
    const visor_argument argument = {.kind = VISOR_ARGUMENT_BUFFER,
                                     .target = VISOR_TARGET_NAME,
                                     .name = "out",
                                     .buffer = live[buffer_kind]};
    return argument;
}
visor_status launch_one(visor_argument argument, visor_shape shape, const visor_launch_options* options) {
    const visor_argument arguments[2] = {the_argument(), argument};
    visor_launch launch = NULL;
    const visor_status status = visor_launch_run(live[kernel_kind], arguments, 2, &shape, options, &launch);
    if (launch != NULL)
        visor_launch_release(launch);
    return status;
}

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
    good = good && visor_program_create(context, "k.visaasm", store_text, store_bytes, NULL, &program,
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
    wrong_files();
    wrong_thread();
    /* All that is still good. */
    expect_good(launch_one(buffer_argument(), the_shape(), NULL), "a good launch after all of it");
    release_all(other);
    release_all(live);
    printf("%d misuses, %d not refused as they should be\n", cases, wrong);
    return wrong == 0 && cases >= 200 ? 0 : 1;
}
