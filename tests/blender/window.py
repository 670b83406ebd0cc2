"""The add-on in a Blender with a window: the panel is seen, and a real click on its button makes sliding skin.

    blender --python window.py -- ZIP

The window is on the screen of DISPLAY, and nobody else uses its mouse. Pictures go into the folder `pictures` beside
this."""

import pathlib
import subprocess
import sys
import threading
import time
import traceback

import bpy
import numpy as np
from bpy_extras import view3d_utils

import bmesh  # there once bpy is
from mathutils import Matrix, Vector

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bone_roles
import charts
import muscles as limbs
import support as s

PICTURES = pathlib.Path(__file__).parent / "pictures"
# The longest wait for anything, in seconds.
PATIENCE = 90
# Points from the top of the sidebar to the middle of its first button, in the interface's own unit: below the header.
FIRST_BUTTON = 42


def view():
    """The 3D view, and its sidebar."""
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    return area, next(region for region in area.regions if region.type == "UI")


def picture(name):
    subprocess.run(["import", "-window", "root", PICTURES / f"{name}.png"], check=True)


def mouse(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True)


def checker():
    """A material whose picture moves with the slide."""
    board = (np.indices((128, 128)) // 4).sum(axis=0) % 2
    image = bpy.data.images.new("checker", 128, 128)
    image.pixels.foreach_set(
        np.stack([board, board, 1 - board, np.ones_like(board)], axis=-1).astype(np.float32).ravel()
    )
    made = bpy.data.materials.new("skin")
    made.use_nodes = True
    node = made.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    made.node_tree.links.new(node.outputs[0], made.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    made.node_tree.nodes.active = node
    return made


def result(name):
    """What the last render shows."""
    path = PICTURES / f"{name}.png"
    bpy.data.images["Render Result"].save_render(str(path))
    image = bpy.data.images.load(str(path))
    pixels = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels


def f12_renders_a_frame_that_was_jumped_to(ob):
    """F12 renders a frame that was jumped to as if all frames before it had been played."""
    ob.data.materials.append(checker())
    # A vertex group is read in the render, too.
    ob.vertex_groups.new(name="held").add([v.index for v in ob.data.vertices if v.co.z < 0.5], 1.0, "REPLACE")
    held = ob.sinew.nodes[0].of_skin_slider.in_fixed
    held.name, held.choice = "held", "GROUP"
    scene, done = bpy.context.scene, []
    assert scene.render.use_lock_interface, "without it Blender crashes now and then"
    camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.location, camera.rotation_euler = (9, -1, 2), (np.pi / 2, 0, np.pi / 2 - 0.11)
    light = s.link(bpy.data.objects.new("Light", bpy.data.lights.new("Light", "SUN")))
    light.rotation_euler = (1, 0, 1)
    scene.camera, scene.render.resolution_x, scene.render.resolution_y = camera, 160, 120
    scene.display.shading.color_type, scene.cycles.samples, scene.cycles.use_denoising = "TEXTURE", 4, False
    bpy.app.handlers.render_complete.append(lambda *_: done.append(True))
    # No further window opens.
    bpy.context.preferences.view.render_display_type = "NONE"
    for engine in ("BLENDER_WORKBENCH", "CYCLES"):
        scene.render.engine = engine
        s.go_to(12)
        bpy.ops.render.render()
        expected = result(f"{engine}_played")
        bpy.ops.sinew.forget()
        scene.frame_set(1)
        scene.frame_set(12)
        assert s.state(ob)[0] == "missing", s.state(ob)
        done.clear()
        mouse("mousemove", 300, 500)
        if bpy.app.version < (5, 0):
            mouse("key", "F12")
        else:
            # In Blender 5, F12 requires a scene with a sequencer, so the operator is called instead.
            bpy.ops.render.render("INVOKE_DEFAULT", use_viewport=True)
        began = time.monotonic()
        while not done:
            assert time.monotonic() - began < PATIENCE, "the render does not end"
            yield
        yield
        assert s.state(ob)[0] == "computed", s.state(ob)
        assert np.array_equal(result(f"{engine}_jumped"), expected), engine


def drag(start, end):
    """The mouse, as a hand moves it."""
    mouse("mousemove", *start)
    yield
    mouse("mousemove", start[0] + 1, start[1])
    yield
    mouse("mousedown", 1)
    yield
    for part in (0.25, 0.5, 0.75, 1.0):
        mouse("mousemove", *(round(a + part * (b - a)) for a, b in zip(start, end)))
        yield
    mouse("mouseup", 1)
    # The view is drawn again, and undo has the step.
    for _ in range(6):
        yield


def on_screen(place):
    """Where a place of the scene is on the screen."""
    area, _ = view()
    region = next(region for region in area.regions if region.type == "WINDOW")
    at = view3d_utils.location_3d_to_region_2d(region, area.spaces.active.region_3d, place)
    return Vector((region.x + at.x, bpy.context.window.height - (region.y + at.y)))


def handles_move_guides():
    """The arrow of a tilted plane drags it along its normal, the box of a line sets its length; undo brings both
    back."""
    s.empty()
    bpy.ops.sinew.tendon_new_rig(label="Rig")
    bpy.ops.mesh.primitive_cube_add(size=1)
    bpy.ops.sinew.tendon_add_body(mode="held")
    body = bpy.context.object.name
    bpy.context.scene.cursor.matrix = Matrix.Rotation(0.6, 4, "Y")
    for kind in ("plane", "line"):
        s.select(bpy.data.objects[body])
        assert bpy.ops.sinew.tendon_add_guide(kind=kind) == {"FINISHED"}
        name = bpy.context.object.name
        bpy.ops.ed.undo_push(message="before")
        for _ in range(3):
            yield
        part = bpy.data.objects[name]
        before, size = part.matrix_world.copy(), part.empty_display_size
        normal = before.to_3x3().col[2].normalized()
        handle = before.translation + (size * normal if kind == "line" else Vector())
        middle = on_screen(handle)
        ahead = (on_screen(handle + 0.1 * normal) - middle).normalized()
        yield from drag(*(tuple(map(round, middle + away * ahead)) for away in (45, 105)))
        picture(f"dragged_{kind}")
        part = bpy.data.objects[name]
        moved, longer = part.matrix_world.translation - before.translation, part.empty_display_size - size
        if kind == "plane":
            assert moved.dot(normal) > 0.1 and abs(longer) < 1e-6, (moved, longer)
            assert (moved - moved.dot(normal) * normal).length < 1e-4 * moved.length, "along the normal only"
        else:
            assert longer > 0.1 and moved.length < 1e-6, (moved, longer)
        bpy.ops.ed.undo()
        yield
        part = bpy.data.objects[name]
        assert (part.matrix_world.translation - before.translation).length < 1e-6 and abs(
            part.empty_display_size - size
        ) < 1e-6


def muscles_are_seen():
    """The panel with its list, and the chosen muscle in the middle of the view."""
    s.empty()
    ob, _ = limbs.with_muscles()
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    s.select(ob)
    ob.sinew_muscles.active = 0
    area, sidebar = view()
    area.spaces.active.shading.show_xray = True
    assert bpy.ops.sinew.muscle_frame() == {"FINISHED"}
    points = s.points(ob.sinew_muscles.live.data)[:72]
    assert (
        area.spaces.active.region_3d.view_location - Vector((points.min(axis=0) + points.max(axis=0)) / 2)
    ).length < 1e-3
    s.go_to(12)
    for _ in range(4):
        sidebar.tag_redraw()
        yield
    assert s.state(ob)[0] == "computed", s.state(ob)
    picture("muscles")


def roles_are_seen():
    """The list of what bones do, in a panel of its own for the picture: open where something is doubtful."""
    s.empty()
    ob, rig, bones = bone_roles.human("joint{}")
    rig.data.bones[bones["hand.R"]]["sinew_role"] = "hand.R"
    rig.data.bones[bones["forearm.L"]].name = "calf.R"
    s.select(ob)
    panel = s.part("ui.muscles").SINEW_PT_bone_roles
    own = {name: getattr(panel, name) for name in ("draw", "draw_role", "bl_space_type", "bl_region_type")}
    shown = type("SINEW_PT_shown", (bpy.types.Panel,), {**own, "bl_label": "Bone Roles", "bl_category": "Roles"})
    bpy.utils.register_class(shown)
    _, sidebar = view()
    sidebar.tag_redraw()
    yield
    sidebar.active_panel_category = "Roles"
    for _ in range(4):
        sidebar.tag_redraw()
        yield
    picture("bone_roles")
    mouse("mousemove", sidebar.x + sidebar.width // 2, 400)
    bpy.utils.unregister_class(shown)
    sidebar.active_panel_category = "Sinew"
    yield


def charts_are_found_in_a_thread():
    """The window lives on while charts are found; Esc leaves the mesh as it was, and the thread ends."""
    s.empty()
    ob = charts.ball()
    mesh = ob.data
    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=8, radius=1.0)
    made.to_mesh(mesh)
    made.free()
    find = next(one for one in s.part("ops.charts").CLASSES if one.bl_idname == "sinew.charts_find")
    seen = []
    original = find.modal

    def modal(self, context, event):
        found = original(self, context, event)
        seen.append((self._steps.work.done, self._steps.work.task, "RUNNING_MODAL" in found or "PASS_THROUGH" in found))
        return found

    find.modal = modal
    for stop in (True, False):
        seen.clear()
        bpy.ops.ed.undo_push(message="before")
        assert bpy.ops.sinew.charts_find("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
        began = time.monotonic()
        while not seen or seen[-1][2]:
            assert time.monotonic() - began < PATIENCE, seen[-1:]
            if stop and len(seen) > 5:
                assert not charts.seams(ob).any()
                mouse("key", "Escape")
            yield
        while any(thread.name == "Sinew" for thread in threading.enumerate()):
            assert time.monotonic() - began < PATIENCE, "the thread goes on"
            yield
        assert charts.seams(ob).any() != stop
    parts = sorted({done for done, _, _ in seen})
    assert len(parts) > 3 and parts[-1] > 0.5, parts
    assert {task for _, task, _ in seen} >= {"growing charts", "flattening the charts"}, seen
    find.modal = original


def skin_is_added_in_a_thread():
    """Esc takes a click back while the library computes; undo takes it back as one step afterwards."""
    s.empty()
    ob = s.tube(around=150, along=140)
    s.armature(ob)
    bpy.context.scene.frame_set(1)
    s.select(ob)
    made, runtime = s.part("sinew.node").Node, s.part("bridge.runtime")
    step, go_on = made.step, threading.Event()

    def held(node, *when):
        while not go_on.wait(0.05):
            if node.on_progress(0.5, "waiting"):
                break
        return step(node, *when)

    made.step = held
    try:
        for stop in (True, False):
            bpy.ops.ed.undo_push(message="before")
            assert bpy.ops.sinew.skin_add("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
            for _ in range(4):
                view()[1].tag_redraw()
                yield
            assert s.state(ob)[0] == "computing", s.state(ob)
            picture("computing")
            if stop:
                mouse("key", "Escape")
            else:
                go_on.set()
            began = time.monotonic()
            while bool(ob.sinew.nodes) == stop or not stop and s.state(ob)[0] != "computed":
                assert time.monotonic() - began < PATIENCE, s.state(ob)
                yield
            yield
            assert [layer.name for layer in ob.data.uv_layers] == ["UVMap"] + ["Sinew"] * (not stop)
    finally:
        made.step = step
    # What a handler fails with stands in the panel, in red.
    kept = runtime.users
    runtime.users = lambda *_: 1 / 0
    bpy.context.scene.frame_set(2)
    for _ in range(3):
        view()[1].tag_redraw()
        yield
    picture("failed_handler")
    runtime.users = kept
    bpy.context.scene.frame_set(1)
    yield
    bpy.ops.ed.undo()
    yield
    ob = bpy.data.objects["Body"]
    assert not ob.sinew.nodes and len(ob.data.uv_layers) == 1, "one step"


def steps():
    """What happens, a tick of the window's clock after each `yield`."""
    s.install(s.arguments()[0])
    # A click beside it closes the welcome of the first start.
    mouse("mousemove", 200, 600)
    mouse("click", 1)
    yield
    s.empty()
    ob = s.tube()
    s.armature(ob)
    s.select(ob)
    area, _ = view()
    area.spaces.active.show_region_ui = True
    yield
    _, sidebar = view()
    sidebar.active_panel_category = "Sinew"
    for _ in range(3):
        sidebar.tag_redraw()
        yield
    picture("before")
    assert not ob.sinew.nodes
    # Blender counts from the bottom of its window, the screen from its top.
    scale = bpy.context.preferences.system.ui_scale
    top = bpy.context.window.height - (sidebar.y + sidebar.height)
    mouse("mousemove", sidebar.x + sidebar.width // 2 - int(10 * scale), top + int(FIRST_BUTTON * scale))
    yield
    mouse("click", 1)
    began = time.monotonic()
    while not ob.sinew.nodes:
        assert time.monotonic() - began < PATIENCE, "the click made no node"
        yield
    for _ in range(3):
        yield
    assert ob.sinew.nodes[0].kind == "skin_slider" and s.state(ob)[0] == "computed", s.state(ob)
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
        yield
    assert s.state(ob)[0] == "computed", s.state(ob)
    picture("after")
    print("clicked: ok", flush=True)
    yield from f12_renders_a_frame_that_was_jumped_to(ob)
    print("rendered: ok", flush=True)
    yield from handles_move_guides()
    print("dragged: ok", flush=True)
    yield from muscles_are_seen()
    yield from roles_are_seen()
    print("seen: ok", flush=True)
    yield from charts_are_found_in_a_thread()
    print("threaded: ok", flush=True)
    yield from skin_is_added_in_a_thread()
    print("added: ok", flush=True)


def tick(going):
    try:
        next(going)
        return 0.3
    except StopIteration:
        code = 0
    except BaseException:
        traceback.print_exc()
        picture("failed")
        code = 1
    s.end(code)


if __name__ == "__main__":
    running = steps()
    bpy.app.timers.register(lambda: tick(running), first_interval=1.0, persistent=True)
