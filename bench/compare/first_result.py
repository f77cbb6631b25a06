#!/usr/bin/env python3
"""What an application pays until its first result, with an empty and with a full cache: CPU time from clBuildProgram to the
first result read back, of whole programs of public projects, on Visor, PoCL and Intel's OpenCL runtime for CPUs.

    bench/compare/first_result.py [--build build/release] [--before BUILD] [--sources FOLDER] [--rounds 3] [--only WORD]
                                  [--json FILE]

--build BUILD    Visor's libraries and the program bench/compare/first_result that measures one launch
--before BUILD   another build of Visor, measured in turn with the first one
--sources FOLDER checkouts, as for `compare --set fifth` (bench/compare/fifth_set.md); without them some programs are left out
--intel FOLDER   what `scripts/setup intel-cpu` brought; absent: no column, which standard error says

The clock starts before clBuildProgram and stops after a blocking clEnqueueReadBuffer. In it are clBuildProgram (all kernels of
the program), clCreateKernel, clSetKernelArg, one clEnqueueNDRangeKernel and the read of the first result. Not in it are
reading the source, clCreateContext, queues, buffers and their content.

It counts the CPU time of the process and of all processes below it: first_result.cpp adopts orphans
(PR_SET_CHILD_SUBREAPER) and sums its own clock, those of its waited-for children and those of its live ones. The
process itself runs below a process here that adopts, too, and waits for every one: what all took, to the end of the last, has
to be no less than what was measured, and has columns of its own (`whole process`: with the start of the process, with
creating and filling buffers, and with work that outlives the first result).

An empty cache has one thing, which Visor asks a compiler once on a machine: what devices it knows. A full one is what one
run of the program left, with Visor three: tier 2 code is cached by the second or third. Results are compared with PoCL's. The exit code is 1 where one differs or a run fails.
"""

import argparse
import array
import contextlib
import ctypes
import datetime
import json
import os
import pathlib
import platform as host
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = (
    "silx bin 2x2", "silx byte offset, marks", "pyfai CSR integration", "pyfai corrections", "gputools Perlin noise",
    "gegl float to bytes", "darktable demosaic, step 1", "darktable recursive Gaussian", "bullet radix count",
    "bullet Morton codes", "rodinia SRAD", "rodinia Needleman-Wunsch", "shoc sort, counts", "polybench correlation",
    "parboil SAD",
)
SECONDS = 300  # of one run, by the clock
NOT_THERE = 77
PR_SET_CHILD_SUBREAPER = 36
FLOATS = {"f32": "f", "f64": "d"}
WHOLE = ", whole process"
CLOCK_MS = 0.5  # of a whole process, as much as clocks may differ


class Failed(Exception):
    """A run that gave no figure."""


class Absent(Exception):
    """A program whose source is not there."""


@dataclass(frozen=True)
class Platform:
    """One that is measured, and how its processes find it."""

    column: str
    vendors: str
    cache_variable: str
    filling_runs: int = 1  # after which its cache is full
    one_cpu: bool = False
    variables: dict[str, str] = field(default_factory=dict)

    def environment(self, cache: pathlib.Path) -> dict[str, str]:
        """Of its processes."""
        return {**os.environ, "OCL_ICD_VENDORS": self.vendors, self.cache_variable: str(cache), **self.variables}


@dataclass(frozen=True)
class Figure:
    """One run, in milliseconds of CPU time."""

    first: float
    whole: float


# ---- one run ----


