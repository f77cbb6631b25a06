#!/usr/bin/env python3
"""Every example by every OpenCL compiler here, for every device that it knows: from source and from SPIR-V, on both
engines, against the values that the checks of tests/examples compute.

  compilers.py [--build build/dev] [--tenth] [--compiler VERSION] [--device D] [EXAMPLE...]

--tenth draws one of ten runs, by the day (the seed is printed; --seed N repeats a day). What cannot run stands in
compilers.txt with its reason; a line there that is not needed any more fails, and so does a device of the issue's list
that no compiler here makes code for, unless it is named with --without. The exit code is 1 when a run failed.
"""
import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent


@dataclasses.dataclass(frozen=True)
class Run:
    compiler: str       # its version
    device: str
    example: str
    form: str           # "source" or "spirv"
    engine: str

    def name(self) -> str:
        return f"{self.compiler} {self.device} {self.example} {self.form} {self.engine}"


@dataclasses.dataclass(frozen=True)
class Known:
    """A line of compilers.txt: EXAMPLE | COMPILERS | DEVICES | FORMS | what it says | why."""
    example: str
    compilers: tuple[str, ...]
    devices: tuple[str, ...]
    forms: tuple[str, ...]
    says: str
    why: str

    def has(self, run: Run) -> bool:
        return (self.example in ("*", run.example)
                and any(word == "*" or run.compiler.startswith(word) for word in self.compilers)
                and any(word in ("*", run.device) for word in self.devices)
                and any(word in ("*", run.form) for word in self.forms))


def known_failures() -> list[Known]:
    out = []
    for line in (here / "compilers.txt").read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            example, compilers, devices, forms, says, why = (word.strip() for word in line.split(" | "))
            out.append(Known(example, tuple(compilers.split()), tuple(devices.split()), tuple(forms.split()), says, why))
    return out


class Runner:
    def __init__(self, build: pathlib.Path, folder: pathlib.Path):
        self.visor = build / "cli/visor"
        self.check = build / "tests/examples/example_check"
        self.folder = folder
        self.exceptions = folder / "none.txt"
        self.exceptions.write_text("# none: compilers.txt has them\n", encoding="utf-8")

    def environment(self, run: Run) -> dict[str, str]:
        return os.environ | {"VISOR_COMPILER": run.compiler, "VISOR_ENGINE": run.engine}

    def source_of(self, run: Run) -> pathlib.Path | str:
        """The example as it is, or as SPIR-V; a text: why it does not become that."""
        source = root / "examples" / run.example / f"{run.example}.cl"
        if run.form == "source":
            return source
        target = self.folder / f"{run.compiler}-{run.device}-{run.example}.spv"
        if target.exists():
            return target
        options = options_of(source)
        made = subprocess.run([self.visor, "cc", source, "--device", run.device, "--emit", "spv", "-o", target, *options],
                              env=self.environment(run), capture_output=True, text=True, check=False)
        return target if made.returncode == 0 else made.stdout + made.stderr

    def __call__(self, run: Run) -> tuple[Run, bool, str]:
        source = self.source_of(run)
        if isinstance(source, str):
            return run, False, source
        done = subprocess.run([self.check, run.example, self.visor, source, run.device, self.exceptions],
                              env=self.environment(run), capture_output=True, text=True, check=False)
        return run, done.returncode == 0, done.stdout + done.stderr


def options_of(source: pathlib.Path) -> list[str]:
    """What the command in the example's first comment gives the compiler."""
    words: list[str] = []
    for line in source.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        words += line[2:].split()
    text = " ".join(words)
    if "--options" not in text:
        return []
    rest = text.split("--options", 1)[1].strip()
    return rest[1:rest.index('"', 1)].split() if rest[0] == '"' else [rest.split()[0]]


def compilers_of(build: pathlib.Path) -> list[dict]:
    told = subprocess.run([build / "cli/visor", "info", "--json"], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)["compilers"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/dev")
    parser.add_argument("--tenth", action="store_true")
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal())
    parser.add_argument("--compiler", default="")
    parser.add_argument("--device", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("examples", nargs="*")
    given = parser.parse_args()
    compilers = [one for one in compilers_of(given.build) if one["version"].startswith(given.compiler)]
    examples = given.examples or sorted(path.stem for path in (root / "examples").glob("*/*.cl"))
    runs = [Run(one["version"], device, example, form, engine)
            for one in compilers for device in one["devices"] if given.device in ("", device)
            for example in examples for form in ("source", "spirv") for engine in ("interp", "jit")]
    if given.tenth:
        # Both engines of what is drawn: the second one finds the program compiled.
        drawn = random.Random(given.seed)
        pairs = sorted({(run.compiler, run.device, run.example, run.form) for run in runs})
        kept = set(drawn.sample(pairs, max(1, len(pairs) // 10)))
        runs = [run for run in runs if (run.compiler, run.device, run.example, run.form) in kept]
    print(f"{len(compilers)} compilers ({', '.join(one['title'] for one in compilers)}), {len(runs)} runs"
          + (f", seed {given.seed}" if given.tenth else ""), flush=True)
    if not runs:
        print("FAILED there is nothing to run: no compiler here is meant")
        return 1
    known = known_failures()
    used: set[Known] = set()
    counts: dict[tuple[str, str], list[int]] = {}
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(given.build.resolve(), pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for run, passed, said in pool.map(runner, runs):
                count = counts.setdefault((run.compiler, run.device), [0, 0, 0])
                count[0] += 1
                expected = next((one for one in known if one.has(run)), None)
                if passed and expected is None:
                    count[1] += 1
                elif not passed and expected is not None and expected.says in said:
                    count[2] += 1
                    used.add(expected)
                else:
                    what = f"passes now, and {expected.why}" if passed and expected else said.strip()[-600:]
                    bad.append(f"{run.name()}: {what}")
    print("| compiler | device | runs | right | exceptions |\n|---|---|---|---|---|")
    for (compiler, device), (total, right, excepted) in sorted(counts.items()):
        print(f"| {compiler} | {device} | {total} | {right} | {excepted} |")
    everything = not (given.tenth or given.examples or given.compiler or given.device)
    stale = [one for one in known if everything and one not in used
             and any(run for run in runs if one.has(run))]
    for one in stale:
        bad.append(f"compilers.txt: {one.example} | {' '.join(one.compilers)}: no run needs this line")
    for line in bad:
        print(f"FAILED {line}")
    print(f"{len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
