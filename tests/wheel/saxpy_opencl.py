"""saxpy by PyOpenCL: saxpy_opencl.py ZEBIN [--here]. Visor has to be the only platform: `python -m visor -- ...` sees to
that, and with --here this script does, in its own process."""
import os
import sys

import numpy as np

if "--here" in sys.argv:
    import visor
    # The Khronos group's loader reads the first, ocl-icd the second.
    os.environ["OCL_ICD_FILENAMES"] = os.environ["OCL_ICD_VENDORS"] = visor.opencl_library()

import pyopencl as cl

names = [platform.name for platform in cl.get_platforms()]
assert names == ["Visor"], names
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
x, y = np.arange(5, dtype=np.float32), np.ones(5, dtype=np.float32)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
memory = [cl.Buffer(context, flags, hostbuf=array) for array in (y, x)]
program = cl.Program(context, [device], [open(sys.argv[1], "rb").read()]).build()
cl.Kernel(program, "saxpy")(queue, (8,), None, *memory, np.float32(2.5), np.int32(5))
cl.enqueue_copy(queue, y, memory[0])
queue.finish()
assert y.tolist() == [1, 3.5, 6, 8.5, 11], y
print(f"PyOpenCL on {device.name}: {y}")
