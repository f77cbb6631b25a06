#include "debug/dap/places.h"

#include "debug/variables.h"
#include "machine/thread_payload.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace visor::debug::dap {

namespace {

using nlohmann::json;

json variable(const std::string& name, const std::string& value, uint64_t address = 0) {
    json out{{"name", name}, {"value", value}, {"variablesReference", 0}};
    if (address != 0)
        out["memoryReference"] = fmt::format("{:#x}", address);
    return out;
}

std::string text_of(const machine::Launch& launch, const machine::Surface& surface) {
    if (surface.kind == machine::SurfaceKind::buffer)
        return fmt::format("a buffer at {:#x}, {} bytes", surface.address, surface.bytes - surface.padding);
    if (surface.image >= launch.images.size())
        return "an image";
    const machine::Image& image = launch.images[surface.image];
    return fmt::format("an image of {} {} at {:#x}", fmt::join(image.size, "x"),
                       machine::name_of(image.format), image.address);
}

} // namespace

json arguments_of(const Session& session) {
    json list = json::array();
    for (const Argument& argument : session.arguments()) {
        list.push_back(variable(argument.name, argument.value, argument.address));
        list.back()["type"] = argument.type;
    }
    return list;
}

json slm_words(const machine::Thread& thread, uint64_t part) {
    json list = json::array();
    const std::span<const std::byte> slm = thread.group->slm;
    for (uint64_t at = part * slm_part_bytes; at + 4 <= slm.size() && at < (part + 1) * slm_part_bytes;
         at += 4) {
        const Number whole = read_number(slm.data() + at, isa::Type::ud);
        const Number real = read_number(slm.data() + at, isa::Type::f);
        list.push_back(variable(fmt::format("{:#x}", at),
                                fmt::format("{:#010x} {} {}", static_cast<uint64_t>(whole.whole),
                                            debug::text_of(whole), debug::text_of(real))));
        list.back()["evaluateName"] = fmt::format("slm_u32({:#x})", at);
    }
    return list;
}

json surfaces_of(const machine::Thread& thread) {
    const machine::Launch& launch = *thread.launch;
    json list = json::array();
    for (size_t k = 0; k < launch.surfaces.size(); ++k) {
        const machine::Surface& surface = launch.surfaces[k];
        if (surface.kind != machine::SurfaceKind::none)
            list.push_back(variable(fmt::format("binding-table index {}", k), text_of(launch, surface),
                                    surface.kind == machine::SurfaceKind::buffer ? surface.address : 0));
    }
    if (launch.private_bytes != 0) {
        constexpr uint32_t only_worker = 0; // a debugger's run has one
        const uint64_t address =
            machine::computed_value(launch, only_worker, thread.index, machine::Filler::private_base, 0);
        list.push_back(
            variable("private memory", fmt::format("{} bytes of all lanes", launch.private_bytes), address));
    }
    return list;
}

} // namespace visor::debug::dap
