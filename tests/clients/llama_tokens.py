"""A small random llama (llama_model.py) on llama.cpp's SYCL backend: the tokens of its CPU backend and of NumPy.

Both backends round activations to eight bits, each in its own way, so that their logits differ by some hundredths of
the largest. With this seed the best two tokens of each step lie further apart.
"""
import llama_model
import numpy as np
import pytest
from cyllama.llama import llama_cpp

prompt = [1, 75, 104, 111, 111, 114, 35, 122, 114, 117, 111, 103]
steps, seed = 8, 308
bound = 0.06
llama_cpp.ggml_backend_load_all()


class Model(llama_cpp.LlamaModel):
    n_vocab = len(llama_model.tokens)   # the binding asks for it and does not have it


def generate(path: str, on_gpu: bool) -> tuple[list[int], np.ndarray]:
    """The token with the largest logit at each step, and the logits."""
    model_parameters, parameters = llama_cpp.LlamaModelParams(), llama_cpp.LlamaContextParams()
    model_parameters.n_gpu_layers = 99 if on_gpu else 0
    parameters.n_ctx = llama_model.context
    parameters.offload_kqv = parameters.op_offload = on_gpu
    model = Model(path_model=path, params=model_parameters, verbose=False)
    context = llama_cpp.LlamaContext(model=model, params=parameters, verbose=False)
    tokens, logits, batch, position = [], [], prompt, 0
    for _ in range(steps):
        context.decode(llama_cpp.llama_batch_get_one(batch, position))
        position += len(batch)
        logits.append(np.array(context.get_logits_ith(-1), np.float32))
        tokens.append(int(logits[-1].argmax()))
        batch = tokens[-1:]
    return tokens, np.stack(logits)


def error(logits: np.ndarray, exact: np.ndarray) -> float:
    assert np.isfinite(logits).all()
    return float(np.abs(logits - exact).max() / np.abs(exact).max())


@pytest.fixture(scope="module")
def weights():
    return llama_model.draw(seed)


@pytest.fixture(scope="module")
def path(tmp_path_factory, weights):
    out = str(tmp_path_factory.mktemp("llama") / "model.gguf")
    llama_model.write(out, weights)
    return out


def test_tokens_of_the_cpu(path, weights):
    tokens, logits = generate(path, on_gpu=False)
    exact = llama_model.logits(weights, prompt + tokens)[len(prompt) - 1:-1]
    assert tokens == exact.argmax(axis=1).tolist() and error(logits, exact) <= bound
    on_gpu, logits_on_gpu = generate(path, on_gpu=True)
    off = error(logits_on_gpu, exact)
    assert on_gpu == tokens and off <= bound, f"{on_gpu} for {tokens}, error {off:.2g}"
