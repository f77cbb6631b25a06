// Python functions that hear of a launch's instructions and memory messages while it runs, and what keeps its
// trace.
#pragma once

#include "objects.h"

#include <exception>
#include <string>

namespace visor::python {

class Listeners {
public:
    // What `on_instruction`, `on_memory` and `trace` of the options ask for; `watch` stays as it is when they
    // ask for nothing. Must stay where it is while the launch runs.
    void set(const py::dict& given, visor_watch& watch, std::string& trace);
    // The error that a function has ended the launch with.
    void rethrow() const;

private:
    static int instruction(void* user, const visor_instruction_event* event);
    static int memory(void* user, const visor_memory_event* event);
    static int keep(void* user, const char* lines, size_t bytes);
    template <class Event>
    int tell(const py::object& listener, const Event& event);

    py::object on_instruction_;
    py::object on_memory_;
    std::string* trace_ = nullptr;
    std::exception_ptr failure_;
};

void define_events(py::module_& m);

} // namespace visor::python
