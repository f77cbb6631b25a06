"""The forms of the grid: vISA instructions, right and wrong, each a fragment that `visor check --snippet` takes and
that an OpenCL C kernel can have as inline assembly. A table of families: every run gives the same forms.

What they name is declared in declarations.visaasm: `d_f`, `a_f` ... (256 bytes of a type), `raw_uq`, `pay_ud` (1024
bytes, for messages), `one_ud`, `p16` (a predicate of 16), `adr` (addresses), `srf` (a surface), `smp` (a sampler).

  forms.py >forms.tsv
"""
import pathlib
import re
from collections.abc import Iterator

import messages

TYPES = ["ub", "b", "uw", "w", "ud", "d", "uq", "q", "hf", "bf", "f", "df"]

Form = tuple[str, str]  # a name, and the instructions, separated by "; "

here = pathlib.Path(__file__).resolve().parent
DECLARED = (here / "declarations.visaasm").read_text(encoding="utf-8").splitlines()
DECLARATIONS = {line.split()[1]: line for line in DECLARED if line.startswith(".decl")}


def fragment(instructions: str) -> list[str]:
    """Declarations and instructions, one a line."""
    names = dict.fromkeys(re.findall(r"(?<![%\w])[a-z]\w*", instructions))
    return [DECLARATIONS[name] for name in names if name in DECLARATIONS] + instructions.split("; ")


def dst(kind: str, region: str = "<1>") -> str:
    return f"d_{kind}(0,0){region}"


def src(role: str, kind: str, region: str = "<1;1,0>") -> str:
    return f"{role}_{kind}(0,0){region}"


def plain(op: str, result: str, *sources: str, lanes: str = "M1, 16") -> str:
    """An instruction with one variable an operand."""
    operands = [src("abc"[at], kind) for at, kind in enumerate(sources)]
    return " ".join([op, f"({lanes})", dst(result), *operands])


# ---- arithmetic, logic, compares, moves

ONE_SOURCE = ["inv", "sqrt", "exp", "rndz", "frc", "lzd", "not", "cbit", "fbh", "fbl", "bfrev", "sqrtm"]
TWO_SOURCES = ["add", "mul", "div", "mod", "avg", "mulh", "pow", "min", "dp4", "line", "and", "shl", "asr", "rol",
               "divm"]
THREE_SOURCES = ["mad", "lrp", "add3", "dp4a", "madw", "bfe", "bfn.x96", "sad2add"]


def one_type() -> Iterator[Form]:
    for ops, count in ((ONE_SOURCE, 1), (TWO_SOURCES, 2), (THREE_SOURCES, 3)):
        for op in ops:
            for kind in TYPES:
                yield f"{op}/{kind}", plain(op, kind, *[kind] * count)
    for kind in TYPES:
        yield f"cmp/{kind}", f"cmp.lt (M1, 16) p16 {src('a', kind)} {src('b', kind)}"
        yield f"sel/{kind}", f"(p16) sel (M1, 16) {dst(kind)} {src('a', kind)} {src('b', kind)}"
        yield f"bfi/{kind}", f"bfi (M1, 16) {dst(kind)} " + " ".join(src(role, kind) for role in "abce")
    for op in ("log", "rsqrt", "sin", "cos", "rndd", "rndu", "rnde", "tanh", "sigm"):
        for kind in ("f", "hf", "df", "d"):
            yield f"{op}/{kind}", plain(op, kind, kind)
    for op in ("max", "or", "xor", "shr", "ror", "dp2", "dp3", "dph", "sad2", "plane"):
        for kind in ("ud", "f"):
            yield f"{op}/{kind}", plain(op, kind, kind, kind)
    for op in ("addc", "subb"):
        for kind in ("ud", "d", "uw", "f"):
            yield f"{op}/{kind}", f"{op} (M1, 16) {dst(kind)} {src('e', kind, '<1>')} {src('a', kind)} {src('b', kind)}"
    for kind in ("f", "df", "hf"):
        yield f"invm/{kind}", f"invm (M1, 16) {dst(kind)} p16 {src('a', kind)} {src('b', kind)}"
        yield f"rsqtm/{kind}", f"rsqtm (M1, 16) {dst(kind)} p16 {src('a', kind)}"
    yield "sad2/uw-ub", plain("sad2", "uw", "ub", "ub")
    yield "sad2add/uw-ub", plain("sad2add", "uw", "ub", "ub", "uw")


