"""The own tests of a crate, one process each, with those that it ignores where there is no device.

tests/clients/bring-crates has built the programs that hold them."""
import json
import pathlib
import subprocess

import programs
import pytest


def built() -> list[tuple[str, pathlib.Path, pathlib.Path]]:
    """Of the crate: the name of a test program, the program, and the folder that its tests expect."""
    found = []
    for line in (programs.home / "crates/programs.json").read_text(encoding="utf-8").splitlines():
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            folder = pathlib.Path(message["manifest_path"]).parent
            if folder.name.rpartition("-")[0] == programs.client:
                found.append((message["target"]["name"], pathlib.Path(message["executable"]), folder))
    return sorted(found)


def chosen():
    for name, program, folder in built():
        listed = subprocess.run([program, "--list", "--format", "terse"], cwd=folder, capture_output=True, text=True,
                                check=True).stdout
        for line in listed.splitlines():
            test, _, kind = line.rpartition(": ")
            if kind == "test":
                yield pytest.param(program, folder, test, id=f"{name}-{test}")


@pytest.mark.parametrize("program, folder, test", chosen())
def test_of_crate(program, folder, test):
    status, output = programs.run([program, "--exact", test, "--nocapture", "--include-ignored"], folder)
    if status != 0:
        pytest.fail(programs.why(status, output), pytrace=False)
    assert "1 passed" in output
