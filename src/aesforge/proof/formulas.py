"""Whether two formulas are one: sums are hashed by their terms, small functions by their tables.

Two formulas of the cipher differ in how their linear layers are factored and in what their S-boxes
consist of. Both are put into one graph. A sum modulo 2 is the same node however it is factored. A
node that has the value of an earlier one for 256 random inputs is compared with it for all values
of a few nodes that both are made of, and replaced by it when they agree. So an S-box becomes the
other one as soon as its inputs are the same nodes, the linear layer behind it is then the same
sums, and so on to the result. Nothing is assumed: what does not agree for all values stays another
node.

A table may be a sum of such functions: the words of a T-box are InvMixColumns of an S-box, where
the standard adds the round key before it. So each term of a sum that the first formula lacks is
sought as a sum of its terms that are functions of the same nodes.
"""

import heapq
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from aesforge.tools.aiger import Aiger

_LEAVES = 10
"""Nodes of which a table is sought as a sum of functions: an S-box has eight, of two directions
nine."""

_MOST_LEAVES = 18
"""Nodes over all values of which two functions are compared: S-boxes, parts of linear layers."""

_STEPS = 60
"""Nodes that are replaced by what they are made of, until a comparison succeeds."""

_NODES = 3000
"""Nodes of a function that is compared."""

_PATTERNS = (1 << 256) - 1


