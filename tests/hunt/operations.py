"""What programs of the hunt compute with: a row an operation, with its text in OpenCL C and its value.

Values are Python's integers, without bounds: what an operation gives is wrapped into its type by who asks. Each row is
defined for all operands (OpenCL C 3.0, 6.4 and 6.15; C99 6.5): signed sums and products are written in unsigned types,
divisors are made what they may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opencl_types import INTEGERS, Type, reinterpreted


@dataclass(frozen=True)
class Operation:
    """Lane by lane, on operands of the result's type unless `operands` says otherwise."""

    name: str
    count: int
    text: Callable[[Type, list[str]], str]
    value: Callable[..., int]                   # result type, then a component of each operand
    allowed: Callable[[Type], bool] = lambda _: True
    operands: Callable[[Type], Type] = lambda t: t


def narrowed(result: Type, text: str) -> str:
    """Of a scalar that C has promoted to int."""
    return f"(({result.name})({text}))" if result.is_narrow else f"({text})"


def in_unsigned(operator: str) -> Callable[[Type, list[str]], str]:
    def text(result: Type, operands: list[str]) -> str:
        unsigned = result.unsigned
        words = [reinterpreted(unsigned, result, word) for word in operands]
        if result.is_narrow:
            words = [f"(uint){word}" for word in words]
        return reinterpreted(result, unsigned, narrowed(unsigned, f"{words[0]} {operator} {words[1]}"))
    return text


def infix(operator: str) -> Callable[[Type, list[str]], str]:
    return lambda result, operands: narrowed(result, f"{operands[0]} {operator} {operands[1]}")


def function(name: str) -> Callable[[Type, list[str]], str]:
    return lambda result, operands: f"{name}({', '.join(operands)})"


def divided(operator: str, negative: bool) -> Callable[[Type, list[str]], str]:
    """By a divisor from 1 to a quarter of what the type holds, or by one from -2 down."""
    def text(result: Type, operands: list[str]) -> str:
        most = result.splat((1 << result.bits - 2) - 1)
        if negative:
            divisor = f"{result.splat(-2)} - ({operands[1]} & {most})"
        else:
            divisor = f"({operands[1]} & {most}) + {result.splat(1)}"
        return narrowed(result, f"{operands[0]} {operator} ({divisor})")
    return text


def divisor_of(result: Type, number: int, negative: bool) -> int:
    rest = number & (1 << result.bits - 2) - 1
    return -2 - rest if negative else rest + 1


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift_of(result: Type, number: int) -> int:
    """OpenCL C 6.3 j: the low bits of the right operand, of the promoted type's width."""
    return number & ((32 if result.is_narrow else result.bits) - 1)


def bits_of(result: Type, number: int) -> int:
    return number & (1 << result.bits) - 1


def rotated(result: Type, number: int, by: int) -> int:
    word, count = bits_of(result, number), by % result.bits
    return word << count | word >> result.bits - count


def choice(operator: str) -> Callable[[Type, list[str]], str]:
    """The third operand where the comparison of the first two holds, else the fourth."""
    def text(result: Type, operands: list[str]) -> str:
        a, b, c, d = operands
        if result.width == 1:
            return narrowed(result, f"{a} {operator} {b} ? {c} : {d}")
        return f"select({d}, {c}, ({a} {operator} {b}))"
    return text


def shifted_down(text: str, result: Type) -> str:
    return f"({text} >> {result.splat(16)})"


COMPARISONS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
               "==": lambda a, b: a == b, "!=": lambda a, b: a != b}

