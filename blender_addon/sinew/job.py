"""Jobs: scenes from their files to all their outputs, as the program runs them (`sinew run`)."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from ctypes import byref, c_char_p
from typing import Any

import numpy as np

from . import abi
from .handle import Handle, OnLog, OnProgress
from .library import Library
from .values import given, path_text, struct, unexpected

# How long to wait before looking for Ctrl-C: on Windows no wait without an end is interrupted.
PAUSE = 0.1

Setting = bool | int | float | str | np.generic


class Job(Handle):
    """A scene file with outputs, and how it is run; the options are those of `sinew run`. `close` it, or use it in a
    `with` block.

    `folder` is where to write, instead of the scene's folder; `settings` override parameters: {"young": 2e5}, or
    {"skin.young": 2e5} if the scene has several nodes. `only` is a part of the job ("solve", "images", "caches" or
    "page"), `frames` some of its frames ("1-48", or numbers). With `restart` it starts over, with `keep` the results of
    the nodes stay for jobs with other images, and with `dry_run` it is checked and nothing is written.

    `threads` is 0 for one per core; results do not depend on it. `on_progress(done, task)` is called during runs, from
    any thread, with the frame in `task`, and stops the run if it returns True; `on_log(level, message)` gets notes and
    warnings (level 1)."""

    _kind = "job"

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        folder: str | os.PathLike[str] | None = None,
        settings: Mapping[str, Setting] | None = None,
        only: str | None = None,
        frames: str | Iterable[int] | None = None,
        restart: bool = False,
        keep: bool = False,
        dry_run: bool = False,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ):
        super().__init__(abi.SinewJob(), library, on_progress, on_log)
        texts = [given(f"{name}={_text(value)}", c_char_p) for name, value in (settings or {}).items()]
        flags = {abi.SINEW_JOB_RESTART: restart, abi.SINEW_JOB_KEEP: keep, abi.SINEW_JOB_DRY_RUN: dry_run}
        config = struct(
            abi.SinewJobConfig,
            flags=sum(flag for flag, is_set in flags.items() if is_set),
            scene=path_text(path),
            folder=path_text(folder),
            only=only,
            frames=frames if frames is None or isinstance(frames, str) else ",".join(map(str, frames)),
            settings=(c_char_p * len(texts))(*texts),
            setting_count=len(texts),
        )
        with self._context(threads) as context:
            self.library.call("job_create", context, byref(config), byref(self.handle))

    def run(self) -> dict[str, Any]:
        """Computes and writes what earlier runs, of any program, have left to do. Returns what is in report.json; for a
        dry run "frames", "reads", "writes" and "warnings". A run that failed or was stopped, by Ctrl-C too, is resumed
        by the next.

        Where frames failed and others stand in for them, or are wrong, everything is written, and `report` returns what
        `run`, which raises an Error with the first of these frames, does not."""
        if threading.current_thread() is threading.main_thread():
            self._run_apart()
        else:
            self._call("run")
        return self.report()

    def _run_apart(self):
        """In a thread of its own, so that this one hears Ctrl-C."""
        # Not the end of the thread: a join that Ctrl-C interrupts takes it for ended.
        over, problems = threading.Event(), []

        def work():
            try:
                self._call("run")
            except BaseException as problem:
                problems.append(problem)
            finally:
                over.set()

        threading.Thread(target=work, name="sinew job").start()
        interrupt = None
        while not over.is_set():
            try:
                if interrupt:
                    # Again and again: the run may not have begun the first time.
                    self.cancel()
                over.wait(PAUSE)
            except BaseException as problem:
                interrupt = interrupt or problem
        if problem := interrupt or next(iter(problems), None):
            raise problem

    def report(self) -> dict[str, Any]:
        """What the last run reports; {} where there is none."""
        return json.loads(self._text("report"))


def _text(value: Setting) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (int, float, str)):
        raise unexpected(value, "a bool, a number or text")
    return str(value)


def run_job(
    path: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Setting] | None = None,
    only: str | None = None,
    frames: str | Iterable[int] | None = None,
    restart: bool = False,
    keep: bool = False,
    dry_run: bool = False,
    threads: int = 0,
    on_progress: OnProgress | None = None,
    on_log: OnLog | None = None,
    library: Library | None = None,
) -> dict[str, Any]:
    """Runs a job; see `Job` for the options, and `Job.run` for what is returned."""
    with Job(
        path,
        folder=folder,
        settings=settings,
        only=only,
        frames=frames,
        restart=restart,
        keep=keep,
        dry_run=dry_run,
        threads=threads,
        on_progress=on_progress,
        on_log=on_log,
        library=library,
    ) as job:
        return job.run()