@cache
def _combinations(count: int) -> tuple[list[int], int]:
    """All combinations of some bits: an integer for each bit, and the mask of the combinations."""
    rows = (1 << (1 << count)) - 1
    runs = [1 << at for at in range(count)]
    return [rows // ((1 << 2 * run) - 1) * (((1 << run) - 1) << run) for run in runs], rows


def same(one: Aiger, other: Aiger) -> bool:
    """Whether the outputs of two combinational netlists of the same inputs are found to be equal.

    False says nothing: they may be equal and too different for this.
    """
    graph = _Formulas(one.inputs)
    first = graph.outputs(one)
    graph.met = bytearray(len(graph.operands))
    return first == graph.outputs(other)


@dataclass
class _Formulas:
    """An and-inverter graph of some inputs; a literal is 2 * number + inverted, 0 the constant 0.

    `values` has each node for 256 random inputs. From when `met` is set, which has the nodes of the
    first formula, it says which of these the second formula has too. A term of the second formula
    may then become a sum of those of the first.
    """

    inputs: int
    operands: list[tuple[int, int] | None] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    met: bytearray | None = None
    _gates: dict[tuple[int, int], int] = field(default_factory=dict)
    _terms: dict[int, tuple[frozenset[int], int]] = field(default_factory=dict)
    _sums: dict[frozenset[int], int] = field(default_factory=dict)
    _by_value: dict[int, int] = field(default_factory=dict)
    _users: list[list[int]] = field(default_factory=list)
    _summands: set[int] = field(default_factory=set)
    _bases: "dict[frozenset[int], _Basis]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        patterns = random.Random(self.inputs)
        self.operands = [None] * (self.inputs + 1)
        self.values = [0, *(patterns.getrandbits(256) for _ in range(self.inputs))]
        for node, value in enumerate(self.values):
            self._by_value[value ^ _PATTERNS if value & 1 else value] = 2 * node ^ value & 1

    def outputs(self, of: Aiger) -> list[int]:
        """The outputs of a netlist as literals."""
        first = of.inputs + 1
        used = bytearray(first + len(of.gates))
        for literal in of.outputs:
            used[literal >> 1] = 1
        for node in range(len(used) - 1, first - 1, -1):
            if used[node]:
                left, right = of.gates[node - first]
                used[left >> 1] = used[right >> 1] = 1
        made = list(range(0, 2 * first, 2))
        for node, (left, right) in enumerate(of.gates, first):
            found = 0
            if used[node]:
                found = self.both(made[left >> 1] ^ left & 1, made[right >> 1] ^ right & 1)
                if self.met is not None and found >> 1 < len(self.met):
                    self.met[found >> 1] = 1
            made.append(found)
        return [made[literal >> 1] ^ literal & 1 for literal in of.outputs]

    def both(self, a: int, b: int) -> int:
        """The conjunction of two literals."""
        if a < b:
            a, b = b, a
        if b == 0 or a ^ b == 1:
            return 0
        if b == 1 or a == b:
            return a
        found = self._gates.get((a, b))
        if found is None:
            found = self._gates[a, b] = self._made(a, b)
        return found

    def _made(self, a: int, b: int) -> int:
        """A conjunction that is not in the graph; or a sum, or a function, that is."""
        node = len(self.operands)
        terms = self._sum(a, b)
        if terms is not None:
            summed, constant = terms
            if not summed:
                return constant
            if len(summed) == 1:
                return 2 * next(iter(summed)) ^ constant
            if summed in self._sums:
                return self._sums[summed] ^ constant
        value = self._value(self.values, a, _PATTERNS) & self._value(self.values, b, _PATTERNS)
        inverted = value & 1
        key = value ^ _PATTERNS if inverted else value
        made = 2 * node
        known = self._by_value.setdefault(key, 2 * node ^ inverted) ^ inverted
        if known != 2 * node and (self._agree(known, a, b) or self._same_sum(known, terms)):
            made = known
        if terms is not None:
            self._sums[summed] = made ^ constant
        if made == 2 * node:
            if terms is not None:
                self._terms[node] = terms
            self.operands.append((a, b))
            self.values.append(value)
        return made

    def _sum(self, a: int, b: int) -> tuple[frozenset[int], int] | None:
        """The terms, and the constant, of the sum that a conjunction !(c d) !(!c !d) is."""
        one, other = self.operands[a >> 1], self.operands[b >> 1]
        if not a & b & 1 or one is None or other is None:
            return None
        if one[0] ^ other[0] != 1 or one[1] ^ other[1] != 1:
            return None
        left, right = (self._terms_of(c >> 1) for c in one)
        return left[0] ^ right[0], (one[0] ^ one[1]) & 1 ^ left[1] ^ right[1]

    def _terms_of(self, node: int) -> tuple[frozenset[int], int]:
        """What a node is the sum of, and the constant: itself when it is no sum."""
        found = self._terms.get(node)
        if found is None:
            found = frozenset((node,)), 0
            if self.met is not None and node >= len(self.met):
                # Kept, so that each term is sought once.
                found = self._terms[node] = self._split(node) or found
        return found

    def _split(self, node: int) -> tuple[frozenset[int], int] | None:
        """A node of the second formula as a sum of terms of the first, if it is one."""
        leaves = frozenset(self._leaves(node))
        if not 0 < len(leaves) <= _LEAVES:
            return None
        if leaves not in self._bases:
            self._bases[leaves] = self._basis(leaves)
        basis = self._bases[leaves]
        table = dict(basis.table)
        return basis.sum(table[node]) if self._tabulate(node, table, basis.rows) else None

    def _basis(self, leaves: frozenset[int]) -> "_Basis":
        """The terms of the first formula that are functions of some of its nodes."""
        assert self.met is not None
        if not self._users:
            self._users = [[] for _ in self.met]
            for node in range(self.inputs + 1, len(self.met)):
                for literal in self.operands[node] or ():
                    self._users[literal >> 1].append(node)
            for node, (terms, _) in self._terms.items():
                self._summands |= terms if node < len(self.met) else set()
        inside, ahead = {0, *leaves}, [node for leaf in leaves for node in self._users[leaf]]
        heapq.heapify(ahead)
        while ahead and len(inside) < _NODES:
            node = heapq.heappop(ahead)
            operands = self.operands[node]
            if node in inside or operands is None:
                continue
            if all(literal >> 1 in inside for literal in operands):
                inside.add(node)
                for user in self._users[node]:
                    heapq.heappush(ahead, user)
        basis = _Basis(*self._values_of(leaves))
        for node in sorted(inside - leaves - {0}):
            if node in self._summands and self._tabulate(node, basis.table, basis.rows):
                basis.add(node)
        return basis

    @staticmethod
    def _values_of(leaves: Iterable[int]) -> tuple[dict[int, int], int]:
        """All values of some nodes, a bit for each combination, and the mask of these bits."""
        nodes = sorted(leaves)
        columns, rows = _combinations(len(nodes))
        return {0: 0} | dict(zip(nodes, columns, strict=True)), rows

    def _agree(self, known: int, a: int, b: int) -> bool:
        """Whether the literal `known` is `a` and `b`, for all values of some nodes."""
        for leaves in self._cuts(known, a, b):
            if not 0 < len(leaves) <= _MOST_LEAVES:
                continue
            table, rows = self._values_of(leaves)
            if all(self._tabulate(literal >> 1, table, rows) for literal in (known, a, b)):
                one, left, right = (self._value(table, literal, rows) for literal in (known, a, b))
                if one == left & right:
                    return True
        return False

    def _same_sum(self, known: int, terms: tuple[frozenset[int], int] | None) -> bool:
        """Whether a literal is a sum of `terms`: what the sums do not share may be constant.

        Functions of the same few nodes are not independent: the four products of two bits and of
        their inverses are 1.
        """
        if terms is None:
            return False
        own, inverted = self._terms_of(known >> 1)
        groups: list[tuple[set[int], set[int]]] = []
        for term in terms[0] ^ own:
            leaves, members = self._above(self.operands[term] or (), sums=True) or {term}, {term}
            # Terms of which one has a leaf of another are evaluated together.
            apart = []
            for group in groups:
                if group[0] & leaves:
                    leaves, members = leaves | group[0], members | group[1]
                else:
                    apart.append(group)
            groups = [*apart, (leaves, members)]
        constant = terms[1] ^ inverted ^ known & 1
        for leaves, members in groups:
            if len(leaves) > _MOST_LEAVES:
                return False
            table, rows = self._values_of(leaves)
            total = 0
            for term in members:
                if not self._tabulate(term, table, rows):
                    return False
                total ^= table[term]
            if total not in (0, rows):
                return False
            constant ^= total & 1
        return constant == 0

    def _cuts(self, known: int, a: int, b: int) -> Iterator[set[int]]:
        """Sets of nodes that `a`, `b` and perhaps `known` are functions of."""
        # What a linear layer of the second formula is the sum of: S-boxes of the first.
        yield self._above((a, b), sums=False)
        # What an S-box is a function of: sums, of which it may have others inside.
        for literals in ((a, b), self.operands[known >> 1] or ()):
            leaves = self._above(literals, sums=True)
            self._reduce(leaves)
            yield leaves
        # Parts of either: the latest node is replaced by what it is made of.
        nodes = {literal >> 1 for literal in (known, a, b)} - {0}
        for _ in range(_STEPS):
            latest = max(nodes)
            operands = self.operands[latest]
            if operands is None or len(nodes) > 3 * _MOST_LEAVES:
                return
            nodes.remove(latest)
            nodes.update(literal >> 1 for literal in operands if literal > 1)
            yield nodes

    def _above(self, literals: Iterable[int], sums: bool) -> set[int]:
        """The nodes of the first formula, or only its sums, and the inputs below some literals.

        None of them when they are too many.
        """
        first = len(self.operands) if self.met is None else len(self.met)
        leaves: set[int] = set()
        seen: set[int] = set()
        left = [literal >> 1 for literal in literals if literal > 1]
        while left:
            node = left.pop()
            if node in seen:
                continue
            seen.add(node)
            operands = self.operands[node]
            if operands is None or (node < first and (not sums or node in self._terms)):
                leaves.add(node)
            else:
                left += [literal >> 1 for literal in operands if literal > 1]
            if len(leaves) > 2 * _MOST_LEAVES or len(seen) > _NODES:
                return set()
        return leaves

    def _leaves(self, node: int) -> set[int]:
        """Nodes that a node is a function of: inputs, and sums that both formulas have."""
        assert self.met is not None
        leaves: set[int] = set()
        seen, left = {node}, [node]
        while left:
            if len(leaves) > 2 * _LEAVES or len(seen) > _NODES:
                return set()
            for literal in self.operands[left.pop()] or ():
                below = literal >> 1
                if below in seen:
                    continue
                seen.add(below)
                shared = below < len(self.met) and self.met[below]
                if below <= self.inputs or (below in self._terms and shared):
                    leaves.add(below)
                else:
                    left.append(below)
        self._reduce(leaves)
        return leaves

    def _reduce(self, leaves: set[int]) -> None:
        """Remove each leaf that is a function of others: it has no values of its own."""
        for leaf in sorted(leaves, reverse=True):
            if leaf > self.inputs and self._within(leaf, leaves):
                leaves.remove(leaf)

    def _within(self, node: int, leaves: set[int]) -> bool:
        """Whether a node is a function of other leaves."""
        seen, left = {node}, [node]
        while left:
            for literal in self.operands[left.pop()] or ():
                below = literal >> 1
                if below in seen or below in leaves:
                    continue
                if below <= self.inputs or len(seen) > _NODES:
                    return False
                seen.add(below)
                left.append(below)
        return True

    def _tabulate(self, node: int, table: dict[int, int], rows: int) -> bool:
        """Adds the table of a node over those in `table`; false when it depends on another one."""
        left, count = [node], 0
        while left:
            at = left[-1]
            if at in table:
                left.pop()
                continue
            operands = self.operands[at]
            count += 1
            if operands is None or count > 2 * _NODES:
                return False
            below = [literal >> 1 for literal in operands if literal >> 1 not in table]
            left += below
            if not below:
                one, other = (self._value(table, literal, rows) for literal in operands)
                table[at] = one & other
        return True

    @staticmethod
    def _value(values: "dict[int, int] | list[int]", literal: int, mask: int) -> int:
        return values[literal >> 1] ^ (mask if literal & 1 else 0)


@dataclass
class _Basis:
    """Functions of some nodes, and which of their sums are known.

    `table` has their values for all values of the nodes, as the bits of `rows`.
    """

    table: dict[int, int]
    rows: int
    _reduced: list[tuple[int, frozenset[int]]] = field(default_factory=list)

    def add(self, node: int) -> None:
        """Take a node of `table`, unless it is a sum of those before it."""
        value, terms = self._rest(self.table[node])
        if value:
            self._reduced.append((value, terms ^ {node}))

    def sum(self, value: int) -> tuple[frozenset[int], int] | None:
        """The terms, and the constant, of a function that is a sum of some of the nodes."""
        for constant in (0, 1):
            rest, terms = self._rest(value ^ (self.rows if constant else 0))
            if not rest:
                return terms, constant
        return None

    def _rest(self, value: int) -> tuple[int, frozenset[int]]:
        """What is left of a function when the nodes are subtracted that make it less."""
        terms: frozenset[int] = frozenset()
        for reduced, nodes in self._reduced:
            if value ^ reduced < value:
                value, terms = value ^ reduced, terms ^ nodes
        return value, terms
