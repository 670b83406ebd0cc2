"""Tendon rigs as a rigger makes them, in a real Blender: tendon.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import (
    ROOT,
    bpy,
    chosen,
    key,
    live,
    load,
    main,
    part,
    preset,
    refused,
    rig_parts,
    rod,
    same_bits,
    show,
    sinew,
    stored,
)

from mathutils import Matrix, Vector

EVERY = ROOT / "tests/blender/data/every_element.xml"


def author_finger():
    """The README's finger: three rods, two joints, a flexor with a muscle; nothing but operators and properties."""
    scene = bpy.context.scene
    scene.frame_end = 13
    # 1. An empty rig.
    sinew.tendon_new_rig(label="Finger")
    rig = bpy.data.collections["Finger"]
    # 2. Bones: meshes become bodies.
    bones = [
        rod("Metacarpal", (-0.06, 0, 0), 0.06),
        rod("Proximal", (0, 0, 0), 0.045),
        rod("Middle", (0.045, 0, 0), 0.03),
    ]
    chosen(bones[0])
    sinew.tendon_add_body(mode="held")
    chosen(*bones[1:])
    sinew.tendon_add_body(mode="free", density=1900)
    bpy.context.view_layer.update()
    # 3. Joints at the cursor, from the parent (active) to the child.
    for parent, child, x in ((bones[0], bones[1], 0.0), (bones[1], bones[2], 0.045)):
        scene.cursor.matrix = Matrix.Translation((x, 0, 0))
        chosen(child, parent)
        sinew.tendon_add_joint(axis="turn_y")
        axis = part(rig, "joint", f"{child.name} Joint").sinew_tendon.joint.axis[0]
        axis.may, axis.may_limits, axis.damping, axis.stiffness = "limits", (-10, 100), 0.003, 0.02
    # 4. A tendon under the bones; its points find the nearest bones.
    sinew.tendon_draw(
        label="Flexor", points="-0.055 0 -0.012; -0.02 0 -0.012; 0.015 0 -0.012; 0.033 0 -0.01; 0.058 0 -0.01"
    )
    # 5. A muscle at the first end, keyed.
    sinew.tendon_add_muscle(kind="muscle", end="first", strength=40, travel=0.05)
    muscle = part(rig, "muscle", "Flexor Muscle")
    key(muscle, "sinew_tendon.muscle.activation", 1, 0.0)
    key(muscle, "sinew_tendon.muscle.activation", 7, 0.06)
    return rig


def a_finger_from_nothing():
    rig = author_finger()
    nodes = part(rig, "strand", "Flexor").sinew_tendon.strand.node
    assert [n.here.on.name if n.here.on else None for n in nodes] == [
        None,
        "Metacarpal",
        "Proximal",
        "Proximal",
        "Middle",
    ]
    assert [n.kind for n in nodes] == ["lagrangian", "eulerian", "eulerian", "eulerian", "lagrangian"]
    assert sinew.tendon_check() == {"FINISHED"}
    assert not [p.message for p in rig.sinew_tendons.problems], [p.message for p in rig.sinew_tendons.problems]
    bent = same_bits(rig)
    assert bent > 15, bent
    # The tubes and the bones are where the simulation has them; as modelled they are where they were.
    scene, tip = bpy.context.scene, part(rig, "body", "Middle")
    heights = []
    for frame in (1, 7, 13):
        scene.frame_set(frame)
        heights.append(tip.matrix_world.translation.z)
    assert heights[0] > heights[1] > heights[2] or heights[0] > heights[2] + 0.005, heights
    tubes = rig.sinew_tendons.tubes
    points = np.array([v.co for v in tubes.data.vertices])
    row = show.result_of(rig).arrays["strand_points"][12]
    assert np.abs(points.mean(axis=0) - row.mean(axis=0)).max() < 0.02
    assert len({tuple(c.color) for c in tubes.data.color_attributes.active_color.data}) > 1
    assert not tubes.hide_viewport and part(rig, "strand", "Flexor").hide_viewport
    rig.sinew_tendons.shown = "modelled"
    bpy.context.view_layer.update()
    assert (tip.matrix_world.translation - Vector((0.045, 0, 0))).length < 1e-7
    assert tubes.hide_viewport and not part(rig, "strand", "Flexor").hide_viewport
    scene.frame_set(40)
    rig.sinew_tendons.shown = "simulated"
    assert tubes.hide_viewport, "a frame that was not simulated shows nothing"


