#!/usr/bin/env python3
"""Whether a build is slower than an old one, whose `compare` knows no --serve (else: `compare --baseline BUILD`): runs the
programs of both in turn and pairs what they say.

    bench/compare/paired.py BEFORE AFTER [--times 5] [-- what compare takes, e.g. --set first --devices skl,pvc --rounds 5]

BEFORE and AFTER are build folders that hold bench/compare/compare. Each run measures Visor and PoCL in turn and
gives their ratio; a paired ratio is AFTER's by BEFORE's of the same turn, above 1 where AFTER is the faster one. The
table has the least, the middle and the most of them, by row and device; the exit code is 1 when all of a row's
lie below 0.95.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

SLOWER = 0.95


def ratios(build: pathlib.Path, options: list[str]) -> dict[tuple[str, str], float]:
    """By row and device: how many times as fast as PoCL Visor was, in one run of `compare`."""
    program = build / "bench" / "compare" / "compare"
    out = subprocess.run([program, *options], capture_output=True, text=True, check=True).stdout
    found: dict[tuple[str, str], float] = {}
    devices: list[str] = []
    for line in out.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "kernel":
            devices = [cell.removeprefix("Visor, ") for cell in cells[3:]]
        elif devices and len(cells) == 3 + len(devices) and not cells[0].startswith(("-", "geometric")):
            for device, cell in zip(devices, cells[3:]):
                found[cells[0], device] = 0.0 if cell == "-" else float(cell)
    return found


def main() -> int:
    """The table on standard output; the exit code as above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=5)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options = words[end + 1 :]
    arguments = parser.parse_args(words[:end])

    pairs: dict[tuple[str, str], list[float]] = {}
    for turn in range(arguments.times):
        # Who begins changes from turn to turn.
        order = [arguments.before, arguments.after]
        first, second = (ratios(build, options) for build in (order if turn % 2 == 0 else order[::-1]))
        before, after = (first, second) if turn % 2 == 0 else (second, first)
        for row, ratio in after.items():
            if ratio > 0 and before.get(row, 0) > 0:
                pairs.setdefault(row, []).append(ratio / before[row])
        print(f"turn {turn + 1} of {arguments.times}", file=sys.stderr, flush=True)

    print("| kernel | device | least | middle | most | |\n|---|---|---|---|---|---|")
    slower = 0
    for (kernel, device), found in pairs.items():
        verdict = "slower" if max(found) < SLOWER else ""
        slower += verdict != ""
        print(f"| {kernel} | {device} | {min(found):.2f} | {statistics.median(found):.2f} | {max(found):.2f} | {verdict} |")
    print(f"{len(pairs)} rows, {slower} slower")
    return 1 if slower or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
