"""The joints of a human in a T-pose."""

# Joints of the middle and of the left side: the role, the joint above (by its place in the list, -1 for the one
# before), and where it is in centimetres, x to the left, y up.
MIDDLE = (
    ("pelvis", -1, (0, 95, 0)),
    ("spine1", 0, (0, 110, -1)),
    ("spine2", 1, (0, 131, -2)),
    ("neck1", 2, (0, 148, -1)),
    ("head", 3, (0, 158, 1)),
)
SIDE = (
    ("clavicle", 2, (2, 143, 0)),
    ("upper_arm", -1, (17, 142, -2)),
    ("forearm", -1, (45, 142, -3)),
    ("hand", -1, (71, 142, -1)),
    ("thigh", 0, (9, 92, 0)),
    ("shin", -1, (10, 50, 1)),
    ("foot", -1, (10, 8, -3)),
    ("toes", -1, (11, 2, 10)),
)


def joints_of_human():
    """The role of each joint, the place of the one above it in the list, or -1, and where it is."""
    joints = list(MIDDLE)
    for suffix, sign in ((".L", 1), (".R", -1)):
        for role, above, (x, y, z) in SIDE:
            joints.append((role + suffix, above if above >= 0 else len(joints) - 1, (sign * x, y, z)))
    return joints
