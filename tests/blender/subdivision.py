"""Slid UVs through Subdivision Surface, in every Blender: subdivision.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

PAIR = ["Sinew Slide Apart", "Subdivision", "Sinew Slide Added"]


def bending(levels=1, **settings):
    """A subdivided tube whose upper half, in another place of the picture, is stretched as it bends, so that faces pass
    the seam."""
    ob = s.tube(around=18, along=20, length=3.0)
    uvs = s.uvs(ob, "UVMap").reshape(-1, 8)
    uvs[180:, 0::2] = 1.5 - uvs[180:, 0::2]
    ob.data.uv_layers["UVMap"].uv.foreach_set("vector", uvs.ravel())
    rig = s.armature(ob, length=3.0, frames=(1, 8), angle=0.9)
    for frame, stretch in ((1, 1.0), (8, 1.6)):
        rig.pose.bones["upper"].scale.y = stretch
        rig.pose.bones["upper"].keyframe_insert("scale", frame=frame)
    made = ob.modifiers.new("Subdivision", "SUBSURF")
    made.levels = levels
    for name, value in settings.items():
        setattr(made, name, value)
    bpy.context.scene.frame_end = 8
    bpy.context.scene.frame_set(1)
    return ob, made


def seen_without(ob, modifiers, read):
    """What `read` finds on a body while some of its modifiers are off; the add-on does not take that for an edit."""
    with s.part("bridge.runtime").busy():
        on = [m for m in modifiers if m.show_viewport]
        for modifier in on:
            modifier.show_viewport = False
        bpy.context.view_layer.update()
        found = read(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
        for modifier in on:
            modifier.show_viewport = True
        bpy.context.view_layer.update()
    return found


def halves(ob):
    return [m for m in ob.modifiers if m.name.startswith("Sinew Slide")]


def from_subdivision_on(ob):
    return list(ob.modifiers)[next(k for k, m in enumerate(ob.modifiers) if m.type == "SUBSURF") :]


def sharing(mesh):
    """Which corners of a vertex share their UVs, in each map: for each corner the first of those that it shares them
    with."""
    vertices, found = np.empty(len(mesh.loops), np.int32), []
    mesh.loops.foreach_get("vertex_index", vertices)
    for layer in mesh.uv_layers:
        uvs = np.empty(2 * len(layer.uv), np.float32)
        layer.uv.foreach_get("vector", uvs)
        _, first, number = np.unique(
            np.column_stack([vertices, uvs.reshape(-1, 2)]), axis=0, return_index=True, return_inverse=True
        )
        found.append(tuple(first[number.ravel()].tolist()))
    return tuple(found)


def by_blender(ob):
    """The UVs that Blender's own subdivision makes of the slid ones."""
    return seen_without(ob, halves(ob), lambda mesh: s.evaluated_uvs(ob))


def what_is_subdivided_stays_as_it_is():
    """Blender prepares a subdivision anew where corners of a vertex part or meet in a UV map: they do in the slid one,
    and never in what reaches Subdivision Surface."""
    ob, _ = bending()
    s.slide(ob)
    s.play(ob, range(1, 9))
    reached, written = set(), set()
    for frame in (1, 4, 6, 8):
        s.go_to(frame)
        reached.add(seen_without(ob, from_subdivision_on(ob), sharing))
        written.add(seen_without(ob, [*halves(ob), *from_subdivision_on(ob)], sharing))
    assert len(written) > 1, "faces pass the seam"
    assert len(reached) == 1, len(reached)
    assert [m.name for m in ob.modifiers] == ["Armature", "Sinew Capture", *PAIR]


def uvs_are_those_of_blenders_own_subdivision():
    """With UVs that are not smoothed they are the same. Otherwise those at rest are, and the slide is off by little of
    its length."""
    for smooth in ("NONE", "PRESERVE_BOUNDARIES", "PRESERVE_CORNERS_JUNCTIONS_AND_CONCAVE", "SMOOTH_ALL"):
        s.empty()
        ob, _ = bending(2, uv_smooth=smooth)
        # Skin that is stretched unevenly, so that smoothing shows.
        for vertex in ob.data.vertices:
            vertex.co.z += 0.3 * np.sin(5 * vertex.co.x)
        at_rest = s.evaluated_uvs(ob, "UVMap")
        s.slide(ob)
        assert np.abs(s.evaluated_uvs(ob) - at_rest).max() < 1e-6, smooth
        s.play(ob, range(1, 9))
        for frame in (3, 8):
            s.go_to(frame)
            found, expected = s.evaluated_uvs(ob).reshape(-1, 2), by_blender(ob).reshape(-1, 2)
            assert np.abs(s.evaluated_uvs(ob, "UVMap") - at_rest).max() < 1e-6, "the map at rest is as it was"
            slide = np.abs(expected - at_rest.reshape(-1, 2)).max(axis=1)
            off = np.abs(found - expected).max(axis=1)
            if smooth == "NONE":
                assert off.max() < 1e-6, (frame, off.max())
            else:
                assert np.median(off) < 0.05 * np.median(slide) and slide.max() > 0.01, (
                    smooth,
                    frame,
                    np.median(off),
                    np.median(slide),
                )


