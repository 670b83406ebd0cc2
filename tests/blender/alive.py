"""Operators that take long, as a window runs them: the library computes in a thread, while events come one after
another: alive.py ZIP CASE..."""

import pathlib
import sys
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from file import Interface
from layers import with_muscles

# The longest wait for the library, in s.
PATIENCE = 60


class Window(Interface):
    """What operators get from a window, and what they are asked to do there."""

    def __init__(self):
        super().__init__()
        self.said, self.view_layer, self.selected_objects = [], bpy.context.view_layer, [bpy.context.object]

    @staticmethod
    def evaluated_depsgraph_get():
        return bpy.context.evaluated_depsgraph_get()

    def event_timer_add(self, *_, **__):
        return "a timer"

    def progress_begin(self, *_):
        self.shown.append("begin")

    def modal_handler_add(self, operator):
        self.operator = operator

    def begin(self, kind, **settings):
        """Starts an operator as a click does; gives what it returns."""
        bases = [base for base in kind.__mro__[1:] if base.__module__.startswith(s.ADDON)]
        own = {name: made for name, made in vars(kind).items() if name not in ("__dict__", "__weakref__", "bl_rna")}
        own |= {"report": lambda _, *words: self.said.append(words), **settings}
        plain = [base for base in bases if not any(base in other.__mro__[1:] for other in bases)]
        self.operator = type(kind.bl_label.replace(" ", ""), tuple(plain), own)()
        return self.operator.in_window(self)

    def event(self, kind="TIMER"):
        return self.operator.modal(self, SimpleNamespace(type=kind))

    def until(self, *words):
        """Events until the status bar has these words."""
        until = time.monotonic() + PATIENCE
        while not all(word in str(self.shown[-1]) for word in words):
            assert time.monotonic() < until and self.event() == {"RUNNING_MODAL"}, self.shown[-2:]

    def click(self, kind, **settings):
        """Starts an operator and waits for its end; gives how."""
        found = self.begin(kind, **settings)
        return self.wait() if found == {"RUNNING_MODAL"} else found

    def wait(self, kind="TIMER"):
        """Events until the operator ends; gives how."""
        until, found = time.monotonic() + PATIENCE, {"RUNNING_MODAL"}
        while found == {"RUNNING_MODAL"}:
            assert time.monotonic() < until, self.shown[-2:]
            found = self.event(kind)
            kind = "TIMER"
        return found


@contextmanager
def held_up(module="sinew.node", kind="Node", call="step"):
    """The library waits before each step, or another call, until it is let go on: gives the event for that. Those that
    are stopped end at once."""
    made, go_on, threads = getattr(s.part(module), kind), threading.Event(), set()
    called = getattr(made, call)

    def held(self, *how, **more):
        threads.add(threading.current_thread().name)
        while not go_on.wait(0.01):
            if self.on_progress is not None and self.on_progress(0.5, "waiting"):
                # As the library itself does.
                self.on_progress = lambda *_: True
                break
        return called(self, *how, **more)

    setattr(made, call, held)
    go_on.threads = threads
    try:
        yield go_on
    finally:
        setattr(made, call, called)


def everything(ob):
    """What an operator can change."""
    mesh = ob.data
    return (
        [item.kind for item in ob.sinew.nodes],
        sorted(one.name for one in mesh.attributes),
        [m.name for m in ob.modifiers],
        sorted(group.name for group in bpy.data.node_groups),
        [(one.name, one.active, one.active_render) for one in mesh.uv_layers],
        bpy.context.scene.render.use_lock_interface,
        ob.sinew.active,
        bpy.context.scene.frame_current,
        [node.uv_map for slot in ob.material_slots for node in slot.material.node_tree.nodes if node.type == "UVMAP"],
    )


def body():
    ob = s.tube(around=16, along=20, length=3.0)
    s.armature(ob, length=3.0, angle=0.7)
    material = bpy.data.materials.new("Skin")
    material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeUVMap").uv_map = "UVMap"
    ob.data.materials.append(material)
    ob.modifiers.new("Subdivision", "SUBSURF").levels = 1
    bpy.context.scene.frame_set(1)
    s.select(ob)
    return ob


def adding_skin_computes_in_a_thread():
    """Esc takes everything back, also where a thread has to be waited for; what is computed is what a script gets."""
    ob, kind = body(), s.part("ops.skin").SINEW_OT_skin_add
    bpy.context.scene.render.use_lock_interface = False
    before = everything(ob)
    for ended in ("ESC", "ESC", "TIMER"):
        with held_up() as go_on:
            window = Window()
            assert window.begin(kind) == {"RUNNING_MODAL"} and window.shown[0] == "begin"
            window.until("Add Sliding Skin (waiting, 50%). Esc stops")
            assert window.event("LEFTMOUSE") == {"RUNNING_MODAL"}, "clicks wait"
            assert window.event("MOUSEMOVE") == {"PASS_THROUGH"}
            # What Blender evaluates meanwhile leaves the node alone.
            ob.update_tag()
            bpy.context.view_layer.update()
            assert s.state(ob) == ("computing", "Frame 1 is being computed")
            if ended == "TIMER":
                go_on.set()
            assert window.wait(ended) == ({"CANCELLED"} if ended == "ESC" else {"FINISHED"})
            assert go_on.threads == {"Sinew"}, go_on.threads
        assert window.shown[-3:] == ["no timer", "end", None] and not [
            t for t in threading.enumerate() if t.name == "Sinew"
        ]
        if ended == "ESC":
            assert everything(ob) == before and window.said == [({"WARNING"}, "Add Sliding Skin was stopped")], (
                everything(ob),
                before,
            )
    assert s.state(ob) == ("computed", "") and bpy.context.scene.render.use_lock_interface
    assert ob.data.uv_layers["Sinew"].active_render and everything(ob)[-1] == ["Sinew"]
    found = s.play(ob, range(1, 5))
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    bpy.context.scene.frame_set(1)
    s.slide(ob, quality="normal")
    again = s.play(ob, range(1, 5))
    assert all(np.array_equal(found[frame], again[frame]) for frame in found)


