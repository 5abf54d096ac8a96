import random
from dataclasses import dataclass, replace

from benches import KEY
from key_windows import beyond, length_code, padded, sizes, window
from runner import ENCRYPT, View, for_each, simulate

from aesforge.core import model


def test_aes_key_schedule_c_slow() -> None:
    simulate(__file__, KEY)


@dataclass(frozen=True)
class Window:
    """A window of the schedule of `key`, round key `index` on top, with its control inputs."""

    key: bytes
    index: int
    back: bool
    plain: int
    code: int

    @property
    def nk(self) -> int:
        return len(self.key) // 4

    @property
    def next(self) -> int:
        return self.index - 1 if self.back else self.index + 1

    @property
    def step(self) -> int:
        """The later of the two round keys between which the window advances next."""
        return self.index if self.back else self.index + 1

    def words(self, index: int) -> bytes:
        return window(beyond(self.key), index, self.nk)

    def ends(self) -> bool:
        return self.next not in range(model.rounds(self.key) + 1)


def new(view: View) -> Window:
    direction = dict(view.item.parameters)["Direction"]
    key = random.randbytes(random.choice(sizes(view)))
    # A core that only decrypts also advances forward, to reach the last round key.
    back = direction != ENCRYPT and bool(random.getrandbits(1))
    index = random.randrange(model.rounds(key))
    return Window(key, index, back, random.getrandbits(1), length_code(view, key))


def per_stage(values: list[int], width: int) -> int:
    """Control inputs of all stages, one value per stage."""
    return sum(value << (width * place) for place, value in enumerate(values))


@for_each(KEY, "aes_key_schedule_c_slow")
async def each_window_advances_once_per_pass(keys: View) -> None:
    parameters = dict(keys.item.parameters)
    stages, encrypts = int(parameters["Stages"]), parameters["Direction"] == ENCRYPT
    slots: list[Window | None] = [None] * stages
    await keys.apply(clear_i=0)
    for _ in range(500):
        here = slots[-1]
        load = here is None or here.ends() or random.random() < 0.1
        move = int(random.random() < 0.8)
        if load or here is None:
            coming = new(keys)
        else:
            coming = replace(here, index=here.next, plain=random.getrandbits(1))
        before = slots[-2]

        await keys.apply(
            advance_i=move,
            load_i=int(load),
            window_i=padded(coming.words(coming.index)) >> (256 - 8 * max(sizes(keys))),
            len_next_i=coming.code,
            step_next_i=coming.step,
            # Encryption ignores the direction.
            back_i=per_stage(
                [random.getrandbits(1) if w is None or encrypts else w.back for w in slots], 1
            ),
            key_len_i=per_stage([random.getrandbits(2) if w is None else w.code for w in slots], 2),
            step_i=per_stage([random.getrandbits(4) if w is None else w.step for w in slots], 4),
            last_i=random.getrandbits(1) if before is None else before.plain,
        )
        if here is not None:
            top = here.words(here.index)[:16]
            mixed = here.back and not here.plain
            expected = model.inv_mix_columns(top) if mixed else top
            assert keys.get("k_sch_o").to_bytes(16) == expected, (keys.item.name, here)
            if not here.ends():
                found = keys.get("window_o").to_bytes(max(sizes(keys)))[: len(here.key)]
                assert found == here.words(here.next), (keys.item.name, here)
        if move:
            slots = [coming, *slots[:-1]]
        await keys.edge()


@for_each(KEY, "aes_key_schedule_c_slow")
async def one_pass_clears_everything(keys: View) -> None:
    stages, size = int(dict(keys.item.parameters)["Stages"]), max(sizes(keys))
    await keys.apply(clear_i=0, advance_i=1, load_i=1, back_i=0, last_i=1)
    for _ in range(stages):
        await keys.apply(window_i=int.from_bytes(random.randbytes(size)))
        await keys.edge()
    assert keys.get("k_sch_o"), keys.item.name
    await keys.apply(clear_i=1)
    for _ in range(stages):
        await keys.edge()
    assert keys.get("k_sch_o") == 0, keys.item.name
