"""Checks that every measured figure of README.md and docs stands with the command that repeats it: in its paragraph, its
list item, its table, or the caption of these (pages.py). figures_test.py SOURCES; without a folder it tries itself on
literal pages alone.

Measured is what a run told: times, rates, percentages, ratios, errors in ulp, how many of how many passed, and what a
program took of memory. Not measured are limits and settings ("after five seconds", "for two minutes", "at most"), sizes,
dates and versions."""
import pathlib
import re
import sys

import pages

WORD = (r"(?:half an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|"
        r"forty|fifty|sixty|a hundred|several|some|a few)")
DIGITS = r"\d[\d,]*(?:\.\d+)?(?:[:]\d\d)?"
NUMBER = rf"(?:{DIGITS}|{WORD})"
UNIT = (r"(?:(?:processor |CPU )?(?:seconds?|minutes?|hours?|days?|milliseconds?|microseconds?|nanoseconds?)"
        r"|ms|us|µs|ns|s)")
# What stands before a time that somebody sets, or that is an input.
GIVEN = re.compile(r"(?:\b(?:after|for|every|each|another|default|naps twice for|(?:limit|budget|bound|run|runs|stage|kernel|CPU time) of|"
                   r"(?<!took )(?<!takes )at most|limited to)\s|--\w[\w-]* )$", re.IGNORECASE)
FIGURES = {
    "time": re.compile(rf"(?<![\w.,`-])(?:{NUMBER}(?: to | and | or ))*(?:{DIGITS} ?|{WORD} ){UNIT}(?![\w/-])", re.IGNORECASE),
    "about a time": re.compile(r"\b(?:less than|more than|about|under) (?:a|one) (?:second|minute|hour|millisecond|microsecond)"),
    "rate": re.compile(rf"{DIGITS}[ ]?(?:M|G|k)?(?:B|iB)?/s\b|{DIGITS} (?:GFLOPS|MIPS)|{DIGITS} \w+ a second"),
    "percentage": re.compile(rf"{DIGITS} ?(?:%|percent|per cent)"),
    "ratio": re.compile(rf"(?:{NUMBER} to )?{NUMBER} times (?:as (?:long|fast|slow)|slower|faster|longer|more)|\btimes as (?:long|fast|slow)\b|"
                        r"\b(?:twice|half) as (?:long|fast|slow)|\ba (?:tenth|fifth|quarter|third|half) (?:less|faster|slower)\b",
                        re.IGNORECASE),
    "error": re.compile(r"\d+\.\d+ ulp"),
    "count": re.compile(r"(?<![\w.])(\d[\d,]*) of (?:(?:the|its|their|these|all) )?(\d[\d,]*)(?![\w.]?\d)"),
    "verdicts": re.compile(rf"{NUMBER} (?:\w+ )?(?:tests|subtests|kernels|programs|launches|examples|runs|inputs|sources)"
                           r" (?:pass|passed|fail|failed|load|loaded|ran|agree|differ|have no finding)\b", re.IGNORECASE),
    "executions": re.compile(rf"{DIGITS} (?:executions|edges|mutants)\b"),
    "memory": re.compile(rf"(?:takes?|took|needs|peak of|resident|downloads) (?:(?:more|less|up|at|about|than|to|most) )*{DIGITS} ?(?:[KMG]i?B)\b", re.IGNORECASE),
}
# A column of figures.
HEADINGS = re.compile(r"^(?:.*\b(?:ms|us|µs|GB/s|MB/s|GFLOPS|ulp|seconds|executions|median|passed|mutants|found|time)\b.*)$", re.IGNORECASE)
COMMAND = re.compile(r"^(?:[A-Z_]+=(?:\$\([^)]*\)|\S+) |nice -n \d+ )*(?:scripts/|build/|visor |ctest |bench/|tests/|python3? |cmake |\S*/python3 )")
APART = ()
# Each with why no command stands there; one that nothing needs any more fails.
EXCEPTIONS = (
    ("docs/rulings.md", "| how long a build may take | ten minutes", "a limit, which nothing measures"),
    ("docs/dev/fuzzing.md", "No run of 20 processor minutes a target, nor of two hours", "says what was not done"),
)


def is_count(found):
    passed, of = (int(number.replace(",", "")) for number in found.groups())
    return passed <= of


