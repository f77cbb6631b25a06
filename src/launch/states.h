// What a kernel is given beside its binding table: surfaces and samplers by handle (ruling 176), and the
// program's constants and variables. It knows where they stand in a launch; what a buffer's surface is, the
// binder says.
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
    // All that the payload asks for. Its inline samplers are known ones.
    void add(machine::Launch& launch, std::span<const ArgumentValue> values, const SurfaceOf& surface_of);

    // Of an item that add() has seen; 0: of none.
    [[nodiscard]] uint64_t handle_of(const PayloadItem& item) const;
    // Null: the item does not ask for the program's data.
    [[nodiscard]] const Buffer* data_of(const PayloadItem& item) const;

    // Puts the image among the launch's own.
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
