// What needs no context of the caller's: checking and translating code, the instruction reference, launch
// files.
#include "objects.h"

#include <pybind11/stl.h>

#include <exception>
#include <string_view>

namespace visor::python {

namespace {

struct CodeWords {
    std::string device;
    std::string options;
    visor_code_options given{};
    CodeWords(std::string on, std::string with) : device(std::move(on)), options(std::move(with)) {
        given.size = sizeof given;
        given.device = device.empty() ? nullptr : device.c_str();
        given.compiler_options = options.c_str();
    }
    CodeWords(const CodeWords&) = delete;
    CodeWords& operator=(const CodeWords&) = delete;
    CodeWords(CodeWords&&) = delete;
    CodeWords& operator=(CodeWords&&) = delete;
    ~CodeWords() = default;
};

py::tuple check(const std::string& name, const py::bytes& content, const std::string& device, int32_t profile,
                bool snippet, bool werror, const std::string& options) {
    CodeWords words(device, options);
    words.given.profile = profile;
    words.given.snippet = snippet ? 1 : 0;
    words.given.werror = werror ? 1 : 0;
    const std::string_view text = content;
    visor_diagnostics found = nullptr;
    const visor_status status = visor_check(name.c_str(), text.data(), text.size(), &words.given, &found);
    const Diagnostics diagnostics(found);
    return outcome(status, status == VISOR_OK ? list_of(diagnostics) : py::list());
}

py::tuple translate(bool to_binary, const std::string& name, const py::bytes& content,
                    const std::string& device, const std::string& options) {
    const CodeWords words(device, options);
    const std::string_view text = content;
    visor_bytes made = nullptr;
    visor_diagnostics found = nullptr;
    const visor_status status = (to_binary ? visor_assemble : visor_disassemble)(
        name.c_str(), text.data(), text.size(), &words.given, &made, &found);
    const Bytes bytes(made);
    const Diagnostics diagnostics(found);
    if (status == VISOR_OK)
        return outcome(status, py::bytes(bytes.text().data(), bytes.text().size()));
    const std::string message = visor_message();
    return outcome(status, message, found == nullptr ? py::list() : list_of(diagnostics));
}

// What Python says of a smaller text. Its exception waits for the end: it must not pass through C.
struct Question {
    py::function interesting;
    std::exception_ptr raised;
};

int32_t ask(void* user, const char* text, size_t bytes) {
    auto& question = *static_cast<Question*>(user);
    try {
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        const bool yes = py::cast<bool>(py::bool_(question.interesting(py::str(text, bytes))));
        return yes ? VISOR_INTERESTING : VISOR_BORING;
    } catch (...) {
        question.raised = std::current_exception();
        return VISOR_STOP;
    }
}

py::tuple reduce(const std::string& name, const py::bytes& content, py::function interesting,
                 const std::string& device) {
    const CodeWords words(device, "");
    const std::string_view text = content;
    Question question{std::move(interesting), nullptr};
    visor_bytes made = nullptr;
    const visor_status status =
        visor_reduce(name.c_str(), text.data(), text.size(), &words.given, ask, &question, &made, nullptr);
    const Bytes bytes(made);
    if (question.raised)
        std::rethrow_exception(question.raised);
    if (status != VISOR_OK)
        return outcome(status, py::list());
    return outcome(status, py::bytes(bytes.text().data(), bytes.text().size()));
}

py::tuple diff(const std::string& first_name, const py::bytes& first, const std::string& second_name,
               const py::bytes& second, const std::string& kernel, const std::string& device,
               const std::string& options, uint32_t most, uint32_t runs) {
    CodeWords words(device, options);
    words.given.runs = runs;
    const std::string_view a = first;
    const std::string_view b = second;
    int32_t equal = 0;
    visor_bytes made = nullptr;
    const visor_status status =
        visor_diff(first_name.c_str(), a.data(), a.size(), second_name.c_str(), b.data(), b.size(),
                   &words.given, kernel.c_str(), most, &equal, &made);
    const Bytes json(made);
    if (status != VISOR_OK)
        return outcome(status, py::list());
    return outcome(status, py::bytes(json.text().data(), json.text().size()));
}

py::tuple emit(const std::string& name, const py::bytes& content, int32_t what, const std::string& device,
               const std::string& options) {
    const CodeWords words(device, options);
    const std::string_view text = content;
    visor_bytes made = nullptr;
    const visor_status status =
        visor_compile(name.c_str(), text.data(), text.size(), what, &words.given, &made, nullptr);
    const Bytes bytes(made);
    if (status != VISOR_OK)
        return outcome(status, py::list());
    return outcome(status, py::bytes(bytes.text().data(), bytes.text().size()));
}

py::tuple isa(const std::string& name, int32_t table, bool page) {
    visor_bytes made = nullptr;
    const char* const wanted = name.empty() ? nullptr : name.c_str();
    const visor_status status = page ? visor_isa_page(wanted, &made) : visor_isa_json(table, wanted, &made);
    const Bytes bytes(made);
    return outcome(status, status == VISOR_OK ? py::object(py::str(std::string(bytes.text()))) : py::none());
}

py::list devices() {
    py::list out;
    visor_device_info info{};
    info.size = sizeof info;
    for (uint32_t i = 0; visor_device(i, &info) == VISOR_OK; ++i)
        out.append(info.name);
    return out;
}

std::string find_device(const std::string& name, const py::bytes& content) {
    const std::string_view text = content;
    const char* device = nullptr;
    if (visor_find_device(name.c_str(), text.data(), text.size(), &device) != VISOR_OK)
        throw py::value_error(visor_message());
    return device;
}

// A launch file, from its beginning to its end.
py::tuple run_file(const std::string& path, const std::string& device, const std::string& compiler_options,
                   const py::dict& settings, uint32_t checks, const std::string& capture,
                   const std::string& capture_launches, uint64_t capture_limit) {
    const visor_settings own = settings_of(settings);
    visor_file_options options{};
    options.size = sizeof options;
    options.device = device.empty() ? nullptr : device.c_str();
    options.compiler_options = compiler_options.c_str();
    options.settings = &own;
    options.checks = checks;
    options.capture = capture.c_str();
    options.capture_launches = capture_launches.c_str();
    options.capture_limit = capture_limit;
    visor_bytes made = nullptr;
    visor_status status = VISOR_OK;
    std::string message;
    {
        const py::gil_scoped_release others;
        status = visor_file_run(path.c_str(), &options, &made);
        if (status != VISOR_OK)
            message = visor_message();
    }
    const Bytes report(made);
    return outcome(status, message,
                   made == nullptr ? py::none() : py::object(py::str(std::string(report.text()))));
}

} // namespace

void define_code(py::module_& m) {
    m.def("devices", devices);
    m.def("find_device", find_device);
    m.def("check", check);
    m.def("translate", translate);
    m.def("diff", diff);
    m.def("reduce", reduce);
    m.def("emit", emit);
    m.def("isa", isa);
    m.def("run_file", run_file);
}

} // namespace visor::python
