"""Animated characters that were made elsewhere: bodies.py ZIP FOLDER. FOLDER holds a folder for each, with `rest.obj`
(its UVs, y up) and `body.pc2` (its points, frames from 1). Sliding skin is added with one click, and every frame must
be computed, whatever the order. UVs that are held at seams must share what they share at rest."""

import pathlib
import struct
import sys
import time

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def body(folder):
    """The body in Blender, moved by a Mesh Cache; and how many frames it has."""
    bpy.ops.wm.obj_import(filepath=str(folder / "rest.obj"), forward_axis="Y", up_axis="Z")
    ob = bpy.context.selected_objects[0]
    ob.name, ob.rotation_euler = folder.name, (np.pi / 2, 0, 0)
    cache = ob.modifiers.new("Mesh Cache", "MESH_CACHE")
    cache.cache_format, cache.filepath, cache.frame_start = "PC2", str(folder / "body.pc2"), 1
    with open(folder / "body.pc2", "rb") as file:
        vertices, _, _, frames = struct.unpack("<iffi", file.read(32)[16:])
    assert len(ob.data.vertices) == vertices, (len(ob.data.vertices), vertices)
    return ob, frames


def sharing(ob, uvs):
    """The corners by what they share, a vertex and a UV: a number for each, equal where they share both."""
    vertices = np.empty(len(ob.data.loops), np.int32)
    ob.data.loops.foreach_get("vertex_index", vertices)
    keys = np.concatenate([vertices[:, None], uvs.reshape(-1, 2)], axis=1, dtype=np.float64)
    return np.unique(keys, axis=0, return_inverse=True)[1].ravel()


def parted(shared, uvs):
    """How many of these sets have more than one UV."""
    count = len(np.unique(shared))
    return (
        len(np.unique(np.concatenate([shared[:, None], uvs.reshape(-1, 2)], axis=1, dtype=np.float64), axis=0)) - count
    )


def run():
    zipped, folder = s.arguments()
    s.install(zipped)
    for one in sorted(path.parent for path in pathlib.Path(folder).glob("*/rest.obj")):
        s.empty()
        ob, frames = body(one)
        scene = bpy.context.scene
        scene.frame_end = frames
        began = time.perf_counter()
        s.slide(ob)
        played = s.play(ob, range(1, frames + 1))
        seconds = time.perf_counter() - began
        known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], scene)
        assert known.timeline.frames() == list(range(1, frames + 1)), known.message
        moved = max(np.abs(values - played[1]).max() for values in played.values())
        assert all(np.isfinite(values).all() for values in played.values()) and moved > 1e-4, moved
        for frame in (frames // 2, 1, frames):
            scene.frame_set(frame)
            assert np.array_equal(s.evaluated_uvs(ob), played[frame]), frame
        at_rest = np.empty(2 * len(ob.data.loops), np.float32)
        ob.data.uv_layers[0].uv.foreach_get("vector", at_rest)
        shared, apart = sharing(ob, at_rest), []
        for seams in ("nearest", "held"):
            ob.sinew.nodes[0].of_skin_slider.param_uv_seams = seams
            apart.append(parted(shared, s.play(ob, range(1, 6))[5]))
        assert apart[1] == 0, apart
        print(f"{one.name}: {apart[0]} UVs parted in frame 5, none when held")
        print(
            f"{one.name}: ok, {len(ob.data.vertices)} vertices, {frames} frames in {seconds:.1f} s, UVs move by up to "
            f"{moved:.4f}",
            flush=True,
        )


s.finish(run)
