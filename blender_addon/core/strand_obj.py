"""Meshes of bodies: points and faces are all that a body's shape has."""

import numpy as np


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
