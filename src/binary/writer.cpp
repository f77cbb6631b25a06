#include "binary/writer.h"

#include "binary/attribute.h"

#include "isa/predefined.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>

namespace visor::binary {

// ---- reports

void Writer::error(std::string rule, const std::string& message) {
    diagnostics_.error(where_, std::move(rule), fmt::format("`{}`: {}", subject_, message));
}

void Writer::out_of_range(const char* what, int64_t value, int64_t lowest, int64_t highest) {
    error("number-out-of-range",
          fmt::format("`{}` is {}, and a binary holds {} to {}", what, value, lowest, highest));
}

void Writer::too_large(std::string_view what) {
    diagnostics_.error(std::nullopt, "too-large", fmt::format("a binary cannot hold {}", what));
}

// ---- bytes

void Writer::put(uint64_t value, size_t bytes) {
    std::array<std::byte, sizeof value> little{};
    for (size_t i = 0; i < little.size(); ++i)
        little[i] = static_cast<std::byte>(value >> (8 * i));
    out_.insert(out_.end(), little.begin(), little.begin() + static_cast<ptrdiff_t>(bytes));
}

void Writer::put(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    out_.insert(out_.end(), bytes.begin(), bytes.end());
}

void Writer::patch(size_t at, uint32_t value) {
    for (size_t i = 0; i < sizeof value; ++i)
        out_[at + i] = static_cast<std::byte>(value >> (8 * i));
}

void Writer::put_count(Width width, const char* what, size_t count) {
    const unsigned bytes = bytes_of(width, version());
    const uint64_t most = (uint64_t{1} << (8 * bytes)) - 1;
    if (count > most)
        out_of_range(what, static_cast<int64_t>(count), 0, static_cast<int64_t>(most));
    put(count, bytes);
}

// ---- the file

void Writer::signature() {
    put(magic, sizeof magic);
    put(version().major, 1);
    put(version().minor, 1);
}

// Too long a name is reported by the routine, which has it as well.
void Writer::prefixed_name(const std::string& name) {
    const std::string_view text = std::string_view(name).substr(0, longest_string);
    put(text.size(), bytes_of(Width::name, version()));
    put(text);
}

std::vector<std::byte> Writer::write(const FileHeader& header) {
    out_.clear();
    subject_ = "the file";
    where_ = {};
    file_header(*this, header);
    return std::move(out_);
}

// ---- routines

Writer::Routine Writer::write(const Function& function) {
    out_.clear();
    function_ = &function;
    seed_pool(function);
    routine(*this, function);
    const auto code_bytes = static_cast<uint32_t>(out_.size() - code_at_);
    std::vector<std::byte> bytes = take_pool();
    const auto before = static_cast<uint32_t>(bytes.size());
    patch(bounds_at_, code_bytes);
    patch(bounds_at_ + 4, before + static_cast<uint32_t>(code_at_));
    const bool kernel = function.kind == FunctionKind::kernel;
    bytes.insert(bytes.end(), out_.begin(), out_.end());
    return {std::move(bytes), kernel ? before + static_cast<uint32_t>(inputs_at_) : 0};
}

uint32_t Writer::pooled(std::string_view text) {
    const size_t before = pool_.size();
    const uint32_t index = pool_.add(text);
    if (index < before)
        return index;
    if (text.size() > longest_string)
        error("string-too-long",
              fmt::format("a name of {} bytes, and a binary holds at most {}", text.size(), longest_string));
    if (text.find('\0') != std::string_view::npos)
        error("bad-name", "a name with a NUL byte cannot stand in a string pool");
    return index;
}

// The order in which the compiler's writer begins; nothing depends on it.
void Writer::seed_pool(const Function& function) {
    pool_.clear();
    subject_ = function.name;
    where_ = function.where;
    static_cast<void>(pooled(function.name));
    for (const isa::PredefinedVariable& variable : isa::predefined_variables)
        static_cast<void>(pooled(variable.name));
    for (const char* surface : isa::predefined_surfaces)
        static_cast<void>(pooled(surface));
    static_cast<void>(pooled("S31"));
}

std::vector<std::byte> Writer::take_pool() {
    std::vector<std::byte> body = std::move(out_);
    out_ = {};
    put(pool_.size(), bytes_of(Width::id, version()));
    for (uint32_t index = 0; index < pool_.size(); ++index) {
        put(pool_[index]);
        put(0, 1);
    }
    std::swap(out_, body);
    return body;
}

void Writer::routine_name(const std::string& name) {
    put(pooled(name), bytes_of(Width::id, version()));
}

void Writer::name(const std::string& name) {
    put(pooled(name), bytes_of(Width::id, version()));
}

// ---- declarations

void Writer::attribute_value(const Attribute& attribute) {
    // The name and the number of bytes tell a reader what they are.
    const auto said = [&](AttributeValue value, size_t bytes) {
        if (binary::attribute_value(attribute.name, bytes) != value)
            diagnostics_.error(attribute.where, "ambiguous-attribute",
                               fmt::format("in a binary this value of `{}` would be {}", attribute.name,
                                           describe(binary::attribute_value(attribute.name, bytes))));
    };
    if (attribute.has_number) {
        const size_t bytes = attribute_bytes(attribute.name, attribute.number);
        if (!std::in_range<int32_t>(attribute.number))
            out_of_range(attribute.name.c_str(), attribute.number, std::numeric_limits<int32_t>::min(),
                         std::numeric_limits<int32_t>::max());
        said(AttributeValue::number, bytes);
        put(bytes, 1);
        put(static_cast<uint64_t>(attribute.number), bytes);
        return;
    }
    const std::string_view text = attribute.has_text ? std::string_view(attribute.text) : std::string_view();
    said(attribute.has_text ? AttributeValue::text : AttributeValue::none, text.size());
    put_count(Width::byte, attribute.name.c_str(), text.size());
    put(text);
}

void Writer::properties(isa::Type type, Align align) {
    const std::optional<uint8_t> byte = encode_properties(type, align);
    if (!byte)
        error("no-binary-form", fmt::format("the type `{}` has no code in a binary", isa::facts(type).name));
    put(byte.value_or(0), 1);
}

void Writer::input_kind(const Input& input) {
    constexpr uint8_t last_implicit = 31;
    if (input.implicit > last_implicit)
        out_of_range("implicit kind", input.implicit, 0, last_implicit);
    put(static_cast<uint64_t>(input.klass) | uint64_t{input.implicit} << 3U, 1);
}

void Writer::code_bounds() {
    bounds_at_ = out_.size();
    put(0, 8);
}

} // namespace visor::binary
