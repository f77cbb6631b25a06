"""Arrays of other libraries. Each test has a library of its own: an object with the interface and nothing else, whose
memory is ctypes'."""
import ctypes
import mmap
import pathlib
import sys
import unittest
import weakref

import numpy as np

import visor
from visor import _foreign

ZEBIN = pathlib.Path(__file__).parents[1] / "launch/data/saxpy.skl.zebin"


class Usm:
    """As dpctl's arrays: strides and offset in elements."""

    def __init__(self, address, shape, typestr="<f4", **more):
        read_only = more.pop("read_only", False)
        self.__sycl_usm_array_interface__ = {"data": (address, read_only), "shape": shape, "typestr": typestr,
                                             "strides": None, "version": 1, "syclobj": None, **more}


# ---- DLPack, made by hand: the structures of dlpack.h

class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("type", Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("release", RELEASE)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("release", RELEASE), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Library:
    """Gives one tensor away and counts how often it comes back."""

    def __init__(self, address, shape, strides=None, code=2, bits=32, lanes=1, device=1, offset=0, version=None, flags=0):
        self.device, self.returned = device, 0
        self.shape = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * max(len(strides), 1))(*strides)
        tensor = Tensor(address, Device(device, 0), len(shape), Type(code, bits, lanes), self.shape, self.strides, offset)

        def release(_):
            self.returned += 1
        if version is None:
            self.managed, self.name = Managed(tensor, None, RELEASE(release)), b"dltensor"
        else:
            self.managed = Versioned(version, 0, None, RELEASE(release), flags, tensor)
            self.name = b"dltensor_versioned"

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self):
        return new_capsule(ctypes.addressof(self.managed), self.name, None)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.floats = (ctypes.c_float * 8)(*range(8))
        self.address = ctypes.addressof(self.floats)
        self.saxpy = visor.compile(ZEBIN)["saxpy"]

    def test_usm_is_written_back(self):
        x = np.ones(8, dtype=np.float32)
        y = Usm(self.address, (8,))
        result = self.saxpy(y, x, 10, 8, global_size=8)
        self.assertEqual(list(self.floats), [10, 11, 12, 13, 14, 15, 16, 17])
        self.assertIs(result["y"], y)

    def test_usm_of_both_arguments_at_one_address(self):  # y = 2 * x + y, and x is y
        self.saxpy(Usm(self.address, (8,)), Usm(self.address, (8,)), 2, 8, global_size=8)
        self.assertEqual(list(self.floats), [0, 3, 6, 9, 12, 15, 18, 21])

    def test_the_queue_is_waited_for(self):
        class Queue:
            def wait(_):
                self.floats[0] = 7
        self.assertEqual(_foreign.as_array(Usm(self.address, (8,), syclobj=Queue()))[0], 7)
        self.assertEqual(_foreign.as_array(Usm(self.address, (8,), syclobj="opencl:gpu:0"))[1], 1)

    def test_usm_strides_and_offset_are_in_elements(self):
        self.assertEqual(list(_foreign.as_array(Usm(self.address, (2,), strides=(3,), offset=1))), [1, 4])
        self.assertEqual(list(_foreign.as_array(Usm(self.address, (3,), strides=(-2,), offset=7))), [7, 5, 3])
        self.assertEqual(_foreign.as_array(Usm(self.address, (2, 2), strides=(1, 4))).tolist(), [[0, 4], [1, 5]])

    def test_usm_read_only(self):
        y = Usm(self.address, (8,), read_only=True)
        self.assertFalse(_foreign.as_array(y).flags.writeable)
        self.saxpy(y, np.ones(8, dtype=np.float32), 10, 8, global_size=8)
        self.assertEqual(list(self.floats), list(range(8)))

    def test_usm_keeps_its_owner(self):
        owner = Usm(self.address, (8,))
        alive = weakref.ref(owner)
        array = _foreign.as_array(owner)
        del owner
        self.assertIsNotNone(alive())
        del array
        self.assertIsNone(alive())

    def test_memory_that_is_not_the_cpus(self):
        closed = mmap.mmap(-1, 1 << 16)
        view = ctypes.c_char.from_buffer(closed)
        gone = ctypes.addressof(view)
        del view
        closed.close()
        for address in (8, gone, (1 << 63) - 4096):
            with self.subTest(address=address):
                with self.assertRaisesRegex(visor.Error, "not the CPU's"):
                    self.saxpy(Usm(address, (8,)), np.ones(8, dtype=np.float32), 1, 8, global_size=8)
                with self.assertRaisesRegex(visor.Error, "not the CPU's"):
                    visor.from_array(Library(address, (8,)))
        with self.assertRaisesRegex(visor.Error, "device type 2"):  # CUDA
            visor.from_array(Library(self.address, (8,), device=2))

    def test_damaged_usm(self):
        for more in ({"typestr": "|O"}, {"typestr": "what"}, {"shape": (-1,)}, {"shape": (1 << 62, 8)}, {"shape": None},
                     {"strides": (1, 2)}, {"strides": (1 << 62,)}, {"data": None}, {"offset": 1 << 62}, {"shape": (1,) * 65}):
            with self.subTest(more=more), self.assertRaises(visor.Error):
                visor.from_array(Usm(**{"address": self.address, "shape": (8,)} | more) if "data" not in more
                                 else Usm(self.address, (8,), data=None))

    def test_dlpack_is_written_back_and_returned_once(self):
        for version in (None, 1):
            with self.subTest(version=version):
                self.floats[:] = range(8)
                library = Library(self.address, (8,), version=version)
                self.saxpy(library, np.ones(8, dtype=np.float32), 10, 8, global_size=8)
                self.assertEqual(list(self.floats), [10, 11, 12, 13, 14, 15, 16, 17])
                self.assertEqual(library.returned, 1)

    def test_dlpack_layouts(self):
        take = _foreign.as_array
        self.assertEqual(take(Library(self.address, (2, 4))).tolist(), [[0, 1, 2, 3], [4, 5, 6, 7]])
        self.assertEqual(take(Library(self.address, (2, 2), (1, 4))).tolist(), [[0, 4], [1, 5]])
        self.assertEqual(take(Library(self.address, (3,), (-2,), offset=28)).tolist(), [7, 5, 3])
        self.assertEqual(take(Library(self.address, ())).tolist(), 0)
        self.assertEqual(take(Library(None, (0, 3))).shape, (0, 3))
        self.assertFalse(take(Library(self.address, (8,), version=1, flags=1)).flags.writeable)
        self.assertTrue(take(Library(self.address, (8,), version=1)).flags.writeable)

    def test_dlpack_types(self):
        words = (ctypes.c_uint16 * 8)(*[0x3c00] * 8)  # 1.0 as a half float; as bfloat16 it has no type of NumPy's
        address = ctypes.addressof(words)
        for code, bits, dtype in ((0, 8, "i1"), (0, 64, "i8"), (1, 16, "u2"), (1, 32, "u4"), (2, 16, "f2"), (2, 64, "f8"),
                                  (4, 16, "u2"), (5, 64, "c8"), (6, 8, "?")):
            self.assertEqual(_foreign.as_array(Library(address, (1,), code=code, bits=bits)).dtype, np.dtype(dtype))
        self.assertEqual(_foreign.as_array(Library(address, (1,), code=2, bits=16))[0], 1)

    def test_damaged_dlpack(self):
        for more in ({"code": 3}, {"bits": 31}, {"lanes": 2}, {"shape": (-1,)}, {"shape": (1 << 62, 1 << 62)},
                     {"shape": (8, 8), "strides": (1 << 62, 1)}, {"shape": (1,) * 65}, {"version": 2}):
            library = Library(**{"address": self.address, "shape": (8,)} | more)
            with self.subTest(more=more), self.assertRaises(visor.Error):
                visor.from_array(library)
            self.assertEqual(library.returned, 0)  # what is not taken stays the other library's

    def test_a_capsule_is_used_once(self):
        library = Library(self.address, (8,))
        capsule = library.__dlpack__()
        first = np.asarray(visor._visor.Tensor(capsule))
        with self.assertRaises(ValueError):
            visor._visor.Tensor(capsule)
        del first
        self.assertEqual(library.returned, 1)

    def test_own_arrays_are_given_by_dlpack(self):
        own = visor.zeros(8)
        other = np.from_dlpack(own)
        self.saxpy(own, np.ones(8, dtype=np.float32), 3, 8, global_size=8)
        self.assertEqual(list(other), [3] * 8)  # the same memory: nothing was copied
        self.assertEqual(other.__array_interface__["data"][0], own.__array_interface__["data"][0])

    def test_other_ways_in(self):
        self.assertEqual(list(visor.from_array(Library(self.address, (8,)))), list(range(8)))
        pixels = (ctypes.c_uint8 * 16)(*range(16))
        image = visor.image(Library(ctypes.addressof(pixels), (2, 2, 4), code=1, bits=8))
        self.assertEqual(image.read().ravel().tolist(), list(range(16)))

    def test_two_views_of_one_memory(self):  # the same address and size, other elements: y = x + y
        both = np.arange(8, dtype=np.float32)
        self.saxpy(both[:4], both[::2], 1, 4, global_size=4)
        self.assertEqual([both[1], both[3]], [1 + 2, 3 + 6])  # those that are y's alone


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
