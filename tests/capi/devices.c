/* The device of a program that nobody names one for. lsc_load is from dg2 on (its page), and 32 dwords are
 * two registers from pvc on alone. */
#include <stdio.h>
#include <string.h>
#include <visor/visor.h>

static int failures;

static void expect(int good, const char* what) {
    if (good)
        return;
    ++failures;
    fprintf(stderr, "FAILED: %s (last message: %s)\n", what, visor_message());
}

static const char newer[] = ".version 4.1\n"
                            ".kernel \"add5\"\n"
                            ".decl to v_type=G type=uq num_elts=1 align=qword\n"
                            ".decl data v_type=G type=d num_elts=32 align=GRF\n"
                            ".input to offset=64 size=8\n"
                            ".kernel_attr SimdSize=32\n"
                            "    lsc_load.ugm (M1, 1) data:d32x32t flat[to]:a64\n"
                            "    add (M1, 32) data(0,0)<1> data(0,0)<1;1,0> 0x5:d\n"
                            "    lsc_store.ugm (M1, 1) flat[to]:a64 data:d32x32t\n"
                            "    ret (M1, 1)\n";
static const char older[] = ".version 4.1\n"
                            ".kernel \"add7\"\n"
                            ".decl to v_type=G type=uq num_elts=1 align=qword\n"
                            ".decl data v_type=G type=d num_elts=8 align=GRF\n"
                            ".input to offset=32 size=8\n"
                            ".kernel_attr SimdSize=8\n"
                            "    svm_block_ld (2) to(0,0)<0;1,0> data.0\n"
                            "    add (M1, 8) data(0,0)<1> data(0,0)<1;1,0> 0x7:d\n"
                            "    svm_block_st (2) to(0,0)<0;1,0> data.0\n"
                            "    ret (M1, 1)\n";

static char noted[1024];
static void on_message(void* user, visor_severity severity, const char* text) {
    (void)user;
    expect(severity == VISOR_NOTE, "a note and nothing else");
    strncpy(noted, text, sizeof noted - 1);
}

static void run(visor_context context, const char* text, size_t bytes, visor_buffer buffer) {
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    const visor_argument argument = {.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer};
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    expect(visor_program_create(context, "k.visaasm", text, bytes, NULL, &program, NULL) == VISOR_OK,
           "a program");
    expect(visor_kernel_create(program, NULL, &kernel) == VISOR_OK, "its kernel");
    expect(visor_launch_run(kernel, &argument, 1, &shape, NULL, NULL) == VISOR_OK, "its launch");
    visor_kernel_release(kernel);
    visor_program_release(program);
}

static void without_a_name(void) {
    visor_context context = NULL;
    visor_buffer buffer = NULL;
    int numbers[32] = {1, 2};
    const visor_context_options options = {.size = sizeof options, .message = on_message};
    expect(visor_context_create(&options, &context) == VISOR_OK, "a context without a device");
    expect(visor_buffer_create(context, sizeof numbers, numbers, &buffer) == VISOR_OK, "a buffer before all");
    run(context, newer, sizeof newer - 1, buffer);
    expect(strstr(noted, "k.visaasm: note: taken as code for pvc: skl has no lsc_load") != NULL, noted);
    noted[0] = '\0';
    run(context, older, sizeof older - 1, buffer);
    expect(noted[0] == '\0', "nothing to say of the default");
    visor_buffer_read(buffer, 0, sizeof numbers, numbers);
    expect(numbers[0] == 13 && numbers[1] == 14 && numbers[8] == 5 && numbers[31] == 5, "both have run");
    visor_buffer_release(buffer);
    visor_context_release(context);
}

static void with_a_name(void) {
    visor_context context = NULL;
    visor_program program = NULL;
    const visor_context_options options = {.size = sizeof options, .device = "skl"};
    expect(visor_context_create(&options, &context) == VISOR_OK, "a context with a device");
    expect(visor_program_create(context, "k.visaasm", newer, sizeof newer - 1, NULL, &program, NULL) ==
                   VISOR_ERROR_INPUT &&
               strstr(visor_message(), "lsc_load does not exist on skl") != NULL,
           "who names a device has that one");
    visor_context_release(context);
}

static void asked(void) {
    const char* device = NULL;
    expect(visor_find_device("k.visaasm", newer, sizeof newer - 1, &device) == VISOR_OK &&
               strcmp(device, "pvc") == 0,
           "the device of a text");
    expect(visor_find_device("k.visaasm", older, sizeof older - 1, &device) == VISOR_OK &&
               strcmp(device, "skl") == 0,
           "the default");
    expect(visor_find_device("k.cl", "kernel void k() {}", 18, &device) == VISOR_OK &&
               strcmp(device, "skl") == 0,
           "the default for a source");
    expect(visor_find_device(NULL, newer, 1, &device) == VISOR_ERROR_ARGUMENT && device == NULL, "no name");
    expect(visor_find_device("k", NULL, 1, &device) == VISOR_ERROR_ARGUMENT, "no content");
    expect(visor_find_device("k", newer, 1, NULL) == VISOR_ERROR_ARGUMENT, "no place");
}

int main(void) {
    without_a_name();
    with_a_name();
    asked();
    if (failures == 0)
        printf("as it should be\n");
    return failures == 0 ? 0 : 1;
}
