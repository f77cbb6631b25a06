// LSC_UNTYPED loads, stores and atomics: flat memory, shared local memory, surfaces by number and by handle,
// scratch. Interpreter fallbacks: blocks of two dimensions, typed messages, counters, arguments.
#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/predefined.h"
#include "isa/sub_opcode.h"
#include "jit/translate/atomic.h"
#include "jit/translate/memory_message.h"
#include "machine/launch.h"

#include <array>
#include <span>

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;
namespace code = isa::sub_opcode::lsc;
namespace field = isa::operand_order::lsc_untyped;

using namespace isa::lsc;

struct Update {
    int16_t sub;
    AtomicOp update;
};
constexpr std::array updates{Update{code::atomic_iinc, AtomicOp::inc},
                             Update{code::atomic_idec, AtomicOp::dec},
                             Update{code::atomic_load, AtomicOp::load},
                             Update{code::atomic_store, AtomicOp::exchange},
                             Update{code::atomic_iadd, AtomicOp::add},
                             Update{code::atomic_isub, AtomicOp::sub},
                             Update{code::atomic_smin, AtomicOp::smin},
                             Update{code::atomic_smax, AtomicOp::smax},
                             Update{code::atomic_umin, AtomicOp::umin},
                             Update{code::atomic_umax, AtomicOp::umax},
                             Update{code::atomic_icas, AtomicOp::compare_exchange},
                             Update{code::atomic_fadd, AtomicOp::fadd},
                             Update{code::atomic_fsub, AtomicOp::fsub},
                             Update{code::atomic_fmin, AtomicOp::fmin},
                             Update{code::atomic_fmax, AtomicOp::fmax},
                             Update{code::atomic_fcas, AtomicOp::fcompare_exchange},
                             Update{code::atomic_and, AtomicOp::bit_and},
                             Update{code::atomic_or, AtomicOp::bit_or},
                             Update{code::atomic_xor, AtomicOp::bit_xor}};
constexpr std::array bfloat_updates{
    Update{code::atomic_bfadd, AtomicOp::fadd}, Update{code::atomic_bfsub, AtomicOp::fsub},
    Update{code::atomic_bfmin, AtomicOp::fmin}, Update{code::atomic_bfmax, AtomicOp::fmax},
    Update{code::atomic_bfcas, AtomicOp::fcompare_exchange}};

std::optional<AtomicOp> update_of_sub(std::span<const Update> of, int16_t sub) {
    const auto found = std::ranges::find(of, sub, &Update::sub);
    return found == of.end() ? std::nullopt : std::optional(found->update);
}

class Lsc {
public:
    Lsc(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction),
          messages_(translator, instruction), lanes_(instruction.execution.size) {}

    bool lower() {
        if (instruction_.row->opcode != opcode::lsc_untyped)
            return false;
        const int16_t sub = instruction_.row->sub;
        if (sub == code::extended_cache_ctrl) // has other operands
            return true;
        if (!is_supported())
            return false;
        const bool load = sub == code::load || sub == code::load_quad;
        const bool store = sub == code::store || sub == code::store_quad;
        if (load && translator_.operand(instruction_, field::dst_data).null)
            return true; // a prefetch: no access
        const auto message = [&] {
            if (load || store)
                return transposed() ? block(load) : transfer(load);
            if (const auto update = update_of_sub(bfloat_updates, sub))
                return atomic(*update, true);
            const auto update = update_of_sub(updates, sub);
            return update && atomic(*update, false);
        };
        if (scratch())
            return on_scratch(message);
        return by_handle() ? at_handle(message) : message();
    }

private:
    [[nodiscard]] uint64_t get(size_t index) const { return translator_.literal(instruction_, index); }
    [[nodiscard]] bool local() const { return get(field::sfid) == sfid_slm; }
    [[nodiscard]] bool flat() const { return !local() && get(field::addr_type) == type_flat; }
    // A surface state by its handle. Compilers compute that of the thread's scratch block, 0 (ruling 58), in
    // the kernel.
    [[nodiscard]] bool scratch() const {
        return !local() && get(field::addr_type) == type_ss && get(field::surface_index) == 0 &&
               !translator_.is_input(translator_.operand(instruction_, field::surface));
    }
    [[nodiscard]] bool by_handle() const {
        const uint64_t type = get(field::addr_type);
        return !local() && !scratch() && (type == type_bss || type == type_ss || type == type_surf);
    }
    [[nodiscard]] bool transposed() const { return get(field::data_order) == order_transposed; }
    [[nodiscard]] bool quad() const { return code::has_channels(instruction_.row->sub); }

