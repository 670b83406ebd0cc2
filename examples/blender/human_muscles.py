"""Makes a .blend file with three copies of a woman who bends an arm: moved by bones alone, with muscles, and the
muscles themselves.

    sh tests/human.sh
    blender --background --python examples/blender/human_muscles.py -- target/human muscles.blend

The first command fetches her (MPFB2's mesh, rig and weights, CC0). The add-on must be installed.
"""

import math
import pathlib
import sys

import bpy

from mathutils import Quaternion

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import human as woman

FRAMES = 48
APART = 0.95
# Where skin stays on its bones: no muscle of the set lies there.
BARE = ("head", "wrist.L", "wrist.R", "foot.L", "foot.R")


# The muscle that is orange among the others.
CHOSEN = "left_biceps_brachii_long"


def turns_at(human, seconds):
    """The pose at a time: bone -> rotation about its head, in the axes of the rest pose."""
    found = {}
    lowered, bent = woman.smooth(0, 0.7, seconds), woman.smooth(0.5, 1.5, seconds)
    for side, sign in (("L", 1), ("R", -1)):
        shoulder, elbow, wrist = (human.joint(f"{bone}.{side}") for bone in ("upperarm01", "lowerarm01", "wrist"))
        upper, lower = (elbow - shoulder).normalized(), wrist - elbow
        hinge = upper.cross(lower).normalized()
        found[f"lowerarm01.{side}"] = Quaternion(hinge, 1.75 * bent if side == "L" else -0.3 * lowered)
        angle = (math.atan2(abs(upper.x), -upper.z) - 0.2) * (lowered if side == "R" else -0.35 * bent)
        # The forearm of the bent arm points up a little, not to the chest.
        twist = Quaternion(upper, -0.5 * bent if side == "L" else 0)
        found[f"upperarm01.{side}"] = Quaternion((0, -sign, 0), -angle) @ twist
    return found


def animate(human, rig):
    """Keys for every fourth frame."""
    bpy.context.scene.render.fps = woman.FPS
    for frame in (*range(1, FRAMES, 4), FRAMES):
        for name, turn in turns_at(human, (frame - 1) / woman.FPS).items():
            axes = rig.data.bones[name].matrix_local.to_quaternion()
            rig.pose.bones[name].rotation_quaternion = axes.inverted() @ turn @ axes
            rig.pose.bones[name].keyframe_insert("rotation_quaternion", frame=frame)


def bare(ob):
    """Paints the muscle map: nothing on head, hands and feet."""
    roots = [ob.parent.data.bones[name] for name in BARE]
    below = [bone.name for root in roots for bone in (root, *root.children_recursive)]
    groups = {ob.vertex_groups[name].index for name in below if name in ob.vertex_groups}
    bpy.ops.sinew.paint(port="muscle_map")
    for vertex in ob.data.vertices:
        held = sum(g.weight for g in vertex.groups if g.group in groups)
        if held > 0:
            ob.vertex_groups.active.add([vertex.index], max(0.0, 1 - held), "REPLACE")
    bpy.ops.object.mode_set(mode="OBJECT")


def copy_of(rig, parts, name, place):
    """The same rig and parts at another place; gives the body."""
    other = woman.link(rig.copy())
    other.location.x = place
    made = []
    for part in parts:
        made.append(woman.link(part.copy()))
        made[-1].data, made[-1].parent, made[-1].modifiers["Armature"].object = part.data.copy(), other, other
    made[0].name = made[0].data.name = name
    return made[0]


def add_muscles(body):
    """All muscles of a human."""
    woman.activate(body)
    bpy.ops.sinew.muscles_skin()
    bpy.ops.sinew.muscles_human()
    bare(body)


def look():
    """Camera and words."""
    woman.light_and_look()
    camera = bpy.context.scene.camera
    camera.location, camera.data.lens = (0, -5.6, 0.95), 52
    for text, place in (("By bones", -APART), ("With muscles", 0), ("The muscles", APART)):
        woman.label(text, place + 0.06)


def make(folder):
    """Fills the scene; gives the body with muscles."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    bpy.context.view_layer.update()
    human, scene = woman.Human(folder), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    skin, white = woman.plain("Skin", (0.72, 0.5, 0.4, 1)), woman.plain("Eyes", (0.85, 0.85, 0.85, 1))
    rig = woman.make_rig(human)
    animate(human, rig)
    parts = [woman.make_part(human, "body", "By Bones", rig, skin)]
    parts += [woman.make_part(human, f"helper-{side}-eye", f"Eye {side.upper()}", rig, white) for side in "lr"]
    bodies = [copy_of(rig, parts, "With Muscles", 0.0), copy_of(rig, parts[:1], "Muscles", APART)]
    rig.location.x = -APART
    look()
    scene.frame_set(1)
    add_muscles(bodies[0])
    show_only_muscles(bodies[0], bodies[1])
    for bone in bpy.data.objects:
        if bone.type == "ARMATURE":
            bone.hide_render = True
    return bodies[0]


def show_only_muscles(source, body):
    """The third one: the muscles of the second, without skin."""
    woman.activate(body)
    bpy.ops.sinew.muscles_copy(source=source.name)
    bpy.ops.sinew.muscles_show()
    body.sinew_muscles.active = body.sinew_muscles.names.find(CHOSEN)
    body.hide_render = True
    body.display_type = "WIRE"


def main(arguments):
    woman.write(arguments, make, __doc__)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])