def an_edited_rig_simulates_by_itself():
    rig = author_finger()
    known, scene = rig.sinew_tendons, bpy.context.scene

    def settle():
        """What the timer does while Blender is idle; gives how often it was called."""
        for count in range(1000):
            bpy.context.view_layer.update()
            if live.tick() is None:
                return count
        raise AssertionError("it never ends")

    muscle = part(rig, "muscle", "Flexor Muscle")

    def pull(strength):
        """As in the panel, which tells Blender what it changed."""
        muscle.sinew_tendon.muscle.strength = strength
        muscle.update_tag()
        bpy.context.view_layer.update()

    known.live = True
    assert settle() > 0 and known.digest and known.shown == "simulated"
    first, angles = known.digest, show.angles(rig, 13)
    assert settle() == 0, "what it shows is no edit"
    scene.frame_set(5)
    assert settle() <= 1 and known.digest == first
    pull(15)
    assert settle() > 0 and known.digest != first
    assert show.angles(rig, 13) != angles and scene.frame_current == 5
    # Edited again before it is done: the simulation of the first edit is given up.
    pull(40)
    live.tick()
    pull(20)
    settle()
    same_bits(rig, simulated=True)
    bad = part(rig, "joint", "Middle Joint")
    bad.sinew_tendon.joint.axis[0].may_limits = (50, 10)
    bad.update_tag()
    settle()
    assert any(problem.error for problem in known.problems), "what is wrong is listed"
    bad.sinew_tendon.joint.axis[0].may_limits = (-10, 100)
    bad.update_tag()
    assert settle() > 0 and not known.problems and known.checked == "Nothing is wrong", (
        "also when it was simulated before"
    )
    assert settle() == 0, "the list is no edit"
    bad.sinew_tendon.joint.axis[0].may_limits = (50, 10)
    bad.update_tag()
    settle()
    known.live = False
    bad.sinew_tendon.joint.axis[0].may_limits = (-10, 100)
    bad.update_tag()
    kept = known.digest
    assert settle() == 0 and known.digest == kept
    known.live = True
    bpy.data.collections.remove(rig)
    settle()


def files_come_back_as_they_went():
    paths = [*ROOT.glob("examples/strand/*.xml"), *ROOT.glob("blender_addon/presets/*/*.xml")]
    paths += [ROOT / "tests/data/strand_arms.xml", EVERY]
    assert len(paths) >= 10
    for path in paths:
        assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
        rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
        with tempfile.TemporaryDirectory() as folder:
            assert sinew.tendon_export(filepath=f"{folder}/{path.name}") == {"FINISHED"}
            written = {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir()}
        assert written[path.name] == path.read_bytes(), path
        assert all(data == (path.parent / name).read_bytes() for name, data in written.items()), path
        load.delete(rig)
    later = (
        '<!-- a --><strand_scene version="1"><future odd="1"/>\n  <body name="b" mode="held" shiny="2"/></strand_scene>'
    )
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "later.xml")
        path.write_text(later)
        sinew.tendon_import(filepath=str(path))
        rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
        assert stored(rig) == later
        part(rig, "body", "b").location.x = 0.25
        assert stored(rig) == later.replace('shiny="2"', 'shiny="2" at="0.25 0 0"'), stored(rig)
        path.write_text('<strand_scene version="1">\n<body/>\n</strand_scene>')
        refused(sinew.tendon_import, "line 2", filepath=str(path))
        path.write_text('<strand_scene version="1"><body name="b"><shape file="none.obj"/></body></strand_scene>')
        refused(sinew.tendon_import, "none.obj cannot be read", filepath=str(path))
        path.write_text("<strand_scene")
        refused(sinew.tendon_import, "line 1", filepath=str(path))
    refused(sinew.tendon_import, "/nowhere/at all.xml: No such file", filepath="/nowhere/at all.xml")
    assert sum(c.sinew_tendons.is_rig for c in bpy.data.collections) == 1