def several_types() -> Iterator[Form]:
    two = ["f hf f", "f f hf", "hf f f", "hf hf f", "f d d", "d f f", "f f d", "df f f", "f df f", "f df df", "f bf f",
           "bf f f", "bf bf bf", "f bf bf", "bf hf f", "hf bf bf", "d uw ub", "w d d", "ub d d", "q d d", "d q d",
           "uq ud ud",
           "d d w", "ud b uw", "q q d"]
    for op in ("add", "mul", "div", "min", "avg", "and", "shl", "pow"):
        for kinds in two:
            yield f"{op}/{kinds.replace(' ', '-')}", plain(op, *kinds.split())
    three = ["f hf hf f", "hf f f f", "f bf bf f", "bf f f f", "d w w d", "q d d q", "ud ub ub ud", "f f f d",
             "w w w d",
             "d d d f", "d ud d d"]
    for op in ("mad", "add3", "dp4a", "madw", "bfn.x96", "lrp"):
        for kinds in three:
            yield f"{op}/{kinds.replace(' ', '-')}", plain(op, *kinds.split())
    for kinds in ("f hf", "hf f", "f d", "df f", "d ud", "ud w", "uw ud", "f bf", "bf f"):
        for op in ("inv", "rndz", "fbh", "not", "lzd", "cbit"):
            yield f"{op}/{kinds.replace(' ', '-')}", plain(op, *kinds.split())
    for kinds in ("f hf", "f d", "d uw", "f df", "bf f", "q d", "hf bf"):
        first, second = kinds.split()
        yield f"cmp/{first}-{second}", f"cmp.ge (M1, 16) p16 {src('a', first)} {src('b', second)}"
        yield f"sel/{first}-{second}", f"(p16) sel (M1, 16) {dst(first)} {src('a', second)} {src('b', second)}"


