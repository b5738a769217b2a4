"""Jobs from Python: what the program says, to the last bit; sentences, files, threads."""
import gc
import json
import resource
import subprocess
import threading

import numpy as np
import pytest
import tauflex
import yaml


def of_program(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize("name", ["e12", "e12_nonminimum", "four_bar", "payload_friction"])
def test_results_are_those_of_the_program(name, program, examples, tmp_path):
    result = tauflex.run(examples / f"{name}.yaml")
    run = of_program(program, "run", examples / f"{name}.yaml", "-o", tmp_path / "out", "--json")
    assert result.exit_code == run.returncode == 0 and result.success
    result.to_csv(tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_bytes() == (tmp_path / "out/trajectory.csv").read_bytes()
    theirs = json.loads(run.stdout)
    assert result.record["verification"]["max_tool_error_m"] == theirs["verification"]["max_tool_error_m"] == result.tool_error
    assert str(result).splitlines()[0].startswith(name + ":")


def test_a_dict_is_a_job(examples):
    job = yaml.safe_load((examples / "e12.yaml").read_text())
    by_dict, by_file = tauflex.solve(job), tauflex.solve(examples / "e12.yaml")
    assert np.array_equal(by_dict.u, by_file.u)
    slower = tauflex.solve(job, set={"task.path.duration": 0.6})
    assert slower.t[-1] == pytest.approx(0.6)
    assert np.abs(slower.u).max() < np.abs(by_file.u).max()


def test_arrays_are_views_that_outlive_the_result(examples):
    u = tauflex.solve(examples / "e12.yaml").u
    assert u.shape[1] == 2 and not u.flags.writeable and np.isfinite(u).all()


def test_any_time(examples):
    result = tauflex.solve(examples / "e12.yaml")
    between = result.at(result.t[100])
    assert np.allclose(between["u"], result.u[100], rtol=1e-9)
    many = result.at(result.t[:5])
    assert many["q"].shape == (5, result.q.shape[1])


def test_errors_are_the_sentences_of_the_program(program, examples, tmp_path):
    job = tmp_path / "bad.yaml"
    job.write_text((examples / "e12.yaml").read_text().replace("mass:", "mas:", 1))
    with pytest.raises(tauflex.InputError) as raised:
        tauflex.run(job)
    assert f"tauflex: {raised.value}\n" == of_program(program, "run", job).stderr
    with pytest.raises(tauflex.InputError, match="task.path.duration"):
        tauflex.run(examples / "e12.yaml", set={"task.path.duration": -1})


def test_questions_without_an_answer(examples):
    result = tauflex.solve(examples / "e12_nonminimum.yaml", set={"method": {"jets": {}}})
    assert not result.success and result.status == "not_solvable" and result.exit_code == 4
    assert result.message and result.code == "TF-414"
    with pytest.raises(tauflex.ProblemError, match=r"not minimum phase.*\[TF-414\]$"):
        tauflex.check(examples / "e12_nonminimum.yaml", set={"method": {"jets": {}}})
    assert tauflex.analyze(examples / "e12_nonminimum.yaml")["solvable"]


def test_a_path_in_python(examples):
    # The line of the example, as a function with its derivatives.
    spec = yaml.safe_load((examples / "e12.yaml").read_text())["task"]["path"]
    start, end = (np.array(spec["line"][key], dtype=float) for key in ("from", "to"))
    T = spec["duration"]
    reference = tauflex.solve(examples / "e12.yaml", set={"task.path.profile": "polynomial11"})
    smooth = np.polynomial.Polynomial(_smoothstep(5))

    def path(t, order):
        s = [smooth.deriv(k)(t / T) / T**k if k else smooth(t / T) for k in range(order + 1)]
        return np.array([(start if k == 0 else 0) + s[k] * (end - start) for k in range(order + 1)])

    job = tauflex.Job(examples / "e12.yaml", path=path, duration=T, smoothness=5)
    mine = tauflex.solve(job)
    assert mine.status == "solved"
    assert np.abs(mine.u[-1] - reference.u[-1]).max() < 1e-6 * np.abs(reference.u).max()  # stated error 1e-8
    with pytest.raises(tauflex.InputError, match="expected an array of"):
        tauflex.solve(tauflex.Job(examples / "e12.yaml", path=lambda t, order: [0], duration=T, smoothness=5))


def test_a_path_without_derivatives_is_sampled(examples):
    spec = yaml.safe_load((examples / "e12.yaml").read_text())["task"]["path"]
    start, end = (np.array(spec["line"][key], dtype=float) for key in ("from", "to"))
    smooth = np.polynomial.Polynomial(_smoothstep(5))
    reference = tauflex.solve(examples / "e12.yaml", set={"task.path.profile": "polynomial11"})
    errors = []
    for samples in (21, 41):
        job = tauflex.Job(examples / "e12.yaml", path=lambda t: start + smooth(t / 0.3) * (end - start), duration=0.3, smoothness=4, samples=samples)
        sampled = tauflex.solve(job)
        assert sampled.status == "solved"
        errors.append(np.abs(sampled.at(reference.t)["q"] - reference.q).max())
    assert errors[1] < errors[0] / 8 < 1e-3  # rad; joints and rotors see up to the third derivative of a spline of degree 9
    with pytest.raises(tauflex.InputError, match="samples: expected 2 or more, got 1"):
        tauflex.Job(examples / "e12.yaml", path=lambda t: start, duration=0.3, smoothness=4, samples=1)


def _smoothstep(m):
    """Coefficients of the polynomial of degree 2 m + 1 from 0 to 1 with m derivatives zero at both ends."""
    slope = np.polynomial.Polynomial([0, 1]) ** m * np.polynomial.Polynomial([1, -1]) ** m
    whole = slope.integ()
    return (whole / whole(1)).coef


def test_files_for_others(examples, tmp_path):
    result = tauflex.solve(examples / "e12.yaml")
    result.to_npz(tmp_path / "r.npz")
    assert np.array_equal(np.load(tmp_path / "r.npz")["t"], result.t)
    result.to_mat(tmp_path / "r.mat")
    from scipy.io import loadmat
    assert np.array_equal(loadmat(tmp_path / "r.mat")["u"], result.u)
    result.to_npz(tmp_path / "r.npz", rate=500)
    with np.load(tmp_path / "r.npz") as arrays:
        assert all(np.array_equal(arrays[name], column) for name, column in result.columns(rate=500).items())
    frame = result.to_dataframe(rate=1000)
    assert frame.index[1] - frame.index[0] == pytest.approx(1e-3)
    figure = tauflex.run(examples / "e12.yaml").plot()
    figure.savefig(tmp_path / "r.png")
    assert (tmp_path / "r.png").stat().st_size > 5000
    assert "<html" in result.html() and result._repr_html_().startswith("<pre>")


def test_exports_are_those_of_the_program(examples, tmp_path, program):
    options = {"side": "joint", "angles": "deg"}
    tauflex.solve(examples / "six_axis_elastic.yaml").export(tmp_path / "mine", "npz", **options)
    of_program(program, "invert", examples / "six_axis_elastic.yaml", "-o", tmp_path / "out")
    exported = of_program(program, "export", tmp_path / "out", "--to", "npz", "--side", "joint", "--angles", "deg")
    assert exported.returncode == 0, exported
    assert (tmp_path / "mine/six_axis_elastic.npz").read_bytes() == (tmp_path / "out/export/six_axis_elastic.npz").read_bytes()
    with pytest.raises(tauflex.InputError, match="export: to: expected csv, npz, mat, ros, c, mjcf or fmu, got 'mjff'; did you mean 'mjcf'?"):
        tauflex.solve(examples / "e12.yaml").export(tmp_path, "mjff")


def test_options_are_those_of_the_program(examples):
    with pytest.raises(tauflex.InputError, match=r"fit: tolerance: must be greater than 0 and less than 1, got 2"):
        tauflex.fit(examples / "e12_limits.yaml", tolerance=2)


def test_progress_and_stop(examples):
    stages = []

    def progress(stage, fraction):
        stages.append((stage, fraction))
        return len(stages) < 3

    result = tauflex.run(examples / "six_axis_elastic.yaml", progress=progress)
    assert result.exit_code == 130 and stages


def test_errors_in_progress_come_back(examples):
    def progress(stage, fraction):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        tauflex.run(examples / "six_axis_elastic.yaml", progress=progress)


def test_runs_side_by_side(examples):
    expected = tauflex.solve(examples / "e12.yaml").u
    results = [None] * 3

    def work(i):
        results[i] = tauflex.solve(examples / "e12.yaml").u

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(u, expected) for u in results)


def test_other_verbs(examples):
    assert tauflex.check(examples / "e12.yaml")["diagnosis"]["differential_index"] == 4
    fitted = tauflex.fit(examples / "e12_limits.yaml", verify=False)
    assert fitted.fit["duration"] > 0 and fitted.success
    rows = tauflex.compare(examples / "rigid_2r.yaml")
    assert len(rows) > 2 and "method" in rows[0] and str(rows)


def test_memory_does_not_grow(examples, tmp_path):
    """Results, their arrays and their files are given back."""
    def calls(count):
        for _ in range(count):
            result = tauflex.solve(examples / "rigid_2r.yaml")
            result.to_npz(tmp_path / "r.npz")
            result.columns()
        del result
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = calls(20)
    assert calls(100) - before < 10000  # kB; one result of 1001 rows kept each time would be 25 MB
