"""Sessions of `visor debug` from outside: a client of the Debug Adapter Protocol, and the prompt. sessions_test.py VISOR EXAMPLES FOLDER.
What is expected is worked out by hand from the kernels, or is what a run without the debugger leaves."""
import base64
import pathlib
import re
import socket
import struct
import subprocess
import sys
import time
import unittest

from client import SECONDS, STEPS, Client

VISOR, EXAMPLES, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])

RACE = """kernel void race(global int* a) {
    a[get_global_id(0)] = 1;
    a[(get_global_id(0) + 8) % 32] += 2;
}
"""
FAULT = "kernel void fault(global int* a) {\n    if (get_global_id(0) == 3)\n        *(global int*)(ulong)(a[0] + 16) = 1;\n}\n"


def kernel(name, text):
    path = FOLDER / name
    path.write_text(text, encoding="utf-8")
    return path


def output_of(words, name):
    path = FOLDER / name
    subprocess.run([VISOR, "run", *map(str, words), "--out", f"0={path}"], check=True, capture_output=True)
    return path.read_bytes()


class Protocol(unittest.TestCase):
    def test_a_line_in_the_third_group_a_lane_changed_and_back_over_a_barrier(self):
        source, left = kernel("steps.cl", STEPS), FOLDER / "left.bin"
        words = [source, "-g", "64", "-l", "32", "-a", "iota:i32:64", "4", "--out", f"0={left}"]
        client = Client(VISOR, *words)
        client.start([{"line": 6, "condition": "group == 1"}], source)
        client.stopped("breakpoint")
        self.assertEqual(client.line(), 6)
        self.assertEqual(client("evaluate", expression="group")["result"], "1")
        placed = [one["body"]["breakpoint"] for one in client.events if one["event"] == "breakpoint"]
        self.assertTrue(placed[-1]["verified"] and placed[-1]["line"] == 6, placed)
        # Work-item 33 is lane 1: i % 4 is 1, its sum 33.
        sums = [name for name, one in client.registers().items() if one["value"].startswith("0 33 102 210 0 37 ")]
        self.assertTrue(sums, client.registers())
        name = sums[0]
        self.assertEqual(client("evaluate", expression=f"{name}[1]")["result"], "33")
        self.assertEqual(client("setExpression", expression=f"{name}[1]", value="1000")["value"], "1000")
        client("setBreakpoints", source={"path": str(source)}, breakpoints=[])
        client.move("next", "step")
        client.move("next", "step")     # over the barrier, where the other threads run
        self.assertEqual(client.line(), 8)
        client.move("stepBack", "step")
        self.assertEqual(client.line(), 7)
        client("continue", threadId=1)
        client.event("terminated")
        self.assertEqual(client.end(), 0)
        expected = [sum(i * k for k in range(i % 4 + 1)) for i in range(64)]
        expected[7], expected[33] = 99, 1000
        self.assertEqual(list(struct.unpack("<64i", left.read_bytes())), expected)

    def test_going_back_and_forth_leaves_what_a_run_leaves(self):
        left = FOLDER / "left.bin"
        words = [EXAMPLES / "reduction" / "reduction.cl", "-g", "256", "-l", "128", "-a", "zeros:i32:2", "iota:i32:256", "local:512", "256"]
        client = Client(VISOR, *words, "--out", f"0={left}")
        client.start(stopOnEntry=True)
        client.stopped("entry")
        for _ in range(3):
            for _ in range(40):
                client.move("stepIn", granularity="instruction")
            for _ in range(25):
                client.move("stepBack", granularity="instruction")
            client.move("next")
        client.move("reverseContinue", "entry")
        self.assertEqual(client("evaluate", expression="group + thread")["result"], "0")
        client("continue", threadId=1)
        client.event("terminated")
        client.end()
        self.assertEqual(left.read_bytes(), output_of(words, "run.bin"))

    def test_a_race_opens_at_its_second_access_and_leads_to_the_first(self):
        source = kernel("race.cl", RACE)
        client = Client(VISOR, source, "--check=race", "-g", "32", "-l", "8", "-a", "zeros:i32:32", "--device", "pvc")
        client.start(source=source)
        stop = client.stopped("exception")
        # Group 0 writes to the places of group 1 in line 3, which group 1 writes in line 2.
        self.assertIn("data race", stop["text"])
        self.assertEqual((client.line(), client("evaluate", expression="group")["result"]), (2, "1"))
        self.assertIn("data race", client("exceptionInfo", threadId=1)["description"])
        place = base_of(client, 128) + 32
        self.assertEqual(client("evaluate", expression=f"i32({place})")["result"], "2")
        info = client("dataBreakpointInfo", name=str(place), asAddress=True, bytes=4)
        client("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        client.move("reverseContinue", "data breakpoint")
        self.assertEqual((client.line(), client("evaluate", expression="group")["result"]), (3, "0"))
        self.assertEqual(client("evaluate", expression=f"i32({place})")["result"], "0")
        client.end()

    def test_findings_of_a_checker_are_passed_over(self):
        source = kernel("race.cl", RACE)
        words = [source, "--check=race", "-g", "32", "-l", "8", "-a", "zeros:i32:32", "--device", "pvc"]
        client = Client(VISOR, *words)
        filters = [one["filter"] for one in client("initialize", adapterID="visor")["exceptionBreakpointFilters"]]
        self.assertEqual(filters, ["fault", "memory", "init", "race", "conflict", "align", "sync", "arith"])
        client("launch")
        client("setExceptionBreakpoints", filters=[one for one in filters if one != "race"])
        client("configurationDone")
        client.event("terminated")
        client.end()
        client = Client(VISOR, *words)
        client("initialize", adapterID="visor")
        client("launch")
        client("setExceptionBreakpoints", filters=["race"])
        client("configurationDone")
        client.stopped("exception")
        client.end()

    def test_a_fault_opens_before_its_instruction(self):
        source = kernel("fault.cl", FAULT)
        client = Client(VISOR, source, "-g", "16", "-l", "16", "-a", "zeros:i32:16")
        client.start(source=source)
        stop = client.stopped("exception")
        self.assertEqual(client.line(), 3)
        self.assertEqual(client("exceptionInfo", threadId=1)["exceptionId"], "fault")
        client.move("stepBack", granularity="instruction")
        client.move("stepIn", granularity="instruction")
        self.assertEqual(client.line(), 3, stop)
        client("setExceptionBreakpoints", filters=[])
        client("continue", threadId=1)
        client.event("terminated")
        client.end()

    def test_text_by_hand_is_disassembled_and_stops_at_instructions(self):
        text = EXAMPLES / "block_matmul" / "block_matmul.visaasm"
        words = [text, "--device", "pvc", "--groups", "1,1", "-a", "a=zeros:f16:512", "b=zeros:f16:512", "c=zeros:f32:128", "m=8", "n=16", "k=32"]
        client = Client(VISOR, *words)
        client.start(stopOnEntry=True)
        client.stopped("entry")
        frame = client.frame()
        reference = frame["instructionPointerReference"]
        listed = client("disassemble", memoryReference=reference, instructionOffset=-2, instructionCount=8)["instructions"]
        self.assertEqual(len(listed), 8)
        self.assertEqual(listed[0]["presentationHint"], "invalid")
        target = [one for one in listed if one["instruction"]][3]
        client("setInstructionBreakpoints", breakpoints=[{"instructionReference": target["address"]}])
        client.move("continue", "breakpoint")
        self.assertEqual(client.frame()["instructionPointerReference"], target["address"])
        self.assertEqual(client("loadedSources")["sources"][0]["sourceReference"], 1)
        client.end()

    def test_memory_is_read_written_and_watched(self):
        source = kernel("steps.cl", STEPS)
        client = Client(VISOR, source, "-g", "16", "-l", "16", "-a", "iota:i32:16", "4", "--device", "pvc")
        client.start([{"line": 5}], source)
        client.stopped("breakpoint")
        base = base_of(client, 64)
        data = base64.b64decode(client("readMemory", memoryReference=hex(base), count=64)["data"])
        self.assertEqual(struct.unpack("<16i", data)[:8], tuple(range(8)))
        info = client("dataBreakpointInfo", name=str(base + 28), asAddress=True, bytes=4)
        client("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        client("setBreakpoints", source={"path": str(source)}, breakpoints=[])
        client.move("continue", "data breakpoint")      # line 6: all work-items
        first = struct.unpack("<i", base64.b64decode(client("readMemory", memoryReference=hex(base + 28), count=4)["data"]))[0]
        self.assertEqual(first, 7 * 6)
        client.move("continue", "data breakpoint")      # line 8: work-item 5
        second = struct.unpack("<i", base64.b64decode(client("readMemory", memoryReference=hex(base + 28), count=4)["data"]))[0]
        self.assertEqual(second, 99)
        # Back to the writing instruction: before it the old value is there.
        client.move("reverseContinue", "data breakpoint")
        self.assertEqual(client.line(), 8)
        again = struct.unpack("<i", base64.b64decode(client("readMemory", memoryReference=hex(base + 28), count=4)["data"]))[0]
        self.assertEqual(again, 42)
        client("writeMemory", memoryReference=hex(base), data=base64.b64encode(struct.pack("<i", -5)).decode())
        self.assertEqual(client("evaluate", expression=f"i32({base})")["result"], "-5")
        client.end()

    def test_breakpoints_with_counts_logs_and_mistakes(self):
        source = kernel("steps.cl", STEPS)
        client = Client(VISOR, source, "-g", "64", "-l", "16", "-a", "iota:i32:64", "4")
        placed = client.start([{"line": 6, "hitCondition": "=3"}, {"line": 2, "logMessage": "group {group} begins"},
                               {"line": 3, "condition": "1 +"}, {"line": 999}], source)
        self.assertEqual([one["verified"] for one in placed], [False] * 4)
        self.assertIn("something is missing", placed[2]["message"])
        client.stopped("breakpoint")
        self.assertEqual(client("evaluate", expression="group")["result"], "2")
        said = "".join(one["body"]["output"] for one in client.events if one["event"] == "output")
        self.assertEqual(said, "group 0 begins\ngroup 1 begins\ngroup 2 begins\n")
        client.end()

    def test_nonsense_is_answered_or_ends_the_session_in_order(self):
        source = kernel("steps.cl", STEPS)
        client = Client(VISOR, source, "-g", "16", "-l", "16", "-a", "iota:i32:16", "4")
        client("variables", fails=True, variablesReference=7)
        client("nosuchrequest", fails=True)
        client("stackTrace", threadId=-1)
        client("setBreakpoints", fails=True, breakpoints=[])
        client("setBreakpoints", source={"path": "x.cl"}, breakpoints=[3, None, {"line": -5}])
        client("continue", fails=True, threadId=1)
        client.start(stopOnEntry=True)
        client.stopped("entry")
        for command, arguments in (("evaluate", {"expression": "((("}), ("variables", {"variablesReference": 10**18}), ("scopes", {"frameId": 10**15}),
                                   ("disassemble", {"memoryReference": "0x7", "instructionCount": 5}), ("source", {"sourceReference": 99}),
                                   ("setVariable", {"variablesReference": 0, "name": "x", "value": "1"}),
                                   ("writeMemory", {"memoryReference": "0x10", "data": "AAAA"})):
            client(command, fails=True, **arguments)
        client("setDataBreakpoints", breakpoints=[{"dataId": "x"}, {"dataId": "global:1:0"}, {}])
        client.end()
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n", b"Content-Length: 3\r\n\r\n[1]", b"x" * 10000, b"\x00\xff" * 99):
            done = subprocess.run([VISOR, "debug", "--dap", source, "-g", "16", "-a", "iota:i32:16", "4"], input=garbage, capture_output=True,
                                  check=False, timeout=SECONDS)
            self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_a_client_that_vanishes_ends_the_run(self):
        source = kernel("endless.cl", "kernel void k(global volatile int* a) { while (a[0] == 0) { } }")
        client = Client(VISOR, source, "-g", "1", "-a", "zeros:i32:1")
        client.start()
        time.sleep(0.5)
        client.process.stdin.close()
        self.assertIn(client.process.wait(SECONDS), (0, 1))
        client.process.stdout.close(), client.process.stderr.close()

    def test_a_pause_stops_what_runs(self):
        source = kernel("endless.cl", "kernel void k(global volatile int* a) { while (a[0] == 0) { } }")
        client = Client(VISOR, source, "-g", "1", "-a", "zeros:i32:1")
        client.start()
        time.sleep(0.2)
        client("pause", threadId=1)
        client.stopped("pause")
        client("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": 1}])
        client("continue", threadId=1)
        client.stopped("breakpoint")
        client.end()

    def test_a_port_takes_one_client_of_the_loopback(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        source = kernel("steps.cl", STEPS)
        process = subprocess.Popen([VISOR, "debug", "--port", str(port), source, "-g", "16", "-a", "iota:i32:16", "4"], stderr=subprocess.PIPE)
        self.assertIn(b"127.0.0.1:%d" % port, process.stderr.readline())
        with socket.create_connection(("127.0.0.1", port), SECONDS) as first:
            stream = first.makefile("rwb")
            client = Client(streams=(stream, stream))
            client.start(stopOnEntry=True)
            client.stopped("entry")
            with self.assertRaises(OSError):
                socket.create_connection(("127.0.0.1", port), 5).close()
            client("disconnect")
        self.assertEqual(process.wait(SECONDS), 0)
        process.stderr.close()


def base_of(client, count):
    """An address in a register where so many bytes lie, at the beginning of a page: the buffer's."""
    for one in client.registers().values():
        for word in one["value"].split() if one["type"] in ("uq", "q") else ():
            if word.isdigit() and int(word) % 4096 == 0 and int(word) != 0:
                read = client("readMemory", memoryReference=hex(int(word)), count=count)
                if len(base64.b64decode(read["data"])) == count:
                    return int(word)
    raise AssertionError(client.registers())


class Terminal(unittest.TestCase):
    def talk(self, commands, *words):
        done = subprocess.run([VISOR, "debug", *map(str, words)], input="\n".join(commands) + "\n", capture_output=True, text=True, check=False,
                              timeout=SECONDS)
        self.assertNotIn("AddressSanitizer", done.stderr)
        return done.stdout

    def test_commands(self):
        source = kernel("steps.cl", STEPS)
        said = self.talk(["break steps.cl:6 if group == 2", "continue", "print group * 10 + thread", "info lanes", "reverse-stepi", "stepi",
                          "where", "nonsense", "print 1 +", "info breakpoints", "delete", "continue"],
                         source, "-g", "64", "-l", "16", "-a", "iota:i32:64", "4", "--print", "0:4")
        for part in ("stopped: the first instruction", "breakpoint 1 at ", "stopped: breakpoint 1", "launch 0, group (2,0,0), thread 0", "\n20\n",
                     "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "stopped: a step back", "there is no command `nonsense`", "something is missing",
                     "steps.cl:6 if group == 2, 2 hits", "0 = 0 1 6 18", "nothing runs any more"):
            self.assertIn(part, said)

    def test_the_last_write_of_a_byte(self):
        source = kernel("steps.cl", STEPS)
        words = (source, "-g", "16", "-l", "16", "-a", "iota:i32:16", "4", "--device", "pvc", "--stop-at-end")
        registers = self.talk(["break 8", "continue", "info registers"], *words)
        base = next(int(word) for word in re.findall(r"\b\d{12,20}\b", registers) if int(word) % 4096 == 0)
        said = self.talk(["continue", f"last-write {base + 28}", f"x i32 {base + 28} 1", f"last-write {base + 28}", f"x i32 {base + 28} 1",
                          f"last-write {base + 28}"], *words)
        self.assertRegex(said, r"steps\.cl:8: .*\n.*\n42\n")        # before the write of 99 it is 7 * 6
        self.assertRegex(said, r"steps\.cl:6: .*\n.*\n7\n")         # before that what the host gave it
        self.assertIn("the launch begins here", said)

    def test_the_input_ends(self):
        self.assertIn("stopped: the first instruction", self.talk([], kernel("steps.cl", STEPS), "-g", "16", "-a", "iota:i32:16", "4"))

    def test_what_it_does_not_do_is_said(self):
        for words, code, part in ((["x.cl", "--engine", "jit"], 2, "interpreter"), (["x.cl", "--seeds", "1..3"], 2, "one schedule"),
                                  (["x.cl", "--port", "70000"], 2, "--port")):
            done = subprocess.run([VISOR, "debug", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
