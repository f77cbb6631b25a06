"""Tasks of the campaign's tests. `mpiexec -n 4 python3 -m mpi4py.futures tasks.py STORE LOG COUNT` runs them on MPI."""

from __future__ import annotations

import functools
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

from visor import campaign  # noqa: E402


def logged(key: campaign.Key, log: str) -> int:
    """Twice the key; takes a twentieth of a second and notes in the log that it has begun."""
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{key}\n")
    time.sleep(0.05)
    return 2 * int(key)


def main() -> None:
    from mpi4py.futures import MPIPoolExecutor
    path, log, count = sys.argv[1:]
    with campaign.Store(path) as store, MPIPoolExecutor() as executor:
        print(campaign.run(range(int(count)), functools.partial(logged, log=log), store, executor=executor))


if __name__ == "__main__":
    main()
