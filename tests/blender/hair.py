"""Hair curves that ride on skin: carried, combed, laid down, transformed, left behind. hair.py ZIP CASE..."""

import json
import os
import pathlib
import subprocess
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from unasked import sliding

# Roots and tips of two curves on the tube.
DRAWN = np.array([(0.5, 0, 3), (0.6, 0, 3), (0, 0.5, 3), (0, 0.6, 3)], np.float32)


def hair_rides():
    ob = s.tube()
    s.armature(ob)
    settings = s.slide(ob).of_skin_slider
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([3, 3])
    hair = s.link(bpy.data.objects.new("Hair", data))
    at = [(0.5, 0, 2.2), (0.6, 0, 2.2), (0.7, 0, 2.2), (-0.5, 0, 0.5), (-0.6, 0, 0.5), (-0.7, 0, 0.5)]
    data.attributes["position"].data.foreach_set("vector", [value for point in at for value in point])
    settings.in_riders.choice, settings.in_riders.object = "POINTS", hair
    settings.out_rider_matrices.choice, settings.out_rider_matrices.object = "HAIR", hair
    settings.out_rider_points.choice = "POINTS"
    settings.out_rider_points.object = s.link(bpy.data.objects.new("Roots", bpy.data.meshes.new("Roots")))
    s.play(ob, range(1, 13))
    carried, roots = s.points(data), s.points(bpy.data.meshes["Roots"])
    assert np.abs(carried[[0, 3]] - roots).max() < 1e-5
    assert np.linalg.norm(carried[0] - at[0]) > 0.05
    lengths = np.linalg.norm(np.diff(carried.reshape(2, 3, 3), axis=1), axis=2)
    assert np.abs(lengths - 0.1).max() < 1e-5, "hairs are rotated, not stretched"
    s.play(ob, [1])
    assert np.abs(s.points(data) - at).max() < 1e-5, "the first frame is as combed"


