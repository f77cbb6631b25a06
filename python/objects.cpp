#include "objects.h"

#include <utility>

namespace visor::python {

py::tuple outcome(visor_status status, const py::object& result) {
    return py::make_tuple(static_cast<int>(status), status == VISOR_OK ? "" : visor_message(), result);
}
py::tuple outcome(visor_status status, const std::string& message, const py::object& result) {
    return py::make_tuple(static_cast<int>(status), message, result);
}

namespace {

py::dict dict_of(const visor_diagnostic& found) {
    py::dict out;
    out["severity"] = found.severity;
    out["file"] = found.file;
    out["rule"] = found.rule;
    out["message"] = found.message;
    out["explanation"] = found.explanation;
    out["page"] = found.page;
    out["located"] = found.located != 0;
    out["offset"] = found.offset;
    out["length"] = found.length;
    out["line"] = found.line;
    out["column"] = found.column;
    return out;
}

} // namespace

py::list list_of(const Diagnostics& diagnostics) {
    py::list out;
    const auto all = diagnostics.all();
    for (uint32_t i = 0; i < all.size(); ++i) {
        py::dict entry = dict_of(all[i]);
        py::list notes;
        for (uint32_t n = 0; n < all[i].note_count; ++n) {
            visor_diagnostic note{};
            note.size = sizeof note;
            visor_diagnostics_note(diagnostics.get(), i, n, &note);
            notes.append(dict_of(note));
        }
        entry["notes"] = notes;
        out.append(entry);
    }
    return out;
}

visor_settings settings_of(const py::dict& given) {
    visor_settings out{};
    out.size = sizeof out;
    for (const auto& [key, value] : given) {
        const auto name = key.cast<std::string>();
        if (name == "engine")
            out.engine = value.cast<int32_t>();
        else if (name == "threads")
            out.threads = value.cast<uint32_t>();
        else if (name == "seed")
            out.seed = value.cast<uint64_t>();
        else if (name == "fuel")
            out.fuel = value.cast<uint64_t>();
        else if (name == "timeout")
            out.timeout = value.cast<double>();
    }
    return out;
}

} // namespace visor::python
