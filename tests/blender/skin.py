"""Sliding skin as an animator meets it: skin.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def slid(ob, moved, rest="UVMap"):
    """How far UVs are from those at rest; around a seam they may jump by a whole turn."""
    moved = moved - s.uvs(ob, rest)
    return float(np.abs(moved - np.round(moved)).max())


def plays_scrubs_and_jumps_alike():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    assert ob.data.uv_layers.keys() == ["UVMap", "Sinew"]
    assert sorted(name for name in ob.data.attributes.keys() if name.startswith("Sinew ")) == [
        "Sinew Slide",
        "Sinew Stretch",
        "Sinew Wrinkles",
    ]
    played = s.play(ob, range(1, 13))
    assert slid(ob, played[1]) < 1e-6 and 0.002 < slid(ob, played[12]) < 0.3, slid(ob, played[12])
    again = s.play(ob, [7, 3, 12, 1, 5, 4, 11])
    assert all(np.array_equal(again[frame], played[frame]) for frame in again)
    # With nothing remembered, a jump plays what it follows from.
    bpy.ops.sinew.forget()
    jumped = s.play(ob, [9, 2])
    assert all(np.array_equal(jumped[frame], played[frame]) for frame in jumped)
    # With too little memory for all frames, too.
    known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene)
    bpy.context.preferences.addons[s.ADDON].preferences.memory = 16
    known.timeline.limit = 200_000
    assert known.timeline.used <= 200_000


def edits_of_the_motion_are_noticed():
    ob = s.tube()
    rig = s.armature(ob)
    s.slide(ob)
    first = s.play(ob, range(1, 13))
    upper, scene = rig.pose.bones["upper"], bpy.context.scene
    scene.frame_set(6)
    upper.rotation_euler = (0, 1.2, 0)
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "preview" and not np.array_equal(s.uvs(ob), first[6]), s.state(ob)
    upper.rotation_euler = (0, 1.3, 0)
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "preview", s.state(ob)
    # Without a key the pose is gone as soon as the frame changes, and everything is as before.
    assert np.array_equal(s.play(ob, [9])[9], first[9]) and np.array_equal(s.play(ob, [6])[6], first[6])
    upper.rotation_euler = (0, 1.2, 0)
    upper.keyframe_insert("rotation_euler", frame=6)
    bpy.context.view_layer.update()
    # The last frame's pose is the same, the way to it is another.
    jumped = s.play(ob, [12])[12]
    bpy.ops.sinew.forget()
    scene.frame_set(1)
    assert np.array_equal(s.play(ob, range(1, 13))[12], jumped)


def hidden_bodies_wait():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    expected = s.play(ob, range(1, 4))[3]
    ob.hide_viewport = True
    bpy.context.scene.frame_set(2)
    assert np.array_equal(s.uvs(ob), expected), "nothing is computed from a body that is not evaluated"
    ob.hide_viewport = False
    assert np.array_equal(s.play(ob, [1, 2, 3])[3], expected)


def maps_hold_the_skin():
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    free = s.play(ob, range(1, 13))[12]
    assert bpy.ops.sinew.paint(port="fixed") == {"FINISHED"} and ob.mode == "WEIGHT_PAINT"
    group = ob.vertex_groups[item.of_skin_slider.in_fixed.name]
    assert ob.vertex_groups.active == group
    group.add(range(len(ob.data.vertices)), 1.0, "REPLACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert slid(ob, s.play(ob, [12])[12]) < 1e-5, "held everywhere"
    held = ob.data.attributes.new("held", "FLOAT", "POINT")
    heights = np.array([vertex.co.z for vertex in ob.data.vertices])
    held.data.foreach_set("value", (heights < 0.5).astype(np.float32))
    bound = item.of_skin_slider.in_fixed
    bound.choice, bound.name = "ATTRIBUTE", "held"
    bpy.context.view_layer.update()
    half = s.play(ob, [12])[12].reshape(-1, 2)
    corners = np.array([loop.vertex_index for loop in ob.data.loops])
    below = heights[corners] < 0.4
    rest = s.uvs(ob, "UVMap").reshape(-1, 2)
    assert np.abs(half - rest)[below].max() < 1e-5 and slid(ob, half.ravel()) > 1e-3
    assert not np.array_equal(half.ravel(), free)
    assert bpy.ops.sinew.show_map(map="in fixed") == {"FINISHED"}
    colours = ob.data.color_attributes["Sinew Colours"].data
    low, high = (colours[int(np.argmin(heights if pick else -heights))].color for pick in (True, False))
    assert low[0] > 0.5 > low[2] and high[2] > 0.5 > high[0], "held is red, free is blue"
    assert bpy.ops.sinew.show_map(map="out slide_distance") == {"FINISHED"}
    bound.name = "no such"
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and 'no attribute "no such"' in s.state(ob)[1], s.state(ob)
    assert slid(ob, s.evaluated_uvs(ob)) == 0, "a frame that failed looks as at rest"


def the_brush_goes_on_from_what_the_map_has():
    """An attribute becomes weights as it is, and what was painted comes back after the map was not set."""
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    bound, count = item.of_skin_slider.in_fixed, len(ob.data.vertices)

    def brush():
        assert bpy.ops.sinew.paint(port="fixed") == {"FINISHED"}
        bpy.ops.object.mode_set(mode="OBJECT")
        group = ob.vertex_groups.active
        assert (bound.choice, bound.name) == ("GROUP", group.name)
        return [
            next((one.weight for one in vertex.groups if one.group == group.index), 0.0) for vertex in ob.data.vertices
        ]

    values = np.where(np.arange(count) % 3 == 1, 0.0, np.linspace(0, 1, count)).astype(np.float32)
    ob.data.attributes.new("mask", "FLOAT", "POINT").data.foreach_set("value", values)
    bound.choice, bound.name = "ATTRIBUTE", "mask"
    expected = s.play(ob, range(1, 4))[3]
    assert np.array_equal(np.array(brush(), np.float32), values)
    assert np.array_equal(s.play(ob, range(1, 4))[3], expected)
    ob.vertex_groups.active.add([0], 0.75, "REPLACE")
    groups = list(ob.vertex_groups.keys())
    bound.choice = "NONE"
    assert np.array_equal(np.array(brush(), np.float32)[1:], values[1:]) and ob.vertex_groups.active.weight(0) == 0.75
    assert list(ob.vertex_groups.keys()) == groups
    for wrong in (1.5, -0.5, float("nan")):
        ob.data.attributes["mask"].data[7].value = wrong
        bound.choice, bound.name = "ATTRIBUTE", "mask"
        s.refused("not between 0 and 1", bpy.ops.sinew.paint, port="fixed")
        assert (bound.choice, bound.name) == ("ATTRIBUTE", "mask") and list(ob.vertex_groups.keys()) == groups


def colours_follow_frames_and_maps():
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)

    def red():
        values = np.empty(4 * len(ob.data.vertices), np.float32)
        ob.data.color_attributes["Sinew Colours"].data.foreach_get("color", values)
        return values.reshape(-1, 4)[:, 0] > 0.5

    def slides():
        values = np.empty(len(ob.data.vertices), np.float32)
        ob.data.attributes["Sinew Slide"].data.foreach_get("value", values)
        return values

    s.play(ob, range(1, 13))
    s.go_to(4)
    assert bpy.ops.sinew.show_map(map="out slide_distance") == {"FINISHED"}
    for frame in (4, 12, 2):
        s.go_to(frame)
        reds, values = red(), slides()
        assert reds.any() and values[reds].min() > 0.6 * values.max() > values[~reds].mean(), frame
    bpy.ops.sinew.forget()
    bpy.context.scene.frame_set(8)
    assert s.state(ob)[0] == "missing" and not red().any(), "nothing is computed, and nothing is shown"
    s.go_to(8)
    assert red().any()
    bound = item.of_skin_slider.in_hold
    bound.choice, bound.name = "GROUP", "no such"
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and not red().any(), "nor where the node fails"
    bound.choice = "NONE"
    # A map that is painted.
    s.go_to(1)
    assert bpy.ops.sinew.paint(port="fixed") == {"FINISHED"}
    assert bpy.ops.sinew.show_map(map="in fixed") == {"FINISHED"}
    assert not red().any()
    ob.vertex_groups.active.add(range(24, 72), 1.0, "REPLACE")
    ob.data.update_tag()
    bpy.context.view_layer.update()
    assert np.array_equal(np.flatnonzero(red()), np.arange(24, 72)), "what was painted is red at once"
    bpy.ops.object.mode_set(mode="OBJECT")
    # A result that is turned off, and colours that are deleted or taken off, are left alone.
    assert bpy.ops.sinew.show_map(map="out stretch") == {"FINISHED"}
    item.of_skin_slider.out_stretch.choice = "NONE"
    s.play(ob, range(1, 3))
    ob.data.color_attributes.remove(ob.data.color_attributes["Sinew Colours"])
    s.play(ob, range(1, 4))
    assert "Sinew Colours" not in ob.data.color_attributes
    assert bpy.ops.sinew.show_map(map="in fixed") == {"FINISHED"} and "Sinew Colours" in ob.data.color_attributes
    assert bpy.ops.sinew.show_map(map="none") == {"FINISHED"} and "Sinew Colours" not in ob.data.color_attributes
    s.play(ob, range(1, 4))
    assert "Sinew Colours" not in ob.data.color_attributes


def vertex_groups_are_read_as_they_are():
    """One at a time as painted maps, and all at once as bones' weights."""
    ob = s.tube()
    arrays = s.part("bridge.arrays")
    bare = ob.vertex_groups.new(name="bare")
    assert not arrays.weights_by_vertex(ob.data, [bare.index]).any()
    weights = np.random.default_rng(1).random((len(ob.data.vertices), 3)).astype(np.float32)
    weights[weights < 0.3] = 0
    groups = [ob.vertex_groups.new(name=name) for name in ("皮膚", "position", "Wange / links")]
    for group, column in zip(groups, weights.T):
        for vertex in np.flatnonzero(column):
            group.add([int(vertex)], float(column[vertex]), "REPLACE")
    for group, column in zip((*groups, bare), (*weights.T, 0 * weights[:, 0])):
        assert np.array_equal(arrays.weights_by_vertex(ob.data, [group.index])[:, 0], column), group.name
    assert np.array_equal(arrays.weights_by_vertex(ob.data, [groups[2].index, groups[0].index]), weights[:, [2, 0]])


