// Visor's C API for C++23: handles that release themselves, spans, std::expected. Header-only and thin: what
// a call does is told in visor.h, and nothing is done here that the C API does not do. Nothing throws but
// allocation.
#ifndef VISOR_VISOR_HPP
#define VISOR_VISOR_HPP

#include <visor/visor.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace visor {

struct Error {
    visor_status status = VISOR_OK;
    std::string message;
};
template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> last_error(visor_status status) {
    return std::unexpected(Error{status, visor_message()});
}
[[nodiscard]] inline Result<void> done(visor_status status) {
    if (status != VISOR_OK)
        return last_error(status);
    return {};
}

// A handle with one owner.
template <class Handle, visor_status (*release)(Handle)>
class Owned {
public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    ~Owned() { reset(); }
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) {
            reset();
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    [[nodiscard]] Handle get() const { return handle_; }
    [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }
    void reset() {
        if (handle_ != nullptr)
            release(std::exchange(handle_, nullptr));
    }

private:
    Handle handle_ = nullptr;
};

// Text or a binary that a call made.
class Bytes : public Owned<visor_bytes, visor_bytes_release> {
public:
    using Owned::Owned;
    [[nodiscard]] std::string_view text() const {
        const void* data = nullptr;
        size_t count = 0;
        visor_bytes_get(get(), &data, &count);
        return {static_cast<const char*>(data), count};
    }
    [[nodiscard]] std::span<const std::byte> bytes() const {
        const std::string_view all = text();
        return std::as_bytes(std::span(all.data(), all.size()));
    }
};

// Messages about an input.
class Diagnostics : public Owned<visor_diagnostics, visor_diagnostics_release> {
public:
    using Owned::Owned;
    // Their strings live as long as this.
    [[nodiscard]] std::vector<visor_diagnostic> all() const {
        uint32_t count = 0;
        visor_diagnostics_count(get(), &count);
        std::vector<visor_diagnostic> out(count);
        for (uint32_t i = 0; i < count; ++i) {
            out[i].size = sizeof out[i];
            visor_diagnostics_get(get(), i, &out[i]);
        }
        return out;
    }
    [[nodiscard]] std::string_view text() const {
        const char* text = "";
        visor_diagnostics_text(get(), &text);
        return text;
    }
    // Whether nothing is wrong and nothing unsupported.
    [[nodiscard]] bool ok() const {
        for (const visor_diagnostic& found : all())
            if (found.severity == VISOR_ERROR || found.severity == VISOR_UNSUPPORTED)
                return false;
        return true;
    }
};

// Device memory of `size()` elements.
template <class T>
class Buffer : public Owned<visor_buffer, visor_buffer_release> {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default;
    Buffer(visor_buffer handle, size_t count) : Owned(handle), count_(count) {}

    [[nodiscard]] size_t size() const { return count_; }
    [[nodiscard]] Result<void> read(std::span<T> into, size_t first = 0) const {
        return done(visor_buffer_read(get(), first * sizeof(T), into.size_bytes(), into.data()));
    }
    [[nodiscard]] Result<void> write(std::span<const T> from, size_t first = 0) {
        return done(visor_buffer_write(get(), first * sizeof(T), from.size_bytes(), from.data()));
    }
    [[nodiscard]] Result<std::vector<T>> to_vector() const {
        std::vector<T> out(count_);
        if (const auto read_all = read(out); !read_all)
            return std::unexpected(read_all.error());
        return out;
    }
    // The memory itself; see visor_buffer_map.
    [[nodiscard]] Result<std::span<T>> map() const {
        void* memory = nullptr;
        if (const visor_status status = visor_buffer_map(get(), &memory); status != VISOR_OK)
            return last_error(status);
        return std::span<T>(static_cast<T*>(memory), count_);
    }

private:
    size_t count_ = 0;
};

class Image : public Owned<visor_image, visor_image_release> {
public:
    using Owned::Owned;
    [[nodiscard]] Result<void> read(std::span<std::byte> into) const {
        return done(visor_image_read(get(), into.size(), into.data()));
    }
};
class Sampler : public Owned<visor_sampler, visor_sampler_release> {
public:
    using Owned::Owned;
};

