#!/usr/bin/python3
"""The mistakes of compilers that docs/bugs-found.md lists: runs the smallest kernel of each on every device and compiler.

    tests/hunt/bugs.py              all; the exit code is 1 where one is not as its entry says
    tests/hunt/bugs.py NAME         what it leaves at each place
    tests/hunt/bugs.py --table      the table of docs/bugs-found.md
    tests/hunt/bugs.py --pocl       all on PoCL, by PyOpenCL: whether it gives what is expected

Expected values are derived in docs/bugs-found.md by hand, from what OpenCL C says of each kernel. They are compared on both
engines, whose results have to be equal.
"""

from __future__ import annotations

import os
import pathlib
import sys
from dataclasses import dataclass, field
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import numpy  # noqa: E402

import visor  # noqa: E402

PLACES = (("skl", "1.0.12504"), ("skl", "1.0.17791"), ("tgllp", "1.0.12504"), ("dg2", "1.0.12504"),
          ("pvc", "1.0.12504"), ("tgllp", "2.40"), ("dg2", "2.40"), ("pvc", "2.40"), ("bmg", "2.40"))
LOCAL_BYTES = "local"


@dataclass(frozen=True)
class Bug:
    name: str
    title: str
    source: str
    items: int
    arguments: tuple[Any, ...]      # lists, with the type in front: ("i32", 1, 2); or a number of bytes of local memory
    output: int                     # the argument that is looked at
    expected: tuple[Any, ...]
    wrong: frozenset[tuple[str, str]]       # the places where it is not that
    refused: frozenset[tuple[str, str]] = field(default_factory=frozenset)   # where it does not compile, or not load
    options: str = ""
    local: int | None = None
    pocl: bool = True               # PoCL 3.1 has the function


def every(compiler: str, *devices: str) -> frozenset[tuple[str, str]]:
    return frozenset((device, known) for device, known in PLACES
                     if known == compiler and (not devices or device in devices))


