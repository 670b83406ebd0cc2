"""Tendon rigs in files and time: undo, saving, armatures, goals, renders: tendon_file.py ZIP SINEW [CASE...]"""

import functools
import pathlib
import re
import sys
import tempfile
import textwrap
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support
from tendon_support import (
    ROOT,
    armature,
    bpy,
    chosen,
    key,
    load,
    main,
    part,
    preset,
    props,
    refused,
    rig_now,
    rig_parts,
    same_bits,
    show,
    sinew,
    stored,
)

from bl_ext.user_default.sinew.ops.tendon import simulate
from mathutils import Matrix, Vector


class Interface:
    """The operator that simulates, as the interface runs it: events come one after another."""

    def __init__(self):
        kind, in_thread = simulate.SINEW_OT_tendon_simulate, support.part("ops.in_thread")
        own = {name: made for name, made in vars(kind).items() if not name.startswith(("bl_", "__"))}
        own |= {"bl_label": "Simulate", "report": lambda _, _kind, text: self.reports.append(text)}
        self.operator = type("Simulate", (in_thread.InSteps,), own)()
        self.reports, self.status, in_thread.SLICE = [], [], 0.0
        quiet = types.SimpleNamespace(
            progress_begin=lambda *_: None,
            progress_update=lambda *_: None,
            progress_end=lambda *_: None,
            event_timer_add=lambda *_, **__: "timer",
            event_timer_remove=lambda *_: None,
            modal_handler_add=lambda *_: None,
        )
        self.context = types.SimpleNamespace(
            scene=bpy.context.scene,
            object=bpy.context.object,
            view_layer=bpy.context.view_layer,
            window=None,
            window_manager=quiet,
            workspace=types.SimpleNamespace(status_text_set=self.status.append),
        )
        assert self.operator.start(self.context) == {"RUNNING_MODAL"}

    def event(self, kind):
        return self.operator.modal(self.context, types.SimpleNamespace(type=kind))


def simulating_can_be_stopped():
    scene = bpy.context.scene
    scene.frame_end = 400
    rig = preset("finger")
    run = Interface()
    assert run.event("MOUSEMOVE") == {"PASS_THROUGH"}
    while not run.operator.simulation.run.rows["tensions"]:
        assert run.event("TIMER") == {"RUNNING_MODAL"}
    assert run.status[-1].startswith("Simulating tendons") and run.status[-1].endswith("Esc stops"), run.status
    ended = run.event("ESC")
    while ended == {"RUNNING_MODAL"}:
        ended = run.event("TIMER")
    assert ended == {"CANCELLED"} and run.status[-1] is None
    count = len(show.result_of(rig))
    assert 0 < count < 400 and rig.sinew_tendons.shown == "simulated"
    scene.frame_end = 3
    run = Interface()
    while (ended := run.event("TIMER")) == {"RUNNING_MODAL"}:
        pass
    assert ended == {"FINISHED"} and run.reports == ["Index Finger: 3 frames"] and len(show.result_of(rig)) == 3
    # Whoever deletes the rig meanwhile gets a message.
    scene.frame_end = 400
    run = Interface()
    run.event("TIMER")
    load.delete(rig)
    while (ended := run.event("TIMER")) == {"RUNNING_MODAL"}:
        pass
    assert ended == {"CANCELLED"} and "was deleted" in run.reports[-1], run.reports


def seen():
    """Everything that undo must bring back: the scenes' texts, the ties, keys, what is selected and what is shown."""
    found = []
    for rig in sorted((c for c in bpy.data.collections if c.sinew_tendons.is_rig), key=lambda rig: rig.name):
        known = rig.sinew_tendons
        objects = sorted((o.name, o.sinew_tendon.tag, tuple(map(tuple, o.matrix_basis))) for o in rig.all_objects)
        nodes = [(o.name, o.sinew_tendon.active_node) for o in rig_parts.parts(rig, "strand")]
        found.append(
            (rig.name, stored(rig), known.shown, known.digest, known.checked, len(known.problems), objects, nodes)
        )
    bones = [(b.name, len(b.constraints)) for o in bpy.data.objects if o.pose for b in o.pose.bones]
    selected = sorted(o.name for o in bpy.context.view_layer.objects if o.select_get())
    return found, bones, [action.name for action in bpy.data.actions], selected


