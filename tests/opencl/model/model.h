// What the OpenCL specification and docs/opencl.md say of the lives of objects, as plain data: counts, who
// keeps whom alive, which commands wait for which events, and which callbacks are due. It calls nothing of
// OpenCL and knows nothing of how the platform does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace visor::opencl_model {

enum class Kind : uint8_t { context, queue, memory, sampler, program, kernel, event };

using Id = size_t; // of an object or a pointer, in the order of their making

// Memory that the application has as a pointer.
struct Pointer {
    void* at = nullptr;
    Id context = 0;
    bool is_usm = false;
    bool is_freed = false;
    bool is_doomed = false; // a command that has been enqueued will free it
};

struct Argument {
    bool is_set = false;
    std::optional<Id> memory;
    std::optional<Id> pointer;
};

// A call of a function of the application's that is due, or was made.
struct Call {
    uint64_t token = 0;
    int value = 0; // an event's status

    friend bool operator==(const Call&, const Call&) = default;
    friend auto operator<=>(const Call&, const Call&) = default;
};

// A callback of an event.
struct Listener {
    uint64_t token = 0;
    std::optional<Id> completes; // an event of the application
};

struct Thing {
    Kind kind = Kind::context;
    void* handle = nullptr;
    Id context = 0;
    uint32_t references = 1;
    uint32_t holds = 0;
    std::vector<Id> keeps;           // as long as it lives
    std::vector<uint64_t> destroyed; // tokens of its destructor callbacks, as they were registered

    // Of a memory object:
    bool is_image = false;
    bool is_plane = false; // an image of two dimensions
    bool is_part = false;  // of a buffer
    std::optional<Id> parent;
    std::optional<Id> over; // the pointer whose memory it uses
    std::vector<void*> maps;

    // Of a queue:
    bool in_order = true;
    std::vector<Id> pending; // commands that are not over
    std::optional<Id> barrier;

    // Of a program:
    bool is_built = false;

    // Of a kernel:
    Id program = 0;
    std::vector<Argument> arguments;

    // Of an event:
    std::optional<Id> queue; // none: the application's own
    bool is_set = false;     // it has been given its status
    int status = 1;          // above zero: not over
    std::vector<Id> waits;   // that are not over
    std::vector<Id> listed;  // in its wait list: it fails with them
    bool is_spoiled = false; // an event of its wait list failed
    std::vector<Id> uses;    // until it is over
    std::function<int()> outcome;
    std::vector<Listener> listeners;

    [[nodiscard]] bool is_alive() const { return references > 0 || holds > 0; }
    [[nodiscard]] bool is_over() const { return status <= 0; }
};

// A command to be enqueued; all that it names is valid.
struct Command {
    Id queue = 0;
    std::vector<Id> waits; // events
    std::vector<Id> uses;  // memory objects, a kernel
    std::function<int()> outcome;
    bool is_fence = false; // what comes later waits for it
    bool gathers = false;  // without a wait list it waits for all before
};

class Model {
public:
    // With the application's reference. It keeps its context (but of contexts) and these.
    Id add(Kind kind, void* handle, Id context, const std::vector<Id>& keeps);
    Id add_event(const Command& command); // its handle is set when it is known
    Id add_pointer(const Pointer& pointer);

    [[nodiscard]] const std::vector<Thing>& all() const { return things_; }
    [[nodiscard]] Thing& at(Id id) { return things_.at(id); }
    [[nodiscard]] const Thing& at(Id id) const { return things_.at(id); }
    [[nodiscard]] std::vector<Pointer>& pointers() { return pointers_; }

    // False: it has no reference, or has ended.
    bool retain(Id id);
    bool release(Id id);
    void hold(Id id);
    void let_go(Id id);
    // False: it has its status already.
    bool set_status(Id id, int status);
    // Commands run whose events are over, callbacks are called, and so on.
    void progress();
    // A callback that is registered late comes at once.
    void listen(Id event, const Listener& listener);
    void build_is_over(uint64_t token) { due_.push_back({token, 0}); }

    // Callbacks that are to have been called by now: destructor callbacks in their order.
    [[nodiscard]] const std::vector<Call>& due() const { return due_; }
    // Of kernels that are alive.
    [[nodiscard]] bool has_kernels(Id program) const;
    // Whether commands of the context, or of the queue, wait.
    [[nodiscard]] bool is_blocked(Id context_or_queue) const;

    uint64_t next_token = 1;

private:
    void end(Id id);
    void conclude(Id id, int status);
    void call(const Listener& listener, int status);

    std::vector<Thing> things_;
    std::vector<Pointer> pointers_;
    std::vector<Call> due_;
};

} // namespace visor::opencl_model
