"""Programs of the hunt on many compilers, devices and options: who is wrong.

A *place* is a device, a compiler that builds for it, and options. At each place the program is compiled and runs on both engines.
What it leaves is compared with what the program's evaluator says.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy

import programs
import visor
from nodes import ITEMS, LOCAL

# Which compiler builds for which device, and which sub-group sizes that has.
BUILDERS = (("skl", "1.0.12504", (8, 16, 32)), ("skl", "1.0.17791", (8, 16, 32)), ("dg2", "1.0.12504", (8, 16, 32)),
            ("pvc", "1.0.12504", (16, 32)), ("tgllp", "2.40", (8, 16, 32)), ("dg2", "2.40", (8, 16, 32)),
            ("pvc", "2.40", (16, 32)), ("bmg", "2.40", (16, 32)))
OPTIONS = ("-cl-opt-disable", "-cl-fast-relaxed-math", "-cl-intel-256-GRF-per-thread", "-DSUB_GROUP=8",
           "-DSUB_GROUP=16", "-DSUB_GROUP=32")
ENGINES = ("interp", "jit")
# Mistakes of compilers that docs/bugs-found.md has: which compilers, and the constructs that all have to be there.
KNOWN = ((".*", ("mad_sat long|rhadd ulong|sub_sat (long|char|short|int)|(mul24|mad24) u?int",)),
         (".*", ("abs u(char|short|int)", "div(_unsigned)? u(char|short|int)")), (".*", ("mul_hi ushort",)),
         (".*", ("mul_hi long", "add_sat long")), (".*", ("clz char", "div char")), (".*", ("sub_group .*", "rotate u?long")),
         ("1.0.12504", ("sub_group broadcast", "(bitselect|not) .*")), ("1.0.12504", ("sub_group .*", "local memory")),
         ("1.0.12504", ("(add_sat|div|div_negative|mod) long|neg floats",)), ("1.0.12504", ("saturated", "loop")),
         ("1.0.17791", ("fma (float|half)s",)), ("1.0.17791", ("noinline",)))
# What Visor says where it refuses a compiler's mistake.
REFUSED = "the compiler left no other text of it"
FUEL, SECONDS = 20_000_000, 300.0     # by the clock: other work may run beside it
PLANTED_AT = ("skl", "1.0.17791", "")
BATCH = 8       # programs that are compiled as one text


@dataclass(frozen=True)
class Place:
    device: str
    compiler: str
    options: str

    def __str__(self) -> str:
        return f"{self.device} {self.compiler} {self.options or 'default'}"


@dataclass(frozen=True)
class Settings:
    """On which the rows of a campaign depend."""

    builders: tuple[tuple[str, str], ...] = tuple((device, compiler) for device, compiler, _ in BUILDERS)
    more_options: int = 2       # beside the default, for each builder
    jit_places: int = 2         # places of a batch where the JIT runs, too
    tier_2: int = 8             # one batch in so many runs in tier 2 code, the others in tier 1; 0: none
    planted: str = ""           # the name of a mistake that is put into what the compiler made (planted.py)

    def described(self) -> dict[str, Any]:
        return asdict(self) | {"generator": 2}


def places_of(batch: int, settings: Settings) -> list[Place]:
    chosen = random.Random(batch ^ 0x5eed)
    places = []
    for device, compiler, sizes in BUILDERS:
        if (device, compiler) in settings.builders:
            allowed = [one for one in OPTIONS if not one.startswith("-DSUB") or int(one.split("=")[1]) in sizes]
            options = ["", *chosen.sample(allowed, min(settings.more_options, len(allowed)))]
            places += [Place(device, compiler, one) for one in options]
    return places


def fits(program: programs.Program, place: Place) -> bool:
    """Whether the device has sub-groups of the program's size."""
    sizes = next(sizes for device, compiler, sizes in BUILDERS
                 if (device, compiler) == (place.device, place.compiler))
    return program.sub_group in (0, *sizes)


@dataclass(frozen=True)
class Difference:
    """The first element that is not what the evaluator says; or an error."""

    text: str
    digest: int     # of all outputs: engines that are wrong alike have the same


def outcome(kernel: visor.Kernel, program: programs.Program, expected: Mapping[str, numpy.ndarray],
            engine: str) -> Difference | None:
    """None: right. Raises visor.Error where Visor refuses what was compiled."""
    outputs = {name: numpy.zeros_like(array) for name, array in expected.items()}
    try:
        arguments: dict[str, Any] = program.arguments | outputs
        kernel(global_size=ITEMS, local_size=LOCAL, engine=engine, fuel=FUEL, timeout=SECONDS, **arguments)
    except visor.Fault as error:
        return Difference(str(error).splitlines()[0][:200], hash(str(error)))
    for name, array in expected.items():
        if not numpy.array_equal(array, outputs[name]):
            at = int(numpy.flatnonzero(array != outputs[name])[0])
            return Difference(f"{name}[{at}] is {outputs[name][at]}, not {array[at]}",
                              hash(tuple(one.tobytes() for one in outputs.values())))
    return None


