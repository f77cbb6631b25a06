"""Hostile clients of `visor debug --dap`: frames that are none, requests in any order with arguments of any type, and clients that
vanish. Each request has one answer, and the program ends in order. hostile_test.py VISOR FOLDER [SECONDS [SEED]]: the seed of a
session that fails is printed; with it, that session alone runs."""
import json
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

PATIENCE = 60       # seconds for an answer, on a busy machine
SAID = 4096         # of standard error, where a session fails

STEPS = """kernel void steps(global int* a, int n) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= i % n; ++k)
        sum += a[i] * k;
    a[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 5) a[7] = 99;
    a[(i + 8) % 32] += 2;
}
"""
ENDLESS = "kernel void endless(global volatile int* a, int n) { while (a[0] == 0) { } }"

COMMANDS = ("initialize", "launch", "attach", "configurationDone", "setBreakpoints", "setFunctionBreakpoints", "setInstructionBreakpoints",
            "setDataBreakpoints", "dataBreakpointInfo", "setExceptionBreakpoints", "threads", "stackTrace", "scopes", "variables", "setVariable",
            "evaluate", "setExpression", "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "pause", "disassemble",
            "readMemory", "writeMemory", "source", "loadedSources", "exceptionInfo", "nosuchrequest", "", "restart", "goto")
KEYS = ("threadId", "frameId", "variablesReference", "expression", "value", "name", "source", "breakpoints", "filters", "memoryReference",
        "offset", "count", "data", "instructionOffset", "instructionCount", "granularity", "startFrame", "levels", "bytes", "asAddress",
        "stopOnEntry", "context", "lines")
EXPRESSIONS = ("group", "group.x", "lane", "lane 3", "lane 99", "thread + 1", "1 / 0", "1 % 0", "-9223372036854775808 / -1", "u32(0)", "u64(0xffffffffffffffff)",
               "slm_f32(0)", "V32[3]", "V0050[99999999999]", "V32.f", "P1[5]", "P1[-1]", "((((", ")", "1 +", "0x", "1e999", "1.5 & 2", "~1.5", "a", "`", "%",
               "1 << 99", "group.w", "nan", "\x00", "ü" * 9, "-" * 1000 + "1", "(" * 1000, "1" + "+1" * 5000, "!" * 60 + "1", "V32[" * 90)
STEP_WORDS = ("instruction", "line", "statement", 3, None)


class Failure(Exception):
    pass


def deep(generator):
    """Text of a value that nests, as no library of JSON writes it."""
    depth = generator.choice((10, 70, 1000, 200000))
    return generator.choice((("[", "]"), ('{"a":', "}")))[0] * depth + "1" + ("]" if generator.random() < 0.5 else "}") * depth


