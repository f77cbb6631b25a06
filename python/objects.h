// What the files of the extension module share: outcomes of calls as tuples, and the objects that stand for
// device memory and the arguments of launches.
#pragma once

#include <visor/visor.hpp>

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace visor::python {

namespace py = pybind11;

// What every call that can fail gives back: status, words, result (None when there is none).
py::tuple outcome(visor_status status, const py::object& result = py::none());
py::tuple outcome(visor_status status, const std::string& message, const py::object& result);

// A dict for each message.
py::list list_of(const Diagnostics& diagnostics);

struct MappedBuffer {
    Owned<visor_buffer, visor_buffer_release> handle;
    visor_context owner = nullptr; // told from others, never used
    size_t bytes = 0;
    void* memory = nullptr;
};
struct Pixels {
    Image handle;
    size_t bytes = 0;
};
struct Reading {
    Sampler handle;
};
struct LocalBytes {
    size_t bytes = 0;
};
struct Filler {
    int32_t kind = 0;
};
struct CompiledKernel {
    Kernel handle;
};

visor_settings settings_of(const py::dict& given);

// The bytes of anything that lies in memory in one piece; Python's own error when it does not.
struct Content {
    explicit Content(const py::handle& object, int flags = PyBUF_C_CONTIGUOUS) {
        if (PyObject_GetBuffer(object.ptr(), &view, flags) != 0)
            throw py::error_already_set();
    }
    ~Content() { PyBuffer_Release(&view); }
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;
    Content(Content&&) = delete;
    Content& operator=(Content&&) = delete;
    [[nodiscard]] size_t size() const { return static_cast<size_t>(view.len); }
    Py_buffer view{};
};

void define_memory(py::module_& m);   // memory.cpp
void define_launches(py::module_& m); // launch.cpp
void define_programs(py::module_& m); // program.cpp
void define_code(py::module_& m);     // code.cpp
void define_foreign(py::module_& m);  // foreign.cpp

} // namespace visor::python
