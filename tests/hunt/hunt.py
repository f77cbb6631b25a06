#!/usr/bin/python3
"""Looks for mistakes of compilers, and of Visor: draws programs that are defined, and knows what they compute.

    tests/hunt/hunt.py --store hunt.sqlite --seeds 0..99 [--workers N | --mpi | --dask ADDRESS]
    tests/hunt/hunt.py --store hunt.sqlite --summary
    tests/hunt/hunt.py --seed 17 [--source]             one program: where it is wrong; its source
    tests/hunt/hunt.py --seed 17 --reduce PLACE         makes it smaller as long as PLACE is wrong, such as
                                                        "skl 1.0.17791 default"

Each program is compiled for several devices, by several compilers, with several options, and runs on the interpreter, at some
places on the JIT as well. What it leaves is compared with an evaluator of the hunt's own. Verdicts:

    agreed      every place is right
    compiler    both engines are wrong alike at some places, and right at others: look at the vISA there
    known       likewise, and docs/bugs-found.md has a mistake of that compiler in what the program uses
    visor       the two engines differ: a mistake of Visor's
    program     no place is right: a mistake of the evaluator, or of all
    refused     no compiler takes it
    failed      the trial itself broke; its row says how

Eight programs are compiled together: a batch, which is a row of the store, an SQLite file. The same command goes on where it was
ended. The exit code is 1 where a verdict is
visor, program or failed. VISOR_PYTHON_PATH is where the package `visor` is (build/release/python). With --mpi:
`mpiexec -n 4 python3 -m mpi4py.futures tests/hunt/hunt.py --mpi ...`.
"""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import programs  # noqa: E402
import reduction  # noqa: E402
import trial  # noqa: E402
from visor import campaign  # noqa: E402

BAD = ("visor", "program", "failed")


