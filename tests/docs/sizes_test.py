"""Checks the sizes that CONTRIBUTING.md allows, and the folders of cli: no folder of src, opencl and cli has more than 30
.cpp files, no source of these and of tests, bench and python more than 600 lines, and what a folder of cli includes lies
in itself or in one below, which its CMakeLists.txt names. README.md has a line for each. sizes_test.py SOURCES"""
import collections
import pathlib
import re
import sys

FOLDER_SOURCES = 30
FILE_LINES = 600
KINDS = {".cpp", ".h", ".hpp", ".c", ".py", ".pyi", ".cmake", ".sh"}
# Each folder of cli with those directly below it.
BELOW = {"value": (), "console": ("value",), "launch": ("console",), "report": ("launch",), "options": ("report",),
         "verbs": ("options",)}


def below(folder):
    """The folder and all that it may include."""
    found = {folder}
    for one in BELOW[folder]:
        found |= below(one)
    return found


def check_sizes(sources):
    """What is too full, or too long, of those that are `{path below SOURCES: number of lines}`."""
    full = collections.Counter(path.parent for path in sources
                               if path.suffix == ".cpp" and path.parts[0] in ("src", "opencl", "cli"))
    wrong = [f"{folder}: {count} .cpp files" for folder, count in sorted(full.items()) if count > FOLDER_SOURCES]
    return wrong + [f"{path}: {lines} lines" for path, lines in sorted(sources.items()) if lines > FILE_LINES]


def check_folder(cli, folder):
    """What one folder of cli includes or depends on, and may not."""
    wrong = []
    for path in sorted((cli / folder).iterdir()):
        for target in re.findall(r'#include "cli/(\w+)/', path.read_text(encoding="utf-8")):
            if target not in below(folder):
                wrong.append(f"cli/{folder}/{path.name} includes cli/{target}, which is not below {folder}")
    depends = re.search(r"DEPENDS ([^)]*?)(?:PRIVATE|\))", (cli / folder / "CMakeLists.txt").read_text(encoding="utf-8"))
    named = {name.removeprefix("cli/") for name in depends[1].split() if name.startswith("cli/")}
    if named != set(BELOW[folder]):
        wrong.append(f"cli/{folder} depends on {sorted(named)}, not on {sorted(BELOW[folder])}")
    return wrong


def main():
    at = pathlib.Path(sys.argv[1])
    sources = {path.relative_to(at): path.read_bytes().count(b"\n")
               for top in ("src", "opencl", "cli", "tests", "bench", "python") for path in (at / top).rglob("*")
               if path.suffix in KINDS or path.name == "CMakeLists.txt"}
    wrong = check_sizes(sources)
    folders = {path.name for path in (at / "cli").iterdir() if path.is_dir()}
    wrong += [f"cli/{folder} is in no order" for folder in sorted(folders ^ BELOW.keys())]
    for folder in sorted(folders & BELOW.keys()):
        wrong += check_folder(at / "cli", folder)
        if not re.search(rf"^cli/{folder}/ ", (at / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
            wrong.append(f"README.md has no line for cli/{folder}/")
    if len(sources) < 1000:
        wrong.append(f"only {len(sources)} sources were found")
    print("\n".join(wrong + [f"house: {len(sources)} sources, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
