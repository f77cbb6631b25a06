// Contexts with their memory, and programs with their kernels.
#include "objects.h"

#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace visor::python {

namespace {

py::list parameters_of(const CompiledKernel& kernel) {
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

struct LoadedProgram {
    Program handle;
};

struct OpenContext {
    Context handle;

    OpenContext(const std::string& device, const py::dict& settings) {
        visor_settings own = settings_of(settings);
        visor_context_options options{};
        options.size = sizeof options;
        options.device = device.c_str();
        options.settings = &own;
        visor_context context = nullptr;
        if (visor_context_create(&options, &context) != VISOR_OK)
            throw py::value_error(visor_message());
        handle = Context(context);
    }

    py::tuple load(const std::string& name, const py::bytes& content, const std::string& compiler_options,
                   const std::vector<std::string>& folders, bool source_lines, const std::string& compiler) {
        std::vector<const char*> paths;
        for (const std::string& folder : folders)
            paths.push_back(folder.c_str());
        visor_program_options options{};
        options.size = sizeof options;
        options.compiler = compiler.c_str();
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
        const Diagnostics messages(diagnostics);
        const py::list found = diagnostics == nullptr ? py::list() : list_of(messages);
        if (status != VISOR_OK)
            return outcome(status, message, found);
        auto out = std::make_unique<LoadedProgram>();
        out->handle = Program(program);
        return outcome(status, py::cast(std::move(out)));
    }

    py::tuple buffer(size_t bytes, const py::object& content) {
        std::optional<Content> given;
        if (!content.is_none())
            given.emplace(content);
        if (given && given->size() < bytes)
            throw py::value_error("the content is smaller than the buffer");
        auto out = std::make_unique<MappedBuffer>();
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
        out->handle = Owned<visor_buffer, visor_buffer_release>(made);
        out->bytes = bytes;
        out->owner = handle.get();
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
        auto out = std::make_unique<Pixels>();
        out->handle = Image(made);
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
        auto out = std::make_unique<Reading>();
        out->handle = Sampler(made);
        return outcome(status, py::cast(std::move(out)));
    }
};

py::tuple kernel_of(const LoadedProgram& program, const std::string& name) {
    auto found = program.handle.kernel(name.c_str());
    if (!found)
        return outcome(found.error().status);
    auto out = std::make_unique<CompiledKernel>();
    out->handle = std::move(*found);
    return outcome(VISOR_OK, py::cast(std::move(out)));
}

} // namespace

void define_programs(py::module_& m) {
    py::class_<CompiledKernel>(m, "Kernel")
        .def_property_readonly("name", [](const CompiledKernel& self) { return self.handle.facts().name; })
        .def_property_readonly("signature",
                               [](const CompiledKernel& self) { return self.handle.facts().signature; })
        .def_property_readonly("simd", [](const CompiledKernel& self) { return self.handle.facts().simd; })
        .def_property_readonly(
            "hand_written", [](const CompiledKernel& self) { return self.handle.facts().hand_written != 0; })
        .def("parameters", parameters_of);
    py::class_<LoadedProgram>(m, "Program")
        .def("kernels", [](const LoadedProgram& self) { return self.handle.kernels(); })
        .def("kernel", kernel_of);
    py::class_<OpenContext>(m, "Context")
        .def(py::init<const std::string&, const py::dict&>())
        .def("load", &OpenContext::load)
        .def("buffer", &OpenContext::buffer)
        .def("image", &OpenContext::image)
        .def("sampler", &OpenContext::sampler)
        .def("owns", [](const OpenContext& self, const MappedBuffer& buffer) {
            return buffer.owner == self.handle.get();
        });
}

} // namespace visor::python
