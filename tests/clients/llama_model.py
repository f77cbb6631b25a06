"""A llama of two layers with random weights: written as GGUF, and computed with NumPy in double precision.

The vocabulary is the 256 bytes and three tokens of control. Matrices have weights of 8 bits (Q8_0).
"""
import gguf
import numpy as np

width, heads, heads_kv, layers, inner, context = 64, 4, 2, 2, 128, 256
size = width // heads   # of a head
epsilon, rope_base = 1e-5, 10000.0
tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256


def draw(seed: int) -> dict[str, np.ndarray]:
    """Matrices as the bytes of Q8_0, vectors as they are."""
    generator = np.random.default_rng(seed)
    out = {}

    def matrix(name: str, rows: int, columns: int) -> None:
        values = generator.standard_normal((rows, columns)) * 2 / np.sqrt(columns)
        out[f"{name}.weight"] = gguf.quants.quantize(values.astype(np.float32), gguf.GGMLQuantizationType.Q8_0)

    def vector(name: str) -> None:
        out[f"{name}.weight"] = (1 + generator.standard_normal(width) / 8).astype(np.float32)

    matrix("token_embd", len(tokens), width)
    for layer in range(layers):
        for name, rows, columns in (("attn_q", width, width), ("attn_k", size * heads_kv, width),
                                    ("attn_v", size * heads_kv, width), ("attn_output", width, width),
                                    ("ffn_gate", inner, width), ("ffn_up", inner, width), ("ffn_down", width, inner)):
            matrix(f"blk.{layer}.{name}", rows, columns)
        vector(f"blk.{layer}.attn_norm")
        vector(f"blk.{layer}.ffn_norm")
    vector("output_norm")
    matrix("output", len(tokens), width)
    return out


def write(path: str, weights: dict[str, np.ndarray]) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads_kv)
    writer.add_layer_norm_rms_eps(epsilon)
    writer.add_rope_dimension_count(size)
    writer.add_rope_freq_base(rope_base)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    for name, values in weights.items():
        quantized = gguf.GGMLQuantizationType.Q8_0 if values.ndim == 2 else None
        writer.add_tensor(name, values, raw_dtype=quantized)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def norm(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight


def rotate(x: np.ndarray) -> np.ndarray:
    """Positions into heads: pairs of neighbours are turned. x is position, head, element."""
    angles = np.arange(len(x))[:, None, None] * rope_base ** (-np.arange(0, size, 2) / size)
    even, odd = x[..., ::2], x[..., 1::2]
    turned = np.stack((even * np.cos(angles) - odd * np.sin(angles), even * np.sin(angles) + odd * np.cos(angles)), -1)
    return turned.reshape(x.shape)


def logits(weights: dict[str, np.ndarray], text: list[int]) -> np.ndarray:
    """Of the token after each of the text's."""
    exact = {name.removesuffix(".weight"): gguf.quants.dequantize(values, gguf.GGMLQuantizationType.Q8_0).astype(float)
             if values.ndim == 2 else values.astype(float) for name, values in weights.items()}
    x = exact["token_embd"][text]
    later = np.triu(np.full((len(text), len(text)), -np.inf), 1)
    for layer in range(layers):
        block = {name.removeprefix(f"blk.{layer}."): values for name, values in exact.items()}
        y = norm(x, block["attn_norm"])
        query, key, value = ((y @ block[name].T).reshape(len(text), -1, size)
                             for name in ("attn_q", "attn_k", "attn_v"))
        query, key = rotate(query), rotate(key)
        key, value = (np.repeat(one, heads // heads_kv, axis=1) for one in (key, value))
        scores = np.einsum("qhe,khe->hqk", query, key) / np.sqrt(size) + later
        share = np.exp(scores - scores.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        x = x + np.einsum("hqk,khe->qhe", share, value).reshape(len(text), width) @ block["attn_output"].T
        y = norm(x, block["ffn_norm"])
        gate = y @ block["ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (y @ block["ffn_up"].T)) @ block["ffn_down"].T
    return norm(x, exact["output_norm"]) @ exact["output"].T
