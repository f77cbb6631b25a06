"""Sessions of gdb itself with `visor debug --gdb`, and packets by hand. gdb_test.py VISOR EXAMPLES FOLDER.
What is expected is worked out by hand from the kernels, or is what a run without the debugger leaves."""
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

from client import STEPS

VISOR, EXAMPLES, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SECONDS = 120
GDB = shutil.which("gdb")
with_gdb = unittest.skipUnless(GDB, "gdb is not installed (Debian's package `gdb`)")

STEPS_WORDS = ("-g", "64", "-l", "16", "-a", "iota:i32:64", "4", "--device", "skl")
ENDLESS = "kernel void k(global volatile int* a) { while (a[0] == 0) { } }"
# A is ten times the thread's number + 1; behind the barrier B is twice A + 5.
BY_HAND = """.version 4.1
.kernel "by_hand"
.decl A v_type=G type=ud num_elts=1 align=GRF
.decl B v_type=G type=ud num_elts=1 align=GRF
.decl T v_type=G type=ud num_elts=1 align=GRF
.kernel_attr SimdSize=8
    mov (M1, 1) T(0,0)<1> %thread_x(0,0)<0;1,0>
    add (M1, 1) A(0,0)<1> T(0,0)<0;1,0> 0x1:ud
    mul (M1, 1) A(0,0)<1> A(0,0)<0;1,0> 0xa:ud
    barrier
    add (M1, 1) B(0,0)<1> A(0,0)<0;1,0> 0x5:ud
    mul (M1, 1) B(0,0)<1> B(0,0)<0;1,0> 0x2:ud
    ret (M1, 1)
"""


