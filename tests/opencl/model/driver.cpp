#include "driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <ranges>
#include <thread>

namespace visor::opencl_model {

std::vector<Step> drawn(uint64_t seed, size_t count) {
    std::mt19937_64 random(seed);
    std::vector<Step> out(count);
    for (Step& step : out) {
        step.what = static_cast<uint32_t>(random());
        for (uint32_t& pick : step.picks)
            pick = static_cast<uint32_t>(random() >> 32U);
    }
    return out;
}

void Log::add(const Call& call) {
    const std::lock_guard guard(lock_);
    calls_.push_back(call);
}
std::vector<Call> Log::all() const {
    const std::lock_guard guard(lock_);
    return calls_;
}
void Log::add_problem(const std::string& text) {
    const std::lock_guard guard(lock_);
    problem_ = text;
}
std::string Log::problem() const {
    const std::lock_guard guard(lock_);
    return problem_;
}

namespace {

constexpr std::array<const char*, 7> kind_names{"context", "queue",  "memory", "sampler",
                                                "program", "kernel", "event"};

} // namespace

Driver::Driver(const Platform& platform, bool tells) : platform_(platform), tells_(tells), usm_(platform.id) {
    make_context();
    make_queue();
    make_program();
    build();
    settle(); // it calls back
    for (int i = 0; i < 2; ++i)
        make_buffer();
    make_kernel();
    make_user_event();
}

// What a difference leaves behind may run still: it ends with the process.
Driver::~Driver() = default;

// Commands and what changes counts come more often than what makes objects.
std::span<const Driver::Move> Driver::moves() {
    static const std::array all{&Driver::make_context,
                                &Driver::make_queue,
                                &Driver::make_queue,
                                &Driver::make_buffer,
                                &Driver::make_buffer,
                                &Driver::make_part,
                                &Driver::make_part,
                                &Driver::make_image,
                                &Driver::make_image,
                                &Driver::make_sampler,
                                &Driver::make_program,
                                &Driver::build,
                                &Driver::make_kernel,
                                &Driver::make_kernel,
                                &Driver::make_user_event,
                                &Driver::make_user_event,
                                &Driver::allocate,
                                &Driver::allocate,
                                &Driver::free_pointer,
                                &Driver::retain,
                                &Driver::retain,
                                &Driver::release,
                                &Driver::release,
                                &Driver::release,
                                &Driver::release,
                                &Driver::release,
                                &Driver::release_again,
                                &Driver::ask_for_a_handle,
                                &Driver::ask_for_a_handle,
                                &Driver::ask_for_a_handle,
                                &Driver::destructor_callback,
                                &Driver::destructor_callback,
                                &Driver::wrong_kind,
                                &Driver::devices,
                                &Driver::move_bytes,
                                &Driver::move_bytes,
                                &Driver::copy_buffer,
                                &Driver::marker,
                                &Driver::marker,
                                &Driver::launch,
                                &Driver::launch,
                                &Driver::launch,
                                &Driver::set_argument,
                                &Driver::set_argument,
                                &Driver::set_argument,
                                &Driver::map,
                                &Driver::unmap,
                                &Driver::use_pointer,
                                &Driver::use_pointer,
                                &Driver::enqueue_free,
                                &Driver::migrate,
                                &Driver::set_status,
                                &Driver::set_status,
                                &Driver::event_callback,
                                &Driver::event_callback,
                                &Driver::wait};
    return all;
}

void Driver::play(const Step& step) {
    step_ = step;
    next_ = 0;
    const auto all = moves();
    (this->*all[step.what % all.size()])();
    settle();
}

std::optional<Id> Driver::any(Kind kind) {
    std::vector<Id> alive;
    std::vector<Id> ended;
    for (Id id = 0; id < model_.all().size(); ++id)
        if (model_.at(id).kind == kind)
            (model_.at(id).is_alive() ? alive : ended).push_back(id);
    const uint32_t choice = pick();
    const std::vector<Id>& from = ended.empty() || (!alive.empty() && choice % 8 != 0) ? alive : ended;
    return from.empty() ? std::nullopt : std::optional(from[choice / 8 % from.size()]);
}

std::optional<Id> Driver::any_pointer(Id context) {
    std::vector<Id> all;
    for (Id id = 0; id < model_.pointers().size(); ++id)
        if (model_.pointers()[id].context == context && !model_.pointers()[id].is_doomed)
            all.push_back(id);
    return all.empty() ? std::nullopt : std::optional(all[pick() % all.size()]);
}

// ---- comparing

void Driver::say(const char* what, std::optional<Id> on, std::optional<Id> with) {
    if (!tells_)
        return;
    std::string line = what;
    for (const auto& id : {on, with})
        if (id)
            line += std::string(" ") + kind_names.at(static_cast<size_t>(model_.at(*id).kind)) + " " +
                    std::to_string(*id) + (model_.at(*id).is_alive() ? "" : " (ended)");
    std::printf("  %s\n", line.c_str());
    std::fflush(stdout);
}

void Driver::expect(cl_int found, cl_int wanted, const char* what) {
    if (found != wanted)
        throw Difference(std::string(what) + " answers " + std::to_string(found) + ", and has to answer " +
                         std::to_string(wanted));
}

void Driver::until(const std::function<bool()>& condition, const std::string& what) const {
    // A sequence that is told again has differed before: it need not wait as long.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(tells_ ? 2 : 20);
    for (int i = 0; !condition(); ++i) {
        if (std::chrono::steady_clock::now() > end)
            throw Difference(what);
        if (i > 20)
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

cl_int Driver::invalid(Kind kind) {
    constexpr std::array<cl_int, 7> codes{CL_INVALID_CONTEXT, CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT,
                                          CL_INVALID_SAMPLER, CL_INVALID_PROGRAM,       CL_INVALID_KERNEL,
                                          CL_INVALID_EVENT};
    return codes.at(static_cast<size_t>(kind));
}

cl_int Driver::query(Id id, cl_uint& references) const {
    constexpr size_t bytes = sizeof references;
    switch (model_.at(id).kind) {
    case Kind::context:
        return clGetContextInfo(handle<cl_context>(id), CL_CONTEXT_REFERENCE_COUNT, bytes, &references,
                                nullptr);
    case Kind::queue:
        return clGetCommandQueueInfo(handle<cl_command_queue>(id), CL_QUEUE_REFERENCE_COUNT, bytes,
                                     &references, nullptr);
    case Kind::memory:
        return clGetMemObjectInfo(handle<cl_mem>(id), CL_MEM_REFERENCE_COUNT, bytes, &references, nullptr);
    case Kind::sampler:
        return clGetSamplerInfo(handle<cl_sampler>(id), CL_SAMPLER_REFERENCE_COUNT, bytes, &references,
                                nullptr);
    case Kind::program:
        return clGetProgramInfo(handle<cl_program>(id), CL_PROGRAM_REFERENCE_COUNT, bytes, &references,
                                nullptr);
    case Kind::kernel:
        return clGetKernelInfo(handle<cl_kernel>(id), CL_KERNEL_REFERENCE_COUNT, bytes, &references, nullptr);
    case Kind::event:
        break;
    }
    return clGetEventInfo(handle<cl_event>(id), CL_EVENT_REFERENCE_COUNT, bytes, &references, nullptr);
}

void Driver::expect_state(Id id) {
    const Thing& thing = model_.at(id);
    if (thing.handle == nullptr) // a command without an event that anybody has
        return;
    const std::string name =
        std::string(kind_names.at(static_cast<size_t>(thing.kind))) + " " + std::to_string(id);
    cl_uint references = 9999;
    if (!thing.is_alive()) {
        if (seen_ended_[id])
            return;
        until([&] { return query(id, references) == invalid(thing.kind); },
              name + " has to end, and is alive");
        seen_ended_[id] = true;
        return;
    }
    expect(query(id, references), CL_SUCCESS, ("a query of " + name + ", which is alive,").c_str());
    expect(static_cast<cl_int>(references), static_cast<cl_int>(thing.references),
           ("the reference count of " + name).c_str());
    if (thing.kind == Kind::memory) {
        cl_uint maps = 0;
        expect(clGetMemObjectInfo(handle<cl_mem>(id), CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr),
               CL_SUCCESS, "CL_MEM_MAP_COUNT");
        expect(static_cast<cl_int>(maps), static_cast<cl_int>(thing.maps.size()), "CL_MEM_MAP_COUNT");
    }
    if (thing.kind != Kind::event)
        return;
    cl_int status = 0;
    const auto ask = [&] {
        expect(clGetEventInfo(handle<cl_event>(id), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                              nullptr),
               CL_SUCCESS, "CL_EVENT_COMMAND_EXECUTION_STATUS");
        return status <= CL_COMPLETE;
    };
    if (!thing.is_over()) {
        if (ask())
            throw Difference(name + " is over, and has to wait");
        return;
    }
    until(ask, name + " has to be over");
    expect(status, thing.status, ("the status of " + name).c_str());
}

void Driver::expect_calls() {
    const size_t wanted = model_.due().size();
    until([&] { return log_.all().size() >= wanted; }, "a callback has to come, and does not");
    std::vector<Call> found = log_.all();
    std::vector<Call> due = model_.due();
    std::ranges::sort(found);
    std::ranges::sort(due);
    if (found != due)
        throw Difference("callbacks are not those that are due");
    if (const std::string problem = log_.problem(); !problem.empty())
        throw Difference(problem);
    expect_order();
}

// Of each object the last registered first, and all of them before those of what it kept.
void Driver::expect_order() const {
    const std::vector<Call> found = log_.all();
    std::map<uint64_t, size_t> places;
    for (size_t i = 0; i < found.size(); ++i)
        places[found[i].token] = i;
    for (const Thing& thing : model_.all()) {
        if (thing.is_alive() || thing.destroyed.empty())
            continue;
        for (size_t i = 1; i < thing.destroyed.size(); ++i)
            if (places[thing.destroyed[i]] > places[thing.destroyed[i - 1]])
                throw Difference("destructor callbacks do not come last first");
        const std::optional<Id> kept = thing.parent ? thing.parent : std::optional(thing.context);
        if (thing.kind == Kind::context || model_.at(*kept).is_alive())
            continue;
        for (const uint64_t token : model_.at(*kept).destroyed)
            if (places[token] < places[thing.destroyed.front()])
                throw Difference("an object ends before what keeps it");
    }
}

void Driver::settle() {
    model_.progress();
    seen_ended_.resize(model_.all().size());
    expect_calls();
    for (Id id = 0; id < model_.all().size(); ++id)
        expect_state(id);
}

void Driver::finish() {
    step_ = {};
    for (Id id = 0; id < model_.all().size(); ++id) {
        const Thing& event = model_.at(id);
        if (event.kind != Kind::event || event.queue || event.is_set || !event.is_alive())
            continue;
        expect(clSetUserEventStatus(handle<cl_event>(id), CL_COMPLETE), CL_SUCCESS, "clSetUserEventStatus");
        model_.set_status(id, CL_COMPLETE);
        settle();
    }
    for (Pointer& pointer : model_.pointers()) {
        if (pointer.is_freed || !model_.at(pointer.context).is_alive())
            continue;
        if (pointer.is_usm)
            expect(usm_.free(handle<cl_context>(pointer.context), pointer.at), CL_SUCCESS, "clMemFreeINTEL");
        else
            clSVMFree(handle<cl_context>(pointer.context), pointer.at);
        pointer.is_freed = true;
    }
    for (Id id = 0; id < model_.all().size(); ++id) // what holds others came later
        while (model_.at(id).references > 0) {
            expect(release_call(id), CL_SUCCESS, "the last releases");
            model_.release(id);
        }
    settle();
}

} // namespace visor::opencl_model
