"""A skinned character, and the text that ../drive/character.cpp reads."""

from dataclasses import dataclass, field

import linear


@dataclass
class Joint:
    name: str
    """The index of the joint above, which comes before; -1 for none."""
    parent: int
    """Where it is when it is bound, in the space of the character."""
    place: list[float]
    rotation: list[list[float]]
    """How far it turns within the motion, about an axis of the character, in radians."""
    axis: list[float] = field(default_factory=lambda: [1.0, 0.0, 0.0])
    angle: float = 0.0


@dataclass
class Part:
    """A mesh: for each face the vertex and the UV of its corners, for each vertex its joints and weights."""

    name: str
    points: list[list[float]]
    uvs: list[list[float]]
    faces: list[list[tuple[int, int]]]
    influences: list[list[tuple[int, float]]]


@dataclass
class Character:
    name: str
    joints: list[Joint]
    parts: list[Part]
    """Of the group that holds all: angles in radians, and the scale."""
    turned: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    scale: float = 1.0


def _line(*numbers):
    return " ".join(f"{number:.9g}" for number in numbers) + "\n"


def _joint_line(joint, joints):
    place, rotation = joint.place, joint.rotation
    if joint.parent >= 0:
        above = joints[joint.parent]
        back = linear.transposed(above.rotation)
        place = linear.applied(back, linear.less(place, above.place))
        rotation = linear.times(back, rotation)
    turn = linear.about(joint.axis, joint.angle)
    own_turn = linear.times(linear.transposed(joint.rotation), linear.times(turn, joint.rotation))
    numbers = [*place, *linear.angles(rotation), *linear.angles(own_turn)]
    return f"{joint.name} {joint.parent} {_line(*numbers)}"


def _write_part(part, file):
    file.write(f"{part.name} {len(part.points)} {len(part.uvs)} {len(part.faces)}\n")
    for numbers in part.points + part.uvs:
        file.write(_line(*numbers))
    for face in part.faces:
        file.write(f"{len(face)} " + " ".join(f"{vertex} {uv}" for vertex, uv in face) + "\n")
    for pairs in part.influences:
        file.write(f"{len(pairs)} " + " ".join(f"{joint} {weight:.9g}" for joint, weight in pairs) + "\n")


def write(character, path):
    with open(path, "w", encoding="ascii") as file:
        file.write(_line(*character.turned, character.scale))
        file.write(f"{len(character.joints)} {len(character.parts)}\n")
        for joint in character.joints:
            file.write(_joint_line(joint, character.joints))
        for part in character.parts:
            _write_part(part, file)
