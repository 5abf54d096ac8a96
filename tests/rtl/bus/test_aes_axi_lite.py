"""aes_axi_lite: every access is done once, and each response holds until it is taken."""

import random
from collections import deque

from benches import BUS
from runner import View, for_each, simulate

CYCLES = 3000
WRITE = ("aw", "w")


def test_aes_axi_lite() -> None:
    simulate(__file__, BUS)


@for_each(BUS, "aes_axi_lite")
async def accesses_and_responses_agree(view: View) -> None:
    """Random masters; the registers answer each access at random."""
    await view.reset()
    offered: dict[str, dict[str, int]] = {}
    writes: deque[tuple[int, int, int]] = deque()
    reads: deque[int] = deque()
    answers: dict[str, deque[tuple[int, ...]]] = {"b": deque(), "r": deque()}
    held: dict[str, tuple[int, ...]] = {}
    done = {"b": 0, "r": 0}
    given = 0  # by the registers: what was read, to the next access
    parts: dict[str, deque[dict[str, int]]] = {"aw": deque(), "w": deque()}
    for cycle in range(CYCLES):
        busy = cycle // 500 % 3
        for name, ports in (("aw", ("awaddr",)), ("w", ("wdata", "wstrb")), ("ar", ("araddr",))):
            if name not in offered and random.random() < (0.2, 0.9, 1.0)[busy]:
                bits = {"awaddr": 12, "araddr": 12, "wdata": 32, "wstrb": 4}
                offered[name] = {port: random.getrandbits(bits[port]) for port in ports}
                if name != "ar":
                    parts[name].append(offered[name])
            values = {f"s_axil_{port}": v for port, v in offered.get(name, {}).items()}
            view.set(**{f"s_axil_{name}valid": int(name in offered)}, **values)
        ready = {side: int(random.random() < (0.9, 0.5, 1.0)[busy]) for side in "br"}
        data, error = random.getrandbits(32), random.getrandbits(1)
        view.set(core_reg_rdata_i=given, core_reg_error_i=error)
        await view.apply(**{f"s_axil_{side}ready": value for side, value in ready.items()})
        if view.get("core_reg_valid_o"):
            address = view.get("core_reg_address_o")
            if view.get("core_reg_write_o"):
                word = view.get("core_reg_wdata_o"), view.get("core_reg_strobe_o")
                writes.append((address, *word))
                answers["b"].append((2 * error,))
                given = 0
            else:
                reads.append(address)
                answers["r"].append((2 * error, data))
                given = data
        for side, names in (("b", ("bresp",)), ("r", ("rresp", "rdata"))):
            if view.get(f"s_axil_{side}valid"):
                found = tuple(view.get(f"s_axil_{name}") for name in names)
                assert held.setdefault(side, found) == found, "a response holds"
                if ready[side]:
                    assert answers[side].popleft() == held.pop(side)
                    done[side] += 1
            else:
                assert side not in held, "a response does not vanish"
        assert view.get("s_axil_awready") == view.get("s_axil_wready")
        for name in ("aw", "w", "ar"):
            if view.get(f"s_axil_{name}ready"):
                assert name in offered, "ready follows valid"
                if name == "ar":
                    assert reads.popleft() == offered[name]["araddr"]
                del offered[name]
        if view.get("s_axil_awready"):
            word = parts["w"].popleft()
            wanted = parts["aw"].popleft()["awaddr"], word["wdata"], word["wstrb"]
            assert writes.popleft() == wanted
        assert not writes
        assert not reads
        assert all(len(queue) <= 2 for queue in answers.values())
        await view.edge()
    assert min(done.values()) > CYCLES // 5, "neither side starves"


@for_each(BUS, "aes_axi_lite")
async def a_write_and_a_read_take_two_cycles_each(view: View) -> None:
    """With a master that never waits, both sides at full rate at the same time."""
    await view.reset()
    ports = ("awvalid", "wvalid", "arvalid", "bready", "rready")
    view.set(**{f"s_axil_{port}": 1 for port in ports})
    count = {"b": 0, "r": 0}
    for _ in range(200):
        await view.settle()
        for side in count:
            count[side] += view.get(f"s_axil_{side}valid")
        await view.edge()
    assert min(count.values()) >= 98
