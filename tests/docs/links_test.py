"""Checks the links of README.md, SECURITY.md, CONTRIBUTING.md and docs: the file is there, and so is the heading that an
anchor names; docs/README.md leads to every page. links_test.py SOURCES"""
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def pages_of(root):
    yield from (root / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md"))
    yield from sorted((root / "docs").rglob("*.md"))
    yield from sorted((root / "src").rglob("README.md"))


def anchors_in(page):
    """As hosting sites make them of headings, and those written by hand."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def check(page, root):
    """What is wrong with the links of one page, and where the others lead."""
    wrong, found = [], set()
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: there is no {link}")
            continue
        found.add(target)
        if anchor and target.suffix == ".md" and anchor not in anchors_in(target):
            wrong.append(f"{page.relative_to(root)}: {path or 'the page'} has no heading `{anchor}`")
    return wrong, found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong, links = [], 0
    for page in pages_of(root):
        bad, found = check(page, root)
        wrong += bad
        links += len(found)
    _, listed = check(root / "docs/README.md", root)
    wrong += [f"docs/README.md does not lead to {page.relative_to(root)}" for page in sorted((root / "docs").rglob("*.md"))
              if page not in listed and page.name != "README.md"]
    print("\n".join(wrong + [f"links: {links} links, {len(wrong)} wrong"]))
    return 1 if wrong or links == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
