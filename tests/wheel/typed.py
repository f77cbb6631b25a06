"""What somebody else's type checker sees of the module: mypy --strict accepts this file, and `wrong` alone is an error."""
import numpy as np

import visor

program: visor.Program = visor.compile("saxpy.zebin", device="skl")
kernel: visor.Kernel = program["saxpy"]
x = visor.from_array(np.arange(8, dtype=np.float32))
result: visor.Result = kernel(x, x, 2.5, n=8, global_size=8, check=["race"])
names: list[str] = [*program, *visor.devices()]
library: str = visor.opencl_library()
try:
    visor.run(b"", x, engine="jit")
except visor.Fault as error:
    print(error.fault["kind"], error.status)
wrong: int = kernel.signature  # type: ignore[assignment]
