"""The column of Intel's OpenCL runtime for CPUs, without the runtime (bench/compare/intel.h). intel_test.py COMPARE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
COLUMN = "Intel CPU runtime"
KERNEL = "triad 64k"


def compare(program, runtime, results):
    """What the program says of one kernel."""
    return subprocess.run([program, "--only", KERNEL, "--devices", "skl", "--rounds", "1", "--intel", runtime,
                           "--json", results], capture_output=True, text=True, timeout=100, check=False)


def expect(what, got, wanted):
    """Tells of a difference."""
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")
    return got == wanted


def columns(results):
    """Those of a file of results."""
    return [row["column"] for row in json.loads(pathlib.Path(results).read_text(encoding="utf-8"))["rows"]]


def main(program):
    """The exit code."""
    if not os.access(program, os.X_OK):
        print(f"{program} is not built")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        results = f"{folder}/results.json"
        absent = compare(program, f"{folder}/absent", results)
        if "there is no PoCL" in absent.stderr:
            print("there is no PoCL")
            return SKIPPED
        fine = expect("without the runtime: exit code", absent.returncode, 0)
        fine &= expect("its head", absent.stdout.splitlines()[:1], ["| kernel | PoCL, ms | native | Visor, skl |"])
        said = [line for line in absent.stderr.splitlines() if COLUMN in line]
        fine &= expect("what is said", said, [f"no column `{COLUMN}`: {folder}/absent does not have it; "
                                              "`scripts/setup intel-cpu` brings it"])
        # One that cannot be loaded fails at each kernel, which is no failure of Visor's.
        vendors = pathlib.Path(folder, "broken/vendors")
        vendors.mkdir(parents=True)
        (vendors / "intel-cpu.icd").write_text(f"{folder}/libabsent.so\n", encoding="utf-8")
        broken = compare(program, f"{folder}/broken", results)
        fine &= expect("a broken runtime: exit code", broken.returncode, 0)
        head, _, row = broken.stdout.splitlines()[:3]
        fine &= expect("its head", head, f"| kernel | PoCL, ms | native | {COLUMN} | Visor, skl |")
        fine &= expect("its cell", row.split("|")[4], " - ")
        fine &= expect("Visor has one", float(row.split("|")[5]) > 0, True)
        fine &= expect("it is told", f"there is no {COLUMN}" in broken.stderr, True)
        fine &= expect("columns of the file", columns(results), ["PoCL", "native", "Visor, skl"])
    return 0 if fine else 1


sys.exit(main(sys.argv[1]))
