"""GEGL's operations with OpenCL, compared with the same operations without: RGBA in single precision, noise as picture.

Without its border: beyond a picture GEGL takes no colour without OpenCL, and the nearest one with it.
c2g is left out: it draws its samples anew each time.
"""
import os
import pathlib

import numpy as np
import programs
import pytest

width, height = 96, 64
border = 12
on_pocl = os.environ.get("OCL_ICD_VENDORS", "").endswith("pocl.icd") # a CPU, which GEGL wants to be named
bound = 1e-3 # of colours from 0 to 1; GEGL takes less exact conversions with OpenCL
operations = (
    "alien-map", "bilateral-filter blur-radius=3", "box-blur radius=3",
    "brightness-contrast contrast=1.5 brightness=0.1",
    "checkerboard x=7 y=5", "color-exchange from-color=red to-color=blue",
    "color-temperature intended-temperature=4000", "color-to-alpha color=white", "contrast-curve sampling-points=0",
    "edge-laplace", "exposure exposure=0.7", "gaussian-blur std-dev-x=1.5 std-dev-y=2 filter=fir",
    "hue-chroma hue=40 chroma=10", "invert-linear", "levels in-low=0.1 in-high=0.8", "mono-mixer red=0.3 green=0.5",
    "motion-blur-linear length=9 angle=30", "noise-hsv seed=3", "noise-hurl seed=3", "noise-reduction iterations=3",
    "oilify mask-radius=3", "opacity value=0.4", "pixelize size-x=5 size-y=7", "posterize levels=4",
    "red-eye-removal threshold=0.4", "shadows-highlights shadows=30 highlights=-20", "snn-mean radius=4",
    "stretch-contrast", "texturize-canvas", "threshold value=0.4", "value-invert", "video-degradation", "vignette",
)


@pytest.fixture(scope="session")
def picture(tmp_path_factory) -> pathlib.Path:
    file = tmp_path_factory.mktemp("gegl") / "noise.ppm"
    pixels = np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)
    file.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels.tobytes())
    return file


def process(how: str, picture: pathlib.Path, operation: str) -> np.ndarray:
    result = picture.with_suffix(f".{how}")
    status, output = programs.run(["/usr/bin/python3", pathlib.Path(__file__).with_name("gegl_process.py"), how,
                                   f"gegl:load path={picture} gegl:{operation}", width, height, result],
                                  GEGL_USE_OPENCL="cpu" if on_pocl else "yes")
    if status != 0:
        pytest.fail(programs.why(status, output), pytrace=False)
    return np.fromfile(result, np.float32).reshape(height, width, 4)


@pytest.mark.parametrize("operation", operations)
def test_as_without_opencl(operation, picture):
    got, expected = process("yes", picture, operation), process("no", picture, operation)
    assert expected.std() > 0.01 # not an empty picture
    far = np.abs(got - expected)[border:-border, border:-border]
    wrong = far > bound
    if wrong.any():
        pytest.fail(f"{wrong.sum()} of {wrong.size} values are off, by up to {far.max():.3g}", pytrace=False)
