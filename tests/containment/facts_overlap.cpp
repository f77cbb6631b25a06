// Things that a thread starts with and that claim the same bytes: inputs of a text, items of a zebin's
// payload. What overlaps is refused before a launch (launch/overlap.h); here nobody asks, and still nothing
// may be believed of such inputs: the engines agree, and nothing outside is touched.
#include "facts.h"

#include "launch/overlap.h"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::containment {

namespace {

// Two inputs of lanes, at every distance.
class InputOverlap {
public:
    explicit InputOverlap(Launcher& launcher) : launcher_(launcher), grf_(launcher.device().grf_bytes) {}

    void run() {
        for (uint32_t at = 0; at <= storage_bytes + 4; at += 2)
            for (const bool swapped : {false, true})
                try_one(at, swapped);
    }

private:
    static constexpr uint32_t storage_bytes = 64; // of each input

    // IDY begins `at` bytes into the storage whose first 64 bytes are LN.
    [[nodiscard]] std::string text_of(uint32_t at, bool swapped) const {
        const std::string first = fmt::format(".input IDY offset={} size=64\n", grf_);
        const std::string second = fmt::format(".input LN offset={} size=64\n", grf_ + 64);
        return ".version 4.1\n.kernel \"overlap\"\n"
               ".decl BASE v_type=G type=ud num_elts=64 align=GRF\n" +
               fmt::format(".decl IDY v_type=G type=ud num_elts=16 alias=<BASE, {}>\n", at) +
               ".decl LN v_type=G type=ud num_elts=16 alias=<BASE, 0>\n"
               ".decl OFF v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl LANES v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl T6 v_type=T num_elts=1 v_name=T6\n" +
               (swapped ? second + first : first + second) +
               ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
               "    shl (M1, 16) OFF(0,0)<1> IDY(0,0)<1;1,0> 0xf:ud\n"
               "    mov (M1, 16) LANES(0,0)<1> 0x76543210:v\n"
               "    shl (M1, 16) LANES(0,0)<1> LANES(0,0)<1;1,0> 0x2:ud\n"
               "    add (M1, 16) OFF(0,0)<1> OFF(0,0)<1;1,0> LANES(0,0)<1;1,0>\n"
               "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFF.0 LANES.0\n"
               "    shl (M1, 16) OFF(0,0)<1> LN(0,0)<1;1,0> 0x6:ud\n"
               "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFF.0 LANES.0\n"
               "    gather_scaled.4 (M1, 16) T0 0x0:ud OFF.0 OFF.0\n"
               "    scatter_scaled.4 (M1, 16) T6 0x0:ud LANES.0 OFF.0\n"
               "    mov (M1, 16) OFF(0,0)<1> IDY(0,0)<1;1,0>\n"
               "    scatter_scaled.4 (M1, 16) T6 0x10:ud LANES.0 OFF.0\n"
               "    ret (M1, 1)\n";
    }

    void try_one(uint32_t at, bool swapped) {
        const std::string where = fmt::format("inputs {} bytes apart", at);
        const auto program = launcher_.prepare(text_of(at, swapped), where);
        if (program == nullptr)
            return;
        if (launch::input_overlap(*program).has_value() != (at < storage_bytes))
            launcher_.fail(fmt::format("{}: are {}refused", where, at < storage_bytes ? "not " : ""));
        const std::vector<launch::HandInput> inputs{{"IDY", launch::InputFiller{machine::Filler::local_id_y}},
                                                    {"LN", launch::InputFiller{machine::Filler::lane}},
                                                    {"T6", launcher_.out()}};
        const auto plan = launch::bind_hand_written(
            *program, inputs, {}, {.simd = Launcher::lanes, .items = two_threads()}, launcher_.memory());
        if (!plan)
            return launcher_.fail(fmt::format("{}: {}", where, plan.error().message));
        launcher_.compare(plan->launches.front(), {"local_id_range", "lane_steps", "shared_local_bytes"},
                          where);
    }

    Launcher& launcher_;
    uint32_t grf_;
};

// Two items of the payload at every distance, and the inputs that the text declares at their places; and the
// same items where the text has storage of its own for both, in local ids' storage and in each other's.
class PayloadOverlap {
public:
    explicit PayloadOverlap(Launcher& launcher) : launcher_(launcher), grf_(launcher.device().grf_bytes) {}