def seeds_of(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def settings_of(arguments: argparse.Namespace) -> trial.Settings:
    chosen = trial.Settings(more_options=arguments.options, jit_places=arguments.jit, planted=arguments.planted)
    if arguments.builders:
        known = {f"{device}@{compiler}": (device, compiler) for device, compiler, _ in trial.BUILDERS}
        unknown = [one for one in arguments.builders.split(",") if one not in known]
        if unknown:
            sys.exit(f"hunt: there is no {unknown[0]}; there are {', '.join(known)}")
        builders = tuple(known[one] for one in arguments.builders.split(","))
        chosen = trial.Settings(builders, arguments.options, arguments.jit, planted=arguments.planted)
    return chosen


def programs_of(store: campaign.Store) -> Iterator[tuple[int, dict[str, Any]]]:
    """Their seeds and rows; a batch that failed is a row of its first program."""
    for batch, row in store.rows():
        if "error" in row:
            yield int(batch) * trial.BATCH, row
        else:
            yield from ((int(seed), one) for seed, one in row.items())


def summarize(store: campaign.Store) -> int:
    """Prints the table of a store; the exit code."""
    verdicts: Counter[str] = Counter()
    constructs: set[str] = set()
    runs = refused = 0
    suspicious = []
    for seed, row in programs_of(store):
        verdict = trial.verdict_of(row)
        verdicts[verdict] += 1
        runs += row.get("runs", 0)
        refused += len(row.get("refused", ()))
        constructs.update(row.get("constructs", ()))
        if verdict not in ("agreed", "known", "refused"):
            suspicious.append((seed, verdict, row))
    for seed, verdict, row in suspicious:
        first = next(iter(row.get("wrong", {}).items()), ("", row.get("error", "").strip().splitlines()[-1:]))
        print(f"{seed}: {verdict}: {len(row.get('wrong', ()))} places, the first {first[0]}: {first[1]}")
    hours = store.seconds() / 3600
    count = verdicts.total()
    print(f"{count} programs, {runs} runs, {refused} compilations refused; "
          f"{', '.join(f'{verdict} {count}' for verdict, count in sorted(verdicts.items()))}")
    print(f"{len(constructs)} kinds of constructs; {hours:.2f} worker hours, "
          f"{count / hours if hours else 0:.0f} programs an hour of a worker")
    return 1 if any(verdicts[verdict] for verdict in BAD) else 0


def make_smaller(seed: int, text: str) -> int:
    device, compiler, options = text.split(" ", 2)
    place = trial.Place(device, compiler, "" if options == "default" else options)
    try:
        source, wrong, tests = reduction.reduce(seed, place)
    except ValueError as error:
        sys.exit(f"hunt: {error}")
    print(f"{source}// On {place}: {wrong}. {tests} programs were tried.")
    return 0


def show(seed: int, settings: trial.Settings, source: bool) -> int:
    if source:
        print(programs.source_of([programs.draw(seed)]), end="")
        return 0
    row = trial.run(seed // trial.BATCH, settings, seed)[str(seed)]
    verdict = trial.verdict_of(row)
    print(f"{seed}: {verdict}, {row['runs']} runs")
    for place, text in row["wrong"].items():
        print(f"  {place}: {text}")
    for place, text in row["refused"].items():
        print(f"  {place}: refused: {text}")
    return 1 if verdict in BAD else 0


def executor_of(arguments: argparse.Namespace) -> Any:
    if arguments.mpi:
        from mpi4py.futures import MPIPoolExecutor
        return MPIPoolExecutor(path=sys.path[:2])
    if arguments.dask:
        from dask.distributed import Client
        client = Client(arguments.dask)
        path = sys.path[:2]
        client.register_worker_callbacks(lambda: sys.path.extend(path))
        return client.get_executor()
    make: Callable[[], Any] = functools.partial(campaign.processes, arguments.workers)
    return make


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", metavar="FILE")
    parser.add_argument("--seeds", metavar="A..B", type=seeds_of, default=range(0))
    parser.add_argument("--seed", metavar="N", type=int)
    parser.add_argument("--source", action="store_true", help="with --seed: print the program")
    parser.add_argument("--reduce", metavar="PLACE", help="with --seed: the smallest program that is wrong there")
    parser.add_argument("--summary", action="store_true", help="print the store's table; run nothing")
    parser.add_argument("--workers", metavar="N", type=int, help="processes (as many as cores)")
    parser.add_argument("--mpi", action="store_true", help="on mpi4py.futures")
    parser.add_argument("--dask", metavar="ADDRESS", help="on the workers of a Dask scheduler")
    parser.add_argument("--builders", metavar="A,B", help="device@compiler, such as skl@1.0.17791 (all)")
    parser.add_argument("--options", metavar="N", type=int, default=2, help="options drawn beside the default (2)")
    parser.add_argument("--jit", metavar="N", type=int, default=2, help="places where the JIT runs, too (2)")
    parser.add_argument("--planted", metavar="NAME", default="", help="put a mistake into what compilers make")
    arguments = parser.parse_args()
    settings = settings_of(arguments)
    if arguments.seed is not None and arguments.reduce:
        return make_smaller(arguments.seed, arguments.reduce)
    if arguments.seed is not None:
        return show(arguments.seed, settings, arguments.source)
    if arguments.store is None:
        parser.error("--store FILE or --seed N is needed")
    try:
        with campaign.Store(arguments.store, None if arguments.summary else settings.described()) as store:
            if arguments.summary:
                return summarize(store)
            batches = range(arguments.seeds.start // trial.BATCH, -(-arguments.seeds.stop // trial.BATCH))
            summary = campaign.run(batches, functools.partial(trial.run, settings=settings), store,
                                   executor=executor_of(arguments), progress=campaign.Bar(len(batches)))
            print(summary)
            code = summarize(store)
            if summary.interrupted:
                print(f"goes on with: {shlex.join([sys.executable, *sys.argv])}")
                return 130
            return code
    except campaign.StoreError as error:
        sys.exit(f"hunt: {error}")


if __name__ == "__main__":
    sys.exit(main())
