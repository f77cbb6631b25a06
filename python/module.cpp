// The C API as Python objects, one to one: statuses and their words come back as values, and the package in
// visor/ makes exceptions of them. Calls that may take long let other Python threads run.
#include <visor/visor.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace py = pybind11;

namespace {

// What every call that can fail gives back: status, words, result (None when there is none).
py::tuple outcome(visor_status status, py::object result = py::none()) {
    return py::make_tuple(static_cast<int>(status), status == VISOR_OK ? "" : visor_message(),
                          std::move(result));
}
py::tuple outcome(visor_status status, const std::string& message, py::object result) {
    return py::make_tuple(static_cast<int>(status), message, std::move(result));
}

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

py::list list_of(const visor::Diagnostics& diagnostics) {
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

struct Buffer {
    visor::Owned<visor_buffer, visor_buffer_release> handle;
    size_t bytes = 0;
    void* memory = nullptr;
};
struct Image {
    visor::Image handle;
    size_t bytes = 0;
};
struct Sampler {
    visor::Sampler handle;
};
struct Local {
    size_t bytes = 0;
};
struct Filler {
    int32_t kind = 0;
};

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

// The bytes of anything that lies in memory in one piece.
struct Content {
    explicit Content(const py::handle& object) {
        if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_C_CONTIGUOUS) != 0)
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

// ---- Ctrl-C ----

// A signal handler has nothing else to reach.
std::atomic<bool> interrupted{false};
struct sigaction python_handler{};

extern "C" void on_interrupt(int signal, siginfo_t* info, void* context) {
    interrupted = true;
    if ((python_handler.sa_flags & SA_SIGINFO) != 0)
        python_handler.sa_sigaction(signal, info, context);
    else
        python_handler.sa_handler(signal);
}

// Hears of Ctrl-C before Python's own handler does, while the main thread is in a launch.
class Interrupts {
public:
    Interrupts() {
        interrupted = false;
        sigaction(SIGINT, nullptr, &python_handler);
        const bool somebodys = (python_handler.sa_flags & SA_SIGINFO) != 0 ||
                               (python_handler.sa_handler != SIG_DFL && python_handler.sa_handler != SIG_IGN);
        if (!somebodys)
            return;
        struct sigaction ours{};
        ours.sa_sigaction = on_interrupt;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
    }
    ~Interrupts() {
        if (installed_)
            sigaction(SIGINT, &python_handler, nullptr);
    }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    Interrupts(Interrupts&&) = delete;
    Interrupts& operator=(Interrupts&&) = delete;

private:
    bool installed_ = false;
};

// Stops the main thread's launch when a signal came; looks after it as long as there are launches, and sleeps
// otherwise. Lives as long as the process.
class Watchman {
public:
    static Watchman& get() {
        static Watchman& one = *new Watchman;
        return one;
    }
    void began(visor_launch launch) {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            launch_ = launch;
            wake = asleep_;
            if (!running_) {
                std::thread([this] { watch(); }).detach();
                running_ = true;
            }
        }
        if (wake)
            changed_.notify_one();
    }
    void ended() {
        const std::lock_guard lock(mutex_);
        launch_ = nullptr;
    }

private:
    void watch() {
        using namespace std::chrono_literals;
        std::unique_lock lock(mutex_);
        for (int idle = 0;; idle = launch_ == nullptr ? idle + 1 : 0) {
            if (launch_ != nullptr && interrupted)
                visor_launch_stop(launch_);
            constexpr int patience = 20;
            asleep_ = launch_ == nullptr && idle > patience;
            if (asleep_)
                changed_.wait(lock, [&] { return launch_ != nullptr; });
            else
                changed_.wait_for(lock, 50ms, [] { return false; });
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    visor_launch launch_ = nullptr;
    bool asleep_ = false;
    bool running_ = false;
};

void launch_began(void* /*user*/, visor_launch launch) {
    Watchman::get().began(launch);
}

bool is_main_thread() {
    static const auto main =
        py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    return PyThread_get_thread_ident() == main;
}

// ---- launches ----

struct Launch {
    visor::Launch handle;
    std::string trace;
};

py::dict report_of(const Launch& launch) {
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

py::dict fault_of(const Launch& launch) {
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

py::list findings_of(const Launch& launch) {
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

py::list registers_of(const Launch& launch) {
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

int keep_trace(void* user, const char* lines, size_t bytes) {
    static_cast<std::string*>(user)->append(lines, bytes);
    return 0;
}

// ---- programs ----

struct Kernel {
    visor::Kernel handle;

    // Runs it to its end; Ctrl-C stops it.
    py::tuple run(const py::list& values, const py::dict& shape, const py::dict& options) {
        std::vector<visor_argument> arguments;
        std::vector<std::unique_ptr<Content>> held;
        std::vector<std::string> names;
        names.reserve(values.size());
        for (const py::handle& entry : values) {
            const auto pair = py::reinterpret_borrow<py::tuple>(entry); // target, value
            visor_argument& argument = arguments.emplace_back();
            argument = {};
            if (py::isinstance<py::str>(pair[0])) {
                argument.target = VISOR_TARGET_NAME;
                argument.name = names.emplace_back(pair[0].cast<std::string>()).c_str();
            } else if (!pair[0].is_none()) {
                const auto place = pair[0].cast<std::pair<int32_t, uint32_t>>();
                argument.target = place.first;
                argument.index = place.second;
            }
            set(argument, pair[1], held);
        }
        const auto numbers = [&]<class T>(const char* name, T* out, size_t most) {
            if (!shape.contains(name))
                return size_t{0};
            const auto given = shape[name].cast<std::vector<T>>();
            for (size_t i = 0; i < given.size() && i < most; ++i)
                out[i] = given[i];
            return given.size();
        };
        visor_shape size{};
        size.size = sizeof size;
        size.dimensions = static_cast<uint32_t>(numbers("global", size.global, 3));
        numbers("local", size.local, 3);
        numbers("offset", size.offset, 3);
        numbers("groups", size.groups, 3);
        numbers("hw_threads", &size.hw_threads, 1);
        numbers("simd", &size.simd, 1);
        numbers("slm_bytes", &size.slm_bytes, 1);

        auto out = std::make_unique<Launch>();
        visor_launch_options asked{};
        asked.size = sizeof asked;
        visor_settings settings{};
        std::string suppressions;
        std::vector<visor_register_request> registers;
        visor_watch watch{};
        watch.size = sizeof watch;
        if (options.contains("settings")) {
            settings = settings_of(options["settings"]);
            asked.settings = &settings;
        }
        if (options.contains("checks"))
            asked.checks = options["checks"].cast<uint32_t>();
        if (options.contains("count"))
            asked.count = options["count"].cast<bool>() ? 1 : 0;
        if (options.contains("suppressions")) {
            suppressions = options["suppressions"].cast<std::string>();
            asked.suppressions = suppressions.c_str();
        }
        std::vector<std::string> wanted;
        if (options.contains("registers"))
            wanted = options["registers"].cast<std::vector<std::string>>();
        for (const std::string& name : wanted)
            registers.push_back({.name = name.c_str(), .group = 0, .thread = 0});
        asked.registers = registers.data();
        asked.register_count = registers.size();
        if (options.contains("trace") && options["trace"].cast<bool>()) {
            watch.user = &out->trace;
            watch.trace = keep_trace;
            asked.watch = &watch;
        }
        visor_launch launch = nullptr;
        visor_status status = VISOR_OK;
        std::string message;
        {
            std::optional<Interrupts> interrupts;
            if (is_main_thread()) {
                interrupts.emplace();
                asked.began = launch_began;
            }
            const py::gil_scoped_release others;
            status =
                visor_launch_run(handle.get(), arguments.data(), arguments.size(), &size, &asked, &launch);
            if (status != VISOR_OK)
                message = visor_message();
            if (interrupts)
                Watchman::get().ended();
        }
        out->handle = visor::Launch(launch);
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        return outcome(status, message, launch == nullptr ? py::none() : py::cast(std::move(out)));
    }

private:
    static void set(visor_argument& argument, const py::handle& value,
                    std::vector<std::unique_ptr<Content>>& held) {
        if (value.is_none()) {
            argument.kind = VISOR_ARGUMENT_BUFFER;
        } else if (py::isinstance<Buffer>(value)) {
            argument.kind = VISOR_ARGUMENT_BUFFER;
            argument.buffer = value.cast<Buffer&>().handle.get();
        } else if (py::isinstance<Image>(value)) {
            argument.kind = VISOR_ARGUMENT_IMAGE;
            argument.image = value.cast<Image&>().handle.get();
        } else if (py::isinstance<Sampler>(value)) {
            argument.kind = VISOR_ARGUMENT_SAMPLER;
            argument.sampler = value.cast<Sampler&>().handle.get();
        } else if (py::isinstance<Local>(value)) {
            argument.kind = VISOR_ARGUMENT_LOCAL;
            argument.bytes = value.cast<Local&>().bytes;
        } else if (py::isinstance<Filler>(value)) {
            argument.kind = VISOR_ARGUMENT_FILLER;
            argument.filler = value.cast<Filler&>().kind;
        } else {
            const Content& content = *held.emplace_back(std::make_unique<Content>(value));
            argument.kind = VISOR_ARGUMENT_BYTES;
            argument.data = content.view.buf;
            argument.bytes = content.size();
        }
    }
};

py::list parameters_of(const Kernel& kernel) {
    py::list out;
    for (uint32_t i = 0; i < kernel.handle.facts().parameter_count; ++i) {
        visor_parameter_info info{};
        info.size = sizeof info;
        visor_kernel_parameter(kernel.handle.get(), i, &info);
        out.append(py::make_tuple(info.name, info.kind, info.element, info.bytes, info.elements,
                                  info.type_name, info.optional != 0));
    }
    return out;
}

struct Program {
    visor::Program handle;
};

struct Context {
    visor::Context handle;

    Context(const std::string& device, const py::dict& settings) {
        visor_settings own = settings_of(settings);
        visor_context_options options{};
        options.size = sizeof options;
        options.device = device.c_str();
        options.settings = &own;
        visor_context context = nullptr;
        if (visor_context_create(&options, &context) != VISOR_OK)
            throw py::value_error(visor_message());
        handle = visor::Context(context);
    }

    py::tuple load(const std::string& name, const py::bytes& content, const std::string& compiler_options,
                   const std::vector<std::string>& folders, bool source_lines) {
        std::vector<const char*> paths;
        for (const std::string& folder : folders)
            paths.push_back(folder.c_str());
        visor_program_options options{};
        options.size = sizeof options;
        options.compiler_options = compiler_options.c_str();
        options.include_folders = paths.data();
        options.include_folder_count = paths.size();
        options.source_lines = source_lines ? 1 : 0;
        const std::string_view text = content;
        visor_program program = nullptr;
        visor_diagnostics diagnostics = nullptr;
        visor_status status = VISOR_OK;
        std::string message;
        {
            const py::gil_scoped_release others;
            status = visor_program_create(handle.get(), name.c_str(), text.data(), text.size(), &options,
                                          &program, &diagnostics);
            if (status != VISOR_OK)
                message = visor_message();
        }
        const visor::Diagnostics messages(diagnostics);
        const py::list found = diagnostics == nullptr ? py::list() : list_of(messages);
        if (status != VISOR_OK)
            return outcome(status, message, found);
        auto out = std::make_unique<Program>();
        out->handle = visor::Program(program);
        return outcome(status, py::cast(std::move(out)));
    }

    py::tuple buffer(size_t bytes, const py::object& content) {
        std::optional<Content> given;
        if (!content.is_none())
            given.emplace(content);
        if (given && given->size() < bytes)
            throw py::value_error("the content is smaller than the buffer");
        auto out = std::make_unique<Buffer>();
        visor_buffer made = nullptr;
        visor_status status = VISOR_OK;
        std::string message;
        {
            const py::gil_scoped_release others;
            status = visor_buffer_create(handle.get(), bytes, given ? given->view.buf : nullptr, &made);
            if (status == VISOR_OK)
                status = visor_buffer_map(made, &out->memory);
            if (status != VISOR_OK)
                message = visor_message();
        }
        out->handle = visor::Owned<visor_buffer, visor_buffer_release>(made);
        out->bytes = bytes;
        return outcome(status, message, py::cast(std::move(out)));
    }

    py::tuple image(const std::string& format, int32_t shape, const std::array<uint32_t, 4>& size,
                    const py::object& pixels) {
        visor_image_options options{};
        options.size = sizeof options;
        options.format = format.c_str();
        options.shape = shape;
        options.width = size[0];
        options.height = size[1];
        options.depth = size[2];
        options.layers = size[3];
        visor_image made = nullptr;
        visor_status status = visor_image_create(handle.get(), &options, nullptr, &made);
        auto out = std::make_unique<Image>();
        out->handle = visor::Image(made);
        if (status == VISOR_OK)
            status = visor_image_size(made, &out->bytes);
        if (status == VISOR_OK && !pixels.is_none()) {
            const Content content(pixels);
            status = visor_image_write(made, content.size(), content.view.buf);
        }
        return outcome(status, py::cast(std::move(out)));
    }

    py::tuple sampler(int32_t filter, int32_t address, bool normalized) {
        visor_sampler_options options{};
        options.size = sizeof options;
        options.filter = filter;
        options.address = address;
        options.normalized = normalized ? 1 : 0;
        visor_sampler made = nullptr;
        const visor_status status = visor_sampler_create(handle.get(), &options, &made);
        auto out = std::make_unique<Sampler>();
        out->handle = visor::Sampler(made);
        return outcome(status, py::cast(std::move(out)));
    }
};

// ---- code ----

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
    const visor::Diagnostics diagnostics(found);
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
    const visor::Bytes bytes(made);
    const visor::Diagnostics diagnostics(found);
    if (status == VISOR_OK)
        return outcome(status, py::bytes(bytes.text().data(), bytes.text().size()));
    const std::string message = visor_message();
    return outcome(status, message, found == nullptr ? py::list() : list_of(diagnostics));
}

py::tuple emit(const std::string& name, const py::bytes& content, int32_t what, const std::string& device,
               const std::string& options) {
    const CodeWords words(device, options);
    const std::string_view text = content;
    visor_bytes made = nullptr;
    const visor_status status =
        visor_compile(name.c_str(), text.data(), text.size(), what, &words.given, &made, nullptr);
    const visor::Bytes bytes(made);
    if (status != VISOR_OK)
        return outcome(status, py::list());
    return outcome(status, py::bytes(bytes.text().data(), bytes.text().size()));
}

py::tuple isa(const std::string& name, int32_t table, bool page) {
    visor_bytes made = nullptr;
    const char* const wanted = name.empty() ? nullptr : name.c_str();
    const visor_status status = page ? visor_isa_page(wanted, &made) : visor_isa_json(table, wanted, &made);
    const visor::Bytes bytes(made);
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

} // namespace

PYBIND11_MODULE(_visor, m) {
    m.doc() = "The C API of Visor; use the package visor instead";
    m.attr("version") = visor_version();
    m.def("devices", devices);
    m.def("check", check);
    m.def("translate", translate);
    m.def("emit", emit);
    m.def("isa", isa);
    m.def("status_name",
          [](int status) { return visor_status_name(static_cast<visor_status>(status & 0xffff)); });

    py::class_<Buffer>(m, "Buffer", py::buffer_protocol())
        .def_readonly("bytes", &Buffer::bytes)
        .def_property_readonly("memory",
                               [](const Buffer& self) { return reinterpret_cast<uintptr_t>(self.memory); })
        .def_buffer([](Buffer& self) {
            return py::buffer_info(static_cast<uint8_t*>(self.memory), static_cast<py::ssize_t>(self.bytes));
        })
        .def("read_into", [](const Buffer& self, const py::object& array) {
            Py_buffer view{};
            if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0)
                throw py::error_already_set();
            const visor_status status =
                visor_buffer_read(self.handle.get(), 0, static_cast<size_t>(view.len), view.buf);
            PyBuffer_Release(&view);
            return outcome(status);
        });
    py::class_<Image>(m, "Image").def("read", [](const Image& self) {
        std::string pixels(self.bytes, '\0');
        const visor_status status = visor_image_read(self.handle.get(), pixels.size(), pixels.data());
        return outcome(status, py::bytes(pixels));
    });
    py::class_<Sampler>(m, "Sampler");
    py::class_<Local>(m, "Local").def(py::init([](size_t bytes) { return Local{bytes}; }));
    py::class_<Filler>(m, "Filler").def(py::init([](int32_t kind) { return Filler{kind}; }));
    py::class_<Launch>(m, "Launch")
        .def("report", report_of)
        .def("fault", fault_of)
        .def("findings", findings_of)
        .def("registers", registers_of)
        .def("output",
             [](const Launch& self) {
                 return py::bytes(self.handle.output().data(), self.handle.output().size());
             })
        .def("trace", [](const Launch& self) { return self.trace; });
    py::class_<Kernel>(m, "Kernel")
        .def_property_readonly("name", [](const Kernel& self) { return self.handle.facts().name; })
        .def_property_readonly("signature", [](const Kernel& self) { return self.handle.facts().signature; })
        .def_property_readonly("simd", [](const Kernel& self) { return self.handle.facts().simd; })
        .def_property_readonly("hand_written",
                               [](const Kernel& self) { return self.handle.facts().hand_written != 0; })
        .def("parameters", parameters_of)
        .def("run", &Kernel::run);
    py::class_<Program>(m, "Program")
        .def("kernels", [](const Program& self) { return self.handle.kernels(); })
        .def("kernel", [](const Program& self, const std::string& name) {
            auto found = self.handle.kernel(name.c_str());
            if (!found)
                return outcome(found.error().status);
            auto out = std::make_unique<Kernel>();
            out->handle = std::move(*found);
            return outcome(VISOR_OK, py::cast(std::move(out)));
        });
    py::class_<Context>(m, "Context")
        .def(py::init<const std::string&, const py::dict&>())
        .def("load", &Context::load)
        .def("buffer", &Context::buffer)
        .def("image", &Context::image)
        .def("sampler", &Context::sampler);
}
