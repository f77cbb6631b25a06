#!python
"""The command `visor` of a wheel. It hands over to the program in the package and does not import that: NumPy takes
longer to load than a small kernel takes to run."""
import importlib.util
import os
import sys

package = os.path.dirname(importlib.util.find_spec("visor").origin)
program = os.path.join(package, "bin", "visor")
os.execv(program, [program, *sys.argv[1:]])
