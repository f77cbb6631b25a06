#!/usr/bin/env python3
"""Checks the kernels of fifth_set.json: is the public code free of races and of accesses out of bounds, is the result right?

    bench/compare/check_public.py [--build build/dev] [--sources FOLDER] [--only WORD] [--device skl] [--checks race,memory]

Each kernel whose source is there runs once on the interpreter with the checkers, in two work-groups a dimension (or the
size of its member `check`). Where public_results.py has its result in NumPy, it runs on the JIT in full size, as it is
measured, and the results are compared. `compare --serve` says what buffers hold before, and runs it. A kernel whose member
`finding` says so is expected to have findings.
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


def factor(text: str) -> int:
    """A product such as 512*512."""
    product = 1
    for part in text.split("*"):
        product *= int(part)
    return product


def is_buffer(description: str) -> bool:
    """Else it is a value or local memory."""
    return description.split()[0] in ("in", "out", "inout")


def value_of(description: str, content: Array | None, folder: pathlib.Path, number: int) -> str:
    """An argument for `visor run -a`; `content`: of a buffer."""
    words = description.split()
    if words[0] == "local":
        return f"local:{factor(words[1])}"
    path = folder / f"{number}.bin"
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


def check(kernel: dict[str, Any], places: Places, text: str, before: list[Array | None],
          arguments: argparse.Namespace) -> tuple[bool, str]:
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
        for number, (description, content) in enumerate(zip(kernel["arguments"], before)):
            command += ["-a", value_of(description, content, folder, number)]
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

    def contents(self, kernel: dict[str, Any]) -> list[Array | None]:
        """What the buffers hold now, by argument; None: it is no buffer."""
        assert self.process.stdout is not None
        found: list[Array | None] = []
        buffer = 0
        for description in kernel["arguments"]:
            if not is_buffer(description):
                found.append(None)
                continue
            content = self.process.stdout.read(int(self.ask(f"content {buffer}")))
            found.append(np.frombuffer(content, TYPES[description.split()[1]]))
            buffer += 1
        return found

    def end(self) -> None:
        """Closes it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def difference(kernel: dict[str, Any], before: list[Array | None], after: list[Array | None]) -> str:
    """How the result differs from NumPy's; empty: it does not."""
    bound = kernel.get("tolerance", 0)
    for argument, expected in public_results.RESULTS[kernel["name"]](before).items():
        wanted = expected.ravel().astype(np.float64)
        got = after[argument]
        assert got is not None
        apart = np.abs(got[:wanted.size].astype(np.float64) - wanted) > bound * np.maximum(1, np.abs(wanted))
        if apart.any():
            first = int(apart.argmax())
            return (f"argument {argument}, element {first} is {got[first]}, not {wanted[first]}; "
                    f"{apart.sum()} of {apart.size} differ")
    return ""


def examine(kernel: dict[str, Any], places: Places, text: str, arguments: argparse.Namespace) -> bool:
    """Checks one kernel, and says what was found; whether that was expected."""
    server = Server(kernel["name"], arguments)
    try:
        if server.ask(f"prepare {arguments.device} {kernel['name']}") != "ok":
            print(f"{kernel['name']}: it cannot be prepared", flush=True)
            return False
        before = server.contents(kernel)
        clean, said = check(kernel, places, text, before, arguments)
        wrong, numpy_said = "", ""
        if kernel["name"] in public_results.RESULTS:
            ran = server.ask("run 1") != "failed"
            wrong = difference(kernel, before, server.contents(kernel)) if ran else "it did not run"
            numpy_said = f"; NumPy: {wrong or 'the same'}"
    finally:
        server.end()
    print(f"{kernel['name']}: {'clean' if clean else 'FINDINGS: ' + said}{numpy_said}", flush=True)
    return clean == ("finding" not in kernel) and not wrong


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
        fine = examine(kernel, places, text, arguments)
        passed, failed = passed + fine, failed + (not fine)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
