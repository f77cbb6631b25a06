/* An application beside which somebody has put a module and programs named as Visor's own: it runs a kernel
 * with machine code, and says `planted` when what was put there has run in it (planted_module.c).
 *
 *   capi_planted FOLDER: plants MODULE, the library that is given, in FOLDER, and runs itself there.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <visor/visor.h>

static const char text[] = ".version 4.1\n"
                           ".kernel \"two\"\n"
                           ".decl data v_type=G type=d num_elts=8 align=GRF\n"
                           ".decl to v_type=G type=uq num_elts=1 align=qword\n"
                           ".input to offset=32 size=8\n"
                           ".kernel_attr SimdSize=8\n"
                           "    mov (M1, 8) data(0,0)<1> 2:d\n"
                           "    svm_block_st (2) to(0,0)<0;1,0> data.0\n"
                           "    ret (M1, 1)\n";

static int need(int good, const char* what) {
    if (!good)
        fprintf(stderr, "%s: %s: %s\n", what, visor_message(), strerror(errno));
    return good;
}

static int run_kernel(void) {
    const visor_settings settings = {.size = sizeof settings, .engine = VISOR_ENGINE_JIT};
    const visor_context_options options = {.size = sizeof options, .settings = &settings};
    visor_context context = NULL;
    visor_program program = NULL;
    visor_kernel kernel = NULL;
    visor_buffer to = NULL;
    visor_launch launch = NULL;
    const visor_shape shape = {.size = sizeof shape, .hw_threads = 1};
    if (!need(visor_context_create(&options, &context) == VISOR_OK, "context") ||
        !need(visor_program_create(context, "two.visaasm", text, sizeof text - 1, NULL, &program, NULL) ==
                  VISOR_OK,
              "program") ||
        !need(visor_kernel_create(program, "two", &kernel) == VISOR_OK, "kernel") ||
        !need(visor_buffer_create(context, 32, NULL, &to) == VISOR_OK, "buffer"))
        return 1;
    const visor_argument argument = {
        .kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "to", .buffer = to};
    if (!need(visor_launch_run(kernel, &argument, 1, &shape, NULL, &launch) == VISOR_OK, "launch"))
        return 1;
    int numbers[8] = {0};
    visor_report report = {.size = sizeof report};
    if (!need(visor_buffer_read(to, 0, sizeof numbers, numbers) == VISOR_OK, "read") ||
        !need(visor_launch_report(launch, &report) == VISOR_OK, "report"))
        return 1;
    const char* const planted = getenv("VISOR_TEST_PLANTED"); /* by the module when it is loaded */
    printf("%d %s %s\n", numbers[7], report.native ? "native" : "interpreted", planted ? planted : "clean");
    return 0;
}

/* What the child prints. */
static int says(const char* program, const char* libexec, const char* wanted) {
    int ends[2];
    char line[64] = "";
    if (!need(pipe(ends) == 0, "pipe"))
        return 0;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        if (libexec != NULL)
            setenv("VISOR_LIBEXEC", libexec, 1);
        else
            unsetenv("VISOR_LIBEXEC");
        execl(program, program, (char*)NULL);
        _exit(9);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], line, sizeof line - 1);
    line[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (strcmp(line, wanted) != 0 || status != 0)
        fprintf(stderr, "`%s`, and not `%s` (status %d)\n", line, wanted, status);
    return strcmp(line, wanted) == 0 && status == 0;
}

static int copy(const char* from, const char* to) {
    FILE* const in = fopen(from, "rb");
    FILE* const out = fopen(to, "wb");
    char part[4096];
    if (!need(in != NULL && out != NULL, to))
        return 0;
    for (size_t got = 0; (got = fread(part, 1, sizeof part, in)) > 0;)
        fwrite(part, 1, got, out);
    fclose(in);
    return fclose(out) == 0 && chmod(to, 0700) == 0;
}

int main(int count, char** words) {
    if (count < 3)
        return run_kernel();
    const char* const folder = words[1];
    mkdir(folder, 0700);
    if (!need(chdir(folder) == 0, folder))
        return 1;
    if (!copy("/proc/self/exe", "application") || !copy(words[2], "visor-jit.so") ||
        !copy(words[2], "visor-jit-worker") || !copy(words[2], "visor-compile-worker"))
        return 1;
    /* First that it would show: where the user says so, the planted module is taken. It makes no engine. */
    return says("./application", ".", "2 interpreted planted\n") &&
                   says("./application", NULL, "2 native clean\n")
               ? 0
               : 1;
}
