// A tracing handle that keeps what its callback sees.
#pragma once

#include "../fixture.h"
#include "api.h"

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace visor::opencl_test {

// Numbers of functions, as the public header has them.
namespace traced {
inline constexpr cl_uint create_buffer = 3;
inline constexpr cl_uint enqueue_nd_range_kernel = 43;
inline constexpr cl_uint finish = 61;
inline constexpr cl_uint get_context_info = 64;
inline constexpr cl_uint get_device_info = 67;
inline constexpr cl_uint get_function_for_platform = 71;
inline constexpr cl_uint release_mem_object = 94;
inline constexpr cl_uint svm_free = 106;
inline constexpr cl_uint wait_for_events = 117;
} // namespace traced

struct Seen {
    cl_uint function = 0;
    Site site = site_enter;
    cl_uint correlation = 0;
    std::string name;
    bool has_result = false;
};

class Recorder {
public:
    // What its callback does beyond keeping what it sees.
    using Then = std::function<void(cl_uint function, CallbackData& data)>;

    explicit Recorder(cl_device_id device, Then then = {}) : then_(std::move(then)) {
        EXPECT_EQ(api.create(device, called, this, &handle), CL_SUCCESS);
    }
    ~Recorder() { destroy(); }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    Recorder(Recorder&&) = delete;
    Recorder& operator=(Recorder&&) = delete;

    void enable(std::initializer_list<cl_uint> functions) {
        for (const cl_uint function : functions)
            EXPECT_EQ(api.set_point(handle, function, CL_TRUE), CL_SUCCESS);
        EXPECT_EQ(api.enable(handle), CL_SUCCESS);
    }
    void disable() { EXPECT_EQ(api.disable(handle), CL_SUCCESS); }
    void destroy() {
        if (handle == nullptr)
            return;
        EXPECT_EQ(api.destroy(std::exchange(handle, nullptr)), CL_SUCCESS);
    }
    // And forgets it.
    std::vector<Seen> take() {
        const std::lock_guard guard(lock_);
        return std::exchange(seen_, {});
    }
    [[nodiscard]] size_t count(Site site) {
        const std::lock_guard guard(lock_);
        size_t out = 0;
        for (const Seen& one : seen_)
            out += one.site == site ? 1 : 0;
        return out;
    }

    TracingApi api{platform()};
    TracingHandle* handle = nullptr;

private:
    static void called(cl_uint function, CallbackData* data, void* user_data) {
        auto* const self = static_cast<Recorder*>(user_data);
        {
            const std::lock_guard guard(self->lock_);
            self->seen_.push_back(
                {function, data->site, data->correlation_id, data->function_name, data->result != nullptr});
        }
        if (self->then_)
            self->then_(function, *data);
    }

    Then then_;
    std::mutex lock_;
    std::vector<Seen> seen_;
};

} // namespace visor::opencl_test