def what_moves_is_written_and_nothing_else():
    """A change in Blender is a change of the lines that it is about."""
    sinew.tendon_import(filepath=str(EVERY))
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    text = EVERY.read_text("utf-8")

    def changed(*expected):
        """The lines that the scene has and the file has not; everything is put back by the caller."""
        now = stored(rig)
        lines = [line.strip() for line in now.splitlines() if line not in text.splitlines()]
        assert len(lines) == len(expected) and all(e in line for e, line in zip(expected, lines)), lines
        gone = [line for line in text.splitlines() if line not in now.splitlines()]
        assert len(gone) == len(expected), gone

    changed()
    ring, plane, strand = part(rig, "circle", "ring"), part(rig, "plane", "between"), part(rig, "strand", "second")
    # Lengths are in Blender's unit, whatever the file's is.
    ring.sinew_tendon.circle.radius = 0.005
    changed('radius="0.5"')
    ring.sinew_tendon.circle.radius = 0.0075
    changed()
    ring.location.x += 0.5
    changed('<circle name="ring" on="moved" at="')
    ring.location.x -= 0.5
    # The second frame of a plane moves along with the first.
    before = np.array(plane.matrix_world)
    plane.location.z += 1
    changed('<plane name="between" on="base" at="')
    plane.location.z -= 1
    bpy.context.view_layer.update()
    assert np.allclose(np.array(plane.matrix_world), before, atol=1e-6)
    # Moving the node of the strand that owns a shared point moves the point; the checker reports nodes of other strands
    # that lie away from it.
    strand.data.splines[0].points[0].co.x += 0.25
    changed('<point name="d" at="')
    strand.data.splines[0].points[0].co.x -= 0.25
    muscle = part(rig, "muscle", "pull")
    muscle.sinew_tendon.muscle.strength = 12.5
    changed('strength="12.5"')
    muscle.sinew_tendon.muscle.strength = 10
    # What stands in the axes of a body that moves is written in the world, unless it rides on that body.
    part(rig, "body", "base").location.x += 1
    led, line = '<body name="led" mode="led" at="2.89', '<line name="line" on="led" from="'
    changed('<body name="base"', led, '<point name="a" at="1.37', line)
    part(rig, "body", "base").location.x -= 1
    changed()
    part(rig, "body", "other").name = "another"
    changed('<body name="another"', 'second="another"')
    part(rig, "body", "another").name = "other"
    for tag in ("cut", "lengthen", "contact"):
        bpy.data.objects.remove(part(rig, tag, {"contact": "touch"}.get(tag, tag)))
    now = stored(rig).splitlines()
    assert now == [line for line in text.splitlines() if not line.strip().startswith(("<cut", "<lengthen", "<contact"))]


def presets_give_the_bits_of_the_command_line():
    bpy.context.scene.frame_end = 7
    rig = preset("finger")
    key(part(rig, "muscle", "FDP.001"), "sinew_tendon.muscle.activation", 1, 0.0)
    key(part(rig, "muscle", "FDP.001"), "sinew_tendon.muscle.activation", 5, 0.1)
    assert same_bits(rig) > 10
    assert '<activation time="0.16666666666666666" value="0.1"/>' in stored(rig), stored(rig)[-900:]
    load.delete(rig)
    bpy.context.scene.frame_end = 3
    same_bits(preset("hand"))


def the_other_side():
    rig = preset("finger")
    rig.name = "Finger L"
    bpy.context.scene.frame_end = 5
    part(rig, "muscle", "FDP.001").sinew_tendon.muscle.activation = 0.1
    assert sinew.tendon_simulate() == {"FINISHED"}
    here = show.result_of(rig).arrays
    for axis, flipped in (("x", (-1, 1, 1)), ("y", (1, -1, 1))):
        chosen(part(rig, "body", "Wrist"))
        assert sinew.tendon_mirror(axis=axis) == {"FINISHED"}
        other = bpy.data.collections["Finger R"]
        assert sinew.tendon_simulate() == {"FINISHED"}
        there = show.result_of(other).arrays
        off = np.abs(there["strand_points"] - here["strand_points"] * flipped).max(axis=(1, 2))
        # The library's own mirror differs as much: a muscle that begins to pull amplifies differences in the last
        # digits.
        assert off.max() < 2e-4 and off[0] < 1e-6, (axis, off)
        load.delete(other)


