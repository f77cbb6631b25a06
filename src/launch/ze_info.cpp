#include "launch/ze_info.h"

#include "launch/known_keys.h"
#include "launch/overlap.h"
#include "launch/unknown_keys.h"
#include "launch/yaml_tree.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <yaml-cpp/yaml.h>

namespace visor::launch {

namespace {

// Far above the compiler's output; they bound the cost of damaged files.
constexpr size_t max_text_bytes = size_t{8} << 20U;
constexpr uint64_t max_arguments = 4096;
constexpr uint64_t max_payload_bytes = 1U << 20U;
constexpr uint64_t max_thread_bytes = 1U << 26U;
constexpr uint64_t max_binding = 239; // the hardware's; those above have meanings of their own
constexpr uint64_t max_slm_bytes = 1U << 24U;
constexpr size_t bytes_an_argument = 16; // at least, that the text spends on one, if there are very many

struct PayloadName {
    std::string_view name;
    PayloadKind kind;
};
constexpr std::array<PayloadName, 34> payload_names{{
    {"global_id_offset", PayloadKind::global_id_offset},
    {"local_size", PayloadKind::local_size},
    {"enqueued_local_size", PayloadKind::enqueued_local_size},
    {"group_count", PayloadKind::group_count},
    {"global_size", PayloadKind::global_size},
    {"work_dimensions", PayloadKind::work_dimensions},
    {"arg_byvalue", PayloadKind::argument_value},
    {"arg_bypointer", PayloadKind::argument_pointer},
    {"buffer_address", PayloadKind::buffer_address},
    {"buffer_offset", PayloadKind::buffer_offset},
    {"const_base", PayloadKind::const_base},
    {"global_base", PayloadKind::global_base},
    {"inline_sampler", PayloadKind::inline_sampler},
    {"indirect_data_pointer", PayloadKind::indirect_data},
    {"scratch_pointer", PayloadKind::scratch_state},
    {"private_base_stateless", PayloadKind::private_base},
    {"printf_buffer", PayloadKind::printf_buffer},
    {"implicit_arg_buffer", PayloadKind::implicit_arguments},
    {"image_width", PayloadKind::image_property},
    {"image_height", PayloadKind::image_property},
    {"image_depth", PayloadKind::image_property},
    {"image_array_size", PayloadKind::image_property},
    {"image_num_samples", PayloadKind::image_property},
    {"image_num_mip_levels", PayloadKind::image_property},
    {"image_channel_data_type", PayloadKind::image_property},
    {"image_channel_order", PayloadKind::image_property},
    {"image_srgb_channel_order", PayloadKind::image_property},
    {"flat_image_baseoffset", PayloadKind::image_property},
    {"flat_image_width", PayloadKind::image_property},
    {"flat_image_height", PayloadKind::image_property},
    {"flat_image_pitch", PayloadKind::image_property},
    {"sampler_address", PayloadKind::sampler_address},
    {"sampler_normalized", PayloadKind::sampler_normalized},
    {"sampler_snap_wa", PayloadKind::sampler_snap},
}};

PayloadKind payload_kind(std::string_view name) {
    const auto found = std::ranges::find(payload_names, name, &PayloadName::name);
    return found == payload_names.end() ? PayloadKind::unknown : found->kind;
}

AddressMode address_mode(std::string_view name) {
    if (name == "stateless")
        return AddressMode::stateless;
    if (name == "stateful")
        return AddressMode::stateful;
    if (name == "slm")
        return AddressMode::slm;
    return name.empty() ? AddressMode::none : AddressMode::bindless;
}

bool needs_argument(PayloadKind kind) {
    return kind == PayloadKind::argument_value || kind == PayloadKind::argument_pointer ||
           kind == PayloadKind::buffer_address || kind == PayloadKind::buffer_offset;
}

ArgumentKind pointer_kind(std::string_view space) {
    if (space == "constant")
        return ArgumentKind::constant_pointer;
    if (space == "local")
        return ArgumentKind::local_pointer;
    if (space == "image")
        return ArgumentKind::image;
    return space == "sampler" ? ArgumentKind::sampler : ArgumentKind::global_pointer;
}

ArgumentKind qualified_kind(std::string_view address_qualifier, std::string_view type_name) {
    if (address_qualifier == "__global")
        return ArgumentKind::global_pointer;
    if (address_qualifier == "__constant")
        return ArgumentKind::constant_pointer;
    if (address_qualifier == "__local")
        return ArgumentKind::local_pointer;
    return type_name == "sampler_t" ? ArgumentKind::sampler : ArgumentKind::value;
}

// "float*;8" -> "float*", 8
void split_type(std::string_view text, Argument& argument) {
    const size_t semicolon = text.rfind(';');
    argument.type_name = text.substr(0, semicolon);
    if (semicolon == std::string_view::npos)
        return;
    const std::string_view digits = text.substr(semicolon + 1);
    uint32_t bytes = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
    if (error == std::errc() && end == digits.data() + digits.size() && bytes <= max_payload_bytes)
        argument.bytes = bytes;
}

class Reader {
public:
    Reader(uint32_t base, size_t text_bytes, Diagnostics& diagnostics)
        : base_(base), diagnostics_(diagnostics),
          arguments_left_(max_arguments + text_bytes / bytes_an_argument) {}

