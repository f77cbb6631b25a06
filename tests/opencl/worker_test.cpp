// The compiler runs in processes of its own: whatever becomes of one of them is a failed build, and no more.
#include "fixture.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace visor::opencl_test {

namespace {

using std::chrono::milliseconds;

// The compiler's process, when this one has one: the child that is no code generator. Its name does not tell,
// as compilers of another release run under a loader of their own.
std::optional<pid_t> worker() {
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", problem)) {
        const std::string name = entry.path().filename();
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ptr != name.data() + name.size())
            continue;
        std::string line;
        std::getline(std::ifstream(entry.path() / "stat"), line);
        const size_t end = line.rfind(')'); // "id (name) state parent ..."; a name may have any character
        if (end == std::string::npos || line.contains("(visor-jit"))
            continue;
        pid_t parent = 0;
        if (line.size() > end + 4)
            std::from_chars(line.data() + end + 4, line.data() + line.size(), parent);
        if (parent == getpid())
            return id;
    }
    return std::nullopt;
}

// Ends the compiler's process so long after it came to be.
class Killer {
public:
    explicit Killer(milliseconds delay) : thread_([this, delay] { work(delay); }) {}
    ~Killer() {
        over_ = true;
        thread_.join();
    }
    Killer(const Killer&) = delete;
    Killer& operator=(const Killer&) = delete;
    Killer(Killer&&) = delete;
    Killer& operator=(Killer&&) = delete;

private:
    void work(milliseconds delay) {
        while (!over_) {
            if (worker()) {
                std::this_thread::sleep_for(delay);
                if (const auto id = worker())
                    kill(*id, SIGKILL);
                return;
            }
            std::this_thread::sleep_for(milliseconds(1));
        }
    }
    std::atomic<bool> over_ = false;
    std::thread thread_;
};

class Workers : public OpenCl {
protected:
    // Of no cache: the number makes it this run's own.
    std::string fresh_source(int number) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        return "// " + std::to_string(now) + " " + std::to_string(getpid()) +
               "\nkernel void k(global int* a) { a[get_global_id(0)] += " + std::to_string(number) + "; }\n";
    }
};

TEST_F(Workers, OneThatIsKilledAtAnyMomentIsAFailedBuild) {
    int failed = 0;
    int delay = 0;
    for (int number = 1; number <= 8; ++number, delay += delay < 20 ? 5 : 60) {
        const std::string text = fresh_source(number);
        const cl_program program = source(text.c_str());
        cl_int built = CL_SUCCESS;
        {
            const Killer killer{milliseconds(delay)};
            built = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
        }
        if (built != CL_SUCCESS) {
            EXPECT_EQ(built, CL_BUILD_PROGRAM_FAILURE);
            EXPECT_FALSE(log_of(program).empty());
            ++failed;
            // The same program builds when nobody is in the way.
            ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS)
                << log_of(program);
        }
        const cl_mem memory = buffer(std::vector<cl_int>{100, 200});
        const cl_kernel kernel = kernel_of(program, "k");
        ASSERT_EQ(set(kernel, 0, memory), CL_SUCCESS);
        ASSERT_EQ(run(kernel, 2), CL_SUCCESS);
        EXPECT_EQ(content<cl_int>(memory, 2), (std::vector<cl_int>{100 + number, 200 + number}));
    }
    EXPECT_GE(failed, 2);
}

} // namespace

} // namespace visor::opencl_test
