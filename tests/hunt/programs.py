"""Draws programs of OpenCL C that are defined by construction, with what each of their work-items computes.

A program is one kernel of 64 work-items in two groups of 32. Its arguments are arrays of every integer type to read, and
one array for each of its variables, which it writes at the end.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy

import nodes
from nodes import ITEMS, LOCAL, Expression, Statement, Variable
from opencl_types import FLOAT, HALF, INT, INTEGERS, UINT, WIDTHS, Scalar, Type
from operations import BETWEEN_0_AND_1, EXACT, OPERATIONS, conversions

ELEMENTS = ITEMS * max(WIDTHS)
SUB_GROUP_SIZES = (8, 16, 32)
SUB_GROUP_FUNCTIONS = ("shuffle", "broadcast", "reduce_add", "reduce_min", "reduce_max", "scan_exclusive_add",
                       "scan_inclusive_max")
TABLE_LENGTH, ARRAY_LENGTH = 16, 8
# Programs from this seed on saturate floats, too: those before it stay as they were when mistakes were found by them.
SATURATED_FROM = 10_000


def dtype_of(scalar: Scalar) -> numpy.dtype:
    return numpy.dtype(("i" if scalar.is_signed else "u") + str(scalar.bits // 8))


@dataclass
class Array:
    """Private, of eight equal elements at first; or a constant table of sixteen."""

    name: str
    type: Type
    first: list[tuple[int, ...]]    # of a table: each element's components; else one for all

    @property
    def is_table(self) -> bool:
        return len(self.first) == TABLE_LENGTH

    @property
    def length(self) -> int:
        return TABLE_LENGTH if self.is_table else ARRAY_LENGTH

    def text(self) -> str:
        texts = [self.type.constant(number) for number in self.first]
        if self.is_table:
            return f"constant {self.type.name} {self.name}[{TABLE_LENGTH}] = {{{', '.join(texts)}}};\n"
        return (f"    {self.type.name} {self.name}[{ARRAY_LENGTH}];\n    for (int i = 0; i < {ARRAY_LENGTH}; ++i)\n"
                f"        {self.name}[i] = {texts[0]};\n")


@dataclass
class Program:
    """Everything of a program is data, so that it can be made smaller: what nothing names is left out of its text."""

    seed: int
    sub_group: int = 0                  # its size; 0: any
    inputs: dict[Scalar, list[int]] = field(default_factory=dict)
    variables: list[nodes.Assign] = field(default_factory=list)     # with their first values, in order
    arrays: list[Array] = field(default_factory=list)
    functions: list[nodes.Function] = field(default_factory=list)
    fields: list[nodes.Assign] = field(default_factory=list)        # of the struct
    body: list[Statement] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    constructs: set[str] = field(default_factory=set)

    @property
    def arguments(self) -> dict[str, numpy.ndarray]:
        """What the kernel reads."""
        source = self.kernel_text()
        return {f"in_{scalar.name}": numpy.array(data, dtype_of(scalar)) for scalar, data in self.inputs.items()
                if names(source, f"in_{scalar.name}")}

    def expected(self) -> dict[str, numpy.ndarray]:
        """What each output array holds at the end."""
        everywhere, state = [True] * ITEMS, nodes.State()
        for array in self.arrays:
            state.arrays[array.name] = [[number] * ITEMS for number in
                                        (array.first if array.is_table else array.first * ARRAY_LENGTH)]
        for first in [*self.variables, *self.fields]:
            state.variables[first.target.text()] = [(0,) * first.target.type.width] * ITEMS
            first.run(state, everywhere)
        nodes.run_all(self.body, state, everywhere)
        return {f"out_{one.name}": numpy.array([number for item in state.variables[one.name] for number in item],
                                               dtype_of(one.type.scalar)) for one in self.outputs}

    def kernel_text(self) -> str:
        """From the kernel's variables to its end."""
        text = nodes.block(self.body, "    ")
        for one in self.outputs:
            width = one.type.width
            text += (f"    out_{one.name}[gid] = {one.name};\n" if width == 1 else
                     f"    vstore{width}({one.name}, gid, out_{one.name});\n")
        text = "".join(first.text("    ") for first in self.fields if names(text, first.target.text())) + text
        struct = self.fields[0].target.struct if self.fields else ""    # type: ignore[union-attr]
        if struct and names(text, struct):
            text = f"    struct {struct}_type {struct};\n" + text
        text = "".join(one.text() for one in self.arrays if not one.is_table and names(text, one.name)) + text
        for first in reversed(self.variables):
            if names(text, first.target.text()):
                text = f"    {first.target.type.name} {first.text('')}" + text
        local = "".join(f"    local {one.target.type.name} {one.memory}"
                        f"{f'[{LOCAL}]' if isinstance(one, nodes.Exchange) else ''};\n"
                        for one in self.body if isinstance(one, nodes.Exchange | nodes.Atomic))
        return local + text

    def source(self) -> str:
        """Without the extensions' pragmas, which stand in front of several programs."""
        kernel = self.kernel_text()
        functions = ""
        for function in reversed(self.functions):
            if names(kernel + functions, function.name):
                functions = function.text() + functions
        tables = "".join(one.text() for one in self.arrays if one.is_table and names(kernel + functions, one.name))
        structs = ""
        if self.fields and names(kernel, self.fields[0].target.struct):     # type: ignore[union-attr]
            members = " ".join(f"{one.target.type.name} {one.target.name};" for one in self.fields)
            structs = f"struct {self.fields[0].target.struct}_type {{ {members} }};\n"     # type: ignore[union-attr]
        if self.sub_group:
            size = f"__attribute__((intel_reqd_sub_group_size({self.sub_group})))\n"
        else:
            size = "#ifdef SUB_GROUP\n__attribute__((intel_reqd_sub_group_size(SUB_GROUP)))\n#endif\n"
        arguments = [f"global const {scalar.name}* in_{scalar.name}" for scalar in self.inputs
                     if names(kernel, f"in_{scalar.name}")]
        arguments += [f"global {one.type.scalar.name}* out_{one.name}" for one in self.outputs]
        joined = ",\n                 ".join(arguments)
        return (f"{tables}{structs}{functions}{size}__attribute__((reqd_work_group_size({LOCAL}, 1, 1)))\n"
                f"kernel void {kernel_name(self.seed)}({joined}) {{\n"
                f"    const uint gid = get_global_id(0), lid = get_local_id(0);\n{kernel}}}\n")


