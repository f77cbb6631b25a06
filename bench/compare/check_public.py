#!/usr/bin/env python3
"""Checks the kernels of fifth_set.json: is the public code free of races and of accesses out of bounds, is the result right?

    bench/compare/check_public.py [--build build/dev] [--sources FOLDER] [--only WORD] [--device skl] [--checks race,memory]

Each kernel whose source is there runs once on the interpreter with the checkers, in two work-groups a dimension (or the
size of its member `check`). Where public_results.py has its result in NumPy, `compare --serve` runs it on the JIT in full
size, as it is measured, and the results are compared. A kernel whose member `finding` says so is expected to have findings.
The last line counts; the exit code is 1 where a finding is new, or an expected one is absent, or a result differs.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

import public_results

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
         "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64}
MOST_SECONDS = 300
FUEL = 200_000_000

Array = np.ndarray[Any, Any]


def randoms(count: int) -> Array:
    """The numbers of builder.h: Random."""
    with np.errstate(over="ignore"):
        state = np.uint64(1) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
        mixed = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed >> np.uint64(32)


def factor(text: str) -> int:
    """A product such as 512*512."""
    product = 1
    for part in text.split("*"):
        product *= int(part)
    return product


def shuffled(count: int) -> Array:
    """A permutation."""
    values = np.arange(count)
    numbers = randoms(count)
    for step, i in enumerate(range(count - 1, 0, -1)):
        j = int(numbers[step]) % (i + 1)
        values[i], values[j] = values[j], values[i]
    return values


def filled(kind: str, count: int, words: list[str]) -> Array:
    """What public_arguments.cpp fills a buffer with."""
    number = TYPES[kind]
    if words in ([], ["zero"]):
        return np.zeros(count, number)
    if words == ["any"]:
        return randoms(count).astype(number)
    if words == ["shuffled"]:
        return shuffled(count).astype(number)
    if words[0] == "step" and kind[0] == "f":
        return (number(words[3]) + np.arange(count).astype(number) * number(words[1])).astype(number)
    if words[0] == "step":
        values = int(words[3]) + np.arange(count) * int(words[1])
        return (values % int(words[5]) if len(words) == 6 else values).astype(number)
    if words[0] == "all":
        return np.full(count, number(words[1]))
    low, high = number(words[0]), number(words[1])
    if kind[0] == "f":
        part = (randoms(count) >> np.uint64(8)).astype(np.float32) * np.float32(2.0 ** -24)
        return (low + (high - low) * part.astype(number)).astype(number)
    return (int(low) + (randoms(count) % np.uint64(int(high) - int(low))).astype(np.int64)).astype(number)


def buffer_of(description: str) -> Array | None:
    """What a buffer holds before the kernel; None: it is no buffer."""
    words = description.split()
    return filled(words[1], factor(words[2]), words[3:]) if words[0] in ("in", "out", "inout") else None


def value_of(description: str, folder: pathlib.Path, number: int) -> str:
    """An argument for `visor run -a`."""
    words = description.split()
    if words[0] == "local":
        return f"local:{factor(words[1])}"
    path = folder / f"{number}.bin"
    content = buffer_of(description)
    if content is None:
        np.array(words[1:], TYPES[words[0]]).tofile(path)
        return f"bytes:@{path}"
    content.tofile(path)
    return f"@{path}:{words[1]}"


class Places:
    """Where sources are."""

    def __init__(self, projects: dict[str, Any], sources: pathlib.Path | None) -> None:
        self.projects = projects
        self.sources = sources

    def folder(self, project: str) -> pathlib.Path | None:
        """None: the project is not there."""
        base = self.sources if self.projects[project]["from"] == "checkout" else ROOT / "build" / "kernels"
        return base / project if base is not None and (base / project).is_dir() else None

    def text(self, kernel: dict[str, Any]) -> str | None:
        """All of the files."""
        parts = []
        for file in kernel["files"]:
            project, _, name = file.rpartition(":")
            folder = self.folder(project or kernel["project"])
            if folder is None:
                return None
            parts.append((folder / name).read_text(encoding="utf-8", errors="replace"))
        return "\n".join(parts) + "\n"

    def options(self, kernel: dict[str, Any]) -> str:
        """Of the compiler."""
        return str(kernel.get("options", "")).replace("{folder}", str(self.folder(kernel["project"])))


def check(kernel: dict[str, Any], places: Places, text: str, arguments: argparse.Namespace) -> tuple[bool, str]:
    """Whether a run with the checkers has no finding, and what it said."""
    size = kernel.get("check", [min(items, 2 * group) for items, group in zip(kernel["global"], kernel["local"])])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.cl").write_text(text, encoding="utf-8")
        command = [str(arguments.build / "cli" / "visor"), "run", str(folder / "kernel.cl"), "-k", kernel["kernel"],
                   "--device", arguments.device, "--engine", "interp", f"--check={arguments.checks}",
                   "--fuel", str(FUEL), "-g", ",".join(map(str, size)), "-l", ",".join(map(str, kernel["local"]))]
        if options := places.options(kernel):
            command += ["--options", options]
        for number, description in enumerate(kernel["arguments"]):
            command += ["-a", value_of(description, folder, number)]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False, f"no end within {MOST_SECONDS} seconds"
    lines = [line.replace(name, "") for line in ended.stderr.splitlines() if line.strip()]
    told = [line for line in lines if re.search("error|race|finding|fault|bounds|outside", line)]
    return ended.returncode == 0, " / ".join(told[:3]) or " / ".join(lines[-2:])


class Server:
    """`compare --serve` with one kernel."""

    def __init__(self, kernel: str, arguments: argparse.Namespace) -> None:
        command = [str(arguments.build / "bench" / "compare" / "compare"), "--serve", "yes", "--set", "fifth", "--only", kernel]
        if arguments.sources is not None:
            command += ["--sources", str(arguments.sources)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, request: str) -> str:
        """The line that it answers."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(request.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().strip()

    def content(self, buffer: int) -> bytes:
        """The bytes of a buffer."""
        assert self.process.stdout is not None
        return self.process.stdout.read(int(self.ask(f"content {buffer}")))

    def end(self) -> None:
        """Closes it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def result(kernel: dict[str, Any], arguments: argparse.Namespace) -> str:
    """How the result differs from NumPy's; empty: it does not."""
    words = [description.split() for description in kernel["arguments"]]
    before = [buffer_of(description) for description in kernel["arguments"]]
    wanted = public_results.RESULTS[kernel["name"]](before)
    server = Server(kernel["name"], arguments)
    try:
        if server.ask(f"prepare {arguments.device} {kernel['name']}") != "ok" or server.ask("run 1") == "failed":
            return "it did not run"
        for argument, expected in wanted.items():
            buffer = sum(content is not None for content in before[:argument])
            got = np.frombuffer(server.content(buffer), TYPES[words[argument][1]])[:expected.size]
            bound = kernel.get("tolerance", 0)
            apart = np.abs(got.astype(np.float64) - expected.ravel().astype(np.float64)) > \
                bound * np.maximum(1, np.abs(expected.ravel().astype(np.float64)))
            if apart.any():
                first = int(apart.argmax())
                return (f"argument {argument}, element {first} is {got[first]}, not {expected.ravel()[first]}; "
                        f"{apart.sum()} of {apart.size} differ")
    finally:
        server.end()
    return ""


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "dev")
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--device", default="skl")
    parser.add_argument("--checks", default="race,memory")
    arguments = parser.parse_args()
    whole = json.loads((HERE / "fifth_set.json").read_text(encoding="utf-8"))
    places = Places(whole["projects"], arguments.sources)
    passed = failed = skipped = 0
    for kernel in whole["kernels"]:
        if arguments.only not in kernel["name"]:
            continue
        if (text := places.text(kernel)) is None:
            skipped += 1
            continue
        clean, said = check(kernel, places, text, arguments)
        wrong = result(kernel, arguments) if kernel["name"] in public_results.RESULTS else ""
        fine = clean == ("finding" not in kernel) and not wrong
        passed, failed = passed + fine, failed + (not fine)
        numpy_said = "" if kernel["name"] not in public_results.RESULTS else f"; NumPy: {wrong or 'the same'}"
        print(f"{kernel['name']}: {'clean' if clean else 'FINDINGS: ' + said}{numpy_said}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
