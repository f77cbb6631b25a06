#include "launch/overlap.h"

#include "isa/predefined.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace visor::launch {

namespace {

std::string text_of(const PayloadItem& item) {
    return payload_text(item.property, item.argument, item.offset, item.bytes);
}

bool arrives(const Program& program, const Input& input) {
    return input.klass == InputClass::general &&
           input.implicit != static_cast<uint8_t>(ImplicitKind::pseudo_input) &&
           input.id >= isa::first_user_general && input.id < program.variables.size() &&
           program.variables[input.id].used;
}

} // namespace

std::vector<std::pair<size_t, size_t>> overlaps(const std::vector<ByteRange>& ranges) {
    std::vector<size_t> order(ranges.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::erase_if(order, [&](size_t index) { return ranges[index].begin >= ranges[index].end; });
    std::ranges::sort(order, {}, [&](size_t index) { return std::pair(ranges[index].begin, index); });
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t k = 1, furthest = 0; k < order.size(); ++k) { // of those before, the one that ends last
        const ByteRange& before = ranges[order[furthest]];
        const ByteRange& range = ranges[order[k]];
        if (range.begin < before.end)
            found.emplace_back(order[furthest], order[k]);
        if (range.end > before.end)
            furthest = k;
    }
    return found;
}

std::string payload_text(std::string_view property, int argument, uint64_t offset, uint64_t bytes) {
    return fmt::format("`{}`{} (offset {}, {} byte{})", property,
                       argument < 0 ? "" : fmt::format(" of argument {}", argument), offset, bytes,
                       bytes == 1 ? "" : "s");
}

std::optional<std::string> payload_overlap(const Signature& signature) {
    std::vector<ByteRange> ranges;
    ranges.reserve(signature.payload.size());
    for (const PayloadItem& item : signature.payload)
        ranges.push_back({item.offset, uint64_t{item.offset} + item.bytes});
    const auto found = overlaps(ranges);
    if (found.empty())
        return std::nullopt;
    return fmt::format("kernel `{}`: {} and {} share bytes of the payload", signature.name,
                       text_of(signature.payload[found[0].first]),
                       text_of(signature.payload[found[0].second]));
}

std::optional<std::string> input_overlap(const Program& program) {
    const Function& function = *program.function;
    std::vector<ByteRange> ranges;
    ranges.reserve(function.inputs.size());
    for (const Input& input : function.inputs) {
        if (!arrives(program, input)) {
            ranges.push_back({});
            continue;
        }
        if (const uint32_t root = root_of(function, input.id).id; isa::is_predefined(root))
            return fmt::format("kernel `{}`: the input `{}` shares bytes with the predefined variable `{}`",
                               function.name, general_name(function, input.id), general_name(function, root));
        const VariableSlot& slot = program.variables[input.id];
        ranges.push_back({slot.base, uint64_t{slot.base} + slot.bytes});
    }
    const auto found = overlaps(ranges);
    if (found.empty())
        return std::nullopt;
    return fmt::format("kernel `{}`: the inputs `{}` and `{}` share bytes of the register file",
                       function.name, general_name(function, function.inputs[found[0].first].id),
                       general_name(function, function.inputs[found[0].second].id));
}

} // namespace visor::launch
