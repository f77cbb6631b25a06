"""Expressions and statements of the hunt's programs: text in OpenCL C, and what they compute, work-item by work-item.

Values are lists with a tuple of integers for each work-item, a number for each component. Nothing here knows how a
compiler or an engine works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from operations import Conversion, ExactOperation, Operation
from opencl_types import Type

ITEMS, LOCAL = 64, 32
Values = list[tuple[int, ...]]
COMPONENTS = "0123456789abcdef"


@dataclass
class State:
    """Of a run: variables by name, arrays as a list of values for each element."""

    variables: dict[str, Values] = field(default_factory=dict)
    arrays: dict[str, list[Values]] = field(default_factory=dict)


class Expression:
    type: Type

    def text(self) -> str:
        raise NotImplementedError

    def value(self, state: State) -> Values:
        raise NotImplementedError

    @property
    def bound(self) -> int:
        """Of a float: the largest magnitude."""
        return self.type.scalar.most


@dataclass
class Constant(Expression):
    type: Type
    components: tuple[int, ...]

    def text(self) -> str:
        return self.type.constant(self.components)

    def value(self, state: State) -> Values:
        return [self.components] * ITEMS


@dataclass
class Variable(Expression):
    type: Type
    name: str

    def text(self) -> str:
        return self.name

    def value(self, state: State) -> Values:
        return state.variables[self.name]


@dataclass
class Input(Expression):
    """What lies at the work-item's place in an argument."""

    type: Type
    name: str
    data: list[int]     # elements

    def text(self) -> str:
        return f"{self.name}[gid]" if self.type.width == 1 else f"vload{self.type.width}(gid, {self.name})"

    def value(self, state: State) -> Values:
        width = self.type.width
        return [tuple(self.data[item * width:(item + 1) * width]) for item in range(ITEMS)]


@dataclass
class Lanewise(Expression):
    type: Type
    operation: Operation
    operands: Sequence[Expression]

    def text(self) -> str:
        return self.operation.text(self.type, [operand.text() for operand in self.operands])

    def value(self, state: State) -> Values:
        columns = [operand.value(state) for operand in self.operands]
        make, wrap = self.operation.value, self.type.wrap
        return [tuple(wrap(make(self.type, *numbers)) for numbers in zip(*item)) for item in zip(*columns)]


@dataclass
class Converted(Expression):
    type: Type
    conversion: Conversion
    operand: Expression

    def text(self) -> str:
        return self.conversion.text(self.type, self.operand.text())

    def value(self, state: State) -> Values:
        make, wrap = self.conversion.value, self.type.wrap
        return [tuple(wrap(make(self.type, number)) for number in item) for item in self.operand.value(state)]


@dataclass
class Swizzle(Expression):
    """Components of a vector, in any order."""

    type: Type
    vector: Expression
    places: tuple[int, ...]

    def text(self) -> str:
        return f"{self.vector.text()}.s{''.join(COMPONENTS[place] for place in self.places)}"

    def value(self, state: State) -> Values:
        return [tuple(item[place] for place in self.places) for item in self.vector.value(state)]


@dataclass
class Built(Expression):
    """A vector of parts that are scalars or vectors."""

    type: Type
    parts: Sequence[Expression]

    def text(self) -> str:
        return f"(({self.type.name})({', '.join(part.text() for part in self.parts)}))"

    def value(self, state: State) -> Values:
        columns = [part.value(state) for part in self.parts]
        return [tuple(number for part in item for number in part) for item in zip(*columns)]


@dataclass
class Element(Expression):
    """Of a private array, or of a constant table."""

    type: Type
    array: str
    length: int         # a power of two
    index: Expression   # an int or uint

    def text(self) -> str:
        return f"{self.array}[{self.index.text()} & {self.length - 1}]"

    def value(self, state: State) -> Values:
        elements = state.arrays[self.array]
        return [elements[index[0] & self.length - 1][item] for item, index in enumerate(self.index.value(state))]


