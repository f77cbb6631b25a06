// One launch of a kernel on an image as plain data, and the places that can carry it out: Visor, and PoCL
// through the OpenCL API. Neither knows what result is expected.
#pragma once

#include "oracle/image.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace visor::images {

struct Run {
    std::string kernel;
    oracle::HostImage* image = nullptr; // its pixels afterwards are the kernel's
    std::optional<oracle::HostSampler> sampler;
    std::vector<std::vector<std::byte>> arrays; // the arguments behind; contents before and after
    size_t items = 1;
};

class Place {
public:
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    virtual ~Place() = default;
    [[nodiscard]] virtual bool has(const oracle::ImageFormat& format, oracle::Dimension dimension,
                                   bool writes) const = 0;
    [[nodiscard]] virtual bool has_depth() const = 0;
    // Whether writes are rounded to the nearest; OpenCL lets them be 0.6 of a step away.
    [[nodiscard]] virtual bool rounds_exactly() const = 0;
    // Whether alpha is right where the format has none.
    [[nodiscard]] virtual bool knows_alpha(const Run& run) const = 0;
    // What the place is known to do wrong; "" otherwise.
    [[nodiscard]] virtual std::string excuse(const Run& run) const = 0;
    // "" or what went wrong.
    [[nodiscard]] virtual std::string run(Run& run) = 0;
};

// nullptr: everything that was said is on standard output.
[[nodiscard]] std::unique_ptr<Place> visor_place(const std::string& device, const std::string& source);
// nullptr with "" in `problem`: there is no PoCL.
[[nodiscard]] std::unique_ptr<Place> pocl_place(const std::string& source, std::string& problem);

} // namespace visor::images
