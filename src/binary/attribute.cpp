#include "binary/attribute.h"

#include <algorithm>
#include <array>
#include <utility>

namespace visor::binary {

namespace {

constexpr std::array text_attributes{std::string_view("OutputAsmPath"), std::string_view("AsmName")};

constexpr std::array short_attributes{std::string_view("Target"), std::string_view("SimdSize"),
                                      std::string_view("ArgSize"), std::string_view("RetValSize"),
                                      std::string_view("LTO_InvokeOptTarget")};

template <size_t count>
bool listed(const std::array<std::string_view, count>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

} // namespace

AttributeValue attribute_value(std::string_view name, size_t value_bytes) {
    if (listed(text_attributes, name))
        return AttributeValue::text;
    if (value_bytes == 0)
        return AttributeValue::none;
    const bool number = value_bytes == 1 || value_bytes == 2 || value_bytes == 4;
    return number ? AttributeValue::number : AttributeValue::text;
}

std::string_view describe(AttributeValue value) {
    switch (value) {
    case AttributeValue::none:
        return "none";
    case AttributeValue::number:
        return "a number";
    case AttributeValue::text:
        break;
    }
    return "a string";
}

size_t attribute_bytes(std::string_view name, int64_t number) {
    return listed(short_attributes, name) && std::in_range<int8_t>(number) ? 1 : 4;
}

} // namespace visor::binary
