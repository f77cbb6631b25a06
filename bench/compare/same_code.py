#!/usr/bin/env python3
"""Whether two builds generate the same machine code: asks the code generators of both for the same functions.

    bench/compare/same_code.py record BUILD FOLDER [--sets all] [--devices skl,pvc]
    bench/compare/same_code.py check FOLDER BEFORE AFTER [--symbols OLD=NEW,...]
    bench/compare/same_code.py assembly FOLDER BEFORE AFTER [--cpu avx512]
    bench/compare/same_code.py objects FOLDER OUT

`record` runs the benchmarks of BUILD (a build folder with bench/compare/compare) with FOLDER as their cache, which
then holds every function that their launches had compiled, with the options. `check` asks two programs
`visor-jit-worker` (BUILD/libexec/visor/visor-jit-worker; copy the one from before) for each of them in both tiers,
and compares every section that is loaded, byte for byte, and its relocations; `--symbols` names those that were
renamed. `assembly` does the same with two programs `visor-jit-opt`, for a CPU that this
one need not be, and with every cost model ignored. The exit code is 1 when anything differs, 2 when nothing was compared. `objects` writes the object files that a
cache (VISOR_CACHE_DIR of any run) holds to the folder OUT, for objdump.
"""

import argparse
import os
import pathlib
import socket
import struct
import subprocess
import sys

MAGIC = b"VsW1"  # of a message: src/compile/protocol.h
GENERATE, GENERATED = 4, 5
TIER_FIELD = 6
PLAIN_FIELDS = 13  # of a request, without pass switches
CODE_FIELDS = 6  # of an answer, without the log
NO_SWITCHES = [b"", b"", b"0", b"0"]  # what older programs do not take
WORKER_SOCKET = 3
CACHE_HEADER = struct.Struct("<8sQQQQ")  # src/compile/cache.cpp
MESSAGE_HEADER = struct.Struct("<4sIQ")
ALLOCATED = 2  # SHF_ALLOC
RELA = 4  # SHT_RELA
SYMBOLS = 2  # SHT_SYMTAB

Message = tuple[int, list[bytes]]


def decode(data: bytes) -> Message:
    """A message's kind and fields."""
    magic, kind, length = MESSAGE_HEADER.unpack_from(data)
    if magic != MAGIC or length != len(data) - MESSAGE_HEADER.size:
        raise ValueError("this is no message")
    fields = []
    at = MESSAGE_HEADER.size
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        fields.append(data[at + 8:at + 8 + length])
        at += 8 + length
    return kind, fields


def encode(message: Message) -> bytes:
    """The bytes of a message."""
    body = b"".join(struct.pack("<Q", len(field)) + field for field in message[1])
    return MESSAGE_HEADER.pack(MAGIC, message[0], len(body)) + body


def entries(folder: pathlib.Path) -> list[tuple[list[bytes], bytes]]:
    """By entry of a cache: the fields that the worker was asked with, from its key, and the message that it answered."""
    found = []
    for entry in sorted((folder / "native").glob("*.build")):
        content = entry.read_bytes()
        _, key_bytes, log_bytes, _, _ = CACHE_HEADER.unpack_from(content)
        key = content[CACHE_HEADER.size:CACHE_HEADER.size + key_bytes]
        kind, fields = decode(key[key.index(MAGIC):])
        if kind == GENERATE:
            found.append((fields, content[CACHE_HEADER.size + key_bytes + log_bytes:]))
    return found


def title(fields: list[bytes]) -> str:
    """A function's name."""
    heads = (line.split() for line in fields[0].decode().splitlines())
    return next((head[1].strip('"') for head in heads if head[:1] in ([".kernel"], [".function"])), "function")


def questions(folder: pathlib.Path) -> list[list[bytes]]:
    """What the worker was asked, from the keys of the entries of a cache; each once, for any tier."""
    found = set()
    for fields, _ in entries(folder):
        fields[TIER_FIELD] = b""
        found.add(tuple(fields))
    return [list(fields) for fields in sorted(found)]


