"""Formulas that are compared by sums and small functions: what is found equal, and what is not."""

import random
from functools import reduce

from aesforge.proof.formulas import same
from aesforge.proof.graph import Graph
from aesforge.tools.aiger import Aiger

BITS = 8


def machine(graph: Graph, inputs: int, outputs: list[int]) -> Aiger:
    """The graph as a netlist; its first nodes are the inputs."""
    gates = [operands for operands in graph.operands[inputs + 1 :] if operands]
    return Aiger(inputs, [], outputs, [(max(gate), min(gate)) for gate in gates])


def table(graph: Graph, word: list[int], entries: list[int], order: list[int]) -> list[int]:
    """A table as a tree of multiplexers, whose inputs select in the given order."""

    def bit(at: int, left: list[int], index: int) -> int:
        if not left:
            return entries[index] >> at & 1
        first, *rest = left
        one, other = (bit(at, rest, index | value << first) for value in (1, 0))
        return graph.choose(word[first], one, other)

    return [bit(at, order, 0) for at in range(BITS)]


def added(graph: Graph, terms: list[int]) -> int:
    """The sum of some literals, in the order in which they are given."""
    return reduce(lambda a, b: graph.choose(a, b ^ 1, b), terms)


def rounds(entries: list[int], seed: int, number: int = 3) -> Aiger:
    """A small cipher; the seed changes how its tables and sums are made, and not what it is."""
    rng, graph = random.Random(seed), Graph()
    key = [graph.free(f"k{at}") for at in range(2 * BITS)]
    state = [graph.free(f"s{at}") for at in range(2 * BITS)]
    for turn in range(number):
        halves = [state[:BITS], state[BITS:]]
        found = []
        for half in halves:
            word = [
                added(graph, [bit, key[(at + turn) % (2 * BITS)]]) for at, bit in enumerate(half)
            ]
            found += table(graph, word, entries, rng.sample(range(BITS), BITS))
        state = []
        for at in range(2 * BITS):
            terms = [found[at], found[at - 3], found[at - 7], key[at]]
            state.append(added(graph, rng.sample(terms, len(terms))))
    return machine(graph, 4 * BITS, state)


def permutation() -> list[int]:
    """A table of which no output is linear."""
    return random.Random(5).sample(range(1 << BITS), 1 << BITS)


def test_tables_and_sums_are_equal_however_they_are_made() -> None:
    entries = permutation()
    assert same(rounds(entries, 1), rounds(entries, 2))


def test_one_entry_of_a_table_makes_a_difference() -> None:
    entries = permutation()
    wrong = list(entries)
    wrong[77], wrong[78] = wrong[78], wrong[77]
    assert not same(rounds(entries, 1), rounds(wrong, 2))


# The bits of a word of which each bit of a multiple is the sum.
MULTIPLE = [(at, (at + 3) % BITS, (at + 5) % BITS) for at in range(BITS)]


def multiple(value: int) -> int:
    """A linear function of a byte."""
    return sum(sum(value >> bit for bit in bits) % 2 << at for at, bits in enumerate(MULTIPLE))


def keyed(entries: list[int], in_table: bool) -> Aiger:
    """A table, a key and a linear layer, twice; the layer may be in the table and the key."""
    graph = Graph()
    key = [graph.free(f"k{at}") for at in range(BITS)]
    state = [graph.free(f"s{at}") for at in range(BITS)]

    def mixed(word: list[int]) -> list[int]:
        return [added(graph, [word[bit] for bit in bits]) for bits in MULTIPLE]

    for _ in range(2):
        word = [added(graph, [*pair]) for pair in zip(state, key, strict=True)]
        if in_table:
            words = table(graph, word, [multiple(entry) for entry in entries], [*range(BITS)])
            state = [added(graph, [*pair]) for pair in zip(words, mixed(key), strict=True)]
        else:
            words = table(graph, word, entries, [*range(BITS)])
            state = mixed([added(graph, [*pair]) for pair in zip(words, key, strict=True)])
    return machine(graph, 2 * BITS, state)


def test_a_table_of_sums_is_the_sum_of_tables() -> None:
    entries = permutation()
    wrong = list(entries)
    wrong[77] ^= 4
    assert same(keyed(entries, False), keyed(entries, True))
    assert not same(keyed(entries, False), keyed(wrong, True))
    # Nor is a function of the same inputs that is no sum of them.
    assert not same(keyed(entries, False), keyed(entries[::-1], True))


def test_what_random_inputs_do_not_show_is_not_taken_for_equal() -> None:
    def rare(inputs: int, other: bool) -> Aiger:
        """A sum; the other one differs from it where all but one of the inputs are 1."""
        graph = Graph()
        word = [graph.free(str(at)) for at in range(inputs)]
        sum_of = added(graph, word[:3])
        if other:
            sum_of = added(graph, [sum_of, reduce(graph.both, [word[0] ^ 1, *word[1:]])])
        return machine(graph, inputs, [sum_of])

    # Eight inputs are compared by their table, 20 are too many.
    for inputs in (8, 20):
        assert same(rare(inputs, False), rare(inputs, False))
        assert not same(rare(inputs, False), rare(inputs, True))


def parity(graph: Graph, terms: list[int]) -> int:
    """The sum of literals, three at a time as a disjunction of products: no sum is in sight."""
    total, *left = terms
    while left:
        a, b, c = total, left.pop(), left.pop() if left else 0
        total = 0
        for one, other, third in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)):
            product = graph.both(graph.both(a ^ 1 ^ one, b ^ 1 ^ other), c ^ 1 ^ third)
            total = graph.both(total ^ 1, product ^ 1) ^ 1
    return total


def test_a_sum_of_many_terms_is_found_in_any_form() -> None:
    def summed(seed: int, hidden: bool, number: int = 15) -> Aiger:
        graph = Graph()
        inputs = [graph.free(f"i{at}") for at in range(16)]
        terms = random.Random(seed).sample(inputs[:number], number)
        return machine(graph, 16, [parity(graph, terms) if hidden else added(graph, terms)])

    assert same(summed(1, hidden=False), summed(2, hidden=True))
    assert same(summed(1, hidden=True), summed(2, hidden=True))
    assert not same(summed(1, hidden=False), summed(2, hidden=True, number=14))


def test_functions_of_the_same_nodes_may_sum_to_a_constant() -> None:
    """The four products of two bits and their inverses are 1, so one is the sum of the others."""

    def summed(one: bool, constant: int = 0) -> Aiger:
        graph = Graph()
        x, y, *more = (graph.free(f"i{at}") for at in range(24))
        # All four are in the graph of either formula, so that none is made of the others.
        products = [graph.both(x ^ at & 1, y ^ at >> 1) for at in range(4)]
        terms = [graph.both(a, b) for a, b in zip(more[:11], more[11:], strict=True)]
        if one:
            return machine(graph, 24, [added(graph, [*terms, products[0]]), *products])
        # In another order, so that no part of the sum is in both.
        total = added(graph, [*terms[::-2], *products[1:], *terms[-2::-2]]) ^ 1 ^ constant
        return machine(graph, 24, [total, *products])

    assert same(summed(one=True), summed(one=False))
    assert not same(summed(one=True), summed(one=False, constant=1))
