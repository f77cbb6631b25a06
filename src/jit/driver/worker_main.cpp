// The worker process that compiles one function. If LLVM crashes or hangs, the launch only loses its code.
#include "compile/confine.h"
#include "compile/serve.h"
#include "isa/device.h"
#include "jit/driver/pipeline.h"
#include "jit/driver/program_text.h"
#include "jit/driver/warmup_kernel.h"

#include <cstring>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

using namespace visor;
using namespace visor::compile;

std::string list_of(const std::vector<uint32_t>& numbers) {
    std::string bytes(numbers.size() * sizeof(uint32_t), '\0');
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

Message failure(std::string why) {
    return {MessageKind::missing, {std::move(why)}};
}

uint32_t number_in(const std::string& text) {
    uint32_t number = 0;
    for (const char digit : text)
        number = number * 10 + static_cast<uint32_t>(digit - '0');
    return number;
}

std::vector<uint32_t> numbers_in(const std::string& list) {
    std::vector<uint32_t> numbers(list.size() / sizeof(uint32_t));
    if (!numbers.empty())
        std::memcpy(numbers.data(), list.data(), numbers.size() * sizeof(uint32_t));
    return numbers;
}

Message generate(const Message& request) {
    const isa::Device* const device = isa::device_named(request.fields[generate_device]);
    if (device == nullptr)
        return failure("the device is unknown");
    const auto program = jit::program_of_text(request.fields[generate_text], *device);
    if (!program)
        return failure("the function's text: " + program.error());
    const auto tier = static_cast<jit::Tier>(number_in(request.fields[generate_tier]));
    limit_cpu_time(jit::compile_seconds(program->code.size(), tier));
    auto inputs = machine::inputs_of(numbers_in(request.fields[generate_inputs]));
    auto shared = machine::shared_inputs_of(numbers_in(request.fields[generate_shared]));
    auto images = jit::image_accesses_of(numbers_in(request.fields[generate_images]));
    if (!inputs || !shared || !images)
        return failure("the function's inputs or images are no list");
    const jit::CompileOptions options{
        .simd = number_in(request.fields[generate_simd]),
        .full = request.fields[generate_full] == "1",
        .lowered = request.fields[generate_lowered] == "1",
        .level = static_cast<jit::Level>(number_in(request.fields[generate_level])),
        .tier = tier,
        .waits = request.fields[generate_waits] == "1",
        .inputs = std::move(*inputs),
        .shared = std::move(*shared),
        .slm_bytes = number_in(request.fields[generate_slm]),
        .scratch_bytes = number_in(request.fields[generate_scratch]),
        .reported = machine::EventKinds::of(number_in(request.fields[generate_reported])),
        .images = std::move(*images),
        .switches = {.disabled = jit::names_in(request.fields[generate_disabled]),
                     .print_after = jit::names_in(request.fields[generate_print_after]),
                     .time = request.fields[generate_time] == "1",
                     .verify = request.fields[generate_verify] == "1"}};
    auto object = jit::compile(*program, options);
    if (!object)
        return failure(std::move(object.error()));
    return {MessageKind::generated,
            {std::move(object->bytes),
             list_of({program->register_bytes, static_cast<uint32_t>(program->code.size()), object->sites,
                      object->looks_up ? 1U : 0U}),
             list_of(object->surfaces), list_of(object->named_surfaces),
             list_of(jit::numbers_of(object->handles)), list_of(object->pinned), std::move(object->log)}};
}

// Heap for a small kernel's compilation: a page fault costs a microsecond or more, and a launch would wait
// for it.
constexpr size_t prefault_bytes = size_t{4} << 20U;

// Makes malloc take memory from the heap and never return it to the system.
void keep_heap() {
#if defined(__GLIBC__)
    constexpr int most = 32 << 20; // glibc accepts no more
    mallopt(M_MMAP_THRESHOLD, most);
    mallopt(M_TRIM_THRESHOLD, most);
#endif
}

void prefault_heap() {
    constexpr size_t part_bytes = size_t{64} << 10U;
    std::vector<std::string> blocks;
    while (blocks.size() < prefault_bytes / part_bytes && !is_called())
        blocks.emplace_back(part_bytes, '\0');
}

// Until a request arrives.
void warm_up() {
    jit::initialize_target();
    const auto program = jit::program_of_text(jit::warmup_kernel, *isa::device_named("skl"));
    if (!program || is_called())
        return;
    [[maybe_unused]] const auto discarded = jit::compile(*program, {.tier = jit::Tier::quick}, is_called);
    prefault_heap();
}

} // namespace

int main() {
    constexpr uint64_t most_memory = uint64_t{4} << 30U;
    if (!settle(Prints::nowhere))
        return 2;
    limit_memory(most_memory);
    [[maybe_unused]] const Confinement in_force = confine({}); // it needs no file
    keep_heap();
    if (!is_called())
        warm_up();
    const std::optional<Message> request = receive();
    if (!request || request->kind != MessageKind::generate || request->fields.size() != generate_field_count)
        return 2;
    const bool answered = reply(generate(*request));
    _exit(answered ? 0 : 2); // LLVM's clean-up has nothing to add
}
