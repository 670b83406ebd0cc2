"""Charts: borders marked and found, colours, UVs. charts.py ZIP CASE..."""

import math
import pathlib
import sys

import bpy
import numpy as np

import bmesh  # there once bpy is

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def ball(name="Ball"):
    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=3, radius=1.0)
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    ob = s.link(bpy.data.objects.new(name, mesh))
    s.select(ob)
    return ob


def tube():
    """An open tube of 24 by 24 faces, 4 long, of radius 0.5, without UVs."""
    ob = s.tube()
    ob.data.uv_layers.remove(ob.data.uv_layers[0])
    s.select(ob)
    return ob


def mode(name):
    bpy.ops.object.mode_set(mode=name)


def choose(ob, wanted):
    """In edit mode: selects the edges for which `wanted` holds of their ends, and no others; gives their number."""
    edited = bmesh.from_edit_mesh(ob.data)
    for one in (*edited.verts, *edited.edges, *edited.faces):
        one.select = False
    chosen = [edge for edge in edited.edges if wanted(*(vertex.co for vertex in edge.verts))]
    for edge in chosen:
        edge.select = True
    bmesh.update_edit_mesh(ob.data)
    return len(chosen)


def on_line(a, b):
    """On the line of the tube at angle zero."""
    return all(abs(p.y) < 1e-6 and p.x > 0 for p in (a, b))


def seams(ob):
    values = np.empty(len(ob.data.edges), bool)
    ob.data.edges.foreach_get("use_seam", values)
    return values


def flat_areas(ob):
    """The area of each face in the UV map of the charts."""
    uvs, found = s.uvs(ob, "Charts").reshape(-1, 2).astype(np.float64), []
    for face in ob.data.polygons:
        p = uvs[list(face.loop_indices)]
        found.append(0.5 * (p[:, 0] @ np.roll(p[:, 1], -1) - p[:, 1] @ np.roll(p[:, 0], -1)))
    return np.array(found)


def ratios(ob):
    """The length of each edge of a face in the UV map by that in space."""
    mesh, uvs = ob.data, s.uvs(ob, "Charts").reshape(-1, 2).astype(np.float64)
    found = []
    for face in mesh.polygons:
        loops = list(face.loop_indices)
        for a, b in zip(loops, loops[1:] + loops[:1]):
            ends = [ob.matrix_world @ mesh.vertices[mesh.loops[k].vertex_index].co for k in (a, b)]
            found.append(np.linalg.norm(uvs[a] - uvs[b]) / (ends[0] - ends[1]).length)
    return np.array(found)


def numbers(ob):
    found = np.empty(len(ob.data.polygons), np.int32)
    ob.data.attributes["Sinew Chart"].data.foreach_get("value", found)
    return found


def charts_are_found_and_laid_flat():
    ob = ball()
    assert bpy.ops.sinew.charts_find(count=6, max_stretch=1.5) == {"FINISHED"}
    marked = seams(ob)
    assert 20 < marked.sum() < 300 and ob.mode == "OBJECT"
    assert bpy.ops.sinew.charts_parameterise() == {"FINISHED"}
    assert ob.data.uv_layers.active.name == "Charts" and np.array_equal(seams(ob), marked)
    uvs, areas = s.uvs(ob, "Charts"), flat_areas(ob)
    assert uvs.min() >= 0.004 and uvs.max() <= 0.996 and areas.min() > 0
    spread = ratios(ob) / math.sqrt(areas.sum() / sum(face.area for face in ob.data.polygons))
    assert 1 / 1.51 < spread.min() and spread.max() < 1.51, (spread.min(), spread.max())
    # More charts, less stretch; the borders of before go.
    bpy.ops.sinew.charts_find(count=24)
    assert seams(ob).sum() > marked.sum() and not seams(ob)[marked].all()