def run_below_an_adopter(command: list[str], environment: dict[str, str], one_cpu: bool) -> tuple[str, str, int, float]:
    """Output, errors, exit code, and the CPU seconds of all processes, the last of which has ended."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise Failed("this process cannot adopt the children of its children")

    def keep_to_one_cpu() -> None:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen(command, env=environment, stdout=out, stderr=errors,
                              preexec_fn=keep_to_one_cpu if one_cpu else None) as process:
            try:
                code = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        errors.seek(0)
        return (out.read(), errors.read(), code,
                after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def measured(program: pathlib.Path, name: str, sources: str, on: Platform, cache: pathlib.Path,
             result: pathlib.Path) -> Figure:
    """Of one run; `result` gets what the kernel wrote."""
    command = [str(program), name, sources, str(result)]
    out, errors, code, seconds = run_below_an_adopter(command, on.environment(cache), on.one_cpu)
    if code == NOT_THERE:
        raise Absent(errors.strip())
    if code != 0:
        raise Failed(f"{name} on {on.column}: exit code {code}: {errors.strip()[-400:]}")
    phases = json.loads(out.splitlines()[-1])
    figure = Figure(sum(phase["own_ms"] + phase["children_ms"] for phase in phases.values()), 1e3 * seconds)
    if figure.whole + CLOCK_MS < figure.first:
        raise Failed(f"{name} on {on.column}: {figure.first} ms, but the whole process took {figure.whole} ms")
    return figure


# ---- platforms ----


def platforms(options: argparse.Namespace) -> list[Platform]:
    """Those that are there; others are told on standard error."""
    found = []
    if pathlib.Path("/etc/OpenCL/vendors/pocl.icd").exists():
        found.append(Platform("PoCL", "pocl.icd", "POCL_CACHE_DIR", variables={"POCL_MAX_PTHREAD_COUNT": "1"}))
    else:
        print("no column `PoCL`: Debian has it in the package pocl-opencl-icd", file=sys.stderr)
    vendors = pathlib.Path(options.intel).resolve() / "vendors"
    if (vendors / "intel-cpu.icd").exists():
        found.append(Platform("Intel CPU runtime", str(vendors), "XDG_CACHE_HOME", one_cpu=True))
    else:
        print(f"no column `Intel CPU runtime`: {options.intel} does not have it; `scripts/setup intel-cpu` brings it",
              file=sys.stderr)
    device = os.environ.get("VISOR_DEVICE", "skl")
    for build, more in ((options.before, ", before"), (options.build, "")):
        if build:
            found.append(Platform(f"Visor, {device}{more}", str(pathlib.Path(build).resolve() / "opencl" / "vendors"),
                                  "VISOR_CACHE_DIR", filling_runs=3, variables={"VISOR_THREADS": "1"}))
    return found


class Caches:
    """Folders for caches, empty or full, below one folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.known: dict[str, pathlib.Path] = {}  # by column: what its compilers said of themselves
        self.count = 0

    def empty(self, on: Platform) -> pathlib.Path:
        """A new folder."""
        self.count += 1
        made = self.folder / str(self.count)
        made.mkdir(mode=0o700)
        if on.column in self.known:
            shutil.copytree(self.known[on.column], made / "compilers")
        return made

    def remember(self, on: Platform, cache: pathlib.Path) -> None:
        """What stays in an empty cache."""
        if on.cache_variable == "VISOR_CACHE_DIR" and (cache / "compilers").is_dir():
            self.known[on.column] = cache / "compilers"


# ---- results ----


