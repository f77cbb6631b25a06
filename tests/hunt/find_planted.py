#!/usr/bin/python3
"""Finds the mistakes of planted.py among drawn programs, and makes the vISA that shows each smaller.

    tests/hunt/find_planted.py [--seeds A..B] [NAME...]      all; the exit code is 1 where one is not found or stays large

A mistake is found where a program's results with it are not those that the evaluator knows, and those without it are. What
is left of the text is the smallest for which the edited text still gives other results than the unedited one, with nothing
undefined in it: visor.reduce, with this as its predicate.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time
from collections.abc import Mapping
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import numpy  # noqa: E402

import planted  # noqa: E402
import programs  # noqa: E402
import trial  # noqa: E402
import visor  # noqa: E402
from nodes import ITEMS, LOCAL  # noqa: E402

PLACE = trial.Place(*trial.PLANTED_AT)
MOST_LINES = 30
# Without races, as a rule: what is left may well write one place from all work-items.
CHECKS = {"lost-barrier": ("memory", "init", "race", "sync")}


def results(text: str, program: programs.Program, expected: Mapping[str, numpy.ndarray],
            checks: tuple[str, ...] = ()) -> dict[str, bytes] | None:
    """What the outputs hold at the end; None where the text is refused, faults, or does what is undefined."""
    outputs = {name: numpy.zeros_like(array) for name, array in expected.items()}
    try:
        kernel = visor.compile(text, "planted.visaasm", device=PLACE.device)[f"hunt_{program.seed}"]
        arguments: dict[str, Any] = program.arguments | outputs
        done = kernel(global_size=ITEMS, local_size=LOCAL, engine="interp", fuel=trial.FUEL, timeout=trial.SECONDS,
                      check=checks or None, **arguments)
    except visor.Error:
        return None
    if checks and done.findings:
        return None
    return {name: array.tobytes() for name, array in outputs.items()}


def is_shown(text: str, name: str, program: programs.Program, expected: Mapping[str, numpy.ndarray]) -> bool:
    edited = planted.MISTAKES[name](text)
    if edited == text:
        return False
    right = results(text, program, expected, CHECKS.get(name, ("memory", "init", "sync")))
    wrong = results(edited, program, expected) if right is not None else None
    return wrong is not None and wrong != right


def find(name: str, seeds: range) -> tuple[programs.Program, str, dict[str, numpy.ndarray]] | None:
    """The first program of the seeds that the mistake makes wrong, and its text."""
    for seed in seeds:
        program = programs.draw(seed)
        if not trial.fits(program, PLACE):
            continue
        try:
            text = trial.visa_of(programs.source_of([program]), PLACE)
        except visor.Error:
            continue
        expected = program.expected()
        known = {one: array.tobytes() for one, array in expected.items()}
        if results(text, program, expected) == known and is_shown(text, name, program, expected):
            return program, text, expected
    return None


def lines_of(text: str) -> int:
    """Of vISA: what is neither empty nor a comment."""
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seeds", metavar="A..B", default="10000..10199")
    parser.add_argument("--show", action="store_true", help="print what is left")
    arguments = parser.parse_args()
    first, last = arguments.seeds.split("..")
    bad = 0
    for name in arguments.names or planted.MISTAKES:
        begin = time.monotonic()
        found = find(name, range(int(first), int(last) + 1))
        if found is None:
            bad += 1
            print(f"{name}: not found in {time.monotonic() - begin:.0f} s", flush=True)
            continue
        program, text, expected = found
        seconds, begin, tests = time.monotonic() - begin, time.monotonic(), 0

        def interesting(smaller: str) -> bool:
            nonlocal tests
            tests += 1
            return is_shown(smaller, name, program, expected)

        left = visor.reduce(text, interesting, device=PLACE.device)
        bad += lines_of(left) >= MOST_LINES
        print(f"{name}: program {program.seed} after {seconds:.0f} s; {lines_of(text)} lines to {lines_of(left)}, "
              f"{tests} tests, {time.monotonic() - begin:.0f} s", flush=True)
        if arguments.show:
            print("".join(line + "\n" for line in left.splitlines() if not line.startswith("//!")))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