def figures_in(text):
    """The measured figures of a paragraph or item, in words."""
    prose = re.sub(r"\]\([^)\s]+\)", "]", pages.CODE.sub(" `` ", text)).replace("\n", " ")
    for name, pattern in FIGURES.items():
        for found in pattern.finditer(prose):
            before = re.sub(r"\s+", " ", prose[:found.start()])[-24:]
            if name == "time" and GIVEN.search(before) or name == "count" and not is_count(found):
                continue
            yield found[0].strip()


def parts_of(block):
    """What has to have a command of its own: a paragraph, an item, a row of a table. With it stand its figures; the first row
    of a table has its columns of figures."""
    if block.kind == "table":
        heads = [cell.strip() for cell in block.lines[0].strip("|").split("|")]
        yield pages.Block("row", block.line, block.lines[:1]), [head for head in heads if HEADINGS.match(head)]
        for number, line in enumerate(block.lines[2:], block.line + 2):
            yield pages.Block("row", number, [line]), list(figures_in(line))
    elif block.kind in ("paragraph", "item"):
        yield block, list(figures_in(block.text))


def has_command(block, targets):
    if block.kind == "code":
        words = pages.code_lines(block)
    else:
        words = pages.spans(block)
    return any(COMMAND.match(word) or "_" in word and word.split()[0] in targets for word in words if word.strip())


def check(page, text, targets):
    """Each block of a page that has figures and no command, as (page, line, figures)."""
    blocks = pages.blocks_of(text)
    for at, block in enumerate(blocks):
        if any(has_command(one, targets) for one in pages.captions_of(blocks, at)):
            continue
        for part, figures in parts_of(block):
            # Columns of figures: a command in each row will do.
            rows = part.kind == "row" and part.line == block.line and len(block.lines) > 2 and all(
                has_command(one, targets) for one, _ in list(parts_of(block))[1:])
            if figures and not rows and not has_command(part, targets):
                yield page, part, figures


def allowed(page, block, used):
    """Whether an exception holds for the block; they are noted."""
    matching = [one for one in EXCEPTIONS if one[0] == page and one[1] in re.sub(r"\s+", " ", block.text)]
    used.update(matching)
    return bool(matching)


BAD = ("It takes 4.9 ms.", "The run took three minutes.", "dpctl: 1,549 of 1,549 pass.", "It is 12 % faster.",
       "Two to three times slower than before.", "`exp` is 0.94 ulp off.", "All 476 kernels load.", "It reads 67 MB/s.",
       "The first query takes less than a second, or more than a minute.", "| a | time |\n|---|---|\n| x | 3 |",
       "It takes 5 ms ([`bench`](bench/README.md)).", "The tests:\n\n* fast: 2 s\n* slow: 3 s", "Half as fast as PoCL.", "It took at most ten seconds.", "A median of 12 us.", "It took more than 3 minutes.")
GOOD = ("It takes 4.9 ms (`bench/launch.py`).", "A launch is ended after five seconds.", "For 2 minutes each.",
        "IGC 2.40 of 2026-11-22 has 12 of 22.43.", "Surfaces of 64 KiB.", "`scripts/test` prints:\n\n| a | time |\n|---|---|\n| x | 3 |",
        "Of `ctest -R x`:\n\n* fast: 2 s\n* slow: 3 s", "It takes 2 s:\n\n    scripts/demo", "```\n$ x takes 3 s\n```",
        "It waits at most ten seconds.", "A limit of 40 seconds.")


def try_itself():
    """What the literal pages above show of this test."""
    wrong = [f"no figure without a command is seen in: {text}" for text in BAD if not list(check("", text, set()))]
    wrong += [f"a figure without a command is seen in: {text}" for text in GOOD if list(check("", text, set()))]
    return wrong


def main():
    wrong = try_itself()
    names = []
    if len(sys.argv) > 1:
        root = pathlib.Path(sys.argv[1])
        targets, used = set(pages.programs_of(root)), set()
        names = [path for path in [root / "README.md", root / "SECURITY.md", *sorted((root / "docs").rglob("*.md"))]
                 if path.name not in APART]
        for path in names:
            page = str(path.relative_to(root))
            for _, block, figures in check(page, path.read_text(encoding="utf-8"), targets):
                if not allowed(page, block, used):
                    wrong.append(f"{page}:{block.line}: no command repeats {', '.join(f'`{one}`' for one in figures)}")
        wrong += [f"the exception `{one[1]}` of {one[0]} is not needed" for one in EXCEPTIONS if one not in used]
    print("\n".join(wrong + [f"figures: {len(names)} pages, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