    [[nodiscard]] bool is_supported() const {
        const uint64_t unit = get(field::sfid);
        if (unit != sfid_ugm && unit != sfid_ugml && unit != sfid_slm)
            return false;
        const uint64_t type = get(field::addr_type);
        const uint64_t size = get(field::addr_size);
        if (size != a32 && size != a64)
            return false;
        const PreparedOperand& surface = translator_.operand(instruction_, field::surface);
        if (type == type_bti)
            return surface.kind == OperandKind::immediate && size == a32 &&
                   surface.value + get(field::surface_index) <= UINT32_MAX;
        if (scratch() || by_handle())
            return size == a32 && get(field::surface_index) <= UINT32_MAX;
        return type == type_flat && get(field::surface_index) == 0 && (!local() || size == a32);
    }

    bool on_scratch(llvm::function_ref<bool()> message) {
        Value* const handle = translator_.scalar(translator_.operand(instruction_, field::surface));
        if (handle == nullptr)
            return false;
        translator_.guarded(ir_.CreateICmpEQ(handle, ir_.getInt64(0)), [&] {
            if (!message())
                translator_.leave_to_interpreter();
        });
        return true;
    }

    bool at_handle(llvm::function_ref<bool()> message) {
        const auto at = [&](const SurfaceWindow& window) {
            named_ = window;
            return message();
        };
        const PreparedOperand& handle = translator_.operand(instruction_, field::surface);
        const auto index = static_cast<uint32_t>(get(field::surface_index));
        return get(field::addr_type) == type_ss && index == 0 ? messages_.at_state(handle, at)
                                                              : messages_.at_handle(handle, index, at);
    }

    // The units per address; in registers the components follow each other.
    bool find_shape() {
        const uint64_t size = get(field::data_size);
        const uint64_t count = get(field::data_elems);
        if (size == 0 || size >= d16u32h) // halves in the upper bits: not lowered
            return false;
        if (!quad() && (count < 1 || count >= element_counts.size()))
            return false;
        shape_.lanes = lanes_;
        shape_.unit_bits = 8U * memory_bytes[size];
        shape_.slot_bits = 8U * register_bytes[size];
        const uint64_t elements = quad() ? 0 : element_counts[count];
        shape_.channels = quad()           ? get(field::ch_mask) & 0xfU
                          : elements >= 64 ? UINT64_MAX
                                           : (uint64_t{1} << elements) - 1;
        const uint32_t grf = translator_.program().device->grf_bytes;
        shape_.unit_stride = (lanes_ * shape_.slot_bits / 8 + grf - 1) / grf * grf;
        return true;
    }

    // Scale * address + immediate; plus the base in a flat message.
    Value* addresses(uint32_t count) {
        const uint64_t size = get(field::addr_size);
        const uint32_t bits = size == a64 ? 64 : 32;
        if (!messages_.has_bytes(field::src0_addrs, count * bits / 8))
            return nullptr;
        Value* value =
            translator_.load_raw(translator_.operand(instruction_, field::src0_addrs), 0, bits, count);
        const uint64_t scale = get(field::addr_scale);
        const auto immediate = static_cast<uint64_t>(
            int64_t{static_cast<int32_t>(static_cast<uint32_t>(get(field::addr_imm_offset)))});
        if (scale > 1)
            value = ir_.CreateMul(value, translator_.constant(bits, scale, count));
        if (immediate != 0)
            value = ir_.CreateAdd(value, translator_.constant(bits, immediate, count));
        if (!flat() && !local()) // a surface's handle is no part of the offset
            return value;
        Value* const base = translator_.scalar(translator_.operand(instruction_, field::surface));
        if (base == nullptr)
            return nullptr;
        if (local()) // the base wraps with the rest
            return ir_.CreateAdd(value, translator_.splat(ir_.CreateTrunc(base, ir_.getInt32Ty()), count));
        value = ir_.CreateZExt(value, translator_.vector(ir_.getInt64Ty(), count));
        return ir_.CreateAdd(value, translator_.splat(base, count));
    }

