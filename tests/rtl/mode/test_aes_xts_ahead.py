"""aes_xts_ahead between abstract modules, which keep the contracts and nothing more."""

import random
from collections import deque

from benches import MODE
from runner import Sink, Source, View, for_each, simulate

from aesforge.core.sources import codes


def test_aes_xts_ahead() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

XTS, CTR = codes()["MODE_XTS"], codes()["MODE_CTR"]
KEY_BITS = {0: 128, 1: 192, 2: 256}


def encrypted(key: int, number: int) -> int:
    """The abstract tweak of a data unit: it depends on every bit of key and number."""
    return (number * 0x9E3779B97F4A7C15F39CC0605CEDC835 ^ key ^ key >> 128) % 2**128


class Tweaks:
    """The second core: it takes as many blocks as it may hold, and its time is random."""

    def __init__(self, view: View) -> None:
        self.view, self.key = view, 0
        self.most = int(dict(view.item.parameters)["Headers"])
        self.keyed = self.offers = False
        self.results: deque[tuple[int, int]] = deque()

    def drive(self) -> None:
        """Offer a result, and accept keys and blocks, or not."""
        due = bool(self.results) and self.results[0][0] <= self.view.clocks
        self.offers = due and (self.offers or random.random() < 0.5)
        self.view.set(
            tweak_key_ready_i=random.getrandbits(1),
            tweak_in_ready_i=int(
                self.keyed and len(self.results) < self.most and random.random() < 0.5
            ),
            tweak_out_valid_i=int(self.offers),
            tweak_out_data_i=self.results[0][1] if self.offers else random.getrandbits(128),
        )

    def sample(self) -> None:
        """See what is transferred."""
        get = self.view.get
        if self.offers and get("tweak_out_ready_o"):
            self.results.popleft()
            self.offers = False
        if get("tweak_in_valid_o") and get("tweak_in_ready_i"):
            assert not get("tweak_in_decrypt_o")
            result = encrypted(self.key, get("tweak_in_data_o"))
            self.results.append((self.view.clocks + random.randrange(3, 20), result))
        if get("tweak_key_valid_o") and get("tweak_key_ready_i"):
            self.key, self.keyed = get("tweak_key_o"), True


