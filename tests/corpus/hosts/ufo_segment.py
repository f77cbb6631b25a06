"""ufo-filters' segmentation by random walks, on a small volume: walks, the bitmap of often visited places, its
picture."""

import sys

import numpy as np
import pyopencl as cl

WIDTH, HEIGHT, SLICES, WALKS = 64, 16, 2, 16

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, open(sys.argv[1], encoding="utf-8").read()).build()
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
generator = np.random.default_rng(5)


def buffer(array):
    return cl.Buffer(context, flags, hostbuf=np.ascontiguousarray(array))


volume = buffer(generator.random((SLICES, HEIGHT, WIDTH), np.float32))
visits = buffer(np.zeros((SLICES, HEIGHT, WIDTH), np.uint16))
starts = buffer(np.column_stack([generator.integers(20, 44, WALKS), generator.integers(5, 11, WALKS)]).astype(np.int32))
random = buffer(generator.random(32768, np.float32))
sizes = (np.int32(WIDTH), np.int32(HEIGHT), np.int32(SLICES))
program.walk(queue, (WALKS,), (WALKS,), volume, visits, starts, *sizes, random)
often = np.empty((SLICES, HEIGHT, WIDTH), np.uint16)
cl.enqueue_copy(queue, often, visits)
bits = np.zeros((SLICES, HEIGHT, WIDTH // 32), np.uint32)
bitmap = buffer(bits)
program.threshold(queue, (WIDTH // 32, HEIGHT, SLICES), None, visits, bitmap, np.int32(0))
cl.enqueue_copy(queue, bits, bitmap)
wanted = (often.reshape(SLICES, HEIGHT, WIDTH // 32, 32) > 20) @ (np.uint64(1) << np.arange(32, dtype=np.uint64))
good = (bits == wanted).all() and 0 < often.sum() <= WALKS * SLICES * 1000
label_map = buffer(np.array([7], np.uint32))
picture = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * WIDTH * HEIGHT)
which = (np.int32(1), np.int32(1), np.int32(SLICES))
program.render(queue, (WIDTH // 32, HEIGHT), None, bitmap, picture, label_map, *which)
shown = np.empty((HEIGHT, WIDTH), np.float32)
cl.enqueue_copy(queue, shown, picture)
good = good and (shown == 7 * (often[1] > 20)).all()
print("segment:", "good" if good else "WRONG")
sys.exit(not good)
