"""Checks docs/performance.md and bench/results: the page's table and picture are those that bench/compare/results.py
makes of the file that the page names, each file of results can be used, and the page names files that are there.
performance_test.py SOURCES"""
import pathlib
import re
import sys

LINES = 100
TOOL = "bench/compare/results.py table "


def check_page(root, results):
    """What is wrong with the page's table, picture and names."""
    page = (root / "docs/performance.md").read_text(encoding="utf-8")
    wrong = [f"docs/performance.md has more than {LINES} lines"] if page.count("\n") > LINES else []
    named = re.search(re.escape(TOOL) + r"(bench/results/[\w-]+\.json)` prints this table", page)
    if named is None:
        return wrong + [f"docs/performance.md does not say `{TOOL}FILE` prints this table"]
    measured = results.load(root / named[1])
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    if results.table(measured) not in tables:
        wrong.append(f"docs/performance.md has another table than `{TOOL}{named[1]}` prints")
    picture = root / "docs/performance.svg"
    if not picture.is_file() or picture.read_text(encoding="utf-8") != results.chart(measured):
        wrong.append(f"docs/performance.svg is not what `bench/compare/results.py chart {named[1]}` draws")
    if "](performance.svg)" not in page:
        wrong.append("docs/performance.md does not show docs/performance.svg")
    wrong += [f"docs/performance.md: there is no bench/results/{name}"
              for name in sorted(set(re.findall(r"(?:`|bench/results/)(\d{4}-\d\d-\d\d-[\w-]+\.json)", page)))
              if not (root / "bench/results" / name).is_file()]
    return wrong


def check_files(root, results):
    """How many files of results there are, and what is wrong with them."""
    files = sorted((root / "bench/results").glob("*.json"))
    wrong = []
    for file in files:
        try:
            measured = results.load(file)
        except results.Unusable as error:
            wrong.append(str(error))
            continue
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", measured.date) or not file.name.startswith(measured.date + "-"):
            wrong.append(f"{file.name} does not begin with its date, {measured.date}")
        if re.search(r"(?:^|[\s=])/", measured.command):
            wrong.append(f"{file.name}: its command has a path of one machine")
    return len(files), wrong


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(root / "bench/compare"))
    import results
    count, wrong = check_files(root, results)
    wrong += check_page(root, results)
    print("\n".join(wrong + [f"performance: {count} files, {len(wrong)} wrong"]))
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
