#!/usr/bin/env python3
"""What compiled code leaves to the interpreter: of the executed instructions of all examples, by mnemonic.

    bench/applications/fallbacks.py [--devices skl,pvc] [BUILD]      BUILD: build/dev

Each example runs as its test runs it (example_check), every launch on the JIT in tier 2 code. Prints, by device, how many
launches and instructions there were, and how often each mnemonic was left to the interpreter, with its share.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRAPPER = """#!/bin/bash
exec {visor} "$@" -v 2> >(tee -a {log} >&2)
"""


def count(build: pathlib.Path, device: str) -> None:
    """Prints the table of one device."""
    with tempfile.TemporaryDirectory(prefix="visor-fallbacks-") as name:
        folder = pathlib.Path(name)
        log, wrapper = folder / "log", folder / "visor"
        log.touch()
        wrapper.write_text(WRAPPER.format(visor=build / "cli/visor", log=log))
        wrapper.chmod(0o755)
        environment = os.environ | {"VISOR_ENGINE": "jit", "VISOR_JIT_TIER": "best"}
        failed = []
        for source in sorted(ROOT.glob("examples/*/*.cl")):
            done = subprocess.run([build / "tests/examples/example_check", source.parent.name, wrapper, source, device,
                                   ROOT / "tests/examples/exceptions.txt"], env=environment, check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
            if done.returncode != 0:
                failed.append(source.parent.name)
        text = log.read_text()
    launches = len(re.findall("jit engine: code", text))
    instructions = sum(int(number.replace(" ", "")) for number in re.findall(r"(\d[\d ]*) instructions\n", text))
    left: collections.Counter[str] = collections.Counter()
    for line in re.findall(r"jit engine: code.*", text):
        for mnemonic, times in re.findall(r"`([^`]+)` left to the interpreter (\d+) times", line):
            left[mnemonic] += int(times)
    print(f"{device}: {launches} launches on the JIT, {instructions} instructions, {sum(left.values())} left to the interpreter")
    if failed:
        print(f"  not passed, and perhaps not counted whole: {' '.join(failed)}")
    for mnemonic, times in left.most_common():
        print(f"  {mnemonic:24} {times:12} {100 * times / max(instructions, 1):.4f} %")


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", default="skl,pvc")
    parser.add_argument("build", metavar="BUILD", nargs="?", type=pathlib.Path, default=ROOT / "build/dev")
    arguments = parser.parse_args()
    for device in arguments.devices.split(","):
        count(arguments.build.resolve(), device)
    return 0


if __name__ == "__main__":
    sys.exit(main())
