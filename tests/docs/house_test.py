"""Checks that README.md's "The house" and docs/architecture.md's table of rooms name every folder of src and no other, that
README.md names those of cli and the rooms of src/jit, and that each of its limitations has a link or a command.
house_test.py SOURCES"""
import pathlib
import re
import sys

import pages

BESIDE = ("opencl", "include/visor", "python", "editors", "examples", "tests", "bench", "docs", "scripts")


def folders(at):
    """Folders with sources: others are no rooms."""
    return sorted(path.name for path in at.iterdir() if path.is_dir() and any(path.rglob("CMakeLists.txt")))


def section(page, heading):
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def check_house(readme, root):
    house = section(readme, "The house")
    lines = dict(re.findall(r"^([\w/]+)/ +(.*)$", house, re.MULTILINE))
    wanted = {*(f"{top}/{name}" for top in ("src", "cli") for name in folders(root / top)), *BESIDE}
    wrong = [f"README.md: The house does not name {name}/" for name in sorted(wanted - lines.keys())]
    wrong += [f"README.md: The house names {name}/, which is not there" for name in sorted(lines.keys() - wanted)
              if not (root / name).is_dir() or name.startswith(("src/", "cli/"))]
    rooms = lines.get("src/jit", "").partition(";")[2].replace(",", " ").split()
    if sorted(rooms) != folders(root / "src/jit"):
        wrong.append(f"README.md: src/jit has the rooms {folders(root / 'src/jit')}, The house names {sorted(rooms)}")
    return wrong


def check_rooms(page, root):
    """The table of docs/architecture.md; `opencl` and `cli` lie beside src."""
    named = set(re.findall(r"^\| `(\w+)` \|", section(page, "The rooms"), re.MULTILINE))
    there = {*folders(root / "src"), "opencl", "cli"}
    return [f"docs/architecture.md: {name} is in one of its table and the folders alone" for name in sorted(named ^ there)]


def check_limitations(readme):
    items = [block for block in pages.blocks_of(section(readme, "Limitations")) if block.kind == "item"]
    wrong = [f"README.md: no link and no command in: {block.text[:60]}" for block in items
             if "](" not in block.text and not any(span.startswith(("visor ", "scripts/", "ctest ")) for span in pages.spans(block))]
    return wrong + ([] if items else ["README.md: there are no limitations"])


def main():
    root = pathlib.Path(sys.argv[1])
    readme = (root / "README.md").read_text(encoding="utf-8")
    wrong = check_house(readme, root) + check_limitations(readme)
    wrong += check_rooms((root / "docs/architecture.md").read_text(encoding="utf-8"), root)
    print("\n".join(wrong + [f"house: {len(folders(root / 'src'))} stages, {len(folders(root / 'src/jit'))} rooms, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
