"""The one list of what users can do. Menu, shelf and marking menu are made from it; a test keeps other lists out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sinew_maya import actions, authoring, scene
from sinew_maya.problems import Problem
from sinew_maya.scene import Needs


@dataclass(frozen=True)
class Action:
    id: str
    title: str
    tooltip: str
    #: On the shelf's icon: up to five letters.
    icon: str
    command: Callable[..., Any]
    #: The command of the plug-in that it calls; empty where it calls none.
    uses: str
    needs: Needs
    #: Entries of a section stand together.
    section: str
    #: The direction on the marking menu; empty for one that is in its list.
    direction: str = ""
    #: Whether it changes the scene.
    undoable: bool = True


ACTIONS = (
    Action(
        "slide",
        "Add Sliding Skin",
        "Lets the skin of the selected meshes slide over the body: the shape stays, textures move.",
        "Slide",
        actions.add_sliding_skin,
        "sinewCreate",
        scene.MESH,
        "Skin",
        "N",
    ),
    Action(
        "paint",
        "Paint Map...",
        "Paints where skin is held, how thick and how stiff it is.",
        "Paint",
        actions.paint_map,
        "",
        scene.PAINTABLE,
        "Skin",
        "E",
        undoable=False,
    ),
    Action(
        "mirror",
        "Mirror Map...",
        "Copies a painted map from the side of positive x to the side of negative x.",
        "Mirr",
        actions.mirror_map,
        "sinewMirrorMap",
        scene.PAINTABLE,
        "Skin",
        "NE",
    ),
    Action(
        "copy",
        "Copy to Another Character",
        "Copies the nodes of the mesh that was selected first, with their maps, to the others.",
        "Copy",
        actions.copy_to_character,
        "sinewCopy",
        scene.TWO_MESHES,
        "Skin",
    ),
    Action(
        "remove",
        "Remove from Body",
        "Takes the selected nodes of Sinew from their bodies, which are then as they were before.",
        "Remov",
        actions.remove_from_body,
        "sinewRemove",
        scene.NODE,
        "Skin",
    ),
    Action(
        "solve",
        "Solve Missing Frames",
        "Computes the missing frames up to the end of the time slider. Esc stops it; what is computed is kept.",
        "Solve",
        actions.solve,
        "sinewSolve",
        scene.NODE,
        "Frames",
        "S",
        undoable=False,
    ),
    Action(
        "bake",
        "Bake to Alembic...",
        "Solves what is missing and writes the result to an Alembic file, with UVs for every frame.",
        "Bake",
        actions.bake,
        "sinewBake",
        scene.NODE,
        "Frames",
        "SE",
        undoable=False,
    ),
    Action(
        "bake_keys",
        "Bake UVs to Keys",
        "Puts keys on the sliding UVs, which play without Sinew; the node stays and can be switched back to.",
        "Keys",
        actions.bake_keys,
        "sinewBake",
        scene.NODE,
        "Frames",
    ),
    Action(
        "switch",
        "Switch Node and Result",
        "Shows the node of the selected mesh again, or the keys or results that stand for it.",
        "Swtch",
        actions.switch,
        "sinewSwitch",
        scene.MESH,
        "Frames",
    ),
    Action(
        "show",
        "Show in the View...",
        "Draws an output over the body: stretch, tension, tendons, muscles.",
        "Show",
        actions.show_output,
        "sinewShow",
        scene.NODE,
        "Frames",
        "SW",
    ),
    Action(
        "export",
        "Export a Job for the Farm...",
        "Writes a folder that “sinew run” computes on the farm, without Maya.",
        "Job",
        actions.export_job,
        "sinewExportJob",
        scene.NODE,
        "Farm",
        undoable=False,
    ),
    Action(
        "import",
        "Import a Job's Results...",
        "Puts what the farm computed beside the selected mesh, or onto it in the place of its node.",
        "Get",
        actions.import_results,
        "sinewImportResults",
        scene.MESH_OR_NODE,
        "Farm",
    ),
    Action(
        "bodies",
        "Bodies from Joints",
        "Makes a bone of each selected joint; the first of each chain follows its joint, and tendons move the others.",
        "Bones",
        authoring.bodies_from_joints,
        "sinewTendon",
        scene.JOINTS,
        "Tendons",
    ),
    Action(
        "tendon",
        "Draw Tendons on Curves",
        "Makes a tendon of each selected curve: its ends are fixed, and it slides through the points between.",
        "Tendn",
        authoring.draw_tendons,
        "sinewTendon",
        scene.CURVES,
        "Tendons",
    ),
    Action(
        "mirror_tendons",
        "Mirror Tendons",
        "Adds the tendons and bones of the other side.",
        "MirrT",
        authoring.mirror_tendons,
        "sinewTendon",
        scene.ALWAYS,
        "Tendons",
    ),
    Action(
        "tendon_curves",
        "Tendon Curves",
        "Makes a NURBS curve of each tendon, which follows it: for sweeps, Paint Effects and rigs.",
        "Curvs",
        authoring.tendon_curves,
        "sinewTendon",
        scene.ALWAYS,
        "Tendons",
    ),
    Action(
        "save_tendons",
        "Save Tendons...",
        "Writes the tendons to a file, which the node reads from then on.",
        "SaveT",
        authoring.save_tendons,
        "sinewTendon",
        scene.ALWAYS,
        "Tendons",
    ),
    Action(
        "muscle_skin",
        "Add Muscle Skin",
        "Lets the skin of the selected meshes follow joints and muscles.",
        "MSkin",
        authoring.add_muscle_skin,
        "sinewCreate",
        scene.MESH,
        "Muscles",
    ),
    Action(
        "muscle",
        "Add Muscle",
        "Makes a muscle from the first selected joint to the second, as large as fits under the skin.",
        "Muscl",
        authoring.add_muscle,
        "sinewMuscles",
        scene.TWO_JOINTS,
        "Muscles",
    ),
    Action(
        "fit",
        "Fit Muscles of a Human",
        "Makes all muscles of a human on the joints of the skin, and replaces any that are there already.",
        "Human",
        authoring.fit_muscles,
        "sinewMuscles",
        scene.ALWAYS,
        "Muscles",
    ),
    Action(
        "mirror_muscles",
        "Mirror Muscles",
        "Adds the muscles that are missing on the other side.",
        "MirrM",
        authoring.mirror_muscles,
        "sinewMuscles",
        scene.ALWAYS,
        "Muscles",
    ),
    Action(
        "range",
        "Test Range of Motion",
        "Turns each joint through its range and says where muscles flip, collide or jump.",
        "Range",
        authoring.test_range,
        "sinewMuscles",
        scene.ALWAYS,
        "Muscles",
        undoable=False,
    ),
    Action(
        "check",
        "Check",
        "Says what is wrong with the selected nodes, or with all, and selects where it is.",
        "Check",
        actions.check,
        "sinewCheck",
        scene.ALWAYS,
        "Help",
        "W",
        undoable=False,
    ),
)


def find(action: str) -> Action:
    for one in ACTIONS:
        if one.id == action:
            return one
    known = ", ".join(one.id for one in ACTIONS)
    raise Problem(f"There is no action “{action}”: there are {known}.")


def sections() -> list[str]:
    return list(dict.fromkeys(one.section for one in ACTIONS))
