"""Modes above a core, compiled once, and packets through them."""

from collections.abc import Iterable, Iterator
from functools import cache

from suite import EVERYDAY

from aesforge.core import stack
from aesforge.flows.verify_modes import PacketBench
from aesforge.sim.packets import Packet, PacketScoreboard, paired
from aesforge.sim.player import compiled
from aesforge.space.presets import preset

KEY = bytes(range(16))


@cache
def bench(core: str, blocks: int = 100 if EVERYDAY else 200) -> PacketBench:
    """A compiled stack of layers above a core; random packets have about so many `blocks`."""
    name, *choices = core.split()
    config = preset(name).configure(choices)
    model = compiled(stack.contract(config), stack.parameters(config), stack.sources(config))
    return PacketBench(config, model, blocks, seed=1)


def play(
    core: str, packets: Iterable[Packet], keys: Iterable[bytes] = (), stalls: float = 0.3
) -> PacketScoreboard:
    """Packets through a core, each with its key if there are several; fails on a wrong beat."""
    test = bench(core)
    following = iter(keys)

    def script() -> Iterator[bytes]:
        first = next(following, paired(test.config, KEY))
        yield test.stalls(stalls) + test.key(first) + test.script.wait("key", 1)
        for number, packet in enumerate(packets):
            if number and (key := next(following, None)):
                # With several keys in the queue each must reach its own packet.
                yield test.script.wait("pkt", number) + test.key(key)
                yield test.script.wait("key", number + 1)
            yield from test.packets([packet])
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    return board
