#!/usr/bin/env python3
"""What Intel's compilers say of every form of the grid (forms.py), as inline assembly of OpenCL C kernels.

  ask.py [--visor build/dev/cli/visor] [--compiler VERSION] [--device D] [--tenth] [--jobs N] [NAME...]
      compares with verdicts.tsv; NAME begins the forms' names
  ask.py --record ...
      writes verdicts.tsv: anew, or, of some compilers, devices or forms alone, what is asked

Many forms stand in a kernel, each in a scope of its own, and many kernels in a program. First each form is followed by
an instruction that every compiler's verifier refuses: its report has an entry for each form, and what else it has is
wrong with the form itself. What comes through is then compiled to machine code. A kernel that the parser refuses, and
a program that ends the compiler, are taken apart until one form is left.

Verdicts are letters, one a device:
  +  accepted: compiled to machine code
  -  refused by the verifier of vISA           x  refused by the parser, which understands it
  ?  a spelling that this compiler's parser does not know
  !  the compiler's process died, or said that it went wrong, of what its verifier had let through or never saw
The exit code is 1 when a verdict is not the recorded one.
"""
import argparse
import concurrent.futures
import ctypes
import dataclasses
import datetime
import json
import os
import pathlib
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

import forms

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent.parent
RECORD = here / "verdicts.tsv"
LOADER = "ld-linux-x86-64.so.2"
OTHER_NAMES = {"adl": "adl-s"}  # what compilers call a device by another name than Visor's
LETTERS = "+-x?!"
PACK = 16     # forms in a kernel
KERNELS = 48  # in a program
ALONE = ("declaration/", "predefined/", "syntax/", "jmp", "goto", "label", "ifcall", "raw_send")  # would meet others
RESULT = "RESULT_VARIABLE"  # the operand of the inline assembly
WORDS = 100  # characters that the record keeps of what a compiler says
SECONDS = 5  # of CPU time that a compiler may take for a program, beyond a second for each SOURCE_BYTES: it runs endlessly
SOURCE_BYTES = 8000
PATIENCE = 5  # seconds that it may sleep without a break: after a crash it waits for itself

Form = tuple[str, str]        # its name and its text
Pack = list[tuple[int, str]]  # forms of one kernel, each with its number


@dataclasses.dataclass(frozen=True)
class Verdict:
    letter: str
    words: str = ""


# ---- the programs

def use_of_result(lines: list[str]) -> list[str]:
    """So that what the form computes is needed."""
    named = re.findall(r"^\.decl ((?:d|raw)_\w+) ", "\n".join(lines), re.M)
    if named:
        return [f".decl needed v_type=G type=ud num_elts=16 alias=<{named[0]},0>",
                f"xor (M1_NM, 8) {RESULT}(0,0)<1> {RESULT}(0,0)<1;1,0> needed(0,0)<1;1,0>"]
    if any(line.startswith(".decl p16 ") for line in lines):
        return [f"(p16) add (M1, 16) {RESULT}(0,0)<1> {RESULT}(0,0)<1;1,0> 0x1:d"]
    return []


def refused(number: int) -> list[str]:
    """An instruction that every compiler's verifier refuses, and names in its report."""
    return [f".decl refused_{number} v_type=G type=f num_elts=16 align=GRF",
            f"not (M1, 16) refused_{number}(0,0)<1> refused_{number}(0,0)<1;1,0>"]


def kernel(name: str, lines: list[str], output: str) -> str:
    text = "\\n".join(lines).replace('"', '\\"')
    return ("__attribute__((intel_reqd_sub_group_size(16)))\n"
            f"kernel void {name}(global int *out) {{ int r = 0; __asm__ volatile(\"{text}\"{output});"
            " out[0] = r; }\n")


def scope(instructions: str, end: list[str]) -> list[str]:
    return ["{", *forms.fragment(instructions), *end, "}"]


def kernel_of(name: str, pack: Pack) -> str:
    """What the forms compute is needed."""
    lines = [line.replace("%", "%%").replace(RESULT, "%0")
             for _, form in pack for line in scope(form, use_of_result(forms.fragment(form)))]
    return kernel(name, lines, ' : "+rw"(r)')


def refused_kernel(name: str, pack: Pack) -> str:
    """Each form is followed by what is refused."""
    return kernel(name, [line for number, form in pack for line in scope(form, refused(number))], "")


