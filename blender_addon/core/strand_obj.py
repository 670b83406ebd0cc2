"""Meshes of bodies as OBJ text: points and faces are all that a body's shape has."""

import numpy as np


def read(text, file):
    """The points (n x 3) and the faces (lists of vertices from 0) of an OBJ file."""
    points, faces = [], []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                points.append([float(word) for word in words[1:4]])
                if len(points[-1]) != 3:
                    raise ValueError("a vertex has three numbers")
            elif words[:1] == ["f"]:
                faces.append([_vertex(word, len(points)) for word in words[1:]])
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}") from None
    return np.array(points, float).reshape(-1, 3), faces


def _vertex(word, count):
    number = int(word.split("/")[0])
    vertex = number - 1 if number > 0 else count + number
    if not 0 <= vertex < count:
        raise ValueError(f"there is no vertex {number}")
    return vertex


def write(points, faces):
    """The text of a mesh; numbers in single precision keep all their digits."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
    lines += ["f " + " ".join(str(vertex + 1) for vertex in face) for face in faces]
    return "\n".join(lines) + "\n"


def cuboid(size):
    """The points and faces of a cuboid around the origin."""
    half = np.asarray(size, float) / 2
    points = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)] * half
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return points, faces


def open_edges(faces):
    """How many edges are not shared by exactly two faces that run along them in opposite directions."""
    seen = {}
    for face in faces:
        for a, b in zip(face, face[1:] + face[:1]):
            seen[a, b] = seen.get((a, b), 0) + 1
    return sum(1 for (a, b), count in seen.items() if count != 1 or seen.get((b, a), 0) != 1)
