"""Launches a captured launch again, on the first OpenCL device: replay.py FOLDER...

Knows the layout of the Intercept Layer for OpenCL Applications, and nothing of Visor: source, sizes, arguments, memory before; says which
arguments have other bytes afterwards than the capture. Exit code 1: some have, 77: there is no pyopencl."""

from __future__ import annotations

import pathlib
import re
import sys

try:
    import numpy
    import pyopencl as cl
except ImportError:
    print("replay: no pyopencl here: not tried")
    sys.exit(77)


def memory_of(folder: pathlib.Path) -> dict[int, pathlib.Path]:
    """Files of memory by argument."""
    found = ((re.search(r"_Arg_(\d+)_(Buffer|Image)_", path.name), path) for path in folder.iterdir())
    return {int(match[1]): path for match, path in found if match}


def sampler_of(context: cl.Context, text: str) -> cl.Sampler:
    modes = cl.addressing_mode
    address = next(getattr(modes, name) for name in ("CLAMP_TO_EDGE", "MIRRORED_REPEAT", "CLAMP", "REPEAT", "NONE")
                   if f"CL_ADDRESS_{name}" in text)
    kind = cl.filter_mode.LINEAR if "CL_FILTER_LINEAR" in text else cl.filter_mode.NEAREST
    return cl.Sampler(context, "CL_FALSE" not in text, address, kind)


def image_of(context: cl.Context, metadata: str, pixels: bytes) -> cl.Image:
    width, height, depth, _, _, _, channel_type, order, kind = map(int, metadata.split())
    sides = {cl.mem_object_type.IMAGE1D: 1, cl.mem_object_type.IMAGE2D: 2, cl.mem_object_type.IMAGE3D: 3}[kind]
    shape = (width, height, depth)[:sides]
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return cl.Image(context, flags, cl.ImageFormat(order, channel_type), shape, hostbuf=numpy.frombuffer(pixels, numpy.uint8))


class Replay:
    """One launch on a device."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.context = cl.create_some_context(interactive=False)
        self.queue = cl.CommandQueue(self.context)
        self.objects: dict[int, cl.MemoryObject] = {}   # by argument
        self.shared: dict[int, cl.SVM] = {}
        self.by_handle: dict[bytes, cl.MemoryObject] = {}

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8").rstrip("\0")

    def give(self, kernel: cl.Kernel, argument: int, files: dict[int, pathlib.Path]) -> None:
        folder = self.folder
        value, local, sampler = (folder / f"{name}{argument}.{end}" for name, end in (("Argument", "bin"), ("Local", "txt"), ("Sampler", "txt")))
        if local.exists():
            kernel.set_arg(argument, cl.LocalMemory(int(local.read_text(encoding="utf-8"))))
        elif sampler.exists():
            kernel.set_arg(argument, sampler_of(self.context, sampler.read_text(encoding="utf-8")))
        elif argument not in files:
            kernel.set_arg(argument, value.read_bytes())
        else:
            self.give_memory(kernel, argument, files[argument].read_bytes(), value.read_bytes())

    def give_memory(self, kernel: cl.Kernel, argument: int, content: bytes, handle: bytes) -> None:
        offset = self.folder / f"SVM_Arg_Offset_{argument}.txt"
        start = int(offset.read_text(encoding="utf-8")) if offset.exists() else 0
        if start != 0:
            memory = numpy.frombuffer(content, numpy.uint8).copy()
            self.shared[argument] = cl.SVM(cl.csvm_empty_like(self.context, memory))
            cl.enqueue_copy(self.queue, self.shared[argument], memory)
            kernel.set_arg(argument, cl.SVM(self.shared[argument].mem[start:]))
            return
        if handle not in self.by_handle:
            metadata = self.folder / f"Image_MetaData_{argument}.txt"
            if metadata.exists():
                made = image_of(self.context, metadata.read_text(encoding="utf-8"), content)
            else:
                flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
                made = cl.Buffer(self.context, flags, hostbuf=numpy.frombuffer(content, numpy.uint8))
            self.by_handle[handle] = made
        self.objects[argument] = self.by_handle[handle]
        kernel.set_arg(argument, self.objects[argument])

    def content(self, argument: int, count: int) -> bytes:
        got = numpy.empty(count, numpy.uint8)
        if argument in self.shared:
            cl.enqueue_copy(self.queue, got, self.shared[argument])
        elif isinstance(self.objects[argument], cl.Image):
            image = self.objects[argument]
            region = (image.width, max(image.height, 1), max(image.depth, 1))
            cl.enqueue_copy(self.queue, got, image, origin=(0, 0, 0), region=region)
        else:
            cl.enqueue_copy(self.queue, got, self.objects[argument])
        return got.tobytes()

    def run(self) -> list[int]:
        """Arguments that differ."""
        program = cl.Program(self.context, self.text("kernel.cl")).build(self.text("buildOptions.txt").split())
        kernel = getattr(program, self.text("kernelName.txt").strip())
        files = memory_of(self.folder / "Pre")
        for argument in range(kernel.num_args):
            self.give(kernel, argument, files)
        sizes, local, offset = ([int(word) for word in line.split()] for line in self.text("worksizes.txt").splitlines())
        cl.enqueue_nd_range_kernel(self.queue, kernel, sizes, local if any(local) else None, offset)
        self.queue.finish()
        after = memory_of(self.folder / "Post")
        return [argument for argument, path in after.items()
                if self.content(argument, path.stat().st_size) != path.read_bytes()]


def main() -> int:
    bad = 0
    for name in sys.argv[1:]:
        replay = Replay(pathlib.Path(name))
        differ = replay.run()
        print(f"{name}: {', '.join(f'argument {one} differs' for one in differ) or 'the same'} "
              f"({replay.queue.device.platform.name})")
        bad += bool(differ)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
