"""A client of the Debug Adapter Protocol for tests: of `visor debug --dap`, or of given streams."""
import json
import re
import subprocess

SECONDS = 60

# Work-item i leaves the sum of i * k for k up to i % n, where a has its numbers.
STEPS = """kernel void steps(global int* a, int n) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= i % n; ++k)
        sum += a[i] * k;
    a[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 5) a[7] = 99;
}
"""


class Client:
    """Sends requests, and keeps events until somebody asks for them."""

    def __init__(self, *words, streams=None):
        if streams is None:
            visor, *options = map(str, words)
            self.process = subprocess.Popen([visor, "debug", "--dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE)
            self.source, self.target = self.process.stdout, self.process.stdin
        else:
            self.process, (self.source, self.target) = None, streams
        self.sequence, self.events = 0, []

    def send(self, command, arguments):
        self.sequence += 1
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.target.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.target.flush()
        return self.sequence

    def message(self):
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            byte = self.source.read(1)
            assert byte, f"it has gone: {self.process.stderr.read() if self.process else ''}"
            header += byte
        return json.loads(self.source.read(int(re.search(rb"Content-Length: (\d+)", header)[1])))

    def __call__(self, command, fails=False, **arguments):
        number = self.send(command, arguments)
        while True:
            message = self.message()
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_seq"] == number:
                assert message["success"] != fails, message
                return message.get("body", message.get("message"))

    def event(self, name):
        for kept in self.events:
            if kept["event"] == name:
                self.events.remove(kept)
                return kept["body"]
        while True:
            message = self.message()
            assert message["type"] == "event", message
            if message["event"] == name:
                return message["body"]
            self.events.append(message)

    def start(self, breakpoints=(), source="", **launch):
        self("initialize", adapterID="visor")
        self("launch", **launch)
        self.event("initialized")
        placed = []
        if source:
            placed = self("setBreakpoints", source={"path": str(source)}, breakpoints=list(breakpoints))["breakpoints"]
        self("configurationDone")
        return placed

    def stopped(self, reason=None):
        body = self.event("stopped")
        assert reason in (None, body["reason"]), body
        return body

    def frame(self, thread=1):
        return self("stackTrace", threadId=thread)["stackFrames"][0]

    def line(self, thread=1):
        return self.frame(thread)["line"]

    def move(self, command, reason=None, **arguments):
        self(command, threadId=arguments.pop("threadId", 1), **arguments)
        return self.stopped(reason)

    def registers(self):
        scopes = [one for one in self("scopes", frameId=self.frame()["id"])["scopes"] if one["name"] == "Registers"]
        return {one["name"]: one for one in self("variables", variablesReference=scopes[0]["variablesReference"])["variables"]}

    def end(self):
        self("disconnect")
        return self.close()

    def close(self):
        code = self.process.wait(SECONDS)
        self.process.stdout.close(), self.process.stdin.close(), self.process.stderr.close()
        return code
