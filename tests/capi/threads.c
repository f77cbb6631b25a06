/* Eight threads on one context, then on eight: each with its own buffers and kernel arguments, some launches
 * started and waited for, and every result right. ThreadSanitizer watches in the preset tsan. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <visor/visor.h>

enum { thread_count = 8, rounds = 60 };

static const char text[] = ".version 4.1\n"
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

typedef struct worker {
    visor_context context;
    visor_kernel kernel; /* shared by all threads of a context */
    uint32_t number;
    int wrong;
} worker;

static int run_once(const worker* self, uint32_t round) {
    visor_buffer out = NULL;
    visor_launch launch = NULL;
    uint32_t got[8] = {0};
    const uint32_t first = self->number * 1000 + round;
    int good = visor_buffer_create(self->context, sizeof got, NULL, &out) == VISOR_OK;
    const visor_argument arguments[3] = {
        {.kind = VISOR_ARGUMENT_FILLER, .filler = VISOR_FILLER_LANE},
        {.kind = VISOR_ARGUMENT_BYTES, .data = &first, .bytes = 4},
        {.kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "out", .buffer = out}};
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    if (round % 2 == 0) {
        good = good && visor_launch_run(self->kernel, arguments, 3, &shape, NULL, &launch) == VISOR_OK;
    } else {
        good = good && visor_launch_start(self->kernel, arguments, 3, &shape, NULL, &launch) == VISOR_OK;
        if (round % 4 == 1) /* else the read is what waits */
            good = good && visor_launch_wait(launch, -1) == VISOR_OK;
    }
    good = good && visor_buffer_read(out, 0, sizeof got, got) == VISOR_OK;
    for (uint32_t lane = 0; lane < 8; ++lane)
        good = good && got[lane] == first + lane;
    /* A failed call's words are this thread's own. */
    visor_program none = NULL;
    good = good && visor_kernel_create(NULL, NULL, (visor_kernel*)&none) == VISOR_ERROR_HANDLE &&
           strstr(visor_message(), "program") != NULL;
    visor_launch_release(launch);
    visor_buffer_release(out);
    return good;
}

static void* work(void* argument) {
    worker* self = argument;
    for (uint32_t round = 0; round < rounds; ++round)
        self->wrong += !run_once(self, round);
    return NULL;
}

static int all_threads(int contexts) {
    visor_context made[thread_count] = {NULL};
    visor_kernel kernels[thread_count] = {NULL};
    worker workers[thread_count];
    pthread_t threads[thread_count];
    int wrong = 0;
    for (int i = 0; i < contexts; ++i) {
        visor_program program = NULL;
        wrong += visor_context_create(NULL, &made[i]) != VISOR_OK;
        wrong += visor_program_create(made[i], "k.visaasm", text, sizeof text - 1, NULL, &program, NULL) !=
                 VISOR_OK;
        wrong += visor_kernel_create(program, NULL, &kernels[i]) != VISOR_OK;
        visor_program_release(program);
    }
    for (uint32_t i = 0; i < thread_count; ++i) {
        const uint32_t at = i % (uint32_t)contexts;
        workers[i] = (worker){.context = made[at], .kernel = kernels[at], .number = i};
        wrong += pthread_create(&threads[i], NULL, work, &workers[i]) != 0;
    }
    for (int i = 0; i < thread_count; ++i) {
        pthread_join(threads[i], NULL);
        wrong += workers[i].wrong;
    }
    for (int i = 0; i < contexts; ++i) {
        visor_kernel_release(kernels[i]);
        visor_context_release(made[i]);
    }
    printf("%d threads on %d contexts: %d wrong\n", thread_count, contexts, wrong);
    return wrong;
}

int main(void) {
    return all_threads(1) + all_threads(thread_count) == 0 ? 0 : 1;
}
