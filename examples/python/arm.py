"""Slides the skin of an arm with the Python package `sinew`:

    sinew demo target/arm --arm
    python3 examples/python/arm.py target/arm target/arm/slid.npz

It reads the frames that the first command writes, and writes where each vertex's skin went.
"""

import pathlib
import sys

import numpy as np
import sinew

FPS, FRAMES = 24, range(1, 25)
folder, result = map(pathlib.Path, sys.argv[1:])


def points_of(path):
    """The vertices of an OBJ file, n x 3."""
    return np.array([line.split()[1:4] for line in path.open() if line.startswith("v ")], float)


# Faces are written as "f 1/1 2/2 51/50 50/49": the vertex of each corner, and its UV.
faces = [line.split()[1:] for line in (folder / "rest.obj").open() if line.startswith("f ")]
corners = np.array([corner.split("/") for face in faces for corner in face], int) - 1
uvs = np.array([line.split()[1:3] for line in (folder / "rest.obj").open() if line.startswith("vt ")], float)
rest = sinew.Mesh(points_of(folder / "rest.obj"), [len(face) for face in faces], corners[:, 0], uvs[corners[:, 1]])

slid = {}
try:
    with sinew.Node("skin_slider", metres_per_unit=1.0, up_axis=sinew.UP_Y) as node:
        node.set_input("rest", rest)
        node.set_param("proxy_triangles", 2000)
        for frame in FRAMES:
            node.set_input("points", points_of(folder / f"body.{frame:04d}.obj"))
            node.step(frame, frame / FPS)
            slid[f"uvs_{frame:04d}"] = node.read("uvs")
            distance = node.read("slide_distance")
            print(f"frame {frame}: the skin slides by up to {1000 * distance.max():.2f} mm")
except sinew.Error as error:
    sys.exit(f"The arm could not be slid: {error}")
np.savez_compressed(result, **slid)
