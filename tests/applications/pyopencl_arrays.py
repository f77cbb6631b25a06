"""PyOpenCL's arrays, scans, reductions, sorts and random numbers, each compared with NumPy."""
import sys
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath
import pyopencl.clrandom as clrandom
from pyopencl.algorithm import RadixSort, copy_if
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
count = 20000
generator = np.random.default_rng(1)
x = generator.random(count, dtype=np.float32)
y = generator.random(count, dtype=np.float32)
numbers = generator.integers(0, 100, count).astype(np.int32)
a, b, i = (cl_array.to_device(queue, array) for array in (x, y, numbers))
wrong = 0


def check(name, good):
    global wrong
    print(f"{name}: {'good' if good else 'WRONG'}")
    wrong += 0 if good else 1


check("arithmetic", np.allclose((2 * a + b * a - b / (a + 1)).get(), 2 * x + y * x - y / (x + 1), rtol=1e-5))
check("functions", np.allclose(clmath.exp(a).get(), np.exp(x), rtol=1e-5))
check("complex numbers", np.allclose((cl_array.to_device(queue, (x + 1j * y).astype(np.complex64)) * 2j).get(),
                                     (x + 1j * y).astype(np.complex64) * 2j))
check("choices", (cl_array.if_positive(a - b, a, b).get() == np.maximum(x, y)).all())
check("sum", np.isclose(float(cl_array.sum(a).get()), x.astype(np.float64).sum(), rtol=1e-5))
check("dot product", np.isclose(float(cl_array.dot(a, b).get()), x.astype(np.float64) @ y, rtol=1e-5))
check("maximum", cl_array.max(a).get() == x.max())

scale = ElementwiseKernel(context, "float *x, float s, float *y", "y[i] = s * x[i] + i", "scale")
scaled = cl_array.empty_like(a)
scale(a, np.float32(3), scaled)
check("elementwise kernel", np.allclose(scaled.get(), 3 * x + np.arange(count), rtol=1e-5))
squares = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]",
                          arguments="__global float *x")
check("reduction kernel", np.isclose(float(squares(a).get()), (x.astype(np.float64) ** 2).sum(), rtol=1e-5))
scanned = i.copy()
InclusiveScanKernel(context, np.int32, "a+b", neutral="0")(scanned)
check("scan", (scanned.get() == np.cumsum(numbers)).all())
chosen, how_many, _ = copy_if(i, "ary[i] > 50")
check("selection", (chosen.get()[:int(how_many.get())] == numbers[numbers > 50]).all())
sort = RadixSort(context, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"], key_dtype=np.int32)
(in_order,), _ = sort(i, key_bits=8)
check("radix sort", (in_order.get() == np.sort(numbers)).all())
uniform = clrandom.rand(queue, count, np.float32).get()
check("uniform random numbers", 0 <= uniform.min() and uniform.max() <= 1 and abs(uniform.mean() - 0.5) < 0.02)
normal = clrandom.PhiloxGenerator(context).normal(queue, count, np.float32).get()
check("normal random numbers", abs(normal.mean()) < 0.05 and abs(normal.std() - 1) < 0.05)
sys.exit(1 if wrong else 0)
