"""Checks visor.diff against the interpreter: of drawn programs with a few instructions exchanged, those that it calls the
same leave the same memory. compared_test.py [SEED [PROGRAMS]]"""
import random
import sys

import numpy as np

import visor

HEAD = """.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl B v_type=G type=d num_elts=32 align=GRF
.decl C v_type=G type=ud num_elts=16 align=GRF
.decl upper v_type=G type=d num_elts=16 align=GRF alias=<A, 64>
.decl words v_type=G type=w num_elts=64 align=GRF alias=<A, 0>
.decl bytes v_type=G type=ub num_elts=64 align=GRF alias=<B, 32>
.decl at v_type=G type=ud num_elts=16 align=GRF
.decl X v_type=A num_elts=2
.decl P v_type=P num_elts=16
.decl Q v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
.input at offset=32 size=64
.kernel_attr SimdSize=16
"""
# Bytes of an element, and of them all.
VARIABLES = {"A": (4, 128), "B": (4, 128), "C": (4, 64), "upper": (4, 64), "words": (2, 128), "bytes": (1, 64)}
BEFORE = ["addr_add (M1_NM, 1) X(0)<1> &A[0] 0x0:uw", "addr_add (M1_NM, 1) X(1)<1> &B[0] 0x0:uw",
          "setp (M1_NM, 16) P 0x5a3c:uw", "setp (M1_NM, 16) Q 0x1e77:uw",
          *(f"add (M1_NM, 16) {name}({row},0)<1> at(0,0)<1;1,0> 0x{37 * row + ord(name):x}:w"
            for name in "ABC" for row in range(0, VARIABLES[name][1] // 32, 2))]
AFTER = [*(f"scatter_scaled.4 (M1_NM, 8) T6 0x{0x100 + 0x80 * 'ABC'.index(name) + at:x}:ud at.0 {name}.{at}"
           for name in "ABC" for at in range(0, VARIABLES[name][1], 32)),
         "mov (M1_NM, 1) C(0,0)<1> P", "mov (M1_NM, 1) C(0,1)<1> Q", "scatter_scaled.4 (M1_NM, 8) T6 0x300:ud at.0 C.0",
         "ret (M1, 1)"]


def region(draw, lanes, strides):
    """A variable with a place in it where so many lanes fit, and their stride."""
    while True:
        name, stride = draw.choice(list(VARIABLES)), draw.choice(strides)
        element, size = VARIABLES[name]
        room = size - ((lanes - 1) * stride + 1) * element
        if room >= 0:
            at = draw.randrange(room + 1) // element * element
            return f"{name}({at // 32},{at % 32 // element})", stride


def destination(draw, lanes):
    return "{}<{}>".format(*region(draw, lanes, (1, 1, 2)))


def source(draw, lanes):
    if draw.random() < 0.2:
        return f"0x{draw.randrange(1, 99):x}:w"
    return "{}<{};1,0>".format(*region(draw, lanes, (0, 1, 1, 2)))


def instruction(draw):
    lanes = draw.choice((1, 4, 8, 16))
    to, one, two = destination(draw, lanes), source(draw, lanes), source(draw, lanes)
    raw = f"0x{4 * draw.randrange(16):x}:ud at.0 {draw.choice(('A', 'B', 'upper'))}.{32 * draw.randrange(2)}"
    p, q, r = (draw.choice("PQ") for _ in range(3))
    mask = draw.choice(("", "", "(P) ", "(!Q) "))
    common = [f"{mask}add (M1_NM, {lanes}) {to} {one} {two}", f"{mask}mov (M1_NM, {lanes}) {to} {one}"]
    rare = [f"({p}) sel (M1_NM, {lanes}) {to} {one} {two}", f"cmp.lt (M1_NM, {lanes}) {p} {one} {two}",
            f"xor (M1_NM, 16) {p} {q} {r}", f"addr_add (M1_NM, 1) X({draw.randrange(2)})<1> &{draw.choice('AB')}[4] 0x0:uw",
            f"mov (M1_NM, 4) {destination(draw, 4)} r[X(0),{4 * draw.randrange(4)}]<1;1,0>:d",
            f"mov (M1_NM, 4) r[X(1),{4 * draw.randrange(4)}]<1>:d {source(draw, 4)}",
            f"gather_scaled.4 (M1_NM, 8) T6 {raw}", f"scatter_scaled.4 (M1_NM, 8) T6 {raw}"]
    return draw.choice(common if draw.random() < 0.6 else rare)


def exchanged(draw, code):
    code = list(code)
    for _ in range(draw.choice((1, 1, 2, 4))):
        first = draw.randrange(len(code) - 1)
        second = min(len(code) - 1, first + draw.choice((1, 1, 2)))
        code[first], code[second] = code[second], code[first]
    return code


def text_of(code):
    return HEAD + "".join(f"    {line}\n" for line in [*BEFORE, *code, *AFTER])


def memory_after(text):
    memory = np.arange(256, dtype=np.uint32)
    visor.compile(text)["k"](np.arange(16, dtype=np.uint32) * 4, T6=memory, hw_threads=1, engine="interp")
    return memory.tolist()


def main(seed="1", programs="600"):
    draw = random.Random(int(seed))
    same = wrong = 0
    for _ in range(int(programs)):
        code = [instruction(draw) for _ in range(draw.choice((6, 12, 25)))]
        first, second = text_of(code), text_of(exchanged(draw, code))
        if visor.diff(first, second):
            continue
        same += 1
        if memory_after(first) != memory_after(second):
            wrong += 1
            print(f"called the same:\n{first}\n{second}")
    print(f"compared: {programs} pairs, {same} called the same, {wrong} wrong")
    return 1 if wrong or same < int(programs) // 10 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
