// Opcodes that stages must know by number: the marks and branches that shape a function's flow, what looks at
// more of a variable than its operand's region says, and what makes numbers and predicates that are followed.
#pragma once

#include <cstdint>

namespace visor::isa::opcode {

inline constexpr uint8_t line = 0x0a;
inline constexpr uint8_t lrp = 0x0e;
inline constexpr uint8_t plane = 0x6b;

inline constexpr uint8_t mov = 0x29;
inline constexpr uint8_t setp = 0x2b;

inline constexpr uint8_t subroutine = 0x30;
inline constexpr uint8_t label = 0x31;
inline constexpr uint8_t jmp = 0x32;
inline constexpr uint8_t call = 0x33;
inline constexpr uint8_t ret = 0x34;
inline constexpr uint8_t fcall = 0x67;
inline constexpr uint8_t fret = 0x68;
inline constexpr uint8_t ifcall = 0x4f;
inline constexpr uint8_t faddr = 0x50;
inline constexpr uint8_t switchjmp = 0x69;
inline constexpr uint8_t goto_ = 0x6c;
inline constexpr uint8_t file = 0x51;
inline constexpr uint8_t loc = 0x52;
inline constexpr uint8_t wait = 0x5b;
inline constexpr uint8_t lifetime = 0x7b;
inline constexpr uint8_t barrier = 0x59;
inline constexpr uint8_t split_barrier = 0x7c;
inline constexpr uint8_t yield = 0x5f;
inline constexpr uint8_t sampler_cache_flush = 0x5a;
inline constexpr uint8_t fence = 0x5c;
inline constexpr uint8_t lsc_fence = 0x8b;

} // namespace visor::isa::opcode
