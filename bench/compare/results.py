#!/usr/bin/env python3
"""Results of `compare` as bench/results keeps them (the schema is in bench/results/README.md).

    bench/compare/results.py table FILE                            a Markdown table on standard output
    bench/compare/results.py chart FILE OUT.svg                    bars: how many times as fast as PoCL
    bench/compare/results.py diff BEFORE AFTER [--threshold 0.1]   pairs rows by kernel and column
    bench/compare/results.py worth FILE...                         what each pass is worth, by `compare --without`

`diff` prints each pair's ratio, above 1 where AFTER is the faster one, and whether the ranges from least to most are
apart (`outside` the spread). The exit code is 1 where a column of Visor's is slower by more than the threshold; PoCL,
native and Intel's runtime are printed and not judged, as Visor is measured against them. It is 2 where a file cannot be
used.
"""

import argparse
import json
import math
import pathlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

SCHEMA = 1
MEAN = "geometric mean"
BASELINES = ("PoCL", "native", "Intel CPU runtime")
# Whether more is better; `count` says neither.
UNITS = {"speedup": True, "ms": False, "ratio": False, "count": None}
LARGEST_FILE = 16 << 20
# Of the chart, in pixels.
LEFT, DECADE, BAR, GAP, TOP, WIDTH = 190, 150, 10, 8, 48, 600
COLORS = ("#888888", "#2a6fb0", "#d07a1f", "#3a9a4a", "#a04080", "#7a6a20")
MARKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Unusable(Exception):
    """A file that is no result, or that does not have what is asked for."""


@dataclass(frozen=True)
class Row:
    """One figure, with its spread where that is known."""

    kernel: str
    column: str
    unit: str
    median: float
    least: float | None = None
    most: float | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What rows of two files are paired by."""
        return self.kernel, self.column

    @property
    def has_spread(self) -> bool:
        """Whether least and most are both known."""
        return self.least is not None and self.most is not None


@dataclass(frozen=True)
class Results:
    """One file."""

    date: str
    machine: str
    command: str
    rows: tuple[Row, ...]

    @property
    def kernels(self) -> list[str]:
        """In the file's order, without the mean."""
        return list(dict.fromkeys(row.kernel for row in self.rows if row.kernel != MEAN))

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column, in the file's order."""
        return {row.column: row.unit for row in self.rows}


# ---- reading ----


def member(of: dict[str, Any], name: str, kind: type | tuple[type, ...], optional: bool = False) -> Any:
    """A member of that type; None where it may be absent or null and is."""
    value = of.get(name)
    if value is None and optional:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Unusable(f"`{name}` is absent or of another type")
    return value


def word(of: dict[str, Any], name: str, optional: bool = False) -> str:
    """A string of one line; "" where it may be absent and is."""
    value: str = member(of, name, str, optional) or ""
    if not value.isprintable() or (not value and not optional):
        raise Unusable(f"`{name}` is empty or holds control characters")
    return value


def figure(of: dict[str, Any], name: str) -> float | None:
    """A finite number above zero; None: there is none."""
    value = member(of, name, (int, float), optional=True)
    if value is None:
        return None
    try:
        number = float(value)
    except OverflowError as error:
        raise Unusable(f"`{name}` is too large") from error
    if not math.isfinite(number) or number <= 0:
        raise Unusable(f"`{name}` is no finite number above zero")
    return number


def row_of(entry: Any) -> Row:
    """One entry of `rows`."""
    if not isinstance(entry, dict):
        raise Unusable("an entry of `rows` is no object")
    median = figure(entry, "median")
    if median is None:
        raise Unusable("`median` is absent")
    row = Row(word(entry, "kernel"), word(entry, "column"), word(entry, "unit"), median, figure(entry, "least"),
              figure(entry, "most"))
    if row.unit not in UNITS:
        raise Unusable(f"{row.kernel}, {row.column}: the unit {row.unit} is unknown")
    if not (row.least or 0) <= row.median <= (row.most or math.inf):
        raise Unusable(f"{row.kernel}, {row.column}: the median is not between least and most")
    rounds = member(entry, "values", list, optional=True)
    if rounds is not None:
        values = [figure({"values": value}, "values") for value in rounds]
        known = [value for value in values if value is not None]
        if not known or len(known) != len(values) or (min(known), max(known)) != (row.least, row.most):
            raise Unusable(f"{row.kernel}, {row.column}: least and most are not those of the values")
    return row


