#include "opencl/context.h"

#include "opencl/api.h"
#include "opencl/memory/usm.h"
#include "opencl/query.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace visor::opencl {

namespace {

struct Properties {
    std::vector<cl_context_properties> all; // with the closing zero
    cl_int problem = CL_SUCCESS;
};

Properties read_properties(const cl_context_properties* given) {
    Properties out;
    if (given == nullptr)
        return out;
    bool platform_named = false;
    bool sync_named = false;
    for (; *given != 0; given += 2) {
        const bool is_platform = given[0] == CL_CONTEXT_PLATFORM;
        const bool is_sync = given[0] == CL_CONTEXT_INTEROP_USER_SYNC;
        const bool is_bool = given[1] == CL_FALSE || given[1] == CL_TRUE;
        if ((!is_platform && !is_sync) || (is_platform && platform_named) ||
            (is_sync && (sync_named || !is_bool))) {
            out.problem = CL_INVALID_PROPERTY;
            return out;
        }
        platform_named = platform_named || is_platform;
        sync_named = sync_named || is_sync;
        if (is_platform && given[1] != reinterpret_cast<cl_context_properties>(&platform())) {
            out.problem = CL_INVALID_PLATFORM;
            return out;
        }
        out.all.insert(out.all.end(), {given[0], given[1]});
    }
    out.all.push_back(0);
    return out;
}

} // namespace

cl_context create_context(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                          void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data,
                          cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    Properties read = read_properties(properties);
    if (read.problem != CL_SUCCESS)
        return outcome.fail(read.problem);
    if (devices == nullptr || count == 0 || (notify == nullptr && data != nullptr))
        return outcome.fail(CL_INVALID_VALUE);
    if (!std::ranges::all_of(std::span(devices, count), [](cl_device_id one) { return is_valid(one); }))
        return outcome.fail(CL_INVALID_DEVICE);
    auto* context = new _cl_context(devices[0]->device);
    context->properties = std::move(read.all);
    context->notify = notify;
    context->notify_data = data;
    return outcome.done(context);
}

cl_context create_context_from_type(const cl_context_properties* properties, cl_device_type type,
                                    void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                    void* data, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (const cl_int problem = read_properties(properties).problem; problem != CL_SUCCESS)
        return outcome.fail(problem);
    cl_device_id device = nullptr;
    if (const cl_int code = get_device_ids(&platform(), type, 1, &device, nullptr); code != CL_SUCCESS)
        return outcome.fail(code);
    return create_context(properties, 1, &device, notify, data, errcode_ret);
}

cl_int retain_context(cl_context context) {
    return retain(context, CL_INVALID_CONTEXT);
}
cl_int release_context(cl_context context) {
    return release(context, CL_INVALID_CONTEXT);
}

cl_int get_context_info(cl_context context, cl_context_info what, size_t param_value_size, void* value,
                        size_t* needed) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return answer.number(context->references());
    case CL_CONTEXT_NUM_DEVICES:
        return answer.number(1);
    case CL_CONTEXT_DEVICES:
        return answer.value(cl_device_id{&platform().device});
    case CL_CONTEXT_PROPERTIES:
        return answer.list<cl_context_properties>(context->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int set_context_destructor_callback(cl_context context, void(CL_CALLBACK* notify)(cl_context, void*),
                                       void* data) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    if (notify == nullptr)
        return CL_INVALID_VALUE;
    context->destructor_callbacks.add([context, notify, data] { notify(context, data); });
    return CL_SUCCESS;
}

} // namespace visor::opencl

_cl_context::_cl_context(const visor::isa::Device& device)
    : machine(device), checkers(visor::opencl::platform().settings.checks),
      host_access(visor::opencl::platform().settings.checks_memory()) {
    constexpr size_t quarantined = 64;
    machine.memory().quarantine(quarantined);
    visor::opencl::platform().contexts.add(*this);
}

void _cl_context::report_counts() {
    const std::unique_lock at_machine(machine_lock_, std::try_to_lock);
    if (!at_machine.owns_lock())
        return;
    const auto& findings = checkers.findings().all();
    for (size_t k = 0; k < reported_findings.size(); ++k) {
        if (findings[k].count > reported_findings[k].count)
            visor::opencl::platform().record.print_once(fmt::format(
                "{}\n    seen {} times in all\n", reported_findings[k].heading, findings[k].count));
        reported_findings[k].count = findings[k].count;
    }
}

_cl_context::~_cl_context() {
    visor::opencl::report_host_accesses(*this);
    report_counts();
    visor::opencl::platform().contexts.remove(*this);
}

_cl_context::MachineLock::MachineLock(_cl_context& context)
    : context_(context), lock_(context.machine_lock_) {}

_cl_context::MachineLock::~MachineLock() {
    context_.give_back_freed();
    lock_.unlock();
    context_.try_to_give_back(); // frees meanwhile
}

_cl_context::Command::Command(_cl_context& context) : context_(context), access_(context.host_access) {
    const std::lock_guard guard(context_.freed_lock_);
    began_ = ++context_.clock_;
    context_.commands_.insert(began_);
}

_cl_context::Command::~Command() {
    {
        const std::lock_guard guard(context_.freed_lock_);
        context_.commands_.erase(began_);
        if (context_.freed_.empty())
            return;
    }
    context_.try_to_give_back();
}

void _cl_context::give_back_freed() {
    const std::lock_guard guard(freed_lock_);
    const uint64_t oldest = commands_.empty() ? UINT64_MAX : *commands_.begin();
    const auto first_kept = std::ranges::find_if(freed_, [&](const Freed& one) { return one.when > oldest; });
    for (const Freed& one : std::ranges::subrange(freed_.begin(), first_kept))
        machine.memory().free(one.address);
    freed_.erase(freed_.begin(), first_kept);
}

void _cl_context::try_to_give_back() {
    if (const std::unique_lock lock(machine_lock_, std::try_to_lock); lock.owns_lock())
        give_back_freed();
}

uint64_t _cl_context::allocate(uint64_t bytes, std::string label, visor::machine::AllocationKind kind) {
    auto address = machine.memory().allocate(bytes, label, kind);
    const auto is_waiting = [this] {
        const std::lock_guard guard(freed_lock_);
        return !freed_.empty();
    };
    if (!address && is_waiting()) { // deferred frees may release memory
        {
            const MachineLock machine_lock(*this);
        }
        address = machine.memory().allocate(bytes, std::move(label), kind);
    }
    return address.value_or(0);
}

std::optional<_cl_context::Found> _cl_context::allocation_at(uint64_t address) {
    const std::lock_guard guard(freed_lock_); // the memory has it and the list has not, or neither has
    auto found = machine.memory().copy_of(address);
    if (!found)
        return std::nullopt;
    const bool is_freed = pointers.is_removed(found->address) ||
                          std::ranges::find(freed_, found->address, &Freed::address) != freed_.end();
    return Found{*std::move(found), is_freed};
}

void _cl_context::free(uint64_t address) {
    {
        const std::lock_guard guard(freed_lock_);
        freed_.push_back({address, ++clock_});
    }
    try_to_give_back();
}
