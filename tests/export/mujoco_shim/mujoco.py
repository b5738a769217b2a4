"""The part of MuJoCo's Python package that replay.py uses, over Debian's C library, which comes without the package."""
import ctypes
import os

import numpy as np

_library = ctypes.CDLL(os.environ["MUJOCO_SHIM"])
_pointer, _int, _text, _double = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_double)
SITE = 6  # mjOBJ_SITE


def _function(name, result, *arguments):
    function = getattr(_library, name)
    function.restype, function.argtypes = result, arguments
    return function


_load = _function("mj_loadXML", _pointer, _text, _pointer, ctypes.c_char_p, _int)
_make = _function("mj_makeData", _pointer, _pointer)
_id = _function("mj_name2id", _int, _pointer, _int, _text)
_nu = _function("shim_nu", _int, _pointer)
_ctrl = _function("shim_ctrl", _double, _pointer)
_xpos = _function("shim_site_xpos", _double, _pointer, _int)
_reset = _function("mj_resetDataKeyframe", None, _pointer, _pointer, _int)
_kinematics = _function("mj_kinematics", None, _pointer, _pointer)
_step = _function("mj_step", None, _pointer, _pointer)


class MjModel:
    @staticmethod
    def from_xml_path(path):
        model, message = MjModel(), ctypes.create_string_buffer(1000)
        model.pointer = _load(path.encode(), None, message, 1000)
        if not model.pointer:
            raise ValueError(message.value.decode())
        return model


class _Site:
    def __init__(self, xpos):
        self.xpos = xpos


class MjData:
    def __init__(self, model):
        self.model, self.pointer = model, _make(model.pointer)
        self.ctrl = np.ctypeslib.as_array(_ctrl(self.pointer), (_nu(model.pointer),))

    def site(self, name):
        site = _id(self.model.pointer, SITE, name.encode())
        if site < 0:
            raise KeyError(name)
        return _Site(np.ctypeslib.as_array(_xpos(self.pointer, site), (3,)))


def mj_resetDataKeyframe(model, data, key):
    _reset(model.pointer, data.pointer, key)


def mj_kinematics(model, data):
    _kinematics(model.pointer, data.pointer)


def mj_step(model, data):
    _step(model.pointer, data.pointer)
