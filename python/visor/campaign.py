"""Campaigns: many independent tasks on any executor, with a store that keeps what is done.

A task is a key, a number or a text, and `function(key)` gives its row, something that JSON can say. `run` maps the tasks over
an executor of `concurrent.futures`: processes of this machine, or what another library has of that kind, unchanged:
`mpi4py.futures.MPIPoolExecutor()`, `dask.distributed.Client(...).get_executor()`. Rows go to a store, an SQLite file that only the
process that calls `run` writes. A task whose row is there is not run again, so that a campaign that was interrupted or killed
goes on where it was, and a worker that dies loses no row.

    python -m visor.campaign STORE      prints the rows, sorted by key, a line of JSON each
"""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import signal
import sqlite3
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

Key = int | str
Future = concurrent.futures.Future[Any]
Executor = concurrent.futures.Executor

ATTEMPTS = 3        # of a task whose worker dies
COMMIT_SECONDS = 1.0


class StoreError(Exception):
    """The file is no store, or one of another campaign."""


class Store:
    """Rows by key, in an SQLite file that is only added to. One process at a time writes it.

    `campaign` says what the rows are of: every parameter on which they depend. A file of another campaign is refused.
    """

    def __init__(self, path: str | os.PathLike[str], campaign: Mapping[str, Any] | None = None):
        self.path = os.fspath(path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=10)
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("create table if not exists campaign (text text not null)")
            self._connection.execute("create table if not exists rows (key text primary key, row text not null, "
                                     "seconds real not null) without rowid")
            self._connection.commit()
            self._check(campaign)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path}: {error}") from None
        self._committed = time.monotonic()

    def _check(self, campaign: Mapping[str, Any] | None) -> None:
        if campaign is None:
            return
        text = json.dumps(campaign, sort_keys=True)
        known = self._connection.execute("select text from campaign").fetchone()
        if known is None:
            self._connection.execute("insert into campaign values (?)", (text,))
            self._connection.commit()
        elif known[0] != text:
            raise StoreError(f"{self.path} is of another campaign: {known[0]}, not {text}")

    @property
    def campaign(self) -> Any:
        """What it was made with; None of a file without."""
        known = self._connection.execute("select text from campaign").fetchone()
        return None if known is None else json.loads(known[0])

    def add(self, key: Key, row: Any, seconds: float) -> None:
        """Adds a row, unless the key has one. It is on disk after a second, or after `commit`."""
        self._connection.execute("insert or ignore into rows values (?, ?, ?)",
                                 (json.dumps(key), json.dumps(row, sort_keys=True), seconds))
        if time.monotonic() - self._committed > COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        self._connection.commit()
        self._committed = time.monotonic()

    def close(self) -> None:
        self.commit()
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, key: Key) -> bool:
        return self._connection.execute("select 1 from rows where key = ?", (json.dumps(key),)).fetchone() is not None

    def __len__(self) -> int:
        return int(self._connection.execute("select count(*) from rows").fetchone()[0])

    def rows(self) -> Iterator[tuple[Key, Any]]:
        """Sorted by key: numbers, then texts. Without times: two stores of one campaign have the same."""
        rows = [(json.loads(key), json.loads(row)) for key, row in self._connection.execute("select key, row from rows")]
        return iter(sorted(rows, key=lambda one: (isinstance(one[0], str), one[0])))

    def seconds(self) -> float:
        """What the tasks took together, on their workers' clocks."""
        return float(self._connection.execute("select coalesce(sum(seconds), 0) from rows").fetchone()[0])


@dataclass
class Summary:
    """Of one call of `run`."""

    done: int = 0           # tasks that have a row now and had none
    known: int = 0          # that had one
    failed: int = 0         # of the done: the function raised, or the worker died each time
    restarts: int = 0       # of the executor, or of a task whose worker died
    interrupted: bool = False
    seconds: float = 0      # by the clock
    worker_seconds: float = 0
    left: int | None = None     # tasks without a row; None: not known

    def __str__(self) -> str:
        text = f"{self.done} tasks done in {self.seconds:.1f} s, {self.known} known before"
        for number, what in ((self.failed, "failed"), (self.restarts, "restarts after a worker died"),
                             (self.left, "left")):
            if number:
                text += f", {number} {what}"
        return text + ("; interrupted" if self.interrupted else "")


def call(function: Callable[[Key], Any], key: Key) -> tuple[Any, float]:
    """What a worker does: the row and its seconds; {"error": ...} for an exception of the function."""
    begin = time.monotonic()
    try:
        row = function(key)
    except Exception:
        row = {"error": traceback.format_exc()}
    return row, time.monotonic() - begin


def processes(count: int | None = None) -> Executor:
    """The default: as many processes as this process may use cores. They are spawned: nothing is inherited.
    Ctrl-C, which a terminal sends to all of them, is this process's alone."""
    return concurrent.futures.ProcessPoolExecutor(count or len(os.sched_getaffinity(0)),
                                                  multiprocessing.get_context("spawn"),
                                                  signal.signal, (signal.SIGINT, signal.SIG_IGN))