def moves() -> Iterator[Form]:
    for result in TYPES:
        for kind in TYPES:
            yield f"mov/{result}-{kind}", plain("mov", result, kind)
    for result, kind in (("ub", "f"), ("ub", "hf"), ("f", "ud"), ("hf", "f"), ("bf", "f"), ("ud", "ud"), ("df", "f"),
                         ("f", "f"), ("q", "f"), ("f", "bf"), ("bf", "bf"), ("f", "df")):
        yield f"mov.sat/{result}-{kind}", plain("mov.sat", result, kind)
    for kind in ("ub", "uw", "ud", "d", "w", "uq", "f"):
        for predicate in ("p8", "p16", "p32"):
            yield f"mov/{kind}-{predicate}", f"mov (M1, 1) d_{kind}(0,0)<1> {predicate}"
    yield "mov/predicate-lanes", "mov (M1, 16) d_ud(0,0)<1> p16"
    yield "mov/predicate-predicated", "(q16) mov (M1, 1) d_ud(0,0)<1> p16"
    yield "mov/predicate-sat", "mov.sat (M1, 1) d_ud(0,0)<1> p16"
    for kind in ("uw", "w", "ud", "d", "ub", "f", "uq"):
        yield f"mov/address-{kind}", f"mov (M1, 1) adr(0)<1> a_{kind}(0,0)<0;1,0>"
        yield f"mov/{kind}-address", f"mov (M1, 1) d_{kind}(0,0)<1> adr(0)<1>"
    yield "mov/address-8", "mov (M1, 8) adr(0)<1> a_uw(0,0)<1;1,0>"
    yield "mov/address-address", "mov (M1, 1) adr(0)<1> adr(1)<1>"
    yield "mov/address-of", "mov (M1, 1) d_uw(0,0)<1> &a_ud"
    yield "mov/address-address-of", "mov (M1, 1) adr(0)<1> &a_ud"
    for kind in ("ub", "uw", "ud", "d", "uq", "f"):
        yield f"setp/{kind}", f"setp (M1_NM, 16) p16 a_{kind}(0,0)<0;1,0>"
    for mask in ("M1, 16", "M1_NM, 8", "M1_NM, 32", "M5_NM, 16", "M5_NM, 8", "M3_NM, 8"):
        yield f"setp/{mask.replace(', ', 'x')}", f"setp ({mask}) p32 a_ud(0,0)<0;1,0>"
    yield "setp/small", "setp (M1_NM, 16) p8 a_ud(0,0)<0;1,0>"
    yield "setp/region", "setp (M1_NM, 16) p16 a_ud(0,0)<1;1,0>"
    yield "setp/immediate", "setp (M1_NM, 16) p16 0xff:ud"
    for kind in ("ud", "d", "uw", "uq", "f"):
        yield f"movs/surface-{kind}", f"movs (M1, 1) srf(0) a_{kind}(0,0)<0;1,0>"
        yield f"movs/{kind}-surface", f"movs (M1, 1) d_{kind}(0,0)<1> srf(0)"
    yield "movs/immediate", "movs (M1, 1) srf(0) 0x5:ud"
    yield "movs/general", "movs (M1, 1) d_ud(0,0)<1> a_ud(0,0)<0;1,0>"
    yield "movs/sampler", "movs (M1, 1) smp(0) 0x5:ud"
    yield "movs/surface-sampler", "movs (M1, 1) srf(0) smp(0)"
    for kind in ("uw", "w", "ub", "b", "ud", "d", "uq", "f"):
        yield f"addr_add/{kind}", f"addr_add (M1, 1) adr(0)<1> &a_ud a_{kind}(0,0)<0;1,0>"
    for lanes in (1, 2, 4, 8, 16, 32):
        yield f"addr_add/x{lanes}", f"addr_add (M1, {lanes}) adr(0)<1> &a_ud b_uw(0,0)<1;1,0>"
    yield "addr_add/immediate", "addr_add (M1, 1) adr(0)<1> &a_ud 0x4:uw"
    yield "addr_add/address", "addr_add (M1, 1) adr(0)<1> adr(1)<1> 0x4:uw"
    yield "addr_add/general", "addr_add (M1, 1) adr(0)<1> a_uw(0,0)<0;1,0> 0x4:uw"
    yield "addr_add/behind", "addr_add (M1, 1) adr(15)<1> &a_ud 0x4:uw"
    yield "addr_add/beyond", "addr_add (M1, 1) adr(16)<1> &a_ud 0x4:uw"
    yield "addr_add/predefined", "addr_add (M1, 1) adr(0)<1> &%arg 0x4:uw"
    yield "addr_add/surface", "addr_add (M1, 1) adr(0)<1> &srf 0x4:uw"


# ---- what any instruction may have

def saturation() -> Iterator[Form]:
    counts = {"add": 2, "mul": 2, "div": 2, "mod": 2, "avg": 2, "mulh": 2, "pow": 2, "min": 2, "dp4": 2, "line": 2,
              "and": 2,
              "shl": 2, "inv": 1, "sqrt": 1, "frc": 1, "lzd": 1, "rndd": 1, "exp": 1, "not": 1, "cbit": 1, "fbl": 1,
              "bfrev": 1, "mad": 3, "lrp": 3, "dp4a": 3, "add3": 3, "madw": 3, "bfe": 3, "bfn": 3}
    for op, count in counts.items():
        word = f"{op}.sat" if op != "bfn" else "bfn.x96.sat"
        for kind in ("ud", "d", "f"):
            yield f"{word}/{kind}", plain(word, kind, *[kind] * count)
    yield "sel.sat/f", "(p16) sel.sat (M1, 16) d_f(0,0)<1> a_f(0,0)<1;1,0> b_f(0,0)<1;1,0>"
    yield "cmp.sat", "cmp.lt.sat (M1, 16) p16 a_f(0,0)<1;1,0> b_f(0,0)<1;1,0>"


