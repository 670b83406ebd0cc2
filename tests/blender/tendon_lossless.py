"""Nothing of a rigger's is lost: simulations, files on the disk, meshes and numbers of scenes: tendon_lossless.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import bpy, main, preset, refused, rig_now, show, sinew  # noqa: E402


def the_last_simulation_is_kept():
    """However often a rig was simulated, undo, saving and opening keep the last simulation."""
    scene = bpy.context.scene
    rig = preset()
    for last in (3, 3, 6, 4):
        scene.frame_end = last
        assert sinew.tendon_simulate() == {"FINISHED"}
        assert bytes(rig[show.RESULT]) == show.result_of(rig).bytes()
    angles = show.angles(rig, 4)
    bpy.ops.ed.undo_push(message="simulated")
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.ed.undo_push(message="cube")
    bpy.ops.ed.undo()
    assert show.angles(rig_now(), 4) == angles
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rig.blend"
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    rig, scene = rig_now(), bpy.context.scene
    assert show.angles(rig, 4) == angles and len(angles) == 3
    # A result that was damaged all the same is no traceback; the checker says what to do.
    whole = bytes(rig[show.RESULT])
    for damaged in (b"PK\3\4\24", whole[: len(whole) // 2], b"", "text", 1.5):
        del rig[show.RESULT]
        rig[show.RESULT] = damaged
        show.on_undo()
        scene.frame_set(2)
        assert show.result_of(rig) is None
        sinew.tendon_check()
        assert "the saved simulation is damaged: simulate again" in [p.message for p in rig.sinew_tendons.problems]
        refused(sinew.tendon_keys, "damaged: simulate again")
    assert sinew.tendon_simulate() == {"FINISHED"} and show.angles(rig, 4) == angles


def main_cases():
    helpers = {"main_cases"}
    return {n: c for n, c in globals().items() if getattr(c, "__module__", "") == "__main__" and n not in helpers}


if __name__ == "__main__":
    main(main_cases())
