"""Jobs as the package runs them, in plain Python: binding_jobs.py LIBRARY"""

import json
import pathlib
import signal
import tempfile
import threading

import numpy as np
from binding_support import LIBRARY, Meanwhile, refused
from sinew import abi
from sinew.job import Job, run_job
from sinew.loader import Error

# A finger that a muscle bends, frame by frame.
JOB = """<sinew version="1">
  <frames range="1-12" fps="24"/>
  <node type="strand" name="finger">
    <param id="source" value="finger"/>
    <param id="settings" value="activation.FDP=0.2"/>
  </node>
  <outputs folder="out">
    <write file="turns.%04d.csv" from="finger.joint_turns"/>
    <write file="tensions.csv" from="finger.tensions"/>
  </outputs>
</sinew>
"""


def files(folder):
    """What is in a folder, but the report, which contains times, and what runs leave for others."""
    found = [path for path in sorted(folder.iterdir()) if path.name != "report.json" and path.name[0] != "."]
    return {path.name: path.read_bytes() for path in found}


def jobs_are_run_and_reported():
    with tempfile.TemporaryDirectory() as made:
        folder, said, tasks = pathlib.Path(made), [], []
        scene, out = folder / "job.xml", folder / "out"
        scene.write_text(JOB)
        looked = run_job(scene, dry_run=True, library=LIBRARY)
        assert looked["frames"] == list(range(1, 13)) and len(looked["writes"]) == 15 and not out.exists()
        report = run_job(str(scene), on_progress=lambda *heard: tasks.append(heard), threads=2, library=LIBRARY)
        assert [row["frame"] for row in report["frames"]] == looked["frames"]
        assert report == json.loads((out / "report.json").read_text())
        assert {task.split(":")[0] for _, task in tasks} >= {f"frame {k}" for k in range(1, 13)}
        assert all(0 <= done <= 1 for done, _ in tasks)
        written = {pathlib.Path(path).name for path in looked["writes"]}
        assert written == {*files(out), "report.json"}
        same = run_job(scene, on_log=lambda *heard: said.append(heard), library=LIBRARY)
        assert said == [(2, "the job is finished, and nothing has changed since")] and same == report
        run_job(scene, folder=folder / "one", threads=1, library=LIBRARY)
        assert files(folder / "one") == files(out)
        stronger = {"finger.settings": "activation.FDP=0.4", "gravity": np.float64(9.81), "details": True}
        run_job(scene, folder=folder / "two", settings=stronger, library=LIBRARY)
        assert files(folder / "two").keys() == files(out).keys()
        assert files(folder / "two")["tensions.csv"] != files(out)["tensions.csv"]
        parts = {"folder": folder / "parts", "library": LIBRARY}
        run_job(scene, only="solve", frames=range(1, 5), **parts)
        run_job(scene, only="images", frames="1,3-4", **parts)
        found = {name: data for name, data in files(folder / "parts").items() if name.startswith("turns")}
        assert found == {name: files(out)[name] for name in ("turns.0001.csv", "turns.0003.csv", "turns.0004.csv")}
        run_job(scene, keep=True, **parts)
        assert (folder / "parts/.sinew").is_dir() and files(folder / "parts") == files(out)
        run_job(scene, restart=True, **parts)
        assert not (folder / "parts/.sinew").exists()


def jobs_stop_and_are_resumed():
    with tempfile.TemporaryDirectory() as made:
        folder, said = pathlib.Path(made), []
        scene = folder / "job.xml"
        scene.write_text(JOB)
        run_job(scene, library=LIBRARY)
        whole = files(folder / "out")

        def third(then):
            return lambda _, task: task.startswith("frame 3:") and then()

        def fails(*_):
            raise ZeroDivisionError("in a callback")

        with Job(scene, folder=folder / "two", library=LIBRARY) as job:
            interrupts = lambda: signal.raise_signal(signal.SIGINT)
            for on_progress, kind, part in (
                (third(lambda: True), Error, "stopped on request"),
                (third(fails), ZeroDivisionError, "in a callback"),
                (third(interrupts), KeyboardInterrupt, ""),
                (Meanwhile(lambda: job.cancel()), Error, "stopped on request"),
            ):
                job.on_progress = on_progress
                refused(part, job.run, kind=kind, code=abi.SINEW_CANCELLED if kind is Error else None)
                assert job.report() == {}
                some = files(folder / "two")
                assert len(some) < len(whole) and some.items() <= whole.items(), "what is there is whole"
            # It says at the beginning that it resumes, and stops where that is not heard.
            job.on_progress, job.on_log = None, fails
            refused("in a callback", job.run, kind=ZeroDivisionError)
            assert len(files(folder / "two")) < len(whole)
            job.on_log = lambda *heard: said.append(heard)
            threads = threading.Thread(target=job.run)
            threads.start()
            threads.join()
            assert said[0][0] == 2 and "frames are done already" in said[0][1]
            assert files(folder / "two") == whole and len(job.report()["frames"]) == 12


def jobs_that_cannot_run_say_why():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        scene = folder / "job.xml"
        scene.write_text(JOB)
        run = lambda **how: run_job(scene, library=LIBRARY, **how)
        for part, how in (
            ("only: 5 where text is needed", {"only": 5}),
            ("expected solve, images, caches or page", {"only": "tables"}),
            ('"a" is not a frame range', {"frames": [1, "a"]}),
            ("it has 1-12", {"frames": [13]}),
            ("[1] where a bool, a number or text is needed", {"settings": {"step": [1]}}),
            ("is not in the range", {"settings": {"preroll": -1}}),
            ('no parameter "stepp"', {"settings": {"stepp": 1}}),
            ("NODE one of finger", {"settings": {"thumb.step": 1}}),
            ("a restart begins with the first frame", {"only": "page", "restart": True}),
            ("run only `solve` first", {"only": "images"}),
        ):
            refused(part, run, **how)
            assert not list(folder.glob("out/*.csv"))
        refused("scene: 5.0 where text is needed", run_job, 5.0, library=LIBRARY)
        refused("scene is NULL", run_job, None, library=LIBRARY)
        refused("nowhere.xml", run_job, folder / "nowhere.xml", library=LIBRARY, code=abi.SINEW_MISSING_FILE)
        scene.write_text(JOB.replace("tensions.csv", "tensions.txt"))
        try:
            run()
            raise AssertionError("accepted")
        except Error as error:
            assert f"{scene}:9" in str(error) and error.line == 9


# A shell that starts programs in the background lets them ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
for case in (
    jobs_are_run_and_reported,
    jobs_stop_and_are_resumed,
    jobs_that_cannot_run_say_why,
):
    case()
    print(f"{case.__name__}: ok")
