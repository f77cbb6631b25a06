"""Compares the tables of docs/limits.md with the constants in the code: that each has the value told, that the words
said are in a source of its folder, and that no constant of a reader is left out. limits_test.py SOURCES"""
import pathlib
import re
import sys

READERS = ("src/text", "src/binary", "src/file", "src/launch", "src/diagnostic", "cli")
LIMIT = re.compile(r"^(?:inline |static )*constexpr [\w:]+ ((?:max|most|longest|largest|widest)_\w+)", re.MULTILINE)
# Limits of the hardware or of a format, and lengths in a message that is one line anyway.
OTHERS = {"max_binding", "max_samplers", "longest_candidate"}


def value_of(expression):
    """A constant expression of integers: literals with suffixes and separators, casts, products, shifts."""
    plain = re.sub(r"\b(?:u?int\d+_t|size_t|off_t)\{(\d+)\}", r"\1", expression).replace("'", "")
    plain = re.sub(r"\b(\d+)[UL]+\b", r"\1", plain)
    if not re.fullmatch(r"[\d\s*+()<-]+", plain):
        raise ValueError(f"`{expression}` is no sum, product or shift of numbers")
    return eval(plain)  # digits and operators alone


def rows_of(page):
    for line in page.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[0] != "what" and not set(line) <= set("|-"):
            yield cells


def said_somewhere(words, folder):
    """Whether a source of the folder has these words; `{}` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in words.split("{}"))
    files = [*folder.glob("*.cpp"), *folder.glob("*.py")]
    return any(re.search(pattern, re.sub(r'"\s*\n\s*"', "", file.read_text())) for file in files)


def check_row(sources, cells):
    what, limit, constant, said, _ = cells
    place = re.fullmatch(r"`([^`]+)` `(\w+)`", constant)
    if not limit.isdigit() or place is None:
        return f"{what}: this row has no number, or no file and constant"
    file = sources / place[1]
    if not file.is_file():
        return f"{what}: there is no {place[1]}"
    found = re.search(rf"(?:\bconstexpr [\w:]+ |^){place[2]} = ([^;#\n]+?)\s*[;#]", file.read_text(), re.MULTILINE)
    if found is None:
        return f"{what}: {place[1]} has no constant {place[2]}"
    if value_of(found[1]) != int(limit):
        return f"{what}: {place[2]} is {value_of(found[1])}, the table says {limit}"
    if said and not said_somewhere(said, file.parent):
        return f"{what}: nothing in {file.parent.name} says `{said}`"
    return None


def left_out(sources, told):
    for folder in READERS:
        for file in sorted((sources / folder).rglob("*.*")):
            for name in LIMIT.findall(file.read_text()) if file.suffix in (".cpp", ".h") else ():
                place = f"`{file.relative_to(sources)}` `{name}`"
                if place not in told and name not in OTHERS:
                    yield f"{place} is in no table"


def main():
    sources = pathlib.Path(sys.argv[1])
    rows = list(rows_of((sources / "docs/limits.md").read_text()))
    wrong = [problem for problem in (check_row(sources, cells) for cells in rows) if problem]
    wrong += left_out(sources, {cells[2] for cells in rows})
    if len(rows) < 30:
        wrong.append(f"only {len(rows)} rows were found")
    for problem in wrong:
        print("docs/limits.md:", problem)
    print(f"{len(rows)} limits")
    sys.exit(1 if wrong else 0)


main()
