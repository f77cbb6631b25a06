// What came of a launch, as dicts.
#include "launch.h"

#include <string>

namespace visor::python {

namespace {

py::dict report_of(const RanLaunch& launch) {
    const visor_report report = launch.handle.report();
    py::dict out;
    out["native"] = report.native != 0;
    out["local"] = py::make_tuple(report.local[0], report.local[1], report.local[2]);
    out["groups"] = py::make_tuple(report.groups[0], report.groups[1], report.groups[2]);
    out["work_groups"] = report.work_groups;
    out["hardware_threads"] = report.hardware_threads;
    out["instructions"] = report.instructions;
    out["prepare_seconds"] = report.prepare_seconds;
    out["run_seconds"] = report.run_seconds;
    out["fidelity"] = report.fidelity;
    out["fidelity_names"] = report.fidelity_names;
    out["engine_story"] = report.engine_story;
    out["suppressed"] = report.suppressed_count;
    return out;
}

py::dict fault_of(const RanLaunch& launch) {
    const visor_fault fault = launch.handle.fault();
    py::dict out;
    out["kind"] = fault.kind;
    out["detail"] = fault.detail;
    out["function"] = fault.function;
    out["source_file"] = fault.source_file;
    out["source_line"] = fault.source_line;
    out["group"] = py::make_tuple(fault.group[0], fault.group[1], fault.group[2]);
    out["thread"] = fault.thread;
    out["lane"] = fault.lane;
    out["instruction"] = fault.instruction;
    out["address"] = fault.address;
    out["bytes"] = fault.bytes;
    return out;
}

py::dict party_of(const visor_party& party) {
    py::dict out;
    out["group"] = py::make_tuple(party.group[0], party.group[1], party.group[2]);
    out["thread"] = party.thread;
    out["lane"] = party.lane;
    out["doing"] = party.doing;
    out["file"] = party.file;
    out["line"] = party.line;
    out["column"] = party.column;
    out["source_file"] = party.source_file;
    out["source_line"] = party.source_line;
    return out;
}

py::list findings_of(const RanLaunch& launch) {
    py::list all;
    for (const visor_finding& finding : launch.handle.findings()) {
        py::dict out;
        out["checker"] = finding.checker;
        out["rule"] = finding.rule;
        out["message"] = finding.message;
        out["place"] = finding.place;
        out["kernel"] = finding.kernel;
        out["text"] = finding.text;
        out["severity"] = finding.severity;
        out["count"] = finding.count;
        out["party"] = party_of(finding.party);
        out["other"] = finding.has_other != 0 ? py::object(party_of(finding.other)) : py::none();
        all.append(out);
    }
    return all;
}

py::list registers_of(const RanLaunch& launch) {
    py::list all;
    for (uint32_t i = 0; i < launch.handle.report().register_count; ++i) {
        visor_register found{};
        found.size = sizeof found;
        visor_launch_register(launch.handle.get(), i, &found);
        py::dict out;
        out["name"] = found.name;
        out["type"] = found.type;
        out["found"] = found.found != 0;
        out["used"] = found.used != 0;
        out["elements"] = found.elements;
        out["data"] = py::bytes(static_cast<const char*>(found.data), found.bytes);
        all.append(out);
    }
    return all;
}

} // namespace

void define_results(py::module_& m) {
    py::class_<RanLaunch>(m, "Launch")
        .def("report", report_of)
        .def("fault", fault_of)
        .def("findings", findings_of)
        .def("registers", registers_of)
        .def("output",
             [](const RanLaunch& self) {
                 return py::bytes(self.handle.output().data(), self.handle.output().size());
             })
        .def("costs",
             [](const RanLaunch& self, const std::string& format) {
                 visor_bytes made = nullptr;
                 const visor_status status = visor_launch_costs(self.handle.get(), format.c_str(), &made);
                 const Bytes text(made);
                 return outcome(status, status == VISOR_OK ? py::object(py::str(std::string(text.text())))
                                                           : py::none());
             })
        .def("trace", [](const RanLaunch& self) { return self.trace; });
}

} // namespace visor::python
