"""The package `sinew` as a wheel installs it, with numpy and nothing else; run with `python -I`. Prints a line for each
case."""

import importlib.metadata
import inspect
import os
import pathlib
import pydoc
import sys
import tempfile

import numpy as np
import sinew


def refused(part, call, *arguments, kind=sinew.Error, **places):
    try:
        call(*arguments)
    except kind as error:
        assert part in str(error), error
        assert {name: getattr(error, name) for name in places} == places, vars(error)
        return
    raise AssertionError(f"accepted; expected a refusal with {part!r}")


def strip(unit=1.0, up=sinew.UP_Y):
    """A strip of ten squares, each a metre wide, in a unit, and the same with its right half stretched."""
    points = np.array([(x, y, 0.0) for x in range(11) for y in range(2)])
    corners = np.array([(k, k + 2, k + 3, k + 1) for k in range(0, 20, 2)]).ravel()
    moved = points + np.maximum(points - 5, 0) * (0.3, 0, 0)
    uvs = points[corners, :2] / 10
    if up == sinew.UP_Z:
        points, moved = (np.stack([p[:, 0], -p[:, 2], p[:, 1]], axis=1) for p in (points, moved))
    return sinew.Mesh(points / unit, [4] * 10, corners, uvs), moved / unit


def slid(unit=1.0, up=sinew.UP_Y):
    mesh, moved = strip(unit, up)
    with sinew.Node("skin_slider", unit, up) as node:
        node.set_input("rest", mesh)
        node.set_input("fixed", [1 if k in (0, 1, 20, 21) else 0 for k in range(22)])
        node.set_param("tie_reach", 0.0)
        for frame, points in enumerate((mesh.positions, moved)):
            node.set_input("points", points)
            assert node.step(frame, frame / 24) == ("continued" if frame else "started")
        return mesh.uvs, node.read("uvs", np.float64)


def it_comes_from_the_wheel():
    home = pathlib.Path(sys.prefix).resolve()
    library = sinew.default_library().path.resolve()
    assert library.is_relative_to(pathlib.Path(sinew.__file__).resolve().parent) and library.is_relative_to(home), (
        library
    )
    there = {found.metadata["Name"] for found in importlib.metadata.distributions()}
    assert there == {"pysinew", "numpy"}, there
    about = importlib.metadata.distribution("pysinew")
    assert about.version == sinew.version() and about.metadata["License-Expression"] == "Apache-2.0"
    assert any(file.name == "py.typed" for file in about.files)
    licence = next(file for file in about.files if file.name == "LICENSE")
    assert "Apache License" in licence.read_text() and "NOTICES.txt" in about.metadata.get_all("License-File")


def everything_public_has_words_and_types():
    assert sorted(sinew.__all__) == sinew.__all__ and len(sinew.__all__) > 15
    lacking = []
    for name in sinew.__all__:
        made = getattr(sinew, name)
        if isinstance(made, int):
            continue
        members = (
            {name: made}
            if inspect.isfunction(made) or not isinstance(made, type)
            else {f"{name}.{key}": one for key, one in vars(made).items()}
        )
        for path, one in {name: made, **members}.items():
            one = (
                one.fget
                if isinstance(one, property)
                else getattr(one, "func", None) or inspect.unwrap(getattr(one, "__func__", one))
            )
            key = path.rpartition(".")[2]
            if not (inspect.isfunction(one) or one is made) or key.startswith("_"):
                continue
            if not inspect.getdoc(one):
                lacking.append(f"{path} has no words")
            if inspect.isfunction(one):
                own = [p for p in inspect.signature(one).parameters.values() if p.name not in ("self", "cls")]
                bare = [p.name for p in own if p.annotation is p.empty] + ["return"] * (
                    "return" not in one.__annotations__
                )
                lacking += [f"{path}: {p} has no type" for p in bare]
    assert not lacking, lacking
    shown = pydoc.render_doc(sinew, renderer=pydoc.plaintext)
    assert 'sinew.Node("skin_slider"' in shown and "set_input" in shown


def skin_between_two_held_ends_spreads():
    """What is stretched on one side is shared by both: in the middle, 5 m of 11.5 hold 10 * 5 / 11.5 m of skin."""
    rest, uvs = slid()
    middle = np.isclose(rest[:, 0], 0.5)
    assert np.allclose(uvs[middle, 0], 5 / 11.5, atol=1e-3) and np.allclose(uvs[:, 1], rest[:, 1], atol=1e-3), uvs[
        middle
    ]


def units_and_axes_are_said_once():
    _, metres = slid()
    for unit, up in ((0.01, sinew.UP_Y), (0.0254, sinew.UP_Z)):
        assert np.allclose(slid(unit, up)[1], metres, atol=1e-6), (unit, up)


def wrong_values_name_where():
    refused('there is no node "skin_glider": there are', sinew.Node, "skin_glider")
    mesh, moved = strip()
    with sinew.Node("skin_slider") as node:
        refused('no input port "point"', node.set_input, "point", moved, name="not_found")
        refused('no output port "uv"', node.read, "uv", name="not_found")
        refused("port points: an array of <U1", node.set_input, "points", ["a"], port="points", name="wrong_type")
        refused("rows of 3", node.set_input, "points", moved[:, :2], port="points")
        refused("parameter young: [1] where", node.set_param, "young", [1], parameter="young")
        refused("young", node.set_param, "young", -1.0, parameter="young", name="out_of_range")
        node.set_param("young", np.float32(2.0))
        assert node.param("young") == 2.0
        node.set_input("rest", mesh)
        moved[7, 1] = np.nan
        refused("", node.set_input, "points", moved, port="points", vertex=7, name="not_finite")
        refused("points", node.step, 3, 0.0, frame=3, name="missing_input")
    refused("numbers are needed", lambda: sinew.Mesh([("a",)], [], []), name="wrong_type")
    refused("line 2", sinew.Document.parse, "<muscle_set>\n<muscle", line=2)
    os.environ["SINEW_LIBRARY"] = "/none/libsinew.so"
    try:
        refused("/none/libsinew.so is missing", lambda: sinew.Library(sinew.loader.find()), kind=sinew.LibraryError)
    finally:
        del os.environ["SINEW_LIBRARY"]


def documents_are_made_saved_and_found_again():
    with tempfile.TemporaryDirectory() as folder, sinew.Document.new("strand_scene", 0.01, sinew.UP_Z) as made:
        path = pathlib.Path(folder) / "scene.xml"
        made.read().add("body", {"name": "bone", "mode": "held"}).set_place(
            "at", np.diag([1.0, 1, 1, 1]) + np.eye(4, k=3) * 7
        )
        made.save(path)
        with sinew.Document.load(path) as again:
            again.set_space(1.0, sinew.UP_Y)
            # Seven centimetres to the side.
            assert np.allclose(again.read().find("body", "bone").place(), (0.07, 0, 0))
    assert len({one.id for one in sinew.physiques()}) == len(sinew.physiques()) > 2
    assert sinew.other_side("arm_L") == "arm_R"
    assert "muscle" in sinew.document_kind("muscle_set").children


if __name__ == "__main__":
    for case in [
        made
        for name, made in list(globals().items())
        if inspect.isfunction(made) and name not in ("refused", "strip", "slid")
    ]:
        case()
        print(f"{case.__name__}: ok")
