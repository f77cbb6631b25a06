#include "vm/editable.h"

#include "launch/annotation.h"
#include "text/text.h"
#include "vm/report.h"
#include "vm/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::vm {

namespace {

// Concatenates texts. Only the first keeps its `.version`; kernels get their names, which the compiler's text
// lacks (launch ABI 1.1).
class Texts {
public:
    void add(std::string_view text, std::string_view kernel) {
        if (!all_.empty())
            all_ += '\n';
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(at, end - at);
            at = end + 1;
            if (line.starts_with(".version")) {
                if (version_.empty())
                    add_line(line);
                else if (line != version_)
                    mixed_ = true;
                version_ = line;
            } else if (line.starts_with(".kernel ") && !kernel.empty()) {
                add_line(fmt::format(".kernel \"{}\"", kernel));
            } else {
                add_line(line);
            }
        }
    }
    [[nodiscard]] bool mixed() const { return mixed_; }
    [[nodiscard]] std::string take() { return std::move(all_); }

private:
    void add_line(std::string_view line) {
        all_ += line;
        all_ += '\n';
    }

    std::string all_;
    std::string version_;
    bool mixed_ = false;
};

std::expected<void, Error> keep_only(launch::Zebin& zebin, std::string_view kernel) {
    std::vector<std::string_view> names;
    for (const launch::ZebinKernel& known : zebin.kernels)
        names.emplace_back(known.signature.name);
    if (std::ranges::find(names, kernel) == names.end())
        return std::unexpected(
            Error{ErrorKind::invalid, fmt::format("error: there is no kernel `{}`{}; there are {}", kernel,
                                                  did_you_mean(kernel, names), fmt::join(names, " "))});
    std::erase_if(zebin.kernels,
                  [&](const launch::ZebinKernel& known) { return known.signature.name != kernel; });
    return {};
}

} // namespace

std::expected<std::string, Error> editable_text(std::string_view name, std::string_view content,
                                                std::string_view kernel, const isa::Device& device) {
    Diagnostics diagnostics;
    auto zebin = launch::read_zebin(std::as_bytes(std::span(content.data(), content.size())), diagnostics);
    if (!zebin)
        return std::unexpected(error_of(diagnostics, {name, content, true}, Color::off));
    if (zebin->kernels.empty())
        return std::unexpected(Error{ErrorKind::invalid, "error: the file has no kernel"});
    if (!kernel.empty())
        if (auto kept = keep_only(*zebin, kernel); !kept)
            return std::unexpected(kept.error());
    Texts texts;
    for (const launch::ZebinKernel& known : zebin->kernels)
        texts.add(known.text, known.signature.name);
    for (const launch::ZebinFunction& function : zebin->functions)
        texts.add(function.text, {});
    if (texts.mixed())
        return std::unexpected(
            Error{ErrorKind::invalid, "error: the kernels' texts have several versions: choose one with -k"});
    std::string text = launch::annotations(*zebin, zebin->device.value_or(device.id)) + texts.take();
    const Unit read = read_text("the text put together", text, &device);
    if (!read.module)
        return std::unexpected(error_of(read, Color::off));
    return text;
}

} // namespace visor::vm
