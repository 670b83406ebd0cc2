"""What others see of simulated tendon rigs, such as exported files: tendon_shown.py ZIP SINEW [CASE...]"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support
from tendon import author_finger
from tendon_lossless import led_by_files
from tendon_places import carry, chain, shown_as_simulated, slide
from tendon_support import armature, bpy, chosen, clean, main, part, rig_now, rig_parts, rod, same_bits, sinew

from mathutils import Matrix

# Prints where the vertices of all meshes are in frames, by the names of their objects.
READ_USD = """
import json, sys
from pxr import Usd, UsdGeom
stage, found = Usd.Stage.Open(sys.argv[1]), {}
for prim in stage.Traverse():
    if prim.IsA(UsdGeom.Mesh):
        for frame in map(int, sys.argv[2:]):
            world = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame)
            points = UsdGeom.Mesh(prim).GetPointsAttr().Get(frame)
            found.setdefault(prim.GetParent().GetName(), []).append([list(world.Transform(point)) for point in points])
print("JSON" + json.dumps(found))
"""

READ_ALEMBIC = """
import json, sys
import numpy as np
from alembic3d import Abc, AbcGeom
found = {}
def walk(thing, above):
    # The axes of Blender, in the rows of a matrix.
    for child in (thing.getChild(k) for k in range(thing.getNumChildren())):
        header, worlds = child.getHeader(), above
        if AbcGeom.IXform.matches(header):
            schema = AbcGeom.IXform(thing, child.getName()).getSchema()
            at = (schema.getValue(Abc.ISampleSelector(frame / 24)) for frame in frames)
            own = [np.array(sample.getMatrix()).reshape(4, 4) for sample in at]
            worlds = [one @ two for one, two in zip(own, above)]
        if AbcGeom.IPolyMesh.matches(header):
            positions = AbcGeom.IPolyMesh(thing, child.getName()).getSchema().getPositionsProperty()
            # What is hidden in every frame has no samples.
            for frame, world in zip(frames, worlds) if positions.getNumSamples() else ():
                at = np.array([tuple(p) for p in positions.getValue(Abc.ISampleSelector(frame / 24))])
                x, y, z = (at @ world[:3, :3] + world[3, :3]).T
                found.setdefault(thing.getName(), []).append(np.stack([x, -z, y], axis=1).tolist())
        walk(child, worlds)