def units_and_rates():
    scene = bpy.context.scene
    rig = author_finger()
    same_bits(rig)
    before = show.result_of(rig).arrays
    load.delete(rig)
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    # The preset in centimetres, at another rate: the same file, the same motion in seconds.
    scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end = 30, 1.001, 5, 11
    scene.unit_settings.scale_length = 0.01
    rig = preset("finger")
    text = (ROOT / "blender_addon/presets/finger/finger.xml").read_text()
    assert stored(rig) == text
    assert abs(part(rig, "body", "Middle").location.x - 4.499578799658) < 1e-5
    assert abs(part(rig, "strand", "FDP").data.bevel_depth - 0.15) < 1e-6
    part(rig, "muscle", "FDP.001").sinew_tendon.muscle.activation = 0.1
    assert same_bits(rig) > 5
    assert len(before["tensions"]) == 13
    load.delete(rig)
    sinew.tendon_new_rig(label="Centimetres")
    rig = bpy.data.collections["Centimetres"]
    assert '<space metres_per_unit="0.01" up="z"/>' in stored(rig)


def scale_parents_and_mirrors_of_objects():
    """However a body came to its place, the scene has the same body."""
    made = []
    for how in ("plain", "scaled", "negative", "parented"):
        rig = author_finger()
        body = part(rig, "body", "Middle")
        if how == "scaled":
            body.data.transform(Matrix.Diagonal((0.5, 0.25, 2, 1)))
            body.scale = (2, 4, 0.5)
        elif how == "negative":
            body.data.transform(Matrix.Diagonal((1, -1, 1, 1)))
            body.data.flip_normals()
            body.scale = (1, -1, 1)
        elif how == "parented":
            above = bpy.data.objects.new("Above", None)
            bpy.context.scene.collection.objects.link(above)
            above.location, above.rotation_euler, above.scale = (1, 2, 3), (0.5, 0.25, 1), (2, 2, 2)
            bpy.context.view_layer.update()
            body.parent = above
            body.matrix_parent_inverse = above.matrix_world.inverted()
        bpy.context.view_layer.update()
        sinew.tendon_check()
        assert not rig.sinew_tendons.problems, (how, [p.message for p in rig.sinew_tendons.problems])
        assert sinew.tendon_simulate() == {"FINISHED"}
        made.append(show.result_of(rig).arrays)
        bpy.context.scene.frame_set(13)
        place = np.array(body.matrix_world.translation)
        assert np.allclose(place, made[-1]["body_matrices"][12][2][[3, 7, 11]], atol=2e-6), how
        load.delete(rig)
        for one in list(bpy.data.objects):
            bpy.data.objects.remove(one)
    for other in made[1:]:
        off = np.abs(other["strand_points"] - made[0]["strand_points"]).max(axis=(1, 2))
        # While the muscle begins to pull, the last digits of a mesh matter; where everything has come to rest, nothing
        # does.
        assert off.max() < 5e-4 and off[-1] < 1e-6, (off, np.abs(other["strand_points"] - made[0]["strand_points"])[4])


def renamed_and_deleted():
    rig = preset("finger")
    text = stored(rig)
    bone = part(rig, "body", "Proximal")
    bone.name = '\N{CJK UNIFIED IDEOGRAPH-9AA8} \N{CYRILLIC SMALL LETTER PE}\N{ARABIC LETTER ALEF} <&"'
    renamed = stored(rig)
    assert renamed.count("\u9aa8") == text.count('"Proximal"') and '"Proximal"' not in renamed
    assert "&lt;&amp;&quot;" in renamed
    bpy.context.scene.frame_end = 3
    same_bits(rig)
    bone.name = "Proximal"
    assert stored(rig) == text
    # A line that is deleted takes its muscle's curve and its node's tie with it, and the checker says so.
    bpy.data.objects.remove(part(rig, "line", "II FDP line"))
    refused(sinew.tendon_simulate, "curve is missing")
    lines = [(p.message, p.about.name if p.about else None, p.node) for p in rig.sinew_tendons.problems if p.error]
    assert any(about == "FDP.001" for _, about, _ in lines), lines
    assert any(about == "FDP" and node == 0 for _, about, node in lines), lines
    # A tendon that goes takes nothing from those that share its points.
    assert "EDC" in [o.name for o in rig_parts.parts(rig, "strand")]
    before = [line for line in stored(rig).splitlines() if "<point " in line or "<in_plane" in line]
    bpy.data.objects.remove(part(rig, "strand", "EDC"))
    after = [line for line in stored(rig).splitlines() if "<point " in line or "<in_plane" in line]
    gone = [line for line in before if line not in after]
    assert not [line for line in after if line not in before] and gone == [], gone
    # Deleted as by the user: other parts still point at it.
    chosen(part(rig, "body", "Distal"))
    bpy.ops.object.delete()
    assert "Distal.obj" not in stored(rig)
    sinew.tendon_check()
    assert any("child is missing" in p.message for p in rig.sinew_tendons.problems)


