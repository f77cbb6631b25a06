// Makes calls of OpenCL as numbers choose them, and compares what the platform answers with the model: codes,
// reference counts, statuses of events, callbacks with their order. A difference is an exception.
#pragma once

#include "../usm.h"
#include "model.h"

#include <CL/cl.h>

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace visor::opencl_model {

// One call, with what it chooses by. A sequence with some steps left out is a sequence, too.
struct Step {
    uint32_t what = 0;
    std::array<uint32_t, 16> picks{};
};
[[nodiscard]] std::vector<Step> drawn(uint64_t seed, size_t count);

struct Platform {
    cl_platform_id id = nullptr;
    cl_device_id device = nullptr;
    std::string zebin; // of saxpy
};

class Difference : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What callbacks leave, by any thread.
class Log {
public:
    void add(const Call& call);
    [[nodiscard]] std::vector<Call> all() const;
    void add_problem(const std::string& text);
    [[nodiscard]] std::string problem() const;

private:
    mutable std::mutex lock_;
    std::vector<Call> calls_;
    std::string problem_;
};

// What a callback of the application's is given.
struct Called {
    Log* log = nullptr;
    uint64_t token = 0;
    void* completes = nullptr;
};

class Driver {
public:
    // `tells`: each call on standard output.
    Driver(const Platform& platform, bool tells);
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;
    Driver(Driver&&) = delete;
    Driver& operator=(Driver&&) = delete;

    void play(const Step& step);
    // Completes what waits, releases every reference, and sees all objects end.
    void finish();

private:
    using Move = void (Driver::*)();
    static std::span<const Move> moves();

    // ---- choices of the step at hand
    uint32_t pick() { return next_ < step_.picks.size() ? step_.picks.at(next_++) : 0; }
    bool one_of(uint32_t many) { return pick() % many == 0; }
    // One of the kind, nearly always one that is alive. Nothing: there is none.
    std::optional<Id> any(Kind kind);
    std::optional<Id> any_pointer(Id context);
    template <class T>
    T handle(std::optional<Id> id) const {
        return id ? static_cast<T>(model_.at(*id).handle) : nullptr;
    }
    [[nodiscard]] bool is_alive(std::optional<Id> id) const { return id && model_.at(*id).is_alive(); }

    // ---- comparing
    void say(const char* what, std::optional<Id> on = std::nullopt, std::optional<Id> with = std::nullopt);
    static void expect(cl_int found, cl_int wanted, const char* what);
    void settle();
    void expect_calls();
    void expect_order() const;
    void expect_state(Id id);
    // The platform's threads let go a little later than commands are over.
    void until(const std::function<bool()>& condition, const std::string& what) const;
    [[nodiscard]] cl_int query(Id id, cl_uint& references) const;
    [[nodiscard]] static cl_int invalid(Kind kind);

    // ---- objects.cpp
    void make_context();
    void make_queue();
    void make_buffer();
    void make_part();
    void make_image();
    void make_sampler();
    void make_program();
    void build();
    void make_kernel();
    void make_user_event();
    void allocate();
    void free_pointer();
    void retain();
    void release();
    void release_again();
    void ask_for_a_handle();
    void destructor_callback();
    void wrong_kind();
    void devices();
    Id add(Kind kind, void* made, Id context, const std::vector<Id>& keeps = {});
    [[nodiscard]] cl_int retain_call(Id id) const;
    [[nodiscard]] cl_int release_call(Id id) const;
    void retain_one(std::optional<Id> id);
    void release_one(std::optional<Id> id);
    Called* keep(const Called& call);

    // ---- commands.cpp
    struct Waits {
        std::vector<Id> ids;
        std::vector<cl_event> list;
        cl_int problem = CL_SUCCESS; // of a command on the queue
    };
    Waits waits(std::optional<Id> queue);
    template <class Enqueue>
    bool enqueue(const char* name, std::optional<Id> queue, cl_int problem, const Command& command,
                 Enqueue call);
    std::function<int()> touches(Id memory);
    cl_int memory_problem(std::optional<Id> queue, std::optional<Id> memory) const;
    void move_bytes();
    void copy_buffer();
    void marker();
    void launch();
    void set_argument();
    void map();
    void unmap();
    void use_pointer();
    void enqueue_free();
    void migrate();
    void set_status();
    void event_callback();
    void wait();

    const Platform& platform_;
    const bool tells_;
    opencl_test::Usm usm_;
    Model model_;
    Step step_;
    size_t next_ = 0;
    Log log_;
    std::vector<bool> seen_ended_;
    size_t contexts_ = 0;
    std::vector<std::unique_ptr<Called>> kept_; // what callbacks are given
    std::array<std::byte, 4096> host_{};
};

} // namespace visor::opencl_model
