"""Tendon rigs and the scene's clock, its frames, rate and time remapping: tendon_clock.py ZIP SINEW [CASE...]"""

import contextlib
import io
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon import author_finger
from tendon_armature import bodies_of
from tendon_check import listed
from tendon_support import ROOT, armature, bpy, clean, main, part, rig_now, same_bits, show, sinew, stored

from nodes import Layout

from bl_ext.user_default.sinew.bridge.tendon import animation
from bl_ext.user_default.sinew.ui.tendon import SINEW_PT_tendons

# Old and new frames of the time remapping: twice as fast, half as fast, and in between.
REMAPPED = ((100, 50), (100, 200), (90, 70))


def remap(old, new):
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = old, new


def keys_of(rig, tag, key):
    """The times and values that an element of a rig's scene states."""
    element = next(one for one in ElementTree.fromstring(stored(rig)) if one.tag == tag)
    return [
        (float(one.get("time")), [float(word) for word in one.get("value", one.get("at")).split()])
        for one in element
        if one.tag == key
    ]


def time_remapping_is_simulated():
    """What is simulated is what Blender shows in each frame, for plain keys and for smooth ones, which are sampled."""
    scene = bpy.context.scene
    rig = author_finger()
    scene.frame_start, scene.frame_end = 3, 20
    points = animation.curve(part(rig, "muscle", "Flexor Muscle"), "sinew_tendon.muscle.activation").keyframe_points

    def interpolated(way):
        for point in points:
            point.interpolation = way

    interpolated("LINEAR")
    muscle, text = part(rig, "muscle", "Flexor Muscle"), stored(rig)
    for old, new in REMAPPED:
        for way in ("LINEAR", "SINE"):
            remap(old, new)
            interpolated(way)
            element = next(one for one in ElementTree.fromstring(stored(rig)) if one.tag == "muscle")
            keys = [(0.0, [float(element.get("activation", "0"))]), *keys_of(rig, "muscle", "activation")]
            times, values = [time for time, _ in keys], [value for _, (value,) in keys]
            for frame in range(3, 21):
                scene.frame_set(frame)
                shown = muscle.evaluated_get(bpy.context.evaluated_depsgraph_get()).sinew_tendon.muscle.activation
                assert abs(np.interp((frame - 3) / 24, times, values) - shown) < 1e-6, (old, new, way, frame, shown)
    scene.frame_set(3)
    same_bits(rig)
    interpolated("LINEAR")
    remap(100, 100)
    assert stored(rig) == text


def scenes_are_read_into_remapped_time():
    """Keys lie where the remapped scene shows them at the file's times, and the file comes back as it was."""
    path = ROOT / "examples/strand/reach.xml"
    for old, new in REMAPPED:
        clean()
        scene = bpy.context.scene
        scene.frame_end = 8
        remap(100, 100)
        sinew.tendon_import(filepath=str(path))
        rig = rig_now()
        text, stated = stored(rig), keys_of(rig, "goal_place", "to")
        clean()
        remap(old, new)
        sinew.tendon_import(filepath=str(path))
        rig = rig_now()
        assert stored(rig) == text
        goal = part(rig, "goal_place", "tip")
        for time, place in stated:
            scene.frame_set(int(1 + 24 * time), subframe=(1 + 24 * time) % 1)
            x, y, z = goal.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation
            at = (x, z, -y)
            assert np.abs(np.array(at) - place).max() < 1e-4, (old, new, time, at, place)
    remap(100, 100)


def motion_becomes_keys_in_remapped_time():
    scene = bpy.context.scene
    for old, new in REMAPPED:
        clean()
        scene.frame_end = 10
        remap(old, new)
        rig, rig_object = swinging()
        played = [bent(rig_object, frame) for frame in (1, 5, 10)]
        assert np.abs(played[2] - played[0]).max() > 0.003
        assert sinew.tendon_keys() == {"FINISHED"}
        again = [bent(rig_object, frame) for frame in (1, 5, 10)]
        assert np.abs(np.array(again) - played).max() < 1e-4, (old, new)
    remap(100, 100)


def swinging():
    """A rig whose bones fall, and the armature that follows it."""
    rig_object = armature()
    rig = bodies_of(rig_object, "roots")
    assert sinew.tendon_simulate() == {"FINISHED"}
    return rig, rig_object


def bent(rig_object, frame):
    """Where the last bone begins in a frame."""
    bpy.context.scene.frame_set(frame)
    return np.array(
        rig_object.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Bone 2"].matrix.translation
    )


def frames_and_rates_that_are_not_simulated_are_reported():
    """In the panel, by the checker, and on the console in renders and in the background: once each, and no longer when
    it is simulated."""
    scene, handlers = bpy.context.scene, bpy.app.handlers
    scene.frame_start, scene.frame_end = 101, 106
    scene.frame_set(101)
    rig = author_finger()
    scene.frame_start, scene.frame_end = 101, 106
    assert sinew.tendon_simulate() == {"FINISHED"}
    render = next(handler for handler in handlers.render_init if handler.__module__ == show.__name__)

    def said():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            for frame in (106, 109, 103):
                scene.frame_set(frame)
            render(scene)
        lines = [line for line in printed.getvalue().splitlines() if "Finger" in line]
        seen = []
        SINEW_PT_tendons.draw_simulation(None, Layout(seen), bpy.context, rig)
        return lines, [text for text, _ in listed(rig) if "simulat" in text], " ".join(seen)

    assert said()[:2] == ([], []) and "imulated at" not in said()[2]
    for change, back, words in (
        ({"frame_end": 110}, {"frame_end": 106}, "only frames 101 to 106 are simulated, the others of 101 to 110"),
        ({"frame_start": 99}, {"frame_start": 101}, "the others of 99 to 106"),
        ({"fps": 60}, {"fps": 24}, "it was simulated at 24 frames per second, and the scene has 60"),
        ({"fps_base": 1.001}, {"fps_base": 1.0}, "and the scene has 23.976"),
    ):

        def set_to(values):
            for name, value in values.items():
                setattr(scene if hasattr(scene, name) else scene.render, name, value)

        set_to(change)
        lines, checked, seen = said()
        assert (
            len(lines) == 1 and words in lines[0] and len(checked) == 1 and words in checked[0] and words[1:] in seen
        ), (lines, checked, seen)
        assert said()[0] == []
        if "fps" in change:
            assert sinew.tendon_simulate() == {"FINISHED"} and said()[1] == []
        set_to(back)
        if "fps" in change:
            assert sinew.tendon_simulate() == {"FINISHED"}
    assert said()[:2] == ([], [])


if __name__ == "__main__":
    main(
        {
            case.__name__: case
            for case in (
                time_remapping_is_simulated,
                scenes_are_read_into_remapped_time,
                motion_becomes_keys_in_remapped_time,
                frames_and_rates_that_are_not_simulated_are_reported,
            )
        }
    )
