/* Launch files through the one call that runs them: launch_file EXAMPLES FOLDER. */
#include <stdio.h>
#include <string.h>
#include <visor/visor.h>

static int failures;

static void expect(int good, const char* what) {
    if (good)
        return;
    ++failures;
    fprintf(stderr, "%s: %s\n", what, visor_message());
}

/* Four dwords, one for each of the first lanes, from 7 on. */
static const char job[] =
    "{\"version\": 1,\n"
    " \"program\": {\"source\": [\".version 4.1\", \".kernel \\\"store\\\"\",\n"
    "   \".decl lanes v_type=G type=ud num_elts=8 align=GRF\",\n"
    "   \".decl offsets v_type=G type=ud num_elts=8 align=GRF\",\n"
    "   \".decl out v_type=T num_elts=1\", \".input lanes offset=32 size=32\",\n"
    "   \".kernel_attr SimdSize=8\",\n"
    "   \"    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud\",\n"
    "   \"    add (M1, 8) lanes(0,0)<1> lanes(0,0)<1;1,0> 0x7:ud\",\n"
    "   \"    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0\", \"    ret (M1, 1)\"]},\n"
    " \"arrays\": {\"out\": \"zeros:u32:4\"},\n"
    " \"launches\": [{\"hw_threads\": 1, \"arguments\": {\"lanes\": \"lane\", \"out\": \"out\"}}],\n"
    " \"print\": [\"out\"],\n"
    " \"expect\": [{\"array\": \"out\", \"equals\": [7, 8, 9, %d]}]}\n";

static const char* written(const char* folder, const char* name, int last) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* const file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file, job, last);
        fclose(file);
    }
    return path;
}

/* Whether the report has these words; gives the report back. */
static int tells(visor_bytes report, const char* words) {
    const void* text = NULL;
    size_t bytes = 0;
    const int good = visor_bytes_get(report, &text, &bytes) == VISOR_OK && strstr(text, words) != NULL;
    visor_bytes_release(report);
    return good;
}

int main(int count, char** given) {
    if (count != 3)
        return 2;
    visor_bytes report = NULL;
    expect(visor_file_run(written(given[2], "met.json", 10), NULL, &report) == VISOR_OK,
           "a file that is met");
    expect(tells(report, "\"exit_code\": 0"), "its report");
    expect(visor_file_run(written(given[2], "met.json", 10), NULL, NULL) == VISOR_OK, "without a report");
    expect(visor_file_run(written(given[2], "differs.json", 11), NULL, &report) == VISOR_ERROR_INPUT &&
               strstr(visor_message(), "out[3] is 10, expected 11") != NULL,
           "a file that is not met");
    expect(tells(report, "expected 11"), "the report of what is not met");

    const visor_settings little = {.size = sizeof little, .fuel = 2};
    visor_file_options options = {.size = sizeof options, .settings = &little};
    expect(visor_file_run(written(given[2], "met.json", 10), &options, NULL) == VISOR_ERROR_LIMIT,
           "too little fuel");
    const visor_register_request lanes = {.name = "lanes"};
    options = (visor_file_options){.size = sizeof options, .registers = &lanes, .register_count = 1};
    expect(visor_file_run(written(given[2], "met.json", 10), &options, &report) == VISOR_OK,
           "with registers");
    expect(tells(report, "\"registers\""), "its registers");
    /* Lanes 4 to 7 write past the four dwords. */
    options = (visor_file_options){.size = sizeof options, .checks = VISOR_CHECK_MEMORY};
    expect(visor_file_run(written(given[2], "met.json", 10), &options, &report) == VISOR_ERROR_FAULT,
           "with a checker");
    expect(tells(report, "\"check\": \"memory\""), "its finding");
    options = (visor_file_options){.size = sizeof options, .device = "pvc"};
    visor_file_run(written(given[2], "met.json", 10), &options,
                   &report); /* fits no register there, or does */
    expect(tells(report, "\"device\": \"pvc\""), "another device than the file's");

    char path[4096];
    snprintf(path, sizeof path, "%s/saxpy/saxpy.json", given[1]);
    expect(visor_file_run(path, NULL, &report) == VISOR_OK, "the example");
    expect(tells(report, "saxpy"), "the example's report");
    printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
