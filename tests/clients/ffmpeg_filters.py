"""FFmpeg's OpenCL filters, compared with its filters of the host: one frame of noise, YUV 4:4:4 in planes."""
import pathlib

import numpy as np
import programs
import pytest

width, height = 96, 64
mask = "1 2 1 2 4 2 1 2 1:" * 4 + "1/16:1/16:1/16:1/16"
edges = "scale=0.5:delta=3"
# OpenCL's filter, the host's, the most that a byte may differ, the border that the two fill in ways of their own
filters = {
    "convolution": (f"convolution_opencl={mask}", f"convolution={mask}", 1, 1),
    "sobel": (f"sobel_opencl={edges}", f"sobel={edges}", 1, 1),
    "prewitt": (f"prewitt_opencl={edges}", f"prewitt={edges}", 1, 1),
    "roberts": (f"roberts_opencl={edges}", f"roberts={edges}", 1, 1),
    "dilation": ("dilation_opencl", "dilation", 0, 1),
    "erosion": ("erosion_opencl", "erosion", 0, 1),
    "transpose": ("transpose_opencl=dir=clock", "transpose=dir=clock", 0, 0),
    "average": ("avgblur_opencl=sizeX=1:sizeY=1", f"convolution={'1 1 1 1 1 1 1 1 1:' * 4}1/9:1/9:1/9:1/9", 1, 1),
    "box": ("boxblur_opencl=2:1", f"convolution={(' '.join(['1'] * 25) + ':') * 4}1/25:1/25:1/25:1/25", 1, 2),
    "unsharp": ("unsharp_opencl=5:5:1:5:5:0", "unsharp=5:5:1:5:5:0", 1, 2),
    "pad": ("pad_opencl=w=120:h=80:x=10:y=6:color=red", "pad=w=120:h=80:x=10:y=6:color=red", 1, 0),
}


@pytest.fixture(scope="session")
def frame(tmp_path_factory) -> pathlib.Path:
    file = tmp_path_factory.mktemp("ffmpeg") / "noise.yuv"
    file.write_bytes(np.random.default_rng(7).integers(0, 256, 3 * height * width, np.uint8).tobytes())
    return file


def filtered(frame: pathlib.Path, graph: str, *options: str) -> bytes:
    result = frame.with_suffix(".out")
    result.unlink(missing_ok=True)
    status, output = programs.run(["ffmpeg", "-hide_banner", "-v", "error", *options, "-f", "rawvideo", "-pix_fmt",
                                   "yuv444p", "-s", f"{width}x{height}", "-i", frame, "-frames:v", "1", "-vf", graph,
                                   "-f", "rawvideo", "-y", result])
    if status != 0:
        pytest.fail(programs.why(status, output), pytrace=False)
    return result.read_bytes()


@pytest.mark.parametrize("name", filters)
def test_as_on_the_host(name, frame):
    with_opencl, host, most, border = filters[name]
    device = ("-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device", "ocl")
    got = filtered(frame, f"hwupload,{with_opencl},hwdownload,format=yuv444p", *device)
    expected = filtered(frame, f"{host},format=yuv444p")
    assert len(got) == len(expected)
    shape = {"transpose": (3, width, height), "pad": (3, 80, 120)}.get(name, (3, height, width))
    got, expected = (np.frombuffer(pixels, np.uint8).reshape(shape).astype(int) for pixels in (got, expected))
    far = np.abs(got - expected)
    if border:
        far = far[:, border:-border, border:-border]
    wrong = far > most
    if wrong.any():
        pytest.fail(f"{wrong.sum()} of {wrong.size} values are off, by up to {far.max()}", pytrace=False)
