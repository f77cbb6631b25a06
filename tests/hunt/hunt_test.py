"""Tests of the hunt: what its evaluator says, against numbers by hand; what it finds, and what it keeps.

    hunt_test.py [--quick]      --quick: nothing is compiled
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import bugs  # noqa: E402
import nodes  # noqa: E402
import planted  # noqa: E402
import programs  # noqa: E402
import tasks  # noqa: E402
import trial  # noqa: E402
from opencl_types import FLOAT, INT, INTEGERS, UINT, Type  # noqa: E402
from operations import BETWEEN_0_AND_1, EXACT, OPERATIONS, conversions  # noqa: E402
import visor  # noqa: E402
from visor import campaign  # noqa: E402

QUICK = "--quick" in sys.argv
NAMED = {scalar.name: Type(scalar) for scalar in INTEGERS}
# By hand, from the OpenCL C specification.
VALUES = [
    ("add", "char", (100, 100), -56), ("sub", "uchar", (3, 5), 254), ("mul", "ushort", (65535, 65535), 1),
    ("shl", "char", (1, 9), 0), ("shl", "int", (1, 33), 2), ("shl", "long", (1, -1), -2**63),
    ("shr", "char", (-128, 9), -1), ("shr", "uint", (2**31, 31), 1), ("shr", "short", (-5, 33), -3),
    ("div", "int", (-7, 1), -3), ("div_negative", "char", (-128, 0), 64), ("mod", "int", (-7, 2), -1),
    ("div_unsigned", "uint", (2**32 - 1, 0), 2**32 - 1), ("mod_unsigned", "uchar", (10, 2), 1),
    ("clamp", "int", (5, 3, 1), 3), ("abs", "uchar", (-128,), 128), ("abs_diff", "uint", (-2**31, 2**31 - 1), 2**32 - 1),
    ("add_sat", "char", (100, 100), 127), ("add_sat", "char", (-100, -100), -128), ("sub_sat", "uchar", (1, 2), 0),
    ("mad_sat", "short", (200, 200, 0), 32767), ("mad_sat", "long", (0, -5, 0), 0),
    ("hadd", "char", (127, 125), 126), ("hadd", "int", (-3, 2), -1), ("rhadd", "uchar", (255, 255), 255),
    ("rhadd", "int", (-3, 2), 0), ("mul_hi", "int", (-1, 1), -1), ("mul_hi", "ulong", (2**63, 4), 2),
    ("rotate", "uchar", (0x81, 1), 3), ("rotate", "int", (-2**31, 33), 1), ("clz", "ushort", (1,), 15),
    ("clz", "int", (0,), 32), ("clz", "int", (-1,), 0), ("popcount", "char", (-1,), 8),
    ("bitselect", "uchar", (0x0f, 0xf0, 0x3c), 0x33), ("mul24", "int", (-65536, 131072), -2),
    ("choice <", "int", (-1, 0, 7, 8), 7), ("choice !=", "uint", (3, 3, 7, 8), 8),
]
EXACT_VALUES = [("floor", (-3,), -2), ("ceil", (-3,), -1), ("trunc", (-3,), -1), ("rint", (-3,), -2), ("rint", (5,), 2),
                ("rint", (7,), 4), ("fma", (3, 4, 5), 17), ("fmin", (-1, 2), -1)]


class Evaluator(unittest.TestCase):
    def test_operations(self) -> None:
        named = {one.name: one for one in OPERATIONS}
        for name, kind, operands, expected in VALUES:
            with self.subTest(name=name, kind=kind):
                result = NAMED[kind]
                self.assertEqual(result.wrap(named[name].value(result, *operands)), expected)

    def test_exact_operations(self) -> None:
        named = {one.name: one for one in EXACT}
        for name, operands, expected in EXACT_VALUES:
            with self.subTest(name=name):
                self.assertEqual(named[name].value(*operands), expected)

    def test_conversions(self) -> None:
        found = {one.operand: one for one in conversions(NAMED["char"]) if one.text(NAMED["char"], "x").endswith("_sat(x)")}
        self.assertEqual(found[NAMED["ulong"]].value(NAMED["char"], 2**63), 127)
        self.assertEqual(found[NAMED["int"]].value(NAMED["char"], -300), -128)
        self.assertEqual(NAMED["char"].wrap(200), -56)

    def test_constants(self) -> None:
        self.assertEqual(NAMED["int"].constant((-2**31,)), "(-2147483647 - 1)")
        self.assertEqual(NAMED["ulong"].constant((2**64 - 1,)), "18446744073709551615ul")
        self.assertEqual(Type(NAMED["char"].scalar, 2).constant((1, -1)), "(char2)(((char)(1)), ((char)(-1)))")

    def test_statements(self) -> None:
        everywhere = [True] * nodes.ITEMS
        x = nodes.Variable(INT, "x")
        state = nodes.State({"x": [(item,) for item in range(nodes.ITEMS)]})
        one = nodes.Constant(INT, (100,))
        nodes.run_all([nodes.Switch(x, [[nodes.Assign(x, one)], [], []], [False, True, False],
                                    [nodes.Assign(x, nodes.Constant(INT, (7,)))])], state, everywhere)
        self.assertEqual([number for (number,) in state.variables["x"][:5]], [100, 1, 2, 7, 100])
        y = nodes.Variable(UINT, "y")
        add = next(one for one in OPERATIONS if one.name == "add")
        state.variables["y"] = [(0,)] * nodes.ITEMS
        step = nodes.Assign(y, nodes.Lanewise(UINT, add, [y, nodes.Variable(UINT, "k")]))
        nodes.run_all([nodes.Loop("k", nodes.Constant(UINT, (4,)), [step], None)], state, everywhere)
        self.assertEqual(state.variables["y"][0], (0 + 1 + 2 + 3,))
        state.variables["x"] = [(item,) for item in range(nodes.ITEMS)]
        nodes.run_all([nodes.Exchange(x, "m", x, 5, False)], state, everywhere)
        self.assertEqual((state.variables["x"][0], state.variables["x"][31], state.variables["x"][32]), ((5,), (4,), (37,)))
        nodes.run_all([nodes.Atomic(x, "m", "max", -1, x)], state, everywhere)
        self.assertEqual((state.variables["x"][0], state.variables["x"][32]), ((31,), (63,)))
        sums = nodes.SubGroup(INT, "scan_exclusive_add", nodes.Constant(INT, (2,)), 8).value(state)
        self.assertEqual([number for (number,) in sums[6:10]], [12, 14, 0, 2])

    def test_saturated_floats(self) -> None:
        whole = nodes.FloatOfInteger(Type(FLOAT), nodes.Variable(INT, "x"), 1023)
        difference = nodes.Exact(Type(FLOAT), next(one for one in EXACT if one.name == "sub"),
                                 [whole, nodes.FloatOfInteger(Type(FLOAT), nodes.Constant(INT, (256,)), 1023)])
        state = nodes.State({"x": [(16 * item,) for item in range(nodes.ITEMS)]})
        made = nodes.SaturatedOfFloat(NAMED["char"], difference)
        self.assertEqual([made.value(state)[item][0] for item in (0, 8, 15, 16, 17, 24, 63)],
                         [-128, -128, -16, 0, 16, 127, 127])
        self.assertEqual([BETWEEN_0_AND_1.value(number) for number in (-2, 0, 1, 7)], [0, 0, 1, 1])

    def test_programs_stay_as_they_were(self) -> None:
        """docs/bugs-found.md names seeds."""
        text = "".join(programs.draw(seed).source() for seed in range(60))
        self.assertEqual(hashlib.sha256(text.encode()).hexdigest()[:16], "485c52f60b429c02")

    def test_the_same_program_for_a_seed(self) -> None:
        for seed in (*range(40), *range(programs.SATURATED_FROM, programs.SATURATED_FROM + 10)):
            one, other = programs.draw(seed), programs.draw(seed)
            self.assertEqual(one.source(), other.source())
            self.assertEqual([array.tobytes() for array in one.expected().values()],
                             [array.tobytes() for array in other.expected().values()])


def double(key: campaign.Key) -> int:
    return 2 * int(key)


def dies_of_three(key: campaign.Key) -> int:
    if key == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return int(key)


def raises(key: campaign.Key) -> int:
    raise ValueError(f"no {key}")


class Campaign(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "store.sqlite")

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_goes_on(self) -> None:
        with campaign.Store(self.path, {"of": 1}) as store:
            self.assertEqual(campaign.run(range(4), double, store).done, 4)
        with campaign.Store(self.path, {"of": 1}) as store:
            summary = campaign.run(range(8), double, store)
            self.assertEqual((summary.done, summary.known, summary.left), (4, 4, 0))
            self.assertEqual(list(store.rows()), [(key, 2 * key) for key in range(8)])

    def test_another_campaigns_store(self) -> None:
        campaign.Store(self.path, {"of": 1}).close()
        with self.assertRaises(campaign.StoreError):
            campaign.Store(self.path, {"of": 2})
        pathlib.Path(self.path).write_bytes(b"no store at all, but long enough to look at" * 40)
        with self.assertRaises(campaign.StoreError):
            campaign.Store(self.path, {"of": 1})

    def test_a_worker_that_is_killed(self) -> None:
        with campaign.Store(self.path) as store:
            summary = campaign.run(range(8), dies_of_three, store)
            rows = dict(store.rows())
        self.assertEqual({key: row for key, row in rows.items() if key != 3}, {key: key for key in range(8) if key != 3})
        self.assertIn("its worker died", rows[3]["error"])
        self.assertEqual((summary.done, summary.failed), (8, 1))

    def test_a_function_that_raises(self) -> None:
        with campaign.Store(self.path) as store:
            self.assertEqual(campaign.run(["a"], raises, store).failed, 1)
            self.assertIn("ValueError: no a", dict(store.rows())["a"]["error"])

    def test_an_executor_of_ones_own(self) -> None:
        with campaign.Store(self.path) as store, campaign.processes(1) as executor:
            self.assertEqual(campaign.run(range(3), double, store, executor=executor).done, 3)
            self.assertEqual(executor.submit(double, 4).result(), 8)    # it lives on

    def test_ctrl_c(self) -> None:
        """Ends with a whole store and the command that goes on."""
        words = [sys.executable, str(HERE / "hunt.py"), "--store", self.path, "--seeds", "0..100000", "--builders",
                 "skl@1.0.17791", "--workers", "1"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              start_new_session=True) as running:
            end = time.monotonic() + 60
            while time.monotonic() < end and self.rows_on_disk() == 0:
                time.sleep(0.2)
            os.killpg(running.pid, signal.SIGINT)   # as a terminal does
            out, _ = running.communicate(timeout=60)
        self.assertIn("goes on with: ", out)
        self.assertEqual(running.returncode, 130)
        self.assertGreater(self.rows_on_disk(), 0)
        with sqlite3.connect(self.path) as connection:
            self.assertEqual(connection.execute("pragma integrity_check").fetchone(), ("ok",))

    def rows_on_disk(self) -> int:
        try:
            with campaign.Store(self.path) as store:
                return len(store)
        except campaign.StoreError:     # it is being made
            return 0

    def test_dask_with_workers_that_are_killed(self) -> None:
        try:
            from dask.distributed import Client, LocalCluster
        except ImportError:
            self.skipTest("there is no dask.distributed here")
        log = os.path.join(self.folder.name, "log")
        one_process = os.path.join(self.folder.name, "one.sqlite")
        killed: list[int] = []
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
                Client(cluster) as client, campaign.Store(self.path) as store:
            path = sys.path[:2]
            client.run(lambda: sys.path.extend(path))

            def kill(summary: campaign.Summary) -> None:
                if summary.done in (10, 25):
                    pids = [pid for pid in client.run(os.getpid).values() if pid not in killed]
                    killed.append(pids[0])
                    os.kill(pids[0], signal.SIGKILL)

            executor = client.get_executor()
            summary = campaign.run(range(40), functools.partial(tasks.logged, log=log), store, executor=executor,
                                   progress=kill)
            rows = list(store.rows())
        self.assertEqual((summary.done, summary.failed, len(killed)), (40, 0, 2))
        with campaign.Store(one_process) as store, campaign.processes(1) as executor:
            campaign.run(range(40), functools.partial(tasks.logged, log=log), store, executor=executor)
            self.assertEqual(rows, list(store.rows()))

    def test_mpi_goes_on_where_it_was_killed(self) -> None:
        if shutil.which("mpiexec") is None or importlib.util.find_spec("mpi4py") is None:
            self.skipTest("there is no MPI, or no mpi4py, here")
        log = os.path.join(self.folder.name, "log")
        words = ["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "4", sys.executable, "-m", "mpi4py.futures",
                 str(HERE / "tasks.py"), self.path, log, "200"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as running:
            end = time.monotonic() + 60
            while time.monotonic() < end and (not os.path.exists(log) or len(lines_of(log)) < 60):
                time.sleep(0.05)
            time.sleep(1.5)     # a second's rows are on disk
            kill_all(self.path)
        with campaign.Store(self.path) as store:
            kept = {key for key, _ in store.rows()}
        self.assertTrue(0 < len(kept) < 200, f"{len(kept)} rows")
        begun = len(lines_of(log))
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
        self.assertIn(f"{len(kept)} known before", done.stdout)
        again = {int(line) for line in lines_of(log)[begun:]}
        self.assertEqual(again & kept, set())   # what has a row is not run again
        with campaign.Store(self.path) as store:
            self.assertEqual(list(store.rows()), [(key, 2 * key) for key in range(200)])


def kill_all(word: str) -> None:
    """All other processes that have the word in their command: the ranks of a job are in groups of their own."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int(folder.name) != os.getpid() and word.encode() in (folder / "cmdline").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
        except (OSError, ProcessLookupError):
            pass


