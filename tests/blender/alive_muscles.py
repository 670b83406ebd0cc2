"""Operators on muscles, as a window runs them: the library computes in a thread, and Esc leaves the body as it was:
alive_muscles.py ZIP CASE..."""

import pathlib
import re
import sys
import threading

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from alive import Window, held_up
from muscles import arms, names, settings_of, shape, with_muscles

# Bones by which the library knows a human's rig.
HUMAN = ("Hips", "LeftArm", "LeftForeArm", "RightArm", "RightForeArm")
MUSCLE = {"label": "neu", "origin": "Oberarm.R", "insertion": "Hand.R"}
# What the library does for operators before they change anything.
SETS = "sinew.muscles", "MuscleSet"


def groups_of(ob):
    """The weights in all vertex groups."""
    return {
        group.name: {v.index: round(g.weight, 6) for v in ob.data.vertices for g in v.groups if g.group == group.index}
        for group in ob.vertex_groups
    }


def everything(ob):
    """What an operator on muscles can change."""
    values_of, properties = s.part("ops.muscle.target").values_of, s.part("bridge.properties")
    return (
        [(item.kind, values_of(properties.settings(item))) for item in ob.sinew.nodes],
        names(ob),
        ob.sinew_muscles.active,
        ob.sinew_muscles.live,
        ob.vertex_groups.active_index,
        groups_of(ob),
        sorted(one.name for one in ob.data.attributes),
        [m.name for m in ob.modifiers],
        sorted(group.name for group in bpy.data.node_groups),
        sorted(one.name for one in bpy.data.objects),
        bpy.context.scene.frame_current,
    )


def bare():
    ob, _ = arms(names=HUMAN)
    s.select(ob)
    return ob


def made():
    """A body with muscles and with weights of its own in the vertex group of one of them, which is locked."""
    ob, _ = with_muscles()
    s.select(ob)
    group = ob.vertex_groups.new(name="bizeps.L")
    group.add(list(range(0, 400, 3)), 0.25, "REPLACE")
    group.add([1, 5], 0.0, "REPLACE")
    group.lock_weight = True
    return ob


def second():
    """A body beside one with muscles."""
    made().name = "First"
    ob, _ = arms(name="Second", length=1.4, place=((0, 3, 0), (0, 0, 0.3), (1, 1, 1)))
    s.select(ob)
    return ob


# By module and operator: its settings, the body that it is pressed on, and the call of the library that it waits for
# first, if any.
OPERATORS = {
    ("make", "SINEW_OT_muscles_skin"): ({}, bare, None),
    ("make", "SINEW_OT_muscle_create"): ({**MUSCLE, "origin_along": 0.125, "insertion_along": 0.25}, made, "add"),
    ("make", "SINEW_OT_muscle_remove"): ({}, made, None),
    ("make", "SINEW_OT_muscles_copy"): ({"source": "First"}, second, "copy"),
    ("paint", "SINEW_OT_muscle_weights"): ({}, made, "weights"),
    ("physique", "SINEW_OT_muscles_physique"): ({"preset": "heavy", "size": 1.5}, made, None),
    ("shapes", "SINEW_OT_muscles_show"): ({}, made, None),
}


def kind_of(module, name):
    return getattr(s.part(f"ops.muscle.{module}"), name)


def defaults(kind, given):
    """The settings of an operator: those that are given, and its defaults."""
    abouts = {name: about.keywords for name, about in getattr(kind, "__annotations__", {}).items()}
    own = {name: about.get("default", (0.0,) * 3 if "size" in about else "") for name, about in abouts.items()}
    return {**own, **given}


def in_words(found):
    """What outlives the objects in it."""
    return [re.sub(" at 0x[0-9a-f]+", "", str(one)) for one in found]


def must_be_same(found, expected):
    for now, then in zip(found, expected):
        assert now == then, f"{now}\n{then}"


def stopped(kind, settings, ob, held):
    """Presses a button, and Esc while the library is held up."""
    before = everything(ob)
    with held_up(*held) as go_on:
        window = Window()
        assert window.begin(kind, **settings) == {"RUNNING_MODAL"} and window.shown[0] == "begin", (kind, held)
        window.until(f"{kind.bl_label} (waiting, 50%). Esc stops")
        assert window.event("LEFTMOUSE") == {"RUNNING_MODAL"}, "clicks wait"
        assert window.wait("ESC") == {"CANCELLED"} and go_on.threads == {"Sinew"}, (kind, held)
    assert window.shown[-3:] == ["no timer", "end", None] and window.said == [
        ({"WARNING"}, f"{kind.bl_label} was stopped")
    ], window.said
    assert not [t for t in threading.enumerate() if t.name == "Sinew"]
    must_be_same(everything(ob), before)


