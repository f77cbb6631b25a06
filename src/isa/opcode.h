// Opcodes by name. Stages know an opcode by its constant, and the row has its number from here: a number
// stands once. Opcodes that no stage asks for have their numbers in their rows alone. A name is the row's
// mnemonic, without dots, with an underscore behind words of C++; where rows share an opcode, it is the
// page's. sub_opcode.h tells those rows apart. tests/docs/facts_once_test.py checks the names and that nobody
// else has numbers.
#pragma once

#include <cstdint>

namespace visor::isa::opcode {

// arithmetic
inline constexpr uint8_t add = 0x01;
inline constexpr uint8_t avg = 0x02;
inline constexpr uint8_t div = 0x03;
inline constexpr uint8_t dp2 = 0x04;
inline constexpr uint8_t dp3 = 0x05;
inline constexpr uint8_t dp4 = 0x06;
inline constexpr uint8_t dph = 0x07;
inline constexpr uint8_t exp = 0x08;
inline constexpr uint8_t frc = 0x09;
inline constexpr uint8_t line = 0x0a;
inline constexpr uint8_t log = 0x0b;
inline constexpr uint8_t mad = 0x0c;
inline constexpr uint8_t mulh = 0x0d;
inline constexpr uint8_t lrp = 0x0e;
inline constexpr uint8_t mod = 0x0f;
inline constexpr uint8_t mul = 0x10;
inline constexpr uint8_t pow = 0x11;
inline constexpr uint8_t rndd = 0x12;
inline constexpr uint8_t rndu = 0x13;
inline constexpr uint8_t rnde = 0x14;
inline constexpr uint8_t rndz = 0x15;
inline constexpr uint8_t sad2 = 0x16;
inline constexpr uint8_t sin = 0x17;
inline constexpr uint8_t cos = 0x18;
inline constexpr uint8_t sqrt = 0x19;
inline constexpr uint8_t rsqrt = 0x1a;
inline constexpr uint8_t inv = 0x1b;
inline constexpr uint8_t srnd = 0x1e;
inline constexpr uint8_t lzd = 0x1f;
inline constexpr uint8_t addc = 0x49;
inline constexpr uint8_t subb = 0x4a;
inline constexpr uint8_t sad2add = 0x6a;
inline constexpr uint8_t plane = 0x6b;
inline constexpr uint8_t sqrtm = 0x7e;
inline constexpr uint8_t divm = 0x7f;
inline constexpr uint8_t dp4a = 0x82;
inline constexpr uint8_t add3 = 0x84;
inline constexpr uint8_t madw = 0x91;
inline constexpr uint8_t add3o = 0x92;
inline constexpr uint8_t tanh = 0x96;
inline constexpr uint8_t sigm = 0x97;
inline constexpr uint8_t invm = 0x9b;
inline constexpr uint8_t rsqtm = 0x9c;

// matrices
inline constexpr uint8_t dpasw = 0x1c;
inline constexpr uint8_t dpas = 0x83;
inline constexpr uint8_t bdpas = 0x99;
inline constexpr uint8_t dnscl = 0x9a;

// logic
inline constexpr uint8_t and_ = 0x20;
inline constexpr uint8_t or_ = 0x21;
inline constexpr uint8_t xor_ = 0x22;
inline constexpr uint8_t not_ = 0x23;
inline constexpr uint8_t shl = 0x24;
inline constexpr uint8_t shr = 0x25;
inline constexpr uint8_t asr = 0x26;
inline constexpr uint8_t cbit = 0x27;
inline constexpr uint8_t fbl = 0x2e;
inline constexpr uint8_t fbh = 0x2f;
inline constexpr uint8_t bfe = 0x46;
inline constexpr uint8_t bfi = 0x47;
inline constexpr uint8_t bfrev = 0x48;
inline constexpr uint8_t rol = 0x80;
inline constexpr uint8_t ror = 0x81;
inline constexpr uint8_t bfn = 0x85;
inline constexpr uint8_t lfsr = 0x98;

// moves and comparisons
inline constexpr uint8_t fcvt = 0x1d;
inline constexpr uint8_t addr_add = 0x28;
inline constexpr uint8_t mov = 0x29;
inline constexpr uint8_t sel = 0x2a;
inline constexpr uint8_t setp = 0x2b;
inline constexpr uint8_t cmp = 0x2c;
inline constexpr uint8_t movs = 0x2d;
inline constexpr uint8_t min_max = 0x45;
inline constexpr uint8_t shfl_idx4 = 0x95;

// control flow
inline constexpr uint8_t subroutine = 0x30;
inline constexpr uint8_t label = 0x31;
inline constexpr uint8_t jmp = 0x32;
inline constexpr uint8_t call = 0x33;
inline constexpr uint8_t ret = 0x34;
inline constexpr uint8_t ifcall = 0x4f;
inline constexpr uint8_t faddr = 0x50;
inline constexpr uint8_t fcall = 0x67;
inline constexpr uint8_t fret = 0x68;
inline constexpr uint8_t switchjmp = 0x69;
inline constexpr uint8_t goto_ = 0x6c;

// messages to surfaces and flat memory
inline constexpr uint8_t oword_ld = 0x35;
inline constexpr uint8_t oword_st = 0x36;
inline constexpr uint8_t media_ld = 0x37;
inline constexpr uint8_t media_st = 0x38;
inline constexpr uint8_t gather = 0x39;
inline constexpr uint8_t scatter = 0x3a;
inline constexpr uint8_t oword_ld_unaligned = 0x3c;
inline constexpr uint8_t gather4_typed = 0x4b;
inline constexpr uint8_t scatter4_typed = 0x4c;
inline constexpr uint8_t svm = 0x4e;
inline constexpr uint8_t typed_atomic = 0x73;
inline constexpr uint8_t gather4_scaled = 0x74;
inline constexpr uint8_t scatter4_scaled = 0x75;
inline constexpr uint8_t gather_scaled = 0x78;
inline constexpr uint8_t scatter_scaled = 0x79;
inline constexpr uint8_t raw_sends = 0x7a;
inline constexpr uint8_t dword_atomic = 0x7d;
inline constexpr uint8_t qw_gather = 0x86;
inline constexpr uint8_t qw_scatter = 0x87;
inline constexpr uint8_t lsc_untyped = 0x89;
inline constexpr uint8_t lsc_typed = 0x8a;
inline constexpr uint8_t lsc_fence = 0x8b;

// sampler messages
inline constexpr uint8_t sample = 0x40;
inline constexpr uint8_t load = 0x42;
inline constexpr uint8_t sample_3d = 0x6d;
inline constexpr uint8_t load_3d = 0x6e;
inline constexpr uint8_t sample4 = 0x6f;
inline constexpr uint8_t info = 0x70;

// synchronization and what debuggers read
inline constexpr uint8_t file = 0x51;
inline constexpr uint8_t loc = 0x52;
inline constexpr uint8_t barrier = 0x59;
inline constexpr uint8_t sampler_cache_flush = 0x5a;
inline constexpr uint8_t wait = 0x5b;
inline constexpr uint8_t fence = 0x5c; // fence_global, fence_local, fence_sw
inline constexpr uint8_t yield = 0x5f;
inline constexpr uint8_t nbarrier = 0x60;
inline constexpr uint8_t lifetime = 0x7b;
inline constexpr uint8_t sbarrier = 0x7c;
inline constexpr uint8_t breakpoint = 0x94;

} // namespace visor::isa::opcode
