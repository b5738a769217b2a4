"""Studies in Python are those of the program."""
import numpy as np
import pytest

import tauflex

SLIDE = {
    "tauflex": 1,
    "study": {
        "job": {
            "tauflex": 1,
            "robot": {"gravity": [0, 0, 0], "links": [{"name": "slide", "joint": {"parent": "world", "type": "prismatic", "axis": "x"},
                                                       "drive": {"rotor_inertia": 0}, "mass": 2}]},
            "task": {"outputs": ["slide"], "path": {"line": {"from": [0], "to": [0.5]}, "duration": 1, "profile": "polynomial5"}},
            "method": {"exact": {"step": 0.1}},
            "verification": {"tolerance": 1e-3, "torque": "smooth"},
        },
        "sampling": {"sobol": 16},
        "vary": {"verification.plant.links.slide.mass": "x1..x1.2"},
    },
}


def test_a_table_of_arrays(tmp_path):
    study = tauflex.sweep(SLIDE, jobs=2)
    error, mass = study["verification.max_tool_error_m"], study["verification.plant.links.slide.mass"]
    assert error.shape == mass.shape == (16,)
    assert np.allclose(error, 0.5 * (1 - 2 / mass), atol=1e-6)  # closed form; m, the proof integrates to 1e-9
    assert study.summary["runs"] == 16 and study["status"][0] in ("solved", "missed")
    assert "16 runs" in str(study)
    again = tauflex.sweep(SLIDE, out=tmp_path / "kept", jobs=1)
    assert np.array_equal(again["verification.max_tool_error_m"], error)
    assert (tmp_path / "kept/table.csv").exists()
    study.to_npz(tmp_path / "study.npz")
    assert np.array_equal(np.load(tmp_path / "study.npz")["run"], np.arange(16))


def test_it_can_be_stopped_and_says_what_is_wrong(tmp_path):
    assert tauflex.sweep(SLIDE, jobs=1, out=tmp_path, progress=lambda stage, fraction: fraction < 0.5) is None
    assert len(tauflex.sweep(SLIDE, jobs=2, out=tmp_path, resume=True)["run"]) == 16
    with pytest.raises(tauflex.InputError, match="could vary"):
        tauflex.sweep(SLIDE, set={"study.vary": {"robot.links.slide.colour": "1..2"}})

    def fails(stage, fraction):
        raise RuntimeError("mine")
    with pytest.raises(RuntimeError, match="mine"):
        tauflex.sweep(SLIDE, jobs=1, progress=fails)