    void run() {
        for (const Storage storage : {Storage::own, Storage::each_other, Storage::local_ids})
            for (const Item& item : items())
                for (uint32_t at = pointer_place - 16; at <= pointer_place + 16; at += 2)
                    try_one(item, at, storage);
    }

private:
    // What the variable of the second item shares bytes with.
    enum class Storage : uint8_t { own, each_other, local_ids };
    static constexpr std::array storage_names{"storage of its own", "the other's storage",
                                              "local ids' storage"};

    struct Item {
        launch::PayloadKind kind;
        std::string_view property;
        uint32_t bytes = 0;
        int argument = -1;
    };
    static std::vector<Item> items() {
        using enum launch::PayloadKind;
        return {{argument_value, "arg_byvalue", 4, 1},    {argument_value, "arg_byvalue", 16, 1},
                {local_size, "local_size", 12},           {global_id_offset, "global_id_offset", 12},
                {buffer_address, "buffer_address", 8, 0}, {private_base, "private_base_stateless", 8}};
    }

    static constexpr uint32_t pointer_place = 64; // in the payload; 8 bytes
    static constexpr uint32_t first_place = 0;    // 12 bytes that are always there, and begin the payload
    static constexpr uint32_t pointer_bytes = 8;
    static constexpr uint32_t private_bytes = 16;

    // With 16 lanes of words, a block of ids is a register.
    [[nodiscard]] uint32_t payload_begin() const { return 4 * grf_; }

    [[nodiscard]] std::string text_of(uint32_t at, uint32_t bytes, Storage storage) const {
        const std::string own = ".decl VALUE v_type=G type=ud num_elts=4 align=GRF\n";
        const std::string value =
            storage == Storage::own ? own
            : storage == Storage::each_other
                ? std::string(".decl VALUE v_type=G type=ud num_elts=4 alias=<POINTER, 4>\n")
                : std::string(".decl VALUE v_type=G type=ud num_elts=4 alias=<LIDX, 8>\n");
        return ".version 4.1\n.kernel \"payload\"\n"
               ".decl LIDX v_type=G type=uw num_elts=16 align=GRF\n"
               ".decl LIDY v_type=G type=uw num_elts=16 align=GRF\n"
               ".decl FIRST v_type=G type=ud num_elts=3 align=GRF\n"
               ".decl POINTER v_type=G type=uq num_elts=4 align=GRF\n" +
               value +
               ".decl X v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl OFFSET v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl READ v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl T6 v_type=T num_elts=1 v_name=T6\n" +
               fmt::format(".input LIDX offset={} size=32\n.input LIDY offset={} size=32\n"
                           ".input FIRST offset={} size=12\n.input POINTER offset={} size={}\n"
                           ".input VALUE offset={} size={}\n",
                           grf_, 2 * grf_, payload_begin() + first_place, payload_begin() + pointer_place,
                           pointer_bytes, payload_begin() + at, bytes) +
               ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
               "    movs (M1_NM, 1) T6(0) 0x0:ud\n"
               // Local ids as a place in shared local memory: 64 * x + 4 * y is 964 at most, of 1024 bytes.
               "    mov (M1, 16) X(0,0)<1> LIDX(0,0)<1;1,0>\n"
               "    mov (M1, 16) OFFSET(0,0)<1> LIDY(0,0)<1;1,0>\n"
               "    shl (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> 0x2:ud\n"
               "    shl (M1, 16) READ(0,0)<1> X(0,0)<1;1,0> 0x6:ud\n"
               "    add (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> READ(0,0)<1;1,0>\n"
               "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 X.0\n"
               "    gather_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 READ.0\n"
               "    scatter_scaled.4 (M1, 16) T6 0x0:ud OFFSET.0 READ.0\n"
               // What all threads share, behind the ids.
               "    mov (M1, 16) READ(0,0)<1> VALUE(0,0)<0;1,0>\n"
               "    shl (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x2:ud\n"
               "    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x400:ud\n"
               "    scatter_scaled.4 (M1, 16) T6 0x0:ud X.0 READ.0\n"
               "    mov (M1, 16) READ(0,0)<1> FIRST(0,0)<0;1,0>\n"
               "    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x40:ud\n"
               "    scatter_scaled.4 (M1, 16) T6 0x0:ud X.0 READ.0\n"
               "    add (M1_NM, 1) POINTER(0,0)<1> POINTER(0,0)<0;1,0> 0xc00:uq\n"
               "    svm_block_st (1) POINTER(0,0)<0;1,0> READ.0\n"
               "    ret (M1, 1)\n";
    }

