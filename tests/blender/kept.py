"""Computed frames outlive a change of settings, its undo, and the session; and none is shown as computed that is not.
kept.py ZIP CASE..."""

import contextlib
import io
import os
import pathlib
import shutil
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import layers
import support as s

FRAMES = range(1, 10)


def jelly(folder=None):
    """A thick, short tube that is bent fast, off the origin, with skin that swings: every frame depends on all before
    it."""
    ob = s.tube(around=16, along=18, length=3.0)
    rig = s.armature(ob, length=3.0, frames=(1, 9), angle=-1.4)
    rig.location, ob.location = (2, 1, -3), (2, 1, -3)
    item = s.slide(ob)
    item.of_skin_slider.param_mode = "dynamic"
    bpy.context.scene.frame_end = FRAMES[-1]
    update()
    played = {frame: values.copy() for frame, values in s.play(ob, FRAMES).items()}
    if folder is not None:
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    return ob, item, played


def update():
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()


def known(ob, index=0):
    return s.part("bridge.runtime").known(ob, ob.sinew.nodes[index], bpy.context.scene)


def from_scratch(ob, frame):
    s.select(ob)
    assert bpy.ops.sinew.forget() == {"FINISHED"}
    return s.play(ob, range(1, frame + 1))[frame].copy()


def one_step(ob, item, state):
    """The UVs that the library computes of the scene's frame, as it is now, from a state."""
    frame, gather, node, host = (
        s.part(name) for name in ("bridge.frame", "bridge.gather", "sinew.node", "bridge.host")
    )
    here = frame.Frame(ob, item, bpy.context.scene, bpy.context.evaluated_depsgraph_get())
    kind, scene = here.kind, bpy.context.scene
    with node.Node(kind, library=host.library()) as alone:
        alone.set_lean(True)
        alone.set_restart(False)
        alone.set_space(1.0, 1)
        alone.set_start(1 / 24)
        moving, params, *_ = here.read_moving()
        for port, value in (gather.gather(here.here, moving=False) | moving).items():
            alone.set_input(port, value)
        alone.load_state(state)
        for name, value in params.items():
            alone.set_param(name, value)
        alone.step(scene.frame_current, scene.frame_current / 24)
        return alone.read("uvs").ravel()


def steps_of(do):
    """How many frames the library computes meanwhile."""
    made = s.part("sinew.node").Node
    step, count = made.step, []
    made.step = lambda self, *when: (count.append(when), step(self, *when))[1]
    try:
        do()
    finally:
        made.step = step
    return len(count)


def frames_outlive_a_change_of_settings():
    ob, item, played = jelly()
    settings = item.of_skin_slider
    before = settings.param_young
    s.go_to(6)
    state = known(ob).timeline.state_before(6)
    for value in (2e3, 1e5):
        settings.param_young = value
        update()
        now = s.uvs(ob).copy()
        assert s.state(ob)[0] == "preview" and not np.array_equal(now, played[6]), s.state(ob)
        assert np.array_equal(now, one_step(ob, item, state)), "the frame has the new value at once"
    # The others are there, and say that they are of before; so does the preview, when it is seen again.
    for frame in (7, 9, 2):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            bpy.context.scene.frame_set(frame)
        update()
        assert s.state(ob)[0] == "outdated" and "out of date" in s.state(ob)[1], s.state(ob)
        said = printed.getvalue()
        assert (
            f"frame {frame} is shown as computed before the change" in said and "has not been computed" not in said
        ), said
        assert np.array_equal(s.uvs(ob), played[frame]) and np.array_equal(s.evaluated_uvs(ob), played[frame])
    bpy.context.scene.frame_set(6)
    update()
    assert s.state(ob)[0] == "preview" and np.array_equal(s.uvs(ob), now)
    s.go_to(9)
    assert s.state(ob)[0] == "computed"
    after = {frame: values.copy() for frame, values in s.play(ob, FRAMES).items()}
    assert np.array_equal(after[9], from_scratch(ob, 9)) and not np.array_equal(after[9], played[9])
    # Back to the first value: those were forgotten by hand. To the second: nothing is computed again, in whatever
    # frame.
    settings.param_young = before
    update()
    s.go_to(9)
    settings.param_young = value
    update()
    assert steps_of(lambda: [bpy.context.scene.frame_set(frame) for frame in (9, 3, 1, 8)]) == 0
    assert (
        known(ob).timeline.frames() == list(FRAMES)
        and s.state(ob)[0] == "computed"
        and np.array_equal(s.uvs(ob), after[8])
    )


