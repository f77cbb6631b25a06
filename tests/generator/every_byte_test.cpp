// Walks the table and the bytes: what a binary says, text says as well, or the reader drops it. Each byte of
// each row's example, of further forms and of declarations is changed in each bit, to 0 and to 255.
#include "property.h"

#include "binary/binary.h"
#include "isa/reference.h"
#include "isa/table.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace visor::generator {
namespace {

using Bytes = std::vector<std::byte>;

std::string program(const std::string& line) {
    std::string text = ".version 4.1\n.kernel \"k\"\n";
    for (int id = 32; id < 48; ++id)
        text += fmt::format(".decl V00{} v_type=G type=ud num_elts=512 align=GRF\n", id);
    text += ".decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=32\n"
            ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n";
    text += line + '\n';
    if (line.contains("L1") && !line.ends_with(":"))
        text += "L1:\n";
    return text + "ret (M1, 1)\n";
}

Bytes assembled(const std::string& text) {
    Diagnostics diagnostics;
    const auto module = text::parse(text, {}, diagnostics);
    const auto bytes = module ? binary::write(*module, {}, diagnostics) : std::nullopt;
    EXPECT_TRUE(bytes) << render(diagnostics, {"program", text}, Color::off);
    return bytes.value_or(Bytes());
}

// How many of the changed files were read.
size_t change_every_byte(const Bytes& bytes, size_t begin, const std::string& what) {
    size_t accepted = 0;
    Bytes changed = bytes;
    for (size_t at = begin; at < bytes.size(); ++at) {
        std::array<std::byte, 10> values{std::byte{0}, std::byte{0xff}};
        for (unsigned bit = 0; bit < 8; ++bit)
            values[2 + bit] = bytes[at] ^ static_cast<std::byte>(1U << bit);
        for (const std::byte value : values) {
            changed[at] = value;
            Diagnostics diagnostics;
            const auto module = binary::read(changed, {}, diagnostics);
            if (!module)
                continue;
            ++accepted;
            const auto where = [&] {
                return fmt::format("{}: byte {} = 0x{:02x}", what, at - begin,
                                   std::to_integer<unsigned>(value));
            };
            EXPECT_EQ(binary_round_trip(*module), "") << where();
            EXPECT_EQ(allowed_disassembly_round_trip(*module), "") << where();
        }
        changed[at] = bytes[at];
    }
    return accepted;
}

// What the rows' examples leave out: each class of operand, and forms that have more than one.
const std::vector<std::string> other_forms{
    "mov (M1, 16) V0032(0,0)<1> (-)r[A0(0),0]<4;2,1>:ud",
    "mov (M1, 4) V0032(0,0)<1> r[A0(0),4]<1,0>:ud",
    "mov (M1, 16) r[A0(0),2]<1>:ud (abs)V0033(0,0)<8;8,1>",
    "mov.sat (M5_NM, 8) V0032(1,2)<2> 0x7:w",
    "mov (M1, 1) V0032(0,0)<1> P1",
    "mov (M1, 2) A0(0)<2> V0032(0,0)<1;1,0>",
    "not (M1, 8) V0032(0,0)<1> (~)V0033(0,0)<1;1,0>",
    "add (M1, 1) V0032(0,0)<1> V0033(0,0)<0;1,0> 0x123456789abcdef0:uq",
    "addr_add (M1, 1) A0(0)<1> &V0032[8] 0x2:uw",
    "addr_add (M1, 1) A0(0)<1> A0(1)<1> 0x2:uw",
    "addr_add (M1, 1) A0(0)<1> &T6[2] 0x2:uw",
    "addr_add (M1, 1) A0(0)<1> &S0 V0033(0,0)<0;1,0>",
    "movs (M1, 1) T6(0) V0032(0,0)<0;1,0>",
    "movs (M1, 1) V0032(0,0)<1> S0(0)",
    "setp (M1, 16) P1 V0032(0,0)<1;1,0>",
    "svm_block_ld.unaligned (4) V0032(0,0)<0;1,0> V0033.32",
    "svm_atomic.cmpxchg.64 (M1, 8) V0032.0 V0033.0 V0034.0 %null.0",
    "lsc_load.ugm.uc.ca (M1, 16) V0033:d32x4 bti(0x2)[V0032]:a32",
    "lsc_load.ugm (M1, 16) V0033:d32 ss(V0034(1,2))[V0032+0x10]:a32",
    "lsc_load.ugm (M1, 16) V0033:d8c32 bss(V0034)[2*V0032-0x10]:a32",
    "lsc_load.ugm (M1, 1) V0033:d32x8t bti(T6)[V0032]:a32",
    "lsc_load.ugm (M1, 16) V0033:d32 bti(A0(2)<1>)[V0032]:a32",
    "lsc_load.ugm (M1, 1) V0033:d32x8t arg[V0032]:a32",
    "lsc_load.slm (M1, 16) V0033.64:d64 flat[V0032.4]:a32",
    "lsc_load_quad.ugm (M1, 16) V0033:d32.xw bti(0x2)[V0032]:a32",
    "lsc_store_quad.slm (M1, 16) flat[V0032]:a32 V0033:d32.xyz",
    "lsc_load_strided.ugm (M1, 16) V0033:d32 bti(0x2)[V0032,V0034(0,1)]:a32",
    "lsc_atomic_icas.ugm (M1, 16) V0033:d32 bti(0x2)[V0032]:a32 V0034 V0035",
    "lsc_load_quad.tgm (M1, 16) V0033:d32.xyzw bti(0x2)[V0032,V0034,%null,V0035]:a32",
    "lsc_fence.ugm.evict.gpu (M1, 8)",
    "switchjmp (M1, 1) V0032(0,0)<0;1,0> (L1, L1)",
    "goto (M1, 16) L1",
    "sample_3d.RGB (M1, 8) 0x0:uw S0 T6 V0032.0 %null.0 V0033.0 V0034.0",
    "sample_3d.pixel_null_mask.RGB (M1, 8) 0x0:uw S0 T6 V0032.0 V0033.0 V0034.0",
    "nbarrier.wait 0x1:ub",
    "nbarrier.signal 0x1:ub 0x4:ub",
    "nbarrier.signal 0x1:ub 0x0:uw 0x4:ub 0x4:ub",
    "nbarrier.signal V0032(0,0)<0;1,0> 0x0:uw V0033(0,0)<0;1,0> 0x4:ub",
    "lifetime.start P1",
    "lifetime.end A0",
    "fence_local.EL1",
    "fence_sw",
    "raw_sendsc_eot.10.1.1.0 (M1, 8) 0x0:ud 0x2000000:ud V0032.0 V0033.0 %null.0",
    "rt_write_3d.<SI><RTI><A> (M1, 16) T6 %null.0 0x0:uw 0x0:ub V0033.0 V0034.0 V0035.0 V0036.0 V0037.0",
};

TEST(EveryByte, OfEveryRow) {
    std::vector<std::string> lines = other_forms;
    for (const isa::Row* row : isa::table()) {
        if (isa::has(*row, isa::no_binary))
            continue;
        const std::string example = isa::reference(*row).example;
        const bool guarded = isa::has_predicate(*row) && !example.starts_with('(');
        lines.push_back((guarded ? "(P1) " : "") + example);
    }
    // Code stands at the end, a `ret` of four bytes last.
    const size_t code = assembled(program("")).size() - 4;
    size_t accepted = 0;
    for (const std::string& line : lines)
        accepted += change_every_byte(assembled(program(line)), code, line);
    EXPECT_GT(accepted, 10'000U);
}

TEST(EveryByte, OfDeclarations) {
    const std::string text =
        ".version 4.1\n.kernel \"k\"\n"
        ".decl V0032 v_type=G type=ud num_elts=64 align=GRF\n"
        ".decl V0033 v_type=G type=uw num_elts=8 align=word alias=<V0032, 4>\n"
        ".decl V0034 v_type=G type=ud num_elts=8 attrs={Scope=1, Input}\n"
        ".decl A0 v_type=A num_elts=4\n.decl A1 v_type=A num_elts=16\n"
        ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=32\n"
        ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1 attrs={SurfaceUsage=2}\n"
        ".input V0032 offset=64 size=64\n.implicit_LOCAL_ID V0034 offset=128 size=32\n"
        ".input S0 offset=0 size=4\n.input T6 offset=4 size=4\n"
        ".kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=16\n.kernel_attr OutputAsmPath=\"a.asm\"\n"
        ".kernel_attr SLMSize=1\n.kernel_attr NoBarrier\n"
        "call (M1, 1) f\nfcall (M1, 16) g 1 1\ngoto (M1, 16) L1\nL1:\nfccall (M1, 1) other\nret (M1, 1)\n"
        ".function \"f\"\nf:\nret (M1, 1)\n"
        ".global_function \"g\"\n.decl V0032 v_type=G type=ud num_elts=64 align=GRF\n"
        ".kernel_attr Extern\nfret (M1, 1)\n";
    EXPECT_GT(change_every_byte(assembled(text), 0, "declarations"), 1000U);
}

} // namespace
} // namespace visor::generator
