"""Glitch-extended probing of a masked pipeline, decided exactly.

A probe on a wire sees every register and input that the logic before the wire depends on: with
glitches, the wire may show any of them (Faust et al., "Composable masking schemes in the presence
of physical defaults and the robust probing model", TCHES 2018). Probes see nothing when the joint
distribution of all that they see is the same for every value of the masked inputs. Four steps
decide it, none of which changes the distribution:

1. A register r + f, of a random bit r that nothing else depends on, is uniform and independent of
   all else: it is a random bit itself.
2. Seen values that are linear in a random bit, which nothing else depends on, are added to one of
   them, which then is uniform, independent of the others, and left out.
3. The shares of a bit of which one is missing are random bits.
4. What remains is enumerated: a histogram of the seen values for each value of the masked bits.

Sets with more than `LIMIT` remaining bits are not decided, and count as found. Two probes that
depend on no random or masked bit in common see values that are independent of each other, so that
each alone decides.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aesforge.proof.masked import ONE, ZERO, Pipeline, Polynomial, Probe, variables

LIMIT = 22
"""Bits that are enumerated."""

Placed = tuple[Probe, int]
"""A probe, and the number of cycles by which it is earlier than the latest one."""


class Undecided(Exception):
    """Too many bits remain."""


class View:
    """What probes see. Variable n of a pipeline, `age` cycles ago, has number n + names * age."""

    def __init__(self, pipeline: Pipeline, placed: Iterable[Placed]) -> None:
        self._pipeline, self._size = pipeline, len(pipeline.names)
        seen = {one + self._size * age for probe, age in placed for one in probe.seen}
        self._seen: list[Polynomial] = [frozenset({1 << one}) for one in sorted(seen)]
        # Registers that count as random bits.
        self._cut: set[int] = set()
        self._known: dict[int, Polynomial | None] = {}

    def _next(self, one: int) -> Polynomial | None:
        """The definition of a variable, from the cycle before; None for an input."""
        if one not in self._known:
            age, base = divmod(one, self._size)
            polynomial = self._pipeline.next.get(base)
            if polynomial is not None:
                shift = self._size * (age + 1)
                polynomial = frozenset(product << shift for product in polynomial)
            self._known[one] = polynomial
        return None if one in self._cut else self._known[one]

    def _reach(self) -> dict[int, Polynomial | None]:
        """All that is seen, and what it depends on, with definitions."""
        found: dict[int, Polynomial | None] = {}
        todo = [one for polynomial in self._seen for one in variables(polynomial)]
        while todo:
            one = todo.pop()
            if one not in found:
                found[one] = self._next(one)
                todo += variables(found[one] or ())
        return found

    def _share(self, one: int) -> tuple[str, int, int] | None:
        return None if one in self._cut else self._pipeline.share.get(one % self._size)

    def _complete(self, reach: Iterable[int]) -> dict[tuple[str, int, int], list[int]]:
        """The masked bits with all their shares: operand, bit and age."""
        groups: dict[tuple[str, int, int], list[int]] = {}
        for one in reach:
            if of := self._share(one):
                groups.setdefault((of[0], of[1], one // self._size), []).append(one)
        shares = self._pipeline.masked.shares
        return {bit: group for bit, group in groups.items() if len(group) == shares}

    def _random(self, reach: Iterable[int], given: bool) -> set[int]:
        base = self._pipeline.random
        found = {one for one in reach if one in self._cut or one % self._size in base}
        if given:
            return found
        tied = {one for group in self._complete(reach).values() for one in group}
        return found | {one for one in reach if self._share(one) and one not in tied}

    def reduce(self, given: bool = False) -> None:
        """Steps 1 to 3; without the last one when shares are `given`."""
        while self._step(given):
            pass

    def _step(self, given: bool) -> bool:
        reach = self._reach()
        inside: dict[int, list[int]] = {}
        outside: dict[int, list[int]] = {}
        bent: set[int] = set()
        own = [(one, polynomial) for one, polynomial in reach.items() if polynomial is not None]
        for users, group in ((inside, own), (outside, list(enumerate(self._seen)))):
            for key, polynomial in group:
                for one in variables(polynomial):
                    users.setdefault(one, []).append(key)
                bent.update(variables(p for p in polynomial if p & (p - 1)))
        random = sorted(self._random(reach, given) - bent)
        cut = {inside[r][0] for r in random if r not in outside and len(inside[r]) == 1}
        if cut:
            self._cut |= cut
            return True
        # One after the other, unless they meet at a value that has changed.
        changed: set[int] = set()
        for one in random:
            if one not in inside and changed.isdisjoint(outside[one]):
                first, *others = outside[one]
                for other in others:
                    self._seen[other] ^= self._seen[first]
                self._seen[first] = ZERO
                changed.update(outside[one])
        if not changed:
            # A register that only seen values depend on, and linearly, is its next state.
            for one, polynomial in own:
                if one not in inside and one not in bent and changed.isdisjoint(outside[one]):
                    for key in outside[one]:
                        self._seen[key] ^= frozenset({1 << one}) ^ polynomial
                    changed.update(outside[one])
        self._seen = [polynomial for polynomial in self._seen if polynomial]
        return bool(changed)

    def _values(self) -> tuple[dict[int, NDArray[Any]], NDArray[Any]]:
        """All values of the remaining bits, and a number for what is seen at each."""
        reach = self._reach()
        leaves = sorted(one for one, polynomial in reach.items() if polynomial is None)
        if len(leaves) > LIMIT:
            raise Undecided
        index = np.arange(1 << len(leaves))
        values: dict[int, NDArray[Any]] = {
            one: (index >> at & 1).astype(np.uint8) for at, one in enumerate(leaves)
        }

        def total(polynomial: Polynomial) -> NDArray[Any]:
            found = np.zeros(len(index), np.uint8)
            for product in polynomial:
                term = np.ones(len(index), np.uint8)
                for one in variables((product,)):
                    if one not in values:
                        values[one] = total(reach[one] or frozenset())
                    term &= values[one]
                found ^= term
            return found

        seen = np.zeros(len(index), np.int64)
        for polynomial in self._seen:
            seen = np.unique(seen << 1 | total(polynomial), return_inverse=True)[1]
        return values, seen

    def leaks(self) -> bool:
        """Whether the distribution depends on masked inputs."""
        self.reduce()
        groups = self._complete(self._reach())
        if not groups:
            return False
        values, seen = self._values()
        secret = np.zeros(len(seen), np.int64)
        for group in groups.values():
            secret = secret << 1 | np.bitwise_xor.reduce([values[one] for one in group])
        return _depends(seen, secret, 1 << len(groups))

    def _added(self) -> set[tuple[str, int]]:
        """Take out the shares that are only added to seen values: whoever knows them can."""
        own = [polynomial for polynomial in self._reach().values() if polynomial is not None]
        kept = {one for polynomial in own for one in variables(polynomial)}
        for polynomial in self._seen:
            kept.update(variables(product for product in polynomial if product & (product - 1)))
        found = set()
        for polynomial in self._seen:
            for one in variables(polynomial):
                if one not in kept and (of := self._share(one)):
                    found.add((of[0], of[2]))
        names = {1 << one for one in self._reach() if one not in kept and self._share(one)}
        self._seen = [polynomial - names for polynomial in self._seen]
        return found

    def needs(self) -> set[tuple[str, int]]:
        """Operand and share of all that the distribution depends on, given all shares."""
        self.reduce(given=True)
        found = self._added()
        given = sorted(one for one in self._reach() if self._share(one))
        if not given:
            return found
        values, seen = self._values()
        for one in given:
            rest = seen
            for other in given:
                rest = rest if other == one else rest << 1 | values[other]
            if _depends(np.unique(rest, return_inverse=True)[1], values[one], 2):
                operand, _, share = self._share(one) or ("", 0, 0)
                found.add((operand, share))
        return found


def _depends(seen: NDArray[Any], given: NDArray[Any], number: int) -> bool:
    """Whether the histogram of `seen` differs between the values of `given`, below `number`."""
    counts = np.bincount(seen * number + given, minlength=(int(seen.max()) + 1) * number)
    table = counts.reshape(-1, number)
    return bool((table != table[:, :1]).any())


@dataclass(frozen=True)
class Found:
    """What a search of all probes found: `sets` that were checked, and the first that leaks."""

    sets: int
    leak: str = ""


Moment = tuple[int, int]
"""A variable of a pipeline, and the number of cycles by which it is earlier."""


def _seen(pipeline: Pipeline, probe: Probe) -> frozenset[Moment]:
    """What a probe sees; what a register only delays is seen where it comes from."""

    def source(one: int, age: int) -> Moment:
        while one in pipeline.next:
            polynomial = pipeline.next[one] - ONE
            if len(polynomial) != 1 or len(list(variables(polynomial))) != 1:
                break
            (one,) = variables(polynomial)
            age += 1
        return one, age

    return frozenset(source(one, 0) for one in probe.seen)


def _shifts(a: Iterable[Moment], b: Iterable[Moment]) -> set[int]:
    """By how many cycles `b` must be earlier for both to have a moment in common."""
    ages: dict[int, list[int]] = {}
    for one, age in a:
        ages.setdefault(one, []).append(age)
    return {before - age for one, age in b for before in ages.get(one, ())}


def _earlier(moments: Iterable[Moment], cycles: int) -> set[Moment]:
    return {(one, age + cycles) for one, age in moments}


def _largest(pipeline: Pipeline, probes: Iterable[Probe]) -> list[Probe]:
    """The probes that see more than another one does at any time; the smallest first."""
    seen = [(probe, _seen(pipeline, probe)) for probe in probes]
    kept: list[tuple[Probe, frozenset[Moment]]] = []
    for probe, moments in sorted(seen, key=lambda one: -len(one[1])):
        within = (
            _earlier(moments, shift) <= more for _, more in kept for shift in _shifts(more, moments)
        )
        if moments and not any(within):
            kept.append((probe, moments))
    return [probe for probe, _ in reversed(kept)]


class _Inputs:
    """The random and masked bits that variables depend on; a masked bit is its first share."""

    def __init__(self, pipeline: Pipeline) -> None:
        # Without feedback the search ends.
        pipeline.depth()
        self._next = pipeline.next
        self._known: dict[int, frozenset[Moment]] = {}
        first: dict[tuple[str, int], int] = {}
        for one, (operand, bit, _) in sorted(pipeline.share.items()):
            self._known[one] = frozenset({(first.setdefault((operand, bit), one), 0)})

    def of(self, one: int) -> frozenset[Moment]:
        """The inputs of one variable."""
        if one not in self._known:
            found = {(one, 0)} if one not in self._next else set[Moment]()
            for other in variables(self._next.get(one, ())):
                found |= _earlier(self.of(other), 1)
            self._known[one] = frozenset(found)
        return self._known[one]


def _pairs(pipeline: Pipeline, probes: list[Probe]) -> Iterator[tuple[Placed, ...]]:
    """All pairs at all times at which they depend on a random or masked bit in common."""
    bits = _Inputs(pipeline)
    inputs = [frozenset().union(*(bits.of(one) for one in probe.seen)) for probe in probes]
    for at, first in enumerate(probes):
        for other, second in enumerate(probes[at:], at):
            for shift in sorted(_shifts(inputs[at], inputs[other])):
                if at != other or shift > 0:
                    yield (first, max(0, -shift)), (second, max(0, shift))


def _placed(pipeline: Pipeline, probes: list[Probe], order: int) -> Iterator[tuple[Placed, ...]]:
    """The sets of up to `order` probes that are to be checked."""
    yield from (((probe, 0),) for probe in probes)
    if order == 2:
        yield from _pairs(pipeline, probes)


def _named(placed: Iterable[Placed]) -> str:
    return ", ".join(
        probe.name + (f" {age} cycles earlier" if age else "") for probe, age in placed
    )


def probing(pipeline: Pipeline, order: int) -> Found:
    """Whether up to `order` probes, 1 or 2, see anything of the masked inputs.

    A set that is not decided is reported when no other is found to leak.
    """
    number, undecided = 0, ""
    for placed in _placed(pipeline, _largest(pipeline, pipeline.probes), order):
        number += 1
        try:
            if View(pipeline, placed).leaks():
                return Found(number, _named(placed))
        except Undecided:
            undecided = undecided or f"not decided: {_named(placed)}"
    return Found(number, undecided)


NOTIONS = ("NI", "SNI", "PINI")
"""Notions of composition (Barthe et al., CCS 2016; Cassiers & Standaert, TIFS 2020)."""


def _simulated(notion: str, needs: set[tuple[str, int]], placed: tuple[Placed, ...]) -> bool:
    """Whether a notion allows probes to depend on these shares of operands."""
    outputs = {probe.output for probe, _ in placed if probe.output is not None}
    internal = sum(probe.output is None for probe, _ in placed)
    if notion == "PINI":
        return len({share for _, share in needs} - outputs) <= internal
    most = internal if notion == "SNI" else len(placed)
    operands = {operand for operand, _ in needs}
    return all(len({s for o, s in needs if o == operand}) <= most for operand in operands)


def composable(pipeline: Pipeline, order: int, notion: str) -> Found:
    """Whether up to `order` probes can be simulated as a notion says."""
    number = 0
    inner = [probe for probe in pipeline.probes if probe.output is None]
    outer = [probe for probe in pipeline.probes if probe.output is not None]
    for placed in _placed(pipeline, [*_largest(pipeline, inner), *outer], order):
        number += 1
        try:
            if not _simulated(notion, View(pipeline, placed).needs(), placed):
                return Found(number, _named(placed))
        except Undecided:
            return Found(number, f"not decided: {_named(placed)}")
    return Found(number)
