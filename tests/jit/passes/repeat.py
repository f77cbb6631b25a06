#!/usr/bin/env python3
"""Writes a test with the lines between `; REPEAT` and `; END` repeated: there {k} is 0, 1, ..., and {k+1} is one more.

{count} is COUNT everywhere.

    repeat.py COUNT FILE | visor-jit-opt --passes=NAME -

For passes that only change long blocks.
"""

import pathlib
import re
import sys

count = int(sys.argv[1])
text = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")


def repeated(lines: re.Match[str]) -> str:
    return "".join(lines[1].replace("{k}", str(k)).replace("{k+1}", str(k + 1)) for k in range(count))


long = re.sub(r"^; REPEAT\n(.*?)^; END\n", repeated, text, flags=re.MULTILINE | re.DOTALL)
sys.stdout.write(long.replace("{count}", str(count)))