def machine_of(entry: dict[str, Any]) -> str:
    """In words."""
    cpu = word(entry, "cpu", optional=True) or "unknown CPU"
    family = member(entry, "family", int, optional=True)
    parts = [cpu + ("" if family is None else f" family {family}"), word(entry, "vector", optional=True),
             word(entry, "note", optional=True)]
    return ", ".join(part for part in parts if part)


def no_constant(name: str) -> float:
    """json takes NaN and Infinity, which JSON does not have."""
    raise Unusable(f"{name} is no number")


def parse(text: str) -> Results:
    """The results that a file's text holds."""
    try:
        whole = json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"this is no JSON: {error}") from error
    if not isinstance(whole, dict) or whole.get("schema") != SCHEMA or isinstance(whole["schema"], bool):
        raise Unusable(f"`schema` is not {SCHEMA}")
    rows = tuple(row_of(entry) for entry in member(whole, "rows", list))
    results = Results(word(whole, "date"), machine_of(member(whole, "machine", dict)), word(whole, "command"), rows)
    if not results.kernels:
        raise Unusable("there are no rows")
    if len({row.key for row in rows}) != len(rows):
        raise Unusable("two rows have the same kernel and column")
    if any(row.unit != results.units[row.column] for row in rows):
        raise Unusable("a column has more than one unit")
    return results


def load(path: pathlib.Path) -> Results:
    """The results in a file."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise Unusable(f"more than {LARGEST_FILE} bytes")
        return parse(content.decode("utf-8"))
    except (OSError, UnicodeDecodeError, Unusable) as error:
        raise Unusable(f"{path}: {error}") from error


# ---- the table ----


def text_of(number: float) -> str:
    """Three digits that count, as compare prints."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"


def cell(row: Row | None) -> str:
    """A figure with its spread; `-`: nothing was measured."""
    if row is None:
        return "-"
    if row.least is not None and row.most is not None:
        return f"{text_of(row.median)} ({text_of(row.least)} to {text_of(row.most)})"
    return text_of(row.median) if row.least is None else f"{text_of(row.median)} (least {text_of(row.least)})"


def mean_cell(results: Results, column: str) -> str:
    """The mean on record, or that of the medians of a column that has all kernels; empty where that says nothing."""
    found = {row.kernel: row for row in results.rows if row.column == column}
    if MEAN in found:
        return cell(found[MEAN])
    if results.units[column] != "speedup" or len(found) != len(results.kernels):
        return ""
    return text_of(math.exp(math.fsum(math.log(row.median) for row in found.values()) / len(found)))


def line_of(cells: list[str]) -> str:
    """A line of a Markdown table."""
    return "|" + "".join((f" {text}" if text else "").replace("|", "\\|") + " |" for text in cells)


def table(results: Results) -> str:
    """All rows; a column each for what did the work."""
    found = {row.key: row for row in results.rows}
    heads = [column + (", ms" if unit == "ms" else "") for column, unit in results.units.items()]
    lines = [line_of(["kernel", *heads]), "|---" * (len(heads) + 1) + "|"]
    lines += [line_of([kernel, *(cell(found.get((kernel, column))) for column in results.units)])
              for kernel in results.kernels]
    means = [mean_cell(results, column) for column in results.units]
    if any(means):
        lines.append(line_of([MEAN, *means]))
    return "\n".join(lines) + "\n"


# ---- the chart ----


