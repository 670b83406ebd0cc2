"""What the cases in Blender share: the add-on installed from its zip, a body that moves, and what happens to it."""

import os
import sys
import tempfile
import traceback

import bpy
import numpy as np

ADDON = "bl_ext.user_default.sinew"


def arguments():
    """What the command line says after the script; a Blender of its own has its own arguments before."""
    return sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]


def install(zipped):
    """As a user does. BLENDER_USER_RESOURCES keeps it apart from the user's own."""
    import addon_utils  # there once bpy is

    addon_utils.enable("bl_pkg")
    found = bpy.ops.extensions.package_install_files(filepath=zipped, repo="user_default", enable_on_install=True)
    assert found == {"FINISHED"}, found


def part(name):
    """A module of the installed add-on."""
    import importlib

    return importlib.import_module(f"{ADDON}.{name}")


def done_and_undone(seen, operator, **arguments):
    """An operator, undo, redo: what `seen` returns before and after must come back."""
    bpy.ops.ed.undo_push(message="before")
    before = seen()
    assert operator(**arguments) == {"FINISHED"}, operator
    bpy.ops.ed.undo_push(message="after")
    after = seen()
    assert after != before, operator
    bpy.ops.ed.undo()
    assert seen() == before, (operator, "undo", before, seen())
    bpy.ops.ed.redo()
    assert seen() == after, (operator, "redo", after, seen())


def cases(names):
    """The cases of a script: its functions, but for helpers; one that takes an argument gets a folder."""
    ours = {name: case for name, case in names.items() if getattr(case, "__module__", "") == "__main__"}
    return {name: case for name, case in ours.items() if name not in HELPERS}


# Functions in the scripts that are not cases.
HELPERS = {
    "slid",
    "human",
    "listed",
    "enter",
    "drawn",
    "pc2",
    "moving_nodes",
    "stretched",
    "in_world",
    "fetched",
    "sliding",
    "pixels_of",
    "apart",
    "Layout",
    "Interface",
    "ball",
    "tube",
    "mode",
    "choose",
    "on_line",
    "seams",
    "flat_areas",
    "ratios",
    "numbers",
    "full",
    "rendered",
    "haired",
    "stage",
    "with_muscles",
    "shown",
    "beads_on",
    "bead",
    "root",
    "marked",
    "usd",
    "update",
    "trusted",
    "from_scratch",
    "must_be_noticed",
    "paint_weights",
    "move_joint",
    "limit",
    "jelly",
    "known",
    "one_step",
    "steps_of",
    "opened",
    "walking",
    "on_body",
    "bending",
    "sharing",
    "seen_without",
    "halves",
    "from_subdivision_on",
    "by_blender",
    "line_along",
    "slid_along",
    "in_the_world",
    "forget",
    "brought_back",
    "curve_of",
}


def main(cases, names=None):
    """Runs the cases of these names, or those that the command line has after the zip; each begins with an empty
    scene."""

    def run():
        zipped, *chosen = arguments()
        install(zipped)
        for name in names or chosen:
            empty()
            with tempfile.TemporaryDirectory() as folder:
                cases[name](*[folder] * cases[name].__code__.co_argcount)
            print(f"{name}: ok", flush=True)

    finish(run)


def finish(run):
    """Runs something and ends Blender, which can hang when it is to end by itself."""
    code = 0
    try:
        run()
    except BaseException:
        traceback.print_exc()
        code = 1
    end(code)


def end(code):
    """Ends Blender at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def empty():
    """A new file: the factory's settings would turn the add-on off."""
    for scene in bpy.data.scenes[1:]:
        bpy.data.scenes.remove(scene)
    for collection in (
        bpy.data.objects,
        bpy.data.meshes,
        bpy.data.materials,
        bpy.data.armatures,
        bpy.data.curves,
        bpy.data.actions,
    ):
        for one in list(collection):
            collection.remove(one)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps, scene.render.fps_base = 1, 12, 24, 1
    scene.frame_set(1)


def link(ob):
    bpy.context.scene.collection.objects.link(ob)
    return ob


def select(ob):
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    bpy.context.view_layer.objects.active = ob


