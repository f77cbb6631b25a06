// Front end of the memory messages: which bytes a lane may access, and the code that moves them. Outside a
// surface reads give zero and writes are dropped (rulings 9, 29). A flat message is range-checked against the
// allocation that its site caches, then by a runtime call. If some lane still fails, the message is an
// interpreter fallback, which reports the lane at fault.
#pragma once

#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/translate/translator.h"

#include <functional>

namespace visor::jit {

// Surface memory at run time.
struct SurfaceWindow {
    llvm::Value* data = nullptr;  // pointer
    llvm::Value* bytes = nullptr; // 64 bits
    llvm::Value* mask = nullptr;  // 64 bits, of offsets
    bool local = false;           // shared local memory: no other CPU thread uses it
    bool scratch = false;         // the thread's own scratch block
    [[nodiscard]] Guard guard() const {
        return local ? Guard::local : scratch ? Guard::scratch : Guard::surface;
    }
};

// The units of one message. Unit k of a lane is at `unit_bytes * k` from the lane's address. Enabled units
// occupy registers at a distance of `unit_stride` bytes.
struct Shape {
    uint32_t lanes = 1;
    uint64_t channels = 1; // bit k: unit k is enabled
    uint32_t unit_bits = 32;
    uint32_t slot_bits = 32; // in registers; zero-extended if wider than the unit
    uint32_t unit_stride = 0;
    [[nodiscard]] uint32_t begin() const;
    [[nodiscard]] uint32_t end() const;   // 0: no unit is enabled
    [[nodiscard]] uint32_t count() const; // enabled units
    [[nodiscard]] uint32_t register_bytes() const;
};

// Lanes per channel or block of a legacy payload (rulings 2, 11).
[[nodiscard]] uint32_t payload_lanes(const Program& program, uint32_t exec_size);

class Messages {
public:
    using Value = llvm::Value;

    Messages(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), bounds_(ir_), instruction_(instruction) {}

    // Whether a raw operand has at least `bytes` bytes, or is the null variable.
    [[nodiscard]] bool has_bytes(size_t index, uint32_t bytes) const;

    SurfaceWindow window_of_index(uint32_t binding_table_index);
    // Emits `body` with the window of a surface operand, or of a handle plus `index`. A handle without window
    // is an interpreter fallback. False, of `body` too: not lowered.
    using AtWindow = llvm::function_ref<bool(const SurfaceWindow&)>;
    bool in_surface(const PreparedOperand& surface, AtWindow body);
    bool at_handle(const PreparedOperand& handle, uint32_t index, AtWindow body);
    // Likewise; handle 0, the thread's scratch block, is an interpreter fallback.
    bool at_state(const PreparedOperand& handle, AtWindow body);
    SurfaceWindow shared_local();

    // 32-bit offsets in a surface, before its mask. False: not lowered.
    bool load(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
              const PreparedOperand& to);
    bool store(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
               const PreparedOperand& from);
    // 64-bit flat addresses.
    bool load(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& to);
    bool store(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& from);

    // `bytes` bytes from one address on, whatever the mask. In a surface each unit is range-checked on its
    // own.
    void load_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                    const PreparedOperand& to);
    void store_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                     const PreparedOperand& from);
    void load_block(Value* address, uint32_t bytes, const PreparedOperand& to);
    void store_block(Value* address, uint32_t bytes, const PreparedOperand& from);

    // The alignment that the page requires of these addresses; checked runs report violations.
    void expect_aligned(Value* addresses, uint32_t bytes) { aligned_ = {addresses, bytes}; }
    enum class MessageKind : uint8_t { read, write, update };
    // Emits `body` on the hot path: the message causes no report. The cold path is an interpreter fallback,
    // which reports. Without listeners `body` is unconditional. `window` null: flat memory, whose range
    // with_range_check checks. Each lane accesses bytes up to `end` after its address; 0: no unit is enabled.
    void with_watch_guard(MessageKind kind, const SurfaceWindow* window, Value* addresses, Value* on,
                          uint32_t end, const std::function<void()>& body);

    // Emits `body` on the hot path: every active lane may access [address + begin, address + end). The cold
    // path is an interpreter fallback.
    void with_range_check(Value* addresses, Value* on, uint32_t begin, uint32_t end,
                          const std::function<void()>& body);
    // Per lane: `bytes` bytes at the offset are inside the window; the sum does not wrap.
    Value* inside(const SurfaceWindow& window, Value* offsets, uint32_t bytes);
    Bounds& bounds() { return bounds_; }
    // i1: offsets or addresses of all active lanes are multiples of `bytes`, a power of two.
    Value* aligned(Value* addresses, uint32_t bytes, Value* on);

    Value* masked_offsets(const SurfaceWindow& window, Value* offsets);
    Value* pointers(Value* base, Value* offsets); // a vector of pointers
    Value* as_vector(Value* value);               // a scalar as <1 x T>
    Value* as_lanes(Value* vector);               // <1 x T> as a scalar

private:
    void load_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                    const PreparedOperand& to);
    void store_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                     const PreparedOperand& from);
    // One unit of all lanes, at the same displacement from their addresses.
    struct Unit {
        uint32_t displacement;
        Value* in; // i1 by lane: active and in bounds
        Value* values;
    };
    Value* all_inside(const SurfaceWindow& window, Value* offsets, Value* on, uint32_t end);
    [[nodiscard]] Reach reach_of(const SurfaceWindow* window) const;
    // `window` null: flat memory.
    void load_units(const SurfaceWindow* window, Value* addresses, Value* on, const Shape& shape,
                    const Mask& mask, const PreparedOperand& to);
    void store_units(const SurfaceWindow* window, Value* addresses, Value* on, const Shape& shape,
                     const PreparedOperand& from);
    void store_lanes_in_order(const SurfaceWindow* window, Value* at, const std::vector<Unit>& units);
    Value* block_at(const SurfaceWindow& window, Value* offset, uint32_t bytes, Use use);
    SurfaceWindow window_of(const PreparedOperand& surface);
    SurfaceWindow read_window(const Translator::WindowAddress& window);
    bool where_known(const Translator::LookedUp& found, AtWindow body);
    void where_inside(const SurfaceWindow& window, Value* offset, uint32_t bytes,
                      llvm::function_ref<void()> whole, llvm::function_ref<void()> partly);
    template <class Body>
    void each_channel(const Shape& shape, Body body);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    Bounds bounds_;
    const PreparedInstruction& instruction_;
    uint32_t site_ = 0; // of the last range check
    struct {
        Value* addresses = nullptr;
        uint32_t bytes = 1;
    } aligned_;
};

} // namespace visor::jit
