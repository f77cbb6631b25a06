"""What bench/compare/first_result.py counts and compares; nothing of OpenCL is run. first_result_test.py ROOT"""
import json
import os
import pathlib
import struct
import sys
import tempfile

BURN = 0.2  # seconds of CPU time
# Starts a child that outlives it, as a daemon would, and ends at once.
ORPHAN = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    while time.process_time() < {BURN}:
        pass
os._exit(0)
"""


def expect(what, got, wanted):
    """Tells of a difference."""
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")
    return got == wanted


def fails(action, kind):
    """Whether it raises that."""
    try:
        action()
    except kind:
        return True
    return False


def floats(*numbers):
    """As a buffer holds them."""
    return struct.pack(f"{len(numbers)}f", *numbers)


def check_counting(tool):
    """CPU time of processes that nobody below waits for."""
    out, _, code, seconds = tool.run_below_an_adopter([sys.executable, "-c", ORPHAN], dict(os.environ), False)
    fine = expect("an orphan's parent", (out, code), ("", 0))
    return expect("an orphan's CPU time is counted", seconds >= BURN, True) and fine


def check_runs(tool, folder):
    """What becomes of what the program says."""
    on = tool.Platform("Column", "vendors", "CACHE")

    def run(text):
        program = folder / "program"
        program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        program.chmod(0o700)
        return tool.measured(program, "name", "", on, folder, folder / "result")

    phases = {"build": {"own_ms": 0.25, "children_ms": 0.125}, "launch": {"own_ms": 0.0625, "children_ms": 0}}
    fine = expect("phases are added", run(f"echo '{json.dumps(phases)}'").first, 0.4375)
    phases["build"]["children_ms"] = 3_600_000
    fine &= expect("more than the whole process took", fails(lambda: run(f"echo '{json.dumps(phases)}'"), tool.Failed),
                   True)
    fine &= expect("no source", fails(lambda: run("exit 77"), tool.Absent), True)
    fine &= expect("a failure", fails(lambda: run("exit 1"), tool.Failed), True)
    phases["build"]["children_ms"] = 0
    says = f'test "$CACHE" = {folder} && test "$OCL_ICD_VENDORS" = vendors && echo \'{json.dumps(phases)}\''
    return expect("its environment", run(says).first, 0.3125) and fine


def check_results(tool):
    """Results that are the same, and not."""
    near = {"arguments": ["in f32 2", "out f32 2"], "tolerance": 0.01}
    exact = {"arguments": ["u32 7", "out i32 2"]}
    cases = [(near, floats(1, 200), floats(1, 200), False), (near, floats(1, 200), floats(1.005, 201), False),
             (near, floats(1, 200), floats(1, 203), True), (near, floats(1), floats(1, 1), True),
             (near, floats(1, float("nan")), floats(1, float("nan")), False),
             (near, floats(1, float("nan")), floats(1, 1), True),
             (exact, struct.pack("2i", 1, 2), struct.pack("2i", 1, 2), False),
             (exact, struct.pack("2i", 1, 2), struct.pack("2i", 1, 3), True)]
    return all([expect(f"case {number}", tool.differs(description, one, other), wanted)
                for number, (description, one, other, wanted) in enumerate(cases)])


def check_programs(tool):
    """Each is described, builds several kernels or is large, and has a result to compare with PoCL's."""
    described = tool.descriptions()
    fine = expect("how many", len(set(tool.PROGRAMS)), 15)
    for name in tool.PROGRAMS:
        fine &= expect(f"{name} is described", name in described, True)
        fine &= expect(f"{name}: PoCL is right", "pocl_is_wrong" in described.get(name, {}), False)
    return fine


def main(root):
    """The exit code."""
    sys.path.insert(0, str(pathlib.Path(root, "bench/compare")))
    import first_result as tool
    with tempfile.TemporaryDirectory() as folder:
        fine = [check_counting(tool), check_runs(tool, pathlib.Path(folder)), check_results(tool), check_programs(tool)]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
