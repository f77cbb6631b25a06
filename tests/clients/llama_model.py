"""A llama of two layers with random weights: `python llama_model.py FILE` writes it as GGUF.

The vocabulary is the 256 bytes and three tokens of control. The weights of matrices have 8 bits (Q8_0).
"""
import sys

import gguf
import numpy as np

width, heads, heads_kv, layers, inner, context = 64, 4, 2, 2, 128, 256
tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256


def write(path: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads_kv)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)

    def add(name: str, rows: int, columns: int) -> None:
        values = generator.standard_normal((rows, columns)).astype(np.float32) * 2 / np.sqrt(columns)
        kind = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(name, gguf.quants.quantize(values.astype(np.float32), kind), raw_dtype=kind)

    def add_ones(name: str) -> None:
        writer.add_tensor(name, np.ones(width, np.float32))

    add("token_embd.weight", len(tokens), width)
    for layer in range(layers):
        for name, rows, columns in (("attn_q", width, width), ("attn_k", width // heads * heads_kv, width),
                                    ("attn_v", width // heads * heads_kv, width), ("attn_output", width, width),
                                    ("ffn_gate", inner, width), ("ffn_up", inner, width), ("ffn_down", width, inner)):
            add(f"blk.{layer}.{name}.weight", rows, columns)
        add_ones(f"blk.{layer}.attn_norm.weight")
        add_ones(f"blk.{layer}.ffn_norm.weight")
    add_ones("output_norm.weight")
    add("output.weight", len(tokens), width)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1], seed=11)
