#!/usr/bin/env python3
"""What a launch costs a caller of the Python module when everything is loaded, in microseconds: the same kernels as
launch.cpp, on arrays in device memory and on NumPy's own. PYTHONPATH=build/release/python bench/launch.py [LAUNCHES]"""
import statistics
import sys
import time

import numpy as np

import visor

STORE = """.version 4.1
.kernel "store"
.decl lanes v_type=G type=ud num_elts=8 align=GRF
.decl offsets v_type=G type=ud num_elts=8 align=GRF
.decl out v_type=T num_elts=1
.input lanes offset=32 size=32
.kernel_attr SimdSize=8
    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud
    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0
    ret (M1, 1)
"""
SAXPY = """
kernel void saxpy(global float* y, global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""


def measure(name, launch, count):
    for _ in range(count // 10):
        launch()
    times = []
    for _ in range(count):
        begin = time.perf_counter_ns()
        launch()
        times.append((time.perf_counter_ns() - begin) / 1000)
    deciles = statistics.quantiles(times, n=10)
    print(f"{name:<32} median {statistics.median(times):6.1f}  fastest {min(times):6.1f}"
          f"  a tenth below {deciles[0]:6.1f}  above {deciles[8]:6.1f}")


count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
store = visor.compile(STORE)["store"]
out = visor.zeros(8, np.uint32)
measure("hand-written, device memory", lambda: store(visor.lane, out=out, hw_threads=1), count)
for engine in ("interp", "jit", "auto"):
    device = visor.Device(engine=engine)
    saxpy = device.compile(SAXPY)["saxpy"]
    x, y = device.zeros(64), device.zeros(64)
    own_x, own_y = np.zeros(64, np.float32), np.zeros(64, np.float32)
    measure(f"saxpy, device memory, {engine}", lambda: saxpy(y, x, 2.5, 64, global_size=64, local_size=64), count)
    measure(f"saxpy, NumPy arrays, {engine}", lambda: saxpy(own_y, own_x, 2.5, 64, global_size=64, local_size=64), count)