class Values:
    """What stands in requests."""

    def __init__(self, generator, source):
        self.generator, self.source = generator, source

    def number(self):
        return self.generator.choice((0, 1, 2, 3, 7, -1, 64, 10**6, 2**31 - 1, 2**31, 2**32 + 1, 2**63 - 1, 2**63, 2**64 - 1, -2**63, 10**30, 1.5, -0.0,
                                      self.generator.randrange(100), 10000 * self.generator.randrange(9) + 1))

    def text(self):
        choice = self.generator.random()
        if choice < 0.5:
            return self.generator.choice(EXPRESSIONS)
        if choice < 0.7:
            return hex(self.generator.choice((0, 1, 2**32, 2**32 + 3, 5 * 2**32, 2**64 - 1, self.generator.randrange(2**64))))
        if choice < 0.8:
            return f"{self.generator.choice(('global', 'slm', 'x'))}:{self.number()}:{self.number()}"
        return "".join(self.generator.choice("V0123456789[]()+-*/%<>=!~&|^.xeP {}:\"\\\n\tä\u0000") for _ in range(self.generator.randrange(30)))

    def some(self, depth=0):
        kind = self.generator.randrange(9 if depth < 3 else 6)
        if kind < 2:
            return self.number()
        if kind < 4:
            return self.text()
        if kind == 4:
            return self.generator.choice((None, True, False))
        if kind == 5:
            return str(self.source)
        if kind == 6:
            return [self.some(depth + 1) for _ in range(self.generator.randrange(4))]
        if kind == 7:
            return self.place()
        return {self.generator.choice(KEYS): self.some(depth + 1) for _ in range(self.generator.randrange(4))}

    def place(self):
        return {"path": str(self.source), "sourceReference": self.generator.choice((0, 0, 1, 99, "x"))}

    def breakpoint(self):
        one = {"line": self.generator.randrange(12), "name": "steps", "instructionReference": hex(2**32 + self.generator.randrange(200)),
               "dataId": f"global:{self.number()}:4"}
        for key, values in (("condition", EXPRESSIONS), ("hitCondition", ("3", "=2", "%2", "%0", ">=1", "x", "", "99999999999999999999")),
                            ("logMessage", ("here {group}", "{", "{}", "{V32}", "}{"))):
            if self.generator.random() < 0.2:
                one[key] = self.generator.choice(values)
        return one

    def arguments(self):
        """What a client might say, with something wrong now and then."""
        choice = self.generator.choice
        said = {"threadId": choice((1, 1, 1, 2, 0, 99)), "frameId": choice((0, 1, 1, 10001, 2)), "variablesReference": choice((1, 2, 3, 4, 5, 50)),
                "expression": self.text(), "value": self.text(), "name": choice((self.text(), "[0]", "[3]")), "source": self.place(),
                "breakpoints": [self.breakpoint() for _ in range(self.generator.randrange(4))], "filters": choice(([], ["fault"], ["finding", "fault"])),
                "memoryReference": self.text(), "offset": choice((0, 4, -4)), "count": choice((0, 4, 64, 2**20, 2**40)), "data": choice(("AAAA", "=", "AA==", "AAA")),
                "instructionOffset": choice((0, -5, 5)), "instructionCount": choice((0, 10, 10**9)), "granularity": choice(STEP_WORDS),
                "stopOnEntry": choice((True, False))}
        for key in list(said):
            if self.generator.random() < 0.25:
                del said[key]
            elif self.generator.random() < 0.1:
                said[key] = self.some()
        return said