    std::optional<std::vector<Signature>> read(const YAML::Node& root) {
        if (!root.IsMap()) {
            fail(root, "the metadata is no map");
            return std::nullopt;
        }
        std::vector<Signature> kernels;
        each(root, "kernels", [&](const YAML::Node& node) { kernels.push_back(kernel(node)); });
        std::map<std::string, YAML::Node, std::less<>> more;
        each(root, "kernels_misc_info",
             [&](const YAML::Node& node) { more.emplace(text(node, "name"), node); });
        for (Signature& signature : kernels) {
            const auto found = more.find(signature.name);
            if (found == more.end())
                continue;
            each(found->second, "args_info",
                 [&](const YAML::Node& node) { argument_names(node, signature); });
            add_unknown(found->second, KeyLevel::kernels_misc_info, "`kernels_misc_info`", signature.unknown);
        }
        add_shared(root, kernels);
        return good_ ? std::optional(std::move(kernels)) : std::nullopt;
    }

private:
    // Global unknown entries apply to every kernel; functions' entries to kernels with calls.
    void add_shared(const YAML::Node& root, std::vector<Signature>& kernels) {
        const Unknown of_file = unknown_of_file(root);
        Unknown of_functions;
        each(root, "functions", [&](const YAML::Node& node) {
            add_unknown(node, KeyLevel::functions, fmt::format("function `{}`", text(node, "name")),
                        of_functions);
        });
        for (Signature& signature : kernels) {
            for (const std::string& what : of_file)
                add(signature.unknown, what);
            signature.unknown_in_functions = of_functions;
        }
    }

    void fail(const YAML::Node& node, std::string message) {
        good_ = false;
        diagnostics_.error(place(node), "bad-metadata", std::move(message));
    }
    [[nodiscard]] Location place(const YAML::Node& node) const {
        const int position = node.IsDefined() ? std::max(node.Mark().pos, 0) : 0;
        return {base_ + static_cast<uint32_t>(position), 1};
    }

    // ---- the shapes ----

    template <class F>
    void each(const YAML::Node& map, const char* key, const F& visit) {
        const YAML::Node list = map[key];
        if (!list.IsDefined() || list.IsNull())
            return;
        if (!list.IsSequence())
            return fail(list, fmt::format("`{}` is no list", key));
        for (const YAML::Node& node : list) {
            if (node.IsMap())
                visit(node);
            else
                fail(node, fmt::format("an element of `{}` is no map", key));
        }
    }

    std::string text(const YAML::Node& map, const char* key) {
        const YAML::Node node = map[key];
        return node.IsDefined() && node.IsScalar() ? node.Scalar() : "";
    }

    bool flag(const YAML::Node& map, const char* key) { return text(map, key) == "true"; }

