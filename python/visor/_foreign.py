"""Arrays of other libraries as NumPy arrays of the same memory: what has `__sycl_usm_array_interface__` (dpctl, dpnp)
or `__dlpack__` (PyTorch, JAX and others). The SYCL queue that an array names is waited for; of other queues nothing is
known."""

from __future__ import annotations

from typing import Any

import numpy as _np

from . import _visor

# Of dlpack.h: CPU, memory of the host that a GPU sees (CUDA, ROCm), and oneAPI, whose memory may be the CPU's.
_HOST_DEVICES = (1, 3, 11, 14)
_MOST_DIMENSIONS = 64  # NumPy 2's


class _Interface:
    """What NumPy's own interface for memory wants to see; keeps the array that the memory is of."""

    def __init__(self, owner: Any, interface: dict[str, Any]):
        self.owner, self.__array_interface__ = owner, interface


def _integers(values: Any) -> tuple[int, ...]:
    return tuple(value.__index__() for value in values)


def _of_usm(value: Any) -> _np.ndarray[Any, Any]:
    given = value.__sycl_usm_array_interface__
    wait = getattr(given.get("syclobj"), "wait", None)
    if callable(wait):
        wait()
    dtype = _np.dtype(given["typestr"])
    shape = _integers(given["shape"])
    address, read_only = given["data"]
    strides = given.get("strides")  # in elements, and so is the offset
    if dtype.hasobject or any(extent < 0 for extent in shape) or len(shape) > _MOST_DIMENSIONS:
        raise ValueError("no array of numbers")
    steps = None if strides is None else tuple(step * dtype.itemsize for step in _integers(strides))
    if steps is not None and len(steps) != len(shape):
        raise ValueError("as many strides as dimensions are needed")
    first = address.__index__() + (given.get("offset") or 0).__index__() * dtype.itemsize
    if 0 in shape:
        return _np.empty(shape, dtype)
    if steps is None:
        count = 1
        for extent in shape:
            count *= extent
        low, high = first, first + count * dtype.itemsize
    else:
        ways = [(extent - 1) * step for extent, step in zip(shape, steps)]
        low = first + sum(way for way in ways if way < 0)
        high = first + sum(way for way in ways if way > 0) + dtype.itemsize
    if low < 0 or high > 1 << 63 or not _visor.is_readable(low, high - low):
        raise ValueError("the memory is not the CPU's: Visor cannot reach the memory of another device")
    interface = {"version": 3, "shape": shape, "typestr": dtype.str, "data": (first, bool(read_only)), "strides": steps}
    return _np.asarray(_Interface(value, interface))


def _of_dlpack(value: Any) -> _np.ndarray[Any, Any]:
    kind = value.__dlpack_device__()[0]
    if kind not in _HOST_DEVICES:
        raise ValueError(f"DLPack: the memory is of device type {int(kind)}, not the CPU's")
    try:
        capsule = value.__dlpack__(max_version=(1, 1))
    except TypeError:  # before DLPack 1
        capsule = value.__dlpack__()
    return _np.asarray(_visor.Tensor(capsule))


def as_array(value: Any) -> _np.ndarray[Any, Any] | None:
    """The value's own memory as a NumPy array; None when the value offers no memory. ValueError, TypeError, KeyError
    or BufferError: it offers what cannot be taken."""
    if isinstance(value, _np.ndarray):
        return value
    if hasattr(value, "__sycl_usm_array_interface__"):
        return _of_usm(value)
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _of_dlpack(value)
    return None
