#include "binary/reader.h"

#include "binary/attribute.h"
#include "module/canonical.h"
#include "module/unique_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace visor::binary {

namespace {

constexpr size_t most_remarks = 100; // warnings and notes of one file
// Names may be shared, and a module copies them: a real file's names together stay far below its size.
constexpr size_t names_per_byte = 16;
constexpr size_t names_always = 65536;

// No text can say another name of an attribute.
bool is_identifier(std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && is_letter(name.front()) &&
           std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

} // namespace

Reader::Reader(std::span<const std::byte> file, const Options& options, Diagnostics& diagnostics)
    : file_(file), options_(options), diagnostics_(diagnostics), end_(file.size()),
      remarks_left_(most_remarks), names_left_(file.size() * names_per_byte + names_always) {
    build_dispatch();
}

void Reader::start(size_t begin, size_t end, Function* function) {
    start_ = begin;
    at_ = begin;
    end_ = end;
    ok_ = true;
    function_ = function;
    pool_.clear();
    strings_.clear();
    generals_read_ = 0;
}

Location Reader::since(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_ - begin)};
}

// ---- reports

void Reader::error(Location where, std::string rule, std::string message) {
    diagnostics_.error(where, std::move(rule), std::move(message));
}

void Reader::fatal(Location where, std::string rule, std::string message) {
    if (ok_)
        error(where, std::move(rule), std::move(message));
    ok_ = false;
}

void Reader::warn(Location where, std::string rule, std::string message) {
    if (remarks_left_ == 0)
        return;
    --remarks_left_;
    diagnostics_.warning(where, std::move(rule), std::move(message));
}

void Reader::note(Location where, std::string rule, std::string message) {
    if (remarks_left_ == 0)
        return;
    --remarks_left_;
    diagnostics_.report(Severity::note, where, std::move(rule), std::move(message));
}

void Reader::warn_ignored(Location where, const char* what) {
    warn(where, "ignored-bits", fmt::format("`{}` has bits set that mean nothing; they are lost", what));
}

// ---- bytes

uint64_t Reader::bytes(size_t count, const char* what) {
    if (!ok_)
        return 0;
    if (end_ - at_ < count) {
        fatal(since(at_), "truncated",
              fmt::format("the part that begins at 0x{:x} ends before `{}`", start_, what));
        return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i)
        value |= std::to_integer<uint64_t>(file_[at_ + i]) << (8 * i);
    at_ += count;
    return value;
}

std::string_view Reader::characters(size_t count, const char* what) {
    if (ok_ && end_ - at_ < count)
        fatal(since(at_), "truncated",
              fmt::format("the part that begins at 0x{:x} ends inside `{}`", start_, what));
    if (!ok_)
        return {};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as characters
    const std::string_view text(reinterpret_cast<const char*>(file_.data()) + at_, count);
    at_ += count;
    return text;
}

size_t Reader::bounded_count(Width width, size_t smallest, const char* what) {
    const size_t begin = at_;
    const uint64_t count = bytes(bytes_of(width, version_), what);
    if (ok_ && count * smallest > end_ - at_) {
        fatal(since(begin), "count-too-large",
              fmt::format("`{}` is {}, and only {} bytes follow", what, count, end_ - at_));
        return 0;
    }
    return static_cast<size_t>(count);
}

bool Reader::afford(size_t name_bytes) {
    if (!ok_)
        return false;
    if (name_bytes > names_left_) {
        fatal(since(at_), "names-too-long",
              "the names of this file repeat the same strings beyond all measure");
        return false;
    }
    names_left_ -= name_bytes;
    return true;
}

void Reader::expect_none(uint64_t value, const char* what) {
    if (ok_ && value != 0)
        fatal(since(at_), "unsupported-declaration",
              fmt::format("`{}` is {}: nothing of this kind exists since version 3.0", what, value));
}

void Reader::unused(const char* what, uint8_t usual) {
    const size_t begin = at_;
    const uint64_t value = bytes(1, what);
    if (ok_ && value > usual)
        warn(since(begin), "ignored-field", fmt::format("`{}` is {}, which nobody reads", what, value));
}

// ---- the file

void Reader::signature() {
    if (bytes(sizeof magic, "magic_number") != magic) {
        fatal(since(0), "bad-magic", "this is no vISA binary: it does not begin with \"CISA\"");
        return;
    }
    const size_t begin = at_;
    number<uint8_t>(version_.major, "major_version");
    number<uint8_t>(version_.minor, "minor_version");
    if (ok_ && (version_.before(3, 0) || !version_.before(4, 2)))
        fatal(since(begin), "unsupported-version",
              fmt::format("version {}.{} has no known binary form: those are 3.0 to 4.1", version_.major,
                          version_.minor));
}

void Reader::prefixed_name(std::string& name) {
    const size_t length = bounded_count(Width::name, 1, "name_len");
    const size_t begin = at_;
    const std::string_view text = characters(length, "name");
    if (text.find('\0') != std::string_view::npos)
        error(since(begin), "bad-name", "a name contains a NUL byte");
    if (length > longest_string)
        error(since(begin), "string-too-long",
              fmt::format("a name of {} bytes: at most {} are allowed", length, longest_string));
    if (afford(length))
        name = text;
}

// ---- the string pool

void Reader::string_pool() {
    const size_t strings = bounded_count(Width::id, 1, "string_count");
    pool_.reserve(strings);
    for (size_t i = 0; i < strings && ok_; ++i) {
        const std::string_view rest = characters(end_ - at_, "strings");
        const size_t length = rest.find('\0');
        at_ -= rest.size();
        if (length == std::string_view::npos)
            return fatal(since(at_), "truncated", "the string pool has no end");
        if (length > longest_string)
            error({static_cast<uint32_t>(at_), static_cast<uint32_t>(length)}, "string-too-long",
                  fmt::format("a string of {} bytes: at most {} are allowed", length, longest_string));
        pool_.push_back(rest.substr(0, length));
        at_ += length + 1;
    }
}

