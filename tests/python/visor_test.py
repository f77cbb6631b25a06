"""The Python module as its users have it. Expected numbers are NumPy's or worked out by hand."""
import os
import signal
import threading
import time
import unittest

import numpy as np

import visor

SAXPY = """
kernel void saxpy(global float* y, global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
kernel void halves(global half* h) { int i = get_global_id(0); h[i] = h[i] * (half)2; }
kernel void vectors(global int* out, int4 v, int3 w) { out[0] = v.z + w.y; printf("%d\\n", out[0]); }
kernel void outside(global int* out) { *(global int*)0x1000ul = out[0]; }
kernel void brighter(read_only image2d_t from, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, read_imagef(from, at) * 2.0f);
}
kernel void racy(global int* out, local int* tmp) {
    int i = get_local_id(0);
    tmp[i] = i;
    out[i] = tmp[i ^ 32];
}
"""
STORE = """.version 4.1
.kernel "store"
.decl lanes v_type=G type=ud num_elts=8 align=GRF
.decl offsets v_type=G type=ud num_elts=8 align=GRF
.decl first v_type=G type=ud num_elts=1 align=dword
.decl out v_type=T num_elts=1
.input lanes offset=32 size=32
.input first offset=64 size=4
.kernel_attr SimdSize=8
    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud
    add (M1, 8) lanes(0,0)<1> lanes(0,0)<1;1,0> first(0,0)<0;1,0>
    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0
    ret (M1, 1)
"""
ENDLESS = """.version 4.1
.kernel "endless"
.kernel_attr SimdSize=8
again:
    jmp (M1, 1) again
    ret (M1, 1)
"""


class Compiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = visor.compile(SAXPY, options="-cl-std=CL1.2")

    def test_arrays_are_written_back(self):
        x = np.arange(1000, dtype=np.float32)
        y = np.ones(1000, dtype=np.float32)
        result = self.program["saxpy"](y, x, 2.5, 1000, global_size=1024, local_size=64)
        np.testing.assert_array_equal(y, 2.5 * x + 1)
        np.testing.assert_array_equal(x, np.arange(1000, dtype=np.float32))
        self.assertEqual(result.report["work_groups"], 16)

    def test_names_and_strides(self):
        y = np.zeros(2000, dtype=np.float32)
        x = np.arange(2000, dtype=np.float32)
        self.program["saxpy"](a=2, n=1000, x=x[::2], y=y[::2], global_size=1000)
        np.testing.assert_array_equal(y[::2], 2 * x[::2])
        np.testing.assert_array_equal(y[1::2], 0)

    def test_device_arrays_are_not_copied(self):
        x = visor.from_array(np.arange(64, dtype=np.float32))
        y = visor.zeros(64)
        place = y.__array_interface__["data"][0]
        self.program["saxpy"](y, x, 3, 64, global_size=64)
        np.testing.assert_array_equal(y, 3 * np.arange(64))
        self.assertEqual(y.__array_interface__["data"][0], place)
        view = y[:32]
        self.program["saxpy"](view, x, 1, 32, global_size=32)  # a part: copied and written back
        np.testing.assert_array_equal(y[:32], 4 * np.arange(32))
        np.testing.assert_array_equal(y[32:], 3 * np.arange(32, 64))

    def test_halves(self):
        h = np.array([0.5, 1, 65504 / 2, -3] * 4, dtype=np.float16)
        expected = h * np.float16(2)
        self.program["halves"](h, global_size=16)
        np.testing.assert_array_equal(h, expected)

    def test_vectors_and_printf(self):
        out = np.zeros(1, dtype=np.int32)
        result = self.program["vectors"](out, (1, 2, 3, 4), (10, 20, 30), global_size=1)
        self.assertEqual(out[0], 23)
        self.assertEqual(result.output, "23\n")

    def test_images(self):
        pixels = np.arange(0, 64, dtype=np.uint8).reshape(4, 4, 4)
        to = visor.image(np.zeros_like(pixels))
        self.program["brighter"](visor.image(pixels), to, global_size=(4, 4))
        np.testing.assert_array_equal(to.read(), pixels * 2)

    def test_faults_are_exceptions(self):
        out = np.zeros(16, dtype=np.int32)
        with self.assertRaises(visor.Fault) as caught:
            self.program["outside"](out, global_size=16)
        self.assertEqual(caught.exception.fault["kind"], "out_of_bounds")
        self.assertIn("outside every allocation", str(caught.exception))

    def test_findings(self):
        out = np.zeros(64, dtype=np.int32)
        result = self.program["racy"](out, visor.local(256), global_size=64, local_size=64, check="race")
        self.assertTrue(any(finding["checker"] == "race" for finding in result.findings))

    def test_diagnostics(self):
        with self.assertRaises(visor.CompileError) as caught:
            visor.compile("kernel void k( {\n", "broken.cl")
        self.assertEqual(len(caught.exception.diagnostics), 1)
        self.assertIn("broken.cl", str(caught.exception))

    def test_wrong_arguments(self):
        kernel = self.program["saxpy"]
        x = np.zeros(4, dtype=np.float32)
        for values, named in (((x, x, 1.0), {}), ((x, x, "one", 4), {}), ((x, x, 1, 4, 5), {}), ((1, x, 1, 4), {}),
                              ((x, x, 1, 4), {"nobody": 1}), ((x, x, 1, 1 << 40), {})):
            with self.assertRaises(visor.Error, msg=str(values)):
                kernel(*values, global_size=4, **named)
        with self.assertRaises(KeyError):
            self.program["nobody"]
        with self.assertRaises(visor.Error):
            kernel(x, x, 1, 4)
        with self.assertRaises(visor.Error):
            kernel(x, x, 1, 4, global_size=4, check="what")


