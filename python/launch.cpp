// Runs a kernel to its end: Python's arguments, shape and options as the C API takes them, and Python's own
// callbacks. Other Python threads run meanwhile.
#include "launch.h"

#include "interrupt.h"
#include "listen.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace visor::python {

namespace {

bool is_main_thread() {
    static const auto main =
        py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    return PyThread_get_thread_ident() == main;
}

class Arguments {
public:
    // Pairs of target and value: None is the next parameter, a text its name, else a visor_target and index.
    explicit Arguments(const py::list& given) {
        all_.reserve(given.size());
        names_.reserve(given.size());
        for (const py::handle& entry : given) {
            const auto pair = py::reinterpret_borrow<py::tuple>(entry);
            visor_argument& argument = all_.emplace_back(visor_argument{});
            if (py::isinstance<py::str>(pair[0])) {
                argument.target = VISOR_TARGET_NAME;
                argument.name = names_.emplace_back(pair[0].cast<std::string>()).c_str();
            } else if (!pair[0].is_none()) {
                const auto place = pair[0].cast<std::pair<int32_t, uint32_t>>();
                argument.target = place.first;
                argument.index = place.second;
            }
            set(argument, pair[1]);
        }
    }
    [[nodiscard]] const std::vector<visor_argument>& all() const { return all_; }

private:
    void set(visor_argument& argument, const py::handle& value) {
        if (value.is_none()) {
            argument.kind = VISOR_ARGUMENT_BUFFER;
        } else if (PyBytes_Check(value.ptr())) { // by value, as most are
            argument.kind = VISOR_ARGUMENT_BYTES;
            argument.data = PyBytes_AS_STRING(value.ptr());
            argument.bytes = static_cast<size_t>(PyBytes_GET_SIZE(value.ptr()));
        } else if (py::isinstance<MappedBuffer>(value)) {
            argument.kind = VISOR_ARGUMENT_BUFFER;
            argument.buffer = value.cast<MappedBuffer&>().handle.get();
        } else if (py::isinstance<Pixels>(value)) {
            argument.kind = VISOR_ARGUMENT_IMAGE;
            argument.image = value.cast<Pixels&>().handle.get();
        } else if (py::isinstance<Reading>(value)) {
            argument.kind = VISOR_ARGUMENT_SAMPLER;
            argument.sampler = value.cast<Reading&>().handle.get();
        } else if (py::isinstance<LocalBytes>(value)) {
            argument.kind = VISOR_ARGUMENT_LOCAL;
            argument.bytes = value.cast<LocalBytes&>().bytes;
        } else if (py::isinstance<Filler>(value)) {
            argument.kind = VISOR_ARGUMENT_FILLER;
            argument.filler = value.cast<Filler&>().kind;
        } else {
            const Content& content = *held_.emplace_back(std::make_unique<Content>(value));
            argument.kind = VISOR_ARGUMENT_BYTES;
            argument.data = content.view.buf;
            argument.bytes = content.size();
        }
    }

    std::vector<visor_argument> all_;
    std::vector<std::string> names_;
    std::vector<std::unique_ptr<Content>> held_;
};

// A whole number, or up to `most` of them; None is none. How many there were.
template <class T>
uint32_t numbers(const py::handle& given, T* out, uint32_t most) {
    if (given.is_none())
        return 0;
    if (PyIndex_Check(given.ptr()) != 0) {
        *out = given.cast<T>();
        return 1;
    }
    uint32_t count = 0;
    for (const py::handle& number : given) {
        if (count < most)
            out[count] = number.cast<T>();
        ++count;
    }
    return count;
}

visor_shape shape_of(const py::tuple& given) {
    visor_shape out{};
    out.size = sizeof out;
    out.dimensions = numbers(given[0], out.global, 3);
    numbers(given[1], out.local, 3);
    numbers(given[2], out.offset, 3);
    numbers(given[3], out.groups, 3);
    numbers(given[4], &out.hw_threads, 1);
    numbers(given[5], &out.simd, 1);
    numbers(given[6], &out.slm_bytes, 1);
    return out;
}

// What the C API's options point to; stays where it is.
struct Options {
    visor_launch_options asked{};
    visor_settings settings{};
    visor_watch watch{};
    std::string suppressions;
    std::string capture;
    std::vector<std::string> names;
    std::vector<visor_register_request> registers;
    Listeners listeners;

    Options(const py::dict& given, RanLaunch& launch) {
        asked.size = sizeof asked;
        if (given.empty())
            return;
        if (given.contains("settings")) {
            settings = settings_of(given["settings"]);
            asked.settings = &settings;
        }
        if (given.contains("checks"))
            asked.checks = given["checks"].cast<uint32_t>();
        asked.costs = given.contains("costs") ? 1 : 0;
        if (given.contains("suppressions")) {
            suppressions = given["suppressions"].cast<std::string>();
            asked.suppressions = suppressions.c_str();
        }
        if (given.contains("capture")) {
            capture = given["capture"].cast<std::string>();
            asked.capture = capture.c_str();
        }
        if (given.contains("debugger"))
            set_debugger(given["debugger"]);
        if (given.contains("registers"))
            set_registers(given["registers"]);
        listeners.set(given, watch, launch.trace);
        if (watch.size != 0)
            asked.watch = &watch;
    }
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;
    Options(Options&&) = delete;
    Options& operator=(Options&&) = delete;
    ~Options() = default;

private:
    // Triples: name, group, hardware thread.
    void set_registers(const py::list& given) {
        names.reserve(given.size());
        for (const py::handle& entry : given) {
            const auto triple = py::reinterpret_borrow<py::tuple>(entry);
            registers.push_back({.name = names.emplace_back(triple[0].cast<std::string>()).c_str(),
                                 .group = triple[1].cast<uint64_t>(),
                                 .thread = triple[2].cast<uint32_t>()});
        }
        asked.registers = registers.data();
        asked.register_count = registers.size();
    }
    // Its kind, and its port.
    void set_debugger(const py::handle& chosen) {
        const auto pair = py::cast<py::tuple>(chosen);
        asked.debugger = pair[0].cast<int32_t>();
        asked.debugger_port = pair[1].cast<uint32_t>();
    }
};

// Ctrl-C stops it.
py::tuple run(const CompiledKernel& kernel, const py::list& values, const py::tuple& shape,
              const py::dict& options) {
    const Arguments arguments(values);
    const visor_shape size = shape_of(shape);
    auto out = std::make_unique<RanLaunch>();
    Options given(options, *out);
    visor_launch launch = nullptr;
    visor_status status = VISOR_OK;
    std::string message;
    {
        std::optional<Interrupts> interrupts;
        if (is_main_thread()) {
            interrupts.emplace();
            given.asked.began = Interrupts::launch_began;
        }
        const py::gil_scoped_release others;
        status = visor_launch_run(kernel.handle.get(), arguments.all().data(), arguments.all().size(), &size,
                                  &given.asked, &launch);
        if (status != VISOR_OK)
            message = visor_message();
    }
    out->handle = Launch(launch);
    if (PyErr_CheckSignals() != 0)
        throw py::error_already_set();
    given.listeners.rethrow();
    return outcome(status, message, launch == nullptr ? py::none() : py::cast(std::move(out)));
}

} // namespace

void define_launches(py::module_& m) {
    define_results(m);
    define_events(m);
    m.def("run", run);
}

} // namespace visor::python