    uint64_t number_of(const YAML::Node& node, const char* key, uint64_t limit) {
        uint64_t value = 0;
        const std::string digits = node.IsScalar() ? node.Scalar() : "";
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
            fail(node, fmt::format("`{}` is no number", key));
            return 0;
        }
        if (value > limit) {
            fail(node, fmt::format("`{}` is {}, which is more than {}", key, value, limit));
            return 0;
        }
        return value;
    }

    uint32_t number(const YAML::Node& map, const char* key, uint64_t limit, uint32_t absent = 0) {
        const YAML::Node node = map[key];
        return node.IsDefined() ? static_cast<uint32_t>(number_of(node, key, limit)) : absent;
    }

    template <class T>
    void three(const YAML::Node& map, const char* key, uint64_t limit, std::array<T, 3>& into) {
        const YAML::Node list = map[key];
        if (!list.IsDefined())
            return;
        if (!list.IsSequence() || list.size() != 3)
            return fail(list, fmt::format("`{}` is no list of three numbers", key));
        for (size_t i = 0; i < 3; ++i)
            into[i] = static_cast<T>(number_of(list[i], key, limit));
    }

    // ---- the content ----

    Signature kernel(const YAML::Node& node) {
        Signature out;
        out.name = text(node, "name");
        if (out.name.empty())
            fail(node, "a kernel has no name");
        const YAML::Node environment = node["execution_env"];
        if (environment.IsDefined() && environment.IsMap())
            execution(environment, out);
        else
            fail(node, fmt::format("kernel `{}` has no execution_env", out.name));
        attributes(node["user_attributes"], out);
        each(node, "payload_arguments", [&](const YAML::Node& item) { payload(item, out); });
        each(node, "per_thread_payload_arguments", [&](const YAML::Node& item) { per_thread(item, out); });
        for (const char* list : {"payload_arguments", "per_thread_payload_arguments"})
            check_overlaps(node[list], out.name);
        each(node, "binding_table_indices", [&](const YAML::Node& item) {
            const uint32_t index = number(item, "arg_index", max_arguments - 1);
            out.bindings.push_back({number(item, "bti_value", max_binding), index});
            argument(out, index).used = true;
        });
        each(node, "per_thread_memory_buffers",
             [&](const YAML::Node& item) { out.thread_memory.push_back(thread_memory(item, out)); });
        each(node, "inline_samplers", [&](const YAML::Node& item) {
            out.inline_samplers.push_back({.index = number(item, "sampler_index", 255),
                                           .address_mode = text(item, "addrmode"),
                                           .filter_mode = text(item, "filtermode"),
                                           .normalized = flag(item, "normalized")});
        });
        add_unknown(node, KeyLevel::kernel, "the kernel", out.unknown);
        return out;
    }

    void execution(const YAML::Node& node, Signature& out) {
        out.simd = number(node, "simd_size", 32);
        if (out.simd != 1 && out.simd != 8 && out.simd != 16 && out.simd != 32)
            fail(node, fmt::format("kernel `{}` has a SIMD size of {}", out.name, out.simd));
        out.slm_bytes = number(node, "slm_size", max_slm_bytes);
        out.barrier_count = number(node, "barrier_count", 32);
        out.grf_count = number(node, "grf_count", 512, 128);
        three(node, "required_work_group_size", UINT32_MAX, out.required_group_size);
        out.inline_bytes = number(node, "inline_data_payload_size", max_payload_bytes);
        out.needs_implicit_arguments = flag(node, "require_iab");
        three(node, "work_group_walk_order_dimensions", 2, out.walk_order);
        // Kernels with fewer than three local ids, and the dummy (zeinfo.md).
        if (!complete_walk_order(out))
            add(out.unknown, fmt::format("`work_group_walk_order_dimensions: [{}, {}, {}]` in "
                                         "`execution_env`",
                                         out.walk_order[0], out.walk_order[1], out.walk_order[2]));
    }