// ---- arguments ----

struct Local { // shared local memory
    size_t bytes = 0;
};

// An argument of a launch; a value's bytes are the caller's until the launch has begun.
class Argument {
public:
    template <class T>
    Argument(const Buffer<T>& buffer) {
        argument_.kind = VISOR_ARGUMENT_BUFFER;
        argument_.buffer = buffer.get();
    }
    Argument(const Image& image) {
        argument_.kind = VISOR_ARGUMENT_IMAGE;
        argument_.image = image.get();
    }
    Argument(const Sampler& sampler) {
        argument_.kind = VISOR_ARGUMENT_SAMPLER;
        argument_.sampler = sampler.get();
    }
    Argument(Local local) {
        argument_.kind = VISOR_ARGUMENT_LOCAL;
        argument_.bytes = local.bytes;
    }
    Argument(visor_filler filler) {
        argument_.kind = VISOR_ARGUMENT_FILLER;
        argument_.filler = filler;
    }
    Argument(std::nullptr_t) { argument_.kind = VISOR_ARGUMENT_BUFFER; }
    template <class T>
        requires(std::is_arithmetic_v<T>)
    Argument(const T& value) : Argument(std::as_bytes(std::span(&value, 1))) {}
    Argument(std::span<const std::byte> bytes) {
        argument_.kind = VISOR_ARGUMENT_BYTES;
        argument_.data = bytes.data();
        argument_.bytes = bytes.size();
    }

    // Given by name instead of in order; the name is the caller's.
    [[nodiscard]] Argument named(const char* name) const {
        Argument out = *this;
        out.argument_.target = VISOR_TARGET_NAME;
        out.argument_.name = name;
        return out;
    }
    [[nodiscard]] Argument at(visor_target target, uint32_t index) const {
        Argument out = *this;
        out.argument_.target = target;
        out.argument_.index = index;
        return out;
    }
    [[nodiscard]] const visor_argument& get() const { return argument_; }

private:
    visor_argument argument_{};
};

// A size in work-items: Range(1024), Range({64, 64}, {8, 8}).
[[nodiscard]] inline visor_shape range(std::span<const uint64_t> global,
                                       std::span<const uint32_t> local = {}) {
    visor_shape shape{};
    shape.size = sizeof shape;
    shape.dimensions = static_cast<uint32_t>(global.size());
    for (size_t d = 0; d < global.size() && d < 3; ++d)
        shape.global[d] = global[d];
    for (size_t d = 0; d < local.size() && d < 3; ++d)
        shape.local[d] = local[d];
    return shape;
}
[[nodiscard]] inline visor_shape range(uint64_t global, uint32_t local = 0) {
    return range(std::span(&global, 1), std::span(&local, 1));
}
// In hardware threads, for hand-written vISA.
[[nodiscard]] inline visor_shape threads(uint32_t groups, uint32_t hw_threads = 1) {
    visor_shape shape{};
    shape.size = sizeof shape;
    shape.groups[0] = groups;
    shape.hw_threads = hw_threads;
    return shape;
}

// ---- launches ----

// What the C API tells of a launch, a struct by its call.
template <class Struct>
[[nodiscard]] Struct asked(visor_launch launch, visor_status (*call)(visor_launch, Struct*)) {
    Struct out{};
    out.size = sizeof out;
    call(launch, &out);
    return out;
}

class Launch : public Owned<visor_launch, visor_launch_release> {
public:
    using Owned::Owned;
    [[nodiscard]] Result<void> wait(double seconds = -1) { return done(visor_launch_wait(get(), seconds)); }
    [[nodiscard]] Result<void> stop() { return done(visor_launch_stop(get())); }

