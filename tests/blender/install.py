"""The zip in a real Blender, a step for each start of it: install.py ZIP STEP, with BLENDER_USER_RESOURCES for all
steps."""

import importlib.util
import pathlib
import subprocess
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

from nodes import Layout


def enabled():
    return s.ADDON in bpy.context.preferences.addons


def validate():
    import addon_utils

    tool = pathlib.Path(addon_utils.__file__).parents[1] / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    found = subprocess.run([sys.executable, tool, "validate", sys.argv[1]], capture_output=True, text=True)
    assert found.returncode == 0 and "Success" in found.stdout, found.stdout + found.stderr


def install():
    s.install(sys.argv[1])
    assert enabled() and s.part("bridge.host").problem() == ""
    bpy.ops.wm.save_userpref()


def start_again():
    """Reads the preferences, as a start does. As a module, Blender 4.2 crashes at that, whatever it has installed:
    there the add-on is turned on from where it was installed."""
    import addon_utils

    if bpy.app.version >= (4, 3):
        bpy.ops.wm.read_userpref()
    addon_utils.enable("bl_pkg")
    if bpy.app.version < (4, 3):
        addon_utils.enable(s.ADDON, default_set=True)


def restarted():
    start_again()
    assert enabled(), "it is there after a restart"
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    s.play(ob, range(1, 4))


def uninstall():
    start_again()
    folder = pathlib.Path(importlib.util.find_spec(s.ADDON).origin).parent
    repos = bpy.context.preferences.extensions.repos
    index = next(k for k, repo in enumerate(repos) if repo.module == "user_default")
    assert bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="sinew") == {"FINISHED"}
    assert not enabled() and not folder.exists() and not hasattr(bpy.types.Object, "sinew")
    assert not [
        h
        for hs in (bpy.app.handlers.frame_change_post, bpy.app.handlers.load_post)
        for h in hs
        if "sinew" in h.__module__
    ]


def other_library():
    """The zip has a library of another version of the interface inside."""
    s.install(sys.argv[1])
    problem = s.part("bridge.host").problem()
    assert "has version 2.0" in problem and "same release" in problem, problem
    s.select(s.tube())
    s.refused("has version 2.0", bpy.ops.sinew.skin_add)
    s.refused("has version 2.0", bpy.ops.sinew.node_add, kind="skin_slider")
    # What tendon rigs hold is described by the library, so that there are none; their panel says why, and nothing
    # fails.
    tendon, seen = s.part("ui.tendon"), []
    drawn = {name: made for name, made in vars(tendon.SINEW_PT_tendons).items() if name.startswith("draw")}
    type("Drawn", (), {**drawn, "layout": Layout(seen)})().draw(bpy.context)
    assert "has version 2.0" in " ".join(seen), seen
    panels = [one for one in tendon.CLASSES if hasattr(one, "bl_parent_id") and one.bl_parent_id == "SINEW_PT_tendons"]
    assert len(panels) > 3 and not any(one.poll(bpy.context) for one in panels)
    assert not s.part("ui.tendon_gizmos").SINEW_GGT_tendon_guide.poll(bpy.context)
    s.part("ui.tendon_overlay").draw()


def updated():
    """Another zip over the one that runs: its library takes over at once, and so does that of the first again."""
    s.install(sys.argv[1])
    assert "has version 2.0" in s.part("bridge.host").problem(), s.part("bridge.host").problem()
    s.install(sys.argv[3])
    assert s.part("bridge.host").problem() == "", s.part("bridge.host").problem()
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    s.play(ob, range(1, 4))
    s.install(sys.argv[1])
    assert "has version 2.0" in s.part("bridge.host").problem(), s.part("bridge.host").problem()
    s.install(sys.argv[3])
    s.select(bpy.data.objects["Body"])
    s.play(bpy.data.objects["Body"], range(1, 4))


if __name__ == "__main__":
    s.finish(lambda: globals()[sys.argv[2]]())
