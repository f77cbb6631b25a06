#include "opencl/commands/functions.h"

#include "opencl/api.h"
#include "opencl/commands/forms.h"
#include "opencl/guard.h"
#include "opencl/kernel.h"

#include <algorithm>
#include <array>

namespace visor::opencl {

namespace {

struct RecordName {
    std::string_view name;
    void* function;
};

template <auto function>
constexpr auto either = guarded<&EitherForm<function>::call>;

} // namespace

void* command_buffer_function(std::string_view name) {
    const std::array functions{
        RecordName{"clCreateCommandBufferKHR", reinterpret_cast<void*>(guarded<create_command_buffer>)},
        RecordName{"clRetainCommandBufferKHR", reinterpret_cast<void*>(guarded<retain_command_buffer>)},
        RecordName{"clReleaseCommandBufferKHR", reinterpret_cast<void*>(guarded<release_command_buffer>)},
        RecordName{"clFinalizeCommandBufferKHR", reinterpret_cast<void*>(guarded<finalize_command_buffer>)},
        RecordName{"clEnqueueCommandBufferKHR", reinterpret_cast<void*>(guarded<enqueue_command_buffer>)},
        RecordName{"clGetCommandBufferInfoKHR", reinterpret_cast<void*>(guarded<get_command_buffer_info>)},
        RecordName{"clCommandNDRangeKernelKHR", reinterpret_cast<void*>(guarded<record_nd_range_kernel>)},
        RecordName{"clCommandBarrierWithWaitListKHR", reinterpret_cast<void*>(either<record_barrier>)},
        RecordName{"clCommandCopyBufferKHR", reinterpret_cast<void*>(either<record_copy_buffer>)},
        RecordName{"clCommandCopyBufferRectKHR", reinterpret_cast<void*>(either<record_copy_buffer_rect>)},
        RecordName{"clCommandCopyBufferToImageKHR",
                   reinterpret_cast<void*>(either<record_copy_buffer_to_image>)},
        RecordName{"clCommandCopyImageKHR", reinterpret_cast<void*>(either<record_copy_image>)},
        RecordName{"clCommandCopyImageToBufferKHR",
                   reinterpret_cast<void*>(either<record_copy_image_to_buffer>)},
        RecordName{"clCommandFillBufferKHR", reinterpret_cast<void*>(either<record_fill_buffer>)},
        RecordName{"clCommandFillImageKHR", reinterpret_cast<void*>(either<record_fill_image>)},
        RecordName{"clCommandSVMMemcpyKHR", reinterpret_cast<void*>(either<record_svm_memcpy>)},
        RecordName{"clCommandSVMMemFillKHR", reinterpret_cast<void*>(either<record_svm_mem_fill>)},
    };
    const auto found = std::ranges::find(functions, name, &RecordName::name);
    return found == functions.end() ? nullptr : found->function;
}

} // namespace visor::opencl
