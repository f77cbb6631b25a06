"""Compares the table of docs/dev/jit-passes.md with what the program prints. passes_test.py VISOR_JIT_OPT SOURCES"""
import pathlib
import subprocess
import sys


def main(opt, root):
    """The exit code: 1 when the table is another."""
    page = (pathlib.Path(root) / "docs/dev/jit-passes.md").read_text(encoding="utf-8")
    printed = subprocess.run([opt, "--list-passes=markdown"], capture_output=True, text=True, check=True).stdout
    if len(printed.splitlines()) < 10:
        print("the program prints no table")
        return 1
    shown = page[page.index(printed.splitlines()[0]):] if printed.splitlines()[0] in page else ""
    if shown == printed:
        print(f"passes: {len(printed.splitlines()) - 2} rows")
        return 0
    for line in sorted(set(printed.splitlines()) ^ set(shown.splitlines())):
        print(("only printed: " if line in printed else "only on the page: ") + line)
    print("docs/dev/jit-passes.md is not what `visor-jit-opt --list-passes=markdown` prints")
    return 1


sys.exit(main(*sys.argv[1:]))