def an_edit_of_the_motion_meanwhile_is_noticed():
    """While frames wait for their settings, the body is moved otherwise: with the settings of before they do not hold
    any longer."""
    ob, item, played = jelly()
    s.go_to(9)
    item.of_skin_slider.param_young = 1e5
    update()
    bone = bpy.data.objects["Rig"].pose.bones["upper"]
    bone.rotation_euler = (0, 1, 0)
    bone.keyframe_insert("rotation_euler", frame=4)
    update()
    item.of_skin_slider.param_young = 3e4
    update()
    bpy.context.scene.frame_set(9)
    assert s.state(ob)[0] == "outdated" and np.array_equal(s.uvs(ob), played[9]), s.state(ob)
    bpy.context.scene.frame_set(6)
    assert s.state(ob)[0] != "computed", "its motion is another"
    s.go_to(9)
    caught_up = s.uvs(ob).copy()
    assert not np.array_equal(caught_up, played[9]) and np.array_equal(caught_up, from_scratch(ob, 9))


def maps_that_are_painted_and_undone():
    ob, _, played = jelly()
    s.select(ob)
    assert bpy.ops.sinew.paint(port="hold") == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    update()
    s.go_to(9)
    bpy.ops.ed.undo_push(message="before")
    bpy.data.objects["Body"].vertex_groups.active.add(list(range(100)), 0.8, "REPLACE")
    bpy.data.objects["Body"].data.update()
    update()
    assert s.state(bpy.data.objects["Body"])[0] == "preview", s.state(bpy.data.objects["Body"])
    bpy.context.scene.frame_set(5)
    assert s.state(bpy.data.objects["Body"])[0] == "outdated" and np.array_equal(
        s.uvs(bpy.data.objects["Body"]), played[5]
    )
    bpy.context.scene.frame_set(9)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    update()
    ob = bpy.data.objects["Body"]
    # A vertex group might move the body in other frames: that is looked at, and nothing is computed.
    assert s.state(ob)[0] in ("computed", "outdated") and np.array_equal(s.uvs(ob), played[9]), s.state(ob)
    assert (
        steps_of(lambda: s.go_to(9)) == 0 and s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), played[9])
    ), s.state(ob)


def what_follows_from_a_preview_is_none_that_is_computed():
    """Skin over muscles, whose frames wait for new settings: the skin there is computed from muscles that are out of
    date."""
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    settings = layers.with_muscles(ob).of_muscle_skin
    for frame in range(1, 9):
        s.go_to(frame)
        assert {s.state(ob, k)[0] for k in (0, 1)} == {"computed"}
    before = s.uvs(ob).copy()
    settings.param_muscles = settings.param_muscles.replace('size="', 'girth="1.6" size="')
    update()
    assert {s.state(ob, k)[0] for k in (0, 1)} == {"preview"}, (s.state(ob), s.state(ob, 1))
    for frame in (7, 4):
        bpy.context.scene.frame_set(frame)
        assert {s.state(ob, k)[0] for k in (0, 1)} == {"outdated"}, (s.state(ob), s.state(ob, 1))
    bpy.context.scene.frame_set(8)
    s.go_to(8)
    after = s.uvs(ob).copy()
    assert {s.state(ob, k)[0] for k in (0, 1)} == {"computed"} and not np.array_equal(after, before)
    assert np.array_equal(after, from_scratch(ob, 8))


def opened(path):
    bpy.ops.wm.open_mainfile(filepath=str(path))
    update()
    return bpy.data.objects["Body"]


def files_open_with_their_frames(folder):
    """Shown at once as they were saved; computed once Catch Up has found that everything before them holds, which
    computes nothing."""
    ob, _, played = jelly()
    s.go_to(8)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    assert sorted(os.listdir(folder)) == ["shot.blend", "shot.sinewframes"]
    written = os.stat(f"{folder}/shot.sinewframes")
    bpy.ops.wm.save_mainfile()
    assert os.stat(f"{folder}/shot.sinewframes").st_mtime_ns == written.st_mtime_ns, (
        "the same frames are not written again"
    )

    def look():
        again = opened(f"{folder}/shot.blend")
        assert s.state(again)[0] == "outdated" and "when the file was saved" in s.state(again)[1], s.state(again)
        assert np.array_equal(s.uvs(again), played[8])
        bpy.context.scene.frame_set(3)
        assert s.state(again)[0] == "outdated" and np.array_equal(s.uvs(again), played[3]), s.state(again)
        # Saved before anything is checked, they stay.
        bpy.ops.wm.save_mainfile()
        bpy.context.scene.frame_set(9)
        s.go_to(9)
        assert s.state(again)[0] == "computed" and np.array_equal(s.uvs(again), played[9]), s.state(again)

    assert steps_of(look) == 0
    # Further frames go on from them, with the same bits.
    bpy.context.scene.frame_end = 11
    ob = bpy.data.objects["Body"]
    last = s.play(ob, (10, 11))[11].copy()
    assert np.array_equal(last, from_scratch(ob, 11))
    # What is discarded is gone, and with it the file; a file with other frames is somebody else's.
    bpy.context.scene.frame_set(7)
    bpy.ops.sinew.forget()
    bpy.ops.wm.save_mainfile()
    assert "shot.sinewframes" not in os.listdir(folder)
    pathlib.Path(f"{folder}/shot.sinewframes").write_text("my frames")
    s.go_to(7)
    bpy.ops.wm.save_mainfile()
    assert (
        pathlib.Path(f"{folder}/shot.sinewframes").read_text() == "my frames"
        and "is a file already" in s.part("bridge.kept").problem()
    )
    assert not [name for name in os.listdir(folder) if name.endswith(".part")]


