#!/usr/bin/env python3
"""Each pass of the list has a folder with tests, which run that pass; and each folder is a pass.

    visor-jit-opt --list-passes=names | coverage.py FOLDER
"""

import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
passes = set(sys.stdin.read().split())
tested = {path.parent.name for path in folder.glob("*/*.ll")}
missing = [f"no test of {name}" for name in sorted(passes - tested)]
missing += [f"no pass is named {name}" for name in sorted(tested - passes)]
for path in sorted(folder.glob("*/*.ll")):
    runs = re.findall(r"^; RUN:.*--passes=([\w,-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    if not any(path.parent.name in run.split(",") for run in runs):
        missing.append(f"{path.relative_to(folder)} does not run {path.parent.name}")
print("\n".join(missing) or f"{len(passes)} passes are tested")
sys.exit(1 if missing else 0)
