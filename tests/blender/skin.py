"""Sliding skin as an animator meets it: skin.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s  # noqa: E402


def plays_scrubs_and_jumps_alike():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    played = s.play(ob, range(1, 13))
    assert not np.array_equal(played[12], s.uvs(ob, "UVMap")), "nothing slid"
    # Around the seam UVs jump by a whole turn.
    moved = played[12] - s.uvs(ob, "UVMap")
    moved = np.abs(moved - np.round(moved)).max()
    assert 0.002 < moved < 0.3, moved
    again = s.play(ob, [7, 3, 12, 1, 5, 4, 11])
    assert all(np.array_equal(again[frame], played[frame]) for frame in again)
    # With nothing remembered, a jump plays what it follows from.
    bpy.ops.sinew.forget()
    jumped = s.play(ob, [9, 2])
    assert all(np.array_equal(jumped[frame], played[frame]) for frame in jumped)


CASES = {name: case for name, case in globals().items() if callable(case) and getattr(case, "__module__", "") == "__main__"}

if __name__ == "__main__":
    s.main(CASES)