def descriptions() -> dict[str, dict]:
    """Of kernels, by name."""
    whole = json.loads((ROOT / "bench/compare/fifth_set.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in whole["kernels"]}


def differs(description: dict, one: bytes, other: bytes) -> bool:
    """Whether two results are not the same, as the kernel's tolerance says."""
    if one == other:
        return False
    outputs = [argument.split() for argument in description["arguments"]
               if argument.startswith(("out ", "inout "))]
    tolerance = description.get("tolerance", 0)
    code = FLOATS.get(outputs[0][1])
    if code is None or not tolerance or len(one) != len(other):
        return True
    pairs = zip(array.array(code, one), array.array(code, other))
    return any(not (a == b or abs(a - b) <= tolerance * max(1, abs(a), abs(b)) or (a != a and b != b)) for a, b in pairs)


class Measurement:
    """All figures of a run of this program."""

    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options = options
        self.program = pathlib.Path(options.build).resolve() / "bench/compare/first_result"
        self.all = platforms(options)
        self.caches = Caches(folder)
        self.result = folder / "result"
        self.figures: dict[tuple[str, str], list[float]] = {}
        self.wrong: list[str] = []
        self.described = descriptions()

    def run(self, name: str, on: Platform, cache: pathlib.Path) -> Figure:
        """One run."""
        return measured(self.program, name, self.options.sources, on, cache, self.result)

    def measure(self, name: str) -> None:
        """One program on all platforms, in turn."""
        full = []
        reference = b""
        for on in self.all:
            cache = self.caches.empty(on)
            try:
                for _ in range(on.filling_runs):
                    self.run(name, on, cache)
            except Failed as problem:
                self.wrong.append(str(problem))
                continue
            self.caches.remember(on, cache)
            full.append((on, cache))
            content = self.result.read_bytes()
            reference = reference or content
            if differs(self.described[name], content, reference):
                self.wrong.append(f"{name} on {on.column}: the result is not that of {self.all[0].column}")
        for _ in range(self.options.rounds):
            for on, cache in full:
                empty = self.caches.empty(on)
                for state, folder in (("empty cache", empty), ("full cache", cache)):
                    figure = self.run(name, on, folder)
                    for column, value in (("", figure.first), (WHOLE, figure.whole)):
                        self.figures.setdefault((name, f"{on.column}, {state}{column}"), []).append(value)
                shutil.rmtree(empty, ignore_errors=True)

    def rows(self) -> Iterator[dict]:
        """As bench/results has them; last the medians of all programs."""
        by_column: dict[str, list[float]] = {}
        for (kernel, column), values in self.figures.items():
            rounded = [float(f"{value:.6g}") for value in values]
            median = statistics.median(rounded)
            by_column.setdefault(column, []).append(median)
            yield {"kernel": kernel, "column": column, "unit": "ms", "median": median, "least": min(rounded),
                   "most": max(rounded), "values": rounded}
        for column, medians in by_column.items():
            yield {"kernel": "median of the programs", "column": column, "unit": "ms",
                   "median": statistics.median(medians)}


def table(rows: list[dict]) -> str:
    """Medians in milliseconds, without the columns of whole processes."""
    medians = {(row["kernel"], row["column"]): row["median"] for row in rows}
    columns = [column for column in dict.fromkeys(row["column"] for row in rows) if not column.endswith(WHOLE)]
    lines = ["| CPU time, ms | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in dict.fromkeys(row["kernel"] for row in rows):
        cells = (medians.get((name, column)) for column in columns)
        lines.append(f"| {name} | " + " | ".join("-" if cell is None else f"{cell:.0f}" for cell in cells) + " |")
    return "\n".join(lines)


def machine() -> dict:
    """As bench/results/README.md describes it."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") if host.system() == "Linux" else ""
    name = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    family = re.search(r"^cpu family\s*: (\d+)$", text, re.MULTILINE)
    flags = set((re.search(r"^flags\s*: (.*)$", text, re.MULTILINE) or ["", ""])[1].split())
    vector = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "SSE4.2"
    return {"cpu": name[1].strip() if name else None, "family": int(family[1]) if family else None, "vector": vector,
            "cpus": os.cpu_count(), "note": None}


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--before", default="")
    parser.add_argument("--sources", default="")
    parser.add_argument("--intel", default=str(ROOT / "build/intel-cpu"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds is 1 or more")
    with tempfile.TemporaryDirectory(prefix="first-result-") as folder:
        measurement = Measurement(options, pathlib.Path(folder))
        if not os.access(measurement.program, os.X_OK):
            parser.error(f"there is no program {measurement.program}")
        for name in (name for name in PROGRAMS if options.only in name):
            try:
                measurement.measure(name)
                print(f"{name}: measured", file=sys.stderr)
            except Absent as problem:
                print(f"{name} left out: {problem}", file=sys.stderr)
            except Failed as problem:
                measurement.wrong.append(str(problem))
        rows = list(measurement.rows())
    for problem in measurement.wrong:
        print(problem, file=sys.stderr)
    if not rows:
        print("nothing was measured", file=sys.stderr)
        return 1
    whole = {"schema": results.SCHEMA, "date": datetime.date.today().isoformat(), "machine": machine(),
             "command": shlex.join(["bench/compare/first_result.py", *sys.argv[1:]]), "commit": None, "rows": rows}
    text = json.dumps(whole, indent=1) + "\n"
    results.parse(text)
    if options.json:
        pathlib.Path(options.json).write_text(text, encoding="utf-8")
    print(table(rows))
    return 1 if measurement.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
