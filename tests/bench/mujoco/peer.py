"""MuJoCo beside Sinew: what its tendons say and how long its steps take. One line of JSON per question.

    python tests/bench/mujoco/peer.py version python tests/bench/mujoco/peer.py arms FILE...                    lengths,
    and by joint d(length)/d(angle) python tests/bench/mujoco/peer.py speed FILE STEP PER_FRAME FRAMES   seconds of
    computing a step, angles at the end of each frame python tests/bench/mujoco/peer.py hand
    MyoHand at rest: bodies, joints, and where its tendons run

FILE may be `MyoHand WHERE`, the hand of MyoSuite while muscles pull as its file WHERE says by name; that and `hand`
need `myo_sim`. `sh tests/bench.sh mujoco` asks with a Python that has both.
"""

import json
import statistics
import sys
import time
import warnings

import mujoco
import numpy as np

HAND = "MyoHand"


def load(path):
    """A model, and what its muscles pull with; None for what its first keyframe says."""
    if not path.startswith(HAND):
        return mujoco.MjModel.from_xml_path(path), None
    with open(path[len(HAND) + 1 :]) as file:
        pulls = json.load(file)
    model = hand_model()
    return model, [pulls.get(model.actuator(k).name, 0.0) for k in range(model.nu)]


def hand_model():
    import myo_sim

    # Silences warnings about names that might clash, which MuJoCo would log to a file in the working folder.
    mujoco.set_mju_user_warning(lambda _: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, _ = myo_sim.load("myohand_r")
    mujoco.set_mju_user_warning(None)
    return model


def fixed_together(model, data, bodies):
    """Mass, centre, principal axes and moments of bodies that do not move against each other."""
    mass = model.body_mass[bodies].sum()
    centre = (model.body_mass[bodies, None] * data.xipos[bodies]).sum(0) / mass
    inertia = np.zeros((3, 3))
    for b in bodies:
        axes, arm = data.ximat[b].reshape(3, 3), data.xipos[b] - centre
        inertia += axes @ np.diag(model.body_inertia[b]) @ axes.T
        inertia += model.body_mass[b] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    moments, axes = np.linalg.eigh(inertia)
    axes[:, 2] *= np.linalg.det(axes)
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, axes.flatten())
    return {
        "mass": mass,
        "centre": centre.tolist(),
        "axes": quaternion.tolist(),
        "moments": moments.tolist(),
    }


def hinges(model, data, root):
    """The hinges by which a body hangs on another: one, or two that cross."""
    joints = np.flatnonzero(model.jnt_bodyid == root)
    dofs = model.jnt_dofadr[joints]
    return {
        "names": [model.joint(j).name for j in joints],
        "at": data.xanchor[joints[0]].tolist(),
        "axes": data.xaxis[joints].tolist(),
        "ranges": (model.jnt_range[joints] - data.qpos[joints][:, None]).tolist(),
        "damping": model.dof_damping[dofs].tolist(),
    }


def path(model, data, tendon):
    """The path of a tendon: the body and the place of each node. Where it wraps around something, it has a node where
    it first touches that and one where it leaves it."""
    first, nodes = data.ten_wrapadr[tendon], []
    sites = [k for k in np.arange(model.tendon_num[tendon]) + model.tendon_adr[tendon]]
    sites = iter([model.wrap_objid[k] for k in sites if model.wrap_type[k] == mujoco.mjtWrap.mjWRAP_SITE])
    for k in range(first, first + data.ten_wrapnum[tendon]):
        what = data.wrap_obj.flatten()[k]
        body = model.site_bodyid[next(sites)] if what == -1 else model.geom_bodyid[what]
        nodes.append((model.body_weldid[body], data.wrap_xpos.reshape(-1, 3)[k].tolist()))
    return nodes


def hand():
    """MyoHand at rest, as one body for all that does not move against each other."""
    model = hand_model()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    roots = [int(b) for b in np.unique(model.body_weldid) if b != 0]
    number = {0: None} | {b: k for k, b in enumerate(roots)}
    bodies = []
    for b in roots:
        body = fixed_together(model, data, np.flatnonzero(model.body_weldid == b))
        parent = number[int(model.body_weldid[model.body_parentid[b]])]
        bodies.append(body | {"name": model.body(b).name, "parent": parent, "joint": hinges(model, data, b)})
    muscles = []
    for k in range(model.nu):
        tendon, limits, given = model.actuator_trnid[k, 0], model.actuator_lengthrange[k], model.actuator_gainprm[k]
        length = data.ten_length[tendon]
        strength = -mujoco.mju_muscleGain(length, 0.0, limits, model.actuator_acc0[k], given[:9])
        optimal = (limits[1] - limits[0]) / (given[1] - given[0])
        nodes = [{"body": number[int(b)], "at": at} for b, at in path(model, data, tendon)]
        muscles.append(
            {
                "name": model.actuator(k).name,
                "length": length,
                "strength": strength,
                "speed": given[6] * optimal,
                "nodes": nodes,
            }
        )
    return {"gravity": model.opt.gravity.tolist(), "bodies": bodies, "muscles": muscles}


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
    model, pulls = load(path)
    model.opt.timestep = step
    data = mujoco.MjData(model)
    if pulls is None:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    else:
        data.ctrl[:] = pulls
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
elif question == "hand":
    print(json.dumps(hand()))
else:
    print(json.dumps(speed(rest[0], float(rest[1]), int(rest[2]), int(rest[3]))))
