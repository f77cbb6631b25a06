"""OpenCV's functions on UMat, which OpenCL computes, compared with the same on Mat.

Sums of whole numbers and comparisons must be equal; the others may differ by rounding: one step of eight bits, or the
relative bound in single precision.
"""
import os

import numpy as np
import pytest

os.environ["OPENCV_OPENCL_CACHE_ENABLE"] = "0" # its programs are of one compiler, and it does not ask which
os.environ["OPENCV_OPENCL_DEVICE"] = "::0" # a GPU or, on PoCL, a CPU
import cv2

bound = 1e-4
drawn = np.random.default_rng(7)
bytes_ = drawn.integers(0, 256, (60, 90), np.uint8)
other = drawn.integers(0, 256, (60, 90), np.uint8)
colours = drawn.integers(0, 256, (60, 90, 3), np.uint8)
floats = drawn.standard_normal((64, 64), np.float32)
more = drawn.standard_normal((64, 64), np.float32)
disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
turned = cv2.getRotationMatrix2D((45, 30), 20, 1.1)
tilted = np.array([[1.1, 0.1, 2], [0.05, 0.9, 3], [1e-4, 2e-4, 1]])

functions = {
    "add": lambda a: cv2.add(a(bytes_), a(other)),
    "subtract": lambda a: cv2.subtract(a(bytes_), a(other)),
    "multiply": lambda a: cv2.multiply(a(floats), a(more)),
    "divide": lambda a: cv2.divide(a(floats), a(np.abs(more) + 1)),
    "absdiff": lambda a: cv2.absdiff(a(bytes_), a(other)),
    "add_weighted": lambda a: cv2.addWeighted(a(bytes_), 0.3, a(other), 0.6, 4),
    "bitwise_xor": lambda a: cv2.bitwise_xor(a(bytes_), a(other)),
    "compare": lambda a: cv2.compare(a(bytes_), a(other), cv2.CMP_GT),
    "in_range": lambda a: cv2.inRange(a(colours), (50, 60, 70), (200, 210, 220)),
    "lut": lambda a: cv2.LUT(a(bytes_), a(np.arange(255, -1, -1, np.int16).astype(np.uint8).reshape(1, 256))),
    "exp": lambda a: cv2.exp(a(floats)),
    "log": lambda a: cv2.log(a(np.abs(floats) + 1)),
    "sqrt": lambda a: cv2.sqrt(a(np.abs(floats))),
    "pow": lambda a: cv2.pow(a(np.abs(floats) + 1), 2.5),
    "magnitude": lambda a: cv2.magnitude(a(floats), a(more)),
    "phase": lambda a: cv2.phase(a(floats), a(more)),
    "gemm": lambda a: cv2.gemm(a(floats), a(more), 1.5, None, 0),
    "dft": lambda a: cv2.dft(a(floats), flags=cv2.DFT_COMPLEX_OUTPUT),
    "transpose": lambda a: cv2.transpose(a(bytes_)),
    "flip": lambda a: cv2.flip(a(colours), 1),
    "split": lambda a: cv2.split(a(colours))[1],
    "merge": lambda a: cv2.merge([a(bytes_), a(other)]),
    "reduce": lambda a: cv2.reduce(a(bytes_), 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S),
    "normalize": lambda a: cv2.normalize(a(floats), None, 0, 1, cv2.NORM_MINMAX),
    "blur": lambda a: cv2.blur(a(bytes_), (5, 3)),
    "gaussian_blur": lambda a: cv2.GaussianBlur(a(bytes_), (7, 7), 1.5),
    "median_blur": lambda a: cv2.medianBlur(a(bytes_), 5),
    "bilateral_filter": lambda a: cv2.bilateralFilter(a(bytes_), 5, 40, 40),
    "filter_2d": lambda a: cv2.filter2D(a(floats), -1, more[:5, :5]),
    "sobel": lambda a: cv2.Sobel(a(bytes_), cv2.CV_16S, 1, 0),
    "laplacian": lambda a: cv2.Laplacian(a(bytes_), cv2.CV_16S, ksize=3),
    "canny": lambda a: cv2.Canny(a(bytes_), 200, 400),
    "erode": lambda a: cv2.erode(a(bytes_), disc),
    "dilate": lambda a: cv2.dilate(a(bytes_), disc),
    "morphology": lambda a: cv2.morphologyEx(a(bytes_), cv2.MORPH_GRADIENT, disc),
    "threshold": lambda a: cv2.threshold(a(bytes_), 120, 255, cv2.THRESH_TRUNC)[1],
    "adaptive_threshold": lambda a: cv2.adaptiveThreshold(a(bytes_), 255, cv2.ADAPTIVE_THRESH_MEAN_C,
                                                          cv2.THRESH_BINARY, 7, 3),
    "resize_linear": lambda a: cv2.resize(a(bytes_), (131, 47), interpolation=cv2.INTER_LINEAR),
    "resize_nearest": lambda a: cv2.resize(a(bytes_), (131, 47), interpolation=cv2.INTER_NEAREST),
    "resize_area": lambda a: cv2.resize(a(bytes_), (30, 20), interpolation=cv2.INTER_AREA),
    # OpenCV's kernel for Intel writes four pixels at a time: a row of another length runs into the next, a data race.
    "warp_affine": lambda a: cv2.warpAffine(a(bytes_), turned, (88, 60)),
    "warp_perspective": lambda a: cv2.warpPerspective(a(bytes_), tilted, (88, 60), flags=cv2.INTER_NEAREST),
    "pyramid_down": lambda a: cv2.pyrDown(a(bytes_)),
    "pyramid_up": lambda a: cv2.pyrUp(a(bytes_)),
    "grey": lambda a: cv2.cvtColor(a(colours), cv2.COLOR_BGR2GRAY),
    "hsv": lambda a: cv2.cvtColor(a(colours), cv2.COLOR_BGR2HSV),
    "lab": lambda a: cv2.cvtColor(a(colours), cv2.COLOR_BGR2LAB),
    "yuv": lambda a: cv2.cvtColor(a(colours), cv2.COLOR_BGR2YUV),
    "histogram": lambda a: cv2.calcHist([a(bytes_)], [0], None, [256], [0, 256]),
    "equalize": lambda a: cv2.equalizeHist(a(bytes_)),
    "clahe": lambda a: cv2.createCLAHE(2.0, (4, 4)).apply(a(bytes_[:56, :88])),
    "integral": lambda a: cv2.integral(a(bytes_)),
    "match_template": lambda a: cv2.matchTemplate(a(floats), a(floats[10:18, 20:28]), cv2.TM_CCOEFF_NORMED),
    "corners": lambda a: cv2.cornerHarris(a(floats), 3, 3, 0.04),
    "optical_flow": lambda a: cv2.calcOpticalFlowFarneback(a(bytes_), a(np.roll(bytes_, 1, 1)), None, 0.5, 1, 9, 2, 5,
                                                           1.1, 0),
    "denoise": lambda a: cv2.fastNlMeansDenoising(a(bytes_[:32, :32]), None, 20, 3, 7),
}


@pytest.fixture(scope="session", autouse=True)
def with_opencl():
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.useOpenCL():
        pytest.fail("OpenCV found no device")


@pytest.mark.parametrize("name", functions)
def test_as_on_the_host(name):
    got, expected = functions[name](cv2.UMat).get(), functions[name](np.array)
    assert got.shape == expected.shape and got.dtype == expected.dtype
    far = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    most = 1 if expected.dtype.kind in "iu" else bound * np.abs(expected).max()
    wrong = far > most
    if wrong.any():
        pytest.fail(f"{wrong.sum()} of {wrong.size} values are off, by up to {far.max():.3g}", pytrace=False)
