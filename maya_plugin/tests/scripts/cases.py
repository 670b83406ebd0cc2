"""What the cases share: a fresh world with the scripts imported anew, and refusals."""

import importlib
import pathlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from plugged import SCRIPTS, PlugIn
from stubs import Stubs
from world import World

sys.path.insert(0, str(SCRIPTS))
#: Set by run.py.
STUBS: list[Stubs] = []
TOOLS: list[pathlib.Path] = []
DESCRIPTIONS: list[str] = []
#: A built plug-in and its library, or nothing.
PLUGINS: list[pathlib.Path] = []


class Scene:
    """A world with the plug-in, and the scripts' modules of that world."""

    def __init__(self, description: str = "", **state: Any):
        self.world = World(STUBS[0])
        for name, value in state.items():
            setattr(self.world, name, value)
        self.plug = PlugIn(self.world, description or DESCRIPTIONS[0])
        self.world.install()
        for name in [one for one in sys.modules if one.partition(".")[0] == "sinew_maya"]:
            del sys.modules[name]
        self.sinew = importlib.import_module("sinew_maya")

    def load(self) -> None:
        """As when the plug-in is loaded and Maya is idle afterwards."""
        self.sinew.load()
        self.world.idle()

    def part(self, name: str) -> ModuleType:
        return importlib.import_module(f"sinew_maya.{name}")

    def character(self, name: str = "body", skinned: bool = True, slides: bool = False) -> str:
        """A mesh, selected."""
        history = (f"{name}_skin",) if skinned else ()
        if skinned:
            self.world.nodes[f"{name}_skin"] = "skinCluster"
        mesh = self.world.add_mesh(name, history)
        if slides:
            self.world.add_node(f"{name}_slider", "sinewSkinSlider", mesh)
        self.world.selection = [mesh]
        return mesh


def refused(part: str, call: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    """The call must fail with a whole sentence that has these words in it."""
    try:
        result = call(*arguments, **named)
    except Exception as error:
        assert type(error).__name__ in ("Problem", "Refusal"), repr(error)
        is_sentence(str(error))
        assert part in str(error), error
        return
    raise AssertionError(f"{result}; expected a refusal with {part!r}")


def is_sentence(text: str) -> None:
    assert text[0].isupper() or text[0] in "|/" or " " in text, text
    assert text.rstrip()[-1] in ".!?" and "\n" not in text and "Traceback" not in text, repr(text)


def named(module: ModuleType) -> dict[str, Callable[[], None]]:
    """The cases of a module: its functions of its own whose names have no underscore in front."""
    ours = {name: one for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    return {name: one for name, one in ours.items() if callable(one) and not name.startswith("_")}


ROOT = pathlib.Path(__file__).resolve().parents[3]
