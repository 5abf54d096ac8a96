"""What the benches of layers over several cores share: keys and headers, one packet at a time."""

import random
from abc import ABC, abstractmethod

from runner import View

TRIES = 400
"""Cycles in which a key or a header is accepted, however all sides stall."""


class Layer(ABC):
    """A layer over cores in step, of which the bench plays the cores."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.parameters = dict(view.item.parameters)
        self.lanes, self.depth = int(self.parameters["Lanes"]), int(self.parameters["InFlight"])
        # With registers at its memory, the FIFO has an entry after so many cycles.
        self.latency = 4 if self.parameters["Registered"] == "1'b1" else 2

    @abstractmethod
    async def cycle(self, may: float = 1.0, **ports: int) -> bool:
        """One cycle with these ports: whether a beat is accepted."""

    async def key(self) -> None:
        """A key, which all cores accept at once."""
        key = {"key_valid_i": 1, "key_i": random.getrandbits(256), "core_key_ready_i": 1}
        await self._accepted("key", key, 1.0)

    async def header(self, ports: dict[str, int], may: float) -> None:
        """A header, once it is accepted."""
        await self._accepted("pkt", ports, may)
        await self.view.apply(pkt_iv_i=random.getrandbits(128))

    async def _accepted(self, channel: str, ports: dict[str, int], may: float) -> None:
        for _ in range(TRIES):
            await self.view.apply(**ports)
            ready = self.view.get(f"{channel}_ready_o")
            await self.cycle(may)
            if ready:
                break
        assert ready
        await self.view.apply(**{f"{channel}_valid_i": 0})
