"""Scenes as files, presets, and the other side of a rig."""

import pathlib
import tempfile

import bpy
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...bridge import host
from ...bridge.tendon import animation, load, store
from ...core import strand_run
from ...core.timeline import fingerprint
from ...sinew import UP_Z
from ...sinew.document import Document
from ...sinew.loader import Error
from . import bodies, check, sides

PRESETS = pathlib.Path(__file__).parents[2] / "presets"
# Where a rig keeps the hashes of the files that were exported beside its scenes.
EXPORTED = "sinew_tendon_exported"
# Follows the name of a mirrored rig whose name has no side.
MIRRORED = " Mirrored"
ITEMS = [
    ("finger", "Index Finger", "A finger with its bones, tendons and muscles"),
    ("hand", "Hand", "Four such fingers side by side"),
]


def absolute(filepath):
    """A path as operators are given it, which may begin at the folder of the .blend file."""
    if filepath.startswith("//") and not bpy.data.filepath:
        raise ValueError(
            f"{filepath} is relative to the .blend file, which has no folder yet: save it first, or give a whole path"
        )
    return pathlib.Path(bpy.path.abspath(filepath))


class LoadsRig:
    """An operator that makes a rig from files."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            rig = self.rig(context)
        except (ValueError, OSError, Error) as error:
            self.report({"ERROR"}, f"{self.source()}: {getattr(error, 'strerror', None) or error}")
            return {"CANCELLED"}
        context.view_layer.update()
        bodies.make_active(context, rig)
        return {"FINISHED"}


class SINEW_OT_tendon_import(LoadsRig, bpy.types.Operator, ImportHelper):
    """Load a scene of strands (XML), with the meshes that it names"""

    bl_idname, bl_label = "sinew.tendon_import", "Import Strand Scene"

    filename_ext = ".xml"
    filter_glob: bpy.props.StringProperty(default="*.xml", options={"HIDDEN"})

    def source(self):
        return self.filepath

    def rig(self, context):
        return load.load_file(absolute(self.filepath), context.scene)


class SINEW_OT_tendon_preset(LoadsRig, bpy.types.Operator):
    """Load a rig that comes with Sinew"""

    bl_idname, bl_label = "sinew.tendon_preset", "Load Preset"

    preset: bpy.props.EnumProperty(name="Preset", description="Which rig", items=ITEMS)

    def source(self):
        return self.preset

    def rig(self, context):
        rig = load.load_file(PRESETS / self.preset / f"{self.preset}.xml", context.scene)
        rig.name = dict((key, title) for key, title, _ in ITEMS)[self.preset]
        return rig


def mirrored(files, axis, name, scene):
    """The rig of a stored scene on the other side."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        strand_run.write_files(folder, files)
        with Document.load(folder / "scene.xml", library=host.library()) as document:
            document.set_space(animation.metres(scene), UP_Z)
            document.mirror("xyz".index(axis))
            (folder / "other").mkdir()
            document.save(folder / "other" / "scene.xml")
        return load.load_file(folder / "other" / "scene.xml", scene, name)


class SINEW_OT_tendon_mirror(LoadsRig, bpy.types.Operator):
    """Make the other side of the rig: mirrored at the world's origin, with left and right swapped in names"""

    bl_idname, bl_label = "sinew.tendon_mirror", "Mirror Rig"

    axis: bpy.props.EnumProperty(
        name="Axis",
        description="The axis along which the rig is mirrored",
        items=[(a, a.upper(), f"Swap the two sides of {a} = 0") for a in "xyz"],
    )

    @classmethod
    def poll(cls, context):
        return check.active_rig(context) is not None

    def source(self):
        return "mirror"

    def rig(self, context):
        rig = check.active_rig(context)
        stored = store.store(rig, context.scene)
        for element in stored.root.elements("armature"):
            raise ValueError(
                f"{element.get('file')} leads bodies of {rig.name}, and animations are not mirrored in Blender: export "
                "the rig, mirror the scene with `sinew strand SCENE.xml --mirror AXIS --write MIRRORED.xml`, whose "
                "axes are those of the file, and import that"
            )
        name = sides.other_side(rig.name)
        if name == rig.name:
            name = name.removesuffix(MIRRORED) if name.endswith(MIRRORED) else name + MIRRORED
        made = mirrored(stored.files, self.axis, name, context.scene)
        if trouble := sides.bind(rig, made):
            self.report({"WARNING"}, trouble)
        return made


class SINEW_OT_tendon_export(check.OfRig, bpy.types.Operator, ExportHelper):
    """Write the rig as a strand scene (XML), with its meshes beside it: the command line computes bit-identical results
    from it"""

    bl_idname, bl_label = "sinew.tendon_export", "Export Strand Scene"

    filename_ext = ".xml"
    filter_glob: bpy.props.StringProperty(default="*.xml", options={"HIDDEN"})
    overwrite: bpy.props.BoolProperty(
        name="Overwrite",
        description="Replace files beside the scene, such as meshes, that are not an export of this rig",
    )

    def on_rig(self, context, rig):
        path = absolute(self.filepath)
        if path.is_dir():
            raise ValueError(f"{path} is a folder: add a file's name")
        if not path.parent.is_dir():
            raise ValueError(f"there is no folder {path.parent}: make it, or choose another")
        stored = store.store(rig, context.scene, path.name)
        wrong = [message for error, message, *_ in stored.problems if error]
        if wrong:
            raise ValueError(wrong[0])
        beside = {name: data for name, data in stored.files.items() if name != path.name}
        if not self.overwrite:
            self.keep_others(path.parent, beside, rig)
        strand_run.write_files(path.parent, stored.files)
        written = {fingerprint(data).hex() for data in beside.values()}
        rig[EXPORTED] = " ".join(sorted(written.union(rig.get(EXPORTED, "").split())))
        self.report({"INFO"}, f"{path.name} and {len(beside)} files beside it")

    @staticmethod
    def keep_others(folder, files, rig):
        """Refuses to replace files that the rig did not export, or that were changed since."""
        own = set(rig.get(EXPORTED, "").split())
        for name, data in files.items():
            path = folder / name
            there = path.read_bytes() if path.is_file() else data
            if there != data and fingerprint(there).hex() not in own:
                raise ValueError(
                    f"{path} is there already and is not an export of this rig: choose another folder,"
                    " or tick Overwrite to replace it"
                )


CLASSES = (
    SINEW_OT_tendon_import,
    SINEW_OT_tendon_preset,
    SINEW_OT_tendon_mirror,
    SINEW_OT_tendon_export,
)
