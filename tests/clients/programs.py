"""What the tests that start programs have in common: each program in a process of its own, its failure in a line."""
import os
import pathlib
import re
import subprocess

home = pathlib.Path(os.environ["VISOR_CLIENTS_HOME"])   # where the clients lie
client = os.environ["VISOR_CLIENT"]                     # whose tests are asked for
most_seconds = 600


def run(command: list, folder: pathlib.Path = home, **variables: str) -> tuple[int, str]:
    """The exit code and the output."""
    process = subprocess.run([str(word) for word in command], cwd=folder, env=os.environ | variables, text=True,
                             errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=most_seconds, check=False)
    return process.returncode, process.stdout


def why(status: int, output: str) -> str:
    """What a program that failed said: a panic of Rust or of Go, an exception of Java, or its last line."""
    panic = re.search(r"panicked at ([^\n]*):\n([^\n]*(?:\n  *(?:left|right): [^\n]*)*)", output)
    thrown = re.search(r"(?:^Exception in thread |^WRONG|panic: ).*$", output, re.MULTILINE)
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("visor: ")]
    said = f"{panic[2]} ({panic[1]})" if panic else thrown[0] if thrown else lines[-1] if lines else "nothing"
    return f"exit code {status}: {said}"
