// PNG and NumPy files: what is read is written and read again as the same pixels and numbers. Checksums of
// changed PNGs are made right, as nothing behind them would be reached otherwise.
#include "checksums.h"
#include "finding.h"
#include "limits.h"

#include "cli/value/npy.h"
#include "cli/value/picture.h"

#include <algorithm>
#include <cstring>

using namespace visor;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

constexpr double most_of_png = 1040 * 8 * 4; // of a byte: deflate, pixels of a bit, and four bytes for each

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned /*seed*/) {
    size = LLVMFuzzerMutate(data, size, most);
    if (!cli::is_npy(fuzz::bytes_of(data, size)))
        fuzz::set_checksums(data, size);
    return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size, most_of_png);
    const auto file = fuzz::bytes_of(data, size);
    if (const auto array = cli::read_npy(file)) {
        const std::string header = cli::npy_header(array->element, array->shape);
        std::vector<std::byte> written(header.size() + array->bytes.size());
        std::memcpy(written.data(), header.data(), header.size());
        std::ranges::copy(array->bytes, written.begin() + static_cast<std::ptrdiff_t>(header.size()));
        const auto again = cli::read_npy(written);
        fuzz::require(again && again->shape == array->shape && again->bytes == array->bytes, "another array");
    }
    const auto picture = cli::read_png(file);
    if (!picture || picture->bytes.size() > (size_t{1} << 22U)) // encoding larger ones takes long
        return 0;
    const cli::Picture whole{cli::Pixels::rgba8, picture->width, picture->height, picture->bytes};
    static_cast<void>(cli::terminal_view(whole, 80, cli::Ink::color));
    const auto written = cli::png_file(whole);
    fuzz::require(written.has_value(), "a picture that was read cannot be written");
    const auto again = cli::read_png(*written);
    fuzz::require(again && again->bytes == picture->bytes, "another picture");
    return 0;
}