def slides_along_curves():
    ob = s.tube()
    s.armature(ob)
    settings = s.slide(ob).of_skin_slider
    line = bpy.data.curves.new("along", "CURVE")
    line.dimensions = "3D"
    spline = line.splines.new("POLY")
    spline.points.add(1)
    spline.points[0].co, spline.points[1].co = (0.5, 0, 0, 1), (0.5, 0, 4, 1)
    settings.in_slide.object = s.link(bpy.data.objects.new("along", line))
    settings.in_slide.choice, settings.in_slide.reach = "CURVES", 0.05
    settings.out_slide_vector.choice = "ATTRIBUTE"
    s.play(ob, range(1, 13))
    vectors = np.empty(3 * len(ob.data.vertices), np.float32)
    ob.data.attributes[settings.out_slide_vector.name].data.foreach_get("vector", vectors)
    vectors = vectors.reshape(-1, 3)
    rest = np.array([vertex.co for vertex in ob.data.vertices])
    near = (np.abs(rest[:, 1]) < 1e-6) & (rest[:, 0] > 0) & (rest[:, 2] < 1)
    across, along = np.abs(vectors[near][:, 1]).max(), np.abs(vectors[near][:, 2]).max()
    others = np.abs(vectors[~near & (rest[:, 2] < 1)][:, 1]).max()
    assert across < 0.1 * max(others, along), (across, along, others)