def modifiers() -> Iterator[Form]:
    natural = {"add": "d d d", "mul": "f f f", "avg": "d d d", "mulh": "d d d", "div": "f f f", "min": "f f f",
               "and": "d d d",
               "shl": "d d d", "asr": "d d d", "rol": "ud ud ud", "not": "ud ud", "cbit": "ud ud", "fbl": "ud ud",
               "lzd": "ud ud", "bfrev": "ud ud", "inv": "f f", "rndz": "f f", "mov": "d d", "mad": "f f f f",
               "dp4a": "d d d d",
               "add3": "d d d d", "madw": "d d d d", "bfn.x96": "ud ud ud ud", "bfe": "ud ud ud ud", "pow": "f f f"}
    for op, kinds in natural.items():
        for word, text in (("neg", "(-)"), ("abs", "(abs)"), ("negabs", "(-abs)"), ("not", "(~)")):
            instruction = plain(op, *kinds.split())
            yield f"{op}/{word}", instruction.replace("a_", text + "a_", 1)
    for word, text in (("neg", "(-)"), ("not", "(~)")):
        yield f"cmp/{word}", f"cmp.lt (M1, 16) p16 {text}a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
        yield f"sel/{word}", f"(p16) sel (M1, 16) d_d(0,0)<1> {text}a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
        yield f"destination/{word}", f"add (M1, 16) {text}d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
        yield f"immediate/{word}", f"add (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0> {text}0x1:d"
    yield "add/neg-both", "add (M1, 16) d_f(0,0)<1> (-)a_f(0,0)<1;1,0> (-abs)b_f(0,0)<1;1,0>"
    yield "mad/neg-each", "mad (M1, 16) d_f(0,0)<1> (-)a_f(0,0)<1;1,0> (-)b_f(0,0)<1;1,0> (-)c_f(0,0)<1;1,0>"


def lanes_and_masks() -> Iterator[Form]:
    sized = {"add": "d d d", "mad": "f f f f", "mov": "d d", "and": "ud ud ud", "inv": "f f", "dp4": "f f f",
             "madw": "d d d d",
             "dp4a": "d d d d", "line": "f f f", "math.df": "df df"}
    for op, kinds in sized.items():
        for lanes in (1, 2, 4, 8, 16, 32):
            word = op if op != "math.df" else "inv"
            text = plain(word, *kinds.split(), lanes=f"M1, {lanes}")
            yield f"{op}/x{lanes}", text.replace("<1;1,0>", "<0;1,0>") if lanes == 1 else text
    for lanes in (0, 3, 6, 24, 64):
        yield f"add/x{lanes}", plain("add", "d", "d", "d", lanes=f"M1, {lanes}")
    for first in range(1, 10):
        for lanes in (4, 8, 16):
            yield f"mask/M{first}x{lanes}", plain("add", "d", "d", "d", lanes=f"M{first}, {lanes}")
    for mask in ("M1_NM", "M2_NM", "M5_NM", "NoMask", "M0", "m1"):
        yield f"mask/{mask}", plain("add", "d", "d", "d", lanes=f"{mask}, 8")
    yield "mask/none", "add (16) d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"


def predicates() -> Iterator[Form]:
    text = plain("add", "d", "d", "d")
    for word in ("p16", "!p16", "p16.any", "p16.all", "!p16.any", "p8", "p32", "p1"):
        yield f"predicate/{word}", f"({word}) {text}"
    yield "predicate/undeclared", f"(nobody) {text}"
    yield "predicate/variable", f"(a_d) {text}"
    others = {"cmp": "cmp.lt (M1, 16) p16 a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>",
              "setp": "setp (M1_NM, 16) p16 a_ud(0,0)<0;1,0>",
              "addr_add": "addr_add (M1, 1) adr(0)<1> &a_ud 0x4:uw", "movs": "movs (M1, 1) srf(0) 0x5:ud",
              "addc": "addc (M1, 16) d_ud(0,0)<1> e_ud(0,0)<1> a_ud(0,0)<1;1,0> b_ud(0,0)<1;1,0>",
              "dp4a": plain("dp4a", "d", "d", "d", "d"), "madw": plain("madw", "d", "d", "d", "d"),
              "fence": "fence_global", "barrier": "barrier"}
    for op, instruction in others.items():
        yield f"predicate/{op}", f"(q16) {instruction}"
    for op in ("and", "or", "xor"):
        yield f"{op}/predicates", f"{op} (M1, 16) p16 q16 q16"
        yield f"{op}/predicates-x8", f"{op} (M1, 8) p16 q16 q16"
    yield "not/predicates", "not (M1, 16) p16 q16"
    yield "shl/predicates", "shl (M1, 16) p16 q16 q16"
    yield "and/predicates-predicated", "(p16) and (M1, 16) p16 q16 q16"
    yield "and/predicates-x32", "and (M1, 32) p16 q16 q16"
    yield "and/predicates-general", "and (M1, 16) p16 q16 a_ud(0,0)<1;1,0>"
    yield "sel/unpredicated", "sel (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
    for relation in ("eq", "ne", "gt", "ge", "lt", "le", "u", "lo"):
        yield f"cmp.{relation}", f"cmp.{relation} (M1, 16) p16 a_f(0,0)<1;1,0> b_f(0,0)<1;1,0>"
    for kind in ("ud", "d", "f", "hf", "uw", "uq", "df"):
        yield f"cmp/into-{kind}", f"cmp.lt (M1, 16) d_{kind}(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
    yield "cmp/into-f-f", "cmp.lt (M1, 16) d_f(0,0)<1> a_f(0,0)<1;1,0> b_f(0,0)<1;1,0>"
    yield "cmp/small", "cmp.lt (M1, 16) p8 a_f(0,0)<1;1,0> b_f(0,0)<1;1,0>"