def kernels_with_code(zebin: bytes) -> set[int]:
    """Numbers of the kernels whose section of machine code holds something."""
    table, = struct.unpack_from("<Q", zebin, 0x28)
    size, count, names = struct.unpack_from("<HHH", zebin, 0x3a)
    sections = [struct.unpack_from("<IIQQQQ", zebin, table + at * size) for at in range(count)]
    found = set()
    for name, _, _, _, _, length in sections:
        begin = sections[names][4] + name
        word = zebin[begin:zebin.index(b"\0", begin)].decode()
        if re.fullmatch(r"\.text\.k\d+", word) and length > 0:
            found.add(int(word[len(".text.k"):]))
    return found


# ---- one compiler, in a process that its own loader has started

@dataclasses.dataclass
class Answer:
    code: int | None = None  # none: the process ended without an answer
    log: str = ""
    zebin: bytes = b""
    reports: str = ""        # of the verifier
    end: str = ""            # how the process ended


class Reports:
    """What the verifier writes to a file of the working folder, one kernel's report over the other's."""
    def __init__(self, folder: pathlib.Path):
        path = folder / "kernel.errors.txt"
        os.mkfifo(path)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.parts: list[bytes] = []
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        os.set_blocking(self.pipe, True)
        while True:
            part = os.read(self.pipe, 1 << 16)
            with self.lock:
                self.parts.append(part)

    def take(self) -> str:
        """All that has been written: the mark of the one who asks is the last."""
        mark = b"\0"
        os.write(self.pipe, mark)
        while True:
            with self.lock:
                if self.parts and self.parts[-1].endswith(mark):
                    text = b"".join(self.parts)[:-1].decode(errors="replace")
                    self.parts.clear()
                    return text


def cpu_time_asleep(process: int) -> str | None:
    """The CPU time of a process that sleeps; none: it runs, or is only kept from it."""
    cells = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return " ".join(cells[11:13]) if cells[0] == "S" else None


def end_of(child: int) -> int:
    """The status of a child when it ends; one that sleeps for PATIENCE seconds is ended."""
    interval, longest = 0.01, 0.25
    asleep, since = None, time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        seen = cpu_time_asleep(child)
        if seen is None or seen != asleep:
            asleep, since = seen, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            os.kill(child, signal.SIGKILL)
        time.sleep(interval)
        interval = min(2 * interval, longest)


