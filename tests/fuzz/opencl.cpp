// Sequences of OpenCL calls (player.h) on Visor as the loader's only platform. The sanitizers are the oracle,
// and that every sequence ends.
#include "finding.h"
#include "player.h"

#include <fstream>
#include <iterator>

using namespace visor;

namespace {

fuzz::Platform& platform() {
    static fuzz::Platform one;
    return one;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
    setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
    fuzz::Platform& to = platform();
    fuzz::require(clGetPlatformIDs(1, &to.id, nullptr) == CL_SUCCESS, "there is no platform");
    fuzz::require(clGetDeviceIDs(to.id, CL_DEVICE_TYPE_ALL, 1, &to.device, nullptr) == CL_SUCCESS,
                  "there is no device");
    for (const char* const name :
         {"saxpy.skl.zebin", "images.skl.zebin", "locals.skl.zebin", "values.skl.zebin"})
        to.zebins.push_back(content_of(std::string(VISOR_ZEBINS) + name));
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Player player(platform(), {data, size});
    player.play();
    return 0;
}