class Below:
    """The mode below: it takes a key while no packet is open, and one packet at a time."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.keyed = self.open = False
        self.seen: list[tuple[str, tuple[int, ...]]] = []

    def drive(self) -> None:
        """Accept, or not."""
        self.view.set(
            core_key_ready_i=int(not self.open and random.getrandbits(1)),
            core_pkt_ready_i=int(self.keyed and not self.open and random.getrandbits(1)),
            core_in_ready_i=int(self.open and random.getrandbits(1)),
        )

    def sample(self) -> None:
        """See what is transferred."""
        get = self.view.get
        if get("core_key_valid_o") and get("core_key_ready_i"):
            self.keyed = True
            self.seen.append(("key", (get("core_key_o"), get("core_key_len_o"))))
        if get("core_pkt_valid_o") and get("core_pkt_ready_i"):
            names = ("mode", "decrypt", "iv", "refuse")
            self.seen.append(("pkt", tuple(get(f"core_pkt_{name}_o") for name in names)))
            self.open = True
        if get("core_in_valid_o") and get("core_in_ready_i"):
            last = get("core_in_last_o")
            known = get("core_in_next_valid_o"), get("core_in_next_partial_o")
            names = ("data", "bytes", "kind", "last", "abort", "sboxes")
            self.seen.append(("in", (*(get(f"core_in_{n}_o") for n in names), *known)))
            self.open = not last


def units(view: View, rng: random.Random) -> list[tuple[dict[str, int], list[list[dict]]]]:
    """Keys, each with packets: a header, then beats."""
    bits = int(dict(view.item.parameters)["KeyBits"])
    several = int(dict(view.item.parameters)["Modes"]) != 1 << XTS
    most = 16 * int(dict(view.item.parameters)["Lanes"])
    found = []
    for _ in range(30):
        length = rng.randrange(3)
        first = rng.getrandbits(256)
        # Equal in the first 128 or 192 bits, or in all, or in none.
        same = rng.choice((0, 128, 192, 255, 256))
        second = first ^ (rng.getrandbits(256) >> same if same < 256 else 0)
        if same < 256:
            second ^= 1 << 255 - same
        packets = []
        for _ in range(rng.randrange(1, 5)):
            mode = rng.choice((XTS, CTR)) if several else XTS
            header = {
                "pkt_mode_i": mode,
                "pkt_decrypt_i": rng.getrandbits(1),
                "pkt_iv_i": rng.getrandbits(128),
            }
            count = rng.randrange(1, 5)
            beats = [
                {
                    "in_data_i": rng.getrandbits(8 * most),
                    "in_bytes_i": rng.choice((rng.randrange(17), rng.randrange(most + 1)))
                    if at + 1 == count
                    else most,
                    "in_kind_i": 2,
                    "in_last_i": int(at + 1 == count),
                    "in_abort_i": int(at + 1 == count and rng.random() < 0.2),
                    "in_sboxes_i": rng.randrange(3),
                }
                for at in range(count)
            ]
            packets.append([header, *beats])
        found.append(({"key_i": first, "key_tweak_i": second, "key_len_i": length}, packets))
        if bits:
            found[-1][0]["key_len_i"] = rng.randrange(4)
    return found


def expected(view: View, key: dict[str, int], packet: list[dict]) -> list[tuple[str, tuple]]:
    """What reaches the mode for a packet."""
    fixed = int(dict(view.item.parameters)["KeyBits"])
    bits = fixed or KEY_BITS[key["key_len_i"]]
    header, *beats = packet
    xts = header["pkt_mode_i"] == XTS
    equal = (key["key_i"] ^ key["key_tweak_i"]) >> (256 - bits) == 0
    iv = encrypted(key["key_tweak_i"], header["pkt_iv_i"]) if xts else header["pkt_iv_i"]
    refuse = int(xts and (equal or bits == 192))
    found = [("pkt", (header["pkt_mode_i"], header["pkt_decrypt_i"], iv, refuse))]
    found += [("in", tuple(beat.values())) for beat in beats]
    return found


@for_each(MODE, "aes_xts_ahead")
async def headers_wait_for_their_tweaks_and_beats_for_the_next(view: View) -> None:
    rng = random.Random(str(view.item.parameters))
    tweaks, below = Tweaks(view), Below(view)
    sources = {name: Source(view, name, 0.3) for name in ("key", "pkt", "in")}
    view.agents += [tweaks, below, *sources.values()]
    await view.reset()
    wanted: list[tuple[str, tuple]] = []
    ahead = 0
    for key, packets in units(view, rng):
        sources["key"].queue.append(key)
        await view.until(lambda: not sources["key"].queue)
        wanted.append(("key", (key["key_i"], key["key_len_i"])))
        for packet in packets:
            sources["pkt"].queue.append(packet[0])
            sources["in"].queue.extend(packet[1:])
            wanted += expected(view, key, packet)
        await view.until(lambda: not sources["pkt"].queue)
        ahead += len(sources["in"].queue) > 4
        await view.until(lambda: not sources["in"].queue)
        await view.until(lambda: not view.get("core_in_valid_o"))
    assert ahead
    for (kind, values), (seen, given) in zip(wanted, below.seen, strict=True):
        assert (kind, values) == (seen, given[: len(values)])
    for (kind, beat), (_, after) in zip(below.seen, below.seen[1:], strict=False):
        if kind == "in" and not beat[3] and beat[6]:
            assert beat[7] == (after[3] and not after[4] and 0 < after[1] < 16)


@for_each(MODE, "aes_xts_ahead")
async def clear_drops_headers_and_beats(view: View) -> None:
    tweaks, below = Tweaks(view), Below(view)
    view.agents += [tweaks, below]
    await view.reset()
    sources = {name: Source(view, name) for name in ("key", "pkt", "in")}
    view.agents += sources.values()
    key, packets = units(view, random.Random(2))[0]
    packet = next(p for p in [*packets, *packets] if p[0]["pkt_mode_i"] == XTS)
    for _ in range(40):
        sources["key"].queue.append(key)
        sources["pkt"].queue.append(packet[0])
        sources["in"].queue.extend(packet[1:])
        await view.tick(random.randrange(1, 30))
        for source in sources.values():
            source.drop()
        await view.apply(key_clear_i=1)
        tweaks.results.clear()
        tweaks.keyed = below.keyed = below.open = tweaks.offers = False
        await view.tick()
        await view.apply(key_clear_i=0)
        below.seen.clear()
        await view.tick(40)
        # Neither a beat nor a header is left, and none is taken without a key.
        assert below.seen == []
        assert not view.get("core_in_valid_o")
        assert view.get("core_in_data_o") == 0


@for_each(MODE, "aes_xts_ahead")
async def both_cores_get_a_key_when_a_clear_is_over(view: View) -> None:
    await view.reset()
    ready = {"core_key_ready_i": 1, "tweak_key_ready_i": 1}
    for clears in (1, 2, 1):
        for _ in range(clears):
            await view.apply(key_valid_i=1, key_clear_i=1, **ready)
            assert not view.get("key_ready_o")
            await view.edge()
        for _ in range(40):
            await view.apply(key_clear_i=0)
            keyed = view.get("key_ready_o")
            assert view.get("core_key_valid_o") == view.get("tweak_key_valid_o") == keyed
            await view.edge()
        assert keyed


@for_each(MODE, "aes_xts_ahead")
async def results_pass(view: View) -> None:
    sink = Sink(view, "out", 0.3)
    for _ in range(50):
        values = {
            "core_out_valid_i": random.getrandbits(1),
            "core_out_data_i": random.getrandbits(128),
            "core_out_bytes_i": random.randrange(17),
            "core_out_kind_i": random.randrange(4),
            "core_out_last_i": random.getrandbits(1),
        }
        sink.drive()
        await view.apply(**values)
        assert view.get("core_out_ready_o") == view.get("out_ready_i")
        for name, value in values.items():
            assert view.get(name.removeprefix("core_").removesuffix("_i") + "_o") == value


@for_each(MODE, "aes_xts_ahead")
async def a_key_that_is_withdrawn_halfway_leaves_no_header_a_key(view: View) -> None:
    await view.reset()
    await view.tick(dict(view.item.parameters)["Headers"])
    ready = {"tweak_in_ready_i": 1, "core_pkt_ready_i": 1}
    taken = {"core_key_ready_i": 1, "tweak_key_ready_i": 1}
    await view.apply(key_valid_i=1, key_i=1 << 255, key_tweak_i=2, **taken)
    assert view.get("key_ready_o")
    await view.edge()
    for name in taken:
        # One of the two takes its key, then the pair is withdrawn.
        await view.apply(key_valid_i=1, key_i=3 << 254, **{**dict.fromkeys(taken, 0), name: 1})
        assert not view.get("key_ready_o")
        await view.edge()
        for _ in range(3):
            await view.apply(key_valid_i=0, pkt_valid_i=1, pkt_mode_i=XTS, **ready)
            assert not view.get("pkt_ready_o")
            assert not view.get("tweak_in_valid_o")
            await view.edge()
        # Both are offered the next pair.
        await view.apply(key_valid_i=1, pkt_valid_i=0, **taken)
        assert view.get("core_key_valid_o")
        assert view.get("tweak_key_valid_o")
        assert view.get("key_ready_o")
        await view.edge()
        await view.apply(key_valid_i=0, pkt_valid_i=1, pkt_mode_i=XTS, **ready)
        assert view.get("pkt_ready_o")
        await view.apply(pkt_valid_i=0)