done_and_undone = functools.partial(support.done_and_undone, seen)


def undo_and_redo_at_every_operator():
    scene = bpy.context.scene
    scene.frame_end = 3
    done_and_undone(sinew.tendon_new_rig, label="Rig")
    for name, at in (("Upper", 0.0), ("Lower", 0.1)):
        bpy.ops.mesh.primitive_cube_add(size=0.05, location=(at, 0, 0))
        bpy.context.object.name = name
        done_and_undone(sinew.tendon_add_body, mode="free" if at else "held")

    bpy.context.scene.cursor.location = (0.05, 0, 0)
    chosen(bpy.data.objects["Lower"], bpy.data.objects["Upper"])
    done_and_undone(sinew.tendon_add_joint, axis="turn_y")
    chosen(bpy.data.objects["Lower Joint"])
    done_and_undone(sinew.tendon_add_axis)
    done_and_undone(sinew.tendon_remove_axis, index=1)
    done_and_undone(sinew.tendon_draw, label="Cord", points="-0.02 0 0.03; 0.02 0 0.03; 0.12 0 0.03")
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.data.objects.remove(bpy.context.object)
    bpy.ops.curve.primitive_bezier_curve_add(radius=0.1, location=(0.05, 0, 0.05))
    done_and_undone(sinew.tendon_from_curve)
    chosen(bpy.data.objects["Cord"])
    sinew.tendon_step_node(by=1)
    bpy.data.objects["Cord"].sinew_tendon.strand.node[1].here.carrier = "world"
    done_and_undone(sinew.tendon_nearest)
    done_and_undone(sinew.tendon_share)
    done_and_undone(sinew.tendon_unshare)
    chosen(bpy.data.objects["Upper"])
    for kind in ("plane", "line", "circle"):
        done_and_undone(sinew.tendon_add_guide, kind=kind)
        chosen(bpy.data.objects["Upper"])
    chosen(bpy.data.objects["Plane"], bpy.data.objects["Cord"])
    done_and_undone(sinew.tendon_constrain)
    done_and_undone(sinew.tendon_remove_rule, kind="in_plane", index=0)
    done_and_undone(sinew.tendon_add_rule, kind="on_curve")
    done_and_undone(sinew.tendon_remove_rule, kind="on_curve", index=0)
    bpy.data.objects["Cord"].sinew_tendon.strand.node[1].here.carrier = "world"
    for kind in ("muscle", "reel", "hill"):
        done_and_undone(sinew.tendon_add_muscle, kind=kind, end="last")
    for kind in ("cut", "lengthen", "release"):
        done_and_undone(sinew.tendon_add_event, kind=kind)
        chosen(bpy.data.objects["Cord"])
    chosen(bpy.data.objects["Upper"], bpy.data.objects["Lower"])
    done_and_undone(sinew.tendon_add_event, kind="contact")
    chosen(bpy.data.objects["Lower Joint"])
    done_and_undone(sinew.tendon_add_goal)
    done_and_undone(sinew.tendon_check)
    bpy.data.collections.remove(rig_now())
    done_and_undone(sinew.tendon_preset, preset="finger")
    done_and_undone(sinew.tendon_simulate)
    done_and_undone(sinew.tendon_clear)
    done_and_undone(sinew.tendon_mirror, axis="x")
    bpy.data.collections.remove(rig_now())
    bpy.data.collections.remove(rig_now())
    done_and_undone(sinew.tendon_import, filepath=str(ROOT / "examples/strand/reach.xml"))
    bpy.data.collections.remove(rig_now())
    sinew.tendon_new_rig()
    chosen(armature())
    done_and_undone(sinew.tendon_from_armature, lead="roots")
    assert sinew.tendon_simulate() == {"FINISHED"}
    done_and_undone(sinew.tendon_keys)
    done_and_undone(sinew.tendon_draw, label="Loose", points="0 0 0.03; 0.05 0 0.03; 0.1 0 0.03")
    done_and_undone(sinew.tendon_step_node, by=1)
    bpy.data.objects["Loose"].sinew_tendon.strand.node[1].here.carrier = "free"
    done_and_undone(sinew.tendon_check)
    chosen(bpy.data.objects["Bone 0"])
    wrong = next(k for k, p in enumerate(rig_now().sinew_tendons.problems) if p.about == bpy.data.objects["Loose"])
    done_and_undone(sinew.tendon_select_problem, index=wrong)