frames = [int(word) for word in sys.argv[2:]]
walk(Abc.IArchive(sys.argv[1]).getTop(), [np.eye(4)] * len(frames))
print("JSON" + json.dumps(found))
"""


def vertices(things, frames):
    """Where the vertices of meshes are in frames, as played."""
    found = {thing.name: [] for thing in things}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for thing in things:
            there = thing.evaluated_get(graph)
            found[thing.name].append([tuple(there.matrix_world @ vertex.co) for vertex in there.data.vertices])
    return found


def exported(frames):
    """The same as files of the scene have it, exported from a frame in their middle: [(file, {object: vertices})]."""
    scene, found = bpy.context.scene, []
    scene.frame_set(frames[1])
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.usd_export(filepath=f"{folder}/shot.usdc", export_animation=True)
        bpy.ops.wm.alembic_export(
            filepath=f"{folder}/shot.abc", as_background_job=False, start=frames[0], end=frames[-1]
        )
        for script, name in ((READ_USD, "shot.usdc"), (READ_ALEMBIC, "shot.abc")):
            found.append((name, read(script, f"{folder}/{name}", frames)))
    return found


def read(script, path, frames):
    """What a script for another Python reads in frames of a file."""
    command = [os.environ.get("SINEW_READER", sys.executable), "-c", script, path, *map(str, frames)]
    out = subprocess.run(command, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout.partition("JSON")[2])


def agree(things, frames):
    """Exports must have meshes where playing shows them; tells how far the vertex of each that moves most is moved."""
    played = vertices(things, frames)
    for file, found in exported(frames):
        for name, places in played.items():
            # What a file calls an object has no spaces.
            there = np.array(found[name.replace(" ", "_")])
            off = np.abs(there - np.array(places)).max()
            assert off < 1e-5, (file, name, off)
    return [float(np.ptp(np.array(places), axis=0).max()) for places in played.values()]


def animated(rig):
    """What is on the objects of a rig that Blender takes for animation."""
    things = [part for part in bpy.data.objects if part.sinew_tendon.tag == "body" or part == rig.sinew_tendons.tubes]
    return {
        thing.name: (
            len(thing.constraints),
            len(thing.modifiers),
            thing.animation_data,
            thing.data and thing.data.animation_data,
        )
        for thing in things
        if thing.type == "MESH"
    }


def exports_move():
    """Bodies and tubes move in Alembic and USD files, keyed or not."""
    rig = author_finger()
    before = animated(rig)
    bodies = [part(rig, "body", name) for name in ("Metacarpal", "Proximal", "Middle")]
    # Something of the user's rides on a body.
    nail = rod("Nail", (0.07, 0.0, 0.01), 0.005)
    nail.parent, nail.matrix_parent_inverse = bodies[2], bodies[2].matrix_world.inverted()
    assert sinew.tendon_simulate() == {"FINISHED"}
    things, marked = [*bodies, rig.sinew_tendons.tubes, nail], animated(rig)
    moved = agree(things, (1, 7, 13))
    assert moved[0] == 0 and min(moved[1:]) > 0.01, moved
    # As modelled, nothing moves; simulated again, all is as before.
    rig.sinew_tendons.shown = "modelled"
    assert max(agree(bodies + [nail], (1, 7, 13))) == 0
    assert {name: found for name, found in animated(rig).items() if name in before} == before
    assert sinew.tendon_simulate() == {"FINISHED"} and animated(rig) == marked, "nothing is added twice"
    assert sinew.tendon_check() == {"FINISHED"} and rig.sinew_tendons.checked == "Nothing is wrong", (
        rig.sinew_tendons.checked
    )
    assert agree(things, (1, 7, 13)) == moved
    # A body that is led from now on is not the simulation's; cleared, nothing is left.
    bodies[2].sinew_tendon.body.mode = "led"
    assert sinew.tendon_simulate() == {"FINISHED"} and animated(rig)["Middle"] == before["Middle"]
    assert sinew.tendon_clear() == {"FINISHED"}
    left = animated(rig)
    assert {name: left[name] for name in before} == before, left


def exports_of_carried_bodies_move():
    """Bodies that are keyed, or that parents carry, move in files as they are played."""
    for order in (("Base", "Middle", "Tip"), ("Tip", "Middle", "Base")):
        _, made = chain(order)
        slide(made["Base"], 0.0, 0.3)
        made["Tip"].parent = made["Base"]
        made["Tip"].matrix_parent_inverse = made["Base"].matrix_world.inverted()
        assert sinew.tendon_simulate() == {"FINISHED"}
        assert min(agree(list(made.values()), (1, 5, 9))) > 0.05
        clean()


def edits_beside_carried_bodies_and_nodes_do_not_crash():
    """Blender evaluates a frame once more for nodes where bodies are carried. Afterwards anything may be added, removed
    and updated."""
    _, made = chain(("Base", "Middle", "Tip"))
    slide(made["Base"], 0.0, 0.3)
    made["Tip"].parent = made["Base"]
    made["Tip"].matrix_parent_inverse = made["Base"].matrix_world.inverted()
    skin = support.tube("Skin", around=6, along=6)
    support.slide(skin)
    chosen(made["Base"])
    assert sinew.tendon_simulate() == {"FINISHED"}
    scene, places = bpy.context.scene, {}
    for frame in range(1, 8):
        scene.frame_set(frame)
        places[frame] = np.array(made["Tip"].matrix_world)
    for one in (skin, made["Tip"], support.link(bpy.data.objects.new("Other", None))):
        for frame in (2, 5):
            if one == skin:
                skin.modifiers.new("Smooth", "SMOOTH").factor = 0.0
            scene.frame_set(frame)
            one.update_tag()
            bpy.context.view_layer.update()
            added = support.link(bpy.data.objects.new("Added", None))
            scene.frame_set(frame + 1)
            one.update_tag()
            bpy.context.view_layer.update()
            bpy.data.objects.remove(added)
            scene.frame_set(frame + 2)
            one.update_tag()
            bpy.context.view_layer.update()
            assert np.abs(np.array(made["Tip"].matrix_world) - places[frame + 2]).max() < 1e-6, (one, frame)


def curves_are_hidden_as_they_were():
    """A simulation hides the curves of its tendons, and shows again what it hid, also when the file was opened in
    between."""
    rig = author_finger()
    for hidden in ((False, True), (True, False), (False, False), (True, True)):
        flexor = part(rig, "strand", "Flexor")
        flexor.hide_viewport, flexor.hide_render = hidden
        for _ in range(2):
            assert sinew.tendon_simulate() == {"FINISHED"}
            assert (flexor.hide_viewport, flexor.hide_render) == (True, True)
            rig.sinew_tendons.shown = "modelled"
            assert (flexor.hide_viewport, flexor.hide_render) == hidden
            rig.sinew_tendons.shown = "simulated"
        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/hidden.blend")
            bpy.ops.wm.open_mainfile(filepath=f"{folder}/hidden.blend")
        rig = rig_now()
        flexor = part(rig, "strand", "Flexor")
        assert (flexor.hide_viewport, flexor.hide_render) == (True, True)
        chosen(part(rig, "body", "Middle"))
        assert sinew.tendon_clear() == {"FINISHED"}
        assert (flexor.hide_viewport, flexor.hide_render) == hidden


def turned(before, after):
    """By how much two rotations differ."""
    angle = before.rotation_difference(after).angle
    return min(angle, 2 * np.pi - angle)


READ_SKELETON = """
import json, sys
from pxr import Usd, UsdSkel
stage = Usd.Stage.Open(sys.argv[1])
prim = next(prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Animation))
found = UsdSkel.Animation(prim).GetRotationsAttr()
frames = map(int, sys.argv[2:])
print("JSON" + json.dumps([[[q.GetReal(), *q.GetImaginary()] for q in found.Get(frame)] for frame in frames]))
"""


def exports_of_armatures_move():
    """A skeleton in a USD file moves with the bodies that its bones follow, without keys; nothing stays on the
    armature."""
    scene = bpy.context.scene
    scene.frame_end = 6
    for own in (False, True):
        made = armature()
        if own:
            made.animation_data_create()
        sinew.tendon_new_rig()
        chosen(made)
        assert sinew.tendon_from_armature(lead="roots") == {"FINISHED"} and sinew.tendon_simulate() == {"FINISHED"}
        skin = rod("Skin", (0, 0, 0), 0.15)
        skin.parent = made
        skin.vertex_groups.new(name="Bone 2").add(range(len(skin.data.vertices)), 1, "ADD")
        skin.modifiers.new("Armature", "ARMATURE").object = made
        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.wm.usd_export(filepath=f"{folder}/shot.usdc", export_animation=True)
            turns = np.array(read(READ_SKELETON, f"{folder}/shot.usdc", (1, 6)))
        played = []
        for frame in (1, 6):
            scene.frame_set(frame)
            played.append([bone.matrix.to_quaternion() for bone in made.pose.bones])
        for k in (1, 2):
            # Bones of a chain turn against the bone before.
            before, after = (pose[k - 1].rotation_difference(pose[k]) for pose in played)
            angle = 2 * np.arccos(min(1.0, abs(turns[0][k] @ turns[1][k])))
            assert abs(angle - turned(before, after)) < 1e-3, (k, angle, turned(before, after))
        assert angle > 0.05, angle
        assert (
            sinew.tendon_clear() == {"FINISHED"}
            and "Sinew Simulated" not in made
            and (made.animation_data is not None) == own
        )
        clean()


def moments_between_frames_are_between():
    """Motion blur: between frames, bodies and tubes are where they pass; in frames they are to the bit as without."""
    scene = bpy.context.scene
    rig, made = chain(("Tip", "Base", "Middle"))
    slide(made["Base"], 0.0, 0.3)
    carry(made, "body")
    chosen(made["Base"])
    sinew.tendon_draw(label="Cord", points="0.01 0 0.01; 0.075 0 0.01; 0.14 0 0.01")
    assert sinew.tendon_simulate() == {"FINISHED"}
    things = [made["Middle"], made["Tip"], rig.sinew_tendons.tubes]

    def go(frame, subframe=0.0):
        scene.frame_set(frame, subframe=subframe)
        graph = bpy.context.evaluated_depsgraph_get()
        there = [thing.evaluated_get(graph) for thing in things]
        at = [[tuple(thing.matrix_world @ vertex.co) for vertex in thing.data.vertices] for thing in there]
        return [np.array(places) for places in at], [thing.matrix_world.copy() for thing in there]

    whole = {frame: go(frame) for frame in range(1, 10)}
    largest = 0.0
    for frame, subframe in ((1, 0.25), (8, 0.5), (4, 0.75), (4, 0.25), (6, 0.5)):
        at, matrices = go(frame, subframe)
        before, after = whole[frame], whole[frame + 1]
        for k in (0, 1):
            start, end, now = (matrix.to_quaternion() for matrix in (before[1][k], after[1][k], matrices[k]))
            whole_turn, passed = turned(start, end), turned(start, now)
            largest = max(largest, whole_turn)
            assert abs(passed - subframe * whole_turn) < 1e-4, (frame, subframe, passed, whole_turn)
            origin = before[1][k].translation.lerp(after[1][k].translation, subframe)
            assert (matrices[k].translation - origin).length < 1e-5, (frame, subframe)
        # The rings around the nodes turn, their middles pass straight.
        now, one, two = (there[0][2].reshape(-1, 12, 3).mean(axis=1) for there in ((at, None), before, after))
        assert np.abs(now - (1 - subframe) * one - subframe * two).max() < 1e-6, (frame, subframe)
    assert largest > 0.02, largest
    # The first and the last frame hold while motion blur looks past them; then the rig is as modelled.
    for frame, subframe, like in ((0, 0.75, 1), (9, 0.25, 9)):
        assert np.abs(go(frame, subframe)[0][2] - whole[like][0][2]).max() < 1e-6
        assert not rig.sinew_tendons.tubes.hide_render
    go(0)
    assert rig.sinew_tendons.tubes.hide_render
    for frame in (5, 1, 9):
        assert all(np.array_equal(one, other) for one, other in zip(go(frame)[0], whole[frame][0])), frame


def motion_blur_shows_the_motion():
    """In Cycles, bodies and tubes are blurred where they move."""
    scene = bpy.context.scene
    rig = author_finger()
    assert sinew.tendon_simulate() == {"FINISHED"}
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 16
    scene.render.resolution_x, scene.render.resolution_y, scene.render.film_transparent = 80, 45, True
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.matrix_world = Matrix.Translation((0, -0.3, 0)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    camera.data.clip_start, scene.camera, scene.render.motion_blur_shutter = 0.001, camera, 1.0
    # As thick as some of the picture's pixels.
    rig.sinew_tendons.thickness = 14
    scene.frame_set(5)
    bodies = rig_parts.parts(rig, "body")
    for others in (bodies, [rig.sinew_tendons.tubes]):
        soft = []
        for blurred in (False, True):
            scene.render.use_motion_blur = blurred
            for thing in (*bodies, rig.sinew_tendons.tubes):
                thing.hide_render = thing in others
            alpha = rendered_alpha()
            soft.append(((alpha > 0.1) & (alpha < 0.9)).sum())
        assert soft[0] > 10 and soft[1] > 1.3 * soft[0], (others, soft)


def rendered_alpha():
    """The alpha of a render of the scene."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.render.filepath = f"{folder}/still.png"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(f"{folder}/still.png")
        return np.array(image.pixels, np.float32)[3::4]


