#include "opencl/memory/memory.h"

#include "number/checked_size.h"
#include "opencl/api.h"
#include "opencl/limits.h"
#include "opencl/memory/content.h"
#include "opencl/newer_names.h"
#include "opencl/query.h"

#include <algorithm>
#include <bit>
#include <span>

_cl_mem::_cl_mem(visor::opencl::Ref<_cl_context> of, cl_mem_object_type what, cl_mem_flags wanted)
    : context(std::move(of)), type(what), flags(wanted) {
    const std::lock_guard guard(context->memory_lock);
    serial = ++context->memory_serial;
    context->live_memory.emplace(this, serial);
}

_cl_mem::~_cl_mem() {
    {
        const std::lock_guard guard(context->memory_lock);
        context->live_memory.erase(this);
        const auto [first, last] = context->addressed_memory.equal_range(address);
        const auto own =
            std::find_if(first, last, [this](const auto& entry) { return entry.second.memory == this; });
        if (own != last)
            context->addressed_memory.erase(own);
    }
    if (owns)
        context->free(address);
    if (pinned != 0 && context->pointers.unpin(pinned))
        context->free(pinned);
}

namespace visor::opencl {

namespace {

constexpr cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags host_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags host_access_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

bool at_most_one(cl_mem_flags flags) {
    return std::popcount(flags) <= 1;
}

// From now on kernels can get pointers into it.
void give_address(_cl_mem& memory) {
    memory.has_device_address = true;
    const std::lock_guard guard(memory.context->memory_lock);
    memory.context->addressed_memory.emplace(memory.address,
                                             _cl_context::Addressed{memory.bytes, &memory, memory.serial});
}

cl_mem create(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags, size_t bytes,
              void* host, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    std::vector<cl_mem_properties> kept;
    bool addressed = false;
    if (const cl_int problem = read_properties(properties, kept, &addressed); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (const cl_int problem = check_flags(flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (bytes == 0 || bytes > most_allocation_bytes())
        return outcome.fail(CL_INVALID_BUFFER_SIZE);
    if (const cl_int problem = check_host(flags, host); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (host != nullptr && check_bytes(*context, "clCreateBuffer", host, bytes) != CL_SUCCESS)
        return outcome.fail(CL_INVALID_HOST_PTR);
    if ((flags & access_flags) == 0)
        flags |= CL_MEM_READ_WRITE;
    auto* memory = new _cl_mem(Ref(context), CL_MEM_OBJECT_BUFFER, flags);
    memory->bytes = bytes;
    memory->properties = std::move(kept);
    if (!allocate_content(*memory, host, "buffer")) {
        static_cast<void>(release(memory, CL_INVALID_MEM_OBJECT));
        return outcome.fail(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    if (addressed)
        give_address(*memory);
    return outcome.done(memory);
}

} // namespace

std::optional<AddressedBuffer> addressed_buffer(_cl_context& context, uint64_t address) {
    const std::lock_guard guard(context.memory_lock);
    auto at = context.addressed_memory.upper_bound(address);
    while (at != context.addressed_memory.begin()) {
        --at;
        if (address - at->first < at->second.bytes)
            return AddressedBuffer{at->first, at->second};
    }
    return std::nullopt;
}

Ref<_cl_mem> hold_if_alive(_cl_context& context, cl_mem memory, uint64_t serial) {
    const std::lock_guard guard(context.memory_lock);
    const auto found = context.live_memory.find(memory);
    return found != context.live_memory.end() && found->second == serial ? Ref(memory) : Ref<_cl_mem>();
}

bool is_svm(const _cl_context& context, const void* pointer) {
    const auto found = context.pointers.at(pointer);
    return found && !found->is_usm();
}

cl_int check_flags(cl_mem_flags flags) {
    constexpr cl_mem_flags known = access_flags | host_flags | host_access_flags;
    const bool host_twice =
        (flags & CL_MEM_USE_HOST_PTR) != 0 && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    const bool good = (flags & ~known) == 0 && at_most_one(flags & access_flags) &&
                      at_most_one(flags & host_access_flags) && !host_twice;
    return good ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int check_host(cl_mem_flags flags, const void* host) {
    const bool wants = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    return wants == (host != nullptr) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_mem_flags inherited(cl_mem_flags wanted, cl_mem_flags parent) {
    if ((wanted & access_flags) == 0)
        wanted |= parent & access_flags;
    if ((wanted & host_access_flags) == 0)
        wanted |= parent & host_access_flags;
    return wanted | (parent & host_flags);
}

cl_int read_properties(const cl_mem_properties* given, std::vector<cl_mem_properties>& kept,
                       bool* addressed) {
    if (given == nullptr)
        return CL_SUCCESS;
    bool seen = false;
    for (; *given != 0; given += 2) {
        const bool good = addressed != nullptr && *given == mem_device_private_address && !seen &&
                          (given[1] == CL_FALSE || given[1] == CL_TRUE);
        if (!good)
            return CL_INVALID_PROPERTY;
        seen = true;
        *addressed = given[1] == CL_TRUE;
        kept.insert(kept.end(), {given[0], given[1]});
    }
    kept.push_back(0);
    return CL_SUCCESS;
}

bool allocate_content(_cl_mem& memory, const void* host, const char* label) {
    const bool uses = (memory.flags & CL_MEM_USE_HOST_PTR) != 0;
    if (uses) {
        memory.host = static_cast<std::byte*>(const_cast<void*>(host));
        if (const auto found = memory.context->pointers.pin(host, memory.bytes)) {
            memory.pinned = found->address;
            memory.address = reinterpret_cast<uint64_t>(host);
            return true;
        }
    }
    memory.address = memory.context->allocate(memory.bytes, label);
    memory.owns = memory.address != 0;
    if (memory.owns && host != nullptr && memory.is_buffer())
        move_content(memory.content(), host, memory.bytes);
    return memory.owns;
}

cl_mem create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host, cl_int* errcode_ret) {
    return create(context, nullptr, flags, bytes, host, errcode_ret);
}

cl_mem create_buffer_with_properties(cl_context context, const cl_mem_properties* properties,
                                     cl_mem_flags flags, size_t bytes, void* host, cl_int* errcode_ret) {
    return create(context, properties, flags, bytes, host, errcode_ret);
}

cl_mem create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void* facts,
                         cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_buffer(parent) || parent->parent)
        return outcome.fail(CL_INVALID_MEM_OBJECT);
    const bool loosens =
        ((parent->flags & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0) ||
        ((parent->flags & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0) ||
        ((parent->flags & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) ||
        ((parent->flags & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) ||
        ((parent->flags & CL_MEM_HOST_NO_ACCESS) != 0 &&
         (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0);
    if (check_flags(flags) != CL_SUCCESS || (flags & host_flags) != 0 || loosens ||
        type != CL_BUFFER_CREATE_TYPE_REGION || facts == nullptr)
        return outcome.fail(CL_INVALID_VALUE);
    cl_buffer_region region{};
    std::memcpy(&region, facts, sizeof region);
    if (region.size == 0)
        return outcome.fail(CL_INVALID_BUFFER_SIZE);
    if (!number::lies_within(region.origin, region.size, parent->bytes))
        return outcome.fail(CL_INVALID_VALUE);
    if (region.origin % address_alignment != 0)
        return outcome.fail(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    auto* memory = new _cl_mem(parent->context, CL_MEM_OBJECT_BUFFER, inherited(flags, parent->flags));
    memory->parent = Ref(parent);
    memory->origin = region.origin;
    memory->bytes = region.size;
    memory->address = parent->address + region.origin;
    memory->host = parent->host == nullptr ? nullptr : parent->host + region.origin;
    memory->has_parents_address = parent->has_device_address;
    return outcome.done(memory);
}

cl_int retain_mem_object(cl_mem memory) {
    return retain(memory, CL_INVALID_MEM_OBJECT);
}
cl_int release_mem_object(cl_mem memory) {
    return release(memory, CL_INVALID_MEM_OBJECT);
}

cl_int set_mem_object_destructor_callback(cl_mem memory, void(CL_CALLBACK* notify)(cl_mem, void*),
                                          void* data) {
    if (!is_valid(memory))
        return CL_INVALID_MEM_OBJECT;
    if (notify == nullptr)
        return CL_INVALID_VALUE;
    memory->destructor_callbacks.add([memory, notify, data] { notify(memory, data); });
    return CL_SUCCESS;
}

cl_int get_mem_object_info(cl_mem memory, cl_mem_info what, size_t param_value_size, void* value,
                           size_t* needed) {
    if (!is_valid(memory))
        return CL_INVALID_MEM_OBJECT;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_MEM_TYPE:
        return answer.value(memory->type);
    case CL_MEM_FLAGS:
        return answer.value(memory->flags);
    case CL_MEM_SIZE:
        return answer.size(memory->bytes);
    case CL_MEM_HOST_PTR:
        return answer.value(static_cast<void*>(memory->host));
    case CL_MEM_MAP_COUNT: {
        const std::lock_guard guard(memory->facts);
        return answer.number(static_cast<cl_uint>(memory->mappings.size()));
    }
    case CL_MEM_REFERENCE_COUNT:
        return answer.number(memory->references());
    case CL_MEM_CONTEXT:
        return answer.value(memory->context.get());
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return answer.value(memory->parent.get());
    case CL_MEM_OFFSET:
        return answer.size(memory->origin);
    case CL_MEM_USES_SVM_POINTER:
        return answer.truth(memory->host != nullptr && is_svm(*memory->context, memory->host));
    case mem_device_address: // one for each device of the context, which has one
        return memory->has_device_address || memory->has_parents_address
                   ? answer.value(DeviceAddress{memory->address})
                   : CL_INVALID_OPERATION;
    case CL_MEM_PROPERTIES:
        return answer.list<cl_mem_properties>(memory->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

// ---- maps ----

cl_int check_map_flags(const _cl_mem& memory, cl_map_flags flags) {
    constexpr cl_map_flags all = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const bool together =
        (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0;
    if ((flags & ~all) != 0 || !together)
        return CL_INVALID_VALUE;
    const bool reads = (flags & CL_MAP_READ) != 0;
    const bool writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    const bool forbidden =
        (reads && (memory.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0) ||
        (writes && (memory.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0);
    return forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

namespace {

// A mapping that the application does not have yet.
class Mapped {
public:
    Mapped(_cl_mem& memory, const _cl_mem::Mapping& mapping) : memory_(memory), shown_(mapping.shown) {
        const std::lock_guard guard(memory_.facts);
        memory_.mappings.push_back(mapping);
    }
    ~Mapped() {
        if (kept_)
            return;
        const std::lock_guard guard(memory_.facts);
        const auto at = std::ranges::find(memory_.mappings, shown_, &_cl_mem::Mapping::shown);
        if (at != memory_.mappings.end())
            memory_.mappings.erase(at);
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    Mapped(Mapped&&) = delete;
    Mapped& operator=(Mapped&&) = delete;

    void keep() { kept_ = true; }

private:
    _cl_mem& memory_;
    const std::byte* shown_;
    bool kept_ = false;
};

} // namespace

cl_int enqueue_map(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory,
                   const _cl_mem::Mapping& mapping, cl_map_flags flags) {
    const bool looks = (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0;
    Mapped mapped(*memory, mapping);
    const cl_int result = enqueue(queue, request, [held = Ref(memory), mapping, looks] {
        if (looks && mapping.shown != mapping.device)
            copy_box(mapping.shown, mapping.pitch, mapping.device, mapping.pitch, mapping.box);
        return CL_SUCCESS;
    });
    if (result == CL_SUCCESS)
        mapped.keep();
    return result;
}

void* enqueue_map_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t bytes, cl_uint count, const cl_event* list, cl_event* event,
                         cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    const EnqueueRequest request{.command = CL_COMMAND_MAP_BUFFER,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (!is_buffer(memory))
        return outcome.fail(CL_INVALID_MEM_OBJECT);
    if (memory->context.get() != queue->context.get())
        return outcome.fail(CL_INVALID_CONTEXT);
    if (bytes == 0 || !number::lies_within(offset, bytes, memory->bytes))
        return outcome.fail(CL_INVALID_VALUE);
    if (const cl_int problem = check_map_flags(*memory, flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    std::byte* device = memory->content() + offset;
    std::byte* shown = memory->is_shadowed() ? memory->host + offset : device;
    const _cl_mem::Mapping mapping{
        shown, device, {}, {.bytes = bytes}, (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
    if (const cl_int problem = enqueue_map(queue, request, memory, mapping, flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    return outcome.done(static_cast<void*>(shown));
}

cl_int enqueue_unmap_mem_object(cl_command_queue queue, cl_mem memory, void* shown, cl_uint count,
                                const cl_event* list, cl_event* event) {
    const EnqueueRequest request{
        .command = CL_COMMAND_UNMAP_MEM_OBJECT, .wait_count = count, .wait_list = list, .event = event};
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (!is_valid(memory))
        return CL_INVALID_MEM_OBJECT;
    if (memory->context.get() != queue->context.get())
        return CL_INVALID_CONTEXT;
    _cl_mem::Mapping mapping;
    {
        const std::lock_guard guard(memory->facts);
        const auto at =
            std::ranges::find(memory->mappings, static_cast<std::byte*>(shown), &_cl_mem::Mapping::shown);
        if (at == memory->mappings.end())
            return CL_INVALID_VALUE;
        mapping = *at;
        memory->mappings.erase(at);
    }
    return enqueue(queue, request, [held = Ref(memory), mapping] {
        if (mapping.writes && mapping.shown != mapping.device)
            copy_box(mapping.device, mapping.pitch, mapping.shown, mapping.pitch, mapping.box);
        return CL_SUCCESS;
    });
}

cl_int enqueue_migrate_mem_objects(cl_command_queue queue, cl_uint number, const cl_mem* objects,
                                   cl_mem_migration_flags flags, cl_uint count, const cl_event* list,
                                   cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    constexpr cl_mem_migration_flags all =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (number == 0 || objects == nullptr || (flags & ~all) != 0)
        return CL_INVALID_VALUE;
    for (const Ref<_cl_mem>& one : hold_valid(number, objects)) {
        if (!one)
            return CL_INVALID_MEM_OBJECT;
        if (one->context.get() != queue->context.get())
            return CL_INVALID_CONTEXT;
    }
    return enqueue(
        queue,
        {.command = CL_COMMAND_MIGRATE_MEM_OBJECTS, .wait_count = count, .wait_list = list, .event = event},
        {});
}

// ---- unsupported functions ----

cl_mem create_pipe(cl_context context, cl_mem_flags /*flags*/, cl_uint /*packet*/, cl_uint /*most*/,
                   const cl_pipe_properties* /*properties*/, cl_int* errcode_ret) {
    return Outcome(errcode_ret).fail(is_valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT);
}

cl_int get_pipe_info(cl_mem /*pipe*/, cl_pipe_info /*what*/, size_t /*param_value_size*/, void* /*value*/,
                     size_t* /*needed*/) {
    return CL_INVALID_MEM_OBJECT;
}

} // namespace visor::opencl