    // Once it is over. Strings live as long as this.
    [[nodiscard]] visor_report report() const { return asked(get(), visor_launch_report); }
    [[nodiscard]] visor_fault fault() const { return asked(get(), visor_launch_fault); }
    [[nodiscard]] visor_counters counters() const { return asked(get(), visor_launch_counters); }
    // With `costs` of the options.
    [[nodiscard]] Result<Bytes> costs(const char* format) const {
        visor_bytes text = nullptr;
        if (const visor_status status = visor_launch_costs(get(), format, &text); status != VISOR_OK)
            return last_error(status);
        return Bytes(text);
    }
    [[nodiscard]] std::string_view output() const {
        const char* text = "";
        size_t count = 0;
        visor_launch_output(get(), &text, &count);
        return {text, count};
    }
    [[nodiscard]] std::vector<visor_finding> findings() const {
        std::vector<visor_finding> out(report().finding_count);
        for (uint32_t i = 0; i < out.size(); ++i) {
            out[i].size = sizeof out[i];
            visor_launch_finding(get(), i, &out[i]);
        }
        return out;
    }
};

class Kernel : public Owned<visor_kernel, visor_kernel_release> {
public:
    using Owned::Owned;

    // Runs to its end: an error is also a fault of the kernel.
    [[nodiscard]] Result<Launch> run(const visor_shape& shape, std::initializer_list<Argument> arguments,
                                     const visor_launch_options* options = nullptr) const {
        return begin(visor_launch_run, shape, arguments, options);
    }
    [[nodiscard]] Result<Launch> start(const visor_shape& shape, std::initializer_list<Argument> arguments,
                                       const visor_launch_options* options = nullptr) const {
        return begin(visor_launch_start, shape, arguments, options);
    }
    [[nodiscard]] visor_kernel_info facts() const {
        visor_kernel_info out{};
        out.size = sizeof out;
        visor_kernel_facts(get(), &out);
        return out;
    }

private:
    Result<Launch> begin(decltype(&visor_launch_run) call, const visor_shape& shape,
                         std::initializer_list<Argument> arguments,
                         const visor_launch_options* options) const {
        std::vector<visor_argument> list;
        for (const Argument& argument : arguments)
            list.push_back(argument.get());
        visor_launch launch = nullptr;
        const visor_status status = call(get(), list.data(), list.size(), &shape, options, &launch);
        Launch out(launch);
        if (status != VISOR_OK)
            return last_error(status);
        return out;
    }
};

class Program : public Owned<visor_program, visor_program_release> {
public:
    using Owned::Owned;
    // nullptr: the only one.
    [[nodiscard]] Result<Kernel> kernel(const char* name = nullptr) const {
        visor_kernel kernel = nullptr;
        if (const visor_status status = visor_kernel_create(get(), name, &kernel); status != VISOR_OK)
            return last_error(status);
        return Kernel(kernel);
    }
    [[nodiscard]] std::vector<std::string> kernels() const {
        uint32_t count = 0;
        visor_program_kernel_count(get(), &count);
        std::vector<std::string> out;
        for (uint32_t i = 0; i < count; ++i) {
            const char* name = "";
            visor_program_kernel_name(get(), i, &name);
            out.emplace_back(name);
        }
        return out;
    }
};

class Context : public Owned<visor_context, visor_context_release> {
public:
    using Owned::Owned;

    [[nodiscard]] static Result<Context> create(const visor_context_options& options) {
        visor_context context = nullptr;
        if (const visor_status status = visor_context_create(&options, &context); status != VISOR_OK)
            return last_error(status);
        return Context(context);
    }
    [[nodiscard]] static Result<Context> create(const char* device = "skl") {
        visor_context_options options{};
        options.size = sizeof options;
        options.device = device;
        return create(options);
    }

    // `diagnostics`, when given, is told what is wrong with the program.
    [[nodiscard]] Result<Program> load(const char* name, std::string_view content,
                                       const visor_program_options* options = nullptr,
                                       Diagnostics* diagnostics = nullptr) const {
        visor_program program = nullptr;
        visor_diagnostics messages = nullptr;
        const visor_status status =
            visor_program_create(get(), name, content.data(), content.size(), options, &program,
                                 diagnostics == nullptr ? nullptr : &messages);
        if (diagnostics != nullptr)
            *diagnostics = Diagnostics(messages);
        if (status != VISOR_OK)
            return last_error(status);
        return Program(program);
    }

