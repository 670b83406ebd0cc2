"""The C interface as ctypes sees it: structs, functions and numbers of cpp/include/sinew/sinew.h.

tests/abi.rs checks these declarations against the header, so that the two cannot diverge.
"""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_uint64, c_void_p

# The version of the ABI that the package is written for.
SINEW_ABI_MAJOR, SINEW_ABI_MINOR = 1, 11

SINEW_OK = 0
SINEW_INVALID_ARGUMENT, SINEW_NOT_FOUND, SINEW_WRONG_TYPE, SINEW_OUT_OF_RANGE = 1, 2, 3, 4
SINEW_COUNT_MISMATCH, SINEW_NOT_FINITE, SINEW_DEGENERATE, SINEW_TOPOLOGY = 5, 6, 7, 8
SINEW_PARSE, SINEW_UNSUPPORTED, SINEW_IO, SINEW_MISSING_FILE = 9, 10, 11, 12
SINEW_CANCELLED, SINEW_TOO_LARGE, SINEW_NO_CONVERGENCE, SINEW_WRONG_VERSION = 13, 14, 15, 16
SINEW_MISSING_INPUT, SINEW_BUSY, SINEW_OUT_OF_ORDER, SINEW_INTERNAL = 17, 18, 19, 99

# The names of what can go wrong.
STATUSES = [
    name for name in list(globals()) if name.startswith("SINEW_") and not name.startswith(("SINEW_ABI", "SINEW_OK"))
]

SINEW_INPUT, SINEW_OUTPUT = 0, 1
SINEW_PORT_REALS, SINEW_PORT_INTS, SINEW_PORT_MESH = 0, 1, 2
SINEW_PARAM_BOOL, SINEW_PARAM_INT, SINEW_PARAM_REAL, SINEW_PARAM_CHOICE, SINEW_PARAM_TEXT = 0, 1, 2, 3, 4
SINEW_F32, SINEW_F64, SINEW_I32, SINEW_U32 = 1, 2, 3, 4
SINEW_UP_Y, SINEW_UP_Z = 0, 1
SINEW_NO_ELEMENT = 0xFFFFFFFF
SINEW_JOB_RESTART, SINEW_JOB_KEEP, SINEW_JOB_DRY_RUN = 1, 2, 4
SINEW_HISTORY_NONE, SINEW_HISTORY_STARTED, SINEW_HISTORY_CONTINUED, SINEW_HISTORY_SKIPPED = 0, 1, 2, 3
SINEW_HISTORY_REPEATED, SINEW_HISTORY_RESTARTED, SINEW_HISTORY_CARRIED = 4, 5, 6