def modifiers_that_change_vertices_do_not_matter():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    expected = s.play(ob, range(1, 13))
    advice = s.part("ui.panels").advice
    assert not advice(ob, ob.sinew.nodes[0], bpy.context.scene)
    ob.modifiers.new("Subdivision", "SUBSURF").levels = 1
    assert "Update Capture" in advice(ob, ob.sinew.nodes[0], bpy.context.scene)[0]
    ob.modifiers.new("Mirror", "MIRROR").use_axis = (False, False, True)
    ob.modifiers.new("Solidify", "SOLIDIFY").thickness = 0.1
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and "Update Capture" in s.state(ob)[1], s.state(ob)
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    names = [modifier.name for modifier in ob.modifiers]
    slide = ["Sinew Slide Apart", "Subdivision", "Sinew Slide Added"]
    assert names == ["Armature", "Sinew Capture", *slide, "Mirror", "Solidify"], names
    assert not advice(ob, ob.sinew.nodes[0], bpy.context.scene)
    bpy.context.scene.frame_set(1)
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        assert np.array_equal(s.uvs(ob), expected[frame]), frame
    assert len(s.evaluated_uvs(ob)) > 8 * len(expected[12]), "the subdivided body has slid UVs"
    ob.sinew.nodes[0].of_skin_slider.param_uv_seams = "held"
    assert not advice(ob, ob.sinew.nodes[0], bpy.context.scene)
    ob.sinew.nodes[0].of_skin_slider.param_uv_seams = "nearest"
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), expected[12]), "the settings are as before"
    # A modifier that removes vertices is named.
    ob.modifiers.new("Decimate", "DECIMATE").ratio = 0.1
    ob.modifiers.move(len(ob.modifiers) - 1, 2)
    bpy.context.scene.frame_set(2)
    assert s.state(ob)[0] == "failed" and '"Decimate"' in s.state(ob)[1], s.state(ob)
    ob.modifiers.remove(ob.modifiers["Decimate"])
    ob.modifiers.new("Late", "SMOOTH")
    bpy.context.scene.frame_set(3)
    assert s.state(ob)[0] == "failed" and '"Late"' in s.state(ob)[1], s.state(ob)


