"""Tests bench/compare/results.py with literal files; what is expected was worked out by hand. results_test.py SOURCES"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree
from typing import Any

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "bench/compare"))
import results  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def whole(*rows: dict[str, Any], **others: Any) -> str:
    """A file with these rows."""
    return json.dumps({"schema": 1, "date": "2026-11-28", "machine": {"cpu": "Example", "family": 25}, "command": "x",
                       "rows": list(rows)} | others)


def row(kernel: str, column: str, median: Any, least: Any = None, most: Any = None, unit: str = "speedup") -> dict[str, Any]:
    """An entry of `rows`; without what is None."""
    entry = {"kernel": kernel, "column": column, "unit": unit, "median": median, "least": least, "most": most}
    return {name: value for name, value in entry.items() if value is not None}


def run(*words: Any) -> tuple[int, str, str]:
    """The exit code, standard output and standard error of the program."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            arguments = results.arguments_of([str(word) for word in words])
        except SystemExit as end:
            return int(end.code or 0), out.getvalue(), errors.getvalue()
        sys.argv = ["results.py", *(str(word) for word in words)]
        assert arguments.verb
        code = results.main()
    return code, out.getvalue(), errors.getvalue()


class WithFiles(unittest.TestCase):
    """A folder for the files of one case."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, text: str | bytes, name: str = "a.json") -> pathlib.Path:
        """A file with this content."""
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


class Table(WithFiles):
    """`table`."""

    def test_columns_spreads_and_gaps(self) -> None:
        path = self.file(whole(row("copy", "PoCL", 1234.5, unit="ms"), row("copy", "native", 2), row("copy", "Visor, skl", 4, 3.5, 4.25),
                               row("sum|2", "PoCL", 0.03614, unit="ms"), row("sum|2", "native", 8), row("sum|2", "Visor, pvc", 1.5, 1)))
        # The mean of 2 and 8 is 4; no other column has both kernels in units that are multiplied.
        self.assertEqual(run("table", path), (0, "| kernel | PoCL, ms | native | Visor, skl | Visor, pvc |\n"
                                                 "|---|---|---|---|---|\n"
                                                 "| copy | 1234 | 2 | 4 (3.5 to 4.25) | - |\n"
                                                 "| sum\\|2 | 0.0361 | 8 | - | 1.5 (least 1) |\n"
                                                 "| geometric mean | | 4 | | |\n", ""))

    def test_a_mean_on_record_is_taken(self) -> None:
        path = self.file(whole(row("a", "Visor, skl", 2), row("b", "Visor, skl", 8), row("geometric mean", "Visor, skl", 4.1, 4, 5)))
        self.assertEqual(run("table", path)[1].splitlines()[-1], "| geometric mean | 4.1 (4 to 5) |")

    def test_a_runtime_that_failed_once_has_no_mean(self) -> None:
        path = self.file(whole(row("a", "Intel CPU runtime", 3), row("a", "Visor, skl", 2), row("b", "Visor, skl", 8)))
        self.assertEqual(run("table", path)[1].splitlines()[2:], ["| a | 3 | 2 |", "| b | - | 8 |", "| geometric mean | | 4 |"])

    def test_no_mean_of_times(self) -> None:
        path = self.file(whole(row("a", "Visor, skl", 2, unit="ms")))
        self.assertEqual(run("table", path)[1], "| kernel | Visor, skl, ms |\n|---|---|\n| a | 2 |\n")

    def test_what_compare_writes(self) -> None:
        text = (ROOT / "tests/bench/run.json").read_text(encoding="utf-8").replace("a\\u0009b", "a b")
        self.assertEqual(run("table", self.file(text))[1].splitlines()[2:4],
                         ["| copy | 4 (2 to 8) | 0.333 (0.25 to 0.5) |", "| a b\u00e9 | - | 1500 (1500 to 1500) |"])


class Chart(WithFiles):
    """`chart`."""

    def drawn(self, *rows: dict[str, Any]) -> list[xml.etree.ElementTree.Element]:
        """The elements of the image."""
        image = self.folder / "out.svg"
        self.assertEqual(run("chart", self.file(whole(*rows)), image), (0, "", ""))
        return list(xml.etree.ElementTree.parse(image).getroot())

    def test_bars_begin_at_one_on_a_logarithmic_scale(self) -> None:
        found = self.drawn(row("copy", "native", 10, 5, 10), row("sum", "native", 0.1), row("copy", "PoCL", 7, unit="ms"))
        bars = [one for one in found if one.tag == SVG + "rect" and one.get("height") == "9" and one.get("y") != "20"]
        # Two decades in 600 - 190 - 20 pixels: 195 each, 1 at 190 + 195.
        self.assertEqual([(one.get("x"), one.get("width")) for one in bars], [("385.0", "195.0"), ("190.0", "195.0")])
        spreads = [one for one in found if one.tag == SVG + "line" and one.get("stroke") == "black"]
        # log10(5) is 0.69897: 385 + 136.3.
        self.assertEqual([(one.get("x1"), one.get("x2")) for one in spreads], [("521.3", "580.0")])

    def test_names_are_escaped_and_means_left_out(self) -> None:
        texts = [one.text for one in self.drawn(row("<a & b>", "native", 2), row("geometric mean", "native", 2))]
        self.assertIn("<a & b>", texts)
        self.assertNotIn("geometric mean", texts)

    def test_names_of_many_columns_stay_in_the_picture(self) -> None:
        names = ["native", "Intel CPU runtime", "Visor, skl", "Visor, tgllp", "Visor, pvc"]
        found = self.drawn(*(row("a", name, 2) for name in names))
        # A square and 28 pixels beside six for each of 55 letters are 470: they begin at 600 - 470, not at 190.
        squares = [one.get("x") for one in found if one.tag == SVG + "rect" and one.get("y") == "20"]
        self.assertEqual(squares, ["130.0", "194.0", "324.0", "412.0", "512.0"])
        self.assertEqual(len({one.get("fill") for one in found if one.get("y") == "20"}), 5)

    def test_nothing_to_draw(self) -> None:
        code, _, errors = run("chart", self.file(whole(row("a", "PoCL", 2, unit="ms"))), self.folder / "out.svg")
        self.assertEqual(code, 2)
        self.assertIn("nothing to draw", errors)
        self.assertFalse((self.folder / "out.svg").exists())

    def test_an_image_that_cannot_be_written(self) -> None:
        self.assertEqual(run("chart", self.file(whole(row("a", "native", 2))), self.folder / "no" / "out.svg")[0], 2)


class Diff(WithFiles):
    """`diff`."""

    def compared(self, before: list[dict[str, Any]], after: list[dict[str, Any]], *words: Any) -> tuple[int, list[str]]:
        """The exit code and the lines below the table's head."""
        code, out, _ = run("diff", self.file(whole(*before)), self.file(whole(*after), "b.json"), *words)
        return code, out.splitlines()[2:]

    def test_speedups_and_times_go_in_opposite_directions(self) -> None:
        code, lines = self.compared([row("a", "Visor, skl", 4), row("a", "Visor, pvc", 2, unit="ms")],
                                    [row("a", "Visor, skl", 5), row("a", "Visor, pvc", 1.6, unit="ms")])
        self.assertEqual((code, lines), (0, ["| a | Visor, skl | 4 | 5 | 1.250 | - | |", "| a | Visor, pvc | 2 | 1.6 | 1.250 | - | |",
                                             "2 rows, 0 slower by more than 10 %, 0 outside the spread"]))

    def test_slower_by_more_than_the_threshold(self) -> None:
        before, after = [row("a", "Visor, skl", 8), row("b", "Visor, skl", 4)], [row("a", "Visor, skl", 6), row("b", "Visor, skl", 4)]
        code, lines = self.compared(before, after)
        self.assertEqual((code, lines[0]), (1, "| a | Visor, skl | 8 | 6 | 0.750 | - | slower |"))
        self.assertEqual(lines[2], "2 rows, 1 slower by more than 10 %, 0 outside the spread")
        self.assertEqual(self.compared(before, after, "--threshold", 0.25)[0], 0)
        self.assertEqual(self.compared(before, after, "--threshold", 0.2)[0], 1)

    def test_times_and_ratios_become_slower_too(self) -> None:
        for unit in ("ms", "ratio"):
            self.assertEqual(self.compared([row("a", "Visor, skl", 1, unit=unit)], [row("a", "Visor, skl", 1.25, unit=unit)])[0], 1)

    def test_the_spread(self) -> None:
        for after, said in (((5, 4.5, 6), "outside"), ((5, 4.25, 6), "within"), ((3, 2, 4), "within"), ((3, 2, 3.5), "outside")):
            _, lines = self.compared([row("a", "Visor, skl", 4.1, 4, 4.25)], [row("a", "Visor, skl", *after)])
            self.assertEqual(lines[0].split(" | ")[5], said, after)
        _, lines = self.compared([row("a", "Visor, skl", 4.1, 4, 4.25)], [row("a", "Visor, skl", 5)])
        self.assertEqual(lines[0].split(" | ")[5], "outside")

    def test_baselines_and_counts_are_not_judged(self) -> None:
        code, lines = self.compared([row("a", "PoCL", 1, unit="ms"), row("a", "native", 4), row("a", "n", 1, unit="count"),
                                     row("a", "Intel CPU runtime", 4)],
                                    [row("a", "PoCL", 9, unit="ms"), row("a", "native", 1), row("a", "n", 9, unit="count"),
                                     row("a", "Intel CPU runtime", 1)])
        self.assertEqual((code, [line.split(" | ")[-1] for line in lines[:3]]), (0, ["not judged |"] * 3))

    def test_rows_of_one_file_alone_are_told(self) -> None:
        _, lines = self.compared([row("a", "Visor, skl", 1), row("b", "Visor, skl", 1)], [row("c", "Visor, skl", 1), row("a", "Visor, skl", 1)])
        self.assertEqual(lines[1:3], ["only before: b, Visor, skl", "only after: c, Visor, skl"])

    def test_files_that_do_not_go_together(self) -> None:
        self.assertEqual(self.compared([row("a", "Visor, skl", 1)], [row("b", "Visor, skl", 1)])[0], 2)
        self.assertEqual(self.compared([row("a", "Visor, skl", 1)], [row("a", "Visor, skl", 1, unit="ms")])[0], 2)

    def test_thresholds_that_are_none(self) -> None:
        for word in ("1", "-0.1", "nan", "x", ""):
            self.assertEqual(self.compared([row("a", "Visor, skl", 1)], [row("a", "Visor, skl", 1)], f"--threshold={word}")[0], 2, word)


