"""MuJoCo beside Sinew: what its tendons say and how long its steps take. One line of JSON per question.

    python tests/bench/mujoco/peer.py version
    python tests/bench/mujoco/peer.py arms FILE...                    lengths, and by joint d(length)/d(angle)
    python tests/bench/mujoco/peer.py speed FILE STEP PER_FRAME FRAMES   seconds of computing a step, angles at the end of each frame

`sh tests/bench.sh mujoco` asks with a Python that has `mujoco`.
"""

import json
import statistics
import sys
import time

import mujoco


def jacobian(model, data, tendon):
    """The row of a tendon, by joint; it is stored sparse."""
    start, count = model.ten_J_rowadr[tendon], model.ten_J_rownnz[tendon]
    columns = model.ten_J_colind[start : start + count]
    row = dict(zip(columns.tolist(), data.ten_J[start : start + count].tolist()))
    return {model.joint(j).name: row.get(int(model.jnt_dofadr[j]), 0.0) for j in range(model.njnt)}


def arms(path):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return {"length": data.ten_length[0], "slopes": jacobian(model, data, 0)}


def speed(path, step, per_frame, frames):
    model = mujoco.MjModel.from_xml_path(path)
    model.opt.timestep = step
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    times, angles = [], []
    for _ in range(frames):
        before = time.thread_time()
        mujoco.mj_step(model, data, per_frame)
        times.append((time.thread_time() - before) / per_frame)
        angles.append(data.qpos.tolist())
    warned = sum(warning.number for warning in data.warning)
    return {"seconds": statistics.median(times), "angles": angles, "warnings": int(warned)}


question, *rest = sys.argv[1:]
if question == "version":
    print(json.dumps(mujoco.__version__))
elif question == "arms":
    for name in rest:
        print(json.dumps(arms(name)))
else:
    print(json.dumps(speed(rest[0], float(rest[1]), int(rest[2]), int(rest[3]))))
