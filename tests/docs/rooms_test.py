"""Checks the rooms of src/jit: what each includes lies in itself or in a room below, as docs/jit.md orders them, its
CMakeLists.txt depends on no other, only rooms that may include LLVM do, each has a README.md of at most 40 lines that
names all of its files, and no file is longer, and no folder fuller, than the house allows. rooms_test.py SOURCES"""
import pathlib
import re
import sys

# Each room with those directly below it.
BELOW = {"program": (), "engine": ("program",), "ir": ("engine",), "analysis": ("ir",), "transform": ("analysis",),
         "target": ("analysis",), "translate": ("transform",), "memory": ("transform",),
         "driver": ("translate", "memory", "target")}
WITHOUT_LLVM = {"program": (), "engine": ("object_loader.cpp",)}
README_LINES = 40
FILE_LINES = 600
FOLDER_SOURCES = 30


def below(room):
    """The room and all that it may include."""
    found = {room}
    for one in BELOW[room]:
        found |= below(one)
    return found


def check_file(path, room, folder):
    """What is wrong with one source."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(folder)
    wrong = []
    for included in re.findall(r'#include "jit/([^"]+)"', text):
        target = included.split("/")[0]
        if target not in below(room):
            wrong.append(f"{name}: includes {included}, and {room} does not lie above {target}")
    if "#include <llvm/" in text and room in WITHOUT_LLVM and path.name not in WITHOUT_LLVM[room]:
        wrong.append(f"{name}: {room} includes no LLVM")
    if text.count("\n") > FILE_LINES:
        wrong.append(f"{name}: more than {FILE_LINES} lines")
    return wrong


def check_room(folder, room):
    """What is wrong with one room."""
    at = folder / room
    wrong = []
    sources = sorted(path for path in at.rglob("*") if path.suffix in (".cpp", ".h"))
    for path in sources:
        wrong += check_file(path, room, folder)
    if sum(path.suffix == ".cpp" for path in sources) > FOLDER_SOURCES:
        wrong.append(f"{room}: more than {FOLDER_SOURCES} sources")
    depends = re.search(r"DEPENDS ([^)]*?)(?:PRIVATE|\))", (at / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    named = {name.removeprefix("jit/") for name in depends.split() if name.startswith("jit/")}
    if named != set(BELOW[room]):
        wrong.append(f"{room}: depends on {sorted(named)}, not on {sorted(BELOW[room])}")
    page = (at / "README.md").read_text(encoding="utf-8")
    if page.count("\n") > README_LINES:
        wrong.append(f"{room}/README.md: more than {README_LINES} lines")
    words = set(re.findall(r"`([\w/.*]+)`", page))
    for stem in sorted({str(path.relative_to(at).with_suffix("")) for path in sources}):
        if not {stem, f"{stem}.h", f"{stem.split('/')[0]}/*"} & words:
            wrong.append(f"{room}/README.md does not name {stem}")
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1]) / "src/jit"
    rooms = {path.name for path in folder.iterdir() if path.is_dir()}
    wrong = [f"src/jit/{room} is in no order" for room in sorted(rooms - BELOW.keys())]
    wrong += [f"src/jit/{path.name} is in no room" for path in sorted(folder.glob("*.[ch]*"))]
    for room in BELOW:
        wrong += check_room(folder, room)
    print("\n".join(wrong + [f"rooms: {len(BELOW)} rooms, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