def maps_are_used_as_before():
    """Materials, renders and exporters find what they found: the same maps, the same one active, and nothing else."""
    ob, _ = bending()
    s.slide(ob)
    s.go_to(5)

    def maps(mesh):
        return [(layer.name, layer.active, layer.active_render) for layer in mesh.uv_layers], set(
            mesh.attributes.keys()
        )

    before, now = seen_without(ob, halves(ob), maps), seen_without(ob, (), maps)
    assert now == before and ("Sinew", True, True) in now[0], (now, before)
    # A map that gets another name is followed.
    expected = s.evaluated_uvs(ob)
    for old, new in (("Sinew", "Slid"), ("UVMap", "Painted")):
        ob.data.uv_layers[old].name = new
        ob.update_tag()
        bpy.context.view_layer.update()
        bpy.context.view_layer.update()
    assert s.state(ob)[0] == "computed" and np.array_equal(s.evaluated_uvs(ob, "Slid"), expected), s.state(ob)


def pairs_come_and_go_with_what_needs_them():
    ob, made = bending()
    s.slide(ob)
    settings, names = ob.sinew.nodes[0].of_skin_slider, lambda: [m.name for m in ob.modifiers][2:]
    advice = s.part("ui.panels").advice
    settings.param_uv_seams = "held"
    assert names() == ["Subdivision"]
    settings.param_uv_seams = "nearest"
    assert names() == PAIR
    # Each subdivision has its own.
    again = ob.modifiers.new("Again", "SUBSURF")
    again.levels = 1
    assert '"Again" is slow' in advice(ob, ob.sinew.nodes[0], bpy.context.scene)[0]
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    assert names() == [*PAIR, "Sinew Slide Apart.001", "Again", "Sinew Slide Added.001"]
    assert not advice(ob, ob.sinew.nodes[0], bpy.context.scene)
    s.go_to(8)
    found = s.evaluated_uvs(ob)
    assert s.state(ob)[0] == "computed" and np.median(np.abs(found - by_blender(ob))) < 0.01
    ob.modifiers.remove(again)
    assert bpy.ops.sinew.capture_update() == {"FINISHED"} and names() == PAIR
    # Cycles subdivides a body itself only by its last modifier.
    if hasattr(made, "use_adaptive_subdivision"):
        made.use_adaptive_subdivision = True
        assert bpy.ops.sinew.capture_update() == {"FINISHED"} and names() == ["Subdivision"]
        assert "Held" in advice(ob, ob.sinew.nodes[0], bpy.context.scene)[0]
        made.use_adaptive_subdivision = False
        assert bpy.ops.sinew.capture_update() == {"FINISHED"} and names() == PAIR
    assert bpy.ops.sinew.node_remove() == {"FINISHED"} and not [name for name in names() if "Slide" in name]


def halves_without_their_other_half_are_reported():
    ob, _ = bending()
    s.slide(ob)
    s.go_to(8)
    expected = s.evaluated_uvs(ob)

    def moved():
        ob.modifiers.move(ob.modifiers.find(PAIR[0]), len(ob.modifiers) - 1)

    def hidden():
        ob.modifiers[PAIR[2]].show_viewport = False

    def removed():
        ob.modifiers.remove(ob.modifiers[PAIR[2]])

    def applied():
        assert bpy.ops.object.modifier_apply(modifier=PAIR[0]) == {"FINISHED"}

    for change in (moved, hidden, removed, applied):
        change()
        ob.update_tag()
        bpy.context.view_layer.update()
        bpy.context.scene.frame_set(7)
        assert s.state(ob)[0] == "failed" and "press Update Capture" in s.state(ob)[1], (change.__name__, s.state(ob))
        assert bpy.ops.sinew.capture_update() == {"FINISHED"}
        assert [m.name for m in ob.modifiers][-3:] == PAIR
        s.go_to(8)
        assert s.state(ob)[0] == "computed" and np.abs(s.evaluated_uvs(ob) - expected).max() < 1e-6, (
            change.__name__,
            s.state(ob),
        )


if __name__ == "__main__":
    s.main(s.cases(globals()))
