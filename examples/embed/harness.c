/* A test harness as a compiler's authors want one: vISA text in, numbers out, compared with what the page
 * says. Runs saxpy, compiled by the real OpenCL compiler, and a hand-written kernel of each of five
 * instructions.
 *
 *   cc harness.c $(pkg-config --cflags --libs visor) -o harness && ./harness
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <visor/visor.h>

/* Most programs have no use for a call that failed. */
static void need(visor_status status, const char* what) {
    if (status == VISOR_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, visor_status_name(status), visor_message());
    exit(1);
}

/* One kernel: an array of dwords goes in through `input`, a buffer of dwords comes back from `output`. */
typedef struct kernel_case {
    const char* name;
    const char* text;
    const char* input;  /* a uq or T input, or "": none */
    const char* output; /* likewise */
    int32_t lanes;      /* the input `lanes` is given the lanes' numbers */
    uint32_t given[16];
    uint32_t expected[16];
} kernel_case;

static const kernel_case cases[] = {
    {"qw_gather",
     ".version 4.1\n"
     ".kernel \"reverse\"\n"
     ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl from v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl to v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl data v_type=G type=uq num_elts=8 align=GRF\n"
     ".decl in v_type=T num_elts=1\n"
     ".decl out v_type=T num_elts=1\n"
     ".input lanes offset=32 size=32\n"
     ".kernel_attr SimdSize=8\n"
     "    shl (M1, 8) to(0,0)<1> lanes(0,0)<1;1,0> 0x3:ud\n"
     "    xor (M1, 8) from(0,0)<1> to(0,0)<1;1,0> 0x38:ud\n"
     "    qw_gather.1 (M1, 8) in from.0 data.0\n"
     "    qw_scatter.1 (M1, 8) out to.0 data.0\n"
     "    ret (M1, 1)\n",
     "in",
     "out",
     1,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
     {15, 16, 13, 14, 11, 12, 9, 10, 7, 8, 5, 6, 3, 4, 1, 2}},
    {"scatter_scaled",
     ".version 4.1\n"
     ".kernel \"reverse\"\n"
     ".decl lanes v_type=G type=ud num_elts=16 align=GRF\n"
     ".decl offsets v_type=G type=ud num_elts=16 align=GRF\n"
     ".decl out v_type=T num_elts=1\n"
     ".input lanes offset=32 size=64\n"
     ".kernel_attr SimdSize=16\n"
     "    shl (M1, 16) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\n"
     "    xor (M1, 16) lanes(0,0)<1> lanes(0,0)<1;1,0> 0xf:ud\n"
     "    scatter_scaled.4 (M1, 16) out 0x0:ud offsets.0 lanes.0\n"
     "    ret (M1, 1)\n",
     "",
     "out",
     1,
     {0},
     {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    {"scatter4_scaled",
     ".version 4.1\n"
     ".kernel \"pairs\"\n"
     ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl offsets v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl values v_type=G type=ud num_elts=16 align=GRF\n"
     ".decl out v_type=T num_elts=1\n"
     ".input lanes offset=32 size=32\n"
     ".kernel_attr SimdSize=8\n"
     "    mov (M1, 8) values(0,0)<1> lanes(0,0)<1;1,0>\n"
     "    add (M1, 8) values(1,0)<1> lanes(0,0)<1;1,0> 0x64:ud\n"
     "    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x3:ud\n"
     "    scatter4_scaled.RG (M1, 8) out 0x0:ud offsets.0 values.0\n"
     "    ret (M1, 1)\n",
     "",
     "out",
     1,
     {0},
     {0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105, 6, 106, 7, 107}},
    {"svm_atomic",
     ".version 4.1\n"
     ".kernel \"sum\"\n"
     ".decl lanes v_type=G type=ud num_elts=8 align=GRF\n"
     ".decl to v_type=G type=uq num_elts=1 align=qword\n"
     ".decl addresses v_type=G type=uq num_elts=8 align=GRF\n"
     ".decl old v_type=G type=ud num_elts=8 align=GRF\n"
     ".input lanes offset=32 size=32\n"
     ".input to offset=64 size=8\n"
     ".kernel_attr SimdSize=8\n"
     "    mov (M1, 8) addresses(0,0)<1> to(0,0)<0;1,0>\n"
     "    svm_atomic.add (M1, 8) addresses.0 old.0 lanes.0 %null.0\n"
     "    ret (M1, 1)\n",
     "",
     "to",
     1,
     {0},
     {28}},
    {"svm_block_ld",
     ".version 4.1\n"
     ".kernel \"copy\"\n"
     ".decl from v_type=G type=uq num_elts=1 align=qword\n"
     ".decl to v_type=G type=uq num_elts=1 align=qword\n"
     ".decl data v_type=G type=ud num_elts=8 align=GRF\n"
     ".input from offset=32 size=8\n"
     ".input to offset=40 size=8\n"
     ".kernel_attr SimdSize=8\n"
     "    add (M1_NM, 1) from(0,0)<1> from(0,0)<0;1,0> 0x4:uq\n"
     "    svm_block_ld.unaligned (2) from(0,0)<0;1,0> data.0\n"
     "    svm_block_st (2) to(0,0)<0;1,0> data.0\n"
     "    ret (M1, 1)\n",
     "from",
     "to",
     0,
     {7, 1, 2, 3, 4, 5, 6, 8, 9},
     {1, 2, 3, 4, 5, 6, 8, 9}},
};

static int run_case(visor_context context, const kernel_case* test) {
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    visor_buffer in = NULL;
    visor_buffer out = NULL;
    uint32_t got[16];
    need(visor_program_create(context, "case.visaasm", test->text, strlen(test->text), NULL, &program, NULL),
         test->name);
    need(visor_kernel_create(program, NULL, &kernel), test->name);
    need(visor_buffer_create(context, sizeof test->given, test->given, &in), test->name);
    need(visor_buffer_create(context, sizeof got, NULL, &out), test->name);

    visor_argument arguments[3] = {0};
    size_t count = 0;
    if (test->lanes) {
        arguments[count].kind = VISOR_ARGUMENT_FILLER;
        arguments[count].target = VISOR_TARGET_NAME;
        arguments[count].name = "lanes";
        arguments[count++].filler = VISOR_FILLER_LANE;
    }
    if (test->input[0] != '\0') {
        arguments[count].kind = VISOR_ARGUMENT_BUFFER;
        arguments[count].target = VISOR_TARGET_NAME;
        arguments[count].name = test->input;
        arguments[count++].buffer = in;
    }
    arguments[count].kind = VISOR_ARGUMENT_BUFFER;
    arguments[count].target = VISOR_TARGET_NAME;
    arguments[count].name = test->output;
    arguments[count++].buffer = out;

    visor_shape one_thread = {.size = sizeof one_thread, .hw_threads = 1};
    need(visor_launch_run(kernel, arguments, count, &one_thread, NULL, NULL), test->name);
    need(visor_buffer_read(out, 0, sizeof got, got), test->name);
    const int good = memcmp(got, test->expected, sizeof got) == 0;
    printf("%-16s %s\n", test->name, good ? "ok" : "WRONG");

    visor_buffer_release(out);
    visor_buffer_release(in);
    visor_kernel_release(kernel);
    visor_program_release(program);
    return good;
}

static int run_saxpy(visor_context context) {
    static const char source[] =
        "kernel void saxpy(global float* y, global const float* x, float a, int n) {\n"
        "    int i = get_global_id(0);\n"
        "    if (i < n)\n"
        "        y[i] = a * x[i] + y[i];\n"
        "}\n";
    enum { count = 1000 };
    static float x[count];
    static float y[count];
    for (int i = 0; i < count; ++i) {
        x[i] = (float)i;
        y[i] = 1.0F;
    }
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    visor_buffer in = NULL;
    visor_buffer out = NULL;
    need(visor_program_create(context, "saxpy.cl", source, sizeof source - 1, NULL, &program, NULL), "saxpy");
    need(visor_kernel_create(program, "saxpy", &kernel), "saxpy");
    need(visor_buffer_create(context, sizeof x, x, &in), "saxpy");
    need(visor_buffer_create(context, sizeof y, y, &out), "saxpy");
    const float a = 2.5F;
    const int32_t n = count;
    const visor_argument arguments[4] = {{.kind = VISOR_ARGUMENT_BUFFER, .buffer = out},
                                         {.kind = VISOR_ARGUMENT_BUFFER, .buffer = in},
                                         {.kind = VISOR_ARGUMENT_BYTES, .data = &a, .bytes = sizeof a},
                                         {.kind = VISOR_ARGUMENT_BYTES, .data = &n, .bytes = sizeof n}};
    visor_shape shape = {.size = sizeof shape, .dimensions = 1, .global = {1024}, .local = {64}};
    need(visor_launch_run(kernel, arguments, 4, &shape, NULL, NULL), "saxpy");
    need(visor_buffer_read(out, 0, sizeof y, y), "saxpy");
    int good = 1;
    for (int i = 0; i < count; ++i)
        good = good && y[i] == 2.5F * (float)i + 1.0F;
    printf("%-16s %s\n", "saxpy", good ? "ok" : "WRONG");
    visor_buffer_release(out);
    visor_buffer_release(in);
    visor_kernel_release(kernel);
    visor_program_release(program);
    return good;
}

int main(void) {
    const visor_context_options options = {.size = sizeof options, .device = "dg2"};
    visor_context context = NULL;
    need(visor_context_create(&options, &context), "context");
    int good = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        good = run_case(context, &cases[i]) && good;
    good = run_saxpy(context) && good;
    visor_context_release(context);
    return good ? 0 : 1;
}