def a_marked_slit_unrolls_the_tube():
    ob = tube()
    mode("EDIT")
    assert choose(ob, on_line) == 24
    assert bpy.ops.sinew.charts_mark() == {"FINISHED"}
    assert bpy.ops.sinew.charts_parameterise() == {"FINISHED"} and ob.mode == "EDIT"
    edited = bmesh.from_edit_mesh(ob.data)
    assert sum(edge.seam for edge in edited.edges) == 24 and sum(edge.select for edge in edited.edges) == 24
    assert edited.loops.layers.uv.active.name == "Charts"
    mode("OBJECT")
    found = ratios(ob)
    assert found.max() / found.min() < 1 + 1e-4, (found.min(), found.max())
    # What the UV editor moves stays until it is parameterised again.
    ob.data.uv_layers["Charts"].uv[0].vector = (0.9, 0.9)
    mode("EDIT")
    choose(ob, on_line)
    assert bpy.ops.sinew.charts_clear() == {"FINISHED"}
    mode("OBJECT")
    assert seams(ob).sum() == 0 and tuple(ob.data.uv_layers["Charts"].uv[0].vector) != (0, 0)
    assert abs(ob.data.uv_layers["Charts"].uv[0].vector.x - 0.9) < 1e-6
    bpy.ops.sinew.charts_parameterise()
    assert abs(ob.data.uv_layers["Charts"].uv[0].vector.x - 0.9) > 1e-6 and len(ob.data.uv_layers) == 1


def scale_counts():
    """A tube that is twice as long by its object's scale unrolls twice as long; a mirrored one is not flipped."""
    for scale in ((1, 1, 2), (1, 1, -2)):
        ob = tube()
        mode("EDIT")
        choose(ob, on_line)
        bpy.ops.sinew.charts_mark()
        mode("OBJECT")
        ob.scale = scale
        bpy.context.view_layer.update()
        bpy.ops.sinew.charts_parameterise()
        found = ratios(ob)
        assert found.max() / found.min() < 1 + 1e-4, (scale, found.min(), found.max())
        assert flat_areas(ob).min() > 0


def charts_are_shown_in_colours():
    ob = tube()
    # A ring around the tube parts it; that the halves are tubes does not matter for colours.
    mode("EDIT")
    middle = 2.0
    assert choose(ob, lambda a, b: abs(a.z - middle) < 1e-6 and abs(b.z - middle) < 1e-6) == 24
    bpy.ops.sinew.charts_mark()
    assert bpy.ops.sinew.charts_show() == {"FINISHED"} and ob.mode == "EDIT"
    mode("OBJECT")
    found = numbers(ob)
    above = np.array([face.center.z > middle for face in ob.data.polygons])
    assert len(set(found[above])) == len(set(found[~above])) == 1 and set(found) == {0, 1}
    layer = ob.data.color_attributes.active_color
    colours = np.empty(4 * len(layer.data), np.float32)
    layer.data.foreach_get("color", colours)
    colours = colours.reshape(-1, 4, 4)
    assert len(np.unique(colours.reshape(-1, 4), axis=0)) == 2
    assert all(np.array_equal(face, np.tile(face[0], (4, 1))) for face in colours)
    assert not np.array_equal(colours[above][0], colours[~above][0])
    # A closed ball cannot be laid flat, but it is shown.
    closed = ball()
    assert bpy.ops.sinew.charts_show() == {"FINISHED"} and set(numbers(closed)) == {0}
    bpy.ops.sinew.charts_find(count=5)
    bpy.ops.sinew.charts_show()
    assert len(set(numbers(closed))) >= 5


def colours_that_are_asked_for_last_are_seen():
    """Those of maps and those of charts, in turn; frames that follow do not change which ones."""
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    assert bpy.ops.sinew.charts_find() == {"FINISHED"}
    for _ in range(2):
        for call, arguments, expected in (
            (bpy.ops.sinew.show_map, {"map": "out slide_distance"}, "Sinew Colours"),
            (bpy.ops.sinew.charts_show, {}, "Sinew Chart Colours"),
        ):
            assert call(**arguments) == {"FINISHED"}
            s.play(ob, (1, 2))
            assert ob.data.color_attributes.active_color.name == expected, ob.data.color_attributes.active_color.name


def pictures_show_the_charts(folder):
    """Workbench paints a ball in the colours of its charts."""
    ob, scene = ball(), bpy.context.scene
    bpy.ops.sinew.charts_find(count=8)
    bpy.ops.sinew.charts_show()
    camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.location = (0, 0, 4)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.shading.light, scene.display.shading.color_type = "FLAT", "VERTEX"
    scene.display.render_aa = "OFF"
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x = scene.render.resolution_y = 128
    scene.render.film_transparent = True
    scene.render.filepath = f"{folder}/charts.png"
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.array(image.pixels[:]).reshape(-1, 4)
    solid = pixels[pixels[:, 3] > 0.99]
    towards = {numbers(ob)[face.index] for face in ob.data.polygons if face.normal.z > 0.4}
    colours, counts = np.unique(np.round(solid[:, :3], 2), axis=0, return_counts=True)
    assert len(towards) >= 3 and (counts > 60).sum() >= len(towards), (towards, counts)