def buttons_compute_in_a_thread_and_esc_takes_them_back():
    """Whether Esc comes while the library works on the set, or while the frame is computed; and what is not stopped is
    what a script gets."""
    for which, (given, make, call) in OPERATORS.items():
        kind = kind_of(*which)
        s.empty()
        ob = make()
        script = bpy.ops.sinew
        assert getattr(script, kind.bl_idname.partition(".")[2])(**given) == {"FINISHED"}
        expected, state = in_words(everything(ob)), s.state(ob)
        s.empty()
        ob = make()
        settings = defaults(kind, given)
        for held in [(*SETS, call)] * (call is not None) + [()]:
            stopped(kind, settings, ob, held)
        window = Window()
        assert window.click(kind, **settings) == {"FINISHED"}, window.said
        must_be_same(in_words(everything(ob)), expected)
        assert s.state(ob) == state and not [t for t in threading.enumerate() if t.name == "Sinew"], (
            which,
            s.state(ob),
            state,
        )


def errors_leave_the_body_as_it_was():
    """What the library refuses in a thread is said as a script says it."""
    ob = made()
    before = everything(ob)
    for which, given, words in (
        (("make", "SINEW_OT_muscle_create"), {"origin": "Hand.L", "insertion": "Fuß"}, 'The rig has no joint "Fuß"'),
        (("make", "SINEW_OT_muscles_human"), {}, 'The bones of "Body Rig" are not those of a human'),
        (("motion_range", "SINEW_OT_muscles_range"), {}, "Ranges are known only for the bones of a human"),
    ):
        kind, window = kind_of(*which), Window()
        assert window.click(kind, **defaults(kind, given)) == {"CANCELLED"}
        ((level, said),) = window.said
        assert level == {"ERROR"} and said.startswith(words), window.said
        assert everything(ob) == before, which


def later_frames_show_what_was_changed_as_a_preview():
    """The preview is computed in the thread, from the frame before as it was, and is the one that a script gets."""
    kind, given, found = kind_of("physique", "SINEW_OT_muscles_physique"), {"preset": "heavy", "size": 1.5}, []
    for how in ("script", "window"):
        s.empty()
        ob = made()
        for frame in range(1, 6):
            shape(ob, frame)
        if how == "script":
            assert bpy.ops.sinew.muscles_physique(**given) == {"FINISHED"}
        else:
            stopped(kind, defaults(kind, given), ob, ())
            assert s.state(ob)[0] == "computed", s.state(ob)
            with held_up() as go_on:
                window = Window()
                assert window.begin(kind, **defaults(kind, given)) == {"RUNNING_MODAL"}
                window.until("waiting")
                go_on.set()
                assert window.wait() == {"FINISHED"} and go_on.threads == {"Sinew"}, go_on.threads
        assert s.state(ob) == ("preview", "Frame 5 is a preview while you edit: Catch Up computes it"), s.state(ob)
        found.append(s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data))
        assert np.abs(shape(ob, 5) - found[-1]).max() < 0.1 and s.state(ob)[0] == "computed"
    assert np.array_equal(*found)


def files_that_are_opened_meanwhile_end_the_thread():
    ob = made()
    with held_up(*SETS, "weights"):
        window = Window()
        assert window.begin(kind_of("paint", "SINEW_OT_muscle_weights")) == {"RUNNING_MODAL"}
        window.until("waiting")
        assert [t for t in threading.enumerate() if t.name == "Sinew"]
        window.operator.cancel(window)
        assert not [t for t in threading.enumerate() if t.name == "Sinew"]
    assert settings_of(ob).in_muscle_weights.choice == "NONE"


HELPERS = {
    "groups_of",
    "everything",
    "bare",
    "made",
    "second",
    "kind_of",
    "defaults",
    "in_words",
    "must_be_same",
    "stopped",
}


if __name__ == "__main__":
    s.main({name: case for name, case in s.cases(globals()).items() if name not in HELPERS})
