"""saxpy from a zebin, with nothing but the wheel: saxpy.py ZEBIN [--without-compiler]. Expected values are worked out
by hand: y = 2.5 x + 1."""
import os
import re
import sys

import numpy as np

import visor

for engine in ("interp", "jit"):
    device = visor.Device("skl", engine=engine)
    saxpy = device.compile(open(sys.argv[1], "rb").read())["saxpy"]
    x, y = np.arange(5, dtype=np.float32), device.from_array(np.ones(5, dtype=np.float32))
    result = saxpy(y, x, 2.5, 5, global_size=8)
    assert y.tolist() == [1, 3.5, 6, 8.5, 11], y
    assert result.report["native"] == (engine == "jit"), result.report
    print(f"{engine}: {result}")

if "--without-compiler" in sys.argv:
    try:
        visor.compile("kernel void k(global int* p) { *p = 1; }")
    except visor.Error as error:
        print(error)
        script = re.search("`(/[^`]*visor-bring-compiler)`", str(error))
        assert "intel-opencl-icd" in str(error) and script and os.access(script[1], os.X_OK), error
    else:
        sys.exit("there is a compiler here")