def marks_for(rows: list[Row]) -> tuple[float, ...]:
    """Of the scale: as many as it takes to have all figures between the first and the last."""
    least = min(1.0, *(row.least or row.median for row in rows))
    most = max(1.0, *(row.most or row.median for row in rows))
    first = max((mark for mark in MARKS if mark <= least), default=MARKS[0])
    last = min((mark for mark in MARKS if mark >= most), default=MARKS[-1])
    return tuple(mark for mark in MARKS if first <= mark <= last)


def bar(row: Row, y: float, one: float, decade: float, color: str) -> Iterator[str]:
    """From 1 to the median, with a line from least to most."""

    def place(value: float) -> float:
        return one + decade * math.log10(value)

    end = place(row.median)
    yield (f'<rect x="{min(end, one):.1f}" y="{y:.1f}" width="{abs(end - one):.1f}" height="{BAR - 1}" '
           f'fill="{color}"/>')
    if row.least is not None and row.most is not None:
        middle = y + (BAR - 1) / 2
        yield (f'<line x1="{place(row.least):.1f}" x2="{place(row.most):.1f}" y1="{middle:.1f}" y2="{middle:.1f}" '
               'stroke="black"/>')


def legend_width(column: str) -> int:
    """With the gap behind it."""
    return 28 + 6 * len(column)


def legend(columns: list[str]) -> Iterator[str]:
    """A colored square and the name of each column, from further left where there are many."""
    x = float(min(LEFT, max(8, WIDTH - sum(map(legend_width, columns)))))
    for number, column in enumerate(columns):
        yield f'<rect x="{x:.1f}" y="20" width="9" height="9" fill="{COLORS[number % len(COLORS)]}"/>'
        yield f'<text x="{x + 13:.1f}" y="28">{escape(column)}</text>'
        x += legend_width(column)


def chart(results: Results) -> str:
    """Bars from 1 to either side, on a logarithmic scale, as an SVG image."""
    columns = [column for column, unit in results.units.items() if unit == "speedup"]
    found = {row.key: row for row in results.rows if row.unit == "speedup"}
    drawn = [row for row in found.values() if row.kernel != MEAN]
    if not drawn:
        raise Unusable("no column is a speedup: there is nothing to draw")
    marks = marks_for(drawn)
    span = math.log10(marks[-1] / marks[0]) or 1.0
    decade = (WIDTH - LEFT - 20) / span
    one = LEFT - decade * math.log10(marks[0])
    height = TOP + 6 + (BAR * len(columns) + GAP) * len(results.kernels)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
             'font-size="11">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="8" y="14">Speed relative to PoCL; {escape(results.date)}, {escape(results.machine)}</text>',
             *legend(columns)]
    for mark in marks:
        x = one + decade * math.log10(mark)
        lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{height}" '
                     f'stroke="{"#444444" if mark == 1 else "#dddddd"}"/>'
                     f'<text x="{x:.1f}" y="{TOP - 4}" text-anchor="middle">{mark:g}</text>')
    y = float(TOP + 6)
    for kernel in results.kernels:
        lines.append(f'<text x="{LEFT - 8}" y="{y + BAR * len(columns) / 2 + 4:.1f}" text-anchor="end">'
                     f'{escape(kernel)}</text>')
        for number, column in enumerate(columns):
            if row := found.get((kernel, column)):
                lines += bar(row, y + BAR * number, one, decade, COLORS[number % len(COLORS)])
        y += BAR * len(columns) + GAP
    return "\n".join([*lines, "</svg>"]) + "\n"


# ---- two files ----


def gain(before: Row, after: Row) -> float:
    """How many times as fast the second one is."""
    return after.median / before.median if UNITS[before.unit] else before.median / after.median


def spread(before: Row, after: Row) -> str:
    """Whether the ranges of two figures are apart; `-`: no range is known."""
    if not before.has_spread and not after.has_spread:
        return "-"
    low = [row.median if row.least is None else row.least for row in (before, after)]
    high = [row.median if row.most is None else row.most for row in (before, after)]
    return "outside" if max(low) > min(high) else "within"


