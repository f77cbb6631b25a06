"""What a long compilation says, and to whom: a terminal is told once, a pipe is not. A worker that sleeps makes it
long. terminal_test.py VISOR WORKER [APPLICATION]"""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

SLOW = """#!/bin/sh
# The first question is which compiler it is; the second is the build.
if [ ! -e "$0.first" ]; then : > "$0.first"
elif [ ! -e "$0.second" ]; then : > "$0.second"; sleep 2.5
fi
exec "{worker}"
"""
KERNEL = "kernel void fill(global int* p) { p[get_global_id(0)] = 7; }\n"


class Folder:
    """With a slow worker and a cache of its own."""

    def __init__(self, worker):
        self.kept = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.kept.name)
        script = self.path / "visor-compile-worker"
        script.write_text(SLOW.format(worker=worker))
        script.chmod(0o755)
        (self.path / "k.cl").write_text(KERNEL)

    def environment(self):
        return dict(os.environ, VISOR_LIBEXEC=str(self.path), VISOR_CACHE_DIR=str(self.path / "cache"))


def run(words, environment, terminal):
    """Standard error of a run, which has to end well."""
    if not terminal:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # what Linux says when the last writer is gone
            pass
        process.wait(timeout=100)
    os.close(ours)
    assert process.returncode == 0, text
    return text.decode().replace("\r\n", "\n")


def check(name, worker, words, pattern):
    for terminal in (True, False):
        folder = Folder(worker)
        told = run([word.replace("FOLDER", str(folder.path)) for word in words], folder.environment(), terminal)
        found = re.findall(pattern, told, re.MULTILINE)
        wanted = 1 if terminal else 0
        assert len(found) == wanted, f"{name}: {len(found)} notices, not {wanted}, in\n{told}"
    again = run([word.replace("FOLDER", str(folder.path)) for word in words], folder.environment(), True)
    assert not re.findall(pattern, again, re.MULTILINE), f"{name}: a cached build was told of\n{again}"
    print(f"{name}: good")


def main():
    visor, worker = sys.argv[1:3]
    check("visor run", worker,
          [visor, "run", "FOLDER/k.cl", "-g", "8", "-a", "zeros:i32:8", "--engine", "interp"],
          r"^visor: compiling `.*/k\.cl` \(kernel fill\) for skl: [2-9]\d* s so far$")
    if len(sys.argv) > 3:
        check("application", worker, [visor, "run", "--engine", "interp", "--", sys.argv[3], "good"],
              r"^visor: compiling `program\.cl` \(kernels good, fault, race, wide, order, endless\) for skl: "
              r"[2-9]\d* s so far; no builds came from the cache so far$")


if __name__ == "__main__":
    main()
