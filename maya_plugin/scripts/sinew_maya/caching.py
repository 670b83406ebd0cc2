"""Cached Playback, as far as users of our nodes have to know of it.

Our nodes say that they simulate, so that Maya caches them as dynamics: in a stripe of their own, which is pink, above
the blue one of the animation, and only while *Cache dynamics* is on in the preferences of Cached Playback (Autodesk,
"Cached Playback status line states" and "Cached Playback preferences"; command cacheEvaluator).
"""

from maya import cmds

ADVICE = (
    "Cached Playback stores no frames of Sinew while Cache Dynamics is off: "
    "turn it on in Preferences > Cached Playback to see them while you scrub."
)


def is_on() -> bool:
    """Whether Cached Playback fills its cache: it is an evaluator of the evaluation manager, named "cache"."""
    return bool(cmds.evaluator(name="cache", query=True, enable=True))


def advice() -> str:
    """What the user has to turn on so that Cached Playback stores frames of our nodes; empty if nothing."""
    if not is_on() or cmds.cacheEvaluator(query=True, dynamicsSupportEnabled=True):
        return ""
    return ADVICE