def geometry_nodes_and_shape_keys_move_the_body():
    ob = s.tube()
    ob.shape_key_add(name="Basis")
    bulge = ob.shape_key_add(name="bulge")
    for point in bulge.data:
        point.co.z += 0.6 * max(0.0, point.co.z - 2)
    bulge.value = 0
    bulge.keyframe_insert("value", frame=1)
    bulge.value = 1
    bulge.keyframe_insert("value", frame=12)
    s.slide(ob)
    keyed = s.play(ob, range(1, 13))
    assert slid(ob, keyed[12]) > 0.02, "skin must slide into the stretched half"
    group = bpy.data.node_groups.new("lift", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    put = group.nodes.new("GeometryNodeSetPosition")
    put.inputs["Offset"].default_value = (0, 0, 0)
    group.links.new(group.nodes.new("NodeGroupInput").outputs[0], put.inputs[0])
    group.links.new(put.outputs[0], group.nodes.new("NodeGroupOutput").inputs[0])
    ob.modifiers.new("lift", "NODES").node_group = group
    bpy.context.view_layer.update()
    moved = s.play(ob, range(1, 13))
    assert all(np.array_equal(moved[frame], keyed[frame]) for frame in moved), (
        "nodes that keep the shape keep the slide"
    )


def moving_nodes(name, build):
    """Geometry Nodes between whose ends `build(nodes, links, geometry)` adds nodes; it gives the geometry after
    them."""
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    last = build(group.nodes, group.links, group.nodes.new("NodeGroupInput").outputs[0])
    group.links.new(last, group.nodes.new("NodeGroupOutput").inputs[0])
    return group


def stretched(nodes, links, geometry):
    """Nodes that stretch what is high up, more from frame to frame."""
    put, place, time = (
        nodes.new("GeometryNodeSetPosition"),
        nodes.new("GeometryNodeInputPosition"),
        nodes.new("GeometryNodeInputSceneTime"),
    )
    square, scaled = nodes.new("ShaderNodeVectorMath"), nodes.new("ShaderNodeVectorMath")
    square.operation, scaled.operation = "MULTIPLY", "SCALE"
    for socket in square.inputs[:2]:
        links.new(place.outputs[0], socket)
    links.new(square.outputs[0], scaled.inputs[0])
    links.new(time.outputs["Seconds"], scaled.inputs["Scale"])
    links.new(scaled.outputs[0], put.inputs["Offset"])
    links.new(geometry, put.inputs["Geometry"])
    return put.outputs[0]


def geometry_nodes_that_move_are_followed():
    """They are captured behind, wherever they stand; those that add or remove vertices, in front."""
    inner = moving_nodes("inner", stretched)

    def in_group(nodes, links, geometry):
        group, smooth = nodes.new("GeometryNodeGroup"), nodes.new("GeometryNodeSetShadeSmooth")
        group.node_tree = inner
        links.new(geometry, smooth.inputs[0])
        links.new(smooth.outputs[0], group.inputs[0])
        return group.outputs[0]

    def doubled(nodes, links, geometry):
        # Blender joins what was linked last before what was there.
        join = nodes.new("GeometryNodeJoinGeometry")
        for one in (nodes.new("GeometryNodeMeshCube").outputs[0], geometry):
            links.new(one, join.inputs[0])
        return join.outputs[0]

    def body(name, *modifiers):
        ob = s.tube(name, around=12, along=12)
        ob.location = (3 * len(bpy.data.objects), 0, 0)
        for kind, group in modifiers:
            made = ob.modifiers.new(kind.title(), kind)
            if group is not None:
                made.node_group = group
        s.slide(ob)
        return ob, s.play(ob, range(1, 8))[7]

    plain, alone = body("alone", ("NODES", moving_nodes("stretch", stretched)))
    assert slid(plain, alone) > 1e-3, "skin slides where Geometry Nodes stretch the body"
    nested, _ = body(
        "nested",
        ("NODES", moving_nodes("nested", in_group)),
        ("SUBSURF", None),
        ("NODES", moving_nodes("late", doubled)),
    )
    assert [m.type for m in nested.modifiers] == ["NODES", "NODES", "NODES", "SUBSURF", "NODES", "NODES"]
    assert nested.modifiers[1].name == "Sinew Capture"
    assert slid(nested, s.uvs(nested)) > 1e-3 and np.allclose(s.uvs(nested), s.uvs(plain), atol=1e-5)
    added, _ = body("added", ("NODES", moving_nodes("doubled", doubled)))
    assert added.modifiers[0].name == "Sinew Capture", "what adds vertices is captured in front of"
    expected = s.uvs(nested)
    late = nested.modifiers[5]
    late.node_group = bpy.data.node_groups.new("without ends", "GeometryNodeTree")
    assert s.part("bridge.capture").may_change(late), "nodes without ends keep nothing"
    late.show_viewport = False
    bpy.context.view_layer.update()
    # A capture that stands in front of what moves, as older versions of the add-on put it.
    nested.modifiers.move(1, 0)
    bpy.context.view_layer.update()
    s.select(nested)
    assert (
        s.state(nested)[0] == "failed"
        and "moves vertices after they are captured: press Update Capture" in s.state(nested)[1]
    ), s.state(nested)
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    s.go_to(7)
    assert s.state(nested)[0] == "computed" and np.array_equal(s.uvs(nested), expected), s.state(nested)


def modifiers_that_are_applied_or_turned_off_leave_no_capture_behind():
    """What a capture has left in the mesh when it was applied is not where the body is now."""
    ob = s.tube(around=12, along=12)
    s.armature(ob)
    subdivision = ob.modifiers.new("Subdivision", "SUBSURF")
    s.slide(ob)
    s.play(ob, range(1, 8))
    expected = s.uvs(ob)
    ob.modifiers["Sinew Capture"].show_viewport = False
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and "Update Capture" in s.state(ob)[1], s.state(ob)
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    s.go_to(7)
    assert np.array_equal(s.uvs(ob), expected) and slid(ob, expected) > 1e-3, s.state(ob)
    bpy.context.scene.frame_set(1)
    ob.modifiers.remove(subdivision)
    assert bpy.ops.object.modifier_apply(modifier="Sinew Capture") == {"FINISHED"}
    assert np.array_equal(s.play(ob, range(1, 8))[7], expected), "it follows the armature"
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    assert not [one.name for one in ob.data.attributes if one.name.startswith("sinew_")], "the mesh is clean"
    # All of them, subdivided.
    other = s.tube("Other", around=12, along=12)
    s.armature(other)
    other.modifiers.new("Subdivision", "SUBSURF")
    s.slide(other)
    s.play(other, range(1, 4))
    assert bpy.ops.object.convert(target="MESH") == {"FINISHED"} and len(other.modifiers) == 0
    s.play(other, range(1, 4))


def pc2(path, frames):
    """A point cache: positions of all frames."""
    import struct

    with open(path, "wb") as out:
        out.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, frames.shape[1], 1.0, 1.0, len(frames)))
        out.write(frames.astype("<f4").tobytes())