@dataclass
class Field(Expression):
    type: Type
    struct: str
    name: str

    def text(self) -> str:
        return f"{self.struct}.{self.name}"

    def value(self, state: State) -> Values:
        return state.variables[self.text()]


@dataclass
class Call(Expression):
    """Of a function of the program."""

    type: Type
    function: Function
    arguments: Sequence[Expression]

    def text(self) -> str:
        return f"{self.function.name}({', '.join(argument.text() for argument in self.arguments)})"

    def value(self, state: State) -> Values:
        own = State(dict(zip((name for name, _ in self.function.parameters),
                             (argument.value(state) for argument in self.arguments))), state.arrays)
        return self.function.result.value(own)


@dataclass
class Function:
    name: str
    parameters: list[tuple[str, Type]]
    result: Expression
    attribute: str = ""

    def text(self) -> str:
        parameters = ", ".join(f"{kind.name} {name}" for name, kind in self.parameters)
        return (f"{self.attribute}{self.result.type.name} {self.name}({parameters}) {{\n"
                f"    return {self.result.text()};\n}}\n")


@dataclass
class Exact(Expression):
    """A float that holds an integer, of magnitude `bound` at most."""

    type: Type
    operation: ExactOperation
    operands: Sequence[Expression]

    def text(self) -> str:
        return self.operation.text(self.type, [operand.text() for operand in self.operands])

    def value(self, state: State) -> Values:
        columns = [operand.value(state) for operand in self.operands]
        return [tuple(self.operation.value(*numbers) for numbers in zip(*item)) for item in zip(*columns)]

    @property
    def bound(self) -> int:
        return self.operation.bound(*(operand.bound for operand in self.operands))


@dataclass
class FloatOfInteger(Expression):
    """The low bits of an int."""

    type: Type
    operand: Expression     # an int vector
    mask: int               # 2^n - 1

    def text(self) -> str:
        return f"convert_{self.type.name}({self.operand.text()} & {self.operand.type.splat(self.mask)})"

    def value(self, state: State) -> Values:
        return [tuple(number & self.mask for number in item) for item in self.operand.value(state)]

    @property
    def bound(self) -> int:
        return self.mask


@dataclass
class IntegerOfFloat(Expression):
    type: Type
    operand: Expression

    def text(self) -> str:
        return f"convert_{self.type.name}({self.operand.text()})"

    def value(self, state: State) -> Values:
        return self.operand.value(state)


@dataclass
class SaturatedOfFloat(Expression):
    """The nearest number that the type has to a float's integer."""

    type: Type
    operand: Expression

    def text(self) -> str:
        return f"convert_{self.type.name}_sat({self.operand.text()})"

    def value(self, state: State) -> Values:
        return [tuple(self.type.saturate(number) for number in item) for item in self.operand.value(state)]


@dataclass
class SubGroup(Expression):
    """What lanes of a sub-group give each other; `size` of them are one."""

    type: Type
    function: str
    operand: Expression
    size: int
    lane: int = 0

    def text(self) -> str:
        operand = self.operand.text()
        if self.function == "shuffle":
            return f"intel_sub_group_shuffle({operand}, (get_sub_group_local_id() ^ {self.lane}u))"
        if self.function == "broadcast":
            return f"sub_group_broadcast({operand}, {self.lane}u)"
        return f"sub_group_{self.function}({operand})"

    def value(self, state: State) -> Values:
        values = [item[0] for item in self.operand.value(state)]
        found: Values = []
        for item in range(ITEMS):
            first = item // self.size * self.size
            found.append((self.type.wrap(self._of_lane(values[first:first + self.size], item - first)),))
        return found

    def _of_lane(self, lanes: list[int], lane: int) -> int:
        if self.function == "shuffle":
            return lanes[lane ^ self.lane]
        if self.function == "broadcast":
            return lanes[self.lane]
        if self.function == "scan_exclusive_add":
            return sum(lanes[:lane])
        if self.function == "scan_inclusive_max":
            return max(lanes[:lane + 1])
        if self.function == "reduce_add":
            return sum(lanes)
        return min(lanes) if self.function == "reduce_min" else max(lanes)


