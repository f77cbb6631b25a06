// Objects: made, retained, released, asked for, and called back from.
#include "driver.h"

namespace visor::opencl_model {

namespace {

constexpr size_t buffer_bytes = 4096;
constexpr size_t part_bytes = 1024;
constexpr size_t most_contexts = 3;

// Destructor callbacks: the handle is not valid any more, and others are.
void CL_CALLBACK memory_ends(cl_mem memory, void* data) {
    const auto& call = *static_cast<const Called*>(data);
    if (clRetainMemObject(memory) != CL_INVALID_MEM_OBJECT ||
        clReleaseMemObject(memory) != CL_INVALID_MEM_OBJECT)
        call.log->add_problem("a memory object is valid in its destructor callback");
    call.log->add({call.token, 0});
}
void CL_CALLBACK context_ends(cl_context context, void* data) {
    const auto& call = *static_cast<const Called*>(data);
    cl_int code = CL_SUCCESS;
    if (clReleaseContext(context) != CL_INVALID_CONTEXT ||
        clCreateBuffer(context, 0, buffer_bytes, nullptr, &code) != nullptr || code != CL_INVALID_CONTEXT)
        call.log->add_problem("a context is valid in its destructor callback");
    call.log->add({call.token, 0});
}
void CL_CALLBACK build_ends(cl_program program, void* data) {
    const auto& call = *static_cast<const Called*>(data);
    if (clRetainProgram(program) != CL_SUCCESS || clReleaseProgram(program) != CL_SUCCESS)
        call.log->add_problem("a program is not valid in the callback of its build");
    call.log->add({call.token, 0});
}

} // namespace

Id Driver::add(Kind kind, void* made, Id context, const std::vector<Id>& keeps) {
    return model_.add(kind, made, context, keeps);
}

void Driver::make_context() {
    if (model_.all().size() > 1 && contexts_ == most_contexts)
        return;
    cl_int code = 1;
    say("clCreateContext");
    const cl_context made = clCreateContext(nullptr, 1, &platform_.device, nullptr, nullptr, &code);
    expect(code, CL_SUCCESS, "clCreateContext");
    add(Kind::context, made, 0);
    ++contexts_;
}

void Driver::make_queue() {
    const auto context = any(Kind::context);
    const bool in_order = one_of(2);
    cl_int code = 1;
    say(in_order ? "clCreateCommandQueue, in order, of" : "clCreateCommandQueue, out of order, of", context);
    const cl_command_queue made =
        clCreateCommandQueue(handle<cl_context>(context), platform_.device,
                             in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    expect(code, is_alive(context) ? CL_SUCCESS : CL_INVALID_CONTEXT, "clCreateCommandQueue");
    if (made != nullptr)
        model_.at(add(Kind::queue, made, *context)).in_order = in_order;
}

void Driver::make_buffer() {
    const auto context = any(Kind::context);
    const std::optional<Id> pointer = is_alive(context) && one_of(3) ? any_pointer(*context) : std::nullopt;
    const bool over = pointer && !model_.pointers()[*pointer].is_freed;
    cl_int code = 1;
    say(pointer ? "clCreateBuffer over a pointer, of" : "clCreateBuffer, of", context);
    const cl_mem made =
        clCreateBuffer(handle<cl_context>(context), pointer ? CL_MEM_USE_HOST_PTR : CL_MEM_READ_WRITE,
                       buffer_bytes, pointer ? model_.pointers()[*pointer].at : nullptr, &code);
    const cl_int wanted = !is_alive(context)   ? CL_INVALID_CONTEXT
                          : (pointer && !over) ? CL_INVALID_HOST_PTR
                                               : CL_SUCCESS;
    expect(code, wanted, "clCreateBuffer");
    if (made != nullptr)
        model_.at(add(Kind::memory, made, *context)).over = pointer;
}

void Driver::make_part() {
    const auto whole = any(Kind::memory);
    const cl_buffer_region region{one_of(2) ? 0 : part_bytes, part_bytes};
    cl_int code = 1;
    say("clCreateSubBuffer of", whole);
    const cl_mem made =
        clCreateSubBuffer(handle<cl_mem>(whole), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    const bool good = is_alive(whole) && !model_.at(*whole).is_image && !model_.at(*whole).is_part;
    expect(code, good ? CL_SUCCESS : CL_INVALID_MEM_OBJECT, "clCreateSubBuffer");
    if (made == nullptr)
        return;
    const Id id = add(Kind::memory, made, model_.at(*whole).context, {*whole});
    model_.at(id).is_part = true;
    model_.at(id).parent = whole;
    model_.at(id).over = model_.at(*whole).over;
}

// Of 1024 bytes, as large as a part of a buffer.
void Driver::make_image() {
    const auto context = any(Kind::context);
    const auto parent = one_of(4) ? std::nullopt : any(Kind::memory);
    const bool plane = one_of(2) || !parent;
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc wish{};
    wish.image_type = plane ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE1D_BUFFER;
    wish.image_width = plane ? 16 : 256;
    wish.image_height = plane ? 16 : 0;
    wish.buffer = handle<cl_mem>(parent);
    cl_int code = 1;
    say("clCreateImage of", context, parent);
    const cl_mem made =
        clCreateImage(handle<cl_context>(context), CL_MEM_READ_WRITE, &format, &wish, nullptr, &code);
    const bool good = !parent || (is_alive(parent) && model_.at(*parent).context == context &&
                                  (!model_.at(*parent).is_image || (plane && model_.at(*parent).is_plane)));
    const cl_int wanted = !is_alive(context) ? CL_INVALID_CONTEXT
                          : good             ? CL_SUCCESS
                                             : CL_INVALID_IMAGE_DESCRIPTOR;
    expect(code, wanted, "clCreateImage");
    if (made == nullptr)
        return;
    const Id id = add(Kind::memory, made, *context, parent ? std::vector{*parent} : std::vector<Id>{});
    model_.at(id).is_image = true;
    model_.at(id).is_plane = plane;
    model_.at(id).parent = parent;
    if (parent)
        model_.at(id).over = model_.at(*parent).over;
}

void Driver::make_sampler() {
    const auto context = any(Kind::context);
    cl_int code = 1;
    say("clCreateSampler of", context);
    const cl_sampler made =
        clCreateSampler(handle<cl_context>(context), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    expect(code, is_alive(context) ? CL_SUCCESS : CL_INVALID_CONTEXT, "clCreateSampler");
    if (made != nullptr)
        add(Kind::sampler, made, *context);
}

void Driver::make_program() {
    const auto context = any(Kind::context);
    const auto* bytes = reinterpret_cast<const unsigned char*>(platform_.zebin.data());
    const size_t length = platform_.zebin.size();
    cl_int code = 1;
    say("clCreateProgramWithBinary of", context);
    const cl_program made = clCreateProgramWithBinary(handle<cl_context>(context), 1, &platform_.device,
                                                      &length, &bytes, nullptr, &code);
    expect(code, is_alive(context) ? CL_SUCCESS : CL_INVALID_CONTEXT, "clCreateProgramWithBinary");
    if (made != nullptr)
        add(Kind::program, made, *context);
}

// Refused while the program has kernels.
void Driver::build() {
    const auto program = any(Kind::program);
    if (!program)
        return;
    const bool calls_back = one_of(3);
    const bool has_kernels = is_alive(program) && model_.has_kernels(*program);
    const cl_int wanted = !is_alive(program) ? CL_INVALID_PROGRAM
                          : has_kernels      ? CL_INVALID_OPERATION
                                             : CL_SUCCESS;
    say(calls_back ? "clBuildProgram with a callback, of" : "clBuildProgram of", program);
    Called* const call = calls_back ? keep({&log_, model_.next_token++, nullptr}) : nullptr;
    const auto attempt = [&] {
        return clBuildProgram(handle<cl_program>(program), 1, &platform_.device, "",
                              calls_back ? build_ends : nullptr, call);
    };
    cl_int code = attempt();
    if (wanted == CL_SUCCESS) // a kernel that has ended is counted until its destructor is over
        until(
            [&] {
                code = code == CL_INVALID_OPERATION ? attempt() : code;
                return code != CL_INVALID_OPERATION;
            },
            "a program has no kernels, and cannot be built");
    expect(code, wanted, "clBuildProgram");
    if (code != CL_SUCCESS)
        return;
    model_.at(*program).is_built = true;
    if (calls_back)
        model_.build_is_over(call->token);
}

void Driver::make_kernel() {
    cl_int code = 1;
    if (const auto kernel = any(Kind::kernel); kernel && one_of(3)) {
        say("clCloneKernel", kernel);
        const cl_kernel made = clCloneKernel(handle<cl_kernel>(kernel), &code);
        expect(code, is_alive(kernel) ? CL_SUCCESS : CL_INVALID_KERNEL, "clCloneKernel");
        if (made == nullptr)
            return;
        const Id program = model_.at(*kernel).program;
        const Id id = add(Kind::kernel, made, model_.at(*kernel).context, {program});
        model_.at(id).program = program;
        model_.at(id).arguments = model_.at(*kernel).arguments;
        return;
    }
    const auto program = any(Kind::program);
    say("clCreateKernel of", program);
    const cl_kernel made = clCreateKernel(handle<cl_program>(program), "saxpy", &code);
    const cl_int wanted = !is_alive(program)             ? CL_INVALID_PROGRAM
                          : model_.at(*program).is_built ? CL_SUCCESS
                                                         : CL_INVALID_PROGRAM_EXECUTABLE;
    expect(code, wanted, "clCreateKernel");
    if (made == nullptr)
        return;
    const Id id = add(Kind::kernel, made, model_.at(*program).context, {*program});
    model_.at(id).program = *program;
    model_.at(id).arguments.resize(4);
    const cl_int value = 64; // work-items; as a float nearly zero
    for (const cl_uint index : {2U, 3U}) {
        expect(clSetKernelArg(made, index, sizeof value, &value), CL_SUCCESS, "clSetKernelArg");
        model_.at(id).arguments[index].is_set = true;
    }
}

void Driver::make_user_event() {
    const auto context = any(Kind::context);
    cl_int code = 1;
    say("clCreateUserEvent of", context);
    const cl_event made = clCreateUserEvent(handle<cl_context>(context), &code);
    expect(code, is_alive(context) ? CL_SUCCESS : CL_INVALID_CONTEXT, "clCreateUserEvent");
    if (made != nullptr)
        model_.at(add(Kind::event, made, *context)).status = CL_SUBMITTED;
}

void Driver::allocate() {
    const auto context = any(Kind::context);
    const bool is_usm = one_of(2);
    say(is_usm ? "clSharedMemAllocINTEL of" : "clSVMAlloc of", context);
    cl_int code = 1;
    void* const made =
        is_usm ? usm_.shared(handle<cl_context>(context), nullptr, nullptr, buffer_bytes, 0, &code)
               : clSVMAlloc(handle<cl_context>(context), CL_MEM_READ_WRITE, buffer_bytes, 0);
    if ((made != nullptr) != is_alive(context))
        throw Difference("an allocation of shared memory");
    if (made != nullptr)
        model_.add_pointer({.at = made, .context = *context, .is_usm = is_usm});
}

// By either call, once and again, also while commands wait that use it.
void Driver::free_pointer() {
    const auto context = any(Kind::context);
    const auto chosen = is_alive(context) ? any_pointer(*context) : std::nullopt;
    if (!chosen)
        return;
    Pointer& pointer = model_.pointers()[*chosen];
    if (pointer.is_usm) {
        const bool waits = !model_.is_blocked(*context) && one_of(3);
        say(waits ? "clMemBlockingFreeINTEL in" : "clMemFreeINTEL in", context);
        expect((waits ? usm_.blocking_free : usm_.free)(handle<cl_context>(context), pointer.at),
               pointer.is_freed ? CL_INVALID_VALUE : CL_SUCCESS, "a free of unified shared memory");
    } else {
        say("clSVMFree in", context);
        clSVMFree(handle<cl_context>(context), pointer.at);
    }
    pointer.is_freed = true;
}

// ---- references

cl_int Driver::retain_call(Id id) const {
    switch (model_.at(id).kind) {
    case Kind::context:
        return clRetainContext(handle<cl_context>(id));
    case Kind::queue:
        return clRetainCommandQueue(handle<cl_command_queue>(id));
    case Kind::memory:
        return clRetainMemObject(handle<cl_mem>(id));
    case Kind::sampler:
        return clRetainSampler(handle<cl_sampler>(id));
    case Kind::program:
        return clRetainProgram(handle<cl_program>(id));
    case Kind::kernel:
        return clRetainKernel(handle<cl_kernel>(id));
    case Kind::event:
        break;
    }
    return clRetainEvent(handle<cl_event>(id));
}

cl_int Driver::release_call(Id id) const {
    switch (model_.at(id).kind) {
    case Kind::context:
        return clReleaseContext(handle<cl_context>(id));
    case Kind::queue:
        return clReleaseCommandQueue(handle<cl_command_queue>(id));
    case Kind::memory:
        return clReleaseMemObject(handle<cl_mem>(id));
    case Kind::sampler:
        return clReleaseSampler(handle<cl_sampler>(id));
    case Kind::program:
        return clReleaseProgram(handle<cl_program>(id));
    case Kind::kernel:
        return clReleaseKernel(handle<cl_kernel>(id));
    case Kind::event:
        break;
    }
    return clReleaseEvent(handle<cl_event>(id));
}

void Driver::retain_one(std::optional<Id> id) {
    if (!id || model_.at(*id).handle == nullptr)
        return;
    say("clRetain", id);
    const cl_int code = retain_call(*id);
    expect(code, model_.retain(*id) ? CL_SUCCESS : invalid(model_.at(*id).kind), "clRetain...");
}
void Driver::release_one(std::optional<Id> id) {
    if (!id || model_.at(*id).handle == nullptr)
        return;
    say("clRelease", id);
    const cl_int code = release_call(*id);
    expect(code, model_.release(*id) ? CL_SUCCESS : invalid(model_.at(*id).kind), "clRelease...");
}

void Driver::retain() {
    retain_one(any(static_cast<Kind>(pick() % 7)));
}
void Driver::release() {
    const auto kind = static_cast<Kind>(pick() % 7);
    if (kind != Kind::context || one_of(3)) // without any there is little left to do
        release_one(any(kind));
}
void Driver::release_again() {
    const auto id = any(static_cast<Kind>(pick() % 7));
    for (uint32_t times = 1 + pick() % 3; times > 0; --times)
        release_one(id);
}

// What a query gives is the handle of the one that is kept; it may be used like any.
void Driver::ask_for_a_handle() {
    const auto of = any(static_cast<Kind>(1 + pick() % 6));
    if (!is_alive(of) || model_.at(*of).handle == nullptr)
        return;
    const Thing& thing = model_.at(*of);
    void* found = nullptr;
    std::optional<Id> wanted = thing.context;
    const bool other = one_of(2);
    cl_int code = 1;
    switch (thing.kind) {
    case Kind::queue:
        code = clGetCommandQueueInfo(handle<cl_command_queue>(of), CL_QUEUE_CONTEXT, sizeof(void*),
                                     static_cast<void*>(&found), nullptr);
        break;
    case Kind::memory:
        wanted = other ? thing.parent : wanted;
        code = clGetMemObjectInfo(handle<cl_mem>(of), other ? CL_MEM_ASSOCIATED_MEMOBJECT : CL_MEM_CONTEXT,
                                  sizeof(void*), static_cast<void*>(&found), nullptr);
        break;
    case Kind::sampler:
        code = clGetSamplerInfo(handle<cl_sampler>(of), CL_SAMPLER_CONTEXT, sizeof(void*),
                                static_cast<void*>(&found), nullptr);
        break;
    case Kind::program:
        code = clGetProgramInfo(handle<cl_program>(of), CL_PROGRAM_CONTEXT, sizeof(void*),
                                static_cast<void*>(&found), nullptr);
        break;
    case Kind::kernel:
        wanted = other ? std::optional(thing.program) : wanted;
        code = clGetKernelInfo(handle<cl_kernel>(of), other ? CL_KERNEL_PROGRAM : CL_KERNEL_CONTEXT,
                               sizeof(void*), static_cast<void*>(&found), nullptr);
        break;
    default:
        wanted = other ? thing.queue : wanted;
        code = clGetEventInfo(handle<cl_event>(of), other ? CL_EVENT_COMMAND_QUEUE : CL_EVENT_CONTEXT,
                              sizeof(void*), static_cast<void*>(&found), nullptr);
        break;
    }
    say("a query of", of, wanted);
    expect(code, CL_SUCCESS, "a query for a handle");
    if (found != handle<void*>(wanted))
        throw Difference("a query gives another handle");
    if (wanted && one_of(2))
        retain_one(wanted);
    if (wanted && one_of(2))
        release_one(wanted);
}

// ---- callbacks

Called* Driver::keep(const Called& call) {
    kept_.push_back(std::make_unique<Called>(call));
    return kept_.back().get();
}

void Driver::destructor_callback() {
    const bool of_context = one_of(3);
    const auto id = any(of_context ? Kind::context : Kind::memory);
    if (!id)
        return;
    const uint64_t token = model_.next_token++;
    Called* const call = keep({&log_, token, nullptr});
    say("a destructor callback of", id);
    const cl_int code = of_context
                            ? clSetContextDestructorCallback(handle<cl_context>(id), context_ends, call)
                            : clSetMemObjectDestructorCallback(handle<cl_mem>(id), memory_ends, call);
    expect(code, is_alive(id) ? CL_SUCCESS : invalid(model_.at(*id).kind), "a destructor callback");
    if (code == CL_SUCCESS)
        model_.at(*id).destroyed.push_back(token);
}

// Handles of other kinds are none.
void Driver::wrong_kind() {
    const auto id = any(static_cast<Kind>(pick() % 7));
    if (!id || model_.at(*id).handle == nullptr)
        return;
    say("calls of other kinds with", id);
    const Kind kind = model_.at(*id).kind;
    if (kind != Kind::memory)
        expect(clRetainMemObject(handle<cl_mem>(id)), CL_INVALID_MEM_OBJECT, "clRetainMemObject");
    if (kind != Kind::event)
        expect(clReleaseEvent(handle<cl_event>(id)), CL_INVALID_EVENT, "clReleaseEvent");
    if (kind != Kind::queue)
        expect(clFinish(handle<cl_command_queue>(id)), CL_INVALID_COMMAND_QUEUE, "clFinish");
    if (kind != Kind::kernel)
        expect(clSetKernelArg(handle<cl_kernel>(id), 0, sizeof(void*), nullptr), CL_INVALID_KERNEL,
               "clSetKernelArg");
    if (kind != Kind::context)
        expect(clReleaseContext(handle<cl_context>(id)), CL_INVALID_CONTEXT, "clReleaseContext");
}

// The root device is not counted, and is not divided.
void Driver::devices() {
    say("calls of the device");
    const std::array<cl_device_partition_property, 3> halves{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id part = nullptr;
    cl_uint count = 0;
    expect(clCreateSubDevices(platform_.device, halves.data(), 1, &part, &count), CL_INVALID_VALUE,
           "clCreateSubDevices");
    expect(clReleaseDevice(platform_.device), CL_SUCCESS, "clReleaseDevice");
    if (one_of(2))
        expect(clRetainDevice(platform_.device), CL_SUCCESS, "clRetainDevice");
    expect(clGetDeviceInfo(platform_.device, CL_DEVICE_REFERENCE_COUNT, sizeof count, &count, nullptr),
           CL_SUCCESS, "clGetDeviceInfo");
    expect(static_cast<cl_int>(count), 1, "CL_DEVICE_REFERENCE_COUNT");
}

} // namespace visor::opencl_model
