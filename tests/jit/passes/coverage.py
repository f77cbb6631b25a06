#!/usr/bin/env python3
"""Each pass of the list has a folder with tests, which run that pass; and each folder is a pass.

    visor-jit-opt --list-passes=names | coverage.py FOLDER
"""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
passes = set(sys.stdin.read().split())
tested = {path.parent.name for path in folder.glob("*/*.ll")}
missing = [f"no test of {name}" for name in sorted(passes - tested)]
missing += [f"no pass is named {name}" for name in sorted(tested - passes)]
for path in sorted(folder.glob("*/*.ll")):
    runs = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("; RUN:")]
    if not any("--passes=" in run and path.parent.name in run for run in runs):
        missing.append(f"{path.relative_to(folder)} does not run {path.parent.name}")
print("\n".join(missing) or f"{len(passes)} passes are tested")
sys.exit(1 if missing else 0)