def joints_of_files_follow_their_animation():
    """The empties of joints move as the file says, with what they carry, whatever they are called and by whom they are
    carried."""
    scene = bpy.context.scene
    scene.frame_end = 4
    with tempfile.TemporaryDirectory() as folder:
        assert sinew.tendon_import(filepath=str(led_by_files(folder))) == {"FINISHED"}
    rig = rig_now()
    hand, hip = (part(rig, rig_parts.OUTSIDE, name) for name in ("Hand", "hip"))
    weld, modelled = part(rig, "joint", "weld"), [hand.matrix_world.copy(), hip.matrix_world.copy()]
    hand.name = "The Hand"
    hip.rotation_mode = "XYZ"
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    slide(carrier, 0.0, 0.3, (1, 4))
    hip.parent = carrier
    same_bits(rig)
    joints = {"Hand": hand, "hip": hip, "thumb": part(rig, "body", "thumb")}
    shown_as_simulated(rig, joints, (1, 2, 3, 4, 1, 4, 4, 2, 3, 1))
    riding = []
    for frame in (1, 4):
        scene.frame_set(frame)
        riding.append(hand.matrix_world.inverted() @ weld.matrix_world)
    assert np.abs(np.array(riding[0]) - np.array(riding[1])).max() < 1e-6 and abs(hand.location.x - 0.7) < 1e-6
    # In a frame that was not simulated, and as modelled, they are at rest.
    for frame, how in ((9, "simulated"), (3, "modelled")):
        rig.sinew_tendons.shown = how
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        assert np.abs(np.array(hand.matrix_world) - np.array(modelled[0])).max() < 1e-6, frame
        assert np.abs(np.array(hip.matrix_basis) - np.array(modelled[1])).max() < 1e-6, frame


if __name__ == "__main__":
    main(
        {
            case.__name__: case
            for case in (
                exports_move,
                exports_of_carried_bodies_move,
                exports_of_armatures_move,
                moments_between_frames_are_between,
                motion_blur_shows_the_motion,
                joints_of_files_follow_their_animation,
                curves_are_hidden_as_they_were,
                edits_beside_carried_bodies_and_nodes_do_not_crash,
            )
        }
    )