class Struct(ctypes.Structure):
    """A struct of the ABI; its first field is its size as the caller knows it."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class SinewPlace(Struct):
    _fields_ = (
        [("struct_size", c_uint32), ("reserved", c_uint32)]
        + [(name, c_int64) for name in ("frame", "vertex", "face", "joint", "line")]
        + [("port", c_char_p), ("param", c_char_p)]
    )


LOG = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
PROGRESS = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double, c_char_p)


class SinewContextConfig(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_uint32),
        ("log", LOG),
        ("log_user", c_void_p),
        ("progress", PROGRESS),
        ("progress_user", c_void_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


NODE_LOG = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_int32, c_char_p)
NODE_PROGRESS = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint64, c_double, c_char_p)


class SinewNodeCallbacks(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("id", c_uint64),
        ("user", c_void_p),
        ("log", NODE_LOG),
        ("progress", NODE_PROGRESS),
    ]


class SinewNodeInfo(Struct):
    _fields_ = (
        [(name, c_uint32) for name in ("struct_size", "port_count", "param_count", "reserved")]
        + [(name, c_char_p) for name in ("id", "title", "doc")]
        + [(name, c_uint32) for name in ("stateful", "mesh_count", "number", "reserved_2")]
    )


class SinewMeshInfo(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32)] + [
        (name, c_char_p) for name in ("id", "title", "doc", "points", "face_sizes", "face_vertices")
    ]


class SinewPortInfo(Struct):
    _fields_ = (
        [("struct_size", c_uint32), ("direction", c_int32), ("kind", c_int32)]
        + [(name, c_uint32) for name in ("components", "required", "paintable", "has_default", "has_range")]
        + [(name, c_double) for name in ("default_value", "minimum", "maximum")]
        + [(name, c_char_p) for name in ("id", "title", "doc", "domain", "quantity", "items", "unit")]
        + [("whole", c_uint32), ("at_rest", c_uint32)]
        + [
            (name, c_char_p)
            for name in ("host_name", "mesh", "element", "group", "counted_by", "radii", "between", "index_of")
        ]
    )


class SinewParamInfo(Struct):
    _fields_ = (
        [("struct_size", c_uint32), ("kind", c_int32), ("choice_count", c_uint32), ("reserved", c_uint32)]
        + [(name, c_double) for name in ("default_value", "minimum", "maximum")]
        + [(name, c_char_p) for name in ("id", "title", "doc", "unit", "group")]
        + [(name, c_double) for name in ("soft_minimum", "soft_maximum", "step")]
        + [("shown_with", c_char_p), ("shown_choices", c_uint64), ("advanced", c_uint32), ("restarts", c_uint32)]
        + [(name, c_char_p) for name in ("files", "default_text", "quantity", "host_name")]
        + [("animatable", c_uint32), ("is_file", c_uint32), ("document", c_char_p)]
    )


class SinewChoiceInfo(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32)] + [
        (name, c_char_p) for name in ("id", "doc", "title")
    ]


class SinewArray(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("element", c_int32),
        ("components", c_uint32),
        ("reserved", c_uint32),
        ("data", c_void_p),
        ("count", c_uint64),
        ("stride", c_uint64),
    ]


class SinewArrayMut(Struct):
    _fields_ = SinewArray._fields_


class SinewPortArray(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("port", c_char_p),
        ("array", POINTER(SinewArray)),
    ]


class SinewPortArrayMut(Struct):
    _fields_ = SinewPortArray._fields_[:3] + [("array", POINTER(SinewArrayMut))]


class SinewMesh(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("positions", SinewArray),
        ("face_sizes", POINTER(c_uint32)),
        ("face_count", c_uint64),
        ("corner_vertices", POINTER(c_uint32)),
        ("corner_count", c_uint64),
        ("uvs", SinewArray),
        ("corner_uvs", POINTER(c_uint32)),
    ]


class SinewRig(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("up_axis", c_int32),
        ("metres_per_unit", c_double),
        ("row_vectors", c_int32),
        ("joint_count", c_uint32),
        ("joint_names", POINTER(c_char_p)),
        ("rest_joints", SinewArray),
        ("skin", POINTER(SinewMesh)),
        ("joint_parents", POINTER(c_int32)),
        ("joint_roles", POINTER(c_char_p)),
    ]


class SinewPhysique(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("id", c_char_p),
        *((name, c_double) for name in ("bulge", "stiffness", "damping", "size", "weight")),
    ]


class SinewJobConfig(Struct):
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        *((name, c_char_p) for name in ("scene", "folder", "only", "frames")),
        ("settings", POINTER(c_char_p)),
        ("setting_count", c_uint32),
        ("reserved", c_uint32),
    ]


class SinewContext(c_void_p):
    """An opaque handle; a separate class, so that ctypes rejects other kinds of handle."""


class SinewNode(c_void_p):
    """An opaque handle."""


class SinewMuscles(c_void_p):
    """An opaque handle."""


class SinewDocument(c_void_p):
    """An opaque handle."""


class SinewJob(c_void_p):
    """An opaque handle."""


# The return type of each function, then its argument types. Undeclared results would be taken for 32-bit integers.
FUNCTIONS = {
    "sinew_abi_version": (c_uint32,),
    "sinew_version_string": (c_char_p,),
    "sinew_check_version": (c_int32, c_uint32, c_uint32),
    "sinew_last_error_message": (c_char_p,),
    "sinew_last_error_place": (c_int32, POINTER(SinewPlace)),
    "sinew_context_create": (c_int32, POINTER(SinewContextConfig), POINTER(SinewContext)),
    "sinew_context_destroy": (None, SinewContext),
    "sinew_node_count": (c_uint32,),
    "sinew_node_info": (c_int32, c_uint32, POINTER(SinewNodeInfo)),
    "sinew_mesh_info": (c_int32, c_char_p, c_uint32, POINTER(SinewMeshInfo)),
    "sinew_affects": (c_int32, c_char_p, c_char_p, c_char_p, POINTER(c_int32)),
    "sinew_port_info": (c_int32, c_char_p, c_uint32, POINTER(SinewPortInfo)),
    "sinew_param_info": (c_int32, c_char_p, c_uint32, POINTER(SinewParamInfo)),
    "sinew_choice_info": (c_int32, c_char_p, c_uint32, c_uint32, POINTER(SinewChoiceInfo)),
    "sinew_node_create": (c_int32, SinewContext, c_char_p, POINTER(SinewNode)),
    "sinew_node_destroy": (None, SinewNode),
    "sinew_node_cancel": (c_int32, SinewNode),
    "sinew_node_set_space": (c_int32, SinewNode, c_double, c_int32),
    "sinew_node_set_row_vectors": (c_int32, SinewNode, c_int32),
    "sinew_node_set_callbacks": (c_int32, SinewNode, POINTER(SinewNodeCallbacks)),
    "sinew_node_set_bool": (c_int32, SinewNode, c_char_p, c_int32),
    "sinew_node_set_int": (c_int32, SinewNode, c_char_p, c_int64),
    "sinew_node_set_real": (c_int32, SinewNode, c_char_p, c_double),
    "sinew_node_set_text": (c_int32, SinewNode, c_char_p, c_char_p),
    "sinew_node_set_choice": (c_int32, SinewNode, c_char_p, c_uint32),
    "sinew_node_get_number": (c_int32, SinewNode, c_char_p, POINTER(c_double)),
    "sinew_node_get_choice": (c_int32, SinewNode, c_char_p, POINTER(c_char_p)),
    "sinew_node_get_text": (c_int32, SinewNode, c_char_p, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_node_set_array": (c_int32, SinewNode, c_char_p, POINTER(SinewArray)),
    "sinew_node_set_mesh": (c_int32, SinewNode, c_char_p, POINTER(SinewMesh)),
    "sinew_node_clear_input": (c_int32, SinewNode, c_char_p),
    "sinew_node_input_is_set": (c_int32, SinewNode, c_char_p, POINTER(c_int32)),
    "sinew_node_step": (c_int32, SinewNode, c_int64, c_double),
    "sinew_node_deform": (c_int32, SinewNode, c_int64, c_double, POINTER(SinewArray), POINTER(SinewArrayMut)),
    "sinew_node_run": (
        c_int32,
        SinewNode,
        c_int64,
        c_double,
        POINTER(SinewPortArray),
        c_uint32,
        POINTER(SinewPortArrayMut),
        c_uint32,
        POINTER(c_int32),
    ),
    "sinew_node_reset": (c_int32, SinewNode),
    "sinew_node_set_start": (c_int32, SinewNode, c_int32, c_double),
    "sinew_node_set_restart": (c_int32, SinewNode, c_int32),
    "sinew_node_set_lean": (c_int32, SinewNode, c_int32),
    "sinew_node_history": (c_int32, SinewNode, POINTER(c_int32)),
    "sinew_node_want_output": (c_int32, SinewNode, c_char_p, c_int32),
    "sinew_node_expected_count": (c_int32, SinewNode, c_char_p, POINTER(c_uint64)),
    "sinew_node_output_count": (c_int32, SinewNode, c_char_p, POINTER(c_uint64)),
    "sinew_node_read_output": (c_int32, SinewNode, c_char_p, POINTER(SinewArrayMut)),
    "sinew_node_report": (c_int32, SinewNode, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_node_save_state": (c_int32, SinewNode, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_node_save_lean_state": (c_int32, SinewNode, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_node_load_state": (c_int32, SinewNode, POINTER(c_uint8), c_uint64),
    "sinew_document_destroy": (None, SinewDocument),
    "sinew_document_create": (c_int32, c_char_p, c_double, c_int32, POINTER(SinewDocument)),
    "sinew_document_parse": (c_int32, c_char_p, POINTER(SinewDocument)),
    "sinew_document_load": (c_int32, c_char_p, POINTER(SinewDocument)),
    "sinew_document_save": (c_int32, SinewDocument, c_char_p),
    "sinew_document_text": (c_int32, SinewDocument, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_set_space": (c_int32, SinewDocument, c_double, c_int32),
    "sinew_document_list": (c_int32, SinewDocument, c_uint32, c_char_p, POINTER(c_uint32), c_uint64, POINTER(c_uint64)),
    "sinew_document_element": (c_int32, SinewDocument, c_uint32, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_get_text": (
        c_int32,
        SinewDocument,
        c_uint32,
        c_char_p,
        POINTER(c_uint8),
        c_uint64,
        POINTER(c_uint64),
        POINTER(c_int32),
    ),
    "sinew_document_set_text": (c_int32, SinewDocument, c_uint32, c_char_p, c_char_p),
    "sinew_document_get_numbers": (
        c_int32,
        SinewDocument,
        c_uint32,
        c_char_p,
        POINTER(c_double),
        c_uint64,
        POINTER(c_uint64),
    ),
    "sinew_document_set_numbers": (c_int32, SinewDocument, c_uint32, c_char_p, POINTER(c_double), c_uint64),
    "sinew_document_add": (c_int32, SinewDocument, c_uint32, c_char_p, c_uint32, POINTER(c_uint32)),
    "sinew_document_remove": (c_int32, SinewDocument, c_uint32),
    "sinew_document_rename": (c_int32, SinewDocument, c_uint32, c_char_p, POINTER(c_uint32)),
    "sinew_document_expand": (c_int32, SinewDocument, POINTER(c_uint32)),
    "sinew_document_mirror": (c_int32, SinewDocument, c_uint32, POINTER(SinewRig), POINTER(c_uint32)),
    "sinew_document_copy": (c_int32, SinewDocument, POINTER(SinewRig), POINTER(SinewRig)),
    "sinew_document_set_context": (c_int32, SinewDocument, SinewContext),
    "sinew_document_cancel": (c_int32, SinewDocument),
    "sinew_document_read": (c_int32, SinewDocument, c_uint32, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_get_place": (c_int32, SinewDocument, c_uint32, c_char_p, POINTER(c_double), POINTER(c_int32)),
    "sinew_document_set_place": (c_int32, SinewDocument, c_uint32, c_char_p, POINTER(c_double)),
    "sinew_document_single": (c_int32, SinewDocument, c_char_p, POINTER(c_uint32)),
    "sinew_document_mesh": (c_int32, SinewDocument, c_uint32, POINTER(SinewMesh)),
    "sinew_document_set_mesh": (c_int32, SinewDocument, c_uint32, POINTER(SinewMesh)),
    "sinew_document_mesh_file": (c_int32, SinewDocument, c_uint32, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_joints": (c_int32, SinewDocument, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_set_joint": (c_int32, SinewDocument, c_char_p, POINTER(c_double)),
    "sinew_document_check": (c_int32, SinewDocument, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_mirrored_name": (c_int32, c_char_p, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_document_describe": (c_int32, c_char_p, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_starting_numbers": (c_int32, c_char_p, c_double, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_rod_inertia": (
        c_int32,
        POINTER(c_double),
        c_double,
        c_double,
        POINTER(c_uint8),
        c_uint64,
        POINTER(c_uint64),
    ),
    "sinew_job_create": (c_int32, SinewContext, POINTER(SinewJobConfig), POINTER(SinewJob)),
    "sinew_job_run": (c_int32, SinewJob),
    "sinew_job_report": (c_int32, SinewJob, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_job_cancel": (c_int32, SinewJob),
    "sinew_job_destroy": (None, SinewJob),
    "sinew_muscles_create": (c_int32, c_char_p, POINTER(SinewMuscles)),
    "sinew_rig_roles": (c_int32, POINTER(SinewRig), POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_muscles_fit": (c_int32, c_char_p, POINTER(SinewRig), POINTER(SinewMuscles)),
    "sinew_muscles_set_context": (c_int32, SinewMuscles, SinewContext),
    "sinew_muscles_cancel": (c_int32, SinewMuscles),
    "sinew_muscles_place": (c_int32, SinewMuscles, c_char_p, POINTER(SinewRig)),
    "sinew_muscles_destroy": (None, SinewMuscles),
    "sinew_muscles_add": (
        c_int32,
        SinewMuscles,
        POINTER(SinewRig),
        c_char_p,
        c_char_p,
        c_char_p,
        POINTER(c_double),
        POINTER(c_double),
        c_double,
    ),
    "sinew_muscles_remove": (c_int32, SinewMuscles, c_char_p),
    "sinew_muscles_mirror": (c_int32, SinewMuscles, c_uint32, POINTER(c_uint32)),
    "sinew_muscles_mirror_on": (c_int32, SinewMuscles, POINTER(SinewRig), POINTER(c_uint32)),
    "sinew_muscles_copy": (c_int32, SinewMuscles, POINTER(SinewRig), POINTER(SinewRig)),
    "sinew_muscles_physique": (c_int32, SinewMuscles, POINTER(SinewPhysique)),
    "sinew_physique_info": (c_int32, c_uint32, POINTER(SinewPhysique)),
    "sinew_muscles_sculpt": (
        c_int32,
        SinewMuscles,
        POINTER(SinewRig),
        c_char_p,
        POINTER(SinewArray),
        POINTER(c_uint32),
    ),
    "sinew_muscles_range": (c_int32, SinewMuscles, POINTER(SinewRig), c_char_p, c_double, c_double, POINTER(c_uint32)),
    "sinew_muscles_weights": (
        c_int32,
        SinewMuscles,
        POINTER(SinewRig),
        c_uint32,
        c_double,
        c_uint32,
        POINTER(SinewArrayMut),
    ),
    "sinew_muscles_text": (c_int32, SinewMuscles, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
    "sinew_muscles_report": (c_int32, SinewMuscles, POINTER(c_uint8), c_uint64, POINTER(c_uint64)),
}
