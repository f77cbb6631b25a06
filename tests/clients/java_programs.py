"""Programs of tests/clients/java, which compare what a binding's kernels write with what Java computes itself."""
import subprocess

import programs
import pytest

classes = {"jocl": "Jocl", "lwjgl": "Lwjgl", "javacl": "Javacl", "aparapi": "AparapiCases",
           "clij2": "Clij2"}


def java(*arguments: str) -> list:
    home = programs.home / "java"
    return ["java", "-cp", f"{home}/classes:{home}/jars/*", classes[programs.client], *arguments]


@pytest.mark.parametrize("case", subprocess.run(java(), capture_output=True, text=True,
                                                check=True).stdout.splitlines())
def test_as_java_computes(case):
    status, output = programs.run(java(case))
    if status != 0 or "WRONG" in output or "good" not in output.splitlines():
        pytest.fail(programs.why(status, output), pytrace=False)