EVERYWHERE = frozenset(PLACES)
BUGS = [
    Bug("add-sat-of-long", "`add_sat` of two positive longs gives the smallest long",
        """kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    o[i] = add_sat(a[i], a[i]);
}
""", 4, (("i64", 2**62, 2**63 - 1, -2**63, 5), ("i64", 0, 0, 0, 0)), 1, (2**63 - 1, 2**63 - 1, -2**63, 10),
        every("1.0.12504")),
    Bug("sub-sat-of-long", "`sub_sat` of a long and a constant gives the smallest long where the largest is right",
        """kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    o[i] = sub_sat(a[i], -1l);
}
""", 4, (("i64", 2**63 - 1, 2**62, -2**63, 5), ("i64", 0, 0, 0, 0)), 1, (2**63 - 1, 2**62 + 1, -2**63 + 1, 6),
        every("1.0.12504")),
    Bug("mad-sat-of-long", "`mad_sat` of longs gives the smallest long for a product of zero",
        """kernel void k(global const long* a, global const long* b, global const long* c, global long* o) {
    int i = get_global_id(0);
    o[i] = mad_sat(a[i], b[i], c[i]);
}
""", 4, (("i64", 0, 0, 3, 2**62), ("i64", -5, -2**63, 5, 2), ("i64", 0, 0, -20, 0), ("i64", 0, 0, 0, 0)), 3,
        (0, 0, -5, 2**63 - 1), EVERYWHERE),
    Bug("rhadd-of-ulong", "`rhadd` of the largest ulong and itself loses the highest bit",
        """kernel void k(global const ulong* a, global const ulong* b, global ulong* o) {
    int i = get_global_id(0);
    o[i] = rhadd(a[i], b[i]);
}
""", 4, (("u64", 2**64 - 1, 2**64 - 1, 4, 5), ("u64", 2**64 - 1, 2**64 - 2, 5, 8), ("u64", 0, 0, 0, 0)), 2,
        (2**64 - 1, 2**64 - 1, 5, 7), EVERYWHERE),
    Bug("sub-sat-from-zero", "`sub_sat` of zero and the smallest long gives the smallest long",
        """kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    o[i] = sub_sat(0l, a[i]);
}
""", 2, (("i64", -2**63, 5), ("i64", 0, 0)), 1, (2**63 - 1, -5), EVERYWHERE),
    Bug("sub-sat-of-char", "`sub_sat` of chars does not saturate, with `-cl-opt-disable`",
        """kernel void k(global const char* a, global char* o) {
    int i = get_global_id(0);
    o[i] = sub_sat(a[i], (char)-73);
}
""", 2, (("i8", 79, 5), ("i8", 0, 0)), 1, (127, 78),
        EVERYWHERE - every("1.0.12504", "pvc") - every("2.40", "pvc", "bmg"), options="-cl-opt-disable"),
    Bug("quotient-of-a-widened-int", "a quotient of longs, of which one was an int, takes the magnitude of an unsigned number",
        """kernel void k(global const int* a, global const long* b, global long* o) {
    int i = get_global_id(0);
    o[i] = (long)a[i] / ((b[i] & 0x3fffffffffffffffl) + 1l);
}
""", 2, (("i32", -1853785519, 100), ("i64", 5, 6), ("i64", 0, 0)), 2, (-308964253, 14),
        every("1.0.12504", "skl", "tgllp")),
    Bug("quotient-of-a-magnitude", "a quotient of `abs` of chars takes them for unsigned numbers",
        """kernel void k(global const char* a, global const uchar* b, global uchar* o) {
    int i = get_global_id(0);
    vstore2(abs(vload2(i, a)) / vload2(i, b), i, o);
}
""", 4, (("i8", -4, -3, -2, -1, 0, 1, 2, 3), ("u8", *[2] * 8), ("u8", *[0] * 8)), 2, (2, 1, 1, 0, 0, 0, 1, 1),
        every("1.0.12504", "skl", "tgllp") | every("1.0.17791") | every("2.40", "tgllp")),
    Bug("saturation-in-a-loop", "`convert_ushort_sat` in a loop does not saturate",
        """kernel void k(global const uint* a, global ushort* o) {
    int i = get_global_id(0);
    ushort v = 0;
    for (uint j = 0; j < (a[i] & 7u); ++j)
        v = convert_ushort_sat(a[i]);
    o[i] = v;
}
""", 2, (("u32", 3182793, 9), ("u16", 0, 0)), 1, (65535, 9), every("1.0.12504")),
    Bug("vector-of-a-function", "a function that gives a vector gives it to the lower half of the lanes",
        """__attribute__((noinline)) long2 f(long2 a) { return a + 1l; }
__attribute__((intel_reqd_sub_group_size(32)))
kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    vstore2(f(vload2(i, a)), i, o);
}
""", 32, (("i64", *range(64)), ("i64", *[0] * 64)), 1, tuple(range(1, 65)), every("1.0.17791"), local=32),
    Bug("fma-of-vectors", "`fma` of a vector computes its first component alone",
        """kernel void k(global const float* a, global float* o) {
    float2 x = vload2(0, a);
    vstore2(fma(x, x, x), 0, o);
}
""", 1, (("f32", 2, 3), ("f32", 0, 0)), 1, (6, 12), every("1.0.17791")),
    Bug("negation-of-a-vector", "the negation of a vector of floats negates its first component alone, with `-cl-opt-disable`",
        """kernel void k(global const float* a, global float* o) {
    vstore4(-vload4(0, a), 0, o);
}
""", 1, (("f32", 1, 2, 3, 4), ("f32", 0, 0, 0, 0)), 1, (-1, -2, -3, -4), every("1.0.12504"),
        options="-cl-opt-disable"),
    Bug("high-half-of-a-constant", "a product of high halves takes a constant's low half, with `-cl-opt-disable`",
        """kernel void k(global const int* a, global int* o) {
    int i = get_global_id(0);
    o[i] = mul24(max(2, 0) >> 16, a[i] >> 16);
}
""", 2, (("i32", 0x30000, 5), ("i32", 7, 7)), 1, (0, 0), EVERYWHERE,
        options="-cl-opt-disable"),
    Bug("unsigned-division-merged", "an unsigned quotient is the signed one, where a kernel has both",
        """kernel void k(global const int* a, global const int* b, global int* s, global uint* o) {
    int i = get_global_id(0);
    int x = a[i], y = b[i];
    s[2 * i] = x / y;
    s[2 * i + 1] = x % y;
    o[2 * i] = (uint)x / (uint)y;
    o[2 * i + 1] = (uint)x % (uint)y;
}
""", 1, (("i32", -7), ("i32", 2), ("i32", 0, 0), ("u32", 0, 0)), 3, (2147483644, 1),
        every("1.0.12504", "dg2") | every("2.40", "dg2", "bmg")),
    Bug("powi-dropped", "`pown` by a variable is dropped under `-cl-fast-relaxed-math`",
        """kernel void k(global const float* a, global const int* n, global float* o) {
    int i = get_global_id(0);
    o[i] = pown(a[i], n[i]);
}
""", 4, (("f32", 2, 2, 2, 2), ("i32", 0, 1, 2, 3), ("f32", 0, 0, 0, 0)), 2, (1, 2, 4, 8), every("1.0.12504"),
        options="-cl-fast-relaxed-math"),
    Bug("fourth-dimension", "`get_global_id(3)` makes the kernel's code empty",
        """kernel void k(global int* o) {
    o[get_global_id(0)] = get_global_id(3) + 1;
}
""", 2, (("i32", 7, 7),), 0, (1, 1), every("1.0.12504")),
    Bug("bit-reversal-of-float", "a bit reversal reads a register as a float",
        """kernel void k(global float2* data, local float2* t) {
    const int lid = get_local_id(0);
    const uint from = lid;
    uint rev = 0;
    for (int b = 0; b < 6; ++b)
        rev |= (from >> b & 1u) << (5 - b);
    t[rev] = data[from];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[lid] = t[lid];
}
""", 64, (("f32", *range(128)), 512), 0,
        tuple(number for item in range(64) for number in
              (2 * int(f"{item:06b}"[::-1], 2), 2 * int(f"{item:06b}"[::-1], 2) + 1)), every("1.0.12504"), local=64),
    Bug("update-of-a-swizzle", "an update of three components reads the old vector, with `-cl-opt-disable`",
        """kernel void k(global float4* p, float4 s) {
    int i = get_global_id(0);
    float4 q = p[i];
    q.xyz -= floor(q.xyz * 2.0f) * s.xyz;
    p[i] = q;
}
""", 2, (("f32", *range(8)), ("f32x", 0.25, 0.5, 1, 0)), 0, (0, 0, -2, 3, 2, 0, -6, 7), every("1.0.12504"),
        options="-cl-opt-disable"),
    Bug("mask-beyond-the-sub-group", "`get_sub_group_ge_mask` and `get_sub_group_gt_mask` have bits beyond the sub-group",
        """__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint4* ge, global uint4* gt) {
    int i = get_global_id(0);
    ge[i] = get_sub_group_ge_mask();
    gt[i] = get_sub_group_gt_mask();
}
""", 16, (("u32", *[0] * 64), ("u32", *[0] * 64)), 0,
        tuple(number for lane in range(16) for number in (sum(1 << bit for bit in range(lane, 16)), 0, 0, 0)), EVERYWHERE,
        options="-cl-std=CL3.0", local=16, pocl=False),
    Bug("high-half-of-ushorts", "a comparison takes `mul_hi` of ushorts for less than 32768",
        """kernel void k(global const ushort* a, global ushort* o) {
    int i = get_global_id(0);
    o[i] = mul_hi(a[i], a[i]) >= (ushort)51645 ? 1 : 0;
}
""", 4, (("u16", 65000, 65535, 58178, 100), ("u16", 7, 7, 7, 7)), 1, (1, 1, 1, 0), EVERYWHERE),
    Bug("double-of-a-square", "`add_sat` of the high half of a square and itself does not saturate",
        """kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    long v = mul_hi(a[i], a[i]);
    o[i] = add_sat(v, v);
}
""", 2, (("i64", -2**63, 2**62), ("i64", 7, 7)), 1, (2**63 - 1, 2**61), EVERYWHERE),
    Bug("rotation-by-a-sum", "`rotate` of a long by a sum takes the first lane's for all",
        """kernel void k(global const long* a, global long* o) {
    int i = get_global_id(0);
    long v = sub_group_broadcast(a[i], 0u);
    o[i] = rotate(1l, v + a[i]);
}
""", 8, (("i64", *range(8)), ("i64", *[7] * 8)), 1, (1, 2, 4, 8, 16, 32, 64, 128),
        every("1.0.12504", "tgllp", "dg2") | every("2.40", "tgllp", "dg2"), local=8, pocl=False),
    Bug("complement-of-a-broadcast", "the complement of a lane's value is that of the first lane",
        """kernel void k(global const uint* a, global uint* o) {
    int i = get_global_id(0);
    o[i] = 255u & ~sub_group_broadcast(a[i], 3u);
}
""", 8, (("u32", 1, 2, 4, 8, 16, 32, 64, 128), ("u32", *[7] * 8)), 1, (247,) * 8, every("1.0.12504", "dg2", "pvc"), local=8,
        pocl=False),
    Bug("quotient-by-leading-zeros", "a quotient by the leading zeros of a char is zero",
        """kernel void k(global const char* a, global char* o) {
    int i = get_global_id(0);
    char v = clz(a[i]);
    o[i] = (char)2 / (char)((v & (char)63) + (char)1);
}
""", 4, (("i8", -1, 127, 63, 0), ("i8", 7, 7, 7, 7)), 1, (2, 1, 0, 0), every("1.0.12504", "tgllp") | every("2.40", "tgllp")),
    Bug("size-of-a-sub-group", "a required size of sub-groups is ignored, with `-cl-opt-disable`",
        """__attribute__((intel_reqd_sub_group_size(32)))
kernel void k(global uint* o) {
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = sub_group_reduce_add(1u);
}
""", 32, (("u32", *[7] * 32),), 0, (32,) * 32, every("1.0.12504", "skl", "tgllp", "dg2"), options="-cl-opt-disable", local=32,
        pocl=False),
    Bug("dot-of-bytes", "`dot` of bytes is declared and has no definition",
        """kernel void k(global uint* o, global const uchar4* a, global const uchar4* b) {
    int i = get_global_id(0);
    o[i] = dot(a[i], b[i]);
}
""", 2, (("u32", 0, 0), ("u8", *range(8)), ("u8", 255, 255, 255, 255, 1, 2, 3, 4)), 0, (255 * 6, 4 + 10 + 18 + 28), frozenset(),
        every("1.0.12504") | every("1.0.17791"), options="-cl-std=CL3.0", pocl=False),
]

