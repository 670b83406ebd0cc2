"""What lies on a body and stands around it: curves and hair without its parent, materials, exporters, importers.
around.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from hair import DRAWN, haired, usd
from unasked import sliding


def walking(scale=1.0):
    """A body with sliding skin whose parent walks, turns and grows; the parent is returned, too."""
    ob, item = sliding()
    walker = s.link(bpy.data.objects.new("Walker", None))
    for one in (ob, bpy.data.objects["Rig"]):
        one.parent = walker
    for frame, far in ((1, 0), (12, 1)):
        walker.location, walker.rotation_euler = (3 + 8 * far, -2 * far, far), (0.4 * far, 0.3, 2 * far)
        walker.scale = [scale * (1 + 0.2 * far)] * 3
        for path in ("location", "rotation_euler", "scale"):
            walker.keyframe_insert(path, frame=frame)
    s.go_to(1)
    return ob, item, walker


def on_body(part, ob, parented):
    """Puts an object into the space of a body as it is in this frame, or makes it the body's child."""
    if parented:
        part.parent = ob
    else:
        part.matrix_world = ob.matrix_world.copy()
    bpy.context.view_layer.update()


def line_along(name="Line"):
    """A straight curve along the tube."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("POLY").points
    points.add(9)
    for k, point in enumerate(points):
        point.co = (0.5, 0, 1 + 0.2 * k, 1)
    return s.link(bpy.data.objects.new(name, curve))


def slid_along(parented, then=lambda ob, line: None, scale=1.0, reach=0.4):
    """The UVs in the last frame of skin that slides along a curve, a child of the body or not, after something was done
    there."""
    s.empty()
    ob, item, _ = walking(scale)
    line = line_along()
    on_body(line, ob, parented)
    settings = item.of_skin_slider
    settings.in_slide.object, settings.in_slide.reach, settings.in_slide.choice = line, reach, "CURVES"
    s.play(ob, range(1, 13))
    then(ob, line)
    s.go_to(12)
    return s.uvs(ob).copy()


def in_the_world(locks):
    """The points of hair curves in the world."""
    world = np.array(locks.matrix_world)
    return s.points(locks.data) @ world[:3, :3].T + world[:3, 3]


def forget(ob, _):
    s.select(ob)
    assert bpy.ops.sinew.forget() == {"FINISHED"}


def curves_stay_where_they_lay_when_the_motion_began():
    for scale in (1.0, 0.01):
        of_child = slid_along(True, scale=scale)
        free = slid_along(False, scale=scale)
        assert np.abs(of_child - free).max() < 1e-4, scale
        assert np.array_equal(slid_along(False, forget, scale), free), "forgotten in the last frame"
    without = slid_along(False, lambda ob, line: setattr(ob.sinew.nodes[0].of_skin_slider.in_slide, "choice", "NONE"))
    assert np.abs(without - free).max() > 0.01, "the curve matters"
    # A curve that is drawn onto the body in a later frame, without a parent, is not on it where the motion begins.
    s.empty()
    ob, item, _ = walking()
    s.go_to(12)
    line, settings = line_along(), item.of_skin_slider
    on_body(line, ob, False)
    settings.in_slide.object, settings.in_slide.choice = line, "CURVES"
    known = s.part("bridge.runtime").known(ob, item, bpy.context.scene)
    s.go_to(12)
    assert len(known.remarks) == 1 and '"Line"' in known.remarks[0] and "parent it" in known.remarks[0], known.remarks
    on_body(line, ob, True)
    line.matrix_basis, line.matrix_parent_inverse = np.identity(4), np.identity(4)
    s.go_to(1)
    assert not known.remarks

    def move(ob, line):
        """Moves the curve in the last frame, a little along the body and around it."""
        turned = line.matrix_basis.copy()
        turned.translation.z += 0.2
        line.matrix_basis = turned
        bpy.context.view_layer.update()

    def move_and_begin_anew(ob, line):
        move(ob, line)
        s.part("bridge.runtime").clear()
        s.go_to(1)
        s.play(ob, range(1, 12))

    for parented in (True, False):
        moved = slid_along(parented, move)
        assert np.abs(moved - slid_along(parented)).max() > 1e-3
        assert np.abs(moved - slid_along(parented, move_and_begin_anew)).max() < 1e-4, parented


def hair_without_a_parent_rides_on_bodies_that_walk(folder):
    places = {}
    for parented in (True, False):
        s.empty()
        ob, item, _ = walking()
        locks, _ = haired(item, DRAWN)
        on_body(locks, ob, parented)
        for frame in range(1, 13):
            s.go_to(frame)
            places[parented, frame] = in_the_world(locks)
    for frame in range(1, 13):
        assert np.abs(places[True, frame] - places[False, frame]).max() < 1e-4, frame
    forget(ob, None)
    s.go_to(12)
    assert np.abs(in_the_world(locks) - places[False, 12]).max() < 1e-6, "forgotten in the last frame"
    # A bake is right in any frame, whatever is the first one that is seen.
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/walk.blend")
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/walk.blend")
    for frame in (7, 12, 1, 4):
        bpy.context.scene.frame_set(frame)
        assert s.state(bpy.data.objects["Body"])[0] == "baked"
        assert np.abs(in_the_world(bpy.data.objects["Hair"]) - places[False, frame]).max() < 1e-4, frame


def hair_that_blender_carries_is_refused():
    """New hair gets a modifier that carries it along with its surface."""
    ob, item = sliding()
    assert bpy.ops.object.curves_empty_hair_add() == {"FINISHED"}
    locks = bpy.context.object
    carries = next(m for m in locks.modifiers if m.type == "NODES")
    locks.data.add_curves([2, 2])
    locks.data.attributes["position"].data.foreach_set("vector", DRAWN.ravel())
    settings = item.of_skin_slider
    settings.in_riders.choice, settings.in_riders.object = "POINTS", locks
    settings.out_rider_matrices.choice, settings.out_rider_matrices.object = "HAIR", locks
    settings.out_rider_points.choice = "POINTS"
    roots = settings.out_rider_points.object = s.link(bpy.data.objects.new("Roots", bpy.data.meshes.new("Roots")))

    def of_state():
        bpy.context.view_layer.update()
        return s.state(ob)

    def drawn():
        return s.points(locks.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)[[0, 2]]

    for viewports, renders in ((True, True), (False, True), (True, False)):
        carries.show_viewport, carries.show_render = viewports, renders
        state, message = of_state()
        assert state == "failed" and f'"{carries.name}"' in message and '"Curves"' in message, (state, message)
        assert np.abs(s.points(locks.data) - DRAWN).max() == 0
    # Off, or without the node that does it, also in a group of a group.
    carries.show_viewport = carries.show_render = False
    assert of_state()[0] == "computed"

    def around_it(nodes, links, start, end):
        inner = nodes.new("GeometryNodeGroup")
        inner.node_tree = carries.node_group
        links.new(start, inner.inputs[0])
        links.new(inner.outputs[0], end)

    carries.node_group, carries.show_viewport = s.part("bridge.capture").geometry_nodes("Outer", around_it), True
    assert of_state()[0] == "failed"
    next(node for node in carries.node_group.nodes if node.type == "GROUP").mute = True
    s.play(ob, range(1, 13))
    assert np.abs(drawn() - s.points(roots.data)).max() < 1e-5, "drawn where the roots are"
    assert np.abs(drawn() - DRAWN[[0, 2]]).max() > 0.1


def skin_slides_on_bodies_that_were_exported_with_sliding_skin(folder):
    """Their files contain the map that the skin writes."""
    ob, _ = sliding()
    before = s.play(ob, range(1, 13))[12]
    bpy.ops.wm.alembic_export(filepath=f"{folder}/shot.abc", start=1, end=12, uvs=True)
    s.empty()
    bpy.ops.wm.alembic_import(filepath=f"{folder}/shot.abc")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 12
    ob = next(one for one in bpy.data.objects if one.type == "MESH")
    cache = ob.modifiers[0]
    assert "UV" in cache.read_data
    bpy.context.scene.frame_set(12)
    exported, rest = s.evaluated_uvs(ob), s.evaluated_uvs(ob, "UVMap")
    # Alembic lists the corners of a face in another order.
    assert np.abs(before.reshape(-1, 4, 2).sum(axis=1) - exported.reshape(-1, 4, 2).sum(axis=1)).max() < 1e-5
    # The file makes the map in the evaluated mesh also where the mesh itself has lost it.
    ob.data.uv_layers.remove(ob.data.uv_layers["Sinew"])
    bpy.context.scene.frame_set(1)
    s.select(ob)
    warnings = s.part("ops.skin").add_skin(ob)
    assert len(warnings) == 1 and f'"{cache.name}"' in warnings[0], warnings
    settings, known = ob.sinew.nodes[0].of_skin_slider, s.part("bridge.runtime").known
    played = s.play(ob, range(1, 13))
    assert np.array_equal(played[12], s.uvs(ob)) and np.abs(played[12] - rest).max() > 0.01
    ob.vertex_groups.new(name="all").add(range(len(ob.data.vertices)), 1, "REPLACE")
    settings.in_fixed.name, settings.in_fixed.choice = "all", "GROUP"
    assert np.abs(s.play(ob, range(1, 13))[12] - rest).max() < 1e-5, "held everywhere"
    assert not known(ob, ob.sinew.nodes[0], bpy.context.scene).in_vain
    # If someone turns it on again.
    cache.read_data |= {"UV"}
    for frame in range(1, 4):
        bpy.context.scene.frame_set(frame)
    warnings = known(ob, ob.sinew.nodes[0], bpy.context.scene).in_vain
    assert len(warnings) == 1 and '"Sinew"' in warnings[0] and f'"{cache.name}"' in warnings[0], warnings


def brought_back(path, frames):
    """The sums of the UVs of the faces of what an Alembic file contains, in some frames: it lists corners in another
    order."""
    bpy.ops.object.select_all(action="DESELECT")
    assert bpy.ops.wm.alembic_import(filepath=path, set_frame_range=False) == {"FINISHED"}
    made = [one for one in bpy.context.selected_objects if one.type == "MESH"]
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found[frame] = s.evaluated_uvs(made[0]).reshape(-1, 4, 2).sum(axis=1)
    for one in made:
        bpy.data.objects.remove(one)
    bpy.context.view_layer.update()
    return found


def exports_compute_the_frames_that_they_need(folder):
    """From whatever frame, in whatever state, of bodies that viewports show or not."""
    ob, item = sliding()
    played = {frame: uvs.reshape(-1, 4, 2).sum(axis=1) for frame, uvs in s.play(ob, range(1, 13)).items()}
    scene, item.use_start, item.start = bpy.context.scene, True, 1
    path = f"{folder}/shot.abc"
    frames = (5, 6, 12)
    for mode, now, hidden in (("RENDER", 1, False), ("VIEWPORT", 9, False), ("RENDER", 12, True)):
        s.select(ob)
        scene.frame_set(now)
        assert bpy.ops.sinew.forget() == {"FINISHED"}
        ob.hide_viewport = hidden
        bpy.ops.wm.alembic_export(filepath=path, start=5, end=12, uvs=True, evaluation_mode=mode)
        assert ob.hide_viewport == hidden and scene.frame_current == now
        ob.hide_viewport = False
        found = brought_back(path, frames)
        for frame in frames:
            assert np.abs(found[frame] - played[frame]).max() < 1e-5, (mode, frame)
    # USD exports the range of the scene, which may begin after the motion.
    haired(item, DRAWN)
    settings = item.of_skin_slider
    roots = s.link(bpy.data.objects.new("Roots", bpy.data.meshes.new("Roots")))
    settings.out_rider_points.choice, settings.out_rider_points.object = "POINTS", roots
    s.play(ob, range(1, 13))
    places, scene.frame_start = s.points(roots.data), 5
    s.select(ob)
    scene.frame_set(5)
    assert bpy.ops.sinew.forget() == {"FINISHED"}
    assert np.abs(np.array(usd(f"{folder}/shot.usdc")["Roots"][2]) - places).max() < 1e-5
    # Users who jump decide themselves.
    scene.frame_set(1)
    s.select(ob)
    assert bpy.ops.sinew.forget() == {"FINISHED"}
    scene.frame_set(9)
    assert s.state(ob)[0] == "missing"


def curve_of(kind, count=7, **settings):
    """A curve with random points."""
    random = np.random.default_rng(count)
    curve = bpy.data.curves.new(kind, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(count - 1)
    for point in points:
        if kind == "BEZIER":
            point.co, point.handle_left, point.handle_right = random.random((3, 3))
        else:
            point.co = (*random.random(3), 0.5 + random.random() if kind == "NURBS" else 1)
    if kind == "BEZIER":
        points[0].handle_right_type = points[1].handle_left_type = "VECTOR"
        points[2].handle_left_type = points[2].handle_right_type = "AUTO"
    for name, value in settings.items():
        setattr(spline, name, value)
    spline.resolution_u = 100
    return s.link(bpy.data.objects.new(kind, curve))


def thick_curves_lead_as_thin_ones_do():
    """Thickness and filling make faces around a line, which stays where it is."""

    def lines(ob):
        bpy.context.view_layer.update()
        return s.part("bridge.curve_lines").drawn(ob, bpy.context.evaluated_depsgraph_get())

    of_nurbs = [
        {"order_u": order, **flags}
        for order in (2, 3, 4)
        for flags in (
            {},
            {"use_endpoint_u": True},
            {"use_cyclic_u": True},
            {"use_bezier_u": True},
            {"use_bezier_u": True, "use_endpoint_u": True},
        )
    ]
    made = [(kind, {"use_cyclic_u": closed}) for kind in ("POLY", "BEZIER") for closed in (False, True)] + [
        ("NURBS", one) for one in of_nurbs
    ]
    for kind, settings in made:
        ob = curve_of(kind, **settings)
        thin = np.array(lines(ob))
        for thickness in ("bevel_depth", "extrude"):
            setattr(ob.data, thickness, 0.05)
            (thick,) = lines(ob)
            setattr(ob.data, thickness, 0.0)
            # Versions of Blender draw other points of a NURBS curve, but the same curve.
            away = np.linalg.norm(thick[:, None] - thin.reshape(1, -1, 3), axis=2)
            assert max(away.min(axis=0).max(), away.min(axis=1).max()) < 0.02, (kind, settings, thickness)
            ends = thin[[0, -1], [0, 1]]
            assert settings.get("use_cyclic_u") or np.abs(thick[[0, -1]] - ends).max() < 1e-5, (
                kind,
                settings,
                thickness,
            )
    thin = slid_along(True)
    for name, value in (("bevel_depth", 0.03), ("extrude", 0.03)):

        def thicken(ob, line, name=name, value=value):
            setattr(line.data, name, value)
            bpy.context.view_layer.update()

        assert np.abs(slid_along(True, thicken) - thin).max() < 1e-4, name
    # What deforms the drawn points cannot be followed into the middle.
    ob = bpy.data.objects["Body"]
    line = bpy.data.objects["Line"]
    line.modifiers.new("Wave", "WAVE")
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and '"Line" has faces' in s.state(ob)[1], s.state(ob)
    line.data.extrude = 0
    bpy.context.scene.frame_set(1)
    assert s.state(ob)[0] == "computed", s.state(ob)


def a_copied_body_leaves_the_hair_of_the_first_alone(folder):
    ob, item = sliding()
    locks, hair = haired(item, DRAWN)
    played = {}
    for frame in range(1, 13):
        s.go_to(frame)
        played[frame] = s.points(hair).copy()
    s.go_to(1)
    s.select(ob)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.object
    copy.location, copy.rotation_euler = (5, 1, 0), (0, 0, 1)
    bpy.context.view_layer.update()

    def warnings_of(one):
        return s.part("bridge.runtime").known(one, one.sinew.nodes[0], bpy.context.scene).in_vain

    def rides(path):
        for frame in range(1, 13):
            s.go_to(frame)
            assert np.array_equal(s.points(hair), played[frame]), (path, frame)
            assert [s.state(one)[0] for one in (ob, copy)] == ["computed"] * 2, (path, frame)
        assert np.abs(s.evaluated_uvs(copy) - s.uvs(copy, "UVMap")).max() > 0.01, "the copy's skin slides as well"

    rides("copied")
    here, there = warnings_of(ob), warnings_of(copy)
    assert not here and len(there) == 1 and '"Hair"' in there[0] and '"Body"' in there[0], (here, there)
    # Neither Live, nor a bake, nor that the copy loses its node, concerns the hair.
    copy.sinew.nodes[0].live = False
    bpy.context.view_layer.update()
    assert np.array_equal(s.points(hair), played[12])
    copy.sinew.nodes[0].live = True
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/two.blend")
    s.select(copy)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    for frame in (3, 12):
        s.go_to(frame)
        assert np.array_equal(s.points(hair), played[frame]) and s.state(copy)[0] == "baked", frame
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert np.array_equal(s.points(hair), played[12])
    # Without the first one, a copy takes over.
    s.select(ob)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.object
    bpy.data.objects.remove(ob)
    bpy.context.view_layer.update()
    assert np.abs(s.points(hair) - DRAWN).max() < 1e-6, "laid down"
    for frame in range(1, 13):
        s.go_to(frame)
    assert not warnings_of(copy) and np.abs(s.points(hair) - played[12]).max() < 1e-5
    # A second node of one body.
    assert bpy.ops.sinew.node_add(kind="skin_slider") == {"FINISHED"}
    second = copy.sinew.nodes[1].of_skin_slider
    second.out_uvs.name = "Second"
    second.in_riders.choice, second.in_riders.object = "POINTS", locks
    second.out_rider_matrices.choice, second.out_rider_matrices.object = "HAIR", locks
    s.go_to(1)
    s.go_to(12)
    assert np.abs(s.points(hair) - played[12]).max() < 1e-5 and not warnings_of(copy)
    assert len(s.part("bridge.runtime").known(copy, copy.sinew.nodes[1], bpy.context.scene).in_vain) == 1


def materials_name_the_slid_map_and_the_one_at_rest_again():
    """In all nodes that name UV maps, and in groups; what others use is listed."""
    ob = s.tube()
    s.armature(ob)
    other = s.link(bpy.data.objects.new("Other", ob.data.copy()))

    def group(name, inner=None):
        made = bpy.data.node_groups.new(name, "ShaderNodeTree")
        made.nodes.new("ShaderNodeUVMap").uv_map = "UVMap"
        if inner is not None:
            made.nodes.new("ShaderNodeGroup").node_tree = inner
        return made

    def material(name, *groups):
        made = bpy.data.materials.new(name)
        made.use_nodes = True
        nodes = made.node_tree.nodes
        for kind in ("ShaderNodeUVMap", "ShaderNodeNormalMap", "ShaderNodeTangent"):
            nodes.new(kind).uv_map = "UVMap"
        nodes.new("ShaderNodeUVMap").uv_map = "Another"
        for where in ("GEOMETRY", "OBJECT"):
            node = nodes.new("ShaderNodeAttribute")
            node.attribute_type, node.attribute_name = where, "UVMap"
        for one in groups:
            nodes.new("ShaderNodeGroup").node_tree = one
        return made

    def named(tree):
        found = [(getattr(node, "uv_map", None) or getattr(node, "attribute_name", None), node) for node in tree.nodes]
        return sorted(name for name, node in found if name)

    pores, common = group("Pores"), group("Common")
    outer = group("Outer", pores)
    skin, nails, cloth = material("Skin", outer, common), material("Nails"), material("Cloth", common)
    # Nobody uses it, so it keeps nothing from being switched.
    material("Forgotten", pores)
    for one in (skin, nails):
        ob.data.materials.append(one)
    for one in (nails, cloth):
        other.data.materials.append(one)
    trees = {
        "skin": skin.node_tree,
        "nails": nails.node_tree,
        "cloth": cloth.node_tree,
        "pores": pores,
        "outer": outer,
        "common": common,
    }
    before = {key: named(tree) for key, tree in trees.items()}
    assert before["skin"] == ["Another", *["UVMap"] * 5]
    said = s.part("ops.skin").add_skin(ob)
    s.select(ob)
    assert len(said) == 1 and said[0].startswith('Nails, node group "Common": '), said
    after = {key: named(tree) for key, tree in trees.items()}
    assert after == {**before, "skin": ["Another", *["Sinew"] * 4, "UVMap"], "pores": ["Sinew"], "outer": ["Sinew"]}, (
        after
    )
    s.play(ob, range(1, 13))
    layers = ob.data.uv_layers
    assert layers["Sinew"].active_render and layers.active.name == "Sinew"
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert layers["UVMap"].active_render and layers.active.name == "UVMap" and "Sinew" in layers
    assert {key: named(tree) for key, tree in trees.items()} == before
    # One that someone has chosen stays, and so does one that another node writes.
    assert bpy.ops.sinew.skin_add() == {"FINISHED"}
    layers.new(name="Third").active_render = True
    layers.active = layers["Third"]
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert layers["Third"].active_render and layers.active.name == "Third"
    # The map at rest may be gone by then.
    assert bpy.ops.sinew.skin_add() == {"FINISHED"}
    ob.sinew.nodes[0].of_skin_slider.in_rest.name = "Gone"
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    assert layers["Sinew"].active_render


if __name__ == "__main__":
    s.main(s.cases(globals()))
