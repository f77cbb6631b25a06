#!/usr/bin/python3
"""Tells cvise whether a kernel is still interesting: wrong at one place, right at another, and defined as far as is seen.

    export HUNT_INTERESTING='--wrong "bmg 2.40 default" --right "pvc 2.40 default" -g 64 -a iota:i32:64 zeros:i32:64'
    cvise --n 1 $PWD/tests/hunt/interesting.py k.cl     # k.cl in the working folder becomes smaller
    tests/hunt/interesting.py --say k.cl                        # why it is, or is not

Flags are read from HUNT_INTERESTING, since cvise gives its script none but the file: `k.cl` in the working folder unless one is
named. --right may be "pocl" (needs PyOpenCL); the checkers then run at the wrong place without optimization. -a are
arguments of `visor run`. The exit code is 0 where all of this holds, else 1:

    clang finds no use of an uninitialized variable, and nothing else that is undefined (without clang: not asked);
    the kernel compiles and runs at both places;
    both engines give the same at the wrong place, and that is not what the right one gives;
    the checkers memory, init, race, sync and arith find nothing at the right place.

Signed overflow is not seen by any of them.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import numpy  # noqa: E402

import trial  # noqa: E402
import visor  # noqa: E402

CHECKERS = "memory,init,race,sync,arith"
SECONDS = "10"
# Warnings of clang's that are about undefined behaviour, or of what C only takes for the sake of old programs.
WARNINGS = ("uninitialized", "sometimes-uninitialized", "conditional-uninitialized", "uninitialized-const-reference",
            "shift-count-overflow", "shift-count-negative", "shift-overflow", "shift-negative-value", "integer-overflow",
            "division-by-zero", "array-bounds", "return-type", "implicit-function-declaration", "implicit-int",
            "int-conversion", "incompatible-pointer-types", "unsequenced", "null-dereference")
ELEMENTS = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
            "f16": "f2", "f32": "f4", "f64": "f8"}


class Boring(Exception):
    """Why the kernel is not interesting."""


Arrays = dict[int, numpy.ndarray]       # by the argument's number


def place_of(text: str) -> trial.Place:
    device, compiler, options = text.split(" ", 2)
    return trial.Place(device, compiler, "" if options == "default" else options)


def ask_clang(source: pathlib.Path) -> None:
    clang = next((found for found in map(shutil.which, ("clang", "clang-15", "clang-14")) if found), None)
    if clang is None:
        return
    words = [clang, "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-fsyntax-only",
             *(f"-Werror={one}" for one in WARNINGS), str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Boring(f"clang: {next((line for line in done.stderr.splitlines() if 'error:' in line), done.stderr[:200])}")


def arrays_of(values: Sequence[str]) -> list[int]:
    """The numbers of the arguments that are arrays."""
    return [number for number, value in enumerate(values) if value.split(":")[0] in ("zeros", "iota", "fill", "rand")
            or value.startswith("@")]


def run_on_visor(source: pathlib.Path, place: trial.Place, arguments: argparse.Namespace, engine: str,
                 checkers: str = "") -> Arrays:
    with tempfile.TemporaryDirectory() as folder:
        words = [visor.program(), "run", str(source), "-q", "--json", "--device", place.device, "--compiler", place.compiler,
                 "--engine", engine, "--timeout", SECONDS, "-g", arguments.g, "-a", *arguments.a]
        words += ["-l", arguments.l] if arguments.l else []
        words += ["--options", place.options] if place.options else []
        words += ["--check", checkers] if checkers else []
        for number in arrays_of(arguments.a):
            words += ["--out", f"{number}={folder}/{number}.npy"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Boring(f"{place} {engine} {checkers}: exit code {done.returncode}: {first_line_of(done)}")
        return {number: numpy.load(f"{folder}/{number}.npy") for number in arrays_of(arguments.a)}


def first_line_of(done: subprocess.CompletedProcess[str]) -> str:
    try:
        told = json.loads(done.stdout)
        lines = [str(one) for one in [*told.get("errors", ()), *told.get("findings", ())]]
    except (json.JSONDecodeError, AttributeError):
        lines = done.stderr.splitlines()
    return (lines or ["no message"])[0][:200]


def array_of(value: str) -> numpy.ndarray:
    """Of an argument of `visor run`, for PoCL: zeros, iota and fill of one dimension."""
    kind, element, count, *rest = value.split(":")
    dtype = numpy.dtype(ELEMENTS[element])
    first = float(rest[0]) if rest and dtype.kind == "f" else int(rest[0]) if rest else 0
    if kind == "iota":
        return (numpy.arange(int(count)) + first).astype(dtype)
    if kind in ("zeros", "fill"):
        return numpy.full(int(count), first, dtype)
    raise Boring(f"PoCL is not given `{value}`: zeros, iota, fill, and local:BYTES and scalars such as i32:7 alone")


def run_on_pocl(source: pathlib.Path, arguments: argparse.Namespace) -> Arrays:
    import pyopencl
    platform = next(one for one in pyopencl.get_platforms() if "Portable" in one.name)
    context = pyopencl.Context(platform.get_devices())
    queue = pyopencl.CommandQueue(context)
    arrays: Arrays = {}
    given: list[object] = []
    for number, value in enumerate(arguments.a):
        if number in arrays_of(arguments.a):
            arrays[number] = array_of(value)
            flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
            given.append(pyopencl.Buffer(context, flags, hostbuf=arrays[number]))
        elif value.startswith("local:"):
            given.append(pyopencl.LocalMemory(int(value[6:])))
        else:
            element, _, word = value.rpartition(":")
            given.append(numpy.dtype(ELEMENTS[element or "i32"]).type(float(word) if element[:1] == "f" else int(word)))
    try:
        kernel, = pyopencl.Program(context, source.read_text(encoding="utf-8")).build("-w").all_kernels()
        kernel(queue, sizes_of(arguments.g), sizes_of(arguments.l) if arguments.l else None, *given)
        for number, array in arrays.items():
            pyopencl.enqueue_copy(queue, array, given[number])
    except (pyopencl.Error, ValueError) as error:
        raise Boring(f"PoCL: {str(error).splitlines()[0]}") from None
    return arrays


def sizes_of(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.split(","))


def look(source: pathlib.Path, arguments: argparse.Namespace) -> str:
    """What is wrong; raises Boring. The cheapest questions come first: most of what cvise tries does not compile."""
    ask_clang(source)
    wrong = place_of(arguments.wrong)
    found = run_on_visor(source, wrong, arguments, "interp")
    if arguments.right == "pocl":
        right = run_on_pocl(source, arguments)
        checked = trial.Place(wrong.device, wrong.compiler, "-cl-opt-disable")
    else:
        checked = place_of(arguments.right)
        right = run_on_visor(source, checked, arguments, "interp")
    different = [number for number in found if not numpy.array_equal(found[number].ravel(), right[number].ravel())]
    if not different:
        raise Boring("both places give the same")
    other = run_on_visor(source, wrong, arguments, "jit")
    if any(found[number].tobytes() != other[number].tobytes() for number in found):
        raise Boring("the engines differ")
    run_on_visor(source, checked, arguments, "interp", CHECKERS)
    number = different[0]
    at = int(numpy.flatnonzero(found[number].ravel() != right[number].ravel())[0])
    return f"argument {number}[{at}] is {found[number].ravel()[at]}, not {right[number].ravel()[at]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", metavar="PLACE", required=True, help='such as "skl 1.0.17791 default"')
    parser.add_argument("--right", metavar="PLACE", required=True, help="likewise, or pocl")
    parser.add_argument("-g", metavar="X[,Y[,Z]]", required=True, help="global size")
    parser.add_argument("-l", metavar="X[,Y[,Z]]", default="", help="local size")
    parser.add_argument("-a", metavar="VALUE", nargs="+", required=True, help="the kernel's arguments, in order")
    parser.add_argument("--say", metavar="FILE", help="looks at this file, and says why")
    arguments = parser.parse_args([*shlex.split(os.environ.get("HUNT_INTERESTING", "")), *sys.argv[1:]])
    try:
        text, code = look(pathlib.Path(arguments.say or "k.cl"), arguments), 0
    except Boring as error:
        text, code = str(error), 1
    if arguments.say:
        print(("interesting: " if code == 0 else "boring: ") + text)
    return code


if __name__ == "__main__":
    sys.exit(main())