class Unusable(WithFiles):
    """Files that are no results: exit code 2 and a line on standard error that names the file."""

    GOOD = row("a", "Visor, skl", 2, 1, 3)

    def refused(self, text: str | bytes, says: str) -> None:
        """It is, by each verb, and says why."""
        path = self.file(text)
        for words in (("table", path), ("chart", path, self.folder / "out.svg"), ("diff", path, path)):
            code, out, errors = run(*words)
            self.assertEqual((code, out), (2, ""), text[:80])
            self.assertIn(str(path), errors)
            self.assertIn(says, errors)

    def test_the_good_one_is_taken(self) -> None:
        self.assertEqual(run("table", self.file(whole(self.GOOD)))[0], 0)

    def test_no_file(self) -> None:
        self.assertEqual(run("table", self.folder / "absent")[0], 2)
        self.assertEqual(run("table", self.folder)[0], 2)

    def test_no_json(self) -> None:
        for text in ("", "{", "[" * 100_000, b"\xff\xfe", '{"schema": 1', b"\x00"):
            self.refused(text, "a.json: ")

    def test_another_schema(self) -> None:
        for text in ("[]", "null", "{}", whole(self.GOOD, schema=2), whole(self.GOOD, schema="1"), whole(self.GOOD, schema=True)):
            self.refused(text, "`schema` is not 1")

    def test_members_that_are_absent_or_of_another_type(self) -> None:
        for name in ("date", "machine", "command", "rows"):
            for value in (None, 7, True):
                self.refused(whole(self.GOOD, **{name: value}), f"`{name}`")
        self.refused(whole(self.GOOD, machine={"family": "25"}), "`family`")
        self.refused(whole(self.GOOD, date="2026\n11"), "`date`")

    def test_rows_that_say_nothing(self) -> None:
        self.refused(whole(), "there are no rows")
        self.refused(whole(row("geometric mean", "Visor, skl", 1)), "there are no rows")
        self.refused(whole([]), "no object")
        for name in ("kernel", "column", "unit", "median"):
            self.refused(whole({key: value for key, value in self.GOOD.items() if key != name}), f"`{name}`")
        self.refused(whole(self.GOOD | {"kernel": ""}), "`kernel`")
        self.refused(whole(self.GOOD | {"kernel": "a\nb"}), "`kernel`")
        self.refused(whole(self.GOOD | {"unit": "hours"}), "unit hours")

    def test_figures_that_are_none(self) -> None:
        for value in ("2", True, 0, -1, [2], 10**400):
            self.refused(whole(self.GOOD | {"median": value}), "`median`")
        for value in ("NaN", "Infinity", "-Infinity", "1e999"):
            self.refused(whole(self.GOOD).replace('"median": 2', f'"median": {value}'), "number")

    def test_spreads_that_contradict(self) -> None:
        self.refused(whole(row("a", "Visor, skl", 2, 2.5, 3)), "not between")
        self.refused(whole(row("a", "Visor, skl", 2, 1, 1.5)), "not between")
        for values in ([], [2, 3], [1, 2], [1, 2, 3, 4], [1, 3, "2"], [1, 3, None]):
            self.refused(whole(self.GOOD | {"values": values}), "values")
        self.assertEqual(run("table", self.file(whole(self.GOOD | {"values": [3, 1, 2]})))[0], 0)

    def test_rows_that_clash(self) -> None:
        self.refused(whole(self.GOOD, self.GOOD), "the same kernel and column")
        self.refused(whole(self.GOOD, row("b", "Visor, skl", 1, unit="ms")), "more than one unit")

    def test_a_file_that_is_too_large(self) -> None:
        text = whole(self.GOOD)
        with unittest.mock.patch.object(results, "LARGEST_FILE", len(text) - 1):
            self.refused(text, "bytes")
        with unittest.mock.patch.object(results, "LARGEST_FILE", len(text)):
            self.assertEqual(run("table", self.file(text))[0], 0)

    def test_no_verb(self) -> None:
        for words in ((), ("draw",), ("table",)):
            self.assertEqual(run(*words)[0], 2)


class Worth(WithFiles):
    """What passes are worth."""

    def test_passes_of_all_files_in_the_order_of_their_means(self) -> None:
        """By hand: the mean of 2 and 8 is 4, of 0.5 and 2 is 1."""
        first = self.file(whole(row("triad", "Visor, skl, without fold", 2, unit="ratio"),
                                row("triad", "Visor, skl, without sink", 0.5, unit="ratio")))
        second = self.file(whole(row("sort", "Visor, pvc, without sink", 2, unit="ratio"),
                                 row("sort", "Visor, pvc, without fold", 8, unit="ratio")), "b.json")
        code, out, errors = run("worth", first, second)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(out.splitlines()[2:], ["| `fold` | 2 | 4.000 | 2.00 | triad, skl | 8.00 | sort, pvc |",
                                                "| `sink` | 2 | 1.000 | 0.50 | triad, skl | 2.00 | sort, pvc |"])

    def test_other_results_are_an_error(self) -> None:
        """A table of kernels has no passes."""
        code, out, errors = run("worth", self.file(whole(row("triad", "Visor, skl", 2))))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no row of `compare --without`", errors)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