    [[nodiscard]] launch::Signature signature_of(const Item& item, uint32_t at) const {
        launch::Signature signature;
        signature.name = "payload";
        signature.simd = Launcher::lanes;
        signature.slm_bytes = 1024;
        signature.per_thread_bytes = 3 * grf_;
        signature.has_local_ids = true;
        signature.payload = {{.kind = launch::PayloadKind::global_size,
                              .property = "global_size",
                              .offset = first_place,
                              .bytes = 12},
                             {.kind = launch::PayloadKind::argument_pointer,
                              .property = "arg_bypointer",
                              .offset = pointer_place,
                              .bytes = pointer_bytes,
                              .argument = 0,
                              .mode = launch::AddressMode::stateless},
                             {.kind = item.kind,
                              .property = std::string(item.property),
                              .offset = at,
                              .bytes = item.bytes,
                              .argument = item.argument}};
        signature.bindings = {{.index = 0, .argument = 0}};
        signature.thread_memory = {
            {.type = launch::ThreadMemory::Type::global, .usage = "private_space", .bytes = private_bytes}};
        signature.arguments = {{.index = 0, .kind = launch::ArgumentKind::global_pointer},
                               {.index = 1, .kind = launch::ArgumentKind::value, .bytes = 16}};
        return signature;
    }

    void try_one(const Item& item, uint32_t at, Storage storage) {
        const std::string where =
            fmt::format("`{}` of {} bytes at byte {} of the payload, a pointer at {}, in {}", item.property,
                        item.bytes, at, pointer_place, storage_names[static_cast<size_t>(storage)]);
        const auto program = launcher_.prepare(text_of(at, item.bytes, storage), where);
        if (program == nullptr)
            return;
        const launch::Signature signature = signature_of(item, at);
        const bool shares = at < pointer_place + pointer_bytes && pointer_place < at + item.bytes;
        if (launch::payload_overlap(signature).has_value() != shares)
            launcher_.fail(fmt::format("{}: is {}refused", where, shares ? "not " : ""));
        if (launch::input_overlap(*program).has_value() != (storage != Storage::own))
            launcher_.fail(
                fmt::format("{}: the text is {}refused", where, storage != Storage::own ? "not " : ""));
        const std::array<launch::ArgumentValue, 2> values{launcher_.out(),
                                                          std::vector<std::byte>(16, std::byte{0x7f})};
        const auto plan = launch::bind(signature, *program, values, two_threads(), 1, 0, launcher_.memory());
        if (!plan)
            return launcher_.fail(fmt::format("{}: {}", where, plan.error().message));
        const Outcome outcome =
            launcher_.compare(plan->launches.front(),
                              {"local_id_range", "lane_steps", "shared_local_bytes", "shared_inputs"}, where);
        if (!shares && storage == Storage::own)
            check_good(outcome, where);
        for (const uint64_t address : plan->resources.allocations)
            launcher_.memory().free(address);
    }

    // Where nothing overlaps: x at 64 * x + 4 * y; global sizes are (16, 2, 1).
    void check_good(const Outcome& outcome, const std::string& where) {
        if (outcome.fault.kind != machine::FaultKind::none)
            return launcher_.fail(fmt::format("{}: {}", where, machine::name_of(outcome.fault.kind)));
        const auto dword = [&](uint32_t at) {
            uint32_t value = 0;
            std::memcpy(&value, outcome.memory.data() + at, sizeof value);
            return value;
        };
        bool good = dword(0xc00) == 16;
        for (uint32_t x = 0; x < Launcher::lanes; ++x)
            good = good && dword(64 * x) == x && dword(64 * x + 4) == x && dword(0x440 + 4 * x) == 16;
        if (!good)
            launcher_.fail(where + ": the kernel's own results are wrong");
    }

    Launcher& launcher_;
    uint32_t grf_;
};

} // namespace

void overlap_inputs(Launcher& launcher) {
    InputOverlap(launcher).run();
}

void overlap_payload(Launcher& launcher) {
    PayloadOverlap(launcher).run();
}

} // namespace visor::containment