class HandWritten(unittest.TestCase):
    def test_store(self):
        out = np.zeros(8, dtype=np.uint32)
        kernel = visor.compile(STORE)["store"]
        result = kernel(visor.lane, 100, out=out, hw_threads=1, registers=["first"], trace=True)
        np.testing.assert_array_equal(out, np.arange(100, 108))
        self.assertEqual(result.registers["first"]["elements"], "100")
        self.assertEqual(len(result.trace), 4)

    def test_assemble_and_disassemble(self):
        binary = visor.assemble(STORE)
        self.assertEqual(binary[:4], b"CISA")
        self.assertEqual(visor.assemble(visor.disassemble(binary)), binary)
        with self.assertRaises(visor.CompileError) as caught:
            visor.assemble(STORE.replace("first(0,0)<0;1,0>", "last(0,0)<0;1,0>"))
        self.assertEqual(caught.exception.diagnostics[0]["line"], 11)

    def test_check(self):
        self.assertEqual(visor.check(STORE), [])
        found = visor.check("    mov (M1, 8) V99(0,0)<1> 0x1:ud\n", snippet=True)
        self.assertEqual(found[0]["line"], 1)
        self.assertIn("V99", found[0]["message"])

    def test_reference(self):
        self.assertIn("scatter_scaled", visor.isa("scatter_scaled"))
        self.assertGreater(len(visor.isa()), 200)
        with self.assertRaises(visor.Error):
            visor.isa("no_such_thing")

    def test_limits(self):
        endless = visor.compile(ENDLESS)["endless"]
        with self.assertRaises(visor.LimitError) as caught:
            endless(hw_threads=1, fuel=1000)
        self.assertEqual(caught.exception.fault["kind"], "fuel")
        with self.assertRaises(visor.LimitError):
            endless(hw_threads=1, fuel=2**64 - 1, timeout=0.05)

    def test_interrupt_stops_a_launch(self):
        endless = visor.compile(ENDLESS)["endless"]
        ticks = []
        interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        ticking = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(10)])
        interrupt.start()
        ticking.start()
        with self.assertRaises(KeyboardInterrupt):
            endless(hw_threads=1, fuel=2**64 - 1, engine="interp")
        self.assertEqual(len(ticks), 10)  # other threads went on

    def test_devices(self):
        self.assertIn("pvc", visor.devices())
        with self.assertRaises(visor.Error):
            visor.Device("pvx")


if __name__ == "__main__":
    unittest.main()
