"""Small models on OpenVINO's GPU plugin, compared with its CPU plugin in single precision.

Weights and inputs are drawn with a seed. The error is the largest difference over the largest value.
"""
import numpy as np
import openvino as ov
import pytest
from openvino import opset13 as ops

bound = 1e-5
generator = np.random.default_rng(7)
single = {"INFERENCE_PRECISION_HINT": "f32"}


def drawn(*shape: int) -> np.ndarray:
    return generator.standard_normal(shape).astype(np.float32)


def weights(*shape: int):
    return ops.constant(drawn(*shape) / np.sqrt(shape[-1]).astype(np.float32))


def convolution():
    x = ops.parameter([1, 8, 20, 24], np.float32)
    first = ops.convolution(x, weights(16, 8, 3, 3), [1, 1], [1, 1], [1, 1], [1, 1])
    second = ops.convolution(ops.relu(ops.add(first, weights(1, 16, 1, 1))), weights(8, 16, 3, 3), [2, 2], [0, 0],
                             [1, 1], [1, 1])
    return [x], [ops.max_pool(second, [1, 1], [1, 1], [0, 0], [0, 0], [2, 2])]


def matmul_softmax():
    x = ops.parameter([6, 48], np.float32)
    hidden = ops.gelu(ops.add(ops.matmul(x, weights(48, 96), False, False), weights(1, 96)), "erf")
    return [x], [ops.softmax(ops.matmul(hidden, weights(96, 40), False, False), 1)]


def attention():
    query, key, value = (ops.parameter([1, 4, 24, 16], np.float32) for _ in range(3))
    scores = ops.multiply(ops.matmul(query, key, False, True), ops.constant(np.float32(0.25)))
    written_out = ops.matmul(ops.softmax(scores, 3), value, False, False)
    return [query, key, value], [written_out, ops.scaled_dot_product_attention(query, key, value)]


def lstm():
    batch, steps, inputs, hidden = 2, 7, 12, 16
    x = ops.parameter([batch, steps, inputs], np.float32)
    zeros = ops.constant(np.zeros((batch, 1, hidden), np.float32))
    lengths = ops.constant(np.full(batch, steps, np.int32))
    cells = ops.lstm_sequence(x, zeros, zeros, lengths, weights(1, 4 * hidden, inputs), weights(1, 4 * hidden, hidden),
                              weights(1, 4 * hidden), hidden, "FORWARD")
    return [x], [cells.output(0), cells.output(2)]


def resize():
    x = ops.parameter([1, 3, 14, 18], np.float32)
    shape, axes = ops.constant(np.array([31, 29], np.int32)), ops.constant(np.array([2, 3], np.int32))
    return [x], [ops.interpolate(x, shape, mode, "sizes", axes=axes, coordinate_transformation_mode=where)
                 for mode, where in (("linear_onnx", "half_pixel"), ("nearest", "asymmetric"), ("cubic", "half_pixel"))]


@pytest.fixture(scope="module")
def core():
    out = ov.Core()
    assert "GPU" in out.available_devices
    return out


def compare(core, build) -> None:
    inputs, outputs = build()
    model = ov.Model(outputs, inputs, build.__name__)
    values = [drawn(*one.get_output_shape(0)) for one in inputs]
    expected = list(core.compile_model(model, "CPU", single)(values).values())
    got = list(core.compile_model(model, "GPU", single)(values).values())
    assert len(got) == len(expected) == len(outputs)
    for want, have in zip(expected, got):
        error = np.abs(have - want).max() / np.abs(want).max()
        assert have.shape == want.shape and np.isfinite(have).all() and error <= bound, f"relative error {error:.2g}"


@pytest.mark.parametrize("build", [convolution, matmul_softmax, attention, lstm, resize], ids=lambda one: one.__name__)
def test_as_on_the_cpu(core, build):
    compare(core, build)


def test_without_onednn(core, monkeypatch):
    """From Xe on the plugin takes oneDNN for recurrent networks, which runs on platforms called Intel alone."""
    monkeypatch.setenv("OV_GPU_USE_ONEDNN", "0")
    compare(core, lstm)