def frames_of_another_version_are_not_taken_for_computed(folder):
    """Beside the file lie the frames of one with other settings, or another motion; or a file that is broken."""
    ob, item, played = jelly(folder)
    shot, frames, kept = (pathlib.Path(folder) / name for name in ("shot.blend", "shot.sinewframes", "kept"))
    shutil.copy(frames, kept)
    item.of_skin_slider.param_young = 9e4
    bpy.ops.wm.save_mainfile()
    shutil.copy(kept, frames)
    ob = opened(shot)
    assert (
        s.state(ob)[0] == "outdated" and "other settings" in s.state(ob)[1] and np.array_equal(s.uvs(ob), played[9])
    ), s.state(ob)
    s.go_to(9)
    stiff = s.uvs(ob).copy()
    assert not np.array_equal(stiff, played[9]) and np.array_equal(stiff, from_scratch(ob, 9))
    # The frame that is shown has the motion of before; those that lead to it have not.
    ob.sinew.nodes[0].of_skin_slider.param_young = 3e4
    bone = bpy.data.objects["Rig"].pose.bones["upper"]
    bone.rotation_euler = (0, 1, 0)
    bone.keyframe_insert("rotation_euler", frame=4)
    bpy.context.scene.frame_set(9)
    bpy.ops.wm.save_mainfile()
    shutil.copy(kept, frames)
    ob = opened(shot)
    assert s.state(ob)[0] == "outdated" and np.array_equal(s.uvs(ob), played[9]), s.state(ob)
    s.go_to(9)
    moved = s.uvs(ob).copy()
    assert not np.array_equal(moved, played[9]) and np.array_equal(moved, from_scratch(ob, 9))
    whole = kept.read_bytes()
    for broken in (
        b"",
        b"nonsense",
        whole[: len(whole) // 2],
        whole[: len(whole) // 3] + bytes(5000) + whole[len(whole) // 3 + 5000 :],
    ):
        frames.write_bytes(broken)
        ob = opened(shot)
        bpy.context.scene.frame_set(9)
        assert s.state(ob)[0] in ("missing", "outdated"), s.state(ob)
        s.go_to(9)
        assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), moved)


def a_moving_body_opens_with_its_frames(folder):
    """Its skin is at rest where the motion begins, which is another place than that of the frame in which the file is
    opened."""
    ob, _, _ = jelly()
    for frame, x in ((1, 0), (9, 4)):
        ob.location.x = x
        ob.keyframe_insert("location", frame=frame)
    s.go_to(1)
    played = {frame: values.copy() for frame, values in s.play(ob, FRAMES).items()}
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")

    def look():
        again = opened(f"{folder}/shot.blend")
        assert s.state(again)[0] == "outdated" and np.array_equal(s.uvs(again), played[9]), s.state(again)
        s.go_to(9)
        assert s.state(again)[0] == "computed" and np.array_equal(s.uvs(again), played[9]), s.state(again)

    assert steps_of(look) == 0


def files_that_are_not_saved_leave_nothing_behind(folder):
    """Nor do copies, nor bakes, nor those whose user wants none; and no more than the limit is kept, from the first
    frame on."""
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    preferences = bpy.context.preferences.addons[s.ADDON].preferences
    ob, item, played = jelly()
    s.go_to(5)
    # Others have files of their own there meanwhile.
    left = [name for name in os.listdir(bpy.app.tempdir) if "sinewframes" in name]
    assert not bpy.data.filepath and not left, (bpy.data.filepath, left)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/copy.blend", copy=True)
    assert os.listdir(folder) == ["copy.blend"]
    preferences.kept = 0
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    assert sorted(os.listdir(folder)) == ["copy.blend", "shot.blend"]
    preferences.kept = 512
    kept = s.part("bridge.kept")
    whole, limit = sum(entry.size() for _, _, entry in known(ob).timeline.valid()), kept.limit
    kept.limit = lambda: whole // 2
    bpy.ops.wm.save_mainfile()
    kept.limit = limit
    assert os.path.getsize(f"{folder}/shot.sinewframes") < 0.7 * whole
    ob = opened(f"{folder}/shot.blend")
    bpy.context.scene.frame_set(2)
    assert s.state(ob)[0] == "outdated"
    bpy.context.scene.frame_set(9)
    assert s.state(ob)[0] == "missing"
    assert 0 < steps_of(lambda: s.go_to(9)) < len(FRAMES) and np.array_equal(s.uvs(ob), played[9])
    bpy.context.scene.frame_set(1)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    bpy.ops.wm.save_mainfile()
    assert "shot.sinewframes" not in os.listdir(folder), os.listdir(folder)


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
