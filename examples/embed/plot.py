#!/usr/bin/env python3
"""Plots how far native_sin is from sin, as Visor's GPU computes it, in the terminal."""
import numpy as np
import visor

kernel = visor.compile("""
kernel void sines(global float* out, global const float* x) {
    int i = get_global_id(0);
    out[i] = native_sin(x[i]);
}
""")["sines"]

x = np.linspace(0, 2 * np.pi, 64, dtype=np.float32)
y = visor.zeros(64)
kernel(y, x, global_size=64)

rows = np.round((1 - y) * 8).astype(int)
for row in range(17):
    print("".join("*" if at == row else "-" if row == 8 else " " for at in rows))
print(f"largest distance from sin: {np.abs(y - np.sin(x)).max():.1e}")
