"""Writes a network of random weights that Leela Zero reads: 128 channels and one residual block (file format version 1)."""

import random
import sys

CHANNELS = 128
BOARD = 19 * 19


def row(count: int, value: str = "") -> str:
    return " ".join(value or f"{random.gauss(0, 0.05):.4f}" for _ in range(count))


def convolution(outputs: int, inputs: int, side: int) -> list[str]:
    """Weights, biases, and the means and variances of its batch normalization."""
    return [row(outputs * inputs * side * side), row(outputs, "0"), row(outputs, "0"), row(outputs, "1")]


def main() -> None:
    random.seed(1)
    lines = ["1", *convolution(CHANNELS, 18, 3)]
    lines += convolution(CHANNELS, CHANNELS, 3) + convolution(CHANNELS, CHANNELS, 3)
    lines += [*convolution(2, CHANNELS, 1), row(2 * BOARD * (BOARD + 1)), row(BOARD + 1, "0")]
    lines += [*convolution(1, CHANNELS, 1), row(BOARD * 256), row(256, "0"), row(256), "0"]
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