def exchange(worker: pathlib.Path, fields: list[bytes]) -> bytes:
    """What a new process of that program answers; nothing when it takes another number of fields."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if theirs.fileno() == WORKER_SOCKET:
            raise RuntimeError("a standard stream is closed")
        with subprocess.Popen([worker], pass_fds=(WORKER_SOCKET,),
                              preexec_fn=lambda: os.dup2(theirs.fileno(), WORKER_SOCKET)):
            theirs.close()
            ours.sendall(encode((GENERATE, fields)))
            data = b""
            while part := ours.recv(1 << 20):
                data += part
                if len(data) >= MESSAGE_HEADER.size and \
                        len(data) == MESSAGE_HEADER.size + MESSAGE_HEADER.unpack_from(data)[2]:
                    break
    return data


def ask(worker: pathlib.Path, fields: list[bytes]) -> Message:
    """The answer of that program, whether or not it is one that knows pass switches."""
    plain = fields[:PLAIN_FIELDS]
    answer = exchange(worker, plain + NO_SWITCHES) or exchange(worker, plain)
    kind, answered = decode(answer)
    return kind, answered[:CODE_FIELDS]


def sections(elf: bytes, renamed: dict[str, str]) -> dict[str, object]:
    """The bytes of each section that is loaded, and relocations with the names of what they refer to."""
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names_at = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + k * size) for k in range(count)]

    def text(at: int) -> str:
        return elf[at:elf.index(b"\0", at)].decode()

    def name(header: tuple[int, ...]) -> str:
        return text(headers[names_at][4] + header[0])

    def symbol(number: int) -> str:
        own = next(header for header in headers if header[1] == SYMBOLS)
        at, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, own[4] + 24 * number)
        found = text(headers[own[6]][4] + at) or f"section {section} + {value}"
        return renamed.get(found, found)

    found: dict[str, object] = {}
    for header in headers:
        if header[1] == RELA:
            entries = struct.iter_unpack("<QQq", elf[header[4]:header[4] + header[5]])
            found[name(header)] = [(at, info & 0xffffffff, symbol(info >> 32), more) for at, info, more in entries]
        elif header[2] & ALLOCATED:
            found[name(header)] = elf[header[4]:header[4] + header[5]]
    return found


def difference(before: Message, after: Message, renamed: dict[str, str]) -> str:
    """What differs; empty: nothing."""
    if before[0] != after[0] or before[0] != GENERATED:
        return "" if before == after else f"kind {before[0]} and {after[0]}: {before[1][:1]} and {after[1][:1]}"
    if before[1][1:] != after[1][1:]:
        return "what the engine is told beside the code"
    one, other = sections(before[1][0], renamed), sections(after[1][0], {})
    return ", ".join(name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name))


def check(arguments: argparse.Namespace) -> int:
    """Compares all; the exit code."""
    renamed = dict(pair.split("=") for pair in arguments.symbols.split(",") if pair)
    compared = code = wrong = 0
    for fields in questions(arguments.folder):
        for tier in (b"0", b"1"):
            fields[TIER_FIELD] = tier
            before, after = ask(arguments.before, fields), ask(arguments.after, fields)
            compared += 1
            code += len(before[1][0]) if before[0] == GENERATED else 0
            if what := difference(before, after, renamed):
                wrong += 1
                print(f"{title(fields)} for {fields[1].decode()}, tier {2 - int(tier)}: {what}")
    print(f"same_code: {compared} functions compared, {code} bytes of objects, {wrong} differences")
    return 2 if compared == 0 else 1 if wrong else 0


def assembly_of(tool: pathlib.Path, fields: list[bytes], cpu: str) -> bytes:
    """What a program `visor-jit-opt` prints for a function; its error where it has none."""
    command = [tool, "--device", fields[1].decode(), "--simd", fields[2].decode(), "--cpu", cpu, "--eager", "--assembly"]
    ended = subprocess.run(command, input=fields[0], capture_output=True, check=False)
    return ended.stdout if ended.returncode == 0 else ended.stderr


def assembly(arguments: argparse.Namespace) -> int:
    """Compares all; the exit code."""
    compared = code = wrong = 0
    for fields in questions(arguments.folder):
        before = assembly_of(arguments.before, fields, arguments.cpu)
        compared += 1
        code += len(before)
        if before != assembly_of(arguments.after, fields, arguments.cpu):
            wrong += 1
            print(f"{title(fields)} for {fields[1].decode()}, {arguments.cpu}: other code")
    print(f"same_code: {compared} functions compared, {code} bytes of assembly, {wrong} differences")
    return 2 if compared == 0 else 1 if wrong else 0


def record(arguments: argparse.Namespace) -> int:
    """Fills the cache; the exit code of the benchmarks."""
    arguments.folder.mkdir(parents=True, exist_ok=True)
    command = [arguments.build / "bench" / "compare" / "compare", "--set", arguments.sets, "--devices",
               arguments.devices, "--rounds", "1"]
    return subprocess.run(command, env=os.environ | {"VISOR_CACHE_DIR": str(arguments.folder.absolute())},
                          check=False).returncode


def objects(arguments: argparse.Namespace) -> int:
    """Writes object files; 2 when there are none."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    for number, (fields, answer) in enumerate(entries(arguments.folder)):
        tier = 2 if fields[TIER_FIELD] == b"0" else 1
        path = arguments.out / f"{number}.{title(fields)}.{fields[1].decode()}.tier{tier}.o"
        path.write_bytes(decode(answer)[1][0])
        print(path)
    return 0 if any(arguments.out.iterdir()) else 2


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("record")
    one.add_argument("build", type=pathlib.Path)
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("--sets", default="all")
    one.add_argument("--devices", default="skl,pvc")
    one.set_defaults(run=record)
    for name, run in (("check", check), ("assembly", assembly)):
        other = verbs.add_parser(name)
        for word in ("folder", "before", "after"):
            other.add_argument(word, type=pathlib.Path)
        other.add_argument("--symbols" if run is check else "--cpu", default="" if run is check else "avx512")
        other.set_defaults(run=run)
    last = verbs.add_parser("objects")
    last.add_argument("folder", type=pathlib.Path)
    last.add_argument("out", type=pathlib.Path)
    last.set_defaults(run=objects)
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
