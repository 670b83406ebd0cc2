"""A scene and an interface that stand for Maya's, behind a recorder that checks each call by the stubs."""

import sys
import types
from collections.abc import Callable
from typing import Any

from mel import Mel
from stubs import Stubs


class Refused(RuntimeError):
    """What a command of Maya or of the plug-in raises."""


class World:
    """Commands are methods do_NAME; one without a method fails, so that nothing is taken for done."""

    def __init__(self, stubs: Stubs):
        self.stubs = stubs
        self.batch = False
        self.loaded = True
        self.loadable = True
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.nodes: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        self.intermediate: set[str] = set()
        self.history: dict[str, list[str]] = {}
        self.selection: list[str] = []
        self.values: dict[str, Any] = {}
        self.ui: dict[str, dict[str, Any]] = {"MayaWindow": {}, "MayaWindow|Shelves": {}, "viewPanes": {}}
        self.parent = "MayaWindow"
        self.open_chunks = 0
        self.chunks: list[str] = []
        self.said: list[str] = []
        self.answers: dict[str, Any] = {}
        self.version, self.platform, self.app = "2026", "linux", ""
        self.modules: list[str] = []
        self.autoload = False
        self.options: dict[str, int] = {}
        self.paintable: dict[tuple[str, str], dict[str, Any]] = {}
        self.cache_on = False
        self.dynamics_cached = True
        self.context = "selectSuperContext"
        self.brush: dict[str, Any] = {"selectedattroper": "additive", "value": 0.3, "opacity": 0.5}
        self.floods: list[dict[str, Any]] = []
        self.jobs: dict[int, dict[str, Any]] = {}
        self.deferred: list[Callable[[], Any]] = []
        self.dimmed: dict[tuple[str, str], bool] = {}
        self.commands: dict[str, Callable[..., Any]] = {}
        self.mel = Mel(lambda text: exec(text, {}), stubs.flags("editorTemplate"))

    # The modules that the scripts import.

    def install(self) -> None:
        maya, cmds, mel = types.ModuleType("maya"), _Commands("maya.cmds", self), types.ModuleType("maya.mel")
        mel.eval = self._mel  # type: ignore[attr-defined]
        maya.cmds, maya.mel = cmds, mel  # type: ignore[attr-defined]
        sys.modules.update({"maya": maya, "maya.cmds": cmds, "maya.mel": mel})

    def _mel(self, text: str) -> Any:
        result = self.mel.eval(text)
        if self.mel.commands and self.mel.commands[-1][0] == "ArtPaintAttrTool":
            self.context = "artAttrContext"
        return result

    def call(self, name: str, /, *arguments: Any, **flags: Any) -> Any:
        self.calls.append((name, arguments, flags))
        if name in self.commands:
            return self.commands[name](*arguments, **flags)
        self.stubs.check(name, arguments, flags)
        return getattr(self, f"do_{name}")(*arguments, **flags)

    def has(self, name: str) -> bool:
        return (self.loaded and name in self.commands) or hasattr(self, f"do_{name}")

    def called(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(arguments, flags) for each, arguments, flags in self.calls if each == name]

    # The scene.

    def add_mesh(self, name: str, history: tuple[str, ...] = ()) -> str:
        shape = f"|{name}|{name}Shape"
        self.nodes[f"|{name}"], self.nodes[shape] = "transform", "mesh"
        self.parents[shape] = f"|{name}"
        origin = f"{shape}Orig"
        self.nodes[origin] = "mesh"
        self.parents[origin] = f"|{name}"
        self.intermediate.add(origin)
        self.history[shape] = [*history, origin]
        return f"|{name}"

    def add_node(self, name: str, kind: str, mesh: str = "") -> None:
        self.nodes[name] = kind
        self.values.update({f"{name}.status": "", f"{name}.missing_frames": ""})
        if mesh:
            shape = f"{mesh}|{mesh.strip('|')}Shape"
            self.history[shape] = [name, *self.history[shape]]

    def do_ls(self, *names: str, **flags: Any) -> list[str]:
        found = list(names or (self.selection if flags.get("selection") else self.nodes))
        if flags.get("objectsOnly"):
            found = [name.partition(".")[0] for name in found]
        if flags.get("dagObjects"):
            found += [shape for shape, parent in self.parents.items() if parent in found]
        if "type" in flags:
            found = [name for name in found if self.nodes[name] == flags["type"]]
        if flags.get("noIntermediate"):
            found = [name for name in found if name not in self.intermediate]
        return found

    def do_nodeType(self, name: str) -> str:
        return self.nodes[name]

    def do_objExists(self, name: str) -> bool:
        return name.partition(".")[0] in self.nodes

    def do_listRelatives(self, name: str, **flags: Any) -> list[str] | None:
        if flags.get("parent"):
            return [self.parents[name]] if name in self.parents else None
        assert flags.get("shapes") and flags.get("noIntermediate"), flags
        under = [one for one, parent in self.parents.items() if parent == name and one not in self.intermediate]
        return [one for one in under if self.nodes[one] == flags["type"]] or None

    def do_listHistory(self, name: str, **flags: Any) -> list[str] | None:
        if flags.get("future"):
            return [name, *(shape for shape, history in self.history.items() if name in history)]
        return self.history.get(name)

    def do_select(self, *names: str, **flags: Any) -> None:
        assert names and flags == {"replace": True}, (names, flags)
        self.selection = list(names)

    def do_getAttr(self, plug: str) -> Any:
        return self.values[plug]

    def do_setAttr(self, plug: str, value: Any, **flags: Any) -> None:
        assert flags == {"type": "string"}, flags
        self.values[plug] = value

    def do_playbackOptions(self, **flags: Any) -> float:
        return 1.0 if flags.get("minTime") else 12.0

    # Maya itself.

    def do_about(self, **flags: Any) -> Any:
        if flags.get("batch"):
            return self.batch
        if flags.get("majorVersion"):
            return self.version
        (asked,) = flags
        return {"windows": "win64", "macOS": "mac"}[asked] == self.platform

    def do_internalVar(self, **flags: Any) -> str:
        assert flags == {"userAppDir": True}, flags
        return self.app

    def do_pluginInfo(self, name: str, **flags: Any) -> Any:
        assert name == "sinew"
        if flags.get("edit"):
            self.autoload = flags["autoload"]
        return self.loaded

    def do_loadPlugin(self, name: str, **flags: Any) -> list[str]:
        if not self.loadable:
            raise Refused('Plug-in, "sinew", was not found on MAYA_PLUG_IN_PATH.\n')
        self.loaded = True
        return [name]

    def do_unloadPlugin(self, name: str, **flags: Any) -> list[str]:
        if any(kind.startswith("sinew") for kind in self.nodes.values()):
            raise Refused('Plug-in, "sinew", cannot be unloaded because it is still in use.\n')
        self.loaded = False
        return [name]

    def do_moduleInfo(self, **flags: Any) -> list[str] | None:
        assert flags == {"listModules": True}, flags
        return self.modules or None

    def do_loadModule(self, **flags: Any) -> list[str]:
        self.modules.append(flags["load"].rpartition("/")[2].partition(".")[0])
        return []

    def do_undoInfo(self, **flags: Any) -> None:
        self.open_chunks += bool(flags.get("openChunk")) - bool(flags.get("closeChunk"))
        assert self.open_chunks in (0, 1), "chunks within chunks, or closed twice"
        if flags.get("openChunk"):
            self.chunks.append(flags["chunkName"])

    def do_optionVar(self, **flags: Any) -> Any:
        if "intValue" in flags:
            self.options.update([flags["intValue"]])
        elif "remove" in flags:
            self.options.pop(flags["remove"], None)
        return flags.get("exists") in self.options

    def do_warning(self, text: str, **flags: Any) -> None:
        self.said.append(text)

    def do_inViewMessage(self, **flags: Any) -> None:
        assert not self.batch, "there is no view in batch mode"

    def do_confirmDialog(self, **flags: Any) -> str:
        assert not self.batch
        if flags["button"] == ["OK"]:
            self.said.append(flags["message"])
            return "OK"
        assert self.answers["confirm"] in flags["button"], flags
        return str(self.answers["confirm"])

    def do_fileDialog2(self, **flags: Any) -> Any:
        assert not self.batch
        return self.answers["file"]

    def do_layoutDialog(self, **flags: Any) -> str:
        if "uiScript" not in flags:
            self.answers["dismissed"] = flags["dismiss"]
            return ""
        assert not self.batch
        self.answers["dismissed"] = "dismiss"
        form = f"dialog{len(self.ui)}"
        self.ui[form] = {"kind": "formLayout", "in": ""}
        before, self.parent = self.parent, form
        flags["uiScript"]()
        self.parent = before
        if self.answers.get("choose"):
            button = [one for one in self.ui.values() if one.get("label") == "Choose"][-1]
            button["command"]()
        return str(self.answers["dismissed"])

    def do_evalDeferred(self, work: Callable[[], Any], **flags: Any) -> None:
        self.deferred.append(work)

    def idle(self) -> None:
        """Maya has nothing to do: what was put off is done."""
        while self.deferred:
            self.deferred.pop(0)()

    def do_scriptJob(self, **flags: Any) -> int:
        if "kill" in flags:
            del self.jobs[flags["kill"]]
            return 0
        if flags.get("replacePrevious"):
            self.jobs = {key: one for key, one in self.jobs.items() if one.get("parent") != flags["parent"]}
        number = 1 + max(self.jobs, default=0)
        self.jobs[number] = flags
        return number

    def happen(self, event: str) -> None:
        for job in list(self.jobs.values()):
            if job.get("event", ("",))[0] == event:
                job["event"][1]()

    # Painting.

    def do_makePaintable(self, kind: str, attribute: str, **flags: Any) -> None:
        assert not self.batch
        if flags.pop("remove", False):
            del self.paintable[kind, attribute]
        else:
            self.paintable[kind, attribute] = flags

    def do_evaluator(self, **flags: Any) -> Any:
        assert flags["name"] == "cache", flags
        if not flags.get("query"):
            self.cache_on = flags["enable"]
        return self.cache_on

    def do_cacheEvaluator(self, **flags: Any) -> bool:
        assert flags == {"query": True, "dynamicsSupportEnabled": True}, flags
        return self.dynamics_cached

    def do_currentCtx(self) -> str:
        return self.context

    def do_contextInfo(self, context: str, **flags: Any) -> str:
        return "artAttr" if context == "artAttrContext" else "selectSuper"

    def do_artAttrCtx(self, context: str, **flags: Any) -> Any:
        assert context == self.context == "artAttrContext"
        if flags.pop("query", False):
            (asked,) = flags
            return self.brush[asked]
        if flags.pop("clear", False):
            self.floods.append(dict(self.brush))
        self.brush.update({key: value for key, value in flags.items() if key != "edit"})
        return None

    # The interface.

    def _made(self, kind: str, name: str, flags: dict[str, Any]) -> str:
        assert not self.batch, f"{kind} in batch mode"
        parent = flags.get("parent", self.parent)
        assert parent in self.ui, f"{kind} {name}: there is no {parent}"
        full = f"{parent}|{name or f'{kind}{len(self.ui)}'}" if kind not in ("menu", "popupMenu") else name
        assert full not in self.ui, f"{full} is there already"
        self.ui[full] = {"kind": kind, "in": parent, **flags}
        return full

    def _control(self, kind: str, name: str, flags: dict[str, Any]) -> Any:
        """A control is made, edited or queried; an edit of one that is not there fails, as in Maya."""
        if flags.get("exists"):
            return name in self.ui
        if flags.pop("edit", False):
            full = name if name in self.ui else next((one for one in self.ui if one.endswith(f"|{name}")), "")
            assert self.ui.get(full, {}).get("kind") == kind, f"{kind} {name} is not there"
            self.ui[full].update(flags)
            return full
        if flags.pop("query", False):
            (asked,) = flags
            return self.ui[name][asked]
        full = self._made(kind, name, flags)
        if kind in ("columnLayout", "rowLayout"):
            self.parent = full
        return full

    def do_menu(self, name: str, **flags: Any) -> Any:
        return self._control("menu", name, flags)

    def do_menuItem(self, name: str = "", **flags: Any) -> Any:
        return self._control("menuItem", name, flags)

    def do_popupMenu(self, name: str, **flags: Any) -> Any:
        if flags.pop("deleteAllItems", False):
            for one in [key for key, each in self.ui.items() if each.get("in") == name]:
                del self.ui[one]
            return name
        return self._control("popupMenu", name, flags)

    def do_shelfLayout(self, name: str, **flags: Any) -> Any:
        return self._control("shelfLayout", name, flags)

    def do_shelfButton(self, name: str = "", **flags: Any) -> Any:
        return self._control("shelfButton", name, flags)

    def do_text(self, name: str = "", **flags: Any) -> Any:
        return self._control("text", name, flags)

    def do_button(self, name: str = "", **flags: Any) -> Any:
        return self._control("button", name, flags)

    def do_columnLayout(self, name: str = "", **flags: Any) -> Any:
        return self._control("columnLayout", name, flags)

    def do_formLayout(self, name: str, **flags: Any) -> Any:
        assert all(control in self.ui for control, _, _ in flags["attachForm"]), flags
        return self._control("formLayout", name, flags)

    def do_rowLayout(self, name: str = "", **flags: Any) -> Any:
        return self._control("rowLayout", name, flags)

    def do_textFieldButtonGrp(self, name: str = "", **flags: Any) -> Any:
        return self._control("textFieldButtonGrp", name, flags)

    def do_textScrollList(self, name: str = "", **flags: Any) -> Any:
        if flags.get("query"):
            return [self.answers["choose"]]
        return self._control("textScrollList", name, flags)

    def do_setParent(self, **flags: Any) -> Any:
        if flags.get("query"):
            return self.parent
        assert flags == {"upLevel": True}, flags
        self.parent = self.ui[self.parent]["in"]
        return True

    def do_deleteUI(self, name: str, **flags: Any) -> None:
        assert name in self.ui, f"{name} is not there"
        for one in [key for key, each in self.ui.items() if key == name or each.get("in") == name]:
            del self.ui[one]

    def do_editorTemplate(self, **flags: Any) -> None:
        node, attribute, dimmed = flags["dimControl"]
        self.dimmed[node, attribute] = dimmed

    def under(self, parent: str) -> list[dict[str, Any]]:
        return [one for one in self.ui.values() if one.get("in") == parent]


class _Commands(types.ModuleType):
    """maya.cmds: what is not a command of Maya or of a loaded plug-in is an AttributeError, as in Maya."""

    def __init__(self, name: str, world: World):
        super().__init__(name)
        self.__dict__["world"] = world

    def __getattr__(self, name: str) -> Any:
        world: World = self.__dict__["world"]
        if not world.has(name):
            if name in world.stubs.functions:
                raise AssertionError(f"the world has no {name}")
            raise AttributeError(f"maya.cmds has no {name}")
        return lambda *arguments, **flags: world.call(name, *arguments, **flags)