def points_come_and_go():
    rig = author_finger()
    strand = part(rig, "strand", "Flexor")
    nodes = strand.sinew_tendon.strand.node
    names = [n.point for n in nodes]
    nodes[3].use_material, nodes[3].material = True, 0.5
    # As edit mode does: a point between 1 and 2, then the second is deleted.
    at = [p.co.to_3d() for p in strand.data.splines[0].points]

    def redraw(points):
        strand.data.splines.clear()
        spline = strand.data.splines.new("POLY")
        spline.points.add(len(points) - 1)
        for point, place in zip(spline.points, points):
            point.co = (*place, 1)

    redraw([at[0], at[1], (at[1] + at[2]) / 2, *at[2:]])
    text = stored(rig)
    assert text.count("<node ") == 6
    assert [n.point for n in nodes[:2]] == names[:2] and [n.point for n in nodes[3:]] == names[2:]
    assert nodes[2].point == "Flexor 6" and nodes[2].here.on.name == "Metacarpal" and nodes[4].use_material
    redraw([at[0], at[2], at[3], at[4]])
    stored(rig)
    assert [n.point for n in nodes] == [names[0], *names[2:]] and nodes[2].use_material


def edited_while_in_edit_mode():
    rig = author_finger()
    strand = part(rig, "strand", "Flexor")
    chosen(strand)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.curve.select_all(action="DESELECT")
    strand.data.splines[0].points[4].select = True
    bpy.ops.curve.extrude()
    bpy.ops.transform.translate(value=(0.01, 0, 0))
    sinew.tendon_check()
    nodes = strand.sinew_tendon.strand.node
    assert len(nodes) == 6 and not rig.sinew_tendons.problems, [p.message for p in rig.sinew_tendons.problems]
    assert sinew.tendon_simulate() == {"FINISHED"} and bpy.context.mode == "OBJECT"
    # In no rig any more: operators say so.
    bpy.context.scene.collection.objects.link(strand)
    rig.objects.unlink(strand)
    rig.sinew_tendons.shown = "modelled"
    strand.hide_viewport = False
    chosen(strand)
    refused(sinew.tendon_share, "is not in a rig")


def the_checker_finds_and_selects():
    rig = author_finger()
    strand = part(rig, "strand", "Flexor")
    chosen(strand)
    strand.sinew_tendon.active_node = 2
    node = strand.sinew_tendon.strand.node[2]
    node.here.carrier, node.here.on = "free", None
    open_mesh = part(rig, "body", "Middle")
    bpy.context.scene.cursor.location = (0, 0, 0)
    chosen(part(rig, "body", "Proximal"))
    sinew.tendon_add_guide(kind="plane")
    sinew.tendon_check()
    lines = list(rig.sinew_tendons.problems)
    wrong = [k for k, p in enumerate(lines) if p.error and "nothing holds its point" in p.message]
    assert wrong and any(not p.error and "no node uses it" in p.message for p in lines), [p.message for p in lines]
    chosen(open_mesh)
    strand.sinew_tendon.active_node = 0
    sinew.tendon_select_problem(index=wrong[0])
    assert bpy.context.object == strand and strand.sinew_tendon.active_node == 2
    assert [p.select for p in strand.data.splines[0].points] == [False, False, True, False, False]
    refused(sinew.tendon_simulate, "nothing holds its point")
    # What only the library knows comes back to the part, too.
    plane = part(rig, "plane", "Plane")
    chosen(plane, strand)
    sinew.tendon_constrain(relation="equal")
    part(rig, "body", "Middle").sinew_tendon.body.shape.density = -1
    sinew.tendon_check()
    lines = [p for p in rig.sinew_tendons.problems if p.error]
    assert lines and lines[0].about == open_mesh, [(p.message, p.about) for p in lines]


def main_cases():
    found = {}
    for name, case in list(globals().items()):
        here = callable(case) and getattr(case, "__module__", "") == "__main__"
        if here and name not in ("author_finger", "main_cases"):
            found[name] = case
    return found


if __name__ == "__main__":
    main(main_cases())
