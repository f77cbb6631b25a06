"""What a kernel prints commands no terminal: control characters are shown there, and go to a pipe as they are.
printf_terminal_test.py VISOR"""
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

KERNEL = 'kernel void k() { printf("a\\tb\\x1b[2J\\r%s\\n", "c\\bd"); }\n'
PIPE = b"a\tb\x1b[2J\rc\x08d\n"
TERMINAL = b"a\tb\\x1b[2J\\x0dc\\x08d\n"


def on_terminal(words):
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdout=theirs, stderr=subprocess.DEVNULL) as process:
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
    return text.replace(b"\r\n", b"\n")


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "k.cl"
        source.write_text(KERNEL)
        words = [sys.argv[1], "run", str(source), "-g", "1", "--engine", "interp"]
        piped = subprocess.run(words, capture_output=True, timeout=100, check=True).stdout
        assert piped == PIPE, piped
        shown = on_terminal(words)
        assert shown == TERMINAL, shown
    print("printf: good")


main()