    // A dimension of size one may be missing, replaced by another: newer compilers write [0, 0, 0] for groups
    // of one (ruling 212). False: the order is ambiguous.
    static bool complete_walk_order(Signature& out) {
        std::vector<uint8_t> order;
        const auto is_in_it = [&](uint8_t dimension) {
            return std::ranges::find(order, dimension) != order.end();
        };
        for (const uint8_t dimension : out.walk_order)
            if (!is_in_it(dimension))
                order.push_back(dimension);
        for (uint8_t dimension = 0; dimension < 3; ++dimension) {
            if (is_in_it(dimension))
                continue;
            if (out.required_group_size[dimension] != 1)
                return false;
            order.push_back(dimension);
        }
        std::ranges::copy(order, out.walk_order.begin());
        return true;
    }

    // Attributes as in the source: a launch does not depend on them.
    void attributes(const YAML::Node& node, Signature& out) {
        if (!node.IsDefined() || !node.IsMap())
            return;
        for (const auto& entry : node) {
            const YAML::Node& value = entry.second;
            if (!entry.first.IsScalar())
                continue;
            std::string words;
            if (value.IsScalar())
                words = value.Scalar();
            for (const YAML::Node& item : value.IsSequence() ? value : YAML::Node())
                words += fmt::format("{}{}", words.empty() ? "" : ",", item.IsScalar() ? item.Scalar() : "");
            const std::string& name = entry.first.Scalar();
            out.attributes += fmt::format("{}{}({})", out.attributes.empty() ? "" : " ", name, words);
            if (name == "intel_reqd_sub_group_size")
                out.required_sub_group_size = number(node, "intel_reqd_sub_group_size", 32);
        }
    }

    void payload(const YAML::Node& node, Signature& out) {
        PayloadItem item;
        item.property = text(node, "arg_type");
        item.kind = payload_kind(item.property);
        item.offset = number(node, "offset", max_payload_bytes);
        item.bytes = number(node, "size", max_payload_bytes);
        item.source_offset = number(node, "source_offset", max_payload_bytes);
        item.slm_alignment = std::max(number(node, "slm_alignment", 1U << 16U, 1), 1U);
        item.mode = address_mode(text(node, "addrmode"));
        if (const std::string index = text(node, "bti_value"); !index.empty() && index != "-1")
            item.binding = static_cast<int>(number(node, "bti_value", max_binding));
        if (item.kind == PayloadKind::inline_sampler)
            item.sampler = static_cast<int>(number(node, "sampler_index", 255));
        if (node["arg_index"].IsDefined()) {
            item.argument = static_cast<int>(number(node, "arg_index", max_arguments - 1));
            describe_argument(node, item, argument(out, static_cast<size_t>(item.argument)));
        } else if (needs_argument(item.kind)) {
            fail(node, fmt::format("`{}` has no arg_index", item.property));
        }
        out.payload.push_back(std::move(item));
    }

    // Overlapping items are an error. Other errors of the lists were reported before.
    void check_overlaps(const YAML::Node& list, std::string_view name) {
        if (!good_ || !list.IsDefined() || !list.IsSequence())
            return;
        std::vector<ByteRange> ranges;
        for (const YAML::Node& item : list) {
            const uint64_t offset = number(item, "offset", max_payload_bytes);
            ranges.push_back({offset, offset + number(item, "size", max_payload_bytes)});
        }
        for (const auto& [first, second] : overlaps(ranges)) {
            const auto describe = [&](size_t index) {
                const int argument =
                    list[index]["arg_index"].IsDefined()
                        ? static_cast<int>(number(list[index], "arg_index", max_arguments - 1))
                        : -1;
                return payload_text(text(list[index], "arg_type"), argument, ranges[index].begin,
                                    ranges[index].end - ranges[index].begin);
            };
            good_ = false;
            diagnostics_
                .error(place(list[second]), "input-overlap",
                       fmt::format("kernel `{}`: {} and {} share bytes of the payload", name, describe(first),
                                   describe(second)))
                .notes.push_back({place(list[first]), "the other one"});
        }
    }

