"""Sessions of `visor debug -- app` from outside. debug_test.py VISOR APPLICATION. What is expected is worked out by hand from
the kernels of application.cpp, or is what a run without the debugger prints."""
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "debug"))
from client import SECONDS, Client  # noqa: E402  # pylint: disable=wrong-import-position

VISOR, APPLICATION = sys.argv[1], sys.argv[2]
LEFT = [sum(i * k for k in range(i % 4 + 1)) for i in range(64)]
LEFT[7] = 99


def numbers(text):
    return [[int(word) for word in line.split()] for line in text.splitlines() if len(line.split()) == 64]


def prompt(what, commands, *options):
    """What the prompt and the application said, and the exit code."""
    done = subprocess.run([VISOR, "debug", *options, "--", APPLICATION, what], input=commands, capture_output=True, text=True,
                          check=False, timeout=SECONDS)
    return done.stdout, done.stderr, done.returncode


def client_of(what, *options):
    return Client(VISOR, *options, "--", APPLICATION, what)


class Prompt(unittest.TestCase):
    def test_it_stops_in_the_kernels_and_the_end_is_a_runs(self):
        out, errors, code = prompt("plain", "break steps if group == 2\ncontinue\nwhere\ninfo arguments\ncontinue\n")
        self.assertIn("stopped: the first instruction\nlaunch 0, group (0,0,0), thread 0, instruction 0\n", out)
        self.assertIn("stopped: breakpoint 1\nlaunch 1, group (2,0,0), thread 0, instruction 0\n", out)
        self.assertRegex(out, r"int\* a = 0x[0-9a-f]+, 256 bytes\nint n = 4\n")
        self.assertEqual((numbers(out), code), ([LEFT], 0), errors)
        self.assertIn("2 kernels, 2 launches", errors)
        run = subprocess.run([VISOR, "run", "--", APPLICATION, "plain"], capture_output=True, text=True, check=True)
        self.assertEqual(numbers(run.stdout), [LEFT])

    def test_a_flag_of_run_is_the_same(self):
        done = subprocess.run([VISOR, "run", "--debug", "--", APPLICATION, "plain"], input="continue\n", capture_output=True, text=True,
                              check=False, timeout=SECONDS)
        self.assertIn("stopped: the first instruction", done.stdout)
        self.assertEqual(numbers(done.stdout), [LEFT])

    def test_a_changed_lane_changes_what_the_application_reads(self):
        # Line 9 stores the sums; work-item 33 is lane 1 of group 2: its sum is 33.
        out, errors, _ = prompt("plain", "break 9 if group == 2\ncontinue\ninfo registers\nquit\n")
        names = [line.split(" = ")[0] for line in out.splitlines() if " = 0 33 102 210 0 37 " in line]
        self.assertTrue(names, out + errors)
        out, errors, _ = prompt("plain", f"break 9 if group == 2\ncontinue\nset {names[0]}[1] = 1000\ndelete 1\ncontinue\n")
        expected = list(LEFT)
        expected[33] = 1000
        self.assertEqual(numbers(out), [expected], errors)

    def test_quit_ends_the_application_and_detach_lets_it_go_on(self):
        out, _, code = prompt("plain", "break steps\ncontinue\nquit\n")
        self.assertEqual((numbers(out), code), ([], 1))
        out, _, code = prompt("plain", "break steps\ncontinue\ndetach\n")
        self.assertEqual((numbers(out), code), ([LEFT], 0))

    def test_a_client_that_vanishes_lets_the_application_go_on(self):
        out, _, code = prompt("plain", "break steps\ncontinue\n")
        self.assertIn("stopped: breakpoint 1", out)
        self.assertEqual((numbers(out), code), ([LEFT], 0))

    def test_an_application_that_exits_while_it_is_stopped(self):
        process = subprocess.Popen([VISOR, "debug", "--", APPLICATION, "exit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "stopped: the first instruction\n")
        self.assertEqual(process.wait(SECONDS), 1)      # nothing is sent: it ends by itself
        self.assertIn("ended with exit code 3", process.stderr.read())
        process.stdin.close(), process.stdout.close(), process.stderr.close()

    def test_a_child_and_a_second_process_run_without(self):
        out, errors, code = prompt("fork", "continue\n")
        self.assertEqual((numbers(out), code), ([LEFT, LEFT], 0), errors)
        script = f"'{APPLICATION}' plain; '{APPLICATION}' plain"
        done = subprocess.run([VISOR, "debug", "--", "sh", "-c", script], input="continue\n", capture_output=True, text=True, check=False,
                              timeout=SECONDS)
        self.assertEqual(numbers(done.stdout), [LEFT, LEFT])
        self.assertEqual(done.stderr.count("runs without the debugger, which another one has"), 1)

    def test_nothing_to_debug(self):
        out, errors, code = prompt("idle", "")
        self.assertEqual((out, code), ("", 0), errors)
        for words in (["--engine", "jit"], ["--seeds", "1..3"], ["--history", "x"], ["--port", "99999"]):
            out, errors, code = prompt("plain", "", *words)
            self.assertEqual((out, code), ("", 2), errors)

    def test_an_interrupt_is_a_stop_once_it_is_debugged(self):
        process = subprocess.Popen([VISOR, "debug", "--", "sh", "-c", "trap 'exit 7' INT; while true; do sleep 0.1; done"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)      # nothing is debugged: it is the application's
        self.assertEqual(process.wait(SECONDS), 1)
        self.assertIn("ended with exit code 7", process.stderr.read())
        process.stdin.close(), process.stdout.close(), process.stderr.close()


class Protocol(unittest.TestCase):
    def test_an_editor_goes_back_over_a_barrier(self):
        client = client_of("plain")
        client.start([{"line": 11, "condition": "group == 2"}], "program.cl")
        client.stopped("breakpoint")
        self.assertEqual(client.line(), 11)
        client.move("stepBack", "step")
        self.assertEqual(client.line(), 10)
        names = [one["name"] for one in client("scopes", frameId=client.frame()["id"])["scopes"]]
        self.assertIn("Arguments", names)
        client("setBreakpoints", source={"path": "program.cl"}, breakpoints=[])
        client("continue", threadId=1)
        client.event("terminated")
        output = client.process.stderr.read().decode()
        self.assertEqual(numbers(output), [LEFT])       # the application's output is no message
        client.close()

    def test_breakpoints_are_set_between_launches(self):
        client = client_of("late")
        client.start(stopOnEntry=True)
        client.stopped("entry")
        client("continue", threadId=1)
        time.sleep(0.7)
        client("setFunctionBreakpoints", breakpoints=[{"name": "steps"}])
        stop = client.stopped("breakpoint")
        self.assertIn("breakpoint", stop["text"])
        client("disconnect", terminateDebuggee=False)
        self.assertEqual(numbers(client.process.stderr.read().decode()), [LEFT, LEFT])
        client.close()

    def test_a_race_of_an_application(self):
        client = client_of("race", "--check=race")
        client.start()
        stop = client.stopped("exception")
        self.assertIn("data race", stop["text"])
        client.end()

    def test_a_port(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([VISOR, "debug", "--port", str(port), "--", APPLICATION, "plain"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.assertIn(b"127.0.0.1:%d" % port, process.stderr.readline())
        with socket.create_connection(("127.0.0.1", port), SECONDS) as first:
            stream = first.makefile("rwb")
            client = Client(streams=(stream, stream))
            client.start(stopOnEntry=True)
            client.stopped("entry")
            stream.close()
        # It has vanished: the application goes on.
        self.assertEqual(numbers(process.communicate(timeout=SECONDS)[0].decode()), [LEFT])
        self.assertEqual(process.returncode, 0)


class Gdb(unittest.TestCase):
    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed: `scripts/setup dev` brings it")
    def test_gdb_stops_in_a_kernel_and_the_application_goes_on(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([VISOR, "debug", "--gdb", str(port), "--", APPLICATION, "plain"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.assertIn(b"127.0.0.1:%d" % port, process.stderr.readline())
        commands = [f"target remote 127.0.0.1:{port}", "info threads", "stepi", "stepi", "reverse-stepi", "detach"]
        said = subprocess.run(["gdb", "-nx", "-batch", *(word for one in commands for word in ("-ex", one))], capture_output=True,
                              text=True, check=False, timeout=SECONDS)
        self.assertIn("(0,0,0) thread 0", said.stdout, said.stderr)
        self.assertEqual(numbers(process.communicate(timeout=SECONDS)[0].decode()), [LEFT], said.stdout + said.stderr)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
