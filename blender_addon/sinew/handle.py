"""What nodes, documents, muscle sets and jobs have in common: the library makes, runs and destroys them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from ctypes import byref
from typing import Any, Self

from . import abi
from .library import Library, default_library
from .values import struct

# Gets the part that is done, from 0 to 1, and the task; stops the computation if it returns True.
OnProgress = Callable[[float, str], object]
# Gets the level and the text of a message.
OnLog = Callable[[int, str], object]


class Handle:
    """Something of the library. `close` it, or use it in a `with` block.

    `on_progress` and `on_log` may be set to others between its calls. What they raise stops the call, which raises
    it."""

    # Its functions are called sinew_KIND_...
    _kind = ""

    def __init__(
        self, handle: Any, library: Library | None, on_progress: OnProgress | None, on_log: OnLog | None
    ) -> None:
        self.library, self.handle = library or default_library(), handle
        self.on_progress, self.on_log = on_progress, on_log
        self._raised: BaseException | None = None
        # Kept, as the library calls them.
        self._callbacks = {"log": abi.LOG(self._log), "progress": abi.PROGRESS(self._progress)}

    @contextlib.contextmanager
    def _context(self, threads: int) -> Iterator[abi.SinewContext]:
        """The context in which it is made; it keeps what it needs of it. If it cannot be made, it is closed."""
        context = abi.SinewContext()
        config = struct(abi.SinewContextConfig, threads=threads, **self._callbacks)
        self.library.call("context_create", byref(config), byref(context))
        try:
            yield context
        except BaseException:
            self.close()
            raise
        finally:
            self.library.raw.sinew_context_destroy(context)

    def _log(self, _user, level, message):
        self._hear(self.on_log, level, message)

    def _progress(self, _user, done, task):
        stop = self._hear(self.on_progress, done, task)
        # What on_log has raised stops it, too.
        return 1 if stop or self._raised is not None else 0

    def _hear(self, callback, value, text):
        try:
            return callback and callback(value, text.decode("utf-8", "replace"))
        except BaseException as problem:
            self._raised = problem
            return True

    def close(self) -> None:
        """Destroys it; it may be called again."""
        getattr(self.library.raw, f"sinew_{self._kind}_destroy")(self.handle)
        self.handle = type(self.handle)()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, name: str, *arguments: Any, **where: Any) -> None:
        self._heard(self.library.call, name, arguments, where)

    def _data(self, name: str, *arguments: Any, **how: Any) -> Any:
        return self._heard(self.library.data, name, arguments, how)

    def _text(self, name: str, *arguments: Any, **how: Any) -> str:
        return self._data(name, *arguments, **how).tobytes().decode()

    def _heard(self, function, name, arguments, how):
        self._raised = None
        try:
            return function(f"{self._kind}_{name}", self.handle, *arguments, **how)
        finally:
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised from None

    def cancel(self) -> None:
        """Stops what runs on it in another thread: that fails as cancelled, and leaves it as it was."""
        self.library.call(f"{self._kind}_cancel", self.handle)