Change = Callable[[str], str]   # of vISA text
Outcomes = dict[str, Difference | None]     # by engine


def visa_of(source: str, place: Place) -> str:
    """What the compiler makes, as text that runs."""
    words = [visor.program(), "cc", "-q", "--device", place.device, "--compiler", place.compiler, "--emit", "visaasm",
             "-o", "-", *place.options.split(), "-"]
    done = subprocess.run(words, input=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise visor.Error(done.stderr)
    return done.stdout


def compiled(several: Sequence[programs.Program], place: Place, change: Change | None) -> visor.Program | str:
    """Or why not."""
    source = programs.source_of(several)
    try:
        if change is not None:
            return visor.compile(change(visa_of(source, place)), device=place.device)
        return visor.compile(source, "hunt.cl", device=place.device, options=place.options, compiler=place.compiler)
    except visor.Error as error:
        lines = [line for line in str(error).splitlines() if "error" in line] or str(error).splitlines()
        return lines[0][:200] if lines else "no message"


def run_at(several: Sequence[programs.Program], place: Place, engines: Sequence[str] = ENGINES,
           change: Change | None = None) -> dict[int, Outcomes | str]:
    """By seed: the differences by engine, or why the compiler refuses the program."""
    made = compiled(several, place, change)
    if isinstance(made, str):
        if len(several) == 1:
            return {several[0].seed: made}
        return {seed: one for program in several for seed, one in run_at([program], place, engines, change).items()}
    found: dict[int, Outcomes | str] = {}
    for program in several:
        expected = program.expected()
        try:
            kernel = made[programs.kernel_name(program.seed)]
            found[program.seed] = {engine: outcome(kernel, program, expected, engine) for engine in engines}
        except visor.Error as error:
            found[program.seed] = str(error).splitlines()[0][:200]
    return found


def judge(found: Mapping[Place, Outcomes | str]) -> str:
    """`agreed`; `visor`: the engines differ; `compiler`: both are wrong alike, and right at other places; `program`: none is
    right, so that the evaluator is in doubt; `refused`: nothing ran."""
    digests = [[difference and difference.digest for difference in one.values()] for one in found.values()
               if not isinstance(one, str)]
    if not digests:
        return "refused"
    if any(len(set(one)) > 1 for one in digests):
        return "visor"
    wrong = sum(1 for one in digests if one[0] is not None)
    if wrong == 0:
        return "agreed"
    return "program" if wrong == len(digests) else "compiler"


def verdict_of(row: Mapping[str, Any]) -> str:
    """A row's, and `failed`, and `known` where every place that is wrong may have a mistake that is known: of the list as it is
    now, not as it was when the row was made."""
    if "error" in row:
        return "failed"
    compilers = {place.split()[1] for place, text in row["wrong"].items() if REFUSED not in text}
    is_known = all(any(re.fullmatch(compiler, one) and
                       all(any(re.fullmatch(construct, used) for used in row["constructs"]) for construct in constructs)
                       for compiler, constructs in KNOWN) for one in compilers)
    return "known" if row["verdict"] in ("compiler", "program") and is_known else str(row["verdict"])


def row_of(program: programs.Program, found: Mapping[Place, Outcomes | str]) -> dict[str, Any]:
    wrong = {f"{place} {engine}": difference.text for place, one in found.items() if not isinstance(one, str)
             for engine, difference in one.items() if difference is not None}
    return {"verdict": judge(found), "runs": sum(len(one) for one in found.values() if not isinstance(one, str)),
            "wrong": wrong, "refused": {str(place): one for place, one in found.items() if isinstance(one, str)},
            "constructs": sorted(program.constructs)}


def run(batch: int, settings: Settings = Settings(), only: int | None = None) -> dict[str, Any]:
    """The rows of the programs of a batch, by seed: the verdict, how many runs, and what was not as it should be. `only`: of
    this program alone, at the batch's places."""
    os.environ["VISOR_JIT_TIER"] = "best" if settings.tier_2 and batch % settings.tier_2 == 0 else "quick"
    change: Change | None = None
    if settings.planted:
        import planted
        change = planted.MISTAKES[settings.planted]
    seeds = range(batch * BATCH, (batch + 1) * BATCH) if only is None else [only]
    several = [programs.draw(seed) for seed in seeds]
    places = places_of(batch, settings)
    on_jit = random.Random(batch).sample(places, min(settings.jit_places, len(places)))
    found: dict[int, dict[Place, Outcomes | str]] = {program.seed: {} for program in several}
    for place in places:
        there = [program for program in several if fits(program, place)]
        engines = ENGINES if place in on_jit else ENGINES[:1]
        here = change if (place.device, place.compiler, place.options) == PLANTED_AT else None
        for seed, one in (run_at(there, place, engines, here) if there else {}).items():
            found[seed][place] = one
    return {str(program.seed): row_of(program, found[program.seed]) for program in several}