# ---- statements

Mask = list[bool]


def merged(mask: Mask, new: Values, old: Values) -> Values:
    return [new[item] if on else old[item] for item, on in enumerate(mask)]


class Statement:
    def text(self, indent: str) -> str:
        raise NotImplementedError

    def run(self, state: State, mask: Mask) -> None:
        raise NotImplementedError


def block(statements: Sequence[Statement], indent: str) -> str:
    return "".join(statement.text(indent) for statement in statements)


def run_all(statements: Sequence[Statement], state: State, mask: Mask) -> None:
    if any(mask):
        for statement in statements:
            statement.run(state, mask)


@dataclass
class Assign(Statement):
    target: Variable | Field
    value: Expression

    def text(self, indent: str) -> str:
        return f"{indent}{self.target.text()} = {self.value.text()};\n"

    def run(self, state: State, mask: Mask) -> None:
        name = self.target.text()
        state.variables[name] = merged(mask, self.value.value(state), state.variables[name])


@dataclass
class AssignComponents(Statement):
    """Some components of a vector."""

    target: Variable
    places: tuple[int, ...]
    value: Expression

    def text(self, indent: str) -> str:
        return (f"{indent}{self.target.name}.s{''.join(COMPONENTS[place] for place in self.places)} = "
                f"{self.value.text()};\n")

    def run(self, state: State, mask: Mask) -> None:
        old, new = state.variables[self.target.name], self.value.value(state)
        whole: Values = []
        for before, parts in zip(old, new):
            components = list(before)
            for place, number in zip(self.places, parts):
                components[place] = number
            whole.append(tuple(components))
        state.variables[self.target.name] = merged(mask, whole, old)


@dataclass
class Store(Statement):
    """An element of a private array."""

    element: Element
    value: Expression

    def text(self, indent: str) -> str:
        return f"{indent}{self.element.text()} = {self.value.text()};\n"

    def run(self, state: State, mask: Mask) -> None:
        elements = state.arrays[self.element.array]
        new = self.value.value(state)
        for item, index in enumerate(self.element.index.value(state)):
            if mask[item]:
                elements[index[0] & self.element.length - 1][item] = new[item]


@dataclass
class If(Statement):
    condition: Expression   # a scalar integer
    then: Sequence[Statement]
    otherwise: Sequence[Statement]

    def text(self, indent: str) -> str:
        text = f"{indent}if ({self.condition.text()}) {{\n{block(self.then, indent + '    ')}{indent}}}"
        if self.otherwise:
            text += f" else {{\n{block(self.otherwise, indent + '    ')}{indent}}}"
        return text + "\n"

    def run(self, state: State, mask: Mask) -> None:
        holds = [number[0] != 0 for number in self.condition.value(state)]
        run_all(self.then, state, [on and yes for on, yes in zip(mask, holds)])
        run_all(self.otherwise, state, [on and not yes for on, yes in zip(mask, holds)])


@dataclass
class Loop(Statement):
    """`counter` from 0 below `count`, and an end before that."""

    counter: str
    count: Expression       # a uint, of which the low three bits are taken
    body: Sequence[Statement]
    leaves: Expression | None   # after the body; a scalar integer

    def text(self, indent: str) -> str:
        inner = indent + "    "
        text = f"{indent}const uint {self.counter}_end = {self.count.text()} & 7u;\n"
        text += f"{indent}for (uint {self.counter} = 0; {self.counter} < {self.counter}_end; ++{self.counter}) {{\n"
        text += block(self.body, inner)
        if self.leaves is not None:
            text += f"{inner}if ({self.leaves.text()})\n{inner}    break;\n"
        return text + f"{indent}}}\n"

    def run(self, state: State, mask: Mask) -> None:
        counts = [number[0] & 7 for number in self.count.value(state)]
        inside = list(mask)
        for turn in range(8):
            inside = [on and turn < count for on, count in zip(inside, counts)]
            if not any(inside):
                break
            state.variables[self.counter] = [(turn,)] * ITEMS
            run_all(self.body, state, inside)
            if self.leaves is not None:
                inside = [on and not left[0] for on, left in zip(inside, self.leaves.value(state))]


