"""aes_ghash_sums: sums of results that are D values apart, and the hashes of messages."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_sums() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------


@dataclass
class Bench:
    """What the module is given, and the hashes that are expected: the recurrence in Python."""

    view: View
    starts: list[tuple[int, bool, bool]] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    put: int = 0
    started: int = 0

    def __post_init__(self) -> None:
        parameters = dict(self.view.item.parameters)
        self.distance = 2 + int(parameters["Registers"]).bit_count()
        self.slots = int(parameters["Slots"])

    def add(self, values: Sequence[int]) -> None:
        """A message of values, each with a power of its own."""
        results: list[int] = []
        for n, value in enumerate(values):
            power = random.getrandbits(128)
            before = results[n - self.distance] if n >= self.distance else 0
            results.append(ghash.multiply(value ^ before, power))
            final, last = n + self.distance >= len(values), n + 1 == len(values)
            self.starts.append((power, final, last))
        self.values += values
        total = 0
        for result in results[-self.distance :]:
            total ^= result
        self.expected.append(total)

    async def run(self, stall: float) -> int:
        """Put, start and take until all hashes are taken; the cycles from the last start to that.

        The other factors are random whenever no product of powers is asked for.
        """
        view, data, power, since = self.view, 0, 0, 0
        for _ in range(20_000):
            puts = (
                self.put < len(self.values)
                and self.put - self.started < self.slots
                and random.random() >= stall
            )
            view.set(put_i=int(puts), data_i=data, power_i=power, factor_i=random.getrandbits(128))
            view.set(out_ready_i=int(random.random() >= stall), start_i=0)
            await view.settle()
            ready = self.put > self.started and random.random() >= stall
            following, final, last = self.starts[self.started] if ready else (0, False, False)
            starts = ready and (not last or bool(view.get("hash_free_o")))
            await view.apply(start_i=int(starts), final_i=int(final), last_i=int(last))
            if view.get("out_valid_o") and view.get("out_ready_i"):
                assert view.get("out_data_o") == self.expected.pop(0), view.item.name
            if not self.expected:
                return since
            since = 1 if starts and last else since + 1
            await view.edge()
            data = self.values[self.put] if puts else random.getrandbits(128)
            power = following if starts else 0
            self.put += puts
            self.started += starts
        raise AssertionError("hashes are missing")


def message() -> list[int]:
    """Values of a message, often few."""
    length = random.choice((1, 2, 3, random.randint(1, 24)))
    return [random.getrandbits(128) for _ in range(length)]


async def begin(view: View) -> None:
    """A reset, and a flush until no product is left."""
    await view.apply(clear_i=0, put_i=0, start_i=0, other_i=0, power_i=0, out_ready_i=0)
    view.set(flush_i=1)
    await view.reset()
    await view.tick(10)
    await view.apply(flush_i=0)


@for_each(GHASH, "aes_ghash_sums")
async def messages_match(view: View) -> None:
    for stall in (0.0, 0.4, 0.8):
        await begin(view)
        bench = Bench(view)
        for _ in range(12):
            bench.add(message())
        await bench.run(stall)


@for_each(GHASH, "aes_ghash_sums")
async def a_hash_comes_d_plus_one_cycles_after_its_last_value(view: View) -> None:
    await begin(view)
    bench = Bench(view)
    bench.add([random.getrandbits(128) for _ in range(20)])
    assert await bench.run(0.0) == bench.distance + 1


@for_each(GHASH, "aes_ghash_sums")
async def a_product_of_powers_comes_d_minus_one_cycles_after_them(view: View) -> None:
    await begin(view)
    distance = Bench(view).distance
    for _ in range(20):
        factor, power = random.getrandbits(128), random.getrandbits(128)
        await view.apply(other_i=1, factor_i=factor, power_i=power)
        await view.edge()
        await view.apply(other_i=0, power_i=0)
        await view.tick(distance - 2)
        await view.settle()
        assert view.get("product_o") == ghash.multiply(factor, power)
        assert not view.get("running_o")


@for_each(GHASH, "aes_ghash_sums")
async def a_clear_leaves_nothing(view: View) -> None:
    await begin(view)
    for _ in range(4):
        bench = Bench(view)
        for _ in range(3):
            bench.add(message())
        # A hash that is not taken, and values in the slots.
        for n in range(min(5, bench.slots)):
            await view.apply(put_i=1, data_i=random.getrandbits(128), start_i=int(0 < n < 3))
            view.set(final_i=int(n == 2), last_i=int(n == 2), power_i=random.getrandbits(128))
            await view.edge()
        await view.apply(put_i=0, start_i=0, power_i=0, clear_i=1, flush_i=1, out_ready_i=0)
        await view.edge()
        await view.apply(clear_i=0)
        assert not view.get("out_valid_o")
        assert not view.get("running_o")
        await view.tick(10)
        assert view.get("out_data_o") == 0
        await view.apply(flush_i=0)
        await bench.run(0.3)