void Reader::name(std::string& name) {
    const size_t begin = at_;
    const uint64_t index = bytes(bytes_of(Width::id, version_), "name_index");
    if (!ok_)
        return;
    if (index >= pool_.size())
        return error(since(begin), "unknown-string",
                     fmt::format("string {} of a pool of {}", index, pool_.size()));
    if (afford(pool_[index].size()))
        name = pool_[index];
}

void Reader::routine_name(const std::string& name) {
    const size_t begin = at_;
    const uint64_t index = bytes(bytes_of(Width::id, version_), "name_index");
    if (ok_ && (index >= pool_.size() || pool_[index] != name))
        warn(since(begin), "name-mismatch",
             fmt::format("the header's name of this routine, `{}`, is not the one it has itself", name));
}

void Reader::settle_names() {
    size_t unnamed = 0;
    for (const NameChange& change : make_names_unique(*function_, longest_string)) {
        if (change.fault == NameFault::none)
            ++unnamed;
        else
            warn(
                change.where, "name-changed",
                fmt::format("`{}` is the name of {}: this one is called `{}` here", change.before,
                            change.fault == NameFault::twice ? "another one as well" : "something predefined",
                            change.after));
    }
    if (unnamed > 0)
        note(
            function_->where, "name-made",
            fmt::format("{} of the variables and labels of `{}` have no name: they are called V0032, A0, P1, "
                        "S0, T6, L0 and so on by their numbers",
                        unnamed, function_->name));
}

// ---- declarations

void Reader::settle_variables() {
    for (GeneralVariable& variable : function_->general) {
        if (make_canonical(variable))
            warn_ignored(variable.where, "alias_offset");
    }
}

void Reader::attribute_value(Attribute& attribute) {
    attribute.where = since(at_);
    if (ok_ && !is_identifier(attribute.name))
        error(attribute.where, "bad-name",
              fmt::format("`{}` is no attribute's name: that is made of letters, digits and `_`",
                          attribute.name));
    const size_t size = bounded_count(Width::byte, 1, "size");
    const AttributeValue value = binary::attribute_value(attribute.name, size);
    if (value == AttributeValue::number) {
        const uint64_t raw = bytes(size, "value");
        const auto unused_bits = static_cast<unsigned>(64 - 8 * size);
        attribute.has_number = true;
        attribute.number = static_cast<int64_t>(raw << unused_bits) >> unused_bits;
        return;
    }
    const std::string_view text = characters(size, "value");
    if (text.find('\0') != std::string_view::npos)
        error(since(attribute.where.offset), "bad-name",
              fmt::format("the text of the attribute `{}` contains a NUL byte", attribute.name));
    attribute.has_text = value == AttributeValue::text;
    attribute.text = text;
}

void Reader::properties(isa::Type& type, Align& align) {
    ++generals_read_;
    const size_t begin = at_;
    const auto byte = static_cast<uint8_t>(bytes(1, "bit_properties"));
    const std::optional<Properties> known = decode_properties(byte);
    const bool element = known && isa::size_of(known->type) != 0 && !isa::is_packed_immediate(known->type);
    if (ok_ && !element)
        return error(since(begin), "bad-declaration",
                     fmt::format("0x{:02x} is no type and alignment of a variable", byte));
    if (known) {
        type = known->type;
        align = known->align;
    }
}

void Reader::alias(uint32_t& id) {
    const size_t begin = at_;
    id = static_cast<uint32_t>(bytes(bytes_of(Width::id, version_), "alias_index"));
    const uint32_t own = isa::first_user_general + generals_read_ - 1;
    if (id >= own || (isa::is_predefined(id) && id >= isa::predefined_count)) {
        error(since(begin), "unknown-id",
              fmt::format("an alias of variable {}, which is not declared before", id));
        id = 0;
    }
}

void Reader::label_kind(LabelKind& kind) {
    const size_t begin = at_;
    const uint64_t code = bytes(1, "kind");
    if (code > static_cast<unsigned>(LabelKind::divergent_resource_loop))
        return error(since(begin), "bad-declaration", fmt::format("{} is no kind of label", code));
    kind = static_cast<LabelKind>(code);
}

void Reader::input_kind(Input& input) {
    const size_t begin = at_;
    const uint64_t byte = bytes(1, "kind");
    const uint64_t klass = byte & 7U;
    if (klass > static_cast<unsigned>(InputClass::surface))
        return error(since(begin), "bad-declaration", fmt::format("{} is no class of an input", klass));
    input.klass = static_cast<InputClass>(klass);
    input.implicit = static_cast<uint8_t>(byte >> 3U);
}

void Reader::input_id(Input& input) {
    const Space space = input.klass == InputClass::general   ? Space::general
                        : input.klass == InputClass::sampler ? Space::sampler
                                                             : Space::surface;
    id(space, Width::id, input.id);
}

void Reader::code_bounds() {
    const size_t begin = at_;
    const uint64_t size = bytes(4, "size");
    const uint64_t entry = bytes(4, "entry");
    if (!ok_)
        return;
    code_begin_ = start_ + entry;
    code_end_ = start_ + entry + size;
    if (code_end_ > end_)
        fatal(since(begin), "truncated",
              fmt::format("{} bytes of code at 0x{:x} reach beyond the routine's end, 0x{:x}", size,
                          code_begin_, end_));
}

} // namespace visor::binary