def caches_move_the_body(folder):
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    expected = s.play(ob, range(1, 13))
    graph = bpy.context.evaluated_depsgraph_get
    frames = []
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
        mesh = ob.evaluated_get(graph()).data
        frames.append(s.points(mesh))
    path = f"{folder}/body.pc2"
    pc2(path, np.array(frames))
    abc = f"{folder}/body.abc"
    bpy.ops.wm.alembic_export(filepath=abc, as_background_job=False, start=1, end=12, selected=False, uvs=True)
    for modifier in list(ob.modifiers):
        ob.modifiers.remove(modifier)
    cache = ob.modifiers.new("Cache", "MESH_CACHE")
    cache.cache_format, cache.filepath, cache.frame_start = "PC2", path, 1
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    bpy.context.view_layer.update()
    cached = s.play(ob, range(1, 13))
    assert all(np.array_equal(cached[frame], expected[frame]) for frame in cached), "from a point cache"
    s.empty()
    bpy.ops.wm.alembic_import(filepath=abc, as_background_job=False)
    body = bpy.data.objects["Body"]
    assert body.modifiers[0].type == "MESH_SEQUENCE_CACHE"
    layer = body.data.uv_layers
    for name in [name for name in layer.keys() if name == "Sinew"]:
        layer.remove(layer[name])
    s.slide(body)
    streamed = s.play(body, range(1, 13))
    moved = streamed[12] - expected[12]
    assert np.abs(moved - np.round(moved)).max() < 1e-3, "from Alembic"


