"""Checks docs/glossary.md: each file that it names exists and says its word in its first five lines, and no source or
page says a retired word. glossary_test.py SOURCES"""
import pathlib
import re
import sys

SEARCHED = ("src", "docs", "README.md", "SECURITY.md", "CONTRIBUTING.md", "tests/jit")
APART = ("glossary.md",)  # has the table
FIRST = 5


def rows(page, heading):
    """Cells of the table below a heading."""
    part = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def plain(text):
    """Lower case, without marks of comments, ends of lines and hyphens."""
    return re.sub(r"\s+", " ", re.sub(r"^\s*(?://|#)", " ", text, flags=re.MULTILINE)).lower()


def check_words(page, root):
    """What is wrong with the table of files."""
    wrong = []
    for word, cell in rows(page, "Compilers"):
        path = root / cell.strip("`")
        if not path.is_file():
            wrong.append(f"{word}: there is no {cell}")
        elif word.lower() not in plain("\n".join(path.read_text(encoding="utf-8").split("\n")[:FIRST])):
            wrong.append(f"{word}: the first {FIRST} lines of {cell} do not say it")
    return wrong


def files_in(root):
    """The sources and pages that are searched."""
    for name in SEARCHED:
        path = root / name
        yield from [path] if path.is_file() else [one for one in sorted(path.rglob("*"))
                                                  if one.suffix in (".cpp", ".h", ".md", ".txt") and one.is_file()
                                                  and one.name not in APART]


def check_retired(page, root):
    """Where a retired word stands."""
    retired = [re.compile(rf"\b{re.escape(row[0])}s?\b", re.IGNORECASE) for row in rows(page, "Retired words")]
    wrong = []
    for path in files_in(root):
        text = path.read_text(encoding="utf-8")
        for word in retired:
            wrong += [f"{path.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}: `{found[0]}` is retired"
                      for found in word.finditer(text)]
    return wrong


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/glossary.md").read_text(encoding="utf-8")
    counts = {heading: len(rows(page, heading)) for heading in ("Compilers", "Words of Visor", "Retired words")}
    wrong = check_words(page, root) + check_retired(page, root)
    wrong += [f"the table `{heading}` is empty" for heading, count in counts.items() if count == 0]
    print("\n".join(wrong + [f"glossary: {counts}, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
