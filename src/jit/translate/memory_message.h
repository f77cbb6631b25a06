// Front end of the memory messages: which bytes a lane may access, and the code that moves them. Outside a
// surface reads give zero and writes are dropped (rulings 9, 29). A flat message whose lanes do not all lie
// in the allocation that its site knows, or finds, is an interpreter fallback, which reports the lane at
// fault.
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

// The units of one message. Unit k of a lane is `unit_bytes * k` behind the lane's address; those that take
// part stand in registers one `unit_stride` after the other.
struct Shape {
    uint32_t lanes = 1;
    uint64_t channels = 1; // bit k: unit k takes part
    uint32_t unit_bits = 32;
    uint32_t slot_bits = 32; // in registers; wider than the unit: zeros above
    uint32_t unit_stride = 0;
    [[nodiscard]] uint32_t begin() const;
    [[nodiscard]] uint32_t end() const;   // 0: no unit takes part
    [[nodiscard]] uint32_t count() const; // units that take part
    [[nodiscard]] uint32_t register_bytes() const;
};

// Lanes from one channel or block of a legacy payload to the next (rulings 2, 11).
[[nodiscard]] uint32_t payload_lanes(const Program& program, uint32_t exec_size);

class Messages {
public:
    using Value = llvm::Value;

    Messages(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), bounds_(ir_), instruction_(instruction) {}

    // Whether a raw operand has `bytes` bytes, or is the null variable.
    [[nodiscard]] bool has_room(size_t index, uint32_t bytes) const;

    SurfaceWindow window_of_index(uint32_t binding_table_index);
    // Runs `body` with the window of what a surface operand stands for, or of what a handle, plus `index`,
    // names; a handle that has no window is the reference's affair. `body` false, and the result: not
    // lowered.
    using AtWindow = llvm::function_ref<bool(const SurfaceWindow&)>;
    bool in_surface(const PreparedOperand& surface, AtWindow body);
    bool at_handle(const PreparedOperand& handle, uint32_t index, AtWindow body);
    // Likewise, but 0 is the handle of the thread's scratch block, and the reference's.
    bool at_state(const PreparedOperand& handle, AtWindow body);
    SurfaceWindow shared_local();

    // Offsets of 32 bits in a surface, before its mask. False: not lowered.
    bool load(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
              const PreparedOperand& to);
    bool store(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
               const PreparedOperand& from);
    // Flat addresses of 64 bits.
    bool load(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& to);
    bool store(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& from);

    // `bytes` bytes from one address on, whatever the mask. Of a surface those units count that are inside.
    void load_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                    const PreparedOperand& to);
    void store_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                     const PreparedOperand& from);
    void load_block(Value* address, uint32_t bytes, const PreparedOperand& to);
    void store_block(Value* address, uint32_t bytes, const PreparedOperand& from);

    // What the page wants of these addresses, for a compile that tells of it.
    void expect_aligned(Value* addresses, uint32_t bytes) { aligned_ = {addresses, bytes}; }
    // Runs `body` where listeners have nothing to hear of the message (none do: at once); else the reference
    // executes the instruction, and tells them. `window` null: flat memory, of which `admitted` asks.
    enum class Does : uint8_t { read, write, update };
    // Each lane's bytes end `end` behind its place; 0: none of its units takes part.
    void quietly(Does does, const SurfaceWindow* window, Value* places, Value* on, uint32_t end,
                 const std::function<void()>& body);

    // Runs `body` when every lane that is on may touch [address + begin, address + end); else the reference
    // executes the instruction.
    void admitted(Value* addresses, Value* on, uint32_t begin, uint32_t end,
                  const std::function<void()>& body);
    // Lanes whose `bytes` bytes at `offsets` are inside the window; the sum does not wrap.
    Value* inside(const SurfaceWindow& window, Value* offsets, uint32_t bytes);
    Bounds& bounds() { return bounds_; }
    // i1: offsets or addresses of all lanes that are on are multiples of `bytes`, a power of two.
    Value* aligned(Value* places, uint32_t bytes, Value* on);

    Value* masked_offsets(const SurfaceWindow& window, Value* offsets);
    Value* pointers(Value* base, Value* offsets); // a vector of pointers
    Value* as_vector(Value* value);               // one lane as a vector of one
    Value* as_lanes(Value* vector);               // and back

private:
    void load_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                    const PreparedOperand& to);
    void store_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                     const PreparedOperand& from);
    // What all lanes store at one distance from their addresses.
    struct Unit {
        uint32_t displacement;
        Value* in; // i1 by lane: those that are on, and inside
        Value* values;
    };
    Value* all_inside(const SurfaceWindow& window, Value* places, Value* on, uint32_t end);
    [[nodiscard]] Reach reach_of(const SurfaceWindow* window) const;
    // `window` null: flat memory.
    void load_units(const SurfaceWindow* window, Value* places, Value* on, const Shape& shape,
                    const Mask& mask, const PreparedOperand& to);
    void store_units(const SurfaceWindow* window, Value* places, Value* on, const Shape& shape,
                     const PreparedOperand& from);
    void store_in_turn(const SurfaceWindow* window, Value* at, const std::vector<Unit>& units);
    Value* block_at(const SurfaceWindow& window, Value* offset, uint32_t bytes, Use use);
    SurfaceWindow window_of(const PreparedOperand& surface);
    SurfaceWindow read_window(const Translator::WindowPlace& place);
    bool where_known(const Translator::LookedUp& found, AtWindow body);
    void where_inside(const SurfaceWindow& window, Value* offset, uint32_t bytes,
                      llvm::function_ref<void()> whole, llvm::function_ref<void()> partly);
    template <class Body>
    void each_channel(const Shape& shape, Body body);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    Bounds bounds_;
    const PreparedInstruction& instruction_;
    uint32_t site_ = 0; // of the addresses that were admitted last
    struct {
        Value* addresses = nullptr;
        uint32_t bytes = 1;
    } aligned_;
};

} // namespace visor::jit
