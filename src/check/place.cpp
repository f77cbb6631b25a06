#include "check/place.h"

#include <fmt/format.h>

namespace visor::check {

std::string name_of(const machine::Thread& thread, const Place& place) {
    switch (place.region) {
    case Region::local:
        return fmt::format("shared local memory + 0x{:x}", place.address);
    case Region::scratch:
        return fmt::format("the thread's scratch memory + 0x{:x}", place.address);
    case Region::global:
    case Region::own:
        break;
    }
    const machine::Allocation* in = thread.launch->memory->find(place.address, 1);
    if (in == nullptr)
        return fmt::format("0x{:x}", place.address);
    return fmt::format("{} + 0x{:x}", in->label, place.address - in->address);
}

} // namespace visor::check
