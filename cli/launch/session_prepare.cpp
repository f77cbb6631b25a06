// A session before its first launch: kernels are found, arguments and results bound and checked.
#include "cli/launch/session.h"
#include "cli/value/array_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::cli {

namespace {

// How whoever wrote the launch spells its parts.
struct Words {
    const char* global;
    const char* local;
    const char* offset;
    const char* threads;
    const char* simd;
    const char* hand_written;
};
constexpr Words option_words{"-g X[,Y[,Z]]", "-l",
                             "--offset",     "--groups and --hw-threads",
                             "--simd",       "--groups, --hw-threads, --simd, --slm, --bti and --sampler"};
constexpr Words file_words{"`global`", "`local`",
                           "`offset`", "`groups` and `hw_threads`",
                           "`simd`",   "`groups`, `hw_threads`, `simd`, `slm`, `bti` and `samplers`"};

} // namespace

Session::Step Session::prepare(const LaunchRequest& request) {
    auto kernel = vm::kernel(*program_, request.kernel);
    if (!kernel)
        return std::unexpected(failure(kernel.error()));
    LaunchRecord& record = record_.launches.emplace_back();
    record.request = &request;
    record.kernel = std::move(*kernel);
    console_.remark(fmt::format("visor: {}, SIMD{}", signature_text(record.kernel), record.kernel.simd));
    if (auto good = check_sizes(request, record.kernel); !good)
        return good;
    std::vector<StateText> states = request.surfaces;
    states.insert(states.end(), request.samplers.begin(), request.samplers.end());
    auto bindings = cli::bind(context_, record.kernel, request.arguments, states, arrays_);
    if (!bindings)
        return std::unexpected(bindings.error());
    for (const std::string& warning : bindings->warnings)
        warn(warning);
    Prepared& prepared = prepared_.emplace_back();
    prepared.bindings = std::move(*bindings);
    return prepare_dumps(record, prepared);
}

Session::Step Session::prepare_dumps(const LaunchRecord& record, Prepared& prepared) const {
    if (request_.dumps.empty())
        return {};
    const auto source = vm::source_of(*program_, record.kernel.name);
    if (!source)
        return std::unexpected(failure(source.error()));
    for (const trace::RegisterChoice& choice : request_.dumps) {
        if (const auto known = trace::check_names(*source->function, choice.names); !known)
            return invalid(fmt::format("--dump: {}", known.error()));
        prepared.dumps.emplace_back(choice);
    }
    return {};
}

// Parts that only the other sort of kernel understands.
Session::Step Session::check_sizes(const LaunchRequest& request, const vm::KernelFacts& kernel) const {
    const Words& words = request.place.empty() ? option_words : file_words;
    const bool in_threads = request.groups.dimensions != 0 || request.hardware_threads;
    if (!kernel.hand_written) {
        if (in_threads || request.simd || request.slm_bytes || !request.surfaces.empty() ||
            !request.samplers.empty())
            return usage(
                fmt::format("{} are for hand-written vISA text; this kernel was compiled, so give {}",
                            words.hand_written, words.global));
        if (request.global.dimensions == 0)
            return usage(fmt::format("the global size is missing: give {} in work-items\n  {}", words.global,
                                     signature_text(kernel)));
    } else if (in_threads && request.global.dimensions != 0) {
        return usage(fmt::format("the size is given twice: in work-items ({}) and in hardware threads ({})",
                                 words.global, words.threads));
    } else if (!in_threads && request.global.dimensions == 0) {
        return usage(
            fmt::format("the size is missing: give {} in work-items, or {}", words.global, words.threads));
    } else if (!request.simd && kernel.simd == 0) {
        return usage(fmt::format("kernel `{}` has no SimdSize attribute: give {} 8, 16 or 32", kernel.name,
                                 words.simd));
    }
    if (request.local.dimensions > request.global.dimensions && !in_threads)
        return usage(fmt::format("{} has more dimensions than {}", words.local, words.global));
    if (request.offset.dimensions > request.global.dimensions && !in_threads)
        return usage(fmt::format("{} has more dimensions than {}", words.offset, words.global));
    return {};
}

