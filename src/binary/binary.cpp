// The file around its routines, in both directions.
#include "binary/binary.h"

#include "binary/layout.h"
#include "binary/reader.h"
#include "binary/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace visor::binary {

namespace {

// Routines that share bytes would let a small file grow without bound.
bool are_apart(const FileHeader& header, size_t file_bytes, Diagnostics& diagnostics) {
    std::vector<std::pair<uint64_t, uint64_t>> parts;
    for (const std::vector<RoutineInfo>* list : {&header.kernels, &header.functions}) {
        for (const RoutineInfo& info : *list)
            parts.emplace_back(info.offset, uint64_t{info.offset} + info.size);
    }
    std::ranges::sort(parts);
    for (size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].first < parts[i - 1].second) {
            diagnostics.error(within(parts[i].first, 0, file_bytes), "routines-overlap",
                              fmt::format("two routines share the bytes from 0x{:x} on", parts[i].first));
            return false;
        }
    }
    return true;
}

// A program is its kernels and functions; the text form refuses what has none as well.
std::nullopt_t no_routines(Diagnostics& diagnostics) {
    diagnostics.error(std::nullopt, "no-kernel", "there is neither a kernel nor a function in this program");
    return std::nullopt;
}

class FileReader {
public:
    FileReader(std::span<const std::byte> file, const Options& options, Diagnostics& diagnostics)
        : file_(file), diagnostics_(diagnostics), errors_(diagnostics.errors()),
          reader_(file, options, diagnostics) {}

    [[nodiscard]] std::optional<Module> run() {
        reader_.start(0, file_.size(), nullptr);
        file_header(reader_, header_);
        if (!reader_.ok() || !are_apart(header_, file_.size(), diagnostics_))
            return std::nullopt;
        if (header_.kernels.empty() && header_.functions.empty())
            return no_routines(diagnostics_);
        module_.major = reader_.version().major;
        module_.minor = reader_.version().minor;
        for (RoutineInfo& info : header_.kernels)
            add(FunctionKind::kernel, info);
        for (RoutineInfo& info : header_.functions)
            add(FunctionKind::global_function, info);
        if (diagnostics_.errors() != errors_)
            return std::nullopt;
        return std::move(module_);
    }

private:
    void add(FunctionKind kind, RoutineInfo& info) {
        const uint64_t end = uint64_t{info.offset} + info.size;
        if (end > file_.size()) {
            diagnostics_.error(within(info.offset, 0, file_.size()), "truncated",
                               fmt::format("`{}` reaches to 0x{:x}, and the file ends at 0x{:x}", info.name,
                                           end, file_.size()));
            return;
        }
        Function& function = module_.functions.emplace_back();
        function.kind = kind;
        function.name = std::move(info.name);
        function.where = {info.offset, info.size};
        reader_.start(info.offset, end, &function);
        routine(reader_, function);
        if (diagnostics_.errors() == errors_) {
            reader_.settle_variables();
            reader_.settle_names();
        }
        for (const NativeCode& native : info.native)
            diagnostics_.report(Severity::note, within(native.offset, native.size, file_.size()),
                                "native-code",
                                fmt::format("machine code of `{}` for platform {} is left out", function.name,
                                            native.platform));
    }

    std::span<const std::byte> file_;
    Diagnostics& diagnostics_;
    const size_t errors_; // that were there before
    Reader reader_;
    FileHeader header_;
    Module module_;
};

} // namespace

bool is_binary(std::span<const std::byte> file) {
    if (file.size() < sizeof magic)
        return false;
    uint32_t first = 0;
    for (size_t i = 0; i < sizeof magic; ++i)
        first |= std::to_integer<uint32_t>(file[i]) << (8 * i);
    return first == magic;
}

std::optional<Module> read(std::span<const std::byte> file, const Options& options,
                           Diagnostics& diagnostics) {
    if (file.size() > std::numeric_limits<uint32_t>::max()) {
        diagnostics.error(std::nullopt, "too-large", "a vISA binary has less than 4 GiB");
        return std::nullopt;
    }
    return FileReader(file, options, diagnostics).run();
}

std::optional<std::vector<std::byte>> write(const Module& module, const Options& options,
                                            Diagnostics& diagnostics) {
    if (module.functions.empty())
        return no_routines(diagnostics);
    const size_t errors = diagnostics.errors();
    Writer writer(options, diagnostics);
    FileHeader header;
    std::vector<Writer::Routine> kernels;
    std::vector<Writer::Routine> functions;
    for (const Function& function : module.functions) {
        const bool kernel = function.kind == FunctionKind::kernel;
        if (!kernel && !function.inputs.empty())
            diagnostics.error(
                function.inputs.front().where, "function-input",
                fmt::format("`{}` is a function: a binary has inputs of kernels alone", function.name));
        RoutineInfo& info = (kernel ? header.kernels : header.functions).emplace_back();
        info.name = function.name;
        (kernel ? kernels : functions).push_back(writer.write(function));
    }
    // The header's size does not depend on the offsets in it.
    uint64_t end = writer.write(header).size();
    const auto place = [&](std::vector<RoutineInfo>& infos, const std::vector<Writer::Routine>& routines) {
        for (size_t i = 0; i < routines.size(); ++i) {
            infos[i].offset = static_cast<uint32_t>(end);
            infos[i].size = static_cast<uint32_t>(routines[i].bytes.size());
            infos[i].input_offset = infos[i].offset + routines[i].input_offset;
            end += routines[i].bytes.size();
        }
    };
    place(header.kernels, kernels);
    place(header.functions, functions);
    if (end > std::numeric_limits<uint32_t>::max())
        writer.too_large("4 GiB or more");
    if (diagnostics.errors() != errors)
        return std::nullopt;
    std::vector<std::byte> file = writer.write(header);
    file.reserve(end);
    for (const std::vector<Writer::Routine>* list : {&kernels, &functions}) {
        for (const Writer::Routine& item : *list)
            file.insert(file.end(), item.bytes.begin(), item.bytes.end());
    }
    return file;
}

} // namespace visor::binary
