// Device memory as Python sees it: buffers with the buffer protocol, pixels, and what arguments are made of.
#include "objects.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace visor::python {

namespace {

// Copies between an array and the buffer's memory, for who has the buffer to itself: nothing waits for its
// turn. As many bytes as both have.
void copy_to(const MappedBuffer& self, const py::object& array) {
    const Content into(array, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
    if (const size_t bytes = std::min(into.size(), self.bytes); bytes != 0)
        std::memcpy(into.view.buf, self.memory, bytes);
}
void copy_from(const MappedBuffer& self, const py::object& array) {
    const Content from(array);
    if (const size_t bytes = std::min(from.size(), self.bytes); bytes != 0)
        std::memcpy(self.memory, from.view.buf, bytes);
}

// Whether an array lies in the buffer and is all of it.
bool is_all(const MappedBuffer& self, const py::object& array) {
    Py_buffer view{};
    if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_C_CONTIGUOUS) != 0) {
        PyErr_Clear();
        return false;
    }
    const bool all = view.buf == self.memory && static_cast<size_t>(view.len) == self.bytes;
    PyBuffer_Release(&view);
    return all;
}

// Where the array's first element lies; 0 when it does not say.
uintptr_t address_of(const py::object& array) {
    Py_buffer view{};
    if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_STRIDES) != 0) {
        PyErr_Clear();
        return 0;
    }
    const auto address = reinterpret_cast<uintptr_t>(view.buf);
    PyBuffer_Release(&view);
    return address;
}

py::tuple pixels_of(const Pixels& self) {
    std::string pixels(self.bytes, '\0');
    const visor_status status = visor_image_read(self.handle.get(), pixels.size(), pixels.data());
    return outcome(status, py::bytes(pixels));
}

// By visor_filler, as the package names them.
constexpr std::array<std::string_view, 5> filler_names{"lid_x", "lid_y", "lid_z", "lane", "tid"};

Filler filler_of(int32_t kind) {
    if (kind < 0 || static_cast<size_t>(kind) >= filler_names.size())
        throw py::value_error("there is no such filler");
    return {kind};
}

} // namespace

void define_memory(py::module_& m) {
    py::class_<MappedBuffer>(m, "Buffer", py::buffer_protocol())
        .def_readonly("bytes", &MappedBuffer::bytes)
        .def_buffer([](MappedBuffer& self) {
            return py::buffer_info(static_cast<uint8_t*>(self.memory), static_cast<py::ssize_t>(self.bytes));
        })
        .def("is_all", is_all)
        .def("copy_from", copy_from)
        .def("copy_to", copy_to);
    m.def("address_of", address_of);
    py::class_<Pixels>(m, "Image").def("read", pixels_of);
    const py::class_<Reading> sampler(m, "Sampler");
    py::class_<LocalBytes>(m, "Local")
        .def(py::init([](size_t bytes) { return LocalBytes{bytes}; }))
        .def("__repr__",
             [](const LocalBytes& self) { return py::str("visor.local({})").format(self.bytes); });
    py::class_<Filler>(m, "Filler").def(py::init(&filler_of)).def("__repr__", [](const Filler& self) {
        return "visor." + std::string(filler_names.at(static_cast<size_t>(self.kind)));
    });
}

} // namespace visor::python