// The job's arrays, else what the only launch was given.
std::expected<const BoundArray*, std::string> Session::find(std::string_view name) const {
    const auto shared = std::ranges::find(arrays_, name, &BoundArray::name);
    if (shared != arrays_.end())
        return &*shared;
    if (prepared_.size() == 1)
        return prepared_.front().bindings.find(name);
    std::vector<std::string_view> names;
    for (const BoundArray& array : arrays_)
        names.emplace_back(array.name);
    return std::unexpected(fmt::format("no array is called `{}`{}", name, did_you_mean(name, names)));
}

// As the option, or the launch file's key, is called.
std::string Session::result_problem(std::string_view key, std::string_view name, std::string_view why) const {
    const bool in_file =
        std::ranges::any_of(job_.launches, [](const LaunchRequest& launch) { return !launch.place.empty(); });
    return in_file ? fmt::format("{}: error: {}: {}", request_.file, key, why)
                   : fmt::format("--{} {}: {}", key, name, why);
}

Session::Step Session::settle_results() {
    for (const OutputRequest& output : job_.outputs) {
        const auto array = find(output.name);
        if (!array)
            return invalid(result_problem("out", output.name, array.error()));
        auto settled = cli::settle(output, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        if (const auto possible = OutputFile::probe(output.path); !possible)
            return invalid(possible.error());
        outputs_.push_back(std::move(*settled));
    }
    for (const PrintRequest& print : job_.prints) {
        const auto array = find(print.name);
        if (!array)
            return invalid(result_problem("print", print.name, array.error()));
        auto settled = cli::settle(print, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        prints_.push_back(std::move(*settled));
    }
    for (const Expectation& expectation : job_.expectations)
        if (auto good = settle(expectation); !good)
            return invalid(
                fmt::format("{}: error: {}: {}", request_.file, expectation.place, good.error().text));
    return {};
}

Session::Step Session::settle(const Expectation& expectation) {
    const auto array = find(expectation.array);
    if (!array)
        return invalid(array.error());
    const ArrayFacts& facts = (*array)->facts;
    const uint64_t elements = elements_of(facts.shape).value_or(0);
    if (expectation.tolerance.ulps && !cli::facts(facts.element).is_float)
        return invalid(fmt::format("`ulps` is for floats; `{}` is an array of {}", expectation.array,
                                   name_of(facts.element)));
    Expected out{&expectation, *array, {}, nullptr};
    ArrayFacts given = facts;
    if (const auto* numbers = std::get_if<Numbers>(&expectation.value)) {
        auto bytes = number_bytes(*numbers, facts.element);
        if (!bytes)
            return invalid(bytes.error());
        if (expectation.every) {
            const std::vector<std::byte> one = std::move(*bytes);
            bytes->clear();
            for (uint64_t i = 0; i < elements; ++i)
                bytes->insert(bytes->end(), one.begin(), one.end());
        } else {
            given.shape = {numbers->size()};
        }
        out.bytes = std::move(*bytes);
    } else if (const auto* named = std::get_if<Named>(&expectation.value)) {
        out.other = *find(named->name); // which the launch file's reader knows
        given = out.other->facts;
    } else {
        const auto format = facts.image ? std::optional(facts.image->format) : std::nullopt;
        auto content = array_content(expectation.value, facts.element, format);
        if (!content)
            return std::unexpected(content.error());
        given = std::move(content->facts);
        out.bytes = std::move(content->bytes);
    }
    if (given.image && facts.image && given.image->format != facts.image->format)
        return invalid(fmt::format("`{}` is an image of {}, expected is one of {}", expectation.array,
                                   facts_text(*facts.image), facts_text(*given.image)));
    if (given.element != facts.element)
        return invalid(fmt::format("`{}` is an array of {}, expected are {} ({})", expectation.array,
                                   name_of(facts.element), name_of(given.element), expectation.text));
    if (const uint64_t count = elements_of(given.shape).value_or(0); count != elements)
        return invalid(fmt::format("`{}` has {} elements, expected are {} ({})", expectation.array, elements,
                                   count, expectation.text));
    expected_.push_back(std::move(out));
    return {};
}

Session::Step Session::open_trace() {
    if (request_.trace.empty())
        return {};
    auto file = OutputFile::create(request_.trace);
    if (!file)
        return invalid(file.error());
    trace_file_.emplace(std::move(*file));
    tracer_.emplace(
        [this](std::string_view lines) {
            if (!trace_problem_.empty())
                return;
            if (auto put = trace_file_->write(lines); !put)
                trace_problem_ = put.error();
        },
        request_.trace_choice);
    return {};
}

} // namespace visor::cli
