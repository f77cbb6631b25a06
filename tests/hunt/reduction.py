"""Makes a program of the hunt smaller, as long as one place stays wrong.

The evaluator still knows what each smaller program computes, so that what is left needs no other witness. Statements are taken
away, then expressions become a part of theirs of the same type, or zero.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import nodes
import programs
import trial
from nodes import Expression, Statement

Undo = Callable[[], None]


def statement_lists(statements: list[Statement]) -> Iterator[list[Statement]]:
    yield statements
    for statement in statements:
        for field in dataclasses.fields(statement):     # type: ignore[arg-type]
            value = getattr(statement, field.name)
            if isinstance(value, list) and value and isinstance(value[0], Statement):
                yield from statement_lists(value)
            elif isinstance(value, list) and value and isinstance(value[0], list):
                for one in value:
                    yield from statement_lists(one)


def places(node: Any) -> Iterator[tuple[Any, str, int]]:
    """Where expressions stand in a statement or an expression, from the outside in: the owner, its field, and an index
    or -1."""
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if field.name in ("target", "element", "function", "conversion", "operation"):
            if isinstance(value, nodes.Element):
                yield from places(value)
            continue
        if isinstance(value, Expression):
            yield node, field.name, -1
            yield from places(value)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, Expression):
                    yield node, field.name, index
                    yield from places(one)
                elif isinstance(one, Statement):
                    yield from places(one)
                elif isinstance(one, list):
                    for inner in one:
                        yield from places(inner)


def get(place: tuple[Any, str, int]) -> Expression:
    value = getattr(place[0], place[1])
    return value if place[2] < 0 else value[place[2]]


def put(place: tuple[Any, str, int], expression: Expression) -> None:
    if place[2] < 0:
        setattr(place[0], place[1], expression)
    else:
        getattr(place[0], place[1])[place[2]] = expression


def simpler(expression: Expression) -> Iterator[Expression]:
    """What may stand in its place: parts of its type, the smallest last, then zero."""
    if isinstance(expression, nodes.Constant):
        if any(expression.components):
            yield nodes.Constant(expression.type, (0,) * expression.type.width)
        return
    for place in places(expression):
        part = get(place)
        if part.type == expression.type:
            yield part
    if not expression.type.scalar.is_float:
        yield nodes.Constant(expression.type, (0,) * expression.type.width)


class Reduction:
    def __init__(self, program: programs.Program, place: trial.Place):
        self.program, self.place = program, place
        self.tests = 0

    def is_wrong(self) -> bool:
        self.tests += 1
        found = trial.run_at([self.program], self.place, ("interp",))[self.program.seed]
        return not isinstance(found, str) and found["interp"] is not None

    def outputs(self) -> None:
        for one in list(self.program.outputs):
            kept = self.program.outputs
            self.program.outputs = [one]
            if self.is_wrong():
                return
            self.program.outputs = kept

    def statements(self) -> bool:
        changed = False
        for owner in list(statement_lists(self.program.body)):
            size = max(len(owner) // 2, 1)
            while size:
                start = 0
                while start < len(owner):
                    kept = owner[start:start + size]
                    del owner[start:start + size]
                    if self.is_wrong():
                        changed = True
                    else:
                        owner[start:start] = kept
                        start += size
                size //= 2
        return changed

    def unwrapped(self) -> bool:
        """A branch's or loop's body in its place."""
        changed = False
        for owner in list(statement_lists(self.program.body)):
            for index, statement in enumerate(list(owner)):
                inner = list(statement_lists([statement]))[1:]
                for body in inner:
                    kept = owner[:]
                    owner[index:index + 1] = body
                    if self.is_wrong():
                        changed = True
                        break
                    owner[:] = kept
                if changed:
                    return True
        return changed

    def expressions(self) -> bool:
        changed = False
        roots = [*self.program.body, *self.program.variables, *self.program.fields, *self.program.functions]
        for root in roots:
            for place in list(places(root)):
                before = get(place)
                for candidate in simpler(before):
                    put(place, candidate)
                    if self.is_wrong():
                        changed = True
                        break
                    put(place, before)
        return changed

    def run(self) -> None:
        self.outputs()
        while self.statements() or self.unwrapped():
            pass
        while self.expressions():
            self.statements()


def reduce(seed: int, place: trial.Place) -> tuple[str, str, int]:
    """The source of what is left, what is wrong there, and how many programs were tried."""
    program = programs.draw(seed)
    reduction = Reduction(program, place)
    if not reduction.is_wrong():
        raise ValueError(f"program {seed} is right, or refused, on {place}")
    reduction.run()
    found = trial.run_at([program], place, ("interp",))[seed]
    text = "" if isinstance(found, str) or found["interp"] is None else found["interp"].text
    return programs.source_of([program]), text, reduction.tests