OPERATIONS = [
    Operation("add", 2, in_unsigned("+"), lambda t, a, b: a + b),
    Operation("sub", 2, in_unsigned("-"), lambda t, a, b: a - b),
    Operation("mul", 2, in_unsigned("*"), lambda t, a, b: a * b),
    Operation("and", 2, infix("&"), lambda t, a, b: a & b),
    Operation("or", 2, infix("|"), lambda t, a, b: a | b),
    Operation("xor", 2, infix("^"), lambda t, a, b: a ^ b),
    Operation("not", 1, lambda t, a: narrowed(t, f"~{a[0]}"), lambda t, a: ~a),
    Operation("shl", 2, in_unsigned("<<"), lambda t, a, b: bits_of(t, a) << shift_of(t, bits_of(t, b))),
    Operation("shr", 2, infix(">>"), lambda t, a, b: a >> shift_of(t, b)),
    Operation("div", 2, divided("/", False), lambda t, a, b: quotient(a, divisor_of(t, b, False))),
    Operation("div_negative", 2, divided("/", True), lambda t, a, b: quotient(a, divisor_of(t, b, True)),
              lambda t: t.is_signed),
    Operation("mod", 2, divided("%", False),
              lambda t, a, b: a - divisor_of(t, b, False) * quotient(a, divisor_of(t, b, False))),
    Operation("div_unsigned", 2, lambda t, a: narrowed(t, f"{a[0]} / ({a[1]} | {t.splat(1)})"),
              lambda t, a, b: a // (b | 1), lambda t: not t.is_signed),
    Operation("mod_unsigned", 2, lambda t, a: narrowed(t, f"{a[0]} % ({a[1]} | {t.splat(1)})"),
              lambda t, a, b: a % (b | 1), lambda t: not t.is_signed),
    Operation("min", 2, function("min"), lambda t, a, b: min(a, b)),
    Operation("max", 2, function("max"), lambda t, a, b: max(a, b)),
    Operation("clamp", 3, lambda t, a: f"clamp({a[0]}, min({a[1]}, {a[2]}), max({a[1]}, {a[2]}))",
              lambda t, a, b, c: min(max(a, min(b, c)), max(b, c))),
    Operation("abs", 1, function("abs"), lambda t, a: abs(a), lambda t: not t.is_signed, lambda t: t.signed),
    Operation("abs_diff", 2, function("abs_diff"), lambda t, a, b: abs(a - b), lambda t: not t.is_signed,
              lambda t: t.signed),
    Operation("add_sat", 2, function("add_sat"), lambda t, a, b: t.saturate(a + b)),
    Operation("sub_sat", 2, function("sub_sat"), lambda t, a, b: t.saturate(a - b)),
    Operation("mad_sat", 3, function("mad_sat"), lambda t, a, b, c: t.saturate(a * b + c)),
    Operation("hadd", 2, function("hadd"), lambda t, a, b: (a + b) >> 1),
    Operation("rhadd", 2, function("rhadd"), lambda t, a, b: (a + b + 1) >> 1),
    Operation("mul_hi", 2, function("mul_hi"), lambda t, a, b: (a * b) >> t.bits),
    Operation("rotate", 2, function("rotate"), lambda t, a, b: rotated(t, a, b)),
    Operation("clz", 1, function("clz"), lambda t, a: t.bits - bits_of(t, a).bit_length()),
    Operation("popcount", 1, function("popcount"), lambda t, a: bits_of(t, a).bit_count()),
    Operation("bitselect", 3, function("bitselect"), lambda t, a, b, c: a & ~c | b & c),
    Operation("mul24", 2, lambda t, a: f"mul24({shifted_down(a[0], t)}, {shifted_down(a[1], t)})",
              lambda t, a, b: (a >> 16) * (b >> 16), lambda t: t.bits == 32),
    Operation("mad24", 3, lambda t, a: f"mad24({shifted_down(a[0], t)}, {shifted_down(a[1], t)}, {a[2]})",
              lambda t, a, b, c: (a >> 16) * (b >> 16) + c, lambda t: t.bits == 32 and not t.is_signed),
] + [
    Operation("choice " + operator, 4, choice(operator),
              lambda t, a, b, c, d, holds=holds: c if holds(a, b) else d)
    for operator, holds in COMPARISONS.items()
]


@dataclass(frozen=True)
class Conversion:
    """One integer type from another of the same width."""

    operand: Type
    text: Callable[[Type, str], str]
    value: Callable[[Type, int], int]


def converted(to: Type, text: str) -> str:
    """Modulo what the type holds: C99 6.3.1.3 says that of unsigned types alone."""
    return reinterpreted(to, to.unsigned, f"convert_{to.unsigned.name}({text})")


def conversions(to: Type) -> list[Conversion]:
    found = []
    for scalar in INTEGERS:
        other = to.of(scalar)
        found.append(Conversion(other, converted, lambda t, a: a))
        found.append(Conversion(other, lambda t, a: f"convert_{t.name}_sat({a})", lambda t, a: t.saturate(a)))
        if other.bits == to.bits and other != to:
            found.append(Conversion(other, lambda t, a: f"as_{t.name}({a})", lambda t, a: a))
    return found


# Of floats that hold integers: a name, the number of operands, text, value, and the largest magnitude of the result.
@dataclass(frozen=True)
class ExactOperation:
    name: str
    count: int
    text: Callable[[Type, list[str]], str]
    value: Callable[..., int]
    bound: Callable[..., int]


def half_of(text: Callable[[str], str]) -> Callable[[Type, list[str]], str]:
    def made(result: Type, operands: list[str]) -> str:
        point = f"({result.name})(0.5{'f' if result.bits == 32 else 'h'})"
        return text(f"({operands[0]} * {point})")
    return made


def nearest_even(number: int) -> int:
    """Of half the number."""
    return number // 2 if number % 2 == 0 else (number // 2 if number // 2 % 2 == 0 else number // 2 + 1)


EXACT = [
    ExactOperation("add", 2, infix("+"), lambda a, b: a + b, lambda a, b: a + b),
    ExactOperation("sub", 2, infix("-"), lambda a, b: a - b, lambda a, b: a + b),
    ExactOperation("mul", 2, infix("*"), lambda a, b: a * b, lambda a, b: a * b),
    ExactOperation("fma", 3, function("fma"), lambda a, b, c: a * b + c, lambda a, b, c: a * b + c),
    ExactOperation("mad", 3, function("mad"), lambda a, b, c: a * b + c, lambda a, b, c: a * b + c),
    ExactOperation("fmin", 2, function("fmin"), min, max),
    ExactOperation("fmax", 2, function("fmax"), max, max),
    ExactOperation("fabs", 1, function("fabs"), abs, lambda a: a),
    ExactOperation("neg", 1, lambda t, a: f"(-{a[0]})", lambda a: -a, lambda a: a),
    ExactOperation("floor", 1, half_of(lambda x: f"floor({x})"), lambda a: a // 2, lambda a: a),
    ExactOperation("ceil", 1, half_of(lambda x: f"ceil({x})"), lambda a: -(-a // 2), lambda a: a),
    ExactOperation("trunc", 1, half_of(lambda x: f"trunc({x})"), lambda a: quotient(a, 2), lambda a: a),
    ExactOperation("rint", 1, half_of(lambda x: f"rint({x})"), nearest_even, lambda a: a),
]
# What compilers write as `.sat` of a float. It stands apart, since programs draw from the rows above.
BETWEEN_0_AND_1 = ExactOperation("clamp", 1, lambda t, a: f"clamp({a[0]}, ({t.name})(0), ({t.name})(1))",
                                 lambda a: min(max(a, 0), 1), lambda a: 1)
