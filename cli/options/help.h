// The texts of --help that options do not carry themselves.
#pragma once

namespace visor::cli {

inline constexpr const char* overview_text =
    R"(visor: a virtual machine for vISA, the virtual instruction set of Intel GPUs

usage: visor VERB [options]      visor VERB --help tells the rest

  run    run a kernel: OpenCL C, SPIR-V, zebin or vISA text, with arguments from the command line or a launch file
  cc     compile OpenCL C to a zebin, SPIR-V, or vISA text to edit and run, with the real compiler
  as     assemble vISA text to a binary (.isa)
  dis    disassemble a binary, or show the vISA of a zebin or an OpenCL C file
  check  check vISA against the pages, or against what the compiler takes
  diff   compare two files by meaning, whatever their variables and labels are called
  reduce make vISA text smaller as long as a command finds in it what it looks for
  debug  run a kernel step by step, forwards and backwards; the Debug Adapter Protocol
  report run a kernel or an application, and write a page of what it cost: source with heat, lanes, memory, findings
  isa    the instruction reference
  info   this build, its devices and limits; or a file's kernels

)";

inline constexpr const char* exit_codes_text =
    R"(exit codes
  0    clean and complete
  1    invalid input, build error, or a fault of the kernel
  2    a mistake on the command line
  3    not supported by Visor yet, or the OpenCL compiler is missing or crashed
  4    internal error
  124  fuel or time spent
)";

inline constexpr const char* value_text =
    R"(VALUE
  7  0x10  2.5             a number of the parameter's type; i32:7, f32:2.5 name it
  1,2,3,4                  a vector or struct; bytes:@FILE gives its bytes
  zeros:TYPE:SHAPE         an array; also iota:TYPE:SHAPE[:first], fill:TYPE:SHAPE:value, rand:TYPE:SHAPE[:seed]
  @x.npy  @x.bin[:TYPE]    an array from a file
  @x.png[:FORMAT]          an image from a picture (rgba8 without FORMAT)
  image:FORMAT:WxH[xD][/LAYERS][:@FILE]   an image of zeros, or of raw pixels; W alone is a one-dimensional one
  sampler:FILTER,ADDRESS[,normalized]     nearest linear; none clamp clamp_edge repeat mirror
  local:BYTES              local memory;  null: a null pointer;  @=NAME: the same array as argument NAME
  lid.x lid.y lid.z tid lane   fill an input of hand-written text
TYPE is one of i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64; SHAPE is 64 or 480x640 (slowest dimension first).
FORMAT is channels (r rg ra rgba bgra argb srgba a l i d), bits (8 16 32), and s (snorm), i, u (integers) or f: rgba8 r32f
rg16u bgra8; rgb565, rgb555, rgb101010.

--out NAME=FILE[:TYPE][:SHAPE]
  .npy and .bin files; .png with a pixel format and WIDTHxHEIGHT: image=m.png:rgba8:640x480 (also gray8, rgb8);
  an image needs neither: its pixels are converted to gray8, rgb8 or rgba8.
  FILE `-` is standard output: raw bytes, or a picture in the terminal when a pixel format is given.
--print NAME[:N][:TYPE]
  "NAME = 1 2 3" on standard output: the first N elements, else at most 64 and `...`.

)";

inline constexpr const char* diff_text =
    R"(Compares the vISA of A and B, kernels and functions by their names. Names of variables and labels, declarations that
move or that nothing uses, comments, source lines, and the order of independent instructions inside of a basic block
are no difference; all else is. Launch metadata is not compared. Exit code 0: the same; 1: not the
same, or a file cannot be read, which a message tells.

With --runs N kernels alone are compared, by what they leave in memory: both sides get the same drawn numbers, buffers and
images. That shows differences, and never that there are none. Exit code 3: running told nothing.

)";

inline constexpr const char* reduce_text =
    R"(COMMAND is run with the path of a smaller text as its last argument, or in the place of `{}` in its words. Exit code 0
keeps that text, any other leaves it. It has to be 0 for FILE itself, and as narrow as the mistake: a text that faults, or
reads what nothing wrote, is no longer the same mistake (`visor run --check=all` tells). FILE may have launch metadata
(`visor cc --emit visaasm`), which stays as it is. Text that `visor check` passes is only replaced by such text.
An interrupt (Ctrl-C) writes the smallest text so far.

)";

inline constexpr const char* check_text =
    R"(Without --profile, what a compiler wrote is checked as igc, everything else as spec. --device any checks no
availability and takes a GRF as 32 bytes. `visor isa NAME` tells the rules of an instruction.

)";

} // namespace visor::cli