def lines_of(path: str) -> list[str]:
    return pathlib.Path(path).read_text(encoding="utf-8").split()


@unittest.skipIf(QUICK, "compiles")
class Hunts(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        try:
            visor.compile("kernel void k() {}", device="skl", compiler="1.0.12504")
        except visor.Error as error:
            raise unittest.SkipTest(str(error)) from None

    def test_programs_agree(self) -> None:
        settings = trial.Settings((("skl", "1.0.12504"), ("pvc", "1.0.12504")), more_options=1)
        for batch in range(2):
            for seed, row in trial.run(batch, settings).items():
                self.assertIn(trial.verdict_of(row), ("agreed", "known"), f"program {seed}: {row}")

    def test_planted_mistakes_change_a_line(self) -> None:
        text = ('.kernel "a"\n    min (M1, 8) a b c\n    (P1) min (M1, 8) d e f\n.kernel "b"\n    (P3) sel (M1, 8) a b c\n'
                "    barrier\n")
        self.assertEqual(planted.MISTAKES["min-as-max"](text), text.replace("(P1) min", "(P1) max"))
        self.assertEqual(planted.MISTAKES["inverted-choice"](text), text.replace("(P3)", "(!P3)"))
        self.assertEqual(planted.MISTAKES["lost-barrier"](text), text.replace("    barrier\n", ""))

    def test_a_planted_mistake_is_found(self) -> None:
        place = trial.Place("skl", "1.0.12504", "")
        several = [programs.draw(seed) for seed in range(trial.BATCH)]
        several = [program for program in several if trial.fits(program, place)]
        found = trial.run_at(several, place, ("interp",), planted.MISTAKES["inverted-choice"])
        self.assertTrue(any(not isinstance(one, str) and one["interp"] is not None for one in found.values()))

    def test_bugs(self) -> None:
        """Each mistake of docs/bugs-found.md, on the oldest compiler; `bugs.py` takes all."""
        here = [place for place in bugs.PLACES if place[1] == "1.0.12504"]
        for bug in bugs.BUGS:
            for place in here:
                with self.subTest(name=bug.name, place=place):
                    self.assertEqual(bugs.verdict(bug, *place), bugs.stated(bug, place))


@unittest.skipIf(QUICK, "compiles")
class Witness(unittest.TestCase):
    def test_pocl(self) -> None:
        """PoCL gives what the entries of docs/bugs-found.md expect."""
        code = bugs.on_pocl()
        if code == 77:
            self.skipTest("there is no PoCL, or no PyOpenCL")
        self.assertEqual(code, 0)


class Docs(unittest.TestCase):
    def test_the_table_of_mistakes(self) -> None:
        text = (HERE.parents[1] / "docs/bugs-found.md").read_text(encoding="utf-8")
        self.assertIn(bugs.table(), text)
        for bug in bugs.BUGS:
            self.assertIn(f"### {bug.name}\n", text)
            self.assertIn(bug.source, text)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--quick"])