def names(text: str, word: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


class Draw:
    """One program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.seed = seed
        self.constructs: set[str] = set()
        self.variables: list[Variable] = []
        self.fields: list[nodes.Field] = []
        self.arrays: list[tuple[str, Type, int]] = []
        self.functions: list[nodes.Function] = []
        self.inputs = {scalar: [self.number(Type(scalar)) for _ in range(ELEMENTS)] for scalar in INTEGERS}
        self.counter = 0
        self.counters: list[Variable] = []  # of the loops around
        self.uses_sub_groups = self.random.random() < 0.25
        self.sub_group = self.random.choice(SUB_GROUP_SIZES) if self.uses_sub_groups else 0

    # ---- numbers and names

    def number(self, kind: Type) -> int:
        """Edges as often as any other."""
        if self.random.random() < 0.3:
            return self.random.choice((0, 1, kind.wrap(-1), kind.low, kind.high, kind.high - 1, 2))
        if self.random.random() < 0.3:
            return self.random.randrange(64)
        return kind.wrap(self.random.getrandbits(kind.bits))

    def name(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def global_name(self, prefix: str) -> str:
        """One that no other program has."""
        return f"{self.name(prefix)}_{self.seed}"

    def type(self) -> Type:
        width = self.random.choices(WIDTHS, (10, 4, 2, 4, 2, 1))[0]
        return Type(self.random.choice(INTEGERS), width)

    # ---- expressions

    def leaf(self, kind: Type) -> Expression:
        choices: list[Callable[[], Expression]] = [
            lambda: nodes.Constant(kind, tuple(self.number(kind) for _ in range(kind.width))),
            *[lambda: nodes.Input(kind, f"in_{kind.scalar.name}", self.inputs[kind.scalar])] * 3]
        known: list[Expression] = [one for one in [*self.variables, *self.fields, *self.counters] if one.type == kind]
        if known:
            choices += [lambda: self.random.choice(known)] * 4
        return self.random.choice(choices)()

    def expression(self, kind: Type, depth: int) -> Expression:
        if depth == 0:
            return self.leaf(kind)
        ways: list[tuple[int, Callable[[], Expression | None]]] = [
            (1, lambda: self.leaf(kind)), (10, lambda: self.lanewise(kind, depth)),
            (3, lambda: self.conversion(kind, depth)), (1, lambda: self.swizzle(kind)),
            (1, lambda: self.built(kind, depth)), (1, lambda: self.element(kind, depth)),
            (1, lambda: self.call(kind, depth)), (1, lambda: self.of_float(kind, depth))]
        if self.seed >= SATURATED_FROM:
            ways.append((2, lambda: self.saturated(kind, depth)))
        weights = [weight for weight, _ in ways]
        while True:
            made = self.random.choices(ways, weights)[0][1]()
            if made is not None:
                return made

    def lanewise(self, kind: Type, depth: int) -> Expression:
        operation = self.random.choice([one for one in OPERATIONS if one.allowed(kind)])
        self.constructs.add(f"{operation.name} {kind.scalar.name}")
        operand = operation.operands(kind)
        return nodes.Lanewise(kind, operation,
                              [self.expression(operand, depth - 1) for _ in range(operation.count)])

    def conversion(self, kind: Type, depth: int) -> Expression:
        conversion = self.random.choice(conversions(kind))
        self.constructs.add("conversion")
        if "_sat(" in conversion.text(kind, ""):
            self.constructs.add("saturated")
        return nodes.Converted(kind, conversion, self.expression(conversion.operand, depth - 1))

    def swizzle(self, kind: Type) -> Expression | None:
        vectors = [one for one in self.variables if one.type.scalar == kind.scalar and one.type.width > 1]
        if not vectors:
            return None
        vector = self.random.choice(vectors)
        self.constructs.add("swizzle")
        return nodes.Swizzle(kind, vector, tuple(self.random.randrange(vector.type.width) for _ in range(kind.width)))

    def built(self, kind: Type, depth: int) -> Expression | None:
        if kind.width == 1 or kind.width > 4:
            return None
        self.constructs.add("vector literal")
        ways: dict[int, list[tuple[int, ...]]] = {2: [(1, 1)], 3: [(1, 1, 1), (2, 1), (1, 2)],
                                                  4: [(1, 1, 1, 1), (2, 2), (1, 3), (1, 1, 2)]}
        widths = self.random.choice(ways[kind.width])
        return nodes.Built(kind, [self.expression(Type(kind.scalar, width), depth - 1) for width in widths])

    def element(self, kind: Type, depth: int) -> Expression | None:
        arrays = [one for one in self.arrays if one[1] == kind]
        if not arrays:
            return None
        name, _, length = self.random.choice(arrays)
        self.constructs.add("array")
        return nodes.Element(kind, name, length, self.expression(self.random.choice((INT, UINT)), depth - 1))

    def call(self, kind: Type, depth: int) -> Expression | None:
        functions = [one for one in self.functions if one.result.type == kind]
        if not functions:
            return None
        function = self.random.choice(functions)
        self.constructs.add("function")
        return nodes.Call(kind, function, [self.expression(one, depth - 1) for _, one in function.parameters])

    def of_float(self, kind: Type, depth: int) -> Expression | None:
        if kind.scalar != INT.scalar:
            return None
        scalar = HALF if self.random.random() < 0.3 else FLOAT
        self.constructs.add(scalar.name)
        return nodes.IntegerOfFloat(kind, self.exact(kind.of(scalar), depth))

    def saturated(self, kind: Type, depth: int) -> Expression | None:
        """Of a narrow type from below what it holds to above: an integer of two bits more, less as many as the type has
        numbers. Of an int the float between 0 and 1."""
        scalar = HALF if kind.bits in (8, 32) and self.random.random() < 0.3 else FLOAT
        if kind.scalar is INT.scalar:
            self.constructs.add(f"saturated {scalar.name}")
            return nodes.IntegerOfFloat(kind, nodes.Exact(kind.of(scalar), BETWEEN_0_AND_1,
                                                          [self.exact(kind.of(scalar), depth)]))
        if kind.bits > 16:
            return None
        self.constructs.add(f"saturated {scalar.name} {kind.scalar.name}")
        whole, mask = kind.of(INT.scalar), (4 << kind.bits) - 1
        operands = [nodes.FloatOfInteger(kind.of(scalar), self.expression(whole, depth - 1), mask),
                    nodes.FloatOfInteger(kind.of(scalar), nodes.Constant(whole, (1 << kind.bits,) * whole.width), mask)]
        return nodes.SaturatedOfFloat(kind, nodes.Exact(kind.of(scalar), next(one for one in EXACT if one.name == "sub"),
                                                        operands))

    def exact(self, kind: Type, depth: int) -> Expression:
        """Falls back to its last operand where the result might be too large to be exact."""
        if depth == 0 or self.random.random() < 0.2:
            mask = (1 << self.random.randint(1, 5 if kind.scalar is HALF else 10)) - 1
            return nodes.FloatOfInteger(kind, self.expression(kind.of(INT.scalar), max(depth - 1, 0)), mask)
        operation = self.random.choice(EXACT)
        self.constructs.add(f"{operation.name} {kind.scalar.name}{'s' if kind.width > 1 else ''}")
        made = nodes.Exact(kind, operation, [self.exact(kind, depth - 1) for _ in range(operation.count)])
        return made if made.bound <= kind.scalar.most else made.operands[-1]

    # ---- statements

    def target(self) -> Variable:
        return self.random.choice([one for one in self.variables])

    def assign(self) -> Statement:
        roll = self.random.random()
        if roll < 0.15 and self.fields:
            member = self.random.choice(self.fields)
            self.constructs.add("struct")
            return nodes.Assign(member, self.expression(member.type, 2))
        target = self.target()
        if roll < 0.3 and target.type.width > 1:
            count = self.random.choice([width for width in (1, 2, 3, 4) if width <= target.type.width])
            places = tuple(self.random.sample(range(target.type.width), count))
            self.constructs.add("components")
            return nodes.AssignComponents(target, places,
                                          self.expression(Type(target.type.scalar, count), 2))
        return nodes.Assign(target, self.expression(target.type, 2))

    def store(self) -> Statement | None:
        arrays = [one for one in self.arrays if one[2] == ARRAY_LENGTH]
        if not arrays:
            return None
        name, kind, length = self.random.choice(arrays)
        self.constructs.add("array store")
        return nodes.Store(nodes.Element(kind, name, length, self.expression(INT, 1)), self.expression(kind, 2))

    def condition(self) -> Expression:
        return self.expression(self.random.choice((INT, UINT)), 2)

    def branch(self, depth: int) -> Statement:
        self.constructs.add("if")
        otherwise = self.statements(depth - 1) if self.random.random() < 0.5 else []
        return nodes.If(self.condition(), self.statements(depth - 1), otherwise)

    def loop(self, depth: int) -> Statement:
        self.constructs.add("loop")
        counter = Variable(UINT, self.name("k"))
        count = self.expression(UINT, 1)
        self.counters.append(counter)
        body = self.statements(depth - 1)
        leaves = self.condition() if self.random.random() < 0.3 else None
        self.counters.pop()
        return nodes.Loop(counter.name, count, body, leaves)

    def switch(self, depth: int) -> Statement:
        self.constructs.add("switch")
        bodies = [self.statements(depth - 1) for _ in range(3)]
        return nodes.Switch(self.expression(INT, 1), bodies, [self.random.random() < 0.3 for _ in bodies],
                            self.statements(depth - 1))

    def statements(self, depth: int) -> list[Statement]:
        return [self.statement(depth) for _ in range(self.random.randint(1, 3))]

    def statement(self, depth: int) -> Statement:
        ways: list[tuple[int, Callable[[], Statement | None]]] = [(6, self.assign), (1, self.store)]
        if depth > 0:
            ways += [(1, lambda: self.branch(depth)), (1, lambda: self.loop(depth)), (1, lambda: self.switch(depth))]
        while True:
            made = self.random.choices([way for _, way in ways], [weight for weight, _ in ways])[0]()
            if made is not None:
                return made

    # Where all work-items are.
    def together(self) -> Statement:
        roll = self.random.random()
        words = [one for one in self.variables if one.type in (INT, UINT)]
        if roll < 0.3 and words:
            target = self.random.choice(words)
            memory = self.name("word")
            operation = self.random.choice(list(nodes.ATOMICS))
            self.constructs.add("atomic " + operation)
            return nodes.Atomic(target, memory, operation, self.number(target.type), self.expression(target.type, 2))
        longs = [one for one in self.variables if one.type.width == 1 and one.type.bits >= 32]
        if roll < 0.6 and longs and self.uses_sub_groups:
            target = self.random.choice(longs)
            function = self.random.choice(SUB_GROUP_FUNCTIONS)
            self.constructs.add("sub_group " + function)
            return nodes.Assign(target, nodes.SubGroup(target.type, function, self.expression(target.type, 2),
                                                       self.sub_group, self.random.randrange(self.sub_group)))
        target = self.target()
        memory = self.name("shared")
        self.constructs.add("local memory")
        by_xor = self.random.random() < 0.5
        return nodes.Exchange(target, memory, self.expression(target.type, 2), self.random.randrange(1, LOCAL), by_xor)

    # ---- the program

    def declare(self, program: Program) -> None:
        """Tables, variables, functions, arrays and a struct, with their first values."""
        for _ in range(self.random.randrange(3)):
            self.array(program, "table", TABLE_LENGTH)
        for _ in range(self.random.randint(3, 6)):
            variable = Variable(self.type(), self.name("v"))
            program.variables.append(nodes.Assign(variable, self.expression(variable.type, 1)))
            self.variables.append(variable)
        for _ in range(self.random.randrange(3)):
            self.functions.append(self.function())
        for _ in range(self.random.randrange(3)):
            self.array(program, "array", 1)
        if self.random.random() < 0.4:
            name = self.global_name("s")
            fields = [nodes.Field(self.type(), name, f"f{number}") for number in range(self.random.randint(2, 4))]
            program.fields = [nodes.Assign(one, self.leaf(one.type)) for one in fields]
            self.fields = fields

    def array(self, program: Program, prefix: str, count: int) -> None:
        kind = self.type()
        first = [tuple(self.number(kind) for _ in range(kind.width)) for _ in range(count)]
        made = Array(self.global_name(prefix), kind, first)
        program.arrays.append(made)
        self.arrays.append((made.name, kind, made.length))

    def function(self) -> nodes.Function:
        name = self.global_name("f")
        parameters = [(f"a{number}", self.type()) for number in range(self.random.randint(1, 3))]
        outside = (self.variables, self.fields, self.arrays, self.functions)
        tables = [one for one in self.arrays if one[2] == TABLE_LENGTH]
        self.variables, self.fields, self.arrays, self.functions = (
            [Variable(kind, word) for word, kind in parameters], [], tables, [])
        result_type = self.random.choice(parameters)[1] if self.random.random() < 0.5 else self.type()
        # A function has no `gid`: parameters and constants are its leaves.
        inputs = self.leaf
        self.leaf = self.leaf_of_function  # type: ignore[method-assign]
        result = self.expression(result_type, 2)
        self.leaf = inputs  # type: ignore[method-assign]
        self.variables, self.fields, self.arrays, self.functions = outside
        attribute = "__attribute__((noinline)) " if self.random.random() < 0.2 else ""
        if attribute:
            self.constructs.add("noinline")
        return nodes.Function(name, parameters, result, attribute)

    def leaf_of_function(self, kind: Type) -> Expression:
        known = [one for one in self.variables if one.type == kind]
        if known and self.random.random() < 0.7:
            return self.random.choice(known)
        return nodes.Constant(kind, tuple(self.number(kind) for _ in range(kind.width)))

    def program(self) -> Program:
        program = Program(self.seed, self.sub_group, self.inputs)
        self.declare(program)
        for _ in range(self.random.randint(2, 6)):
            program.body.append(self.together() if self.random.random() < 0.2 else self.statement(2))
        program.functions, program.outputs, program.constructs = self.functions, list(self.variables), self.constructs
        return program


EXTENSIONS = "".join(f"#pragma OPENCL EXTENSION {name} : enable\n"
                     for name in ("cl_khr_fp16", "cl_khr_subgroups", "cl_intel_subgroups"))


def kernel_name(seed: int) -> str:
    return f"hunt_{seed}"


def source_of(several: Iterable[Program]) -> str:
    """One OpenCL C text with a kernel for each."""
    return EXTENSIONS + "".join(f"\n{program.source()}" for program in several)


def draw(seed: int) -> Program:
    """The same program for a seed, on every machine."""
    return Draw(seed).program()
