"""Results of kernels of fifth_set.json in NumPy, from what the buffers hold before: by argument, what it holds after."""

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Result = Callable[[list[Any]], dict[int, Array]]


def by_digit(keys: Array, shift: int) -> Array:
    """Stable, by four bits."""
    return keys[np.argsort(keys >> np.uint32(shift) & np.uint32(15), kind="stable")]


def padded_median(image: Array) -> Array:
    """Of three by three, with repeated borders."""
    wide = np.pad(image, 1, mode="edge")
    height, width = image.shape
    return np.median(np.stack([wide[y:y + height, x:x + width] for y in range(3) for x in range(3)]), axis=0)


def seeded_scan(values: Array, seeds: Array) -> Array:
    """Inclusive, in as many regions as there are seeds."""
    return np.cumsum(values.reshape(seeds.size, -1).astype(np.float64), axis=1) + seeds[:, None].astype(np.float64)


def alternating(rows: Array) -> Array:
    """Every other row backwards."""
    turned = rows.copy()
    turned[1::2] = rows[1::2, ::-1]
    return turned


def group_sums(values: Array, group: int) -> Array:
    """The sum of each group in the place of its first element."""
    groups = values.reshape(-1, group).copy()
    groups[:, 0] = groups.astype(np.float64).sum(axis=1)
    return groups


def gathered(matrix: Array, columns: Array, vector: Array, rows: int) -> Array:
    """A sparse matrix with as many numbers in each row, by a vector."""
    return (matrix.astype(np.float64) * vector.astype(np.float64)[columns]).reshape(rows, -1).sum(axis=1)


def exclusive_in_blocks(values: Array, block: int) -> Array:
    """Sums of all before, block by block."""
    blocks = values.reshape(-1, block)
    return np.cumsum(blocks, axis=1) - blocks


def spectrum(work: Array) -> Array:
    """Of groups of 512 complex numbers."""
    turned = np.fft.fft((work[0::2] + 1j * work[1::2]).reshape(-1, 512), axis=1)
    return np.stack([turned.real, turned.imag], axis=-1)


def wide(array: Array, *shape: int) -> Array:
    """In double precision."""
    return array.reshape(*shape).astype(np.float64)


def gemm_columns(a: Array, b: Array, c: Array, size: int, transposed: bool) -> Array:
    """alpha 1, beta 0.5, column by column."""
    left, right = wide(a[:size * size], size, size).T, wide(b[:size * size], size, size).T
    return (left @ (right.T if transposed else right) + 0.5 * wide(c, size, size).T).T


RESULTS: dict[str, Result] = {
    "silx median 3x3": lambda b: {1: padded_median(b[0].reshape(128, 128))},
    "silx CSR to dense": lambda b: {3: dense(b[0], b[1])},
    "silx bitonic sort": lambda b: {0: alternating(np.sort(b[0].reshape(-1, 1024), axis=1))},
    "pyfai sums in groups": lambda b: {1: np.repeat(b[0].reshape(-1, 256).sum(axis=1), 256)},
    "pyfai scan, Hillis-Steele": lambda b: {1: np.cumsum(wide(b[0], -1, 256), axis=1)},
    "pyfai scan, Blelloch": lambda b: {1: np.cumsum(wide(b[0], -1, 256), axis=1)},
    "pyfai comb sort": lambda b: {0: np.sort(b[0].reshape(-1, 1024), axis=1)},
    "bullet prefix scan": lambda b: {0: exclusive_in_blocks(b[1], 256)},
    "starpu SpMV": lambda b: {8: gathered(b[2], b[3], b[6], 131072)},
    "starpu matrix by vector": lambda b: {4: wide(b[0], 1024, 1024) @ wide(b[1], 1024)},
    "rodinia bytes to components": lambda b: {i: b[3].reshape(-1, 3)[:, i].astype(np.int32) - 128 for i in range(3)},
    "rodinia SRAD, reduction": lambda b: {3: group_sums(b[3], 256), 4: group_sums(b[4], 256)},
    "shoc sort, scatter": lambda b: {2: by_digit(b[0], 4)},
    "shoc scan": lambda b: {2: seeded_scan(b[0], b[1])},
    "shoc scan, sums": lambda b: {1: wide(b[0], 64, -1).sum(axis=1)},
    "shoc FFT 512": lambda b: {0: spectrum(b[0].astype(np.float64))},
    "shoc FFT 512, double": lambda b: {0: spectrum(b[0])},
    "shoc SGEMM": lambda b: {4: gemm_columns(b[0], b[2], b[4], 512, False)},
    "shoc SpMV, vectors": lambda b: {6: gathered(b[0], b[2], b[1], 16384)},
    "polybench GEMM": lambda b: {2: wide(b[0], 256, 256) @ wide(b[1], 256, 256) + 0.5 * wide(b[2], 256, 256)},
    "polybench GESUMMV": lambda b: {3: 2 * (wide(b[0], 1024, 1024) @ b[2]) + 3 * (wide(b[1], 1024, 1024) @ b[2])},
    "polybench ATAX": lambda b: {2: wide(b[0], 1024, 1024) @ wide(b[1], 1024)},
    "parboil SGEMM": lambda b: {4: gemm_columns(b[0], b[2], b[4], 256, True)},
}


def dense(data: Array, columns: Array) -> Array:
    """Rows of 64 numbers in 1024 columns; of several for a column, the last one."""
    rows = np.zeros((1024, 1024), data.dtype)
    for row, (numbers, places) in enumerate(zip(data.reshape(1024, 64), columns.reshape(1024, 64))):
        for number, place in zip(numbers, places):
            rows[row, place] = number
    return rows
