#include "listen.h"

#include <pybind11/stl.h>

#include <array>
#include <utility>
#include <vector>

namespace visor::python {

namespace {

// With addresses of its own: the caller's are good during the call only.
struct MemoryAccess {
    visor_memory_event event{};
    std::vector<uint64_t> addresses;
};

py::tuple group_of(const uint32_t (&group)[3]) {
    return py::make_tuple(group[0], group[1], group[2]);
}

const char* space_of(const MemoryAccess& access) {
    constexpr std::array names{"flat", "surface", "slm", "scratch"};
    return names.at(static_cast<size_t>(access.event.space));
}

const char* kind_of(const MemoryAccess& access) {
    constexpr std::array names{"read", "write", "atomic"};
    return names.at(static_cast<size_t>(access.event.access));
}

} // namespace

void Listeners::set(const py::dict& given, visor_watch& watch, std::string& trace) {
    const auto listens = [&](const char* name, py::object& listener) {
        if (!given.contains(name))
            return false;
        listener = given[name];
        return true;
    };
    if (listens("on_instruction", on_instruction_))
        watch.instruction = instruction;
    if (listens("on_memory", on_memory_))
        watch.memory = memory;
    if (given.contains("trace")) {
        trace_ = &trace;
        watch.trace = keep;
    }
    if (watch.instruction == nullptr && watch.memory == nullptr && watch.trace == nullptr)
        return;
    watch.size = sizeof watch;
    watch.user = this;
}

void Listeners::rethrow() const {
    if (failure_)
        std::rethrow_exception(failure_);
}

// Anything but 0 stops the launch.
template <class Event>
int Listeners::tell(const py::object& listener, const Event& event) {
    if (failure_)
        return 1;
    const py::gil_scoped_acquire python;
    try {
        return py::bool_(listener(event)) ? 1 : 0;
    } catch (...) {
        failure_ = std::current_exception();
        return 1;
    }
}

int Listeners::instruction(void* user, const visor_instruction_event* event) {
    Listeners& self = *static_cast<Listeners*>(user);
    return self.tell(self.on_instruction_, *event);
}

int Listeners::memory(void* user, const visor_memory_event* event) {
    Listeners& self = *static_cast<Listeners*>(user);
    return self.tell(self.on_memory_,
                     MemoryAccess{*event, {event->addresses, event->addresses + event->address_count}});
}

int Listeners::keep(void* user, const char* lines, size_t bytes) {
    static_cast<Listeners*>(user)->trace_->append(lines, bytes);
    return 0;
}

void define_events(py::module_& m) {
    using Instruction = visor_instruction_event;
    py::class_<Instruction>(m, "Instruction")
        .def_property_readonly("group", [](const Instruction& self) { return group_of(self.group); })
        .def_readonly("thread", &Instruction::thread)
        .def_readonly("index", &Instruction::index)
        .def_readonly("lanes", &Instruction::lanes)
        .def_property_readonly("mnemonic", [](const Instruction& self) { return self.mnemonic; })
        .def("__repr__", [](const Instruction& self) {
            return py::str("<visor.Instruction {} of thread {} in group {}, lanes {:#x}>")
                .format(self.mnemonic, self.thread, group_of(self.group), self.lanes);
        });
    py::class_<MemoryAccess>(m, "MemoryAccess")
        .def_property_readonly("group", [](const MemoryAccess& self) { return group_of(self.event.group); })
        .def_property_readonly("thread", [](const MemoryAccess& self) { return self.event.thread; })
        .def_property_readonly("index", [](const MemoryAccess& self) { return self.event.index; })
        .def_property_readonly("lanes", [](const MemoryAccess& self) { return self.event.lanes; })
        .def_property_readonly("dropped", [](const MemoryAccess& self) { return self.event.dropped; })
        .def_property_readonly("space", space_of)
        .def_property_readonly("access", kind_of)
        .def_property_readonly("surface", [](const MemoryAccess& self) { return self.event.surface; })
        .def_property_readonly("bytes", [](const MemoryAccess& self) { return self.event.bytes; })
        .def_readonly("addresses", &MemoryAccess::addresses)
        .def("__repr__", [](const MemoryAccess& self) {
            return py::str("<visor.MemoryAccess {} of {} bytes a lane by thread {} in group {}, lanes {:#x}>")
                .format(kind_of(self), self.event.bytes, self.event.thread, group_of(self.event.group),
                        self.event.lanes);
        });
}

} // namespace visor::python
