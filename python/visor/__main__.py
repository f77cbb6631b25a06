"""python -m visor [OPTIONS] -- script.py ARGUMENTS: the script, or `-m MODULE`, or `-c CODE`, with Visor as its only
OpenCL platform; the options are those of `visor run -- app`. Anything else is the command line of `visor`."""

import os
import sys

from . import program


def command(words: list[str]) -> list[str]:
    """What these words stand for."""
    if "--" in words:
        split = words.index("--")
        options, of_python = words[:split], words[split + 1:]
        # Behind a verb `--` is the verb's own.
        if of_python and (not options or options[0].startswith("-")):
            return [program(), "run", *options, "--", sys.executable, *of_python]
    return [program(), *words]


if __name__ == "__main__":
    os.execv(program(), command(sys.argv[1:]))