@dataclass
class _Run:
    function: Callable[[Key], Any]
    store: Store
    make: Callable[[], Executor] | None
    executor: Executor
    ahead: int
    progress: Callable[[Summary], None] | None
    summary: Summary = field(default_factory=Summary)
    attempts: Counter[Key] = field(default_factory=Counter)
    suspects: deque[Key] = field(default_factory=deque)     # that ran when a worker died: run one at a time
    pending: dict[Future, Key] = field(default_factory=dict)

    def submit(self, key: Key) -> None:
        try:
            self.pending[self.executor.submit(call, self.function, key)] = key
        except concurrent.futures.BrokenExecutor:
            self.suspects.append(key)
            self.restart()

    def restart(self) -> None:
        """A new executor, where the old one broke and there is a way to make one."""
        if self.make is None:
            raise concurrent.futures.BrokenExecutor("the executor's workers died, and nothing can make another one")
        self.summary.restarts += 1
        self.suspects.extend(self.pending.values())
        self.pending.clear()
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def take(self, future: Future) -> None:
        key = self.pending.pop(future)
        try:
            row, seconds = future.result()
        except concurrent.futures.BrokenExecutor:
            self.attempts[key] += 1
            self.again(key, "its worker died")
            if self.make is not None:
                self.restart()
        except concurrent.futures.CancelledError:
            self.suspects.append(key)
        except Exception as error:  # the executor's: a worker was lost, or the row cannot be sent
            self.attempts[key] += 1
            self.summary.restarts += 1
            self.again(key, f"{type(error).__name__}: {error}")
        else:
            self.keep(key, row, seconds)

    def again(self, key: Key, why: str) -> None:
        if self.attempts[key] < ATTEMPTS:
            self.suspects.append(key)
        else:
            self.keep(key, {"error": f"given up after {ATTEMPTS} attempts: {why}"}, 0)

    def keep(self, key: Key, row: Any, seconds: float) -> None:
        self.store.add(key, row, seconds)
        self.summary.done += 1
        self.summary.worker_seconds += seconds
        if isinstance(row, dict) and "error" in row:
            self.summary.failed += 1
        if self.progress is not None:
            self.progress(self.summary)

    def go(self, tasks: Iterator[Key]) -> None:
        more = True
        while more or self.pending or self.suspects:
            if self.suspects:
                if not self.pending:
                    self.submit(self.suspects.popleft())
            else:
                while more and len(self.pending) < self.ahead and not self.suspects:
                    key = next(tasks, None)
                    more = key is not None
                    if key is None or key in self.pending.values():
                        continue
                    if key in self.store:
                        self.summary.known += 1
                    else:
                        self.submit(key)
            if self.pending:
                done, _ = concurrent.futures.wait(list(self.pending), timeout=1,
                                                  return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    if future in self.pending:
                        self.take(future)


def run(tasks: Iterable[Key], function: Callable[[Key], Any], store: Store, *,
        executor: Executor | Callable[[], Executor] | None = None, ahead: int | None = None,
        progress: Callable[[Summary], None] | None = None) -> Summary:
    """Runs `function` on each task that has no row in the store, and keeps what it gives.

    `executor`: one that lives on, or a function that makes one (by default `processes`), which is called again when its workers
    die, and whose executor is shut down at the end. `ahead`: tasks given to the executor at a time (default: four for each
    core here, at least 16). `progress` hears of each row. A task whose function raises has the row {"error": ...}; so has one whose
    worker dies three times. Tasks that ran beside one that killed its worker run again, one at a time.

    Ctrl-C ends it: what is done is in the store, and the summary says `interrupted`. What runs on a worker is left to it.
    """
    begin = time.monotonic()
    make = executor if callable(executor) else processes if executor is None else None
    chosen = make() if make is not None else executor
    assert isinstance(chosen, concurrent.futures.Executor)
    if ahead is None:
        ahead = max(16, 4 * len(os.sched_getaffinity(0)))
    state = _Run(function, store, make, chosen, ahead, progress)
    try:
        state.go(iter(tasks))
    except KeyboardInterrupt:
        state.summary.interrupted = True
        for future in state.pending:
            future.cancel()
    finally:
        store.commit()
        state.summary.seconds = time.monotonic() - begin
        if make is not None:
            state.executor.shutdown(wait=not state.summary.interrupted, cancel_futures=True)
    if isinstance(tasks, Sized):
        state.summary.left = len(tasks) - state.summary.known - state.summary.done
    return state.summary


class Bar:
    """A line on a terminal, once a second; nothing elsewhere. Give it to `run` as `progress`."""

    def __init__(self, total: int | None = None):
        self._total, self._begin, self._said = total, time.monotonic(), 0.0

    def __call__(self, summary: Summary) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._said < 1:
            return
        self._said = now
        done = summary.done + summary.known
        text = f"{done} of {self._total}" if self._total else f"{done}"
        print(f"\r{text} tasks, {summary.done / max(now - self._begin, 1e-9):.1f} a second, {summary.failed} failed ",
              end="", file=sys.stderr, flush=True)


def main(words: list[str]) -> int:
    """Prints a store."""
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    if not os.path.exists(words[0]):
        print(f"visor.campaign: {words[0]}: no such file", file=sys.stderr)
        return 2
    try:
        with Store(words[0]) as store:
            for key, row in store.rows():
                print(json.dumps([key, row], sort_keys=True))
    except StoreError as error:
        print(f"visor.campaign: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
