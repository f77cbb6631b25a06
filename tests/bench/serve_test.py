"""The requests that `compare --serve` answers for another build (bench/compare/baseline.h). serve_test.py COMPARE"""
import os
import subprocess
import sys

SKIPPED = 77
KERNEL = "triad 64k (L2)" # bench/compare/first_set.cpp: 65,536 floats in each of three buffers
BYTES = 4 * 65536


class Server:
    """The program, asked line by line."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "--serve", "yes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        """The line that it answers."""
        self.process.stdin.write(request.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().rstrip("\n")

    def read(self, count):
        """So many bytes behind a line."""
        return self.process.stdout.read(count)

    def end(self):
        """Its exit code, once its input has ended."""
        self.process.stdin.close()
        return self.process.wait(timeout=60)


def expect(what, got, wanted):
    """Tells of a difference."""
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")
    return got == wanted


def main(program):
    """The exit code."""
    if not os.access(program, os.X_OK):
        print(f"{program} is not built")
        return SKIPPED
    server = Server(program)
    fine = expect("a run before anything is prepared", server.ask("run 1"), "failed")
    fine &= expect("an unknown kernel", server.ask("prepare skl no such kernel"), "failed")
    fine &= expect("an unknown device", server.ask(f"prepare none {KERNEL}"), "failed")
    fine &= expect("a kernel", server.ask(f"prepare skl {KERNEL}"), "ok")
    fine &= expect("a run that is no number", server.ask("run one"), "failed")
    fine &= expect("a buffer that is none", server.ask("content 99"), "failed")
    before = server.read(int(server.ask("content 0")))
    fine &= expect("bytes of a buffer", len(before), BYTES)
    seconds = [float(word) for word in server.ask("run 2").split()]
    fine &= expect("CPU and wall-clock seconds", [len(seconds), all(one > 0 for one in seconds)], [2, True])
    after = server.read(int(server.ask("content 0")))
    fine &= expect("the kernel wrote its result", before != after, True)
    fine &= expect("reset", server.ask("reset"), "ok")
    fine &= expect("the buffer as before", server.read(int(server.ask("content 0"))) == before, True)
    fine &= expect("a word that is no request", server.ask("leave"), "failed")
    fine &= expect("its end", server.end(), 0)
    return 0 if fine else 1


sys.exit(main(sys.argv[1]))