    template <class T>
    [[nodiscard]] Result<Buffer<T>> buffer(size_t count) const {
        return make_buffer<T>(count, nullptr);
    }
    template <class T>
    [[nodiscard]] Result<Buffer<T>> buffer(std::span<const T> content) const {
        return make_buffer<T>(content.size(), content.data());
    }
    template <class T>
    [[nodiscard]] Result<Buffer<T>> buffer(const std::vector<T>& content) const {
        return make_buffer<T>(content.size(), content.data());
    }
    [[nodiscard]] Result<Image> image(const visor_image_options& options,
                                      const void* pixels = nullptr) const {
        visor_image image = nullptr;
        if (const visor_status status = visor_image_create(get(), &options, pixels, &image);
            status != VISOR_OK)
            return last_error(status);
        return Image(image);
    }
    [[nodiscard]] Result<Sampler> sampler(const visor_sampler_options& options) const {
        visor_sampler sampler = nullptr;
        if (const visor_status status = visor_sampler_create(get(), &options, &sampler); status != VISOR_OK)
            return last_error(status);
        return Sampler(sampler);
    }

private:
    template <class T>
    Result<Buffer<T>> make_buffer(size_t count, const void* content) const {
        constexpr size_t most = SIZE_MAX / sizeof(T); // more is more than there is, and is refused as such
        visor_buffer buffer = nullptr;
        const visor_status status =
            visor_buffer_create(get(), count > most ? SIZE_MAX : count * sizeof(T), content, &buffer);
        if (status != VISOR_OK)
            return last_error(status);
        return Buffer<T>(buffer, count);
    }
};

// ---- code, without running it ----

[[nodiscard]] inline Result<Diagnostics> check(const char* name, std::string_view content,
                                               const visor_code_options* options = nullptr) {
    visor_diagnostics diagnostics = nullptr;
    const visor_status status = visor_check(name, content.data(), content.size(), options, &diagnostics);
    if (status != VISOR_OK)
        return last_error(status);
    return Diagnostics(diagnostics);
}
[[nodiscard]] inline Result<Bytes> assemble(const char* name, std::string_view text,
                                            const visor_code_options* options = nullptr) {
    visor_bytes binary = nullptr;
    const visor_status status = visor_assemble(name, text.data(), text.size(), options, &binary, nullptr);
    if (status != VISOR_OK)
        return last_error(status);
    return Bytes(binary);
}
[[nodiscard]] inline Result<Bytes> disassemble(const char* name, std::string_view content,
                                               const visor_code_options* options = nullptr) {
    visor_bytes text = nullptr;
    const visor_status status =
        visor_disassemble(name, content.data(), content.size(), options, &text, nullptr);
    if (status != VISOR_OK)
        return last_error(status);
    return Bytes(text);
}
struct NamedContent {
    const char* name;
    std::string_view content;
};
// Nothing: the two are the same; else in what they differ, as JSON.
[[nodiscard]] inline Result<std::optional<Bytes>> diff(NamedContent first, NamedContent second,
                                                       const visor_code_options* options = nullptr,
                                                       const char* kernel = nullptr, uint32_t most = 0) {
    int32_t equal = 0;
    visor_bytes json = nullptr;
    const visor_status status =
        visor_diff(first.name, first.content.data(), first.content.size(), second.name, second.content.data(),
                   second.content.size(), options, kernel, most, &equal, &json);
    if (status != VISOR_OK)
        return last_error(status);
    Bytes differences(json);
    return equal != 0 ? std::optional<Bytes>() : std::optional<Bytes>(std::move(differences));
}
// `interesting` takes a std::string_view and returns a bool: whether what is looked for is still there.
template <class Interesting>
[[nodiscard]] Result<Bytes> reduce(const char* name, std::string_view text, Interesting&& interesting,
                                   const visor_code_options* options = nullptr) {
    visor_bytes reduced = nullptr;
    const auto ask = [](void* user, const char* smaller, size_t bytes) -> int32_t {
        auto& decides = *static_cast<std::remove_reference_t<Interesting>*>(user);
        return decides(std::string_view(smaller, bytes)) ? VISOR_INTERESTING : VISOR_BORING;
    };
    const visor_status status =
        visor_reduce(name, text.data(), text.size(), options, ask,
                     static_cast<void*>(std::addressof(interesting)), &reduced, nullptr);
    if (status != VISOR_OK)
        return last_error(status);
    return Bytes(reduced);
}

} // namespace visor

#endif
