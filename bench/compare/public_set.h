// The fifth set: kernels of public projects, which nobody wrote for Visor. Their sources stay outside this
// repository (scripts/setup kernels, --sources FOLDER); fifth_set.json says how each is launched.
#pragma once

#include "work.h"

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compare {

// Where sources are.
struct Places {
    std::string brought; // what scripts/setup kernels has brought
    std::string sources; // of checkouts; "": there is none
    std::string own;     // this repository's folder of descriptions
};

struct PublicSet {
    std::vector<Work> work;
    std::vector<std::string> left_out; // a line each: how many kernels, and why
};

// Reads descriptions; `name` is what errors begin with. Only kernels that `wanted` takes by their name get
// buffers. Else all errors, a line each, with kernel and member.
[[nodiscard]] std::expected<PublicSet, std::vector<std::string>>
read_public_set(std::string_view name, std::string_view json, const Places& places,
                const std::function<bool(const std::string&)>& wanted);

// Adds to a piece of work what an argument's description says (bench/compare/fifth_set.md has the grammar).
// "": it is fine. `fill`: with the content of buffers.
[[nodiscard]] std::string add_argument(Work& work, std::string_view description, bool fill);

// Those of one of this repository's files of descriptions, told on standard error where any are left out; an
// empty optional: the file has errors, which have been told.
[[nodiscard]] std::optional<std::vector<Work>> public_set(const std::string& file, const std::string& only,
                                                          const std::string& sources);

inline constexpr const char* fifth_set_file = "fifth_set.json";
inline constexpr const char* public_images_file = "public_images.json"; // of the image set
inline constexpr const char* idioms_file = "idioms.json";               // short kernels of our own

} // namespace visor::compare