def bad_input_is_said():
    ob = ball()
    s.refused(
        "chart 0, which begins at this face, is closed: mark a border across it", bpy.ops.sinew.charts_parameterise
    )
    assert not ob.data.uv_layers and not seams(ob).any()
    s.refused("edit mode", bpy.ops.sinew.charts_mark)
    mode("EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    s.refused("No edge is selected", bpy.ops.sinew.charts_mark)
    s.refused("No edge is selected", bpy.ops.sinew.charts_clear)
    s.refused("is closed", bpy.ops.sinew.charts_parameterise)
    assert [face.index for face in bmesh.from_edit_mesh(ob.data).faces if face.select] == [0] and ob.mode == "EDIT"
    mode("OBJECT")
    ob.scale = (1, 0, 1)
    bpy.context.view_layer.update()
    s.refused("a scale of zero", bpy.ops.sinew.charts_find)
    ob.scale = (1, 1, 1)
    bpy.context.view_layer.update()
    s.refused("leaves no room", lambda: full(ob))
    for k in range(8):
        ob.data.uv_layers.new(name=f"{k}")
    bpy.ops.sinew.charts_find()
    s.refused("eight UV maps", bpy.ops.sinew.charts_parameterise)
    ob.data.attributes.new("Sinew Chart", "FLOAT", "POINT")
    s.refused("of another type", bpy.ops.sinew.charts_show)
    cloud = bpy.data.meshes.new("cloud")
    cloud.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    s.select(s.link(bpy.data.objects.new("cloud", cloud)))
    for call in (bpy.ops.sinew.charts_find, bpy.ops.sinew.charts_show, bpy.ops.sinew.charts_parameterise):
        s.refused("no faces", call)
    s.select(s.link(bpy.data.objects.new("Empty", None)))
    s.refused("Select a mesh", bpy.ops.sinew.charts_find)


def meshes_are_edited_together():
    """Edges count in every edited mesh; who is edited and who is selected stays; a face in the way is seen."""
    meshes = ball("First"), ball("Second"), ball("Beside"), ball("Selected")
    for k, ob in enumerate(meshes):
        ob.location.x = 3 * k
        ob.select_set(k < 3)
    s.select(meshes[1])
    for ob in meshes[:3]:
        ob.select_set(True)
    mode("EDIT")
    meshes[2].select_set(False)
    meshes[3].select_set(True)

    def together():
        return [(ob.mode, ob.select_get()) for ob in meshes]

    before = together()
    assert before == [("EDIT", True), ("EDIT", True), ("EDIT", False), ("OBJECT", True)], before

    def upper(a, b):
        return min(a.z, b.z) > 0.8

    for ob in meshes[:3]:
        choose(ob, lambda a, b: False)
    count = choose(meshes[0], upper)
    assert bpy.ops.sinew.charts_mark() == {"FINISHED"}
    assert [sum(edge.seam for edge in bmesh.from_edit_mesh(ob.data).edges) for ob in meshes[:3]] == [count, 0, 0]
    assert bpy.ops.sinew.charts_clear() == {"FINISHED"}
    assert not any(edge.seam for edge in bmesh.from_edit_mesh(meshes[0].data).edges)
    edited = bmesh.from_edit_mesh(meshes[1].data)
    for face in edited.faces:
        face.hide_set(True)
    bmesh.update_edit_mesh(meshes[1].data)
    s.refused('"Second": face 0: chart 0', bpy.ops.sinew.charts_parameterise)
    shown = [face for face in bmesh.from_edit_mesh(meshes[1].data).faces if not face.hide]
    assert [(face.index, face.select) for face in shown] == [(0, True)]
    assert together() == before
    for call in (bpy.ops.sinew.charts_find, bpy.ops.sinew.charts_show, bpy.ops.sinew.charts_parameterise):
        assert call() == {"FINISHED"} and together() == before, (call, together())
    assert bpy.context.view_layer.objects.active == meshes[1]
    mode("OBJECT")
    assert [len(ob.data.uv_layers) for ob in meshes] == [0, 1, 0, 0]


def the_limits_of_numbers_are_taken():
    """A field that says 1.05 holds a little less."""
    ball()
    for values in ({"max_stretch": 1.0}, {"max_stretch": 1e9}, {"count": 1}):
        assert bpy.ops.sinew.charts_find(**values) == {"FINISHED"}, values
    for margin in (0.0, 1.0):
        bpy.ops.sinew.charts_find(count=1, max_stretch=1000)
        assert bpy.ops.sinew.charts_parameterise(margin=margin) == {"FINISHED"}, margin


def full(ob):
    """Every face a chart, and a margin that leaves no room for them."""
    ob.data.edges.foreach_set("use_seam", np.ones(len(ob.data.edges), bool))
    return bpy.ops.sinew.charts_parameterise(margin=0.2)


def linked_meshes_are_said(folder):
    ball("Linked")
    path = f"{folder}/library.blend"
    bpy.data.libraries.write(path, {bpy.data.objects["Linked"]}, fake_user=True)
    s.empty()
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    s.select(s.link(here.objects[0]))
    for call in (bpy.ops.sinew.charts_find, bpy.ops.sinew.charts_show, bpy.ops.sinew.charts_parameterise):
        s.refused("linked from", call)


def everything_can_be_undone():
    def state():
        ob = bpy.data.objects["Body"]
        if ob.mode == "EDIT":
            ob.update_from_editmode()
        names = sorted(layer.name for layer in ob.data.uv_layers), "Sinew Chart" in ob.data.attributes
        return (*names, seams(ob).tobytes())

    def slit():
        choose(bpy.data.objects["Body"], on_line)

    tube()
    mode("EDIT")
    slit()
    bpy.ops.ed.undo_push(message="begin")
    steps = [
        lambda: bpy.ops.sinew.charts_mark(),
        lambda: bpy.ops.sinew.charts_parameterise(),
        lambda: bpy.ops.sinew.charts_show(),
        lambda: bpy.ops.sinew.charts_clear(),
        lambda: bpy.ops.sinew.charts_find(count=12),
    ]
    for k, step in enumerate(steps):
        before = state()
        assert step() == {"FINISHED"}, k
        after = state()
        assert after != before, k
        bpy.ops.ed.undo_push(message=f"step {k}")
        bpy.ops.ed.undo()
        assert state() == before, k
        bpy.ops.ed.redo()
        assert state() == after, k


def the_panel_and_its_tooltips_come_from_the_library():
    import nodes

    panel, kind = s.part("ui.charts").SINEW_PT_charts, s.part("bridge.host").kinds()["charts"]
    assert not panel.poll(bpy.context)
    tube()
    assert panel.poll(bpy.context)
    drawn = []
    type("Drawn", (), {"draw": panel.draw, "layout": nodes.Layout(drawn)})().draw(bpy.context)
    assert drawn == [f"sinew.charts_{name}" for name in ("find", "mark", "clear", "show", "parameterise")]
    for name, params in (("find", ("count", "max_stretch")), ("parameterise", ("margin",))):
        made = getattr(bpy.ops.sinew, f"charts_{name}").get_rna_type().properties
        for param in params:
            assert made[param].description == kind.param(param).doc
            assert abs(made[param].default - kind.param(param).default) < 1e-6


def the_node_runs_on_an_object():
    """As any other node: its UV map is made beside the object's own."""
    ob = s.tube()
    s.select(ob)
    assert bpy.ops.sinew.node_add(kind="charts") == {"FINISHED"}
    ob.sinew.nodes[0].of_charts.param_count = 3
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(2)
    assert s.state(ob)[0] == "computed", s.state(ob)
    assert s.uvs(ob, "Sinew UVs").max() > 0.5


def names_that_are_taken_are_reported():
    ob = ball()
    assert bpy.ops.sinew.charts_find() == {"FINISHED"}
    ob.vertex_groups.new(name="Sinew Chart")
    s.refused('"Sinew Chart" is taken', bpy.ops.sinew.charts_show)
    ob.vertex_groups.clear()
    assert bpy.ops.sinew.charts_show() == {"FINISHED"}
    ob.data.attributes.new("Charts", "FLOAT", "POINT")
    before = len(ob.data.uv_layers)
    for _ in range(2):
        s.refused('"Charts" is taken', bpy.ops.sinew.charts_parameterise)
    assert len(ob.data.uv_layers) == before


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