def haired(item, roots):
    """Hair of two points a curve that rides on the node's body: its object and its data."""
    hair = bpy.data.hair_curves.new("hair")
    hair.add_curves([2] * (len(roots) // 2))
    hair.attributes["position"].data.foreach_set("vector", np.array(roots, np.float32).ravel())
    locks = s.link(bpy.data.objects.new("Hair", hair))
    settings = item.of_skin_slider
    settings.in_riders.choice, settings.in_riders.object = "POINTS", locks
    settings.out_rider_matrices.choice, settings.out_rider_matrices.object = "HAIR", locks
    return locks, hair


READ_USD = """
import json, sys
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(sys.argv[1])
found = {}
for prim in stage.Traverse():
    if prim.IsA(UsdGeom.PointBased):
        world, points = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform, UsdGeom.PointBased(prim).GetPointsAttr()
        found[prim.GetName()] = [[list(world(frame).Transform(p)) for p in points.Get(frame)] for frame in (1, 7, 12)]
print("JSON" + json.dumps(found))
"""


def usd(path):
    """The points of all meshes and hair in frames 1, 7 and 12 of the scene exported as USD, in its world."""
    bpy.ops.wm.usd_export(filepath=path, export_animation=True, export_armatures=False)
    reader = os.environ.get("SINEW_READER", sys.executable)
    out = subprocess.run([reader, "-c", READ_USD, path], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout.partition("JSON")[2])


def what_rides_moves_in_exports(folder):
    """Hair, points and objects that outputs write to move in USD files, and get nothing else than a mark, which goes
    with the node."""
    ob, item = sliding()
    locks, hair = haired(item, DRAWN)
    settings = item.of_skin_slider
    roots = s.link(bpy.data.objects.new("Roots", bpy.data.meshes.new("Roots")))
    settings.out_rider_points.choice, settings.out_rider_points.object = "POINTS", roots
    assert [len(locks.modifiers), len(roots.modifiers), len(locks.constraints)] == [1, 1, 0]
    settings.param_poisson = 0.3
    assert [len(locks.modifiers), len(roots.modifiers)] == [1, 1], "marked once"
    played = {"Roots": [], "hair": []}
    s.play(ob, range(1, 13))
    for frame in (1, 7, 12):
        s.play(ob, [frame])
        played["Roots"].append(s.points(roots.data))
        played["hair"].append(s.points(hair))
    assert np.abs(played["hair"][2] - played["hair"][0]).max() > 0.1
    found = usd(f"{folder}/shot.usdc")
    for name, places in played.items():
        assert np.abs(np.array(found[name]) - np.array(places)).max() < 1e-5, name
    # Objects of a collection are moved as wholes.
    settings.out_rider_points.choice = "NONE"
    beads = bpy.data.collections.new("Beads")
    bpy.context.scene.collection.children.link(beads)
    for k in range(2):
        beads.objects.link(bpy.data.objects.new(f"Bead{k}", roots.data))
    settings.out_rider_matrices.choice, settings.out_rider_matrices.collection = "OBJECTS", beads
    assert not roots.modifiers and not locks.modifiers and all(bead.constraints[0].mute for bead in beads.objects)
    s.select(ob)
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert not any(len(one.constraints) + len(one.modifiers) for one in (roots, locks, *beads.objects))


def beads_on(ob, item, count):
    """A collection with some objects whose transforms ride on the node's body, each on a root of its own; and what
    reads the roots."""
    roots = s.link(bpy.data.objects.new("Roots", bpy.data.meshes.new("Roots")))
    beads = bpy.data.collections.new("Beads")
    bpy.context.scene.collection.children.link(beads)
    settings = item.of_skin_slider
    settings.in_riders.choice, settings.in_riders.object = "POINTS", roots
    settings.out_rider_matrices.choice, settings.out_rider_matrices.collection = "OBJECTS", beads
    for k in range(count):
        beads.objects.link(bead(f"Bead{k}"))
    root(roots, count)
    return beads, roots


def bead(name):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [], [(0, 1, 2)])
    return bpy.data.objects.new(name, mesh)


def root(roots, count):
    """Puts roots on the tube, above its bend."""
    roots.data.clear_geometry()
    roots.data.from_pydata([(0.5 * np.cos(k), 0.5 * np.sin(k), 3) for k in range(count)], [], [])
    bpy.context.view_layer.update()


def objects_that_are_parented_to_each_other_ride_like_free_ones():
    """Whatever their names, which tell their order."""
    ob, item = sliding()
    ob.location, ob.rotation_euler, ob.scale = (3, -2, 1), (0.3, 0.2, 1.1), (0.7, 0.7, 0.7)
    beads, _ = beads_on(ob, item, 3)

    def ridden():
        bpy.context.scene.frame_set(1)
        bpy.ops.sinew.forget()
        s.play(ob, range(1, 8))
        bpy.context.view_layer.update()
        return [np.array(one.matrix_world) for one in sorted(beads.objects, key=lambda one: one.name)]

    free = ridden()
    for parents in ((1, 2, None), (None, 0, 1), (2, None, 1)):
        for one, parent in zip(sorted(beads.objects, key=lambda one: one.name), parents):
            one.parent = None if parent is None else beads.objects[f"Bead{parent}"]
        assert np.allclose(ridden(), free, atol=1e-5), parents
        for one in beads.objects:
            one.parent = None


def marked(objects):
    return sorted(ob.name for ob in objects if len(ob.constraints) == 1 and ob.constraints[0].mute)


def what_is_added_later_moves_in_exports(folder):
    """Objects that come into a collection that an output writes to, in whatever way, move in exports; those that leave
    it are as before."""
    ob, item = sliding()
    beads, roots = beads_on(ob, item, 2)
    bpy.context.view_layer.update()
    assert marked(beads.all_objects) == ["Bead0", "Bead1"]
    # By a script, with the count unchanged, as a copy, in a collection below, and in one that was not shown.
    beads.objects.link(bead("Bead2"))
    bpy.context.view_layer.update()
    assert marked(beads.all_objects) == ["Bead0", "Bead1", "Bead2"]
    beads.objects.unlink(bpy.data.objects["Bead1"])
    bpy.context.scene.collection.objects.link(bpy.data.objects["Bead1"])
    beads.objects.link(bead("Bead3"))
    bpy.context.view_layer.update()
    assert marked(bpy.data.objects) == ["Bead0", "Bead2", "Bead3"]
    bpy.ops.ed.undo_push(message="before")
    s.select(bpy.data.objects["Bead3"])
    bpy.ops.object.duplicate()
    bpy.context.object.constraints.clear()
    bpy.context.object.name = bpy.context.object.data.name = "Bead4"
    bpy.ops.ed.undo_push(message="copied")
    bpy.context.view_layer.update()
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert marked(bpy.data.objects) == ["Bead0", "Bead2", "Bead3"]
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    assert marked(bpy.data.objects) == ["Bead0", "Bead2", "Bead3", "Bead4"]
    ob = bpy.data.objects["Body"]
    settings = ob.sinew.nodes[0].of_skin_slider
    beads, roots = settings.out_rider_matrices.collection, settings.in_riders.object
    below = bpy.data.collections.new("Below")
    below.objects.link(bead("Bead5"))
    beads.children.link(below)
    # The next frame and nothing else.
    bpy.context.scene.frame_set(2)
    root(roots, 5)
    assert marked(beads.all_objects) == ["Bead0", "Bead2", "Bead3", "Bead4", "Bead5"]
    bpy.context.scene.frame_set(1)
    beads.objects.link(bead("Bead6"))
    roots.data.clear_geometry()
    roots.data.from_pydata([(0.5 * np.cos(k), 0.5 * np.sin(k), 3) for k in range(6)], [], [])
    # Exported at once: the frames are computed as they are written.
    found = usd(f"{folder}/shot.usdc")
    places = {}
    for frame in (1, 7, 12):
        s.play(ob, [frame])
        for one in beads.all_objects:
            places.setdefault(one.name, []).append([list(one.matrix_world @ v.co) for v in one.data.vertices])
    assert len(places) == 6 and all(np.abs(np.array(at[2]) - np.array(at[0])).max() > 0.1 for at in places.values())
    for name, at in places.items():
        assert np.abs(np.array(found[name]) - np.array(at)).max() < 1e-5, name
    # Nothing is looked through in frames in which nothing is added.
    exports, calls = s.part("bridge.exports"), []
    kept, exports.mark_targets = exports.mark_targets, calls.append
    try:
        for frame in range(1, 13):
            s.go_to(frame)
            bpy.context.view_layer.update()
    finally:
        exports.mark_targets = kept
    assert not calls
    # The collection is deleted.
    bpy.data.collections.remove(beads)
    bpy.context.view_layer.update()
    assert not marked(bpy.data.objects)


def exports_of_hair_warn_of_nothing(folder):
    ob, item = sliding()
    locks, hair = haired(item, DRAWN)
    s.play(ob, range(1, 13))
    path = pathlib.Path(folder, "said.txt")
    kept = [os.dup(1), os.dup(2)]
    with open(path, "wb") as said:
        sys.stdout.flush()
        for number in (1, 2):
            os.dup2(said.fileno(), number)
        try:
            bpy.ops.wm.usd_export(filepath=f"{folder}/shot.usdc", export_animation=True, export_armatures=False)
        finally:
            for number, before in zip((1, 2), kept):
                os.dup2(before, number)
                os.close(before)
    text = path.read_text()
    assert not any(word in text.lower() for word in ("warn", "sinew", "float4", "unsupported", "attribute")), text


def hair_of_older_files_is_carried_on(folder):
    """They hold the matrices where USD would warn of them."""
    ob, item = sliding()
    locks, hair = haired(item, DRAWN / 2)
    locks.scale, locks.location = (2, 2, 2), (0.1, 0, 0)
    found = {frame: (s.go_to(frame), in_world(locks))[1] for frame in range(1, 13)}
    assert np.abs(found[12] - found[1]).max() > 0.1

    def make_older():
        hair.attributes[".sinew_carried_by"].name = "sinew_carried_by"
        hair["sinew_carried_in"] = hair.pop("sinew_carried")["world"]

    s.go_to(8)
    make_older()
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/shot.blend")
    ob, locks = bpy.data.objects["Body"], bpy.data.objects["Hair"]
    hair = locks.data
    for frame in (1, 8, 12):
        s.go_to(frame)
        assert np.abs(in_world(locks) - found[frame]).max() < 1e-5, frame
    assert not [
        name for name in (*hair.attributes.keys(), *hair.keys()) if name in ("sinew_carried_by", "sinew_carried_in")
    ]
    # The object's transform is applied before the hair is carried again; then an older version goes on with the file.
    make_older()
    s.select(locks)
    with s.part("bridge.runtime").busy():
        assert bpy.ops.object.transform_apply(location=True, rotation=True, scale=True) == {"FINISHED"}
    for frame in (12, 5):
        s.go_to(frame)
        assert np.abs(in_world(locks) - found[frame]).max() < 1e-5, frame
    matrices = np.empty(32, np.float32)
    hair.attributes[".sinew_carried_by"].data.foreach_get("value", matrices)
    hair.attributes.new("sinew_carried_by", "FLOAT4X4", "CURVE").data.foreach_set("value", matrices)
    hair.attributes[".sinew_carried_by"].data.foreach_set("value", np.tile(np.identity(4, np.float32).ravel(), 2))
    s.select(ob)
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert np.abs(in_world(locks) - found[1]).max() < 1e-5


def hair_lies_down_where_nothing_is_computed_and_grows():
    ob, item = sliding()
    _, hair = haired(item, DRAWN)
    s.play(ob, range(1, 13))
    assert np.abs(s.points(hair) - DRAWN).max() > 0.1, "carried"
    s.go_to(1)
    hair.add_curves([2])
    more = np.vstack([s.points(hair)[:4], [(-0.5, 0, 3), (-0.6, 0, 3)]]).astype(np.float32)
    hair.attributes["position"].data.foreach_set("vector", more.ravel())
    bpy.context.view_layer.update()
    bpy.ops.sinew.forget()
    s.play(ob, range(1, 13))
    carried = s.points(hair)
    assert np.abs(carried[4] - carried[5]).max() > 0.05 and np.linalg.norm(carried[4]) > 1, (
        "curves that were added are carried too"
    )
    # A frame that is not computed, and no node at all, show hair where it was drawn.
    drawn = np.vstack([DRAWN, more[4:]])
    bpy.ops.sinew.forget()
    bpy.context.scene.frame_set(8)
    assert s.state(ob)[0] == "missing" and np.abs(s.points(hair) - drawn).max() < 1e-6
    s.go_to(12)
    assert np.abs(s.points(hair) - drawn).max() > 0.1
    s.select(ob)
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert np.abs(s.points(hair) - drawn).max() < 1e-6


def combed_hair_stays_combed():
    ob, item = sliding()
    _, hair = haired(item, DRAWN)
    as_drawn = {frame: (s.go_to(frame), s.points(hair).copy())[1] for frame in range(1, 13)}
    # The tip of the first curve is combed where frame 8 has carried it.
    s.go_to(8)
    assert np.array_equal(s.points(hair), as_drawn[8])
    comb = np.array([0.05, 0.02, 0.1], np.float32)
    here = s.points(hair).copy()
    here[1] += comb
    hair.attributes["position"].data.foreach_set("vector", here.ravel())
    hair.update_tag()
    bpy.context.view_layer.update()
    assert np.array_equal(s.points(hair), here), "what was combed stays on the screen"
    for frame in (9, 12, 3, 8):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        away = np.linalg.norm(s.points(hair) - as_drawn[frame], axis=1)
        assert abs(away[1] - np.linalg.norm(comb)) < 1e-5, (frame, away)
        assert not away[[0, 2, 3]].any(), (frame, "the others are where they were, bit for bit")
    assert np.abs(s.points(hair) - here).max() < 1e-6
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    away = np.linalg.norm(s.points(hair) - DRAWN, axis=1)
    assert abs(away[1] - np.linalg.norm(comb)) < 1e-5 and away[[0, 2, 3]].max() < 1e-6, away


def in_world(locks):
    """The points of hair in the world."""
    world = np.array(locks.matrix_world)
    return s.points(locks.data) @ world[:3, :3].T + world[:3, 3]


def hair_whose_transform_is_applied_stays_where_it_is():
    ob, item = sliding()
    locks, _ = haired(item, DRAWN / 2)
    locks.scale, locks.rotation_euler, locks.location = (2, 2, 2), (0, 0, 0.3), (0.1, 0, 0)
    found = {frame: (s.go_to(frame), in_world(locks))[1] for frame in range(1, 13)}
    assert np.abs(found[12] - found[1]).max() > 0.1
    s.select(locks)
    assert bpy.ops.object.transform_apply(location=True, rotation=True, scale=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    s.select(ob)
    for frame in (12, 1, 5):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        assert np.abs(in_world(locks) - found[frame]).max() < 1e-5, frame
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert np.abs(in_world(locks) - found[1]).max() < 1e-5


def hair_is_laid_down_when_its_body_is_deleted():
    ob, item = sliding()
    locks, hair = haired(item, DRAWN)
    s.go_to(12)
    assert np.abs(s.points(hair) - DRAWN).max() > 0.1
    bpy.data.objects.remove(ob)
    bpy.context.view_layer.update()
    assert np.abs(s.points(hair) - DRAWN).max() < 1e-6


if __name__ == "__main__":
    s.main(s.cases(globals()))