    // An argument's facts from the payload; all there are when the metadata has no names.
    void describe_argument(const YAML::Node& node, const PayloadItem& item, Argument& out) {
        out.used = true;
        if (item.kind == PayloadKind::argument_value)
            out.bytes = std::max(out.bytes, item.source_offset + item.bytes);
        if (item.kind != PayloadKind::argument_pointer)
            return;
        const std::string space = text(node, "addrspace");
        const std::string access = text(node, "access_type");
        out.kind = pointer_kind(space);
        if (out.kind == ArgumentKind::local_pointer)
            out.slm_alignment = item.slm_alignment;
        if (out.kind == ArgumentKind::sampler && node["sampler_index"].IsDefined())
            out.sampler_index = static_cast<int>(number(node, "sampler_index", 255));
        if (out.kind == ArgumentKind::image)
            out.access = access == "readonly"    ? "read_only"
                         : access == "writeonly" ? "write_only"
                                                 : "read_write";
    }

    void per_thread(const YAML::Node& node, Signature& out) {
        const std::string type = text(node, "arg_type");
        const uint32_t bytes = number(node, "size", 4096);
        const uint32_t offset = number(node, "offset", max_payload_bytes);
        if (type == "local_id" && offset != out.per_thread_bytes)
            add(out.unknown,
                fmt::format("`offset: {}` of `local_id` in `per_thread_payload_arguments`", offset));
        if (type == "local_id") {
            out.has_local_ids = true;
            out.per_thread_bytes += bytes;
        } else {
            out.payload.push_back({.kind = PayloadKind::unknown, .property = type});
        }
    }

    ThreadMemory thread_memory(const YAML::Node& node, Signature& kernel) {
        ThreadMemory out;
        const std::string type = text(node, "type"); // other types are rejected with the kernel
        if (type.empty())
            fail(node, "a per-thread memory buffer has no type");
        // Spills have a separate space; vISA text accesses only the first one.
        const uint32_t slot = number(node, "slot", UINT32_MAX);
        if (slot != 0 && text(node, "usage") != "spill_fill_space")
            add(kernel.unknown,
                fmt::format("`slot: {}` of `{}` in `per_thread_memory_buffers`", slot, text(node, "usage")));
        out.type = type == "global" ? ThreadMemory::Type::global : ThreadMemory::Type::scratch;
        out.usage = text(node, "usage");
        out.bytes = number(node, "size", max_thread_bytes);
        out.per_work_item = flag(node, "is_simt_thread");
        return out;
    }

    // Arguments before it exist, listed or not: bounds their number by the text's size.
    Argument& argument(Signature& signature, size_t index) {
        while (signature.arguments.size() <= index && arguments_left_ > 0) {
            signature.arguments.push_back(
                {.index = static_cast<uint32_t>(signature.arguments.size()), .used = false});
            --arguments_left_;
        }
        if (index < signature.arguments.size())
            return signature.arguments[index];
        if (good_)
            fail({}, fmt::format("the kernels up to `{}` have far more arguments than the metadata describes",
                                 signature.name));
        return spare_;
    }

    void argument_names(const YAML::Node& node, Signature& signature) {
        Argument& out = argument(signature, number(node, "index", max_arguments - 1));
        out.name = text(node, "name");
        split_type(text(node, "type_name"), out);
        const std::string space = text(node, "address_qualifier");
        const std::string access = text(node, "access_qualifier");
        const bool is_image = out.type_name.starts_with("image") && out.type_name.ends_with("_t");
        if (out.kind == ArgumentKind::value) // else the payload has it
            out.kind = is_image ? ArgumentKind::image : qualified_kind(space, out.type_name);
        if (is_image && access.starts_with("__"))
            out.access = access.substr(2);
        if (const std::string qualifiers = text(node, "type_qualifiers"); qualifiers != "NONE")
            out.type_qualifiers = qualifiers;
    }

