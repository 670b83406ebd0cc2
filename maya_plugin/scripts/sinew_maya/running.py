"""Runs an action: checks that it applies, in one undo, with one sentence where it fails."""

from functools import partial
from typing import Any

from sinew_maya import plugin, problems, table
from sinew_maya.actions import one_undo
from sinew_maya.dialogs import Cancelled
from sinew_maya.problems import Problem


def run(action: str, **arguments: Any) -> Any:
    """For scripts: returns what the action returns, and raises Problem."""
    found = table.find(action)
    plugin.require()
    if not _there(found):
        raise Problem(f"This plug-in has no {found.uses}: install a newer one.")
    if not found.needs.met():
        raise Problem(found.needs.otherwise)
    try:
        if not found.undoable:
            return found.command(**arguments)
        with one_undo(found.title.rstrip(".")):
            return found.command(**arguments)
    except RuntimeError as error:
        raise Problem(problems.sentence(error)) from error


def _there(action: table.Action) -> bool:
    """Whether the plug-in has the command that an action calls, if it calls one: an older one may not."""
    return not action.uses or plugin.has(action.uses)


def clicked(action: str, *_: object) -> None:
    """For entries of the interface, which pass what they like: a failure is shown."""
    try:
        run(action)
    except Problem as problem:
        problems.tell(str(problem))
    except Cancelled:
        pass


def command(action: table.Action) -> partial[None]:
    """What an entry of a menu calls."""
    return partial(clicked, action.id)


def applies(action: table.Action) -> bool:
    """Whether an entry is enabled. Asked while a menu opens, when a failure must not keep it shut."""
    try:
        return plugin.loaded() and _there(action) and action.needs.met()
    except (Problem, RuntimeError):
        return False
