"""What people do to objects: works, or says what to do. hostile.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s  # noqa: E402


def refusals_say_what_to_do(folder):
    bare = s.tube("bare")
    bare.data.uv_layers.remove(bare.data.uv_layers[0])
    s.select(bare)
    s.refused("no UV map", bpy.ops.sinew.skin_add)
    cloud = bpy.data.meshes.new("cloud")
    cloud.from_pydata([(0, 0, 0), (1, 0, 0)], [], [])
    s.select(s.link(bpy.data.objects.new("cloud", cloud)))
    s.refused("no faces", bpy.ops.sinew.skin_add)
    s.select(s.link(bpy.data.objects.new("twin", s.tube("one").data)))
    s.refused("shares its mesh", bpy.ops.sinew.skin_add)
    s.select(s.link(bpy.data.objects.new("Empty", None)))
    s.refused("Select the body", bpy.ops.sinew.skin_add)
    s.refused("no mesh", bpy.ops.sinew.node_add, kind="skinning")
    ob = s.tube("Edited")
    s.select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    s.refused("edit mode", bpy.ops.sinew.skin_add)
    bpy.ops.object.mode_set(mode="OBJECT")
    s.slide(ob)
    s.refused("sliding skin already", bpy.ops.sinew.skin_add)
    assert all("Sinew" not in o.data.uv_layers for o in bpy.data.objects if o.type == "MESH" and o != ob), "nothing is left behind"
    assert [len(o.sinew.nodes) for o in bpy.data.objects if o != ob] == [0] * (len(bpy.data.objects) - 1)


def linked_data_is_said(folder):
    s.tube("Linked")
    path = f"{folder}/library.blend"
    bpy.data.libraries.write(path, {bpy.data.objects["Linked"]}, fake_user=True)
    s.empty()
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    ob = s.link(here.objects[0])
    s.select(ob)
    s.refused("linked from", bpy.ops.sinew.skin_add)
    local = s.link(ob.override_create())
    s.select(local)
    s.refused("mesh of", bpy.ops.sinew.skin_add)
    local.data = local.data.copy()
    s.slide(local)
    s.go_to(2)
    assert s.state(local)[0] == "computed", s.state(local)


def edit_mode_waits():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    expected = s.play(ob, range(1, 5))
    bpy.ops.object.mode_set(mode="OBJECT")
    s.select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.frame_set(4)
    assert s.state(ob)[0] == "failed" and "edit mode" in s.state(ob)[1], s.state(ob)
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(1)
    more = s.play(ob, range(1, 5))
    assert len(more[4]) == 4 * len(expected[4])


def apart(first, second):
    """How far two sets of UVs are from each other; around a seam they may jump by a whole turn."""
    moved = first - second
    return float(np.abs(moved - np.round(moved)).max())


def scale_parents_and_places_do_not_matter():
    """The motion is a shape key's, which scales along; only places and sizes differ."""

    def body(name, scale, place):
        ob = s.tube(name)
        for vertex in ob.data.vertices:
            vertex.co = [c / k for c, k in zip(vertex.co, scale)]
        ob.shape_key_add(name="Basis")
        key = ob.shape_key_add(name="stretch")
        for point in key.data:
            point.co.z += 0.6 * max(0.0, point.co.z * scale[2] - 2) / scale[2]
        key.value = 0
        key.keyframe_insert("value", frame=1)
        key.value = 1
        key.keyframe_insert("value", frame=12)
        ob.scale = scale
        parent = s.link(bpy.data.objects.new("Parent", None))
        parent.location, parent.rotation_euler = place, (0, 0, np.pi / 2) if any(place) else (0, 0, 0)
        ob.parent = parent
        bpy.context.view_layer.update()
        s.slide(ob)
        return ob

    plain = s.play(body("plain", (1, 1, 1), (0, 0, 0)), range(1, 13))[12]
    for name, scale, place in (
        ("uneven", (2, 0.5, 3), (0, 0, 0)),
        ("negative", (-1, 1, 1), (0, 0, 0)),
        ("far", (1, 1, 1), (100, -200, 300)),
        ("all", (-2, 0.5, 4), (1, 2, 3)),
    ):
        bpy.context.scene.frame_set(1)
        ob = body(name, scale, place)
        found = s.play(ob, range(1, 13))[12]
        assert apart(found, plain) < 2e-3, (name, apart(found, plain))
        assert apart(found, s.uvs(ob, "UVMap")) > 0.02, name


def vertices_that_come_and_go_are_said():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    s.play(ob, range(1, 3))
    build = ob.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 1, 10
    bpy.context.scene.frame_set(3)
    state, message = s.state(ob)
    assert state == "failed" and '"Build"' in message and "frame 3" in message, message
    ob.modifiers.remove(build)
    assert s.play(ob, [4])
    # The mesh itself is another one now.
    ob.data.clear_geometry()
    ob.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(5)
    assert s.state(ob)[0] == "failed" and "UV map" in s.state(ob)[1], s.state(ob)


def broken_bodies_are_named():
    ob = s.tube()
    s.armature(ob)
    ob.shape_key_add(name="Basis")
    key = ob.shape_key_add(name="broken")
    key.value = 0
    s.slide(ob)
    s.play(ob, range(1, 3))
    key.data[17].co.x = float("nan")
    key.value = 1
    bpy.context.scene.frame_set(3)
    state, message = s.state(ob)
    assert state == "failed" and "17" in message and "frame 3" in message, message


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