def frames_are_caught_up_with_and_baked_in_a_thread(folder):
    """Muscles and skin on one body, each in a thread; Esc keeps what is computed, and goes back to the frame."""
    bake = s.part("ops.bake")
    ob = body()
    with_muscles(ob)
    s.slide(ob)
    expected = s.play(ob, range(1, 9))
    s.select(ob)
    bpy.ops.sinew.forget()
    bpy.context.scene.frame_set(8)
    timelines = [s.part("bridge.runtime").known(ob, item, bpy.context.scene).timeline for item in ob.sinew.nodes]
    with held_up() as go_on:
        window = Window()
        assert window.begin(bake.SINEW_OT_catch_up) == {"RUNNING_MODAL"}
        window.until("Catch Up: frame 1, 7 to go (waiting, 50%)")
        go_on.set()
        while len(timelines[1].frames()) < 3:
            assert window.event() == {"RUNNING_MODAL"}
        go_on.clear()
        window.until("waiting")
        assert window.wait("ESC") == {"CANCELLED"} and bpy.context.scene.frame_current == 8
    assert 3 <= len(timelines[1].frames()) <= 4 and s.state(ob, 1)[0] == "missing", (
        timelines[1].frames(),
        s.state(ob, 1),
    )
    window = Window()
    assert window.begin(bake.SINEW_OT_catch_up) == {"RUNNING_MODAL"} and window.wait() == {"FINISHED"}
    assert [s.state(ob, k)[0] for k in (0, 1)] == ["computed"] * 2
    assert all(np.array_equal(s.play(ob, [frame])[frame], expected[frame]) for frame in expected)
    # A bake of the frames that a thread computes.
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    bpy.ops.sinew.forget()
    ob.sinew.active, bpy.context.scene.frame_end = 1, 8
    window = Window()
    assert window.begin(bake.SINEW_OT_bake) == {"RUNNING_MODAL"} and window.wait() == {"FINISHED"}, window.said
    for frame in (8, 3):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob, 1)[0] == "baked" and np.array_equal(s.evaluated_uvs(ob), expected[frame])


def what_fails_in_a_thread_is_said():
    """As what fails at once; and an input that the node refuses is refused again, whatever was looked at meanwhile."""
    ob, made = body(), s.part("sinew.node").Node
    s.slide(ob)
    item, step, error = ob.sinew.nodes[0], made.step, s.part("sinew.loader").Error
    s.go_to(4)
    s.select(ob)
    bpy.ops.sinew.forget()

    def fails(self, *when):
        if when[0] == 3:
            raise error("frame 3, node skin_slider: broken on purpose")
        return step(self, *when)

    made.step = fails
    try:
        window = Window()
        assert window.begin(s.part("ops.bake").SINEW_OT_catch_up) == {"RUNNING_MODAL"} and window.wait() == {"FINISHED"}
        assert window.said == [({"WARNING"}, "Left out: Body, frame 3: broken on purpose")], window.said
    finally:
        made.step = step
    assert s.state(ob)[0] == "computed" and bpy.context.scene.frame_current == 4, s.state(ob)
    held = item.of_skin_slider.in_hold
    ob.data.attributes.new("broken", "FLOAT", "POINT").data.foreach_set(
        "value", np.full(len(ob.data.vertices), np.nan, np.float32)
    )
    held.choice, held.name = "ATTRIBUTE", "broken"
    bpy.context.view_layer.update()
    for _ in range(2):
        assert s.state(ob)[0] == "failed" and "is NaN" in s.state(ob)[1], s.state(ob)
        ob.update_tag()
        bpy.context.view_layer.update()


def bodies_that_go_away_end_their_thread():
    """A deleted body, and another file, while a thread computes: it ends before its node does."""
    for how in ("deleted", "file"):
        s.empty()
        body()
        with held_up():
            window = Window()
            assert window.begin(s.part("ops.skin").SINEW_OT_skin_add) == {"RUNNING_MODAL"}
            window.until("waiting")
            assert [t for t in threading.enumerate() if t.name == "Sinew"]
            if how == "deleted":
                bpy.data.objects.remove(bpy.data.objects["Body"])
                bpy.context.view_layer.update()
                assert window.wait() == {"CANCELLED"} and "deleted" in window.said[-1][1], window.said
            else:
                window.operator.cancel(window)
                bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
        assert not [t for t in threading.enumerate() if t.name == "Sinew"]


HELPERS = {"held_up", "everything", "body", "Window"}


if __name__ == "__main__":
    s.main({name: case for name, case in s.cases(globals()).items() if name not in HELPERS})
