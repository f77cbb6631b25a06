"""What the programs of this folder share: a program on the first device, arrays there, launches, and judging."""

import sys

import numpy as np
import pyopencl as cl


class Session:
    """`source` is a file of OpenCL C; integers among a launch's arguments become `integer`."""

    def __init__(self, source, options=(), integer=np.int32):
        self.context = cl.create_some_context(interactive=False)
        self.queue = cl.CommandQueue(self.context)
        with open(source, encoding="utf-8") as text:
            program = cl.Program(self.context, text.read()).build(list(options))
        self.kernels = {kernel.function_name: kernel for kernel in program.all_kernels()}
        self.integer = integer
        self.wrong = 0

    def buffer(self, array):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(self.context, flags, hostbuf=np.ascontiguousarray(array))

    def zeros(self, shape, kind=np.float32):
        return self.buffer(np.zeros(shape, kind))

    def read(self, source, shape, kind=np.float32):
        out = np.empty(shape, kind)
        cl.enqueue_copy(self.queue, out, source)
        return out

    def launch(self, name, size, group, *arguments):
        values = [self.integer(a) if isinstance(a, int) else a for a in arguments]
        self.kernels[name](self.queue, size, group, *values)

    def check(self, name, good):
        print(f"{name}: {'good' if good else 'WRONG'}")
        self.wrong += not good

    def end(self):
        self.queue.finish()
        sys.exit(self.wrong)