@dataclass
class Switch(Statement):
    selector: Expression    # an int, of which two bits are taken
    bodies: Sequence[Sequence[Statement]]   # of 0, 1, 2
    falls: Sequence[bool]   # into the next one
    otherwise: Sequence[Statement]

    def text(self, indent: str) -> str:
        inner = indent + "    "
        text = f"{indent}switch ({self.selector.text()} & 3) {{\n"
        for number, (body, falls) in enumerate(zip(self.bodies, self.falls)):
            text += f"{indent}case {number}: {{\n{block(body, inner)}{indent}}}\n"
            text += "" if falls else f"{inner}break;\n"
        return text + f"{indent}default: {{\n{block(self.otherwise, inner)}{indent}}}\n{indent}}}\n"

    def run(self, state: State, mask: Mask) -> None:
        selected = [number[0] & 3 for number in self.selector.value(state)]
        falling = [False] * ITEMS
        for number, (body, falls) in enumerate(zip(self.bodies, self.falls)):
            here = [on and (fell or choice == number) for on, fell, choice in zip(mask, falling, selected)]
            run_all(body, state, here)
            falling = [falls and on for on in here]
        run_all(self.otherwise, state, [on and (fell or choice == 3) for on, fell, choice in zip(mask, falling, selected)])


@dataclass
class Exchange(Statement):
    """Through shared local memory, between barriers: each work-item gets another one's value."""

    target: Variable
    memory: str
    value: Expression
    moved: int
    by_xor: bool

    def text(self, indent: str) -> str:
        place = f"lid ^ {self.moved}" if self.by_xor else f"(lid + {self.moved}) % {LOCAL}"
        return (f"{indent}{self.memory}[lid] = {self.value.text()};\n{indent}barrier(CLK_LOCAL_MEM_FENCE);\n"
                f"{indent}{self.target.name} = {self.memory}[{place}];\n{indent}barrier(CLK_LOCAL_MEM_FENCE);\n")

    def run(self, state: State, mask: Mask) -> None:
        values = self.value.value(state)
        found: Values = []
        for item in range(ITEMS):
            lid = item % LOCAL
            other = lid ^ self.moved if self.by_xor else (lid + self.moved) % LOCAL
            found.append(values[item - lid + other])
        state.variables[self.target.name] = found


ATOMICS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "min": min, "max": max, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b}


@dataclass
class Atomic(Statement):
    """All work-items of a group update one word of shared local memory; all read the end."""

    target: Variable    # int or uint
    memory: str
    operation: str
    first: int
    value: Expression

    def text(self, indent: str) -> str:
        return (f"{indent}if (lid == 0)\n{indent}    {self.memory} = {self.target.type.constant((self.first,))};\n"
                f"{indent}barrier(CLK_LOCAL_MEM_FENCE);\n"
                f"{indent}atomic_{self.operation}(&{self.memory}, {self.value.text()});\n"
                f"{indent}barrier(CLK_LOCAL_MEM_FENCE);\n{indent}{self.target.name} = {self.memory};\n"
                f"{indent}barrier(CLK_LOCAL_MEM_FENCE);\n")

    def run(self, state: State, mask: Mask) -> None:
        values = self.value.value(state)
        found: Values = []
        for group in range(ITEMS // LOCAL):
            word = self.first
            for (number,) in values[group * LOCAL:(group + 1) * LOCAL]:
                word = self.target.type.wrap(ATOMICS[self.operation](word, number))
            found += [(word,)] * LOCAL
        state.variables[self.target.name] = found


