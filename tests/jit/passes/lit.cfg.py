"""Tests of the JIT's passes as LLVM has them: RUN lines, FileCheck, and values of executed code (lli)."""

import os
import platform
import sys

import lit.formats

config.name = "visor-jit-passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["out"]
llvm = lit_config.params["llvm"]
config.environment["PATH"] = os.pathsep.join([llvm, os.environ["PATH"]])
config.substitutions = [("%opt", lit_config.params["opt"]), ("%python", sys.executable)]
with open("/proc/cpuinfo", encoding="utf-8") as cpu:
    flags = cpu.read()
if all(f" avx512{part}" in flags for part in ("bw", "dq", "vl")):
    config.available_features.add("avx512")
config.unsupported = platform.machine() != "x86_64"  # what the CPU levels are
