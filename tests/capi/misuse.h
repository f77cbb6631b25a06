/* What the files of the test of misuses share: live handles to misuse, and what counts and judges. */
#ifndef VISOR_TESTS_MISUSE_H
#define VISOR_TESTS_MISUSE_H

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
extern const char* const kind_names[kind_count];
extern void* live[kind_count];
extern void* released[kind_count];
/* A kernel with one input, `lanes`, and one surface, `out`. */
extern const char store_text[];
extern const size_t store_bytes;

/* The call has to be refused with this status, or with any that tells of a misuse, and with words. */
void expect_refused(visor_status status, visor_status wanted, const char* what, const char* how);
void refused(visor_status status, const char* what);
/* What has to go well. */
void expect_good(visor_status status, const char* what);

visor_argument the_argument(void);    /* `lanes` */
visor_argument buffer_argument(void); /* `out` */
visor_shape the_shape(void);
visor_status launch_one(visor_argument argument, visor_shape shape, const visor_launch_options* options);

/* ---- misuse_handles.c ---- */

void release_all(void** of);
visor_status context_memory(void* handle);
visor_status buffer_create(void* handle);
void wrong_handles(void);

/* ---- misuse_values.c ---- */

void wrong_options(void);
void wrong_programs(void);
void wrong_memory(void);
void wrong_code(void);
void wrong_files(void);

/* ---- misuse_launches.c ---- */

void wrong_arguments(void* other_buffer);
void wrong_launches(void);
void wrong_thread(void);

#endif
