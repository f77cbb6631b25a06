// Arrays of other libraries: what DLPack hands over as memory with a shape, and whether memory that somebody
// names can be read from here.
#include "objects.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace visor::python {

namespace {

// ---- the types of DLPack 1.1 (dlpack.h), which is a binary interface: its header is in no package of Debian
// 12

struct DlDevice {
    int32_t type;
    int32_t id;
};
struct DlType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};
struct DlTensor {
    void* data;
    DlDevice device;
    int32_t ndim;
    DlType type;
    int64_t* shape;
    int64_t* strides; // in elements; null: rows one behind the other
    uint64_t byte_offset;
};
struct DlManaged {
    DlTensor tensor;
    void* context;
    void (*release)(DlManaged*);
};
struct DlManagedVersioned {
    struct {
        uint32_t major;
        uint32_t minor;
    } version;
    void* context;
    void (*release)(DlManagedVersioned*);
    uint64_t flags;
    DlTensor tensor;
};
constexpr uint64_t flag_read_only = 1;
constexpr uint32_t known_major = 1;
constexpr int32_t most_dimensions = 64; // NumPy 2's

enum class DlCode : uint8_t { integer = 0, natural = 1, real = 2, bfloat = 4, complex = 5, boolean = 6 };

// The letter of the buffer protocol. A bfloat16, which has none, is its 16 bits. Nothing: no type of
// Python's.
std::optional<const char*> format_of(const DlType& type) {
    struct Row {
        DlCode code;
        uint8_t bits;
        const char* format;
    };
    constexpr std::array rows{
        Row{DlCode::integer, 8, "b"},   Row{DlCode::integer, 16, "h"},   Row{DlCode::integer, 32, "i"},
        Row{DlCode::integer, 64, "q"},  Row{DlCode::natural, 8, "B"},    Row{DlCode::natural, 16, "H"},
        Row{DlCode::natural, 32, "I"},  Row{DlCode::natural, 64, "Q"},   Row{DlCode::real, 16, "e"},
        Row{DlCode::real, 32, "f"},     Row{DlCode::real, 64, "d"},      Row{DlCode::bfloat, 16, "H"},
        Row{DlCode::complex, 64, "Zf"}, Row{DlCode::complex, 128, "Zd"}, Row{DlCode::boolean, 8, "?"}};
    for (const Row& row : rows)
        if (static_cast<uint8_t>(row.code) == type.code && row.bits == type.bits && type.lanes == 1)
            return row.format;
    return std::nullopt;
}

// Whether the bytes from `address` on can be read: their first and last pages are, without a signal if not.
// Memory of a device outside of the CPU cannot.
bool is_readable(uintptr_t address, uint64_t bytes) {
    if (bytes == 0)
        return true;
    if (address == 0 || bytes - 1 > std::numeric_limits<uintptr_t>::max() - address)
        return false;
    for (const uintptr_t at : {address, address + bytes - 1}) {
        char byte = 0;
        const iovec to{.iov_base = &byte, .iov_len = 1};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): it may be no address of ours
        const iovec from{.iov_base = reinterpret_cast<void*>(at), .iov_len = 1};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
            return false;
    }
    return true;
}

// A tensor that was taken over, with what gives it back.
struct Tensor {
    std::shared_ptr<void> owner;
    char* data = nullptr;
    const char* format = nullptr;
    py::ssize_t item_bytes = 0;
    std::vector<py::ssize_t> shape;
    std::vector<py::ssize_t> strides; // in bytes
    bool read_only = false;
};

// Throws ValueError where numbers do not fit or memory is not to be had.
Tensor tensor_of(const DlTensor& from) {
    Tensor out;
    const auto format = format_of(from.type);
    if (!format)
        throw py::value_error("DLPack: no element type of NumPy");
    if (from.ndim < 0 || from.ndim > most_dimensions || (from.ndim > 0 && from.shape == nullptr))
        throw py::value_error("DLPack: no shape");
    out.format = *format;
    out.item_bytes = from.type.bits / 8;
    const auto dimensions = static_cast<size_t>(from.ndim);
    out.shape.resize(dimensions);
    out.strides.resize(dimensions);
    // The bytes from the first element to the last one's end, and those in front of it where strides are
    // negative.
    __int128 next = out.item_bytes;
    __int128 lowest = 0;
    __int128 highest = out.item_bytes;
    bool empty = false;
    constexpr __int128 most = std::numeric_limits<py::ssize_t>::max();
    for (size_t i = dimensions; i-- > 0;) {
        const __int128 extent = from.shape[i];
        const __int128 stride = from.strides == nullptr ? next : __int128{from.strides[i]} * out.item_bytes;
        if (extent < 0 || stride > most || stride < -most)
            throw py::value_error("DLPack: a shape out of range");
        empty = empty || extent == 0;
        const __int128 way = extent == 0 ? 0 : (extent - 1) * stride;
        (way < 0 ? lowest : highest) += way;
        if (lowest < -most || highest > most)
            throw py::value_error("DLPack: a shape out of range");
        if (from.strides == nullptr && extent != 0)
            next = std::min(next * extent, most + 1);
        out.shape[i] = static_cast<py::ssize_t>(extent);
        out.strides[i] = static_cast<py::ssize_t>(stride);
    }
    const auto first = reinterpret_cast<uintptr_t>(from.data) + from.byte_offset;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): strides may have led anywhere
    out.data = reinterpret_cast<char*>(first);
    if (!empty &&
        !is_readable(first + static_cast<uintptr_t>(lowest), static_cast<uint64_t>(highest - lowest)))
        throw py::value_error("DLPack: the memory is not the CPU's");
    return out;
}

// Takes a capsule over as DLPack has it: it is renamed, and what it held is given back with the last array.
template <class Managed>
std::optional<Tensor> take(const py::capsule& capsule, const char* name, const char* used) {
    if (PyCapsule_IsValid(capsule.ptr(), name) == 0)
        return std::nullopt;
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if constexpr (std::is_same_v<Managed, DlManagedVersioned>) {
        if (managed->version.major > known_major)
            throw py::value_error("DLPack: version " + std::to_string(managed->version.major) +
                                  " is unknown");
    }
    Tensor out = tensor_of(managed->tensor);
    if constexpr (std::is_same_v<Managed, DlManagedVersioned>)
        out.read_only = (managed->flags & flag_read_only) != 0;
    if (PyCapsule_SetName(capsule.ptr(), used) != 0)
        throw py::error_already_set();
    out.owner = std::shared_ptr<void>(managed, [](void* given) {
        auto* const ended = static_cast<Managed*>(given);
        if (ended->release != nullptr)
            ended->release(ended);
    });
    return out;
}

Tensor tensor_of_capsule(const py::capsule& capsule) {
    if (auto versioned = take<DlManagedVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned"))
        return std::move(*versioned);
    if (auto plain = take<DlManaged>(capsule, "dltensor", "used_dltensor"))
        return std::move(*plain);
    throw py::value_error("DLPack: the capsule holds no tensor, or was used before");
}

} // namespace

void define_foreign(py::module_& m) {
    py::class_<Tensor>(m, "Tensor", py::buffer_protocol())
        .def(py::init(&tensor_of_capsule))
        .def_buffer([](Tensor& self) {
            return py::buffer_info(self.data, self.item_bytes, self.format,
                                   static_cast<py::ssize_t>(self.shape.size()), self.shape, self.strides,
                                   self.read_only);
        });
    m.def("is_readable", is_readable);
}

} // namespace visor::python