def slid_geometry_is_a_shape():
    ob = s.tube()
    s.armature(ob)
    settings = s.slide(ob).of_skin_slider
    expected = s.play(ob, range(1, 13))
    settings.out_slid_points.choice = "SHAPE"
    bpy.context.view_layer.update()
    names = [modifier.name for modifier in ob.modifiers]
    assert names[:2] == ["Armature", "Sinew Capture"] and names[2].startswith("Sinew Shape"), names
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), expected[frame]), (frame, s.state(ob))
    mesh = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    wanted = np.empty(3 * len(mesh.vertices), np.float32)
    ob.data.attributes[settings.out_slid_points.name].data.foreach_get("vector", wanted)
    assert np.array_equal(s.points(mesh).ravel(), wanted)
    settings.out_slid_points.choice = "NONE"
    assert [modifier.name for modifier in ob.modifiers] == ["Armature"]


def shape_keys_carry_their_skin():
    """Where bones move a body, too, its shape keys act before them, and the skin goes along."""

    def raised(name, turns):
        ob = s.tube(name)
        rig = s.armature(ob, angle=1.0 if turns else 0.0)
        ob.shape_key_add(name="Basis")
        for number, (part, value) in enumerate(((0.3, 1.0), (0.4, 0.5))):
            key = ob.shape_key_add(name=f"raised {number}")
            for point in key.data:
                point.co.z += part * np.sin(np.pi * point.co.z / 4) ** 2
            key.value = 0
            key.keyframe_insert("value", frame=1)
            key.value = value
            key.keyframe_insert("value", frame=12)
        return ob, rig

    def remarks(ob):
        return s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).remarks

    ob, _rig = raised("Still", False)
    settings = s.slide(ob).of_skin_slider
    assert settings.in_acted.choice == "KEYS"
    played = s.play(ob, range(1, 13))
    assert slid(ob, played[12]) < 1e-6, slid(ob, played[12])
    assert not remarks(ob), remarks(ob)
    settings.in_acted.choice = "NONE"
    bpy.context.scene.frame_set(1)
    assert ["keys of"] == [word for text in remarks(ob) for word in ("keys of",) if word in text], remarks(ob)
    without = s.play(ob, range(1, 13))
    assert slid(ob, without[12]) > 0.02, slid(ob, without[12])
    settings.in_acted.choice = "KEYS"
    # One that is pinned stands alone.
    ob.active_shape_key_index, ob.show_only_shape_key = 2, True
    pinned = s.play(ob, range(1, 13))
    assert slid(ob, pinned[12]) < 1e-6, slid(ob, pinned[12])
    ob.show_only_shape_key = False
    # What else acts in front of the bones is told.
    ob.modifiers.new("Wave", "WAVE")
    ob.modifiers.move(1, 0)
    settings.in_acted.choice = "KEYS"
    bpy.context.scene.frame_set(1)
    assert any('"Wave"' in text and "in front" in text for text in remarks(ob)), remarks(ob)
    s.empty()
    ob, _rig = raised("Bent", True)
    s.slide(ob)
    bent = s.play(ob, range(1, 13))
    assert slid(ob, bent[12]) > 0.02, "bones slide it"
    # A body without shape keys has nothing that acts.
    s.empty()
    ob = s.tube("Plain")
    s.armature(ob)
    assert s.slide(ob).of_skin_slider.in_acted.choice == "NONE"
    plain = s.play(ob, range(1, 13))
    assert not remarks(ob), remarks(ob)
    assert np.abs(plain[12] - bent[12]).max() > 1e-3


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
