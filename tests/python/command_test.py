"""python -m visor: a script with Visor as its OpenCL platform, or the command line. The script asks the platform's own
entry points by ctypes, so that no ICD loader is needed."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import visor
from visor import __main__ as command_line

SCRIPT = """
import os, pathlib, sys
vendors = os.environ["OCL_ICD_VENDORS"]
libraries = [file.read_text().strip() for file in pathlib.Path(vendors).iterdir()]
print(libraries, os.environ.get("VISOR_DEVICE"), sys.argv[1:])
sys.exit(int(sys.argv[1]))
"""


def run(*words):
    return subprocess.run([sys.executable, "-m", "visor", *words], capture_output=True, text=True, check=False, timeout=60)


class Words(unittest.TestCase):
    def test_what_words_stand_for(self):
        program, python = visor.program(), sys.executable
        for words, expected in (
                (["--", "a.py", "x"], [program, "run", "--", python, "a.py", "x"]),
                (["--device", "pvc", "--", "-m", "http.server"],
                 [program, "run", "--device", "pvc", "--", python, "-m", "http.server"]),
                (["--", "a.py", "--", "b"], [program, "run", "--", python, "a.py", "--", "b"]),
                (["run", "--", "app"], [program, "run", "--", "app"]),
                (["--version"], [program, "--version"]),
                (["--"], [program, "--"]),
                ([], [program])):
            self.assertEqual(command_line.command(words), expected)


class Runs(unittest.TestCase):
    def test_a_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script.py"
            script.write_text(SCRIPT)
            done = run("--device", "pvc", "--", script, "0", "two words")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, f"{[visor.opencl_library()]} pvc ['0', 'two words']\n")
            self.assertNotEqual(run("--", script, "3").returncode, 0)

    def test_the_command_line(self):
        done = run("info", pathlib.Path(__file__).parents[1] / "launch/data/saxpy.skl.zebin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("saxpy", done.stdout)

    def test_the_parts_are_there(self):
        self.assertTrue(os.access(visor.program(), os.X_OK))
        self.assertTrue(os.access(visor.opencl_library(), os.R_OK))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