class Session:
    def __init__(self, words, generator, source):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.generator, self.values = generator, Values(generator, source)
        # Who attaches and vanishes lets the kernel run on.
        self.commands = [one for one in COMMANDS if one != "attach" or source.name != "endless.cl"]
        self.answers, self.said, self.sequence = queue.Queue(), b"", 0
        self.readers = [threading.Thread(target=self.read, daemon=True), threading.Thread(target=self.read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def read(self):
        while line := self.process.stdout.readline():
            if line.startswith(b"Content-Length: "):
                self.process.stdout.readline()
                message = json.loads(self.process.stdout.read(int(line.split()[1])))
                if message["type"] == "response":
                    self.answers.put(message)
        self.answers.put(None)

    def read_errors(self):
        self.said = self.process.stderr.read()

    def write(self, data):
        """False where it has gone."""
        try:
            at = 0
            while at < len(data):
                size = len(data) if self.generator.random() < 0.7 else self.generator.randrange(1, 4096)
                self.process.stdin.write(data[at:at + size])
                self.process.stdin.flush()
                at += size
        except OSError:
            return False
        return True

    def frame(self, text):
        data = text.encode("utf-8", "replace")
        return self.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def request(self, command, arguments):
        """Sends a request, and waits for its answer."""
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        if not self.frame(json.dumps(message)):
            raise Failure(f"it has gone before {message}")
        try:
            answer = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failure(f"no answer to {message}") from None
        if answer is None or answer["request_seq"] != self.sequence:
            raise Failure(f"{answer} is no answer to {message}")
        return answer["success"]

    def begin(self):
        self.request("initialize", {"adapterID": "visor"})
        self.request("launch", {"stopOnEntry": self.generator.random() < 0.7})
        if self.generator.random() < 0.8:
            self.request("setBreakpoints", {"source": {"path": str(self.values.source)}, "breakpoints": [{"line": 6}]})
        self.request("configurationDone", {})

    def random_requests(self):
        for _ in range(self.generator.randrange(1, 40)):
            arguments = self.values.arguments() if self.generator.random() < 0.85 else self.values.some()
            self.request(self.generator.choice(self.commands), arguments)

    def nonsense(self):
        """Messages that are no requests of the protocol: no answer is due, or the session ends."""
        for _ in range(self.generator.randrange(1, 6)):
            kind = self.generator.randrange(8)
            if kind == 0:
                going = self.frame(json.dumps(self.values.some()))
            elif kind == 1:
                going = self.frame('{"seq":1,"type":"request","command":"threads","arguments":' + deep(self.generator) + "}")
            elif kind == 2:
                going = self.frame('{"seq":' + deep(self.generator) + ',"type":"request","command":"threads"}')
            elif kind == 3:
                going = self.frame(json.dumps({"seq": self.values.some(), "type": self.generator.choice(("request", "response", "event", 3)),
                                               "command": self.values.some(), "arguments": self.values.some()}))
            elif kind == 4:
                length = self.generator.choice((b"-1", b"0", b"99999999999", b"18446744073709551616", b"x", b"", b"16777216", b"3"))
                going = self.write(b"Content-Length: " + length + b"\r\n\r\n")
            elif kind == 5:
                going = self.write(self.generator.randbytes(self.generator.randrange(6000)))
            elif kind == 6:
                going = self.write(b"\r\n\r\n" * self.generator.randrange(1, 9))
            else:
                going = self.write(b"X: y\r\nContent-Length: 2\r\nContent-Length: 99\r\n\r\n{}")
            if not going:
                return

    def end(self):
        """Leaves it in one of several ways; the program has to end."""
        way = self.generator.randrange(4)
        if way == 0:
            self.frame('{"seq":1000000,"type":"request","command":"disconnect"}')
        elif way == 1:
            self.write(b'Content-Length: 500\r\n\r\n{"seq":')
        elif way == 2:
            self.process.stdout.close() if self.generator.random() < 0.1 and not self.readers[0].is_alive() else None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("it does not end") from None
        for reader in self.readers:
            reader.join(PATIENCE)
        if code not in (0, 1) or b"AddressSanitizer" in self.said or b"runtime error" in self.said:
            raise Failure(f"it ended with {code}")


def run(visor, folder, seed):
    generator = random.Random(seed)
    endless = generator.random() < 0.15
    source = folder / ("endless.cl" if endless else "steps.cl")
    words = [visor, "debug", "--dap", source, "-g", "64", "-l", "16", "-a", "zeros:i32:64" if endless else "iota:i32:64", "4"]
    words += [["--check=all"], ["--stop-at-end"], ["--history", "1"], []][generator.randrange(4)]
    session = Session(list(map(str, words)), generator, source)
    try:
        if generator.random() < 0.8:
            session.begin()
        session.random_requests()
        if generator.random() < 0.5:
            session.nonsense()
        session.end()
    except Failure as failure:
        session.process.kill()
        session.process.wait()
        for reader in session.readers:
            reader.join(PATIENCE)
        print(f"hostile: seed {seed}: {str(failure)[:2000]}\n{session.said[:SAID].decode(errors='replace')}")
        return False
    finally:
        for stream in (session.process.stdout, session.process.stderr):
            stream.close()
    return True


def main():
    visor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "steps.cl").write_text(STEPS, encoding="utf-8")
    (folder / "endless.cl").write_text(ENDLESS, encoding="utf-8")
    if len(sys.argv) > 4:
        return 0 if run(visor, folder, int(sys.argv[4])) else 1
    end, done, good = time.monotonic() + seconds, 0, True
    while good and (time.monotonic() < end or done < 10):
        good = run(visor, folder, done)
        done += 1
    print(f"hostile: {done} sessions")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
