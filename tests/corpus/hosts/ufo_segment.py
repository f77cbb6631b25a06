"""ufo-filters' segmentation by random walks, on a small volume: walks, the bitmap of often visited places, its
picture."""

import sys

import numpy as np
from session import Session

WIDTH, HEIGHT, SLICES, WALKS = 64, 16, 2, 16

device = Session(sys.argv[1])
generator = np.random.default_rng(5)
volume = device.buffer(generator.random((SLICES, HEIGHT, WIDTH), np.float32))
visits = device.zeros((SLICES, HEIGHT, WIDTH), np.uint16)
starts = np.column_stack([generator.integers(20, 44, WALKS), generator.integers(5, 11, WALKS)]).astype(np.int32)
random = device.buffer(generator.random(32768, np.float32))
device.launch("walk", (WALKS,), (WALKS,), volume, visits, device.buffer(starts), WIDTH, HEIGHT, SLICES, random)
often = device.read(visits, (SLICES, HEIGHT, WIDTH), np.uint16)
device.check("walks", 0 < often.sum() <= WALKS * SLICES * 1000)
bitmap = device.zeros((SLICES, HEIGHT, WIDTH // 32), np.uint32)
device.launch("threshold", (WIDTH // 32, HEIGHT, SLICES), None, visits, bitmap, 0)
wanted = (often.reshape(SLICES, HEIGHT, WIDTH // 32, 32) > 20) @ (np.uint64(1) << np.arange(32, dtype=np.uint64))
device.check("bitmap", (device.read(bitmap, (SLICES, HEIGHT, WIDTH // 32), np.uint32) == wanted).all())
label_map, picture = device.buffer(np.array([7], np.uint32)), device.zeros((HEIGHT, WIDTH))
device.launch("render", (WIDTH // 32, HEIGHT), None, bitmap, picture, label_map, 1, 1, SLICES)
device.check("picture", (device.read(picture, (HEIGHT, WIDTH)) == 7 * (often[1] > 20)).all())
device.end()
