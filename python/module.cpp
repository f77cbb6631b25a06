// The C API as Python objects, one to one: statuses and their words come back as values, and the package in
// visor/ makes exceptions of them. Calls that may take long let other Python threads run.
#include "objects.h"

PYBIND11_MODULE(_visor, m) {
    using namespace visor::python;
    m.doc() = "The C API of Visor; use the package visor instead";
    m.attr("version") = visor_version();
    m.def("status_name",
          [](int status) { return visor_status_name(static_cast<visor_status>(status & 0xffff)); });
    define_memory(m);
    define_programs(m);
    define_launches(m);
    define_code(m);
    define_foreign(m);
}
