"""Sinew in Maya: what users see of the plug-in. `load` and `unload` are for the plug-in, `run` is for scripts."""

from typing import Any

from maya import cmds

from sinew_maya import marking, menu, paint, plugin, problems, running, shelf, templates

__all__ = ["clicked", "load", "run", "uninstall", "unload"]

clicked = running.clicked


def run(action: str, **arguments: Any) -> Any:
    """Does what an entry of the menu does, and raises Problem where it cannot."""
    return running.run(action, **arguments)


def load() -> None:
    """When the plug-in has registered its nodes and commands. Calling it again changes nothing.

    A plug-in that Maya loads by itself at its start is loaded before there is a window, so the interface is made when
    Maya is idle first.
    """
    if problems.batch():
        return
    cmds.evalDeferred(_interface, lowestPriority=True)


def _interface() -> None:
    if plugin.loaded():
        paint.register()
        templates.install()
        marking.restore()
        menu.install()


def unload() -> None:
    """Before the plug-in removes its commands. The shelf stays, as those of other plug-ins do: it is the user's."""
    paint.unregister()
    marking.remove()
    menu.remove()
    plugin.forget()


def uninstall() -> None:
    """Removes everything that the scripts have put into the interface and the preferences."""
    if not problems.batch():
        shelf.hide()
        marking.hide()
    unload()
