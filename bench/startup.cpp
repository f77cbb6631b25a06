// How long `visor --version` takes, from fork to exit: start-up is what a CI job or a pre-commit hook pays
// each time. Run with --benchmark_repetitions=21 and read the median of the wall clock.
#include <benchmark/benchmark.h>

#include <array>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void version(benchmark::State& state) {
    std::array<const char*, 3> argv{VISOR_PROGRAM, "--version", nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (auto _ : state) {
        pid_t child = 0;
        int status = 0;
        if (posix_spawn(&child, argv[0], &actions, nullptr, const_cast<char* const*>(argv.data()), environ) !=
                0 ||
            waitpid(child, &status, 0) != child || status != 0) {
            state.SkipWithError("visor --version failed");
            break;
        }
    }
    posix_spawn_file_actions_destroy(&actions);
}

} // namespace

BENCHMARK(version)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