    uint32_t base_;
    Diagnostics& diagnostics_;
    size_t arguments_left_; // of all kernels
    Argument spare_;        // of those that are too many
    bool good_ = true;
};

// Keeps unknown entries in the metadata, so that a launch from the text is rejected, too.
bool is_strange(const std::string& key, const YAML::Node& value) {
    if (key == "version")
        return !is_known_version(value);
    Unknown found;
    YAML::Node alone;
    alone[key] = value;
    add_unknown(alone, KeyLevel::file, "", found);
    for (const YAML::Node& item : key == "functions" && value.IsSequence() ? value : YAML::Node())
        add_unknown(item, KeyLevel::functions, "", found);
    return !found.empty();
}

// Occurrences of each key in the file. Readers use the first; duplicates count as unknown entries.
using Counts = std::map<std::string, size_t, std::less<>>;
Counts counts_of(const YAML::Node& root) {
    Counts counts;
    for (const auto& entry : root)
        if (entry.first.IsScalar())
            ++counts[entry.first.Scalar()];
    return counts;
}

// Copies, in order, unknown entries and duplicates. `present`: keys whose first occurrence is in `out`
// already.
void add_strange(const YAML::Node& root, const Counts& counts, std::set<std::string, std::less<>> present,
                 YAML::Node& out) {
    for (const auto& entry : root) {
        const YAML::Node& key = entry.first;
        if (key.IsScalar() && present.erase(key.Scalar()) > 0)
            continue;
        if (!key.IsScalar() || counts.at(key.Scalar()) > 1 || is_strange(key.Scalar(), entry.second))
            out.force_insert(key, entry.second);
    }
}

// Nested structures take one line each; their parents keep their lines.
YAML::Node compact(const YAML::Node& kernel) {
    YAML::Node out;
    for (const auto& entry : kernel) {
        YAML::Node value = entry.second;
        if (value.IsMap())
            value.SetStyle(YAML::EmitterStyle::Flow);
        if (value.IsSequence()) {
            for (YAML::Node item : value)
                item.SetStyle(YAML::EmitterStyle::Flow);
        }
        out.force_insert(entry.first, value); // without a search for duplicates
    }
    return out;
}

} // namespace

std::string compact_ze_info(std::string_view text, std::span<const std::string_view> kernels) {
    try {
        const YAML::Node root = tree_of(text);
        const std::set<std::string_view> wanted(kernels.begin(), kernels.end());
        YAML::Node out(YAML::NodeType::Map); // also when it stays empty
        const Counts counts = counts_of(root);
        std::set<std::string, std::less<>> present;
        for (const char* key : {"kernels", "kernels_misc_info"}) {
            YAML::Node list;
            for (const YAML::Node& kernel : root[key]) {
                const YAML::Node name = kernel["name"];
                if (name.IsDefined() && name.IsScalar() && wanted.contains(name.Scalar()))
                    list.push_back(compact(kernel));
            }
            const auto found = counts.find(key);
            if (list.IsNull() && (found == counts.end() || found->second == 1))
                continue; // no later duplicate would be used instead
            out[key] = list;
            present.insert(key);
        }
        add_strange(root, counts, std::move(present), out);
        YAML::Emitter emitter;
        emitter << out;
        return emitter.c_str();
    } catch (const YAML::Exception&) {
        return "";
    }
}

std::optional<std::vector<Signature>> read_ze_info(std::string_view text, uint32_t base,
                                                   Diagnostics& diagnostics) {
    if (text.size() > max_text_bytes) {
        diagnostics.error(
            Location{base, 1}, "bad-metadata",
            fmt::format("the metadata has {} bytes; the limit is {}", text.size(), max_text_bytes));
        return std::nullopt;
    }
    try {
        return Reader(base, text.size(), diagnostics).read(tree_of(text));
    } catch (const YAML::Exception& problem) {
        const auto position =
            static_cast<uint32_t>(std::clamp(problem.mark.pos, 0, static_cast<int>(text.size())));
        diagnostics.error(Location{base + position, 1}, "bad-metadata",
                          fmt::format("the metadata is no YAML: {}", problem.msg));
        return std::nullopt;
    }
}

} // namespace visor::launch
