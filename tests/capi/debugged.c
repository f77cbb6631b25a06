/* Launches under a debugger, from C. The client is a child of this process. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <visor/visor.h>

static int failures;

static void expect(int good, const char* what) {
    if (good)
        return;
    ++failures;
    fprintf(stderr, "%s: %s\n", what, visor_message());
}

static const char source[] = "kernel void add(global int* to, int n) { to[get_global_id(0)] += n; }";

static struct sockaddr_in loopback(unsigned port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static unsigned free_port(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    bind(made, (const struct sockaddr*)&address, size);
    getsockname(made, (struct sockaddr*)&address, &size);
    close(made);
    return ntohs(address.sin_port);
}

/* Sends lines to the prompt of a port; the exit code is 0 if what that says has `part`. */
static pid_t start_client(unsigned port, const char* lines, const char* part) {
    const pid_t child = fork();
    if (child != 0)
        return child;
    const struct sockaddr_in address = loopback(port);
    const struct timespec moment = {0, 20000000};
    static char said[65536];
    size_t count = 0;
    for (int tries = 0; tries < 1500; ++tries) {
        const int client = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(client, (const struct sockaddr*)&address, sizeof address) == 0) {
            ssize_t more = write(client, lines, strlen(lines));
            while (more > 0 && count + 1 < sizeof said) {
                more = read(client, said + count, sizeof said - 1 - count);
                count += more > 0 ? (size_t)more : 0;
            }
            _exit(strstr(said, part) == NULL);
        }
        close(client);
        nanosleep(&moment, NULL);
    }
    _exit(2);
}

static int client_is_content(pid_t client) {
    int status = 1;
    waitpid(client, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static visor_kernel kernel;
static visor_buffer buffer;

static visor_status launch(const visor_launch_options* options) {
    const int n = 5;
    const visor_argument arguments[2] = {
        {.kind = VISOR_ARGUMENT_BUFFER, .buffer = buffer},
        {.kind = VISOR_ARGUMENT_BYTES, .data = &n, .bytes = sizeof n},
    };
    const visor_shape shape = {.size = sizeof shape, .dimensions = 1, .global = {16, 1, 1}};
    return visor_launch_run(kernel, arguments, 2, &shape, options, NULL);
}

static int first_number(void) {
    int numbers[16] = {0};
    expect(visor_buffer_read(buffer, 0, sizeof numbers, numbers) == VISOR_OK, "the buffer is read");
    return numbers[3];
}

int main(void) {
    visor_context context = NULL;
    visor_program program = NULL;
    expect(visor_context_create(NULL, &context) == VISOR_OK, "a context");
    const visor_status made =
        visor_program_create(context, "add.cl", source, sizeof source - 1, NULL, &program, NULL);
    expect(made == VISOR_OK, "a program");
    expect(visor_kernel_create(program, "add", &kernel) == VISOR_OK, "a kernel");
    expect(visor_buffer_create(context, 64, NULL, &buffer) == VISOR_OK, "a buffer");
    const int zeros[16] = {0};
    expect(visor_buffer_write(buffer, 0, sizeof zeros, zeros) == VISOR_OK, "zeros");

    visor_launch_options options = {.size = sizeof options, .debugger = VISOR_DEBUGGER_PROMPT};
    options.debugger_port = free_port();
    pid_t client = start_client(options.debugger_port, "info arguments\ncontinue\n", "int n = 5");
    expect(launch(&options) == VISOR_OK, "it ends as without a debugger");
    expect(client_is_content(client), "its arguments are told");
    expect(first_number() == 5, "its results are there");

    options.debugger_port = free_port();
    client = start_client(options.debugger_port, "quit\n", "stopped: the first instruction");
    expect(launch(&options) == VISOR_ERROR_STOPPED, "the client ends it");
    expect(client_is_content(client), "it was told of the stop");

    options.debugger_port = free_port();
    options.debugger_stop_at_end = 1;
    options.debugger_history = 16;
    client = start_client(options.debugger_port, "continue\ndetach\n", "the launch has ended");
    expect(launch(&options) == VISOR_OK, "it is stopped at its end, and goes on");
    expect(client_is_content(client), "it was told of the end");
    expect(first_number() == 10, "its results are there, again");

    options.debugger = VISOR_DEBUGGER_DAP;
    options.debugger_port = 0;
    expect(launch(&options) == VISOR_ERROR_ARGUMENT, "a protocol needs a port");
    options.debugger_port = 65536;
    expect(launch(&options) == VISOR_ERROR_ARGUMENT, "no such port");
    options.debugger = 4;
    expect(launch(&options) == VISOR_ERROR_ARGUMENT, "no such debugger");

    visor_kernel_release(kernel);
    visor_program_release(program);
    visor_buffer_release(buffer);
    visor_context_release(context);
    return failures != 0;
}
