// The files of a captured launch: the layout of the Intercept Layer for OpenCL Applications (its documents:
// docs/capture_single_kernels.md). What Visor adds is a launch file.
#pragma once

#include "machine/image.h"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace visor::capture {

inline constexpr const char* launch_file_name = "launch.json";
inline constexpr const char* kernel_name_file = "kernelName.txt";
inline constexpr const char* number_file = "enqueueNumber.txt";
inline constexpr const char* options_file = "buildOptions.txt";
inline constexpr const char* sizes_file = "worksizes.txt";
inline constexpr const char* types_file = "ArgumentDataTypes.txt";
inline constexpr const char* source_file = "kernel.cl";
inline constexpr const char* spirv_file = "kernel.spv";
inline constexpr const char* binary_file = "DeviceBinary0.bin";
// Visor's own: programs of vISA.
inline constexpr const char* visa_text_file = "kernel.visaasm";
inline constexpr const char* visa_binary_file = "kernel.isa";
inline constexpr const char* before_folder = "Pre";
inline constexpr const char* after_folder = "Post";

// "Enqueue_3_saxpy": the launch's own. Long names of kernels are cut, with a hash behind.
[[nodiscard]] std::string folder_name(uint64_t number, std::string_view kernel);
// "Enqueue_0003_Kernel_saxpy_Arg_1_Buffer_0002.bin", in Pre and Post.
[[nodiscard]] std::string buffer_file(uint64_t number, std::string_view kernel, size_t argument,
                                      uint64_t object);
// "Enqueue_0003_Kernel_blur_Arg_0_Image_0001_64x32x1_32bpp.raw"
[[nodiscard]] std::string image_file(uint64_t number, std::string_view kernel, size_t argument,
                                     uint64_t object, const machine::Image& image);

// Three lines of global sizes, local sizes (zeros: none given) and offsets.
struct Sizes {
    uint32_t dimensions = 1;
    std::array<uint64_t, 3> global{1, 1, 1};
    std::array<uint64_t, 3> local{0, 0, 0};
    std::array<uint64_t, 3> offset{0, 0, 0};
};
[[nodiscard]] std::string text_of(const Sizes& sizes);
// Error: a sentence.
[[nodiscard]] std::expected<Sizes, std::string> parse_sizes(std::string_view text);

[[nodiscard]] std::string text_of(const machine::Sampler& sampler);
[[nodiscard]] machine::Sampler parse_sampler(std::string_view text);

// The type of an array's numbers, as launch files have it, for a pointer to `type_name` ("float4*"); u8 for
// what is no number, or does not divide the bytes.
[[nodiscard]] std::string_view element_behind(std::string_view type_name, uint64_t bytes);

// Nine lines. The pitches are read as those of the captured pixels, which have no gaps.
[[nodiscard]] std::string metadata_of(const machine::Image& image);
[[nodiscard]] std::expected<machine::Image, std::string> parse_metadata(std::string_view text);

} // namespace visor::capture
