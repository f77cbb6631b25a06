"""pyFAI's old kernels that build tables of which pixel lies in which bin: bounds of all pixels, how many lie in a bin,
where a bin begins, what lies there; and an integration with the table."""

import sys

import numpy as np
from session import Session

PIXELS, BINS, GROUP = 256, 16, 32

options = [f"-D{name}" for name in (f"BINS={BINS}", f"NBINS={BINS}", f"POS_SIZE={8 * PIXELS}", f"SIZE={PIXELS}",
                                    f"NIMAGE={PIXELS}", "EPS=1e-5f", f"WORKGROUP_SIZE={GROUP}", "ON_CPU=0")]
device = Session(sys.argv[1], [*options, f"-I{sys.argv[2]}", f"-I{sys.argv[3]}"])
buffer, zeros, read, check = device.buffer, device.zeros, device.read, device.check


def launch(names, count, group, *arguments):
    """The kernel that has one of these names."""
    name = next(name for name in names if name in device.kernels)
    device.launch(name, (count,), (group,), *arguments)


# Four corners of each pixel, an angle and another one; the pixels stand in rows of sixteen, a little askew.
across = np.arange(PIXELS) % 16
along = np.arange(PIXELS) // 16
corners = np.zeros((PIXELS, 4, 2), np.float32)
for i, (dx, dy) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
    corners[:, i, 0] = 2 + along + dx + 0.1 * (across + dy)
    corners[:, i, 1] = across + dy
positions = buffer(corners.reshape(PIXELS, 8))
with_length = "lut1" in device.kernels
length = [8 * PIXELS] if with_length else []
partial, bounds = zeros((GROUP, 4)), zeros(4)
launch(("reduce_minmax_1", "reduce1"), GROUP * GROUP, GROUP, positions, *length, partial)
launch(("reduce_minmax_2", "reduce2"), GROUP, GROUP, partial, bounds)
found = read(bounds, 4, np.float32)
low, high = corners.min((0, 1)), corners.max((0, 1))
check("bounds", (found == [low[0], high[0], low[1], high[1]]).all())

counts = buffer(np.full(BINS, 9, np.int32))
launch(("memset_outMax", "memset_out_int"), (BINS + GROUP - 1) // GROUP * GROUP, GROUP, counts)
no_range = np.zeros(2, np.float32)
if with_length:
    launch(("lut1",), PIXELS, GROUP, positions, bounds, PIXELS, counts)
else:
    launch(("lut_1",), PIXELS, GROUP, positions, bounds, no_range, no_range, counts)
width = np.float32((high[0] * np.float32(1 + 1e-5) - low[0]) / BINS)
bins = np.floor((corners[:, :, 0] - low[0]) / width).astype(int)
wanted = sum(np.bincount(range(a, b + 1), minlength=BINS) for a, b in zip(bins.min(1), bins.max(1)))
in_bins = read(counts, BINS, np.int32)
check("in bins", (np.abs(in_bins - wanted) <= 2).all())  # a corner may lie on the edge of a bin
begins, total = zeros(BINS + 1, np.int32), zeros(1, np.int32)
launch(("lut_2", "lut2"), GROUP, GROUP, counts, begins, total)
check("begins", (read(begins, BINS + 1, np.int32) == np.append(0, np.cumsum(in_bins))).all())
entries = int(read(total, 1, np.int32)[0])
indices, shares = buffer(np.full(entries, -1, np.int32)), zeros(entries)
launch(("memset_outMax", "memset_out_int"), GROUP, GROUP, counts)
if with_length:
    launch(("lut3",), PIXELS, GROUP, positions, bounds, PIXELS, counts, begins, indices, shares)
else:
    ranges = zeros((1, 2))
    launch(("lut_3",), PIXELS, GROUP, positions, bounds, ranges, ranges, counts, begins, indices, shares)
check("all pixels", set(read(indices, entries, np.int32)) == set(range(PIXELS)))
check("shares", np.isfinite(read(shares, entries, np.float32)).all())

if with_length:
    image = buffer(np.arange(PIXELS, dtype=np.float32))
    raw16, raw32 = buffer(np.arange(PIXELS, dtype=np.uint16)), buffer(np.arange(PIXELS, dtype=np.int32))
    launch(("u16_to_float",), PIXELS, GROUP, raw16, image)
    launch(("s32_to_float",), PIXELS, GROUP, raw32, image)
    ones = buffer(np.ones(PIXELS, np.float32))
    none = zeros(PIXELS)
    on = np.int32(1)
    dummy = (on, np.float32(-1), np.float32(0))
    launch(("corrections",), PIXELS, GROUP, image, on, none, on, ones, on, ones, on, ones, *dummy)
    check("image", (read(image, PIXELS, np.float32) == np.arange(PIXELS)).all())
    sums, weights, merged = (zeros(BINS) for _ in range(3))
    launch(("memset_out",), GROUP, GROUP, sums, weights, merged)
    launch(("csr_integrate",), BINS * GROUP, GROUP, image, shares, indices, begins, sums, weights, merged)
    begin, table = read(begins, BINS + 1, np.int32), read(indices, entries, np.int32)
    share = read(shares, entries, np.float32)
    good = all(np.isclose(read(sums, BINS, np.float32)[i], (share * table)[a:b].sum(), rtol=1e-3)
               for i, (a, b) in enumerate(zip(begin, begin[1:])))
    check("integrated", good)
device.end()
