#!/usr/bin/env python3
"""Saxpy and a hand-written kernel of each of five instructions, a call each; the texts are those of examples/five."""
import pathlib
import numpy as np
import visor

examples = pathlib.Path(__file__).parents[1]


def five(name, want, result, device="skl", **arguments):
    (kernel,) = visor.compile(examples / "five" / f"{name}.visaasm", device=device).values()
    kernel(hw_threads=1, **arguments)
    print(f"{name:<24}", "ok" if list(arguments[result]) == list(want) else "WRONG")


x, y, dwords = np.arange(8, dtype=np.float32), np.ones(8, dtype=np.float32), np.zeros(32, dtype=np.uint32)
visor.compile(examples / "saxpy" / "saxpy.cl")["saxpy"](y, x, 2.5, 8, global_size=8)
print(f"{'saxpy':<24}", "ok" if list(y) == list(2.5 * x + 1) else "WRONG")
five("scatter_scaled_32_lanes", range(31, -1, -1), "T6", lanes=visor.lane, T6=dwords)
five("scatter4_scaled_rgba", [8 * c + i for i in range(8) for c in range(4)], "T6", T6=np.zeros_like(dwords),
     offsets=np.arange(0, 128, 16), values=np.arange(32))
five("qw_gather_reverse", range(7, -1, -1), "T7", "dg2", T6=np.arange(8), T7=np.zeros(8, dtype=np.int64),
     offsets=np.arange(56, -1, -8), places=np.arange(0, 64, 8))
five("svm_atomic_add", [136], "counter", counter=np.array([100], dtype=np.uint32), T6=dwords)
five("svm_block_ld_unaligned", range(1, 9), "to", **{"from": np.arange(16, dtype=np.uint32), "to": dwords[:8]})