    SurfaceWindow window() {
        if (local())
            return messages_.shared_local();
        if (by_handle())
            return named_;
        const PreparedOperand& surface = translator_.operand(instruction_, field::surface);
        return messages_.window_of_index(
            scratch() ? machine::bti_scratch_surface
                      : static_cast<uint32_t>(surface.value + get(field::surface_index)));
    }

    bool transfer(bool load) {
        const size_t field_of_data = load ? size_t{field::dst_data} : size_t{field::src1_data};
        if (!find_shape() || shape_.count() > 8 ||
            !messages_.has_bytes(field_of_data, shape_.register_bytes()))
            return false;
        Value* const lane_addresses = addresses(lanes_);
        if (lane_addresses == nullptr)
            return false;
        messages_.expect_aligned(lane_addresses, shape_.unit_bits / 8);
        const PreparedOperand& data = translator_.operand(instruction_, field_of_data);
        const Mask mask = translator_.enabled(instruction_);
        if (flat())
            return load ? messages_.load(lane_addresses, mask, shape_, data)
                        : messages_.store(lane_addresses, mask, shape_, data);
        const SurfaceWindow at = window();
        return load ? messages_.load(at, lane_addresses, mask, shape_, data)
                    : messages_.store(at, lane_addresses, mask, shape_, data);
    }

    // One address, whose elements are consecutive.
    bool block(bool load) {
        const size_t field_of_data = load ? size_t{field::dst_data} : size_t{field::src1_data};
        const PreparedOperand& data = translator_.operand(instruction_, field_of_data);
        if (!find_shape() || lanes_ != 1 || quad() || shape_.unit_bits != shape_.slot_bits ||
            shape_.unit_bits < 32 || data.null)
            return false;
        const uint32_t bytes = shape_.count() * shape_.unit_bits / 8;
        if (bytes > 512 || !messages_.has_bytes(field_of_data, bytes) ||
            !translator_.enabled(instruction_).all())
            return false;
        Value* const address = addresses(1);
        if (address == nullptr)
            return false;
        messages_.expect_aligned(address, shape_.unit_bits / 8);
        if (flat()) {
            load ? messages_.load_block(address, bytes, data) : messages_.store_block(address, bytes, data);
            return true;
        }
        const SurfaceWindow at = window();
        Value* const offset = messages_.masked_offsets(at, address);
        const uint32_t unit = shape_.unit_bits / 8;
        load ? messages_.load_block(at, offset, bytes, unit, data)
             : messages_.store_block(at, offset, bytes, unit, data);
        return true;
    }

    bool atomic(AtomicOp update, bool bfloat) {
        if (!find_shape() || get(field::data_elems) != 1 || transposed())
            return false;
        const bool word = shape_.unit_bits == 16 && shape_.slot_bits == 32;
        if ((!word && (bfloat || shape_.unit_bits < 32)) || (!word && shape_.unit_bits != shape_.slot_bits))
            return false;
        for (const size_t k : {field::dst_data, field::src1_data, field::src2_data})
            if (!messages_.has_bytes(k, lanes_ * shape_.slot_bits / 8))
                return false;
        Value* const lane_addresses = addresses(lanes_);
        if (lane_addresses == nullptr)
            return false;
        // The integer compare-and-swap has its sources in the opposite order of the legacy message.
        const bool swapped = instruction_.row->sub == code::atomic_icas;
        const AtomicMessage message{
            .update = update,
            .bits = shape_.unit_bits,
            .bfloat = bfloat,
            .first = &translator_.operand(instruction_, swapped ? field::src2_data : field::src1_data),
            .second = &translator_.operand(instruction_, swapped ? field::src1_data : field::src2_data),
            .result = &translator_.operand(instruction_, field::dst_data)};
        if (!can_lower(translator_, message))
            return false;
        if (flat())
            return lower_atomic(translator_, instruction_, lane_addresses, message);
        const SurfaceWindow at = window();
        return lower_atomic(translator_, instruction_, at, messages_.masked_offsets(at, lane_addresses),
                            message);
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    Messages messages_;
    uint32_t lanes_;
    SurfaceWindow named_; // of the handle
    Shape shape_;
};

} // namespace

bool lowering::lsc(Translator& translator, const PreparedInstruction& instruction) {
    return Lsc(translator, instruction).lower();
}

bool lowering::is_flat_lsc(const Translator& translator, const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::lsc_untyped &&
           translator.literal(instruction, field::addr_type) == type_flat;
}

} // namespace visor::jit
