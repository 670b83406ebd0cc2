"""What one would do in Blender for the skin of an animated body, timed: Corrective Smooth, and Shrinkwrap of a smoothed
copy onto the body.

The body is rest.obj moved by Blender's Mesh Cache from body.pc2. A modifier's time is that of a frame with it less that
of a frame without it, medians and maxima over the frames; rounds alternate. Prints a line of JSON for each modifier,
with how far it moves vertices (metres, p99 and maximum over vertices and frames) and the second differences of that.

    python tests/bench/bodies/blender.py FOLDER FRAMES METRES_PER_UNIT [ROUNDS]
"""

import json
import os
import sys
import time

import bpy
import numpy as np


def read_obj(path):
    """Vertices and faces; the rest of the file does not matter here."""
    points, faces = [], []
    with open(path) as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                points.append([float(w) for w in words[1:4]])
            elif words[0] == "f":
                corners = [int(w.split("/")[0]) for w in words[1:]]
                faces.append([c - 1 if c > 0 else len(points) + c for c in corners])
    return points, faces


def body(name, mesh, cache):
    """An object of the mesh that the cache moves from frame 0 on; its axes stay as they are."""
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = os.path.abspath(cache)
    modifier.interpolation = "NONE"
    modifier.frame_start = 0.0
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    return thing


def corrective_smooth(iterations):
    """Keeps the shape of the mesh before all modifiers, which is the body at rest."""

    def add(thing, _):
        modifier = thing.modifiers.new("smooth", "CORRECTIVE_SMOOTH")
        modifier.iterations = iterations
        modifier.rest_source = "ORCO"
        return [modifier]

    return add


def shrinkwrap(thing, target):
    smooth = thing.modifiers.new("smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, 10
    wrap = thing.modifiers.new("wrap", "SHRINKWRAP")
    wrap.target = target
    wrap.wrap_method = "NEAREST_SURFACEPOINT"
    wrap.wrap_mode = "ON_SURFACE"
    return [smooth, wrap]


PEERS = {
    "Corrective Smooth, 5 iterations": corrective_smooth(5),
    "Corrective Smooth, 20 iterations": corrective_smooth(20),
    "Smooth, then Shrinkwrap to the body": shrinkwrap,
}


def play(thing, modifiers, enabled, frames):
    """Milliseconds and vertices of each frame, with or without the modifiers."""
    for modifier in modifiers:
        modifier.show_viewport = enabled
    scene, times, moved = bpy.context.scene, [], []
    # What a first evaluation sets up is not part of a frame.
    scene.frame_set(frames)
    for frame in range(frames):
        start = time.perf_counter()
        scene.frame_set(frame)
        times.append(1e3 * (time.perf_counter() - start))
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.attributes["position"].data.foreach_get("vector", points)
        moved.append(points.reshape(-1, 3).astype(np.float64))
    return times, np.array(moved)


def spread(vectors):
    """p99 and maximum of their lengths; zeros of none."""
    lengths = np.linalg.norm(vectors, axis=-1).ravel()
    return [float(np.percentile(lengths, 99)), float(lengths.max())] if lengths.size else [0.0, 0.0]


def measure(thing, modifiers, frames, unit, rounds):
    with_it, without = [], []
    for _ in range(rounds):
        times, after = play(thing, modifiers, True, frames)
        with_it.append(times)
        times, before = play(thing, modifiers, False, frames)
        without.append(times)
    added = np.min(with_it, axis=0) - np.median(np.min(without, axis=0))
    offset = unit * (after - before)
    return {
        "median": float(np.median(added)),
        "max": float(added.max()),
        "moved": spread(offset),
        "second": spread(np.diff(offset, 2, axis=0)),
    }


def main():
    folder, frames, unit = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    points, faces = read_obj(os.path.join(folder, "rest.obj"))
    cache = os.path.join(folder, "body.pc2")
    for name, add in PEERS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        mesh = bpy.data.meshes.new("rest")
        mesh.from_pydata(points, [], faces)
        thing = body("skin", mesh, cache)
        # Only a wrap needs the body beside the copy that it wraps.
        target = body("target", mesh.copy(), cache) if add is shrinkwrap else None
        figures = measure(thing, add(thing, target), frames, unit, rounds)
        print(json.dumps({"name": name, **figures}), flush=True)


main()
sys.stdout.flush()
os._exit(0)
