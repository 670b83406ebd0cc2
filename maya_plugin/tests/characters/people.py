"""The human of tests/human.sh, as ../drawing/human.py reads her: her body and her eyes."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "drawing"))

import human as drawn
import linear
from character import Character, Joint, Part

EYES = {"left_eye": "helper-l-eye", "right_eye": "helper-r-eye"}


def part_of(person, name, faces, joints):
    """A group of faces with the vertices that it has."""
    vertices = sorted({vertex for face in faces for vertex, _ in face})
    uvs = sorted({uv for face in faces for _, uv in face})
    new_vertex = {vertex: k for k, vertex in enumerate(vertices)}
    new_uv = {uv: k for k, uv in enumerate(uvs)}
    influences = [[] for _ in vertices]
    for joint, pairs in person.weights.items():
        for vertex, weight in pairs:
            if vertex in new_vertex and weight > 0:
                influences[new_vertex[vertex]].append((joints[joint], weight))
    return Part(
        name,
        [person.points[vertex] for vertex in vertices],
        [person.uvs[uv] for uv in uvs],
        [[(new_vertex[vertex], new_uv[uv]) for vertex, uv in face] for face in faces],
        influences,
    )


def read(folder):
    """The left elbow bends, as she raises the arm a little to the side."""
    person = drawn.Human(folder)
    index = {name: k for k, name in enumerate(person.names)}
    joints = []
    for name in person.names:
        above = person.bones[name]["parent"]
        joint = Joint(name.replace(".", "_"), index[above] if above else -1, person.heads[name], linear.IDENTITY)
        joints.append(joint)
    _, hinge, _ = drawn.arm_of(person, "L")
    turns = {"lowerarm01.L": (hinge, 1.6), "upperarm01.L": ([0, 0, 1], 0.4), "neck01": ([0, 1, 0], 0.5)}
    for name, (axis, angle) in turns.items():
        joints[index[name]].axis, joints[index[name]].angle = axis, angle
    groups = {"body": person.faces} | {name: person.groups[group] for name, group in EYES.items()}
    return Character("human", joints, [part_of(person, name, faces, index) for name, faces in groups.items()])