DTYPES = {"i8": numpy.int8, "u8": numpy.uint8, "u16": numpy.uint16, "i32": numpy.int32, "u32": numpy.uint32, "i64": numpy.int64, "u64": numpy.uint64, "f32": numpy.float32, "f32x": numpy.float32}


def left_at(bug: Bug, device: str, compiler: str, engine: str) -> list[Any] | str:
    """What is in the output at the end, or why there is none."""
    arguments: list[Any] = []
    for one in bug.arguments:
        if isinstance(one, int):
            arguments.append(visor.local(one))
        elif one[0] == "f32x":
            arguments.append(tuple(float(number) for number in one[1:]))
        else:
            arguments.append(numpy.array(one[1:], DTYPES[one[0]]))
    try:
        program = visor.compile(bug.source, bug.name + ".cl", device=device, options=bug.options, compiler=compiler)
        program["k"](*arguments, global_size=bug.items, local_size=bug.local, engine=engine)
    except visor.Error as error:
        lines = [line for line in str(error).splitlines() if "error" in line] or str(error).splitlines()
        return lines[0]
    return list(arguments[bug.output].tolist())


def verdict(bug: Bug, device: str, compiler: str) -> str:
    left = [left_at(bug, device, compiler, engine) for engine in ("interp", "jit")]
    if repr(left[0]) != repr(left[1]):
        return f"ENGINES DIFFER: {left[0]}, {left[1]}"
    if isinstance(left[0], str):
        return "refused"
    return "right" if tuple(left[0]) == bug.expected else "wrong"