# ---- operands

def regions() -> Iterator[Form]:
    sources = ["0;1,0", "1;1,0", "2;1,0", "4;1,0", "8;1,0", "8;8,1", "16;16,1", "4;4,1", "2;2,1", "0;8,1", "0;2,1",
               "8;4,2",
               "8;2,4", "16;8,2", "32;8,4", "32;16,2", "1;4,0", "1;8,1", "4;8,1", "1;2,4", "0;16,1", "3;1,0", "5;1,0",
               "64;1,0", "1;3,0", "1;0,0", "1;1,3", "1;1,8", "32;32,1", "0;4,0"]
    for region in sources:
        name = region.replace(";", "-").replace(",", "-")
        yield f"region/{name}", f"add (M1, 16) d_d(0,0)<1> a_d(0,0)<{region}> b_d(0,0)<1;1,0>"
    for region in ("8;8,1", "4;4,1", "2;2,1", "16;16,1", "8;4,2"):
        name = region.replace(";", "-").replace(",", "-")
        yield f"region/x4-{name}", f"add (M1, 4) d_d(0,0)<1> a_d(0,0)<{region}> b_d(0,0)<1;1,0>"
    for stride in (0, 1, 2, 3, 4, 8):
        yield f"region/dst-{stride}", f"add (M1, 8) d_w(0,0)<{stride}> a_w(0,0)<1;1,0> b_w(0,0)<1;1,0>"
    for place in ("1,0", "0,1", "0,7", "0,8", "0,15", "0,16", "3,0", "7,0", "7,7", "8,0", "15,0", "255,0", "256,0",
                  "0,255", "0,256"):
        yield f"place/{place.replace(',', '-')}", f"add (M1, 1) d_d(0,0)<1> a_d({place})<0;1,0> b_d(0,0)<0;1,0>"
        yield f"place/dst-{place.replace(',', '-')}", f"add (M1, 1) d_d({place})<1> a_d(0,0)<0;1,0> b_d(0,0)<0;1,0>"
    yield "place/end", "add (M1, 16) d_d(0,0)<1> a_d(7,0)<1;1,0> b_d(0,0)<1;1,0>"
    yield "place/small", "add (M1, 16) d_ud(0,0)<1> small_ud(0,0)<1;1,0> b_ud(0,0)<1;1,0>"
    yield "place/small-dst", "add (M1, 16) small_ud(0,0)<1> a_ud(0,0)<1;1,0> b_ud(0,0)<1;1,0>"
    for region in ("0;1,0", "1;1,0", "1,0", "4,1", "8,1", "2,1", "1", "16,1", "3,0"):
        name = region.replace(";", "-").replace(",", "-")
        yield f"indirect/{name}", f"mov (M1, 16) d_d(0,0)<1> r[adr(0),0]<{region}>:d"
    for offset in (0, 4, 511, 512, -512, -513, 100000):
        yield f"indirect/offset{offset}", f"mov (M1, 1) d_d(0,0)<1> r[adr(0),{offset}]<0;1,0>:d"
        yield f"indirect/dst-offset{offset}", f"mov (M1, 1) r[adr(0),{offset}]<1>:d a_d(0,0)<0;1,0>"
    for lanes in (1, 8, 16, 32):
        yield f"indirect/dst-x{lanes}", f"mov (M1, {lanes}) r[adr(0),0]<1>:d 0x1:d"
        yield f"indirect/each-x{lanes}", f"mov (M1, {lanes}) d_w(0,0)<1> r[adr(0),0]<1,0>:w"
    yield "indirect/few", "mov (M1, 8) d_d(0,0)<1> r[adr4(0),0]<1,0>:d"
    yield "indirect/beyond", "mov (M1, 1) d_d(0,0)<1> r[adr(16),0]<0;1,0>:d"
    yield "indirect/neg", "mov (M1, 8) d_d(0,0)<1> (-)r[adr(0),0]<8;8,1>:d"
    yield "indirect/mad", "mad (M1, 8) d_f(0,0)<1> r[adr(0),0]<8;8,1>:f b_f(0,0)<1;1,0> c_f(0,0)<1;1,0>"
    for kind in ("v", "vf", "bf", "uq", "df"):
        yield f"indirect/{kind}", f"mov (M1, 1) d_ud(0,0)<1> r[adr(0),0]<0;1,0>:{kind}"


