#!/usr/bin/env python3
"""Saxpy, and a kernel written by hand of each of five instructions with what it leaves in memory. Run it in examples/."""
import numpy as np, visor

def five(name, result, *values, **named):
    print(name, visor.run(f"five/{name}.visaasm", *values, **named)[result])

five("scatter_scaled_32_lanes", "T6", visor.lane, T6=np.zeros(32, "u4"))
five("scatter4_scaled_rgba", "T6", range(0, 128, 16), range(32), T6=np.zeros(32, "u4"))
five("qw_gather_reverse", "T7", range(56, -1, -8), range(0, 64, 8), T6=np.arange(8), T7=np.zeros(8, int), device="dg2")
five("svm_atomic_add", "counter", np.array([100], "u4"), T6=np.zeros(8, "u4"))
five("svm_block_ld_unaligned", "to", np.arange(16, dtype="u4"), np.zeros(8, "u4"))
print("saxpy", visor.run("saxpy/saxpy.cl", np.ones(8, "f4"), np.arange(8, dtype="f4"), 2.5, 8, global_size=8)["y"])
