"""Programs of a public checkout below the folder of --sources, built there beforehand, as its own pages tell: what they
say of themselves."""
import os
import pathlib
import re
import subprocess

import programs
import pytest

folder = pathlib.Path(os.environ["VISOR_CLIENTS_CHECKOUT"])
go_tests = folder / "cl/cl.test"
# JOCL's samples that open no window: what a good one prints at its end.
samples = {
    "HistogramAMD": "^Passed!$", "HistogramNVIDIA": "^TEST PASSED$", "JOCLMappedBufferSample": "^Test PASSED$",
    "JOCLSample": "^Test PASSED$", "JOCLSample_1_1": "^PASSED$", "JOCLSample_2_0_SVM": "^Test PASSED$",
    "JOCLReduction": r"^GPU (\S+)\nCPU \1$", "JOCLMultiDeviceSample": r"^(10000\.0, ){10}\.\.\.\nDone$",
    "JOCLSubBufferSample": r"^Full result array : .*-5\.0, -4\.0, -3\.0, -2\.0",
    "JOCLBandwidthTest": r"^ *33554432 bytes : \d+\.\d+ MB/s$", "JOCLDeviceQuery": "DOUBLE [0-9]",
    "JOCLEventSample": r"^Event +read1: $(\n.*){4}\nTime", "JOCLSample_1_2_KernelArgs": "Type name +: image2d_t$",
}


def of_jocl() -> list:
    classes = f"{folder}/target/classes:{programs.home}/java/jars/*"
    return [pytest.param(["java", "-cp", classes, f"org.jocl.samples.{name}"], said, id=name)
            for name, said in samples.items()]


def of_go() -> list:
    listed = subprocess.run([go_tests, "-test.list", "."], capture_output=True, text=True, check=True).stdout
    return [pytest.param([go_tests, "-test.run", f"^{name}$"], "^PASS$", id=name) for name in listed.split()]


@pytest.mark.parametrize("command, said", {"jocl-samples": of_jocl, "go-opencl": of_go}[programs.client]())
def test_says_so(command, said):
    status, output = programs.run(command, folder)
    if status != 0 or not re.search(said, output, re.MULTILINE):
        pytest.fail(programs.why(status, output), pytrace=False)
