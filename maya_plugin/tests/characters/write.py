"""Writes all characters as text: python3 write.py HUMAN CHARACTERS FOLDER, where the first two are what tests/human.sh
and tests/characters.sh fetched."""

import pathlib
import sys

import animals
import character
import hands
import people


def main():
    human, others, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    made = [
        people.read(human),
        hands.read(others / "hand.left.glb", "hand_left", by_group=False, eight_bits=False),
        hands.read(others / "hand.right.glb", "hand_right", by_group=True, eight_bits=True),
        *(animals.read(others, name) for name in ("dog", "rat")),
    ]
    for one in made:
        character.write(one, folder / f"{one.name}.txt")


if __name__ == "__main__":
    main()