def verdict(row: Row, ratio: float, threshold: float) -> str:
    """What becomes of a pair."""
    if row.column in BASELINES or UNITS[row.unit] is None:
        return "not judged"
    return "slower" if ratio < 1 - threshold else ""


def diff(before: Results, after: Results, threshold: float) -> tuple[str, bool]:
    """A table of the pairs, and whether any became slower."""
    old, new = ({row.key: row for row in results.rows} for results in (before, after))
    pairs = [(old[key], new[key]) for key in old if key in new]
    if not pairs:
        raise Unusable("the two files have no row in common")
    lines = [line_of(["kernel", "column", "before", "after", "ratio", "spread", ""]), "|---" * 7 + "|"]
    slower = outside = 0
    for one, other in pairs:
        if one.unit != other.unit:
            raise Unusable(f"{one.kernel}, {one.column}: {one.unit} in one file, {other.unit} in the other")
        ratio = gain(one, other)
        said = verdict(one, ratio, threshold)
        slower += said == "slower"
        outside += spread(one, other) == "outside"
        lines.append(line_of([one.kernel, one.column, cell(one), cell(other), f"{ratio:.3f}", spread(one, other), said]))
    for name, keys in (("before", old.keys() - new.keys()), ("after", new.keys() - old.keys())):
        lines += [f"only {name}: {kernel}, {column}" for kernel, column in sorted(keys)]
    lines.append(f"{len(pairs)} rows, {slower} slower by more than {100 * threshold:g} %, {outside} outside the spread")
    return "\n".join(lines) + "\n", slower > 0


# ---- passes ----


def worth(files: list[Results]) -> str:
    """A table of passes, the most useful first; ratios are the time without a pass by the time with it."""
    ratios: dict[str, list[tuple[float, str]]] = {}
    for row in (row for results in files for row in results.rows):
        if found := re.fullmatch(r"Visor, (\S+), without (\S+)", row.column):
            ratios.setdefault(found[2], []).append((row.median, f"{row.kernel}, {found[1]}"))
    if not ratios:
        raise Unusable("there is no row of `compare --without`")
    mean = {name: math.exp(math.fsum(math.log(ratio) for ratio, _ in all_) / len(all_)) for name, all_ in ratios.items()}
    lines = [line_of(["pass", "codes that it changes", MEAN, "least", "of", "most", "of"]), "|---" * 7 + "|"]
    for name in sorted(ratios, key=lambda name: (-mean[name], name)):
        least, most = min(ratios[name]), max(ratios[name])
        lines.append(line_of([f"`{name}`", str(len(ratios[name])), f"{mean[name]:.3f}", f"{least[0]:.2f}", least[1],
                              f"{most[0]:.2f}", most[1]]))
    return "\n".join(lines) + "\n"


def share(text: str) -> float:
    """A threshold."""
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError("it is a number from 0 to below 1")
    return value


def arguments_of(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, files in (("table", ["file"]), ("chart", ["file", "out"]), ("diff", ["before", "after"])):
        one = verbs.add_parser(verb)
        for name in files:
            one.add_argument(name, type=pathlib.Path)
        if verb == "diff":
            one.add_argument("--threshold", type=share, default=0.1)
    verbs.add_parser("worth").add_argument("files", type=pathlib.Path, nargs="+")
    return parser.parse_args(words)


def run(arguments: argparse.Namespace) -> int:
    """Does what is asked for; the exit code."""
    if arguments.verb == "table":
        print(table(load(arguments.file)), end="")
    elif arguments.verb == "chart":
        arguments.out.write_text(chart(load(arguments.file)), encoding="utf-8")
    elif arguments.verb == "worth":
        print(worth([load(path) for path in arguments.files]), end="")
    else:
        text, slower = diff(load(arguments.before), load(arguments.after), arguments.threshold)
        print(text, end="")
        return 1 if slower else 0
    return 0


def main() -> int:
    """See above."""
    try:
        return run(arguments_of(sys.argv[1:]))
    except (Unusable, OSError) as error:
        print(f"results.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
