#!/usr/bin/python3
"""How long a step back takes: in a launch of about 100 million instructions, CPU time of the process, median of 20.

    bench/debug_back.py [VISOR] [--devices skl,pvc]      the program: default build/release/cli/visor
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

SOURCE = """kernel void k(global float* a, int n) {
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; ++i)
        x = mad(x, 0.999f, 0.5f);
    a[get_global_id(0)] = x;
}
"""
TURNS = {"skl": 16_600_000, "pvc": 25_000_000}     # of the loop, which has six or four instructions
MARK = "424242"


class Debugger:
    def __init__(self, program: str, source: pathlib.Path, device: str):
        words = [program, "debug", str(source), "-g", "64", "-l", "64", "-a", "iota:f32:64", str(TURNS[device]), "--device", device,
                 "--stop-at-end", "--fuel", "0"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.answer()

    def cpu(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answer(self, *commands: str) -> list[str]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n".join((*commands, f"print {MARK}")) + "\n")
        self.process.stdin.flush()
        lines: list[str] = []
        for line in self.process.stdout:
            if MARK in line:
                break
            lines.append(line.rstrip())
        return lines

    def seconds(self, command: str) -> float:
        before = self.cpu()
        self.answer(command)
        return self.cpu() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("visor", nargs="?", default="build/release/cli/visor")
    parser.add_argument("--devices", default="skl,pvc")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "k.cl"
        source.write_text(SOURCE, encoding="utf-8")
        for device in chosen.devices.split(","):
            debugger = Debugger(chosen.visor, source, device)
            forward = debugger.seconds("continue")
            back: list[float] = []
            for _ in range(20):
                back.append(debugger.seconds("reverse-stepi"))
                debugger.answer("reverse-stepi 3")
            kept = debugger.answer("info history")[0]
            far = [debugger.seconds(f"goto {clock}") for clock in (1_000_000, 90_400_000, 50_700_000, 99_000_000, 10_300_000)]
            print(f"{device}: forward {forward:.1f} s; one step back {statistics.median(back):.3f} s (most {max(back):.3f}); "
                  f"anywhere {statistics.median(far):.3f} s (most {max(far):.3f}); {kept}")
            debugger.answer("quit")
            debugger.process.wait()


if __name__ == "__main__":
    main()
