"""One chain of GEGL's operations over a picture; the result, RGBA in single precision, goes to a file.

  gegl_process.py yes|no CHAIN WIDTH HEIGHT FILE     with OpenCL or without

GEGL's own program leaves OpenCL off, so its library is called.
"""
import ctypes
import sys

import numpy as np


def main(with_opencl: str, chain: str, width: int, height: int, file: str) -> None:
    gegl, objects = ctypes.CDLL("libgegl-0.4.so.0"), ctypes.CDLL("libgobject-2.0.so.0")
    babl = ctypes.CDLL("libbabl-0.1.so.0")
    pointer = ctypes.c_void_p
    for function in (gegl.gegl_config, gegl.gegl_node_new_from_serialized, gegl.gegl_node_get_output_proxy,
                     babl.babl_format):
        function.restype = pointer
    gegl.gegl_init(None, None)
    settings, uses = pointer(gegl.gegl_config()), ctypes.c_int(with_opencl == "yes")
    objects.g_object_set(settings, b"use-opencl", uses, None)
    objects.g_object_get(settings, b"use-opencl", ctypes.byref(uses), None)
    if uses.value != (with_opencl == "yes"):
        sys.exit("GEGL takes no device")
    graph = pointer(gegl.gegl_node_new_from_serialized(chain.encode(), b"/"))
    node = pointer(gegl.gegl_node_get_output_proxy(graph, b"output"))
    area = (ctypes.c_int * 4)(0, 0, width, height)
    pixels = np.zeros((height, width, 4), np.float32)
    gegl.gegl_node_blit(node, ctypes.c_double(1), area, pointer(babl.babl_format(b"RGBA float")),
                        pointer(pixels.ctypes.data), 0, 0)
    pixels.tofile(file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
