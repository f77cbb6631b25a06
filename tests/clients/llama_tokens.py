"""A small random llama (llama_model.py) on llama.cpp's SYCL backend: the tokens that its CPU backend chooses.

At each step the token with the largest logit goes on. Logits differ since the CPU rounds activations otherwise.
"""
import llama_model
import numpy as np
import pytest
from cyllama.llama import llama_cpp

prompt = [1, 75, 104, 111, 111, 114, 35, 122, 114, 117, 111, 103]
steps = 12
llama_cpp.ggml_backend_load_all()


class Model(llama_cpp.LlamaModel):
    n_vocab = len(llama_model.tokens)   # the binding asks for it and does not have it


def generate(path: str, on_gpu: bool) -> tuple[list[int], np.ndarray]:
    """The tokens, and the logits from which each was chosen."""
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


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("llama") / "model.gguf")
    llama_model.write(out, seed=11)
    return out


def test_tokens_of_the_cpu(path):
    tokens, logits = generate(path, on_gpu=False)
    assert len(set(tokens)) > 3 # not stuck, so that a wrong logit shows
    on_gpu, logits_on_gpu = generate(path, on_gpu=True)
    assert on_gpu == tokens
    error = np.abs(logits_on_gpu - logits).max() / np.abs(logits).max()
    assert np.isfinite(logits_on_gpu).all() and error <= 0.02, f"relative error {error:.2g}"