def kernel(name, text):
    path = FOLDER / name
    path.write_text(text, encoding="utf-8")
    return path


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Debugger:
    """`visor debug --gdb`, which waits for a client."""

    def __init__(self, *words):
        self.port = free_port()
        self.process = subprocess.Popen([VISOR, "debug", "--gdb", str(self.port), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)
        line = self.process.stderr.readline()
        assert f"127.0.0.1:{self.port}" in line, line

    def end(self):
        out, err = self.process.communicate(timeout=SECONDS)
        assert "Sanitizer" not in err, err
        return self.process.returncode, out, err


def gdb(commands, *words):
    """What gdb prints for the commands, and what the run leaves: its exit code, its output, its errors."""
    visor = Debugger(*words)
    line = [GDB, "-nx", "-batch"]
    for command in ("set confirm off", "set width 0", "set height 0", f"target remote 127.0.0.1:{visor.port}", *commands):
        line += ["-ex", command]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
    return done.stdout, visor.end()


def output_of(words, name):
    path = FOLDER / name
    subprocess.run([VISOR, "run", *map(str, words), "--out", f"0={path}"], check=True, capture_output=True)
    return path.read_bytes()


class Packets:
    """A client that speaks the protocol itself."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.buffer = b""

    def send(self, content):
        content = content if isinstance(content, bytes) else content.encode("latin-1")
        self.socket.sendall(b"$%s#%02x" % (content, sum(content) % 256))

    def receive(self):
        while not (found := re.search(rb"\$([^#]*)#[0-9a-f]{2}", self.buffer, re.DOTALL)):
            more = self.socket.recv(65536)
            assert more, "it has gone"
            self.buffer += more
        self.buffer = self.buffer[found.end():]
        return found[1]

    def __call__(self, content):
        self.send(content)
        return self.receive()

    def file(self, name):
        descriptor = int(self("vFile:open:" + name.encode().hex() + ",0,0")[1:], 16)
        content = b""
        while True:
            answer = self(f"vFile:pread:{descriptor:x},4000,{len(content):x}")
            count, data = answer[1:].split(b";", 1)
            data = re.sub(rb"\}(.)", lambda one: bytes([one[1][0] ^ 0x20]), data, flags=re.DOTALL)
            assert len(data) == int(count, 16)
            if not data:
                assert self(f"vFile:close:{descriptor:x}") == b"F0"
                return content
            content += data


@with_gdb
class Gdb(unittest.TestCase):
    def sum_register(self, source):
        """The name of the register that holds the sums in line 6, in the second group."""
        said, _ = gdb(["break steps.cl:6 if $group_x == 1", "continue", "monitor registers"], source, *STEPS_WORDS)
        # Work-item 17 is lane 1 of it: 17 % 4 is 1, its sum 17.
        return re.search(r"^(\w+) = 0 17 54 114 0 21 66 138 ", said, re.M)[1]

    def test_a_line_in_the_third_group_a_lane_changed(self):
        source, left = kernel("steps.cl", STEPS), FOLDER / "left.bin"
        name = self.sum_register(source)
        said, (code, _, _) = gdb(["break steps.cl:6 if $group_x == 2", "continue", "info threads", f"print ${name}.d[3]", f"set var ${name}.d[3] = 1000",
                                  f"monitor print {name}[3]", "delete", "continue"], source, *STEPS_WORDS, "--out", f"0={left}")
        for part in ("Breakpoint 1, steps () at", "6\t    a[i] = sum;", '"(2,0,0) thread 0"', "$1 = 210\n", "\n1000\n", "exited normally"):
            self.assertIn(part, said)
        self.assertEqual(code, 0)
        expected = [sum(i * k for k in range(i % 4 + 1)) for i in range(64)]
        expected[7], expected[35] = 99, 1000
        self.assertEqual(list(struct.unpack("<64i", left.read_bytes())), expected)

    def test_there_and_back_by_instruction_and_line(self):
        said, _ = gdb(["break steps.cl:6 if $group_x == 1", "continue", "print $clock", "reverse-stepi", "print $clock", "stepi", "print $clock",
                       "delete", "next", "next", "reverse-next", "reverse-next", "reverse-continue", "print $clock"],
                      kernel("steps.cl", STEPS), *STEPS_WORDS)
        clocks = [int(number) for number in re.findall(r"\$\d+ = (\d+)", said)]
        self.assertEqual(clocks, [clocks[0], clocks[0] - 1, clocks[0], 1], said)
        lines = re.findall(r"^(\d)\t ", said, re.M)
        # Entry, the breakpoint, back into the loop and here again, then over the barrier and back over it.
        self.assertEqual(lines[-5:], ["7", "8", "7", "6", "2"], said)
        self.assertIn("No more reverse-execution history", said)

    def test_back_over_a_barrier_where_other_threads_ran(self):
        words = [EXAMPLES / "reduction" / "reduction.cl", "-g", "256", "-l", "128", "-a", "zeros:i32:2", "iota:i32:256", "local:512", "256"]
        left = FOLDER / "left.bin"
        said, (code, _, _) = gdb(["break reduction.cl:12 if $group_x == 1 && $hw_thread == 1", "continue", "delete", "print *(int*)$slm", "next", "next",
                                  "info threads", "reverse-next", "reverse-next", "print *(int*)$slm", "reverse-continue", "continue"],
                                 *words, "--out", f"0={left}")
        # Work-items 32 to 63 leave line 11 out the second time. Group 1 has numbers from 128 on; work-item 0 adds that of work-item 64, before and after.
        self.assertEqual(re.findall(r"\$\d+ = (\d+)", said), ["320", "320"], said)
        lines = re.findall(r"^(\d+)\t ", said, re.M)
        at, once, twice, back, again = lines[lines.index("12"):][:5]
        self.assertEqual((at, once, back, again), ("12", "9", "9", "12"), said)
        self.assertIn(twice, ("10", "12"), said)
        self.assertEqual(re.findall(r'Thread \d "\(1,0,0\) thread (\d)" reduction', said), ["0", "1", "2", "3"], said)
        self.assertEqual((code, left.read_bytes()), (0, output_of(words, "run.bin")))

    def test_a_watchpoint_leads_back_to_a_wrong_value(self):
        said, (code, _, _) = gdb(["break steps.cl:8 if $group_x == 0", "continue", "next", "monitor registers"], kernel("steps.cl", STEPS), *STEPS_WORDS)
        base = next(int(word) for word in re.findall(r"\b\d{12,20}\b", said) if int(word) % 4096 == 0)
        said, (code, _, _) = gdb(["break steps.cl:2 if $group_x == 1", "continue", f"print *(int*){base + 28}", "delete", f"watch *(int*){base + 28}",
                                  "reverse-continue", "reverse-continue", "reverse-continue"], kernel("steps.cl", STEPS), *STEPS_WORDS)
        self.assertIn("$1 = 99\n", said)
        # The last write is that of line 8; before it work-item 7 wrote its sum in line 6, before that it was 7.
        self.assertRegex(said, r"(?s)Old value = 99\nNew value = 42\n[^\n]*\n8\t.*Old value = 42\nNew value = 7\n[^\n]*\n6\t.*No more reverse-execution")
        self.assertEqual(code, 0)
        said, _ = gdb(["break steps.cl:2 if $group_x == 1", "continue", "delete", f"monitor last-write {base + 28} 4", "reverse-continue"],
                      kernel("steps.cl", STEPS), *STEPS_WORDS)
        self.assertRegex(said, r"(?s)`reverse-continue` goes to .*\n8\t")

    def test_shared_local_memory_is_watched_and_changed(self):
        words = [EXAMPLES / "reduction" / "reduction.cl", "-g", "256", "-l", "128", "-a", "zeros:i32:2", "iota:i32:256", "local:512", "256", "--print", "0"]
        said, (_, out, _) = gdb(["break reduction.cl:15 if $group_x == 1 && $hw_thread == 0", "continue", "delete", "watch -l *(int*)$slm",
                                 "reverse-continue", "delete", "next", "set var *(int*)$slm = 77", "monitor slm 0 4", "continue"], *words)
        # The sum of 128 to 255, before it that of the even ones.
        self.assertRegex(said, r"Old value = 24512\nNew value = 12224\n")
        self.assertIn("0x0000: 4d 00 00 00", said)
        self.assertIn("0 = 8128 77", out)

    def test_functions_are_frames(self):
        words = [EXAMPLES / "recursion" / "recursion.cl", "-g", "32", "-l", "16", "-a", "rand:i32:32x12:7", "fill:u8:32x16:51", "zeros:i32:32x4"]
        left = FOLDER / "left.bin"
        said, (code, _, _) = gdb(["break quicksort", "continue", "continue", "bt", "info symbol $pc", "delete", "finish", "bt", "continue"], *words,
                                 "--out", f"0={left}")
        frames = re.findall(r"^#(\d) .*?(\w+) \(\) at .*recursion\.cl:(\d+)$", said, re.M)
        self.assertEqual([(number, name) for number, name, _ in frames],
                         [("0", "quicksort"), ("1", "quicksort"), ("2", "recursion"), ("0", "quicksort"), ("1", "recursion")], said)
        self.assertIn("quicksort in section .text", said)
        self.assertEqual((code, left.read_bytes()), (0, output_of(words, "run.bin")))

    def test_text_by_hand(self):
        source = kernel("by_hand.visaasm", BY_HAND)
        said, (code, _, _) = gdb([f"break {source.name}:11", "continue", "print $A.ud[0]", "set var $A.ud[0] = 30", "delete", "next", "print $B.ud[0]",
                                  "reverse-stepi", "print $A.ud[0]", "reverse-stepi", "print $A.ud[0]", "thread 1", "print $A.ud[0]",
                                  "monitor disassemble 1", "x/i $pc", "continue"], source, "--groups", "2", "--hw-threads", "2")
        # Thread 1 comes last to the barrier and goes on, thread 0 waits. The change holds where it was made, and not before.
        self.assertEqual(re.findall(r"^\$\d+ = (\d+)", said, re.M), ["20", "35", "30", "20", "10"], said)
        self.assertEqual(re.findall(r"^(\d+)\t", said, re.M)[:5], ["7", "11", "12", "11", "10"], said)
        for part in ("add (M1, 1) B(0,0)<1> A(0,0)<0;1,0> 0x5:ud", "nopl", "exited normally"):
            self.assertIn(part, said)
        self.assertEqual(code, 0)

    def test_it_goes_on_without_gdb(self):
        words = [kernel("steps.cl", STEPS), *STEPS_WORDS]
        left = FOLDER / "left.bin"
        _, (code, _, _) = gdb(["break steps.cl:6", "continue"], *words, "--out", f"0={left}")  # it detaches at its end
        self.assertEqual((code, left.read_bytes()), (0, output_of(words, "run.bin")))
        _, (code, _, err) = gdb(["break steps.cl:6", "continue", "kill"], *words)
        self.assertIn("broken off", err)

    def test_an_interrupt_from_the_keyboard(self):
        visor = Debugger(kernel("endless.cl", ENDLESS), "-g", "1", "-a", "zeros:i32:1")
        with subprocess.Popen([GDB, "-nx", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
            client.stdin.write(f"set confirm off\ntarget remote 127.0.0.1:{visor.port}\necho connected\\n\ncontinue\n")
            client.stdin.flush()
            while "connected" not in client.stdout.readline():
                pass
            time.sleep(1)
            client.send_signal(signal.SIGINT)
            said, _ = client.communicate("info line\nkill\n", SECONDS)
        self.assertIn("SIGINT", said)
        self.assertRegex(said, r'Line 1 of ".*endless\.cl"')
        self.assertIn("broken off", visor.end()[2])

    def test_a_fault(self):
        source = kernel("fault.cl", "kernel void fault(global int* a) {\n    if (get_global_id(0) == 3)\n        *(global int*)(ulong)(a[0] + 16) = 1;\n}\n")
        said, _ = gdb(["continue", "bt"], source, "-g", "16", "-a", "zeros:i32:16", "--device", "pvc")
        self.assertIn("SIGSEGV", said)
        self.assertRegex(said, r"#0 .*fault \(\) at .*fault\.cl:3")


class Protocol(unittest.TestCase):
    def client(self, visor):
        client = Packets(visor.port)
        self.addCleanup(client.socket.close)
        return client

    def test_the_program_is_well_formed(self):
        visor = Debugger(EXAMPLES / "recursion" / "recursion.cl", "-g", "32", "-l", "16", "-a", "rand:i32:32x12:7", "fill:u8:32x16:51", "zeros:i32:32x4")
        client = self.client(visor)
        client("?")
        path = FOLDER / "kernels.elf"
        path.write_bytes(client.file("/visor/kernels.elf"))
        client.send("k")
        visor.end()
        if not shutil.which("readelf"):
            self.skipTest("readelf is not installed (Debian's package `binutils`)")
        done = subprocess.run(["readelf", "--all", "--debug-dump=info,abbrev,decodedline,frames", "--wide", path], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"FUNC +GLOBAL DEFAULT +1 quicksort")
        self.assertRegex(done.stdout, r"recursion\.cl +15 +0xc0de")

    def test_an_interrupt_stops_what_runs(self):
        visor = Debugger(kernel("endless.cl", ENDLESS), "-g", "1", "-a", "zeros:i32:1")
        client = self.client(visor)
        self.assertRegex(client("?"), rb"^T05.*thread:1;")
        client.send("vCont;c")
        time.sleep(0.3)
        client.socket.sendall(b"\x03")
        self.assertRegex(client.receive(), rb"^T02.*thread:1;")
        self.assertRegex(client("vCont;s:1"), rb"^T05")
        self.assertRegex(client("bs"), rb"^T05")
        client.send("k")
        visor.end()

    def test_a_client_that_vanishes_ends_the_run(self):
        for packet in (None, "vCont;c"):
            visor = Debugger(kernel("endless.cl", ENDLESS), "-g", "1", "-a", "zeros:i32:1")
            client = self.client(visor)
            client("?")
            if packet:
                client.send(packet)
                time.sleep(0.2)
            client.socket.close()
            self.assertIn("broken off", visor.end()[2])

    def test_a_second_client_is_refused(self):
        visor = Debugger(kernel("steps.cl", STEPS), *STEPS_WORDS)
        client = self.client(visor)
        client("?")
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", visor.port), 5).close()
        self.assertEqual(client("D"), b"OK")
        self.assertEqual(visor.end()[0], 0)

    def test_nonsense_is_answered_or_ends_the_session_in_order(self):
        visor = Debugger(kernel("steps.cl", STEPS), *STEPS_WORDS)
        client = self.client(visor)
        client("?")
        for packet in ("m0,10", "mffffffffffffffff,ffffffff", "pffff", "P0=00", "Pffffffffffffffff=0", "Z0,0,1", "Z0,c0de00000000,1", "Z2,0,0", "X0,4:ab",
                       "M0,1:zz", "Hg-1", "Hgffff", "T0", "G" + "0" * 4000, "qXfer:features:read:target.xml:99999999,10", "vFile:open:2f,0,0",
                       "vFile:pread:99,1,1", "qXfer:threads:read::0,ffff", "me00000000000,10", "md00000000000,fffff", "mc0de00000003,11"):
            client(packet)
        self.assertEqual(client("qRcmd," + b"nothing".hex())[:1], b"O")
        self.assertEqual(client.receive(), b"OK")
        self.assertRegex(client("vCont;r0,0:1"), rb"^T05")
        self.assertEqual(client("vKill;1"), b"OK")
        visor.end()
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"x" * 10000, b"$" + b"y" * 200000, b"\x00\xff" * 99, b"$m#00" * 40, b"\x03" * 99):
            visor = Debugger(kernel("steps.cl", STEPS), *STEPS_WORDS)
            with socket.create_connection(("127.0.0.1", visor.port), SECONDS) as stream:
                try:
                    stream.sendall(garbage)
                    stream.shutdown(socket.SHUT_WR)
                    while stream.recv(65536):
                        pass
                except OSError:
                    pass
            self.assertIn(visor.end()[0], (0, 1))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=1)
