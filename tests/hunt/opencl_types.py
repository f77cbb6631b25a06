"""Integer types of OpenCL C and their vectors: names, ranges, and numbers wrapped into them."""

from __future__ import annotations

from dataclasses import dataclass

WIDTHS = (1, 2, 3, 4, 8, 16)


@dataclass(frozen=True)
class Scalar:
    """An integer type, or a float type that holds integers alone."""

    name: str
    bits: int
    is_signed: bool = True
    is_float: bool = False
    most: int = 0       # of a float type: integers up to here are exact


SIGNED = tuple(Scalar(name, bits) for name, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64)))
UNSIGNED = tuple(Scalar("u" + one.name, one.bits, False) for one in SIGNED)
INTEGERS = SIGNED + UNSIGNED
FLOAT = Scalar("float", 32, is_float=True, most=1 << 24)
HALF = Scalar("half", 16, is_float=True, most=1 << 11)


@dataclass(frozen=True)
class Type:
    """A scalar, or a vector of `width` of them."""

    scalar: Scalar
    width: int = 1

    @property
    def name(self) -> str:
        return self.scalar.name + (str(self.width) if self.width > 1 else "")

    @property
    def bits(self) -> int:
        """Of a component."""
        return self.scalar.bits

    @property
    def is_signed(self) -> bool:
        return self.scalar.is_signed

    @property
    def is_narrow(self) -> bool:
        """Whether C promotes it to int before it computes."""
        return self.width == 1 and self.bits < 32

    @property
    def low(self) -> int:
        return -(1 << self.bits - 1) if self.is_signed else 0

    @property
    def high(self) -> int:
        return (1 << self.bits - (1 if self.is_signed else 0)) - 1

    def wrap(self, number: int) -> int:
        number &= (1 << self.bits) - 1
        return number - (1 << self.bits) if self.is_signed and number >> self.bits - 1 else number

    def saturate(self, number: int) -> int:
        return min(max(number, self.low), self.high)

    def of(self, scalar: Scalar) -> Type:
        return Type(scalar, self.width)

    @property
    def unsigned(self) -> Type:
        return self.of(next(one for one in UNSIGNED if one.bits == self.bits))

    @property
    def signed(self) -> Type:
        return self.of(next(one for one in SIGNED if one.bits == self.bits))

    def constant(self, components: tuple[int, ...]) -> str:
        """An expression of exactly this type."""
        texts = [self._component(number) for number in components]
        return texts[0] if self.width == 1 else f"({self.name})({', '.join(texts)})"

    def _component(self, number: int) -> str:
        """A constant expression, which a table may begin with."""
        if self.bits < 32:
            return f"(({self.scalar.name})({number}))"
        suffix = ("l" if self.bits == 64 else "") if self.is_signed else ("ul" if self.bits == 64 else "u")
        if number == self.low and self.is_signed:   # its magnitude is no number of the type
            return f"({number + 1}{suffix} - 1)"
        return f"({number}{suffix})" if number < 0 else f"{number}{suffix}"

    def splat(self, number: int) -> str:
        return self.constant((number,) * self.width)


INT = Type(SIGNED[2])
UINT = Type(UNSIGNED[2])


def reinterpreted(to: Type, of: Type, text: str) -> str:
    """The bits of a value of one type as another of the same size."""
    return text if to == of else f"as_{to.name}({text})"