def immediates() -> Iterator[Form]:
    for kind in TYPES + ["v", "uv", "vf"]:
        result = {"v": "w", "uv": "uw", "vf": "f"}.get(kind, kind)
        yield f"immediate/mov-{kind}", f"mov (M1, 8) {dst(result)} 0x1:{kind}"
        yield f"immediate/add-{kind}", f"add (M1, 8) {dst(result)} {src('a', result)} 0x1:{kind}"
        yield f"immediate/first-{kind}", f"add (M1, 8) {dst(result)} 0x1:{kind} {src('b', result)}"
    values = ["256:ub", "-1:ub", "128:b", "65536:uw", "-1:uw", "32768:w", "70000:w", "0xffffffff:ud", "0x1ffffffff:ud",
              "-1:ud",
              "0x80000000:d", "0x12345678901:d", "0x12345678901:uq", "0xffffffffffffffff:uq", "0x3f800000:f",
              "0x13f800000:f",
              "1.5:f", "-1.5:f", "0x10000:hf", "1.5:hf", "0x3c00:hf", "0x7ff0000000000000:df", "1.5:df", "1e400:df",
              "0x3f80:bf",
              "0x76543210:v", "0xffffffff1:v", "0x30302010:vf"]
    for value in values:
        number, kind = value.split(":")
        result = {"v": "w", "uv": "uw", "vf": "f"}.get(kind, kind)
        yield f"immediate/{number}-{kind}", f"mov (M1, 8) {dst(result)} {value}"
    yield "immediate/dst", "add (M1, 16) 0x1:d a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
    yield "immediate/both", "add (M1, 16) d_d(0,0)<1> 0x1:d 0x2:d"
    yield "immediate/mad-0", "mad (M1, 16) d_d(0,0)<1> 0x1:w b_d(0,0)<1;1,0> c_d(0,0)<1;1,0>"
    yield "immediate/mad-1", "mad (M1, 16) d_f(0,0)<1> a_f(0,0)<1;1,0> 0x3f800000:f c_f(0,0)<1;1,0>"
    yield "immediate/mad-2", "mad (M1, 16) d_f(0,0)<1> a_f(0,0)<1;1,0> b_f(0,0)<1;1,0> 0x3f800000:f"
    yield "immediate/cmp", "cmp.lt (M1, 16) p16 0x1:d 0x2:d"
    yield "immediate/v-x16", "add (M1, 16) d_w(0,0)<1> a_w(0,0)<1;1,0> 0x76543210:v"
    yield "immediate/v-f", "add (M1, 8) d_f(0,0)<1> a_f(0,0)<1;1,0> 0x76543210:v"
    yield "immediate/vf-x8", "mov (M1, 8) d_f(0,0)<1> 0x30302010:vf"
    yield "immediate/vf-x4", "add (M1, 4) d_f(0,0)<1> a_f(0,0)<1;1,0> 0x30302010:vf"
    yield "immediate/vf-hf", "add (M1, 4) d_hf(0,0)<1> a_hf(0,0)<1;1,0> 0x30302010:vf"
    yield "immediate/inv", "inv (M1, 8) d_f(0,0)<1> 0x3f800000:f"
    yield "immediate/dp4a", "dp4a (M1, 8) d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0> 0x1:d"
    for name in ("tsc", "r0", "sr0", "cr0", "ce0", "dbg", "null", "arg", "retval", "sp", "fp", "hw_tid", "thread_x",
                 "group_id_x", "local_id_x", "local_size_x", "group_count_x", "color"):
        yield f"predefined/read-{name}", f"mov (M1, 1) d_ud(0,0)<1> %{name}(0,0)<0;1,0>"
        yield f"predefined/write-{name}", f"mov (M1, 1) %{name}(0,0)<1> 0x1:ud"