def tube(name="Body", around=24, along=24, length=4.0):
    """An open tube along z with UVs; its upper half bends with the bone of an armature."""
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    rings = np.linspace(0, length, along + 1)
    points = [(0.5 * np.cos(a), 0.5 * np.sin(a), z) for z in rings for a in angles]
    faces = [
        (r * around + a, r * around + (a + 1) % around, (r + 1) * around + (a + 1) % around, (r + 1) * around + a)
        for r in range(along)
        for a in range(around)
    ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    uvs = mesh.uv_layers.new(name="UVMap")
    flat = [
        value
        for r in range(along)
        for a in range(around)
        for value in (
            a / around,
            r / along,
            (a + 1) / around,
            r / along,
            (a + 1) / around,
            (r + 1) / along,
            a / around,
            (r + 1) / along,
        )
    ]
    uvs.uv.foreach_set("vector", flat)
    return link(bpy.data.objects.new(name, mesh))


def armature(ob, length=4.0, frames=(1, 12), angle=1.0):
    """Two bones along z that bind the tube; the upper one turns about z and bends between the frames."""
    data = bpy.data.armatures.new("Rig")
    rig = link(bpy.data.objects.new("Rig", data))
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    lower = data.edit_bones.new("lower")
    lower.head, lower.tail = (0, 0, 0), (0, 0, length / 2)
    upper = data.edit_bones.new("upper")
    upper.head, upper.tail, upper.parent = (0, 0, length / 2), (0, 0, length), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    heights = np.array([vertex.co.z for vertex in ob.data.vertices])
    for bone, weights in (
        ("upper", np.clip(heights / length * 3 - 1, 0, 1)),
        ("lower", 1 - np.clip(heights / length * 3 - 1, 0, 1)),
    ):
        group = ob.vertex_groups.new(name=bone)
        for index, weight in enumerate(weights):
            group.add([index], float(weight), "REPLACE")
    ob.modifiers.new("Armature", "ARMATURE").object = rig
    posed = rig.pose.bones["upper"]
    posed.rotation_mode = "XYZ"
    for frame, turn in ((frames[0], 0.0), (frames[1], angle)):
        posed.rotation_euler = (0.6 * turn, turn, 0)
        posed.keyframe_insert("rotation_euler", frame=frame)
    return rig


def slide(ob, quality="exact"):
    """One click, and the quality of bakes and jobs, so that live frames are the same as theirs."""
    select(ob)
    assert bpy.ops.sinew.skin_add() == {"FINISHED"}
    item = ob.sinew.nodes[-1]
    item.of_skin_slider.param_quality = quality
    return item


def uvs(ob, name="Sinew"):
    layer = ob.data.uv_layers[name]
    values = np.empty(len(layer.uv) * 2, np.float32)
    layer.uv.foreach_get("vector", values)
    return values


def evaluated_uvs(ob, name="Sinew"):
    """The UVs that a renderer sees."""
    mesh = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    values = np.empty(len(mesh.uv_layers[name].uv) * 2, np.float32)
    mesh.uv_layers[name].uv.foreach_get("vector", values)
    return values


def state(ob, index=0, scene=None):
    """In what state the node's frame is, and what it says."""
    found = part("bridge.runtime").known(ob, ob.sinew.nodes[index], scene or bpy.context.scene)
    return found.state, found.message


def go_to(frame):
    """Sets a frame, and catches up where it does not follow from what is computed."""
    bpy.context.scene.frame_set(frame)
    if bpy.ops.sinew.catch_up.poll():
        assert bpy.ops.sinew.catch_up() == {"FINISHED"}


def play(ob, frames):
    """Goes to the frames one after the other, and gives the UVs of each."""
    found = {}
    for frame in frames:
        go_to(frame)
        assert state(ob)[0] == "computed", (frame, state(ob))
        found[frame] = evaluated_uvs(ob)
    return found


def play_baked(ob, frame):
    """The UVs of a frame that is baked."""
    bpy.context.scene.frame_set(frame)
    assert state(ob)[0] == "baked", state(ob)
    return uvs(ob).copy()


def points(mesh):
    """Positions as rows."""
    data = mesh.attributes["position"].data
    values = np.empty(3 * len(data), np.float32)
    data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def refused(part_of_message, call, **arguments):
    """The operator must refuse with this message, as a user sees it."""
    try:
        found = call(**arguments)
    except RuntimeError as error:
        # A message on its own begins with a capital.
        assert part_of_message.lower() in str(error).lower(), error
        assert "Traceback" not in str(error), error
        return
    raise AssertionError(f"{found}; expected a refusal with {part_of_message!r}")
