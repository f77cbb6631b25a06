// States outside of a kernel's binding table: surfaces and samplers by handle (ruling 176), and the program's
// constants and variables. It assigns their indices in a launch; the binder builds a buffer's surface.
#pragma once

#include "launch/bind.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace visor::launch {

class States {
public:
    // Both outlive it.
    States(const Signature& signature, const ProgramData& data) : signature_(signature), data_(data) {}

    // The surface of a buffer that is the argument of this number.
    using SurfaceOf = std::function<machine::Surface(const Buffer& buffer, uint32_t argument)>;
    // Adds all states that the payload needs. Its inline samplers were validated.
    void add(machine::Launch& launch, std::span<const ArgumentValue> values, const SurfaceOf& surface_of);

    // The handle of an item that was passed to add(); else 0.
    [[nodiscard]] uint64_t handle_of(const PayloadItem& item) const;
    // Null: the item does not use the program's data.
    [[nodiscard]] const Buffer* data_of(const PayloadItem& item) const;

    // Adds the image to the launch's images.
    [[nodiscard]] static machine::Surface image_surface(machine::Launch& launch, const machine::Image& image);

private:
    void add_surface(machine::Launch& launch, const PayloadItem& item, const machine::Surface& surface);
    void add_sampler(machine::Launch& launch, const PayloadItem& item, const machine::Sampler& sampler);
    void add_data(machine::Launch& launch, const PayloadItem& item, const Buffer& data);
    void add_inline_sampler(machine::Launch& launch, const PayloadItem& item);
    void add_argument(machine::Launch& launch, const PayloadItem& item, const ArgumentValue& value,
                      const SurfaceOf& surface_of);

    const Signature& signature_;
    const ProgramData& data_;
    std::map<const PayloadItem*, uint64_t> handles_; // by the item that asks for one
};

} // namespace visor::launch
