"""What edits of Blender's own, and of numbers in panels, do to rigs: tendon_edits.py ZIP SINEW [CASE...]"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import ROOT, bpy, chosen, clean, main, props, show, sinew, stored  # noqa: E402
from mathutils import Matrix  # noqa: E402, there once bpy is


def reach(unit=1.0):
    """The arm of cuboids, in a scene of that unit in metres: the rig and its bodies by name."""
    bpy.context.scene.unit_settings.scale_length = unit
    assert sinew.tendon_import(filepath=str(ROOT / "examples/strand/reach.xml")) == {"FINISHED"}
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    return rig, {part.name: part for part in props.parts(rig, "body")}


def lines(rig):
    """What the checker says."""
    chosen(props.parts(rig, "body")[0])
    assert sinew.tendon_check() == {"FINISHED"}
    return [problem.message for problem in rig.sinew_tendons.problems]


def corners(mesh):
    mesh.update()
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def cuboids_are_drawn_as_they_are_simulated():
    """Whatever the unit and the place: a new Size draws the mesh anew; what a user modelled, and other bodies, stay."""
    for unit, how in ((0.01, "object"), (1.0, "shared"), (1.0, "edit"), (1.0, "object")):
        clean()
        rig, made = reach(unit)
        upper, fore = made["upper"], made["fore"]
        upper.matrix_world = place = Matrix.Translation((3, -2, 1000)) @ Matrix.Rotation(1, 4, (1, 2, 3))
        upper.data.materials.append(bpy.data.materials.new("Bone"))
        if how == "shared":
            fore.data = upper.data
        elif how == "edit":
            chosen(upper)
            bpy.ops.object.mode_set(mode="EDIT")
        before = corners(fore.data)
        upper.sinew_tendon.body.cuboid.size = (0.5, 0.02, 0.07)
        if how == "edit":
            bpy.ops.object.mode_set(mode="OBJECT")
        assert np.allclose(np.ptp(corners(upper.data), axis=0) * unit, (0.5, 0.02, 0.07)), (unit, how)
        assert np.abs(corners(upper.data).mean(axis=0)).max() < 1e-6 and list(upper.data.materials) == [bpy.data.materials["Bone"]]
        bpy.context.view_layer.update()
        assert np.allclose(upper.matrix_world, place, atol=1e-4), (upper.matrix_world, place)
        assert np.array_equal(corners(fore.data), before)
        assert 'cuboid size="0.5 0.02 0.07"' in stored(rig)
        if how != "shared":
            assert not any("cuboid" in line for line in lines(rig)), lines(rig)
    # One number, then back.
    upper.sinew_tendon.body.cuboid.size[1] = 0.3
    assert np.isclose(np.ptp(corners(upper.data)[:, 1]), 0.3)
    # What Blender's own edits leave drawn otherwise is told, and drawn anew with the next Size.
    for edit, words in (
        (Matrix.Diagonal((2, 1, 1, 1)), "its mesh is a cuboid of 1 0.3 0.07, but it is simulated with its Size, 0.5 0.3 0.07: set the Size"),
        (Matrix.Translation((0, 0.1, 0)), "its cuboid is simulated around its origin, but drawn away from it"),
    ):
        upper.data.transform(edit)
        assert [words in line for line in lines(rig) if "cuboid" in line] == [True], lines(rig)
        upper.sinew_tendon.body.cuboid.size[0] = 0.4
        upper.sinew_tendon.body.cuboid.size[0] = 0.5
        assert not any("cuboid" in line for line in lines(rig)), lines(rig)
    # A mesh that a user modelled: with a corner moved, or made as Blender makes cubes.
    upper.data.vertices[0].co.x -= 0.01
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    cube = bpy.context.object
    chosen(cube)
    bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children[rig.name]
    assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
    cube.sinew_tendon.body.use_shape, cube.sinew_tendon.body.use_cuboid = False, True
    for part in (upper, cube):
        before = corners(part.data)
        part.sinew_tendon.body.cuboid.size = (1, 2, 3)
        assert np.array_equal(corners(part.data), before)
    assert not any("cuboid" in line for line in lines(rig)), lines(rig)


if __name__ == "__main__":
    main({case.__name__: case for case in (cuboids_are_drawn_as_they_are_simulated,)})