class Compiler:
    def __init__(self, library: str, folder: pathlib.Path):
        self.invoke = ctypes.CDLL(library).oclocInvoke
        self.folder = folder
        os.chdir(folder)
        self.reports = Reports(folder)

    def call(self, source: str, device: str) -> tuple[int, dict[str, bytes]]:
        arguments = [b"ocloc", b"compile", b"-file", b"k.cl", b"-device", device.encode(), b"--format", b"zebin",
                     b"-internal_options", b"-ze-emit-zebin-visa-sections"]
        text = ctypes.create_string_buffer(source.encode())
        count, outputs = ctypes.c_uint32(), ctypes.POINTER(ctypes.c_void_p)()
        sizes, names = ctypes.POINTER(ctypes.c_uint64)(), ctypes.POINTER(ctypes.c_char_p)()
        code = self.invoke(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), 1,
                           (ctypes.c_void_p * 1)(ctypes.addressof(text)), (ctypes.c_uint64 * 1)(len(text)),
                           (ctypes.c_char_p * 1)(b"k.cl"), 0, None, None, None, ctypes.byref(count),
                           ctypes.byref(outputs), ctypes.byref(sizes), ctypes.byref(names))
        return code, {names[at].decode(): ctypes.string_at(outputs[at], sizes[at]) for at in range(count.value)}

    def compile(self, source: str, device: str) -> Answer:
        """In a process of its own: compilers end theirs."""
        prints, answer = self.folder / "prints", self.folder / "answer"
        answer.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            out = os.open(prints, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            seconds = SECONDS + len(source) // SOURCE_BYTES
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            code, outputs = self.call(source, device)
            zebin = next((content for content in outputs.values() if content.startswith(b"\x7fELF")), b"")
            log = outputs.get("stdout.log", b"").rstrip(b"\0").decode(errors="replace")
            answer.write_text(json.dumps([code, log, zebin.hex()]))
            os._exit(0)
        status = end_of(child)
        found = Answer(reports=self.reports.take())
        if status == 0 and answer.exists():
            found.code, found.log, zebin = json.loads(answer.read_text())
            found.zebin = bytes.fromhex(zebin)
        elif os.WIFSIGNALED(status):
            found.end = f"signal {os.WTERMSIG(status)}"
        else:
            found.end = f"exit status {os.waitstatus_to_exitcode(status)}"
        return found


# ---- what an answer means

def refusals(log: str) -> list[str]:
    """What stands under each "parsing vISA inline assembly failed"."""
    parts = log.split("error: parsing vISA inline assembly failed:\n")[1:]
    return [part.split("\n\nerror:")[0].strip() for part in parts]


def reports_by_form(text: str) -> dict[int, str]:
    """A form's part ends with what follows it."""
    reports = {}
    begin = 0
    for at in re.finditer(r"Violating Instruction:\s+not [^\n]*\brefused_(\d+)\b", text):
        number = int(at[1])
        reports[number] = reports.get(number, "") + text[begin:at.end()]
        begin = at.end()
    return reports


def report_words(report: str) -> str:
    """The first thing that a report has against the form itself; "": nothing."""
    for entry in re.split(r"/-{20,}|(?=in instruction )", report):
        message = re.search(r"Error Message: (.*)", entry)
        if message and "refused_" not in entry:
            return message[1].strip()
        for line in entry.splitlines():
            if line.startswith(" * "):
                return line[3:].strip()
    return ""


def parser_verdict(refusal: str) -> Verdict:
    words = re.sub(r"^near line \d+: ", "", refusal.splitlines()[0] if refusal else "")
    return Verdict("?" if words.startswith("syntax error") else "x", words)


def end_words(answer: Answer) -> str:
    words = [line.strip() for line in answer.log.splitlines() if line.strip() and not line.startswith("Build failed")]
    return answer.end or (words[0] if words else "it fails and says nothing")


class Asker:
    """One device's verdicts. A question is about a program, a list of packs; it notes verdicts, and gives back the
    packs that it could not judge as a whole, and programs where the compiler has to be asked about parts."""
    def __init__(self, compiler: Compiler, device: str):
        self.compiler, self.device = compiler, device
        self.found: dict[int, Verdict] = {}
        self.through: Pack = []

    def parse(self, program: list[Pack]) -> tuple[list[Pack], list[list[Pack]]]:
        source = "".join(refused_kernel(f"k{at}", pack) for at, pack in enumerate(program))
        answer = self.compiler.compile(source, self.device)
        said = refusals(answer.log)
        reports = reports_by_form(answer.reports)
        if answer.code is None or len(said) != len(program):
            return [], self.ended(program, reports, answer)
        undecided = []
        for pack, refusal in zip(program, said):
            if "Found a total" not in refusal:  # else the parser went on, whatever it said: that alone is no refusal
                if len(pack) == 1:
                    self.found[pack[0][0]] = parser_verdict(refusal)
                else:
                    undecided.append(pack)
                continue
            self.judge(pack, reports)
        return undecided, []

    def judge(self, pack: Pack, reports: dict[int, str]) -> None:
        for number, form in pack:
            words = report_words(reports.get(number, ""))
            if words:
                self.found[number] = Verdict("-", words)
            else:
                self.through.append((number, form))

    def ended(self, program: list[Pack], reports: dict[int, str], answer: Answer) -> list[list[Pack]]:
        """The compiler ended while it parsed: what it has reported on until then is judged."""
        reached = [at for at, pack in enumerate(program) if pack[0][0] in reports]
        last = max(reached, default=-1)
        for at in reached:
            self.judge(program[at], reports)
        if len(program) == 1 and not reached:
            return self.cut(program, -1, answer)
        before = [pack for pack in program[:last + 1] if pack[0][0] not in reports]
        return [part for part in (before, program[last + 1:last + 2], program[last + 2:]) if part]

    def generate(self, program: list[Pack]) -> tuple[list[Pack], list[list[Pack]]]:
        source = [kernel_of(f"k{at}", pack) for at, pack in enumerate(program)]
        answer = self.compiler.compile("".join(source), self.device)
        if answer.code != 0:
            marks = [kernel(f"m{at}", refused(at), "") for at in range(len(program))]
            marked = "".join(one + mark for one, mark in zip(source, marks))
            told = self.compiler.compile(marked, self.device) if len(program) > 1 else Answer()
            return [], self.cut(program, max(reports_by_form(told.reports), default=-1), answer)
        made = kernels_with_code(answer.zebin)
        undecided = []
        for at, pack in enumerate(program):
            if at in made:
                self.found |= {number: Verdict("+") for number, _ in pack}
            elif len(pack) == 1:
                self.found[pack[0][0]] = Verdict("!", "no machine code")
            else:
                undecided.append(pack)
        return undecided, []

    def cut(self, program: list[Pack], last: int, answer: Answer) -> list[list[Pack]]:
        """What came through (up to `last`), what the compiler was at when it ended, and the rest."""
        if len(program) > 1:
            middle = last + 1 if last + 1 < len(program) else len(program) // 2
            return [part for part in (program[:middle], program[middle:middle + 1], program[middle + 1:]) if part]
        pack = program[0]
        if len(pack) == 1:
            self.found[pack[0][0]] = Verdict("!", end_words(answer))
            return []
        return [[[one] for one in pack]]

    def ask(self, packs: list[Pack], question) -> None:
        programs = [packs[begin:begin + KERNELS] for begin in range(0, len(packs), KERNELS)]
        while programs:
            undecided = []
            further = []
            for program in programs:
                rest, parts = question(program)
                undecided += rest
                further += parts
            smaller = [half for pack in undecided for half in halves(pack)]
            programs = further + [smaller[begin:begin + KERNELS] for begin in range(0, len(smaller), KERNELS)]

    def verdicts(self, wanted: list[Form], expected: dict[str, str]) -> list[Verdict]:
        """What is expected to be refused by the parser has a kernel of its own, what ends the compiler a program."""
        numbered = [(number, text) for number, (_, text) in enumerate(wanted)]
        letters = [expected.get(name, "+") for name, _ in wanted]
        for question in (self.parse, self.generate):
            single = [one for one in numbered if letters[one[0]] in "x?" or wanted[one[0]][0].startswith(ALONE)]
            suspects = [one for one in numbered if letters[one[0]] == "!"]
            together = [one for one in numbered if one not in single and one not in suspects]
            packs = [together[begin:begin + PACK] for begin in range(0, len(together), PACK)]
            self.ask(packs + [[one] for one in single], question)
            for one in suspects:
                self.ask([[one]], question)
            numbered = sorted(self.through)
        return [self.found.get(number, Verdict("!", "no answer")) for number in range(len(wanted))]


def halves(pack: Pack) -> list[Pack]:
    return [pack[:len(pack) // 2], pack[len(pack) // 2:]]


def inside(library: str, device: str) -> None:
    """The verdicts on the forms that standard input names, for one device."""
    wanted, expected = json.load(sys.stdin)
    os.nice(10)
    with tempfile.TemporaryDirectory(prefix="visor-grid-") as folder:
        compiler = Compiler(library, pathlib.Path(folder))
        asker = Asker(compiler, OTHER_NAMES.get(device, device))
        found = asker.verdicts([(name, text) for name, text in wanted], expected)
        os.chdir("/")
    print(json.dumps([dataclasses.astuple(verdict) for verdict in found]))


# ---- all of them

@dataclasses.dataclass(frozen=True)
class Library:
    version: str
    title: str
    path: str
    devices: tuple[str, ...]

    def command(self) -> list[str]:
        folder = pathlib.Path(self.path).parent
        loader = folder / LOADER
        own = [str(loader), "--library-path", str(folder)] if loader.exists() else []
        return [*own, sys.executable, str(pathlib.Path(__file__).resolve()), "--inside", self.path]


def compilers(visor: pathlib.Path, version: str) -> list[Library]:
    told = json.loads(subprocess.run([visor, "info", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    found = [Library(one["version"], one["title"], one["library"], tuple(one["devices"])) for one in told["compilers"]]
    return [one for one in found if one.version.startswith(version)]


def ask(library: Library, device: str, wanted: list[Form], expected: dict[str, str]) -> list[Verdict]:
    done = subprocess.run([*library.command(), device], input=json.dumps([wanted, expected]), check=True, text=True,
                          stdout=subprocess.PIPE)
    return [Verdict(*one) for one in json.loads(done.stdout)]


@dataclasses.dataclass
class Record:
    """Of each compiler: its title, its devices, and by the form's name the letters and words."""
    titles: dict[str, str] = dataclasses.field(default_factory=dict)
    devices: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    rows: dict[tuple[str, str], tuple[str, str]] = dataclasses.field(default_factory=dict)  # by form and version
    asked: set[tuple[str, str]] = dataclasses.field(default_factory=set)  # rows that this run has asked for

    @staticmethod
    def read() -> "Record":
        record = Record()
        for line in RECORD.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if cells[0] == "compiler":
                _, version, title, devices = cells
                record.titles[version], record.devices[version] = title, devices.split()
            elif line and not line.startswith("#"):
                name, version, letters, words = cells
                record.rows[name, version] = letters, words
        return record

    def add(self, library: Library, device: str, names: list[str], found: list[Verdict]) -> None:
        self.titles[library.version] = library.title
        devices = self.devices.setdefault(library.version, [])
        if device not in devices:
            devices.append(device)
        at = devices.index(device)
        for name, verdict in zip(names, found):
            letters, words = self.rows.get((name, library.version), ("", ""))
            letters = letters.ljust(len(devices), " ")
            if (name, library.version) not in self.asked:
                self.asked.add((name, library.version))
                words = ""
            said = dict.fromkeys([*words.split(" | "), verdict.words[:WORDS].replace("\t", " ").strip()])
            self.rows[name, library.version] = (letters[:at] + verdict.letter + letters[at + 1:],
                                                " | ".join([one for one in said if one][:2]))

    def expected(self, version: str, device: str) -> dict[str, str]:
        """Of a device that is not recorded: what another one has."""
        def nearness(row: tuple[str, str]) -> int:
            return 2 * (row[1] == version) + (device in self.devices[row[1]])

        nearest = {row[0]: row for row in sorted(self.rows, key=nearness)}
        return {name: self.letters_of(row, device) for name, row in nearest.items()}

    def letters_of(self, row: tuple[str, str], device: str) -> str:
        letters, devices = self.rows[row][0], self.devices[row[1]]
        return letters[devices.index(device)] if device in devices else letters[0]

    def write(self, names: list[str]) -> None:
        lines = ["# Made by ask.py: compilers and their devices; then a form, a compiler, its verdicts, its words."]
        lines += [f"compiler\t{version}\t{title}\t{' '.join(self.devices[version])}"
                  for version, title in self.titles.items()]
        for name in names:
            lines += ["\t".join([name, version, *self.rows[name, version]]) for version in self.titles
                      if (name, version) in self.rows]
        RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(record: Record, library: Library, device: str, names: list[str], found: list[Verdict]) -> list[str]:
    at = record.devices[library.version].index(device)
    out = []
    for name, verdict in zip(names, found):
        letters, words = record.rows[name, library.version]
        if letters[at] != verdict.letter:
            out.append(f"{library.version} {device} {name}: recorded {letters[at]} ({words}), "
                       f"now {verdict.letter} ({verdict.words})")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visor", type=pathlib.Path, default=root / "build/dev/cli/visor")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--compiler", default="", help="the beginning of a version")
    parser.add_argument("--device", action="append")
    parser.add_argument("--jobs", type=int, default=2, help="compilers that are asked at the same time")
    parser.add_argument("--tenth", action="store_true", help="one of ten forms, by the day")
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal())
    parser.add_argument("--show", action="store_true", help="print every verdict")
    parser.add_argument("names", nargs="*", help="beginnings of names")
    wanted = parser.parse_args()
    chosen = [one for one in forms.every_form() if not wanted.names or one[0].startswith(tuple(wanted.names))]
    if wanted.tenth:
        print(f"ask: one of ten forms, seed {wanted.seed}")
        chosen = [one for one in chosen if random.Random(f"{wanted.seed} {one[0]}").randrange(10) == 0]
    names = [name for name, _ in chosen]
    old = Record.read()
    units = [(library, device) for library in compilers(wanted.visor, wanted.compiler) for device in library.devices
             if not wanted.device or device in wanted.device]
    if not wanted.record and not wanted.show:
        for library, device in units:
            if device not in old.devices.get(library.version, []):
                print(f"ask: {library.title} {device} is not recorded, and not asked")
        units = [(library, device) for library, device in units if device in old.devices.get(library.version, [])]
    problems: list[str] = []
    # What is answered is added: what to expect of the rest. Asked of some forms alone, the others stay.
    record = old if wanted.record and (wanted.names or wanted.device or wanted.compiler) else Record()

    def ask_one(library: Library, device: str) -> list[Verdict]:
        return ask(library, device, chosen, (record if record.rows else old).expected(library.version, device))

    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        asked = {pool.submit(ask_one, library, device): (library, device) for library, device in units}
        for done in concurrent.futures.as_completed(asked):
            (library, device), found = asked[done], done.result()
            letters = "".join(verdict.letter for verdict in found)
            counts = ", ".join(f"{letters.count(letter)} {letter}" for letter in LETTERS)
            print(f"{library.title} {device}: {counts}", flush=True)
            if wanted.show:
                print("\n".join(f"  {verdict.letter} {name}: {verdict.words}" for name, verdict in zip(names, found)))
            if wanted.record:
                record.add(library, device, names, found)
                record.write([name for name, _ in forms.every_form()])
            else:
                problems += differences(old, library, device, names, found)
    if wanted.record:
        return 0
    print("\n".join(problems) if problems else "ask: as recorded")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(*sys.argv[2:])
    else:
        sys.exit(main())
