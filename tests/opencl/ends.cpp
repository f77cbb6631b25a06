// A program that forks, ends, or loses a thread in the middle of work; its first word says how. It ends with
// 0 when all was as docs/opencl.md has it (what ends it on purpose: with 5), and else tells the line.
#include "saxpy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <pthread.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace visor::opencl_test;

namespace {

void need(bool good, int line) {
    if (good)
        return;
    std::fprintf(stderr, "ends: line %d\n", line);
    _exit(1);
}
void need_code(cl_int found, cl_int wanted, int line) {
    if (found != wanted)
        std::fprintf(stderr, "ends: code %d for %d\n", found, wanted);
    need(found == wanted, line);
}

constexpr int by_hand = 5; // the exit code of what ends on purpose

Saxpy made() {
    Saxpy out;
    need_code(out.problem, CL_SUCCESS, __LINE__);
    return out;
}

// A second of work, however fast the CPU is; returns how many launches that are.
int fill_with_work(const Saxpy& work) {
    constexpr std::chrono::duration<double> wanted = std::chrono::seconds(1);
    constexpr double most = 10'000;
    std::chrono::duration<double> each{};
    for (int i = 0; i < 2; ++i) { // the first one takes longer
        const auto begin = std::chrono::steady_clock::now();
        need_code(work.launch(), CL_SUCCESS, __LINE__);
        need_code(clFinish(work.queue), CL_SUCCESS, __LINE__);
        each = std::chrono::steady_clock::now() - begin;
    }
    const int more = static_cast<int>(std::clamp(wanted / each, 1.0, most));
    for (int i = 0; i < more; ++i)
        need_code(work.launch(), CL_SUCCESS, __LINE__);
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // a thread is at it
    return more + 2;
}

template <class Condition>
void until(Condition condition, int line) {
    for (int i = 0; i < 20000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    need(condition(), line);
}

// ---- fork

// What the child does, and that it ends well, soon.
void in_child(const std::function<void()>& body) {
    const pid_t child = fork();
    need(child >= 0, __LINE__);
    if (child == 0) {
        alarm(60); // ends it by a signal
        body();
        _exit(0);
    }
    int status = 0;
    need(waitpid(child, &status, 0) == child, __LINE__);
    need(WIFEXITED(status) && WEXITSTATUS(status) == 0, __LINE__);
}

std::atomic<int> called = 0;
void CL_CALLBACK count(cl_event /*event*/, cl_int /*status*/, void* /*data*/) {
    ++called;
}

// The platform is as good as any: kernels on several threads, callbacks, objects of before and new ones.
void use_all(Saxpy& work, float grown) {
    cl_event event = nullptr;
    need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
    const int before = called;
    need_code(clSetEventCallback(event, CL_COMPLETE, count, nullptr), CL_SUCCESS, __LINE__);
    need_code(clFinish(work.queue), CL_SUCCESS, __LINE__);
    need(work.last() == grown + 2, __LINE__);
    until([before] { return called > before; }, __LINE__);
    need_code(clReleaseEvent(event), CL_SUCCESS, __LINE__);
    Saxpy other = made();
    for (int i = 0; i < 3; ++i)
        need_code(other.launch(), CL_SUCCESS, __LINE__);
    need(other.last() == 6, __LINE__);
    other.release();
    need_code(other.problem, CL_SUCCESS, __LINE__);
}

void fork_idle() {
    Saxpy work = made();
    need_code(work.launch(), CL_SUCCESS, __LINE__);
    need(work.last() == 2, __LINE__);
    in_child([&] {
        use_all(work, 2);
        in_child([&] { use_all(work, 4); }); // its child, as well
        work.release();
        std::exit(work.problem == CL_SUCCESS ? 0 : 1);
    });
    use_all(work, 2); // the child had copies
    work.release();
    need_code(work.problem, CL_SUCCESS, __LINE__);
}

// Calls are refused, and none waits.
void expect_refused(const Saxpy& work) {
    cl_int code = CL_SUCCESS;
    cl_uint count = 0;
    need_code(work.launch(), CL_OUT_OF_RESOURCES, __LINE__);
    need_code(clFinish(work.queue), CL_OUT_OF_RESOURCES, __LINE__);
    need_code(clGetContextInfo(work.context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_OUT_OF_RESOURCES, __LINE__);
    need(clCreateContext(nullptr, 1, &work.device, nullptr, nullptr, &code) == nullptr, __LINE__);
    need_code(code, CL_OUT_OF_RESOURCES, __LINE__);
    need(clSVMAlloc(work.context, CL_MEM_READ_WRITE, 64, 0) == nullptr, __LINE__);
    need_code(clReleaseContext(work.context), CL_OUT_OF_RESOURCES, __LINE__);
}

void fork_busy() {
    const Saxpy work = made();
    const int launches = fill_with_work(work);
    in_child([&] {
        expect_refused(work);
        std::exit(0);
    });
    need(work.last() == 2.0F * static_cast<float>(launches), __LINE__); // the parent's is not disturbed
}

void fork_while_a_thread_waits() {
    Saxpy work = made();
    const cl_event gate = clCreateUserEvent(work.context, nullptr);
    need_code(work.launch(1, &gate), CL_SUCCESS, __LINE__);
    std::thread waiting([&] { need_code(clFinish(work.queue), CL_SUCCESS, __LINE__); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    in_child([&] { expect_refused(work); });
    need_code(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS, __LINE__);
    waiting.join();
    need(work.last() == 2, __LINE__);
}

// Commands that wait for an event of the application are each process's own.
void fork_blocked() {
    Saxpy work = made();
    const cl_event gate = clCreateUserEvent(work.context, nullptr);
    need_code(work.launch(1, &gate), CL_SUCCESS, __LINE__);
    in_child([&] {
        need_code(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS, __LINE__);
        need(work.last() == 2, __LINE__);
    });
    cl_int status = 0;
    need_code(clGetEventInfo(gate, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
              CL_SUCCESS, __LINE__);
    need(status == CL_SUBMITTED, __LINE__);
    need_code(clSetUserEventStatus(gate, -1), CL_SUCCESS, __LINE__);
    need(work.last() == 0, __LINE__);
}

void fork_in_callback() {
    static Saxpy work = made();
    static std::atomic<bool> over = false;
    cl_event event = nullptr;
    need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
    need_code(clFinish(work.queue), CL_SUCCESS, __LINE__);
    const auto body = [](cl_event, cl_int, void*) {
        in_child([] {
            need_code(work.launch(), CL_SUCCESS, __LINE__);
            need(work.last() == 4, __LINE__);
        });
        over = true;
    };
    need_code(clSetEventCallback(event, CL_COMPLETE, body, nullptr), CL_SUCCESS, __LINE__);
    until([] { return over.load(); }, __LINE__);
    use_all(work, 2);
}

// ---- the end of the process

void end_by(void (*how)()) {
    static Saxpy work = made(); // as in a program that releases nothing
    fill_with_work(work);
    how();
}
void end_in_a_callback() {
    static Saxpy work = made();
    fill_with_work(work);
    cl_event event = nullptr;
    need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
    const auto body = [](cl_event, cl_int, void*) { std::exit(by_hand); };
    need_code(clSetEventCallback(event, CL_RUNNING, body, nullptr), CL_SUCCESS, __LINE__);
    need_code(clFinish(work.queue), CL_SUCCESS, __LINE__);
    pause();
}
// It is called by the thread that runs the queue, for which the end of the process must not wait.
void end_in_a_svm_callback() {
    static Saxpy work = made();
    std::array<void*, 1> memory{clSVMAlloc(work.context, CL_MEM_READ_WRITE, 64, 0)};
    const auto body = [](cl_command_queue, cl_uint, void**, void*) { std::exit(by_hand); };
    need_code(clEnqueueSVMFree(work.queue, 1, memory.data(), body, nullptr, 0, nullptr, nullptr), CL_SUCCESS,
              __LINE__);
    pause();
}
void end_while_threads_wait() {
    static Saxpy work = made();
    const cl_event gate = clCreateUserEvent(work.context, nullptr); // that nobody completes
    need_code(work.launch(1, &gate), CL_SUCCESS, __LINE__);
    std::thread([] { static_cast<void>(clFinish(work.queue)); }).detach();
    std::thread([gate] { static_cast<void>(clWaitForEvents(1, &gate)); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::exit(by_hand);
}
void end_and_release_after_main() {
    static constexpr int launches = 150;
    static struct Last {
        Saxpy work = made();
        ~Last() {
            need(work.last() == 2 * launches, __LINE__);
            work.release();
            need_code(work.problem, CL_SUCCESS, __LINE__);
        }
    } last;
    for (int i = 0; i < launches; ++i)
        need_code(last.work.launch(), CL_SUCCESS, __LINE__);
    need_code(clFinish(last.work.queue), CL_SUCCESS, __LINE__);
    std::exit(by_hand);
}

// ---- threads that vanish

void expect_callbacks(const Saxpy& work) {
    const int before = called;
    cl_event event = nullptr;
    need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
    need_code(clSetEventCallback(event, CL_COMPLETE, count, nullptr), CL_SUCCESS, __LINE__);
    need_code(clWaitForEvents(1, &event), CL_SUCCESS, __LINE__);
    until([before] { return called > before; }, __LINE__);
    need_code(clReleaseEvent(event), CL_SUCCESS, __LINE__);
}

void vanish_in_event_callbacks() {
    const Saxpy work = made();
    const auto leave = [](cl_event, cl_int, void*) {
        ++called;
        pthread_exit(nullptr);
    };
    for (int i = 0; i < 20; ++i) {
        cl_event event = nullptr;
        need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
        for (int k = 0; k < 3; ++k)
            need_code(clSetEventCallback(event, CL_COMPLETE, leave, nullptr), CL_SUCCESS, __LINE__);
        need_code(clWaitForEvents(1, &event), CL_SUCCESS, __LINE__);
        until([i] { return called == 4 * i + 3; }, __LINE__);
        expect_callbacks(work);
        // What the thread held is given back with it.
        need_code(clReleaseEvent(event), CL_SUCCESS, __LINE__);
        cl_int status = 0;
        until(
            [&] {
                return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                      nullptr) == CL_INVALID_EVENT;
            },
            __LINE__);
    }
}

void vanish_in_svm_callbacks() {
    const Saxpy work = made();
    const auto leave = [](cl_command_queue, cl_uint, void**, void*) { pthread_exit(nullptr); };
    for (int i = 0; i < 20; ++i) {
        void* memory = clSVMAlloc(work.context, CL_MEM_READ_WRITE, 64, 0);
        cl_event freed = nullptr;
        need_code(clEnqueueSVMFree(work.queue, 1, &memory, leave, nullptr, 0, nullptr, &freed), CL_SUCCESS,
                  __LINE__);
        need_code(work.launch(), CL_SUCCESS, __LINE__); // the queue goes on, though nobody waits
        cl_int status = CL_QUEUED;
        until(
            [&] {
                return clGetEventInfo(freed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                      nullptr) == CL_SUCCESS &&
                       status <= CL_COMPLETE;
            },
            __LINE__);
        need_code(status, CL_OUT_OF_RESOURCES, __LINE__);
        need(work.last() == static_cast<float>(2 * i + 2), __LINE__);
        clSVMFree(work.context, memory); // the callback did not
        need_code(clReleaseEvent(freed), CL_SUCCESS, __LINE__);
    }
}

void vanish_in_build_callbacks() {
    Saxpy work = made();
    const auto leave = [](cl_program, void*) {
        ++called;
        pthread_exit(nullptr);
    };
    const std::string binary = zebin("saxpy");
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const size_t length = binary.size();
    for (int i = 0; i < 5; ++i) {
        const cl_program other =
            clCreateProgramWithBinary(work.context, 1, &work.device, &length, &bytes, nullptr, nullptr);
        need_code(clBuildProgram(other, 1, &work.device, "", leave, nullptr), CL_SUCCESS, __LINE__);
        until([i] { return called == 2 * i + 1; }, __LINE__);
        need_code(clReleaseProgram(other), CL_SUCCESS, __LINE__);
        expect_callbacks(work);
    }
}

// The object would stay half destroyed: the process ends.
void vanish_in_a_destructor_callback() {
    const Saxpy work = made();
    const auto leave = [](cl_mem, void*) { pthread_exit(nullptr); };
    need_code(clSetMemObjectDestructorCallback(work.x, leave, nullptr), CL_SUCCESS, __LINE__);
    static_cast<void>(clReleaseMemObject(work.x));
}

void cancel_threads_of_the_platform() {
    static std::atomic<pthread_t> caller{};
    const Saxpy work = made();
    cl_event event = nullptr;
    need_code(work.launch(0, nullptr, &event), CL_SUCCESS, __LINE__);
    const auto tell = [](cl_event, cl_int, void*) { caller = pthread_self(); };
    need_code(clSetEventCallback(event, CL_COMPLETE, tell, nullptr), CL_SUCCESS, __LINE__);
    need_code(clFinish(work.queue), CL_SUCCESS, __LINE__);
    until([] { return caller != pthread_t{}; }, __LINE__);
    need(pthread_cancel(caller) == 0, __LINE__);
    for (int i = 0; i < 5; ++i)
        expect_callbacks(work);
}

// A thread that waits, in each of the calls that do, is cancelled: nobody else notices.
void cancel_threads_that_wait() {
    Saxpy work = made();
    const cl_event gate = clCreateUserEvent(work.context, nullptr);
    cl_event launched = nullptr;
    need_code(work.launch(1, &gate, &launched), CL_SUCCESS, __LINE__);
    const std::array<std::function<void()>, 4> waits{
        [&] { static_cast<void>(clFinish(work.queue)); },
        [&] { static_cast<void>(clWaitForEvents(1, &launched)); }, [&] { static_cast<void>(work.last()); },
        [&] {
            static_cast<void>(clEnqueueMapBuffer(work.queue, work.y, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr,
                                                 nullptr, nullptr));
        }};
    for (const std::function<void()>& wait : waits) {
        pthread_t thread{};
        const auto body = [](void* data) -> void* {
            (*static_cast<const std::function<void()>*>(data))();
            return nullptr;
        };
        need(pthread_create(&thread, nullptr, body, const_cast<std::function<void()>*>(&wait)) == 0,
             __LINE__);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        need(pthread_cancel(thread) == 0, __LINE__);
        void* result = nullptr;
        need(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED, __LINE__);
    }
    need_code(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS, __LINE__);
    need_code(clWaitForEvents(1, &launched), CL_SUCCESS, __LINE__);
    need(work.last() == 2, __LINE__);
    cl_uint maps = 0; // the one whose thread was cancelled is nobody's
    need_code(clGetMemObjectInfo(work.y, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr), CL_SUCCESS,
              __LINE__);
    need(maps == 0, __LINE__);
    cl_uint references = 0;
    need_code(clGetEventInfo(launched, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr),
              CL_SUCCESS, __LINE__);
    need(references == 1, __LINE__);
    in_child([&] { need(work.last() == 2, __LINE__); }); // none of the calls counts as running any more
}

// Threads that enqueue and wait are cancelled at any moment: never in the middle of a command.
void cancel_threads_that_work() {
    static Saxpy work = made();
    static std::atomic<int> enqueued = 0;
    const auto body = [](void*) -> void* {
        for (;;) {
            if (work.launch() == CL_SUCCESS)
                ++enqueued;
            static_cast<void>(clFinish(work.queue));
            pthread_testcancel();
        }
    };
    for (int i = 0; i < 30; ++i) {
        pthread_t thread{};
        need(pthread_create(&thread, nullptr, body, nullptr) == 0, __LINE__);
        std::this_thread::sleep_for(std::chrono::microseconds(500 * (i % 7)));
        need(pthread_cancel(thread) == 0, __LINE__);
        void* result = nullptr;
        need(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED, __LINE__);
    }
    need(work.last() == static_cast<float>(2 * enqueued), __LINE__);
}

void end_threads_that_hold_objects() {
    static Saxpy work = made();
    static std::atomic<void*> shown = nullptr;
    std::thread([] {
        cl_int code = CL_SUCCESS;
        shown =
            clEnqueueMapBuffer(work.queue, work.y, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &code);
        need_code(code, CL_SUCCESS, __LINE__);
        need_code(clRetainMemObject(work.y), CL_SUCCESS, __LINE__);
        need_code(work.launch(), CL_SUCCESS, __LINE__);
        pthread_exit(nullptr);
    }).join();
    need_code(clEnqueueUnmapMemObject(work.queue, work.y, shown, 0, nullptr, nullptr), CL_SUCCESS, __LINE__);
    need(work.last() == 2, __LINE__);
    need_code(clReleaseMemObject(work.y), CL_SUCCESS, __LINE__); // the thread's reference is the process's
    work.release();
    need_code(work.problem, CL_SUCCESS, __LINE__);
}

const std::map<std::string_view, std::function<void()>>& ways() {
    static const std::map<std::string_view, std::function<void()>> all{
        {"fork idle", fork_idle},
        {"fork busy", fork_busy},
        {"fork while a thread waits", fork_while_a_thread_waits},
        {"fork blocked", fork_blocked},
        {"fork in a callback", fork_in_callback},
        {"exit", [] { end_by([] { std::exit(by_hand); }); }},
        {"_exit", [] { end_by([] { _exit(by_hand); }); }},
        {"quick_exit", [] { end_by([] { std::quick_exit(by_hand); }); }},
        {"return", [] { end_by([] {}); }},
        {"terminate", [] { end_by([] { std::terminate(); }); }},
        {"exit in a callback", end_in_a_callback},
        {"exit in a SVM callback", end_in_a_svm_callback},
        {"exit while threads wait", end_while_threads_wait},
        {"release after main", end_and_release_after_main},
        {"pthread_exit in event callbacks", vanish_in_event_callbacks},
        {"pthread_exit in SVM callbacks", vanish_in_svm_callbacks},
        {"pthread_exit in build callbacks", vanish_in_build_callbacks},
        {"pthread_exit in a destructor callback", vanish_in_a_destructor_callback},
        {"cancel threads of the platform", cancel_threads_of_the_platform},
        {"cancel threads that wait", cancel_threads_that_wait},
        {"cancel threads that work", cancel_threads_that_work},
        {"end threads that hold objects", end_threads_that_hold_objects},
    };
    return all;
}

} // namespace

int main(int count, char** words) {
    const auto found = ways().find(count > 1 ? words[1] : "");
    if (found == ways().end())
        return 2;
    found->second();
    return found->first == "return" ? by_hand : 0;
}