def saved_and_opened():
    scene = bpy.context.scene
    scene.frame_end = 6
    rig = preset("finger")
    key(part(rig, "muscle", "FDP.001"), "sinew_tendon.muscle.activation", 1, 0.0)
    key(part(rig, "muscle", "FDP.001"), "sinew_tendon.muscle.activation", 6, 0.1)
    sinew.tendon_simulate()
    played = frames(range(1, 7))
    text = stored(rig)
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/rig.blend")
        bpy.ops.wm.open_mainfile(filepath=f"{folder}/rig.blend")
        assert stored(rig_now()) == text
        again = frames([6, 2, 5, 1, 4, 3])
        assert all(again[f] == played[f] for f in played)
        assert played[1] != played[6]
        one, two = rendered(folder, [1, 6])
        assert np.abs(one - two).max() > 0.2, "frames of a render show the same"
        before, red = ((picture[..., 0] - picture[..., 2]).max() for picture in (one, two))
        assert before < 0.05 < 0.2 < red, f"the pulled tendon is red, and none before: {before}, {red}"
        linked = rig_linked(f"{folder}/rig.blend")
        rig_overridden(linked, played)


def rendered(folder, numbers):
    """Pictures of frames, as a render in the background makes them, with tendons in the colours of their tension."""
    scene = bpy.context.scene
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 160, 90
    scene.display.shading.color_type, scene.view_settings.view_transform = "VERTEX", "Standard"
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.matrix_world = Matrix.Translation((0, -0.3, 0)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    camera.data.clip_start, scene.camera = 0.001, camera
    scene.render.filepath = f"{folder}/####"
    scene.frame_start, scene.frame_end, scene.frame_step = numbers[0], numbers[-1], numbers[-1] - numbers[0]
    bpy.ops.render.render(animation=True)
    found = []
    for number in numbers:
        image = bpy.data.images.load(f"{folder}/{number:04d}.png")
        pixels = np.empty(160 * 90 * 4, np.float32)
        image.pixels.foreach_get(pixels)
        found.append(pixels.reshape(90, 160, 4))
    return found


def another_scene():
    """A rig follows the frames of its own scene, and no other's."""
    scene = bpy.context.scene
    scene.frame_end = 5
    rig = preset("finger")
    part(rig, "muscle", "FDP.001").sinew_tendon.muscle.activation = 0.1
    sinew.tendon_simulate()
    scene.frame_set(5)
    tip = part(rig, "body", "Distal")
    there = tuple(tip.delta_location)
    other = bpy.data.scenes.new("Other")
    other.frame_set(2)
    assert tuple(tip.delta_location) == there
    other.collection.children.link(rig)
    other.frame_set(2)
    assert tuple(tip.delta_location) != there
    scene.frame_set(5)
    assert tuple(tip.delta_location) == there


def rig_linked(path):
    """A rig of another file is not edited: a message says so."""
    bpy.ops.wm.read_homefile(app_template="", use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.collections = [name for name in there.collections if "Finger" in name]
    linked = here.collections[0]
    bpy.context.scene.collection.children.link(linked)
    bpy.context.view_layer.update()
    refused(sinew.tendon_simulate, "linked from another file")
    refused(sinew.tendon_check, "linked from another file")
    return linked


def rig_overridden(linked, played):
    """A library override shows its frames, and a message says where it is edited."""
    override = linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.scene.collection.children.unlink(linked)
    bpy.context.view_layer.update()
    again = frames([6, 2, 1], override)
    assert all(again[frame] == played[frame] for frame in again)
    bpy.data.objects.remove(override.sinew_tendons.tubes)
    assert frames([2], override)[2] == played[2], "deleted tubes are made anew"
    chosen(rig_parts.parts(override, "body")[0])
    for operator in (sinew.tendon_simulate, sinew.tendon_check, sinew.tendon_clear):
        refused(operator, "linked from another file")


def frames(numbers, rig=None):
    """Where the bodies and tubes are in frames."""
    found, rig = {}, rig or rig_now()
    for number in numbers:
        bpy.context.scene.frame_set(number)
        bodies = [tuple(map(tuple, b.matrix_world)) for b in rig_parts.parts(rig, "body")]
        points = np.empty(3 * len(rig.sinew_tendons.tubes.data.vertices), np.float32)
        rig.sinew_tendons.tubes.data.attributes["position"].data.foreach_get("vector", points)
        found[number] = (bodies, points.tobytes())
    return found


def goals_and_other_keys_come_through():
    scene = bpy.context.scene
    scene.frame_end = 8
    sinew.tendon_import(filepath=str(ROOT / "examples/strand/reach.xml"))
    rig = rig_now()
    text = stored(rig)
    goal = part(rig, "goal_place", "tip")
    from bl_ext.user_default.sinew.bridge.tendon import animation

    assert len(animation.curve(goal, "location", 2).keyframe_points) == 6
    assert same_bits(rig) > 0.5
    # Moved by hand the goal is another one; smooth keys are sampled at every frame.
    for k in range(3):
        for point in animation.curve(goal, "location", k).keyframe_points:
            point.interpolation = "BEZIER"
    assert stored(rig).count("<to ") > 6 and stored(rig) != text
    same_bits(rig)
    # A driver on an activation is sampled, too.
    bpy.data.collections.remove(rig)
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    sinew.tendon_import(filepath=str(ROOT / "examples/strand/crane.xml"))
    rig = rig_now()
    muscle = part(rig, "reel", "winch")
    keys = animation.curve(muscle, "sinew_tendon.reel.activation").keyframe_points
    assert [round(p.co.x, 4) for p in keys] == [1, 5.8, 10.6, 82.6, 87.4]
    muscle.animation_data_clear()
    driver = muscle.driver_add("sinew_tendon.reel.activation").driver
    driver.type, driver.expression = "SCRIPTED", "frame / 20"
    assert '<activation time="0.2916666666666667" value="0.4"/>' in stored(rig), stored(rig)
    scene.frame_set(1)
    same_bits(rig)


def the_manual_is_true():
    """Every step of the manual, as it stands there."""
    bpy.context.scene.frame_end = 13
    text = (ROOT / "blender_addon/README_tendons.md").read_text("utf-8")
    words = " ".join(text.split())
    head, *steps = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(steps) == 7 and head in text.partition("\n## ")[0]
    names = {}
    exec(head, names)
    for step in steps:
        exec(textwrap.dedent("   " + step.lstrip(" ")), names)
    assert same_bits(rig_now()) > 30
    assert not show.result_of(rig_now()).warnings
    labels = {c.bl_label for c in bpy.types.Operator.__subclasses__() if c.bl_idname.startswith("sinew.tendon")}
    for button in (
        "Add Bodies",
        "Bodies from Armature",
        "Add Joint",
        "Draw Tendon",
        "Tendons from Curves",
        "Add Muscle",
        "Check Rig",
        "Simulate",
        "Add Guide",
        "Tie to Selected",
        "Share Nearest Point",
        "Add Goal",
        "Add Event",
        "Motion to Keys",
    ):
        assert button in labels and button in words, button


class Layout:
    """Stands in for a panel's layout: whatever a panel asks for must exist, as in the interface."""

    def __init__(self, seen):
        self.seen = seen

    def prop(self, data, name, **_):
        assert name in data.bl_rna.properties, (data, name)
        about = data.bl_rna.properties[name]
        assert about.description or name == "name", f"{data.bl_rna.identifier}.{name} has no tooltip"
        self.seen.add(name)

    def prop_decorator(self, data, name):
        assert name in data.bl_rna.properties

    def label(self, text="", icon="NONE", **_):
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items, icon
        self.seen.add(text)

    def operator(self, name, icon="NONE", **_):
        kind = getattr(bpy.types, name.replace("sinew.", "SINEW_OT_"))
        assert kind.bl_rna.description or kind.__doc__, name
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items, icon
        self.seen.add(name)
        return types.SimpleNamespace()

    def operator_menu_enum(self, name, prop, **_):
        kind = getattr(bpy.types, name.replace("sinew.", "SINEW_OT_"))
        assert prop in kind.bl_rna.properties or prop in kind.__annotations__, (name, prop)
        self.operator(name)

    def template_list(self, kind, _name, data, prop, active_data, active, **_):
        assert hasattr(bpy.types, kind) and hasattr(data, prop) and hasattr(active_data, active)
        for k, item in enumerate(getattr(data, prop)):
            getattr(bpy.types, kind).draw_item(None, bpy.context, self, data, item, 0, active_data, active, k)

    def row(self, **_):
        return Layout(self.seen)

    column = box = split = row


def panels_show_every_part():
    from bl_ext.user_default.sinew.ui import tendon as ui
    from bl_ext.user_default.sinew.ui import tendon_overlay as overlay

    def drawn():
        seen = set()
        for panel in ui.CLASSES[1:]:
            if not hasattr(panel, "poll") or panel.poll(bpy.context):
                panel.draw(
                    types.SimpleNamespace(
                        layout=Layout(seen),
                        draw_simulation=functools.partial(ui.SINEW_PT_tendons.draw_simulation, types.SimpleNamespace()),
                        draw_angles=ui.SINEW_PT_tendon_part.draw_angles,
                    ),
                    bpy.context,
                )
        return seen

    assert "sinew.tendon_preset" in drawn()
    bpy.context.scene.frame_end = 3
    rig = preset("finger")
    for one in rig_parts.parts(rig):
        chosen(one)
        assert "name" in drawn(), one
    chosen(part(rig, "strand", "EDC"))
    part(rig, "strand", "EDC").sinew_tendon.active_node = 4
    seen = drawn()
    assert {"relation", "plane", "sinew.tendon_remove_rule", "carrier", "kind", "material", "young"} <= seen, seen
    # The overlay in the view: without a window, only what it would draw can be checked.
    plane, strand = part(rig, "plane", "II Middle vplane"), part(rig, "strand", "EDC")
    own, others = overlay.squares(rig, plane)
    assert len(own) == 6 and len(others) == 6 * 11
    assert (sum(own, Vector()) / 6 - plane.matrix_world.translation).length < 1e-6
    drawn_nodes = overlay.nodes(strand)
    assert [len(drawn_nodes[name]) for name in ("eulerian", "other", "active")] == [9, 2, 1]
    assert (drawn_nodes["active"][0] - Vector((-0.00204821867325, 0, 0.00696394348907))).length < 1e-7
    sinew.tendon_simulate()
    assert [len(corners) for corners in overlay.squares(rig, plane)] == [6, 0]
    sinew.tendon_check()
    chosen(part(rig, "joint", "MCP"))
    seen = drawn()
    assert not any("(line" in problem.message for problem in rig.sinew_tendons.problems)
    assert any(text.startswith("Now: x") for text in seen) and "sinew.tendon_remove_axis" in seen, seen
    assert "may_limits" in seen and "ligaments" not in seen and "moment" in seen
    bpy.context.scene.frame_set(9)
    assert "Frame 9 is not simulated: 1 to 3 are" in drawn()
    chosen(part(rig, "strand", "EDC"))
    bpy.ops.object.duplicate()
    bpy.context.object.location.z += 1
    chosen(part(rig, "joint", "MCP"))
    assert (
        "sinew.tendon_unshare" not in drawn()
        and sinew.tendon_check() == {"FINISHED"}
        and "sinew.tendon_unshare" in drawn()
    )
    for kind in props.GROUPS.values():
        for prop in kind.bl_rna.properties:
            hidden = prop.is_hidden or prop.identifier in ("rna_type", "name") or prop.type in ("COLLECTION", "POINTER")
            assert hidden or prop.description, (kind, prop.identifier)


def main_cases():
    helpers = {"seen", "rig_linked", "rig_overridden", "frames", "rendered", "main_cases"}
    helpers |= {"Layout", "Interface"}
    return {n: c for n, c in globals().items() if getattr(c, "__module__", "") == "__main__" and n not in helpers}


if __name__ == "__main__":
    main(main_cases())
