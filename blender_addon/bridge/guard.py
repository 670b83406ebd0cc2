"""Errors of the add-on itself in what Blender calls by itself: handlers, timers, and what follows a changed setting.

Blender prints such errors on the console alone, and leaves on the bodies whatever was written last. Here they become
messages for the panels, and bodies are shown as Blender itself has them."""

import functools
import traceback

from .problem import Problem

# By function: what went wrong the last time; nothing of what has gone well since.
failures = {}
# Called with the message after an error; set by the handlers.
on_failure = None


class Broken(Problem):
    """An error of the add-on itself."""

    def __init__(self, error, when=""):
        super().__init__(
            f"Sinew failed{when and ' '}{when} by an error of its own: {type(error).__name__}: {error}. The system "
            f"console has the details: "
            "please report them"
        )


def messages():
    """What to say of everything that fails now, each once."""
    return list(dict.fromkeys(failures.values()))


def report(error, when=""):
    """Prints an error of the add-on with its traceback, and returns the message for panels."""
    message = str(Broken(error, when))
    print(f"{''.join(traceback.format_exception(error))}{message}", flush=True)
    return message


def call(when, function, *arguments):
    """Calls a function on behalf of Blender; None after an error."""
    try:
        result = function(*arguments)
    except Exception as error:
        failures[function] = report(error, when)
        try:
            if on_failure is not None:
                on_failure(failures[function])
        except Exception as another:
            report(another, when)
        return None
    failures.pop(function, None)
    return result


def guarded(when):
    """Makes a function one that may be called by Blender; `when` is part of a sentence."""

    def decorate(function):
        @functools.wraps(function)
        def guarded_call(*arguments):
            return call(when, function, *arguments)

        return guarded_call

    return decorate


def setting(function):
    """The same for what follows a changed setting: Blender counts the arguments of these."""

    @functools.wraps(function)
    def changed(group, context):
        return call("after a setting was changed", function, group, context)

    return changed
