#include "model.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace visor::opencl_model {

namespace {

constexpr int failed_wait_list = -14; // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST

} // namespace

Id Model::add(Kind kind, void* handle, Id context, const std::vector<Id>& keeps) {
    const Id id = things_.size();
    Thing& made = things_.emplace_back();
    made.kind = kind;
    made.handle = handle;
    made.context = kind == Kind::context ? id : context;
    if (kind != Kind::context)
        made.keeps.push_back(context);
    made.keeps.insert(made.keeps.end(), keeps.begin(), keeps.end());
    for (const Id kept : std::vector(made.keeps))
        hold(kept);
    return id;
}

Id Model::add_pointer(const Pointer& pointer) {
    pointers_.push_back(pointer);
    return pointers_.size() - 1;
}

// OpenCL 5.11 and 5.15: a command waits for the events of its list; in order, for the command before it; out
// of order, for the last barrier; a marker or a barrier without a list for all before it.
Id Model::add_event(const Command& command) {
    const Id id = add(Kind::event, nullptr, at(command.queue).context, {command.queue});
    Thing& made = at(id);
    Thing& queue = at(command.queue);
    made.queue = command.queue;
    made.outcome = command.outcome;
    made.uses = command.uses;
    const auto follow = [&](Id first) {
        if (!at(first).is_over())
            made.waits.push_back(first);
    };
    for (const Id first : command.waits) {
        made.is_spoiled = made.is_spoiled || at(first).status < 0;
        made.listed.push_back(first);
        follow(first);
        if (!at(first).queue && !at(first).is_over())
            made.uses.push_back(first); // it may be given its status after its last release
    }
    if (queue.in_order) {
        if (!queue.pending.empty())
            follow(queue.pending.back());
    } else {
        if (queue.barrier)
            follow(*queue.barrier);
        if (command.gathers && command.waits.empty())
            std::ranges::for_each(queue.pending, follow);
    }
    for (const Id used : std::vector(made.uses))
        hold(used);
    hold(id);
    queue.pending.push_back(id);
    if (command.is_fence && !queue.in_order)
        queue.barrier = id;
    return id;
}

bool Model::retain(Id id) {
    if (!at(id).is_alive())
        return false;
    ++at(id).references;
    return true;
}

bool Model::release(Id id) {
    if (at(id).references == 0)
        return false;
    if (--at(id).references == 0 && at(id).holds == 0)
        end(id);
    return true;
}

void Model::hold(Id id) {
    ++at(id).holds;
}

void Model::let_go(Id id) {
    if (--at(id).holds == 0 && at(id).references == 0)
        end(id);
}

// Its destructor callbacks, the last first; then what it kept.
void Model::end(Id id) {
    for (const uint64_t token : std::views::reverse(at(id).destroyed))
        due_.push_back({token, 0});
    const std::vector<Id> kept = std::move(at(id).keeps);
    for (const Id one : std::views::reverse(kept))
        let_go(one);
}

void Model::call(const Listener& listener, int status) {
    due_.push_back({listener.token, status});
    if (listener.completes && at(*listener.completes).is_alive())
        set_status(*listener.completes, 0);
}

void Model::listen(Id event, const Listener& listener) {
    if (!at(event).is_over()) {
        at(event).listeners.push_back(listener);
        return;
    }
    call(listener, at(event).status);
    progress();
}

void Model::conclude(Id id, int status) {
    hold(id);
    at(id).status = status;
    for (Thing& other : things_) {
        const bool waited = std::erase(other.waits, id) != 0;
        const bool is_listed = std::ranges::find(other.listed, id) != other.listed.end();
        other.is_spoiled = other.is_spoiled || (waited && is_listed && status < 0);
    }
    const std::vector<Listener> listeners = std::move(at(id).listeners);
    if (at(id).queue) {
        Thing& queue = at(*at(id).queue);
        std::erase(queue.pending, id);
        if (queue.barrier == id)
            queue.barrier.reset();
        for (const Id used : std::exchange(at(id).uses, {}))
            let_go(used);
        let_go(id); // its queue's hold
    }
    for (const Listener& listener : listeners)
        call(listener, status);
    let_go(id);
}

bool Model::set_status(Id id, int status) {
    if (std::exchange(at(id).is_set, true))
        return false;
    conclude(id, status);
    return true;
}

void Model::progress() {
    for (bool again = true; std::exchange(again, false);) {
        for (Id id = 0; id < things_.size(); ++id) {
            if (!at(id).queue || at(id).is_over() || !at(id).waits.empty())
                continue;
            const int status = at(id).is_spoiled ? failed_wait_list : at(id).outcome ? at(id).outcome() : 0;
            conclude(id, status);
            again = true;
        }
    }
}

bool Model::has_kernels(Id program) const {
    return std::ranges::any_of(things_, [program](const Thing& one) {
        return one.kind == Kind::kernel && one.program == program && one.is_alive();
    });
}

bool Model::is_blocked(Id context_or_queue) const {
    return std::ranges::any_of(things_, [&](const Thing& one) {
        const bool is_meant = one.context == context_or_queue || &one == &at(context_or_queue);
        return one.kind == Kind::queue && is_meant && !one.pending.empty();
    });
}

} // namespace visor::opencl_model
