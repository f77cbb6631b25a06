"""The Python module as its users have it. Expected numbers are NumPy's or worked out by hand."""
import json
import os
import pathlib
import signal
import socket
import tempfile
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

    def test_listeners(self):
        kernel = visor.compile(STORE)["store"]
        out, seen, accesses = np.zeros(8, dtype=np.uint32), [], []
        kernel(visor.lane, 100, out=out, on_instruction=lambda event: seen.append(
            (event.mnemonic, event.index, event.lanes, event.group, event.thread)), on_memory=accesses.append)
        self.assertEqual(seen, [("shl", 0, 0xff, (0, 0, 0), 0), ("add", 1, 0xff, (0, 0, 0), 0),
                                ("scatter_scaled", 2, 0xff, (0, 0, 0), 0), ("ret", 3, 1, (0, 0, 0), 0)])
        (access,) = accesses
        self.assertEqual((access.space, access.access, access.bytes, access.lanes, access.dropped, access.index),
                         ("surface", "write", 4, 0xff, 0, 2))
        self.assertEqual(access.addresses[:8], [0, 4, 8, 12, 16, 20, 24, 28])
        np.testing.assert_array_equal(out, np.arange(100, 108))

    def test_a_listener_stops_a_launch(self):
        kernel = visor.compile(STORE)["store"]
        out = np.zeros(8, dtype=np.uint32)
        endless = visor.compile(ENDLESS)["endless"]
        with self.assertRaises(visor.Fault) as caught:
            endless(fuel=2**64 - 1, on_instruction=lambda event: True)
        self.assertEqual(caught.exception.fault["kind"], "stopped")
        with self.assertRaises(ZeroDivisionError):
            endless(fuel=2**64 - 1, on_instruction=lambda event: 1 // 0)
        with self.assertRaises(visor.Error):  # not out of a listener of the same context
            kernel(visor.lane, 1, out=out, on_memory=lambda event: kernel(visor.lane, 2, out=out))
        kernel(visor.lane, 3, out=out)
        np.testing.assert_array_equal(out, np.arange(3, 11))

    def test_registers_of_any_thread(self):
        kernel = visor.compile(STORE)["store"]
        result = kernel(visor.tid, 5, out=np.zeros(64, dtype=np.uint32), hw_threads=3, groups=2,
                        registers=["first", ("lanes", 1, 2)])
        self.assertEqual(result.registers["first"]["elements"], "5")
        self.assertEqual(result.registers["lanes", 1, 2]["found"], True)
        self.assertTrue(result.registers["lanes", 1, 2]["elements"].startswith("7 "))  # its number, and 5

    def test_run(self):
        result = visor.run(STORE, visor.lane, 20, out=np.zeros(8, dtype=np.uint32))
        np.testing.assert_array_equal(result["out"], np.arange(20, 28))
        self.assertEqual(result["first"], 20)
        with self.assertRaises(KeyError):
            result["nobody"]
        with self.assertRaises(visor.Error):
            visor.run(SAXPY)  # several kernels

    def test_copies_are_of_each_launch(self):
        kernel = visor.compile(STORE)["store"]
        for first in range(20):
            one, two = np.full(8, 7, dtype=np.uint32), np.full(16, 9, dtype=np.uint32)
            kernel(visor.lane, first, out=one)
            kernel(visor.lane, first + 1, out=two)
            np.testing.assert_array_equal(one, np.arange(first, first + 8))
            np.testing.assert_array_equal(two[:8], np.arange(first + 1, first + 9))
            np.testing.assert_array_equal(two[8:], 9)

    def test_launch_files(self):
        document = {"version": 1, "program": {"source": STORE.splitlines()}, "arrays": {"out": "zeros:u32:8"},
                    "launches": [{"hw_threads": 1, "arguments": {"lanes": "lane", "first": 7, "out": "out"}}],
                    "print": ["out"], "expect": [{"array": "out", "equals": "iota:u32:8:7"}]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "job.json"
            path.write_text(json.dumps(document))
            report = visor.run_file(path)
            self.assertEqual(report["prints"][0]["values"], list(range(7, 15)))
            self.assertTrue(report["expectations"][0]["met"])
            document["expect"][0]["equals"] = "iota:u32:8:6"
            path.write_text(json.dumps(document))
            with self.assertRaises(visor.Error) as caught:
                visor.run_file(path)
            self.assertEqual(caught.exception.report["expectations"][0]["first"]["index"], 0)
            with self.assertRaises(visor.LimitError):
                visor.run_file(path, fuel=2)
            with self.assertRaises(visor.Error):
                visor.run_file(pathlib.Path(folder) / "nothing.json")

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

    def test_the_device_of_a_text(self):
        newer = """.version 4.1
.kernel "add5"
.decl to v_type=G type=uq num_elts=1 align=qword
.decl data v_type=G type=d num_elts=32 align=GRF
.input to offset=64 size=8
.kernel_attr SimdSize=32
    lsc_load.ugm (M1, 1) data:d32x32t flat[to]:a64
    add (M1, 32) data(0,0)<1> data(0,0)<1;1,0> 0x5:d
    lsc_store.ugm (M1, 1) flat[to]:a64 data:d32x32t
    ret (M1, 1)
"""
        self.assertEqual(visor.compile(newer).device, "pvc")  # 32 dwords are two registers there
        self.assertEqual(visor.compile(STORE).device, "skl")
        result = visor.run(newer, np.arange(32, dtype=np.int32))
        np.testing.assert_array_equal(result["to"], np.arange(5, 37))
        with self.assertRaises(visor.CompileError):
            visor.compile(newer, device="skl")

    def test_a_page_and_the_folder_of_a_launch(self):
        kernel = visor.compile("kernel void k(global int* p) { p[16 * get_global_id(0)] = 1; }", "k.cl")["k"]
        result = kernel(np.zeros(1024, np.int32), global_size=64, local_size=16, costs=True)
        page = result.costs("page")
        self.assertIn('data-lines-per-message="16.00"', page)
        self.assertIn("Nothing was checked", page)
        with self.assertRaises(visor.Error):
            result.costs("pages")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(visor.Error) as raised:
                visor.run_file(folder)
            self.assertIn("holds no captured launch", str(raised.exception))

    def test_a_launch_is_captured_and_launched_again(self):
        add = visor.compile("kernel void add(global int* to, int n) { to[get_global_id(0)] += n; }", "k.cl")["add"]
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "captured"
            values = np.arange(8, dtype=np.int32)
            for amount in (5, 7):
                add(values, amount, global_size=8, capture=folder)
            np.testing.assert_array_equal(values, np.arange(12, 20))
            first, second = sorted(folder.iterdir())
            self.assertRegex(first.name, r"^Enqueue_\d+_add$")
            self.assertEqual((first / "kernel.cl").read_text().split()[2], "add(global")
            for captured in (first, second):
                for engine in ("interp", "jit"):
                    self.assertEqual(visor.run_file(captured, engine=engine)["exit_code"], 0)
            argument = next((second / "Pre").iterdir())
            np.testing.assert_array_equal(np.frombuffer(argument.read_bytes(), np.int32), np.arange(5, 13))
            changed = np.arange(6, 14, dtype=np.int32)
            argument.write_bytes(changed.tobytes())
            with self.assertRaises(visor.Error) as raised:
                visor.run_file(second)
            self.assertIn("to[0] is 13, expected 12", str(raised.exception))

    def test_a_launch_under_a_debugger(self):
        add = visor.compile("kernel void add(global int* to, int n) { to[get_global_id(0)] += n; }")["add"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        said = []

        def client():
            for _ in range(1500):
                try:
                    with socket.create_connection(("127.0.0.1", port), 60) as stream:
                        stream.sendall(b"info arguments\ncontinue\n")
                        while part := stream.recv(4096):
                            said.append(part.decode())
                    return
                except ConnectionRefusedError:
                    time.sleep(0.02)

        thread = threading.Thread(target=client)
        thread.start()
        values = np.arange(8, dtype=np.int32)
        add(values, 5, global_size=8, debug=f"prompt:{port}")
        thread.join()
        self.assertEqual(list(values), [5, 6, 7, 8, 9, 10, 11, 12])
        self.assertIn("int n = 5", "".join(said))
        for wrong in ("dap", "gdb:x", "vi:1", 0, 70000):
            with self.assertRaises(ValueError):
                add(values, 5, global_size=8, debug=wrong)

    def test_captures_that_cannot_be(self):
        add = visor.compile("kernel void add(global int* to, int n) { to[get_global_id(0)] += n; }", "k.cl")["add"]
        with tempfile.TemporaryDirectory() as parent:
            a_file = pathlib.Path(parent) / "file"
            a_file.write_text("")
            values = np.arange(8, dtype=np.int32)
            with self.assertRaises(visor.Error) as raised:
                add(values, 5, global_size=8, capture=a_file / "below")
            self.assertIn("the launch is not captured", str(raised.exception))
            np.testing.assert_array_equal(values, np.arange(8))  # it did not run
            with self.assertRaises(TypeError):
                add(values, 5, global_size=8, capture=7)
            add(values, 5, global_size=8, capture=str(a_file.parent / "good"))
            launch = next((a_file.parent / "good").iterdir())
            visor.run_file(launch, capture=a_file.parent / "again", capture_launches="add:0", capture_limit=1)
            self.assertTrue((a_file.parent / "again" / "Enqueue_0_add" / "Post").is_dir())
            with self.assertRaises(visor.Error):
                visor.run_file(launch, capture=a_file.parent / "again")
            with self.assertRaises(visor.Error):
                visor.run_file(launch, capture=a_file.parent / "more", capture_launches="a:b")
            report = visor.run_file(launch, capture=a_file.parent / "none", capture_launches="other")
            self.assertIn("no launch is captured", report["warnings"][0])

    def test_kernels_are_compared_by_running(self):
        text = "kernel void k(global int* p) { p[get_global_id(0)] += 1; }"
        self.assertEqual(visor.diff(text, text.replace("+= 1", "-= -1"), runs=5), [])
        found = visor.diff(text, text.replace("+= 1", "+= 2"), runs=5)
        self.assertIn("the dword at byte 0", found[0]["message"])
        lost = "kernel void k(global int* p) { *(global int*)(ulong)(p[0] + 16) = 1; }"
        self.assertIn("not told", visor.diff(lost, lost, runs=2)[0]["message"])

    def test_devices(self):
        self.assertIn("pvc", visor.devices())
        with self.assertRaises(visor.Error):
            visor.Device("pvx")


if __name__ == "__main__":
    unittest.main()