def declarations() -> Iterator[Form]:
    lines = {"alias": ".decl own v_type=G type=ud num_elts=8 alias=<a_ud,32>",
             "alias-odd": ".decl own v_type=G type=ud num_elts=8 alias=<a_ud,2>",
             "alias-long": ".decl own v_type=G type=ud num_elts=64 alias=<a_ud,128>",
             "alias-beyond": ".decl own v_type=G type=ud num_elts=8 alias=<a_ud,256>",
             "alias-nobody": ".decl own v_type=G type=ud num_elts=8 alias=<nobody,0>",
             "alias-wide": ".decl own v_type=G type=uq num_elts=4 alias=<small_ud,0>",
             "none": ".decl own v_type=G type=ud num_elts=0 align=GRF",
             "many": ".decl own v_type=G type=ud num_elts=5000 align=GRF",
             "wordx32": ".decl own v_type=G type=ud num_elts=16 align=wordx32",
             "hword": ".decl own v_type=G type=ud num_elts=16 align=hword",
             "GRFx2": ".decl own v_type=G type=ud num_elts=16 align=GRFx2",
             "align-odd": ".decl own v_type=G type=ud num_elts=16 align=tword",
             "bool": ".decl own v_type=G type=bool num_elts=16 align=GRF",
             "type-v": ".decl own v_type=G type=v num_elts=16 align=GRF",
             "twice": "; ".join([".decl own v_type=G type=ud num_elts=16 align=GRF"] * 2)}
    for name, line in lines.items():
        used = " ".join(re.findall(r"<(\w+),", line))
        uses = f"mov (M1, 1) d_ud(0,0)<1> {used}(0,0)<0;1,0>; " if used and used != "nobody" else ""
        yield f"declaration/{name}", f"{line}; {uses}mov (M1, 1) own(0,0)<1> 0x1:ud"
    for count in (1, 3, 8, 16, 17, 32, 64):
        yield (f"declaration/address-{count}",
               f".decl own v_type=A num_elts={count}; addr_add (M1, 1) own(0)<1> &a_ud 0x4:uw")
        yield (f"declaration/predicate-{count}",
               f".decl own v_type=P num_elts={count}; cmp.lt (M1, 1) own a_d(0,0)<0;1,0> b_d(0,0)<0;1,0>")


def every_form() -> list[Form]:
    families = (one_type, several_types, moves, saturation, modifiers, lanes_and_masks, predicates, regions, immediates,
                declarations, messages.dpas, messages.lsc_caching, messages.lsc_shapes, messages.lsc_lanes,
                messages.lsc_addresses,
                messages.lsc_atomics, messages.lsc_typed, messages.lsc_block2d, messages.scattered, messages.blocks,
                messages.older_atomics, messages.sampler, messages.synchronization, messages.others)
    forms: dict[str, str] = {}  # by what they say: of two that say the same the first stays
    for family in families:
        for name, instructions in family():
            forms.setdefault(instructions, name)
    names = list(forms.values())
    assert len(set(names)) == len(names), sorted(name for name in set(names) if names.count(name) > 1)
    return [(name, instructions) for instructions, name in forms.items()]


if __name__ == "__main__":
    print("# Made by forms.py: a name, the instructions.")
    for form_name, form in every_form():
        print(form_name, form, sep="\t")