def on_pocl() -> int:
    """What another implementation of OpenCL says of the expected values; exit code 77: there is none."""
    try:
        import pyopencl
        platforms = [one for one in pyopencl.get_platforms() if "Portable" in one.name]
    except Exception:   # no module, or a loader without a platform
        platforms = []
    if not platforms:
        print("there is no PoCL, or no PyOpenCL")
        return 77
    context = pyopencl.Context(platforms[0].get_devices())
    queue = pyopencl.CommandQueue(context)
    bad = 0
    tried = [bug for bug in BUGS if bug.pocl]
    for bug in tried:
        kernel = pyopencl.Program(context, bug.source).build(bug.options).k
        arguments: list[Any] = []
        for one in bug.arguments:
            if isinstance(one, int):
                arguments.append(pyopencl.LocalMemory(one))
            elif one[0] == "f32x":
                arguments.append(numpy.array(one[1:], numpy.float32))
            else:
                data = numpy.array(one[1:], DTYPES[one[0]])
                flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
                arguments.append(pyopencl.Buffer(context, flags, hostbuf=data))
        kernel(queue, (bug.items,), None if bug.local is None else (bug.local,), *arguments)
        left = numpy.array(bug.arguments[bug.output][1:], DTYPES[bug.arguments[bug.output][0]])
        pyopencl.enqueue_copy(queue, left, arguments[bug.output])
        if tuple(left.tolist()) != bug.expected:
            bad += 1
            print(f"{bug.name}: PoCL gives {left.tolist()}, not {list(bug.expected)}")
    without = ", ".join(bug.name for bug in BUGS if not bug.pocl)
    print(f"{len(tried)} kernels on {platforms[0].version}, {bad} not as expected; it has not the functions of {without}")
    return 1 if bad else 0


def stated(bug: Bug, place: tuple[str, str]) -> str:
    return "refused" if place in bug.refused else "wrong" if place in bug.wrong else "right"


def table() -> str:
    lines = ["| mistake | " + " | ".join(f"{device} {compiler}" for device, compiler in PLACES) + " |",
             "|---" * (len(PLACES) + 1) + "|"]
    for bug in BUGS:
        cells = [stated(bug, place) for place in PLACES]
        lines.append(f"| [{bug.name}](#{bug.name}) | " + " | ".join("-" if one == "right" else one for one in cells) + " |")
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    if words == ["--table"]:
        print(table(), end="")
        return 0
    if words == ["--pocl"]:
        return on_pocl()
    bad = 0
    for bug in BUGS:
        if words and bug.name not in words:
            continue
        for place in PLACES:
            found = verdict(bug, *place)
            if words:
                print(f"{' '.join(place)}: {found}: {left_at(bug, *place, 'interp')}")
            if found != stated(bug, place):
                bad += 1
                print(f"{bug.name}: {' '.join(place)}: {found}; its entry says {stated(bug, place)}")
    print(f"{len(BUGS)} mistakes, {bad} not as their entries say")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
