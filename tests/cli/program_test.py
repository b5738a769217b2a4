"""The program as a user meets it: results, exit codes, and one helpful sentence for everything a person can get wrong.

Usage: program_test.py PROGRAM SOURCE_FOLDER [unittest options]
"""
import csv
import json
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
E12 = (SOURCE / "examples/e12_bdf.yaml").read_text()


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments, env=None):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **(env or {})}, timeout=600)

    def job(self, text=E12, name="arm.yaml"):
        path = self.folder / name
        path.write_text(text)
        return name

    def refused(self, text, code, *parts, options=()):
        """Running this job ends with `code` and one sentence that holds all parts. Where it has no answer (4) a report shows why; else
        nothing is written."""
        result = self.call("run", self.job(text), "-o", "result", *options)
        sentence = result.stderr.strip()
        self.assertEqual(result.returncode, code, result)
        if code == 4:
            said, sentence = sentence.split("\n", 1)
            self.assertEqual(said, "written to result")
            self.assertIn('"outcome":"failed"', (self.folder / "result/scene.json").read_text())
            shutil.rmtree(self.folder / "result")
        self.assertEqual(len(sentence.splitlines()), 1, sentence)
        self.assertTrue(sentence.startswith("tauflex: "), sentence)
        for part in parts:
            self.assertIn(part, sentence)
        self.assertFalse((self.folder / "result").exists())
        self.assertEqual(result.stdout, "")

    def changed(self, old, new):
        self.assertIn(old, E12)
        return E12.replace(old, new, 1)


class Results(ProgramTest):
    def test_run_writes_everything_and_leads_with_the_tool_error(self):
        result = self.call("run", self.job(), "-o", "result")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout.splitlines()[0], r"^arm: tool error 0\.0\d+ mm max.*proved$")
        self.assertEqual(sorted(p.name for p in (self.folder / "result").iterdir()), ["record.json", "report.html", "scene.json", "simulated.csv", "trajectory.csv"])
        record = json.loads((self.folder / "result/record.json").read_text())
        self.assertEqual(record["verification"]["status"], "solved")
        self.assertLess(record["verification"]["max_tool_error_m"], 1e-4)
        with open(self.folder / "result/trajectory.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 601)
        self.assertLess(abs(float(rows[300]["y.tool.x"]) - float(rows[300]["yd.tool.x"])), 1e-12)
        page = (self.folder / "result/report.html").read_text()
        self.assertIn("default-src", page)
        self.assertIn("tool error", page.lower())

    def test_the_readme_shows_what_is_printed(self):
        readme = (SOURCE / "README.md").read_text()
        shown = readme.split("```\n")[1]
        self.assertEqual(self.call("run", SOURCE / "examples/e12.yaml").stdout, shown)

    def test_verbose_says_how_it_was_found(self):
        first, more = (self.call("run", self.job(), *option).stdout for option in ((), ("-v",)))
        self.assertTrue(more.startswith(first))
        self.assertRegex(more[len(first):], r"^  growth .*\n  method .*\n(  start .*\n)?  pose .*\n  problem   index 4")
        self.assertIn("  rigid     with torques of the rigid robot it would be 946 mm\n", first)

    def on_terminal(self, *words, **environment):
        """What the program prints where stdout is a terminal."""
        ours, its = os.openpty()
        subprocess.run([PROGRAM, *words], cwd=self.folder, stdout=its, stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        os.close(its)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # the end
            pass
        os.close(ours)
        return text.decode().replace("\r\n", "\n")

    def test_a_terminal_gets_colour_and_curves(self):
        coloured = self.on_terminal("run", self.job())
        self.assertTrue(coloured.startswith("\x1b[1;32marm: tool error"), coloured)
        self.assertIn("u of upper, to ", coloured)
        self.assertRegex(coloured, "[\u2801-\u28ff]")
        plain = self.on_terminal("run", "arm.yaml", NO_COLOR="1")
        self.assertNotIn("\x1b", plain)
        self.assertIn("u of upper, to ", plain)
        self.assertNotRegex(self.call("run", "arm.yaml").stdout, "[\u2801-\u28ff]")

    def test_several_results_in_one_page(self):
        self.assertEqual(self.call("run", self.job(), "-o", "a").returncode, 0)
        self.assertEqual(self.call("run", "arm.yaml", "-o", "b", "--set", "task.path.duration=0.4").returncode, 0)
        done = self.call("report", "a", "b/")
        if "built without npm" in done.stderr:
            self.skipTest("built without npm")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "a/compared.html").read_text()
        self.assertEqual(page.count('<script type="application/json">'), 2)
        self.assertIn('"job":"b"', page)
        refused = self.call("report", "a", "nowhere")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("nowhere: there is no scene.json", refused.stderr)

    def test_compare_and_simulate_write_reports(self):
        done = self.call("compare", self.job(), "--dynamics", "job", "-o", "result")
        self.assertEqual(done.returncode, 0, done.stderr)
        scene = json.loads((self.folder / "result/scene.json").read_text())
        self.assertEqual(scene["tables"][0]["title"], "Methods side by side")
        self.assertGreater(len(scene["tables"][0]["rows"]), 3)
        self.call("simulate", "arm.yaml", "-o", "run", "--duration", "0.1")
        scene = json.loads((self.folder / "run/scene.json").read_text())
        self.assertEqual(scene["outcome"], "simulated")
        self.assertEqual(len(scene["scene"]["motions"]["reached"]), 7 * 3 * len(scene["scene"]["t"]))

    def test_picture(self):
        self.assertEqual(self.call("run", self.job(), "-o", "result", "--picture").returncode, 0)
        self.assertTrue((self.folder / "result/picture.svg").read_text().startswith("<svg"))

    def test_default_folder_is_out_and_the_name_of_the_job(self):
        self.assertEqual(self.call("run", self.job()).returncode, 0)
        self.assertTrue((self.folder / "out/arm/record.json").exists())

    def test_json_goes_to_stdout_and_talk_to_stderr(self):
        result = self.call("run", self.job(), "--json")
        self.assertEqual(json.loads(result.stdout)["solution"]["order"], 3)
        self.assertIn("written to", result.stderr)

    def test_set_overrides_any_key(self):
        result = self.call("run", self.job(), "--json", "--set", "method.bdf.order=4", "--set", "robot.links.hand.mass=210",
                           "--set", "task.path.line.to=[1.2, 1.6]")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["solution"]["order"], 4)

    def test_the_record_says_the_method_as_a_job_would(self):
        for chosen in ("{jets: {step: 0.001}}", "{bdf: {form: index2, scaling: {power: 2}, dummies: [q.upper], step: 0.002}}"):
            first = self.call("invert", SOURCE / "examples/e12_bdf.yaml", "-o", "a", "--json", "--set", f"method={chosen}")
            self.assertEqual(first.returncode, 0, first.stderr)
            options = json.loads(first.stdout)["solution"]["options"]
            again = self.call("invert", SOURCE / "examples/e12_bdf.yaml", "-o", "b", "--json", "--set", f"method={json.dumps(options)}")
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(json.loads(again.stdout)["solution"]["options"], options)
            self.assertEqual((self.folder / "a/trajectory.csv").read_bytes(), (self.folder / "b/trajectory.csv").read_bytes())
        self.assertEqual(options["bdf"]["form"], "index2")
        self.assertEqual(options["bdf"]["newton"], {"tolerance": 1e-15, "max_iterations": 12})

    def test_invert_has_no_proof(self):
        result = self.call("invert", self.job(), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIsNone(json.loads(result.stdout)["verification"])

    def test_verify_proves_a_table(self):
        self.call("run", self.job(), "-o", "result", "--rate", "1000")
        result = self.call("verify", "arm.yaml", "result/trajectory.csv", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(json.loads(result.stdout)["verification"]["max_tool_error_m"], 2e-4)

    def test_a_table_for_a_part_of_the_path_proves_nothing(self):
        self.call("run", self.job(), "-o", "result")
        rows = (self.folder / "result/trajectory.csv").read_text().splitlines()
        for name, kept, code in (("two", rows[:3], 6), ("middle", rows[:1] + rows[300:], 6), ("all", rows, 0)):
            (self.folder / f"{name}.csv").write_text("\n".join(kept) + "\n")
            result = self.call("verify", "arm.yaml", f"{name}.csv")
            self.assertEqual(result.returncode, code, result)
            self.assertEqual("% of the path (tolerance 1 mm): not proved" in result.stdout, code == 6, result.stdout)

    def test_strict_makes_exceeded_limits_a_failure(self):
        job = self.job(self.changed("damping: 50}", "damping: 50, limits: {torque: 64000}}"))
        for options, code in (((), 0), (("--strict",), 6), (("--set", "verification.limits=obey"), 6)):
            result = self.call("run", job, *options)
            self.assertEqual(result.returncode, code, result)
            self.assertRegex(result.stdout.splitlines()[0], r"proved; limits: torque of upper exceeded by 113 %$")

    def test_a_folder_holds_the_files_of_one_run(self):
        controller = ("--set", "controller={sample: 0.001, hold: zero, torques: mean}")
        self.call("run", self.job(), "-o", "result", "--picture", *controller)
        (self.folder / "result/notes.txt").write_text("mine")
        before = sorted(p.name for p in (self.folder / "result").iterdir())
        self.assertIn("torques.csv", before)
        self.assertIn("picture.svg", before)
        self.call("run", "arm.yaml", "-o", "result")
        after = sorted(p.name for p in (self.folder / "result").iterdir())
        self.assertEqual(after, ["notes.txt", "record.json", "report.html", "scene.json", "simulated.csv", "trajectory.csv"])
        self.assertEqual(sorted(json.loads((self.folder / "result/record.json").read_text())["files"]), after[1:])

    def test_files_of_others_are_never_touched(self):
        self.job()
        (self.folder / "trajectory.csv").write_text("mine")
        result = self.call("run", "arm.yaml", "-o", ".")
        self.assertEqual(result.returncode, 3, result)
        self.assertIn("trajectory.csv lies there and is not of an earlier result", result.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["arm.yaml", "trajectory.csv"])
        (self.folder / "trajectory.csv").unlink()
        for _ in range(2):
            self.assertEqual(self.call("run", "arm.yaml", "-o", ".").returncode, 0)
        self.assertEqual((self.folder / "arm.yaml").read_text(), E12)
        result = self.call("verify", "arm.yaml", "trajectory.csv", "-o", ".")
        self.assertEqual(result.returncode, 3, result)
        self.assertIn("trajectory.csv is read, and is a file of the earlier result there", result.stderr)

    def test_two_runs_at_once_leave_one_result(self):
        job = self.job((SOURCE / "examples/rigid_2r.yaml").read_text())
        steps = ("0.01", "0.02")
        for _ in range(15):
            runs = [subprocess.Popen([PROGRAM, "run", job, "-o", "result", "--set", f"method={{exact: {{step: {step}}}}}"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for step in steps]
            for run in runs:
                run.communicate(timeout=60)
                self.assertIn(run.returncode, (0, 6))
            record = json.loads((self.folder / "result/record.json").read_text())
            for name in ("trajectory.csv", "simulated.csv"):
                rows = (self.folder / "result" / name).read_text().splitlines()
                self.assertEqual(len(rows), record["solution"]["steps"] + 2, name)
            self.assertEqual(sorted(p.name for p in (self.folder / "result").iterdir()), sorted(record["files"]))

    def test_verify_refuses_wrong_torques_with_code_6(self):
        self.call("run", self.job(), "-o", "result")
        table = self.folder / "result/trajectory.csv"
        with open(table, newline="") as file:
            rows = list(csv.reader(file))
        column = rows[0].index("u.upper")
        for row in rows[1:]:
            row[column] = str(1.05 * float(row[column]))
        with open(self.folder / "wrong.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)
        self.assertEqual(self.call("verify", "arm.yaml", "wrong.csv").returncode, 6)

    def test_simulate_holds_the_start(self):
        result = self.call("simulate", self.job(), "--duration", "0.2", "--rate", "100", "-o", "free")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "free/trajectory.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 21)
        self.assertAlmostEqual(float(rows[-1]["y.tool.x"]), 2.146, places=6)  # m; an unstable rest state

    def test_a_job_without_a_task_is_simulated(self):
        top = (SOURCE / "examples/heavy_top.yaml").read_text()
        result = self.call("run", self.job(top), "-o", "top")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "top/trajectory.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 1001)
        self.assertEqual(float(rows[0]["v.top.wy"]), 150)
        self.assertLess(json.loads((self.folder / "top/simulation.json").read_text())["simulation"]["energy_balance_error"], 1e-9)
        self.assertIn("ready to simulate", self.call("check", "arm.yaml").stdout)
        self.assertEqual(json.loads(self.call("check", "arm.yaml", "--json").stdout)["plant"]["coordinates"], 4)
        result = self.call("invert", "arm.yaml")
        self.assertEqual(result.returncode, 3)
        self.assertIn("the job has no task to solve; use tauflex simulate", result.stderr)
        self.refused(top.replace("top.wy", "top.wi"), 3, "arm.yaml:8: simulation: start.v: 'top.wi' is not one of the robot's; did you mean 'top.wx'?")
        self.refused(top.replace("  duration: 1\n", ""), 3, "simulation: 'duration' is missing")

    def test_loops_are_reported(self):
        text = (SOURCE / "examples/four_bar.yaml").read_text()
        result = self.call("check", self.job(text))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 constraint rows (3 more are linearly dependent on these and left out: weld.y, weld.rx, weld.rz)", result.stdout)
        result = self.call("run", self.job(text), "--json", "-o", "bar")
        record = json.loads(result.stdout)
        self.assertLess(record["verification"]["max_constraint_violation"], 1e-12)
        with open(self.folder / "bar/trajectory.csv", newline="") as file:
            columns = next(csv.reader(file))
        for column in ("lambda.weld.x", "lambda.weld.ry", "r.crank.fx", "r.coupler_end.mz"):
            self.assertIn(column, columns)
        self.refused(text.replace("[0.5, 0, 0], type", "[5, 0, 0], type"), 4, "arm.yaml:31: robot.constraints.weld: constraint 'weld' cannot be closed: it stays 3.")

    def test_controllers_are_checked(self):
        text = (SOURCE / "examples/computed_torque.yaml").read_text()
        self.refused(text.replace("kp: [900, 900]", "kp: [900]"), 3, "arm.yaml:22: controller.computed_torque.kp: expected 2 numbers, one for each output (bar2, bar3), got 1")
        self.refused(text.replace("sample: 0.001", "sample: 0"), 3, "controller.sample: must be greater than 0, got 0")
        self.refused(text.replace("computed_torque:", "fuzzy:"), 3, "unknown key 'fuzzy'")
        self.refused(text.replace("computed_torque: {kp", "computed_torque: {measured: nose, kp"), 3, "expected motor or joint, got 'nose'")

    def test_sampled_torques_are_written_and_prove_themselves(self):
        controller = ("--set", "controller={sample: 0.001, hold: zero, torques: best}")
        result = self.call("run", self.job(), "-o", "result", *controller)
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("torque held for 1 ms (best)", result.stdout)
        table = list(csv.reader((self.folder / "result/torques.csv").read_text().splitlines()))
        self.assertEqual(table[0], ["t", "u.upper", "u.fore"])
        self.assertEqual(len(table), 302)
        proof = json.loads((self.folder / "result/record.json").read_text())["verification"]
        self.assertEqual((proof["torque"], proof["sample"], proof["sampled_torques"]), ("held", 0.001, "best"))
        self.assertLess(proof["max_tool_error_m"], 2e-5)  # what bdf of order 3 at 0.5 ms leaves
        again = self.call("verify", "arm.yaml", "result/torques.csv", "--json", *controller)
        self.assertLess(json.loads(again.stdout)["verification"]["max_tool_error_m"], 2e-5)

    def test_schema_and_program_agree_about_controllers(self):
        import jsonschema
        import yaml
        validator = jsonschema.Draft7Validator(json.loads((SOURCE / "docs/job.schema.json").read_text()))
        for controller, valid in [
            ({"sample": 0.001}, True),
            ({"sample": 0.001, "hold": "linear", "torques": "mean"}, True),
            ({"pd": {}, "sample": 0.001, "torques": "best"}, True),
            ({"hold": "zero"}, False),
            ({"pd": {}, "hold": "zero"}, False),
            ({"sample": 0.001, "feedforward": True}, False),
            ({"sample": 0.001, "torques": "good"}, False),
            ({"computed_torque": {}, "sample": 0.001, "torques": "best"}, False),
        ]:
            job = yaml.safe_load((SOURCE / "examples/computed_torque.yaml").read_text())
            job["controller"] = controller
            self.assertEqual(not list(validator.iter_errors(job)), valid, controller)
            self.assertEqual(self.call("check", self.job(yaml.safe_dump(job))).returncode == 0, valid, controller)

    def test_a_singular_pose_on_the_way_is_named(self):
        text = (SOURCE / "examples/rigid_2r.yaml").read_text()
        line = next(l for l in text.splitlines() if "path:" in l)
        path = "  path: {line: {from: [0.7, 0], to: [1, 0]}, duration: 1, profile: polynomial9}"
        self.refused(text.replace(line, path), 4, "t = 0.569483 s", "end of what the robot can reach, at upper = ", "fore = ")

    def test_check_and_examples(self):
        self.assertIn("minimum phase", self.call("check", self.job()).stdout)
        self.assertEqual(json.loads(self.call("check", "arm.yaml", "--json").stdout)["diagnosis"]["differential_index"], 4)
        names = [line.split()[0] for line in self.call("examples").stdout.splitlines()]
        jobs, models = ((SOURCE / "examples").glob(f"*.{ending}") for ending in ("yaml", "urdf"))
        self.assertEqual(names, sorted([p.stem for p in jobs] + [p.name for p in models]))
        self.assertEqual(self.call("examples", "six_axis.urdf").stdout, (SOURCE / "examples/six_axis.urdf").read_text())
        self.assertEqual(self.call("examples", "e12_bdf").stdout, E12)

    def test_modes_say_what_swings(self):
        arm = SOURCE / "examples/six_axis_elastic.yaml"
        self.assertRegex(self.call("modes", arm).stdout, "motors locked\n.*what gives\n.*gear of axis")
        said = json.loads(self.call("modes", SOURCE / "examples/single_flexible_link.yaml", "--free", "--json").stdout)
        self.assertEqual(said["free_motions"], 1)
        self.assertEqual(said["modes"][0]["what"], "first bending of arm, 100 %")
        self.assertIn("0 modes", self.call("modes", SOURCE / "examples/rigid_2r.yaml").stdout)

    def test_pose_says_where_the_tool_is(self):
        arm = SOURCE / "examples/six_axis.urdf"
        self.assertIn("flange in the world", self.call("pose", arm).stdout)
        said = json.loads(self.call("pose", arm, "--at", "axis1=90 deg, axis5=0.4", "--json").stdout)
        self.assertEqual(said["frame"], "flange")
        for found, wanted in zip(said["position"], [0, 0.35 + 0.3 + 0.9 + 0.15 * 0.9210609940, 0.3 + 0.5 + 1.1 + 0.2 - 0.15 * 0.3894183423]):
            self.assertAlmostEqual(found, wanted, places=9)
        self.assertAlmostEqual(said["distance_to_limits"]["axis5"], 1.7)
        self.assertAlmostEqual(said["gravity_torques"]["axis1"], 0)
        # there and back: one of the postures that reach it is the one it came from
        place = " ".join(map(repr, said["position"] + said["rotation_vector"]))
        there = json.loads(self.call("pose", arm, "--reach", place, "--json").stdout)
        self.assertEqual(len(there["postures"]), 8)
        self.assertTrue(any(abs(p["q"]["axis1"] - 1.5707963) < 1e-6 and abs(p["q"]["axis5"] - 0.4) < 1e-6 for p in there["postures"]))
        self.assertIn("shoulder front, elbow up", self.call("pose", arm, "--reach", "1.6 -500mm 1.2 0 0.6 0").stdout)

    def test_pose_of_jobs_and_robots(self):
        self.assertIn("tool in the world", self.call("pose", self.job()).stdout)  # at the start of its task
        start = json.loads(self.call("pose", "arm.yaml", "--json").stdout)
        self.assertAlmostEqual(start["position"][0], 2.146, places=6)
        (self.folder / "robot.yaml").write_text("\n".join(line[2:] for line in E12.split("robot:")[1].split("task:")[0].splitlines()))
        self.assertIn("hand in the world", self.call("pose", "robot.yaml", "--frame", "hand").stdout)
        for arguments, part in ((("--at", "uper=1"), "did you mean 'upper'"), (("--frame", "tol"), "did you mean 'tool'"),
                                (("--at", "upper=1 kg"), "expected a number in rad, mrad, deg"), (("--reach", "1 2"), "got 2 numbers"),
                                (("--reach", "9 9 9"), "cannot get there")):
            result = self.call("pose", "arm.yaml", *arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(part, result.stderr)

    def test_check_lists_the_postures_of_the_start(self):
        listed = self.call("check", self.job(), "--poses").stdout
        self.assertIn("2 postures at the start", listed)
        self.assertIn("elbow up", listed)
        self.assertIn("elbow down", listed)
        said = json.loads(self.call("check", "arm.yaml", "--poses", "--json").stdout)
        self.assertEqual(len(said["postures"]), 2)
        self.assertIn("of 2 postures the closest to zero", self.call("check", "arm.yaml", "--set", "task.start={}").stdout)

    def test_units_in_job_files(self):
        plain = json.loads(self.call("invert", self.job(), "--json", "-o", "a").stdout)
        text = self.changed("mass: 100", "mass: 0.1 t").replace("com: [0.5, 0, 0]", "com: [500 mm, 0, 0]", 1).replace("duration: 0.3", "duration: 300 ms")
        self.assertIn("300 ms", text)
        united = json.loads(self.call("invert", self.job(text, "units.yaml"), "--json", "-o", "b").stdout)
        self.assertEqual(plain["solution"]["drives"], united["solution"]["drives"])
        self.refused(self.changed("mass: 100", "mass: 100 mm"), 3, "arm.yaml:9: robot.links.upper.mass: expected a number, or one in kg, g, t, got '100 mm'")

    def test_analyze_leads_with_the_verdict(self):
        done = self.call("analyze", self.job())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("arm: Solvable. The torque depends on the 3rd derivative of the path"), done.stdout)
        done = self.call("analyze", self.job(), "--json")
        diagnosis = json.loads(done.stdout)["diagnosis"]
        self.assertEqual([diagnosis[key] for key in ("differential_index", "reduced_index", "strangeness_index", "structural_index")], [4, 3, 2, 3])
        done = self.call("analyze", self.job(), "--set", "task.path.profile=polynomial5")
        self.assertEqual(done.returncode, 4)
        self.assertIn("Not solvable as posed", done.stdout)
        self.assertIn("change: ", done.stdout)

    def test_compare_prints_a_row_per_method(self):
        done = self.call("compare", SOURCE / "examples/e1_simplified.yaml", "--json", "--order", "3", "--step", "0.001")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["method"]: row for row in json.loads(done.stdout)}
        self.assertEqual(rows["DD (48)"]["status"], "not_converged")
        for name in ("HI", "DD (43)", "DD (44)", "DD (49)", "KM", "DC", "variable step"):
            self.assertEqual(rows[name]["status"], "solved", rows[name])
            self.assertLess(rows[name]["torque_error"], 0.01)
        done = self.call("compare", SOURCE / "examples/e1_simplified.yaml")
        self.assertIn("error of u", done.stdout)
        done = self.call("compare", SOURCE / "examples/e1_simplified.yaml", "--order", "9")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--order: must be 1 to 6, got 9", done.stderr)
        self.assertIn("of the difference formulas (default: 3)", self.call("compare", "--help").stdout)

    def test_fit_finds_a_duration_and_writes_the_job_that_has_it(self):
        job = self.job((SOURCE / "examples/e12_limits.yaml").read_text())
        done = self.call("fit", job, "-o", "result")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"shortest within the limits: 0\.39\d* s \(as given\), \d+ trials\narm: tool error .*proved")
        self.assertEqual(sorted(p.name for p in (self.folder / "result").iterdir()),
                         ["fit.json", "job.yaml", "record.json", "report.html", "scene.json", "simulated.csv", "trajectory.csv"])
        found = json.loads((self.folder / "result/fit.json").read_text())["found"]
        again = self.call("run", "result/job.yaml", "--json")
        self.assertEqual(again.returncode, 0, again.stderr)
        margin = min(limit["margin"] for limit in json.loads(again.stdout)["solution"]["limits"])
        self.assertEqual(margin, found["margin"])
        self.assertGreaterEqual(margin, 0)
        faster = self.call("run", "result/job.yaml", "--set", f"task.path.duration={0.95 * found['duration']}")
        self.assertEqual(faster.returncode, 0, faster.stderr)
        self.assertIn("above its limit of 6e+04", faster.stderr)

    def test_notes_about_a_urdf_file_are_said_everywhere(self):
        shutil.copy(SOURCE / "tests/model/nasty/unknown_words.urdf", self.folder)
        job = self.job("""tauflex: 1
robot:
  urdf: unknown_words.urdf
  elastic: {links: {shoulder: {drive: {rotor_inertia: 1}}, elbow: {drive: {rotor_inertia: 1}}}}
task: {outputs: [shoulder, elbow], path: {line: {from: [0, 0.3], to: [0.5, 0.9]}, duration: 0.6, profile: polynomial7}}
""")
        note = "unknown_words.urdf: not known and ignored: element 'ros2_control' of robot (line 21)"
        for verb in ("check", "analyze", "run"):
            result = self.call(verb, job, *(["-o", "result"] if verb == "run" else []))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr.count("note: " + note), 1, verb)
        self.assertTrue(json.loads((self.folder / "result/record.json").read_text())["robot_notes"][0].startswith(note))
        self.assertIn("unknown_words.urdf: not known and ignored", (self.folder / "result/report.html").read_text())

    def test_fit_of_a_urdf_job_can_be_run_elsewhere(self):
        (self.folder / "jobs").mkdir()
        for name in ("six_axis_elastic.yaml", "six_axis.urdf"):
            shutil.copy(SOURCE / "examples" / name, self.folder / "jobs" / name)
        done = self.call("fit", "jobs/six_axis_elastic.yaml", "--json", "-o", "it's here/result")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(json.loads(done.stdout)["found"]["duration"], 1)
        self.assertEqual(self.call("check", "it's here/result/job.yaml").returncode, 0)

    def test_fit_refuses_what_it_cannot_fit(self):
        for job, code, part in ((self.job(), 3, "no drive has limits"),
                                (self.job(self.changed("damping: 50}", "damping: 50, limits: {torque: 5000}}"), "weak.yaml"), 4,
                                 "at rest on the path")):
            done = self.call("fit", job, "-o", "result")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(part, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertFalse((self.folder / "result").exists())
        self.assertEqual(self.call("fit", self.job(), "--smoothness", "99").returncode, 2)

    def test_same_job_same_bytes(self):
        for name in ("a", "b"):
            self.call("run", self.job(), "-o", name)
        self.assertEqual((self.folder / "a/trajectory.csv").read_bytes(), (self.folder / "b/trajectory.csv").read_bytes())
        records = [json.loads((self.folder / name / "record.json").read_text()) for name in ("a", "b")]
        for record in records:
            del record["solution"]["solve_seconds"]
        self.assertEqual(*records)

    def test_a_german_locale_changes_nothing(self):
        locale = self.folder / "locale"
        locale.mkdir()
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locale / "de_DE.UTF-8"], check=True, capture_output=True)
        self.call("run", self.job(), "-o", "plain")
        result = self.call("run", "arm.yaml", "-o", "german", env={"LOCPATH": str(locale), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "plain/trajectory.csv").read_bytes(), (self.folder / "german/trajectory.csv").read_bytes())

    def test_a_robot_in_its_own_file(self):
        head, rest = E12.split("robot:\n")
        robot, task = rest.split("task:\n")
        self.job("\n".join(line[2:] for line in robot.splitlines()), "robot.yaml")
        result = self.call("run", self.job(head + "robot: robot.yaml\ntask:\n" + task), "--json", "--set", "robot.links.hand.mass=200")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_interrupt_exits_with_130(self):
        long = self.changed("duration: 0.3", "duration: 30").replace("step: 0.0005", "step: 0.00002")
        (self.folder / "out/arm").mkdir(parents=True)
        earlier = json.dumps({"format": 1, "job": "arm", "files": ["record.json"]})
        (self.folder / "out/arm/record.json").write_text(earlier)
        process = subprocess.Popen([PROGRAM, "run", self.job(long)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertEqual((self.folder / "out/arm/record.json").read_text(), earlier)
        self.assertEqual(len(list((self.folder / "out/arm").iterdir())), 1)


class BadInput(ProgramTest):
    def test_sizes_are_checked_before_memory_is_asked_for(self):
        for options, parts in (
            (("--rate", "1e9"), ("rate: 1e+09 samples per second over 0.3 s are 3e+08 samples", "the most is")),
            (("--set", "task.path.duration=2e6"), ("arm.yaml:", "2e+06 s in steps of 0.0005 s (key step of the method) are 4e+09 samples; the most is 1e+08")),
            (("--set", "task.hold.after=1e6"), ("are 2e+09 samples",)),
            (("--set", "method.bdf.step=1e-13"), ("0.3 s in steps of 1e-13 s (key step of the method) are 3e+12 samples",)),
            (("--set", "method={jets: {step: 1e-13}}"), ("steps of 1e-13 s", "are 3e+12 samples")),
            (("--set", "method={jets: {most_steps: 20000000}}"), ("most_steps: must be 1 to 1000000",)),
            (("--set", "controller={sample: 1e-12, hold: zero, torques: mean}"), ("controller.sample: samples of 1e-12 s over 0.3 s are 3e+11 samples",)),
            (("--set", "controller={pd: {}, sample: 1e-12}"), ("controller.sample: samples of 1e-12 s over 0.3 s are 3e+11 samples",)),
            (("--set", "robot.links.hand.mass=1e300"), ("robot.links.hand.mass: must be at most 1e+30 in size, got 1e300",)),
        ):
            self.refused(E12, 3, *parts, options=options)
        result = self.call("simulate", self.job(), "--duration", "1e9", "--rate", "1e9")
        self.assertEqual(result.returncode, 3, result)
        self.assertIn("1e+09 samples per second over 1e+09 s are 1e+18 samples", result.stderr)

    def test_interrupts_are_heard_everywhere(self):
        # between two samples of a simulation, hours of its time apart
        for arguments in (("simulate", self.job(), "--duration", "20000", "--rate", "5e-5"),):
            process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130)
            self.assertLess(time.monotonic() - begun, 4)
            self.assertEqual([p.name for p in self.folder.iterdir()], ["arm.yaml"])

    def test_usage(self):
        for arguments in ((), ("fly",), ("run",), ("run", "arm.yaml", "--speed", "3"), ("examples", "e21")):
            self.job()
            self.assertEqual(self.call(*arguments).returncode, 2, arguments)
        self.assertIn("did you mean 'e12'", self.call("examples", "e21").stderr)
        self.assertEqual(self.call("run", "arm.yaml", "--set", "nonsense").returncode, 2)
        self.assertIn("there is no verb 'rum'; did you mean 'run'?", self.call("rum", "arm.yaml").stderr)
        self.assertIn("there is no verb 'fly'; there are check, analyze,", self.call("fly").stderr)
        self.assertIn("--rate: must be a number greater than 0, got 0", self.call("run", "arm.yaml", "--rate", "0").stderr)
        twice = self.call("check", "arm.yaml", "--set", "task.path.duration=1", "--set", "task.path.duration=2")
        self.assertEqual(twice.returncode, 2)
        self.assertIn("task.path.duration is set twice, before to 1", twice.stderr)

    def test_help_is_a_verb(self):
        self.assertEqual(self.call("help").stdout, self.call("--help").stdout)
        self.assertEqual(self.call("help", "run").stdout, self.call("run", "--help").stdout)

    def test_errors_as_json(self):
        result = self.call("check", "nobody.yaml", "--json")
        self.assertEqual(json.loads(result.stdout), {"status": "error", "exit_code": 3, "message": result.stderr.strip()[len("tauflex: "):]})

    def test_notes_about_samples_reach_the_user(self):
        rows = [(i / 250, round(0.4 * (lambda x: x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3))(i / 250), 4)) for i in range(251)]
        (self.folder / "log.csv").write_text("time;bar2\n" + "".join(f"{1000 * t:g};{y:g}\n" for t, y in rows))
        job = """tauflex: 1
robot:
  links:
    - {name: bar2, joint: {parent: world, type: revolute, axis: z}, drive: {rotor_inertia: 0.1}, mass: 1, com: [0.3, 0, 0], inertia: {zz: 0.02}}
task: {outputs: [bar2], path: {samples: {file: log.csv}}}
"""
        for keys, note in (("", "the samples scatter about a smooth curve by bar2"), (", smoothing: auto", "smoothed, ")):
            result = self.call("invert", self.job(job.replace("log.csv", "log.csv" + keys)), "-o", "result")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("column 'time' is taken as ms", result.stderr)
            self.assertIn(note, result.stderr)
            notes = json.loads((self.folder / "result/record.json").read_text())["path_notes"]
            self.assertEqual(len(notes), 2, notes)
            self.assertIn(note, notes[1])

    def test_a_job_from_standard_input(self):
        for verb in ("check", "run"):
            result = subprocess.run([PROGRAM, verb, "-"], input=E12, capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stdout.startswith("stdin: "), result.stdout)
        self.assertTrue((self.folder / "out/stdin/record.json").exists())
        result = subprocess.run([PROGRAM, "check", "-"], input=E12 + "\n  x\n", capture_output=True, text=True, cwd=self.folder)
        self.assertIn("standard input:", result.stderr)

    def test_missing_file(self):
        self.job()
        result = self.call("run", "amr.yaml")
        self.assertEqual(result.returncode, 3)
        self.assertIn("amr.yaml: no such file; did you mean 'arm.yaml'?", result.stderr)

    def test_malformed_yaml(self):
        self.refused(self.changed("links:", "links: ]"), 3, "arm.yaml:5: not valid YAML")
        self.refused(self.changed("outputs: [tool.x, tool.z]", "outputs: [tool.x, tool.z"), 3, "arm.yaml:27: '[' is opened here and not closed by ']'")

    def test_words_that_were_taken_silently_or_blamed_wrongly(self):
        self.refused(self.changed("method: {bdf: {order: 3, step: 0.0005}}", "method: jet"), 3, "arm.yaml:30: method: there is no method 'jet'; did you mean 'jets'?")
        self.refused(self.changed("step: 0.0005", "step: 3"), 3, "method.bdf.step: a step of 3 s is longer than the task, 0.3 s")
        self.refused(self.changed("outputs: [tool.x, tool.z]", "outputs: [tool.x]"), 3, "task.path.line.from: the task has 1 output (tool.x), so a point has 1 number, got 2")
        self.refused(E12 + "controller: {pd: {kp: [1], kd: [1, 1]}}\n", 3, "arm.yaml:32: controller.pd.kp: expected 2 numbers, one for each drive (upper, fore), got 1")
        self.refused(E12 + "controller: {pd: {kp: [1, -1], kd: [1, 1]}}\n", 3, "arm.yaml:32: controller: pd.kp: must not be negative, got -1")
        self.refused(self.changed("task:\n", "task:\n  payload: {link: hnd, mass: 1}\n"), 3, "arm.yaml:27: task.payload.link: there is no link 'hnd'; did you mean 'hand'?")

    def test_not_a_job(self):
        self.refused("hello\n", 3, "arm.yaml:1: expected a job file")
        self.refused("", 3, "arm.yaml:1: expected a job file")
        self.refused(self.changed("tauflex: 1\n", ""), 3, "'tauflex' is missing")
        self.refused(self.changed("tauflex: 1", "tauflex: 2"), 3, "arm.yaml:2: tauflex: this program reads job files of format 1, got 2")

    def test_unknown_key(self):
        self.refused(self.changed("mass: 200", "maas: 200"), 3, "arm.yaml:21: robot.links.hand.maas: unknown key 'maas'; did you mean 'mass'?")
        self.refused(self.changed("task:", "taks:"), 3, "unknown key 'taks'; did you mean 'task'?")

    def test_a_key_twice(self):
        self.refused(self.changed("mass: 200", "mass: 200\n      mass: 100"), 3, "arm.yaml:22: key 'mass' stands here twice")

    def test_negative_mass(self):
        self.refused(self.changed("mass: 200", "mass: -200"), 3, "arm.yaml:21: robot.links.hand.mass: must not be negative, got -200")

    def test_numbers_that_are_not_finite(self):
        for value in (".nan", "nan", ".inf", "-inf", "1e999"):
            self.refused(self.changed("mass: 200", f"mass: {value}"), 3, f"arm.yaml:21: robot.links.hand.mass: expected a finite number, got '{value}'")

    def test_text_for_a_number(self):
        self.refused(self.changed("stiffness: 1e5", "stiffness: soft"), 3, "arm.yaml:8: robot.links.upper.drive.stiffness: expected a finite number, got 'soft'")
        self.refused(self.changed("com: [0.5, 0, 0]", "com: [0.5, 0]"), 3, "arm.yaml:10: robot.links.upper.com: expected a list of 3 numbers, got 2")
        self.refused(self.changed("com: [0.5, 0, 0]", "com: [0,5, 0, 0]"), 3, "expected a list of 3 numbers, got 4")

    def test_inertia(self):
        self.refused(self.changed("inertia: {yy: 5}", "inertia: {xx: 5}"), 3, "arm.yaml:6: robot.links.upper: inertia yy is not given, but the joints turn link 'upper' about its y axis")
        self.refused(self.changed("inertia: {yy: 5}", "inertia: {xx: 1, yy: 5, zz: 1, xy: 0, xz: 0, yz: 0}"), 3, "none may exceed the sum of the two others")

    def test_cyclic_tree(self):
        self.refused(self.changed("parent: world", "parent: hand"), 3, "arm.yaml:", "the tree has a cycle of parents: ", "upper -> hand -> fore -> upper")

    def test_missing_parent(self):
        self.refused(self.changed("parent: fore", "parent: four"), 3, "arm.yaml:18: robot.links.hand: parent 'four' is not a link; did you mean 'fore'?")

    def test_two_links_of_one_name(self):
        self.refused(self.changed("name: fore", "name: upper"), 3, "there are two links called 'upper'")

    def test_unknown_frame_link_and_output(self):
        self.refused(self.changed("link: hand", "link: band"), 3, "link 'band' does not exist; did you mean 'hand'?")
        self.refused(self.changed("outputs: [tool.x, tool.z]", "outputs: [tool.x, tol.z]"), 3, "'tol.z' is neither a position", "did you mean 'tool.z'?")
        self.refused(self.changed("fore: 0.3}", "four: 0.3}"), 3, "start.near: 'four' is not a joint; did you mean 'fore'?")

    def test_more_outputs_than_drives(self):
        text = self.changed("[tool.x, tool.z]", "[tool.x, tool.y, tool.z]").replace("[2.146, -0.345]", "[2.146, 0, -0.345]").replace("[1.146, 1.645]", "[1.146, 0, 1.645]")
        self.refused(text, 4, "arm.yaml:27: task.outputs: 3 outputs but 2 drives; remove one of: tool.x, tool.y, tool.z")

    def test_unreachable_tool(self):
        self.refused(self.changed("[2.146, -0.345]", "[2.5, -0.345]"), 4, "arm.yaml:27: task.outputs: start: t = 0 s: tool.x = 2.5, tool.z = -0.345 cannot be reached; the robot stays 0.324 away")
        self.refused(self.changed("[1.146, 1.645]", "[2.5, 1.645]"), 4, "cannot be reached", "t = 0.")

    def test_singular_start(self):
        text = (SOURCE / "examples/rigid_2r.yaml").read_text()
        line = next(l for l in text.splitlines() if "path:" in l)
        self.refused(text.replace(line, "  path: {line: {from: [0.9, 0], to: [0.5, 0.2]}, duration: 1}"), 4, "singular start at upper = ")

    def test_a_path_that_is_not_smooth_enough(self):
        self.refused(self.changed("polynomial11", "polynomial5"), 4, "the 3rd derivative of 'tool.z' jumps at t = 0 s", "depends on the path's 3rd derivative", "polynomial7")
        self.refused(self.changed("polynomial11", "polynomial4"), 3, "arm.yaml:28: task.path.profile")

    def test_path_of_the_wrong_size(self):
        self.refused(self.changed("[1.146, 1.645]", "[1.146]"), 3, "arm.yaml:28: task.path.line.to")

    def test_samples_that_are_missing(self):
        line = next(l for l in E12.splitlines() if "path:" in l)
        self.refused(E12.replace(line, "  path: {samples: {file: nowhere.csv, smoothness: 4}}"), 3, "nowhere.csv", "no such file")

    def test_method_and_verification(self):
        self.refused(self.changed("order: 3", "order: 7"), 3, "arm.yaml:30: method.bdf.order: must be 1 to 6, got 7")
        self.refused(self.changed("step: 0.0005", "step: 0"), 3, "method.bdf.step: must be greater than 0, got 0")
        self.refused(self.changed("torque: linear", "torque: stepped"), 3, "verification.torque: expected smooth, exact, linear or held, got 'stepped'")
        self.refused(self.changed("step: 0.0005", "stpe: 0.0005"), 3, "method.bdf.stpe: unknown key 'stpe'; did you mean 'step'?")
        for method, *parts in [
            ("{bdf: {}, jets: {}}", "method: expected exactly one of bdf, exact, jets, stable_inversion, kunkel_mehrmann, decoupled, variable_step"),
            ("{bfd: {}}", "unknown key 'bfd'; did you mean 'bdf'?"),
            ("{bdf: {form: blockwize}}", "method.bdf.form: expected auto, blockwise, monolithic, index1, index2", "or both_derivatives, got 'blockwize'; did you mean 'blockwise'?"),
            ("{bdf: {scaling: {power: 7}}}", "method.bdf.scaling.power: must be 0 to 6, got 7"),
            ("{bdf: {scaling: big}}", "method.bdf.scaling: expected auto, none or {power: number}, got 'big'"),
            ("{bdf: {newton: {tolerance: 0}}}", "method.bdf.newton.tolerance: must be greater than 0, got 0"),
            ("{bdf: {dummies: q.upper}}", "method.bdf.dummies: expected a list of names: variables whose derivatives are replaced first, such as q.upper"),
            ("{jets: {tolerance: 1}}", "method.jets.tolerance: must be greater than 0 and less than 1, got 1"),
            ("{jets: {first_steps: 9, most_steps: 8}}", "method.jets.first_steps: must not exceed most_steps, 8, got 9"),
            ("{stable_inversion: {pre: -1}}", "method.stable_inversion.pre: must not be negative, got -1"),
        ]:
            self.refused(E12, 3, *parts, options=("--set", f"method={method}"))

    def test_not_minimum_phase(self):
        self.refused(self.changed("inertia: {yy: 50}", "inertia: {yy: 1}"), 4, "not minimum phase", "+378 per second")

    def test_set_says_what_it_set(self):
        self.refused(E12, 3, "--set robot.links.hand.mass=-1: robot.links.hand.mass: must not be negative, got -1", options=("--set", "robot.links.hand.mass=-1"))
        self.refused(E12, 3, "there is no 'hnad' in 'robot.links'; did you mean 'hand'?", options=("--set", "robot.links.hnad.mass=1"))

    def test_hostile_files(self):
        self.refused("a: " + "[" * 5000, 3, "arm.yaml:")
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i-1}'] * 10)}]\n" for i in range(1, 9))
        self.refused(bomb, 3, "more than 1000000 values")
        (self.folder / "binary.yaml").write_bytes(bytes(range(256)) * 10)
        self.assertEqual(self.call("run", "binary.yaml").returncode, 3)

    def test_an_unwritable_folder_keeps_the_earlier_result(self):
        self.call("run", self.job(), "-o", "result")
        before = (self.folder / "result/record.json").read_bytes()
        (self.folder / "file").write_text("x")
        result = self.call("run", "arm.yaml", "-o", "file/out")
        self.assertEqual(result.returncode, 3)
        self.assertIn("file/out: cannot be written", result.stderr)
        self.call("run", self.job(self.changed("mass: 200", "mass: -200")), "-o", "result")
        self.assertEqual((self.folder / "result/record.json").read_bytes(), before)


NEW_USER = """tauflex: 1
robot:
  urdf: six_axis.urdf
  elastic:
    gravity: [0, 0, -9.81]
    links:
      axis1: {drive: {rotor_inertia: 0.01, gear_ratio: 150, stiffness: 3e6, damping: 3e3, limits: {torque: 120, speed: 600}}}
      axis2: {drive: {rotor_inertia: 0.01, gear_ratio: 150, stiffness: 3e6, damping: 3e3, limits: {torque: 120, speed: 600}}}
      axis3: {drive: {rotor_inertia: 0.008, gear_ratio: 140, stiffness: 2e6, damping: 2e3}}
      axis4: {drive: {rotor_inertia: 0.003, gear_ratio: 90, stiffness: 5e5, damping: 500}}
      axis5: {drive: {rotor_inertia: 0.003, gear_ratio: 90, stiffness: 5e5, damping: 500}}
      axis6: {drive: {rotor_inertia: 0.002, gear_ratio: 60, stiffness: 3e5, damping: 300}}
    frames:
      tool: {link: flange, at: [0.15, 0, 0]}
task:
  outputs: [tool.x, tool.y, tool.z, tool.orientation]
  path: {line: {from: [1.6, -0.25, 1.2, 0, 1.4, 0], to: [1.6, 0.25, 1.2, 0, 1.4, 0]}, duration: 0.5}
"""


class NewUser(ProgramTest):
    """docs/your_robot.md: a URDF file and what bends, half a metre in half a second, no guess of the start."""

    def test_from_a_urdf_file_to_torques_on_a_softer_plant(self):
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder)
        self.assertIn(NEW_USER.strip(), (SOURCE / "docs/your_robot.md").read_text().replace("\n    ", "\n"))
        path = self.job(NEW_USER)
        for more, verdict in (((), "proved; limits kept"),
                              (("--set", "task.payload={link: flange, mass: 5, com: [0.15, 0, 0]}"), "proved; limits kept"),
                              (("--set", "verification.plant={stiffness: x0.8}", "--set", "controller={pd: {}}"), "proved on another plant; limits kept")):
            result = self.call("run", path, "-o", "result", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(verdict, result.stdout.splitlines()[0])
        poses = self.call("check", path, "--poses")
        self.assertTrue(poses.stdout.startswith("arm: 8 postures at the start"), poses.stdout)
        fitted = self.call("fit", path, "-o", "fitted")
        self.assertEqual(fitted.returncode, 0, fitted.stderr)
        duration = json.loads((self.folder / "fitted/fit.json").read_text())["found"]["duration"]
        self.assertLess(duration, 0.36)  # s, of 0.5
        self.assertGreater(duration, 0.3)


class Schema(ProgramTest):
    def definitions(self):
        return json.loads((SOURCE / "docs/job.schema.json").read_text())["definitions"]

    def test_the_committed_schema_is_what_the_program_prints(self):
        done = self.call("schema")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, (SOURCE / "docs/job.schema.json").read_text(), "tauflex schema > docs/job.schema.json")

    def numbers(self, node, place=()):
        """Every number of an options schema: its place in the job and its rule."""
        for key, rule in node.get("properties", {}).items():
            if rule.get("type") in ("number", "integer"):
                yield (*place, key), rule
            for part in [rule, *rule.get("oneOf", ())]:
                yield from self.numbers(part, (*place, key))

    def test_schema_and_program_agree_about_the_range_of_every_option(self):
        import jsonschema
        schema = json.loads((SOURCE / "docs/job.schema.json").read_text())
        places = [(place, rule) for part in ("method", "verification", "simulation") for place, rule in self.numbers(self.definitions()[part], (part,))]
        self.assertGreater(len(places), 30)
        for place, rule in places:
            validator = jsonschema.Draft7Validator({**rule, "definitions": schema["definitions"]})
            bounds = [rule[key] for key in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum") if key in rule]
            values = {value + change for value in bounds for change in (-1, 0, 1)} | {rule.get("default", bounds[0] + 0.5), bounds[0] + 0.5}
            for value in sorted(values):
                text = str(value)
                for key in reversed(place[1:]):
                    text = f"{{{key}: {text}}}"
                done = self.call("check", self.job(), "--set", f"{place[0]}={text}", "--set", "task.path.duration=10")  # as long as any step
                self.assertEqual(done.returncode != 3, validator.is_valid(value), f"{place} = {value}: {done.stderr}")

    def test_the_documentation_has_every_option_with_its_default(self):
        import re
        text = (SOURCE / "docs/job_file.md").read_text()
        section = lambda title: text.split(f"## {title}\n")[1].split("\n## ")[0]
        rows = [line for line in section("Method").splitlines() if line.startswith("| `")]
        row = lambda name: next(line for line in rows if f"`{name}`" in line.split("|")[1])

        def check(properties, where):
            for key, rule in properties.items():
                with self.subTest(key=key):
                    self.assertRegex(where, rf"\b{key}\b")
                    default = rule.get("default")
                    if default is None or default == []:
                        continue
                    said = re.findall(rf"`{key}`[^|\n]{{0,60}}?\(([^)]*)\)", where)
                    expected = json.dumps(default) if isinstance(default, bool) else default
                    self.assertIn(expected, [float(s) if re.fullmatch(r"[0-9.e-]+", s) else s for s in said])
        definitions = self.definitions()
        for name, method in definitions["method"]["properties"].items():
            check(method["properties"], row(name))
            check(method["properties"].get("newton", {}).get("properties", {}), row("newton"))
        for name in ("verification", "simulation"):
            check(definitions[name]["properties"], section(name.capitalize()))
            for part in definitions[name]["properties"].values():
                check(part.get("properties", {}), section(name.capitalize()))
        for kind in definitions["controller"]["oneOf"]:
            check(kind["properties"], section("Controller"))
            for part in kind["properties"].values():
                check(part.get("properties", {}), section("Controller"))

    def test_examples_obey_the_schema_and_unknown_keys_do_not(self):
        import jsonschema
        import yaml
        schema = json.loads((SOURCE / "docs/job.schema.json").read_text())
        validator = jsonschema.Draft7Validator(schema)
        validator.check_schema(schema)

        class Loader(yaml.SafeLoader):  # 1e5 is a number, as in YAML 1.2
            pass
        import re
        Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))
        seen = set()
        for model in (SOURCE / "examples").glob("*.urdf"):
            (self.folder / model.name).write_bytes(model.read_bytes())
        for path in sorted((SOURCE / "examples").glob("*.yaml")):
            job = yaml.load(path.read_text(), Loader)
            self.assertEqual([e.message for e in validator.iter_errors(job)], [], path)
            for place, where in self.maps(job):
                where["unheard_of"] = 1
                self.assertTrue(list(validator.iter_errors(job)), f"{path}: the schema takes an unknown key in {where}")
                text = yaml.safe_dump(job)
                if place not in seen:  # the program once for every kind of map
                    result = self.call("check", self.job(text))
                    self.assertEqual(result.returncode, 3, f"the program takes an unknown key in {where}")
                    self.assertIn("unheard_of", result.stderr)
                    seen.add(place)
                del where["unheard_of"]

    def test_schema_and_program_agree_about_tables_and_postures(self):
        import jsonschema
        import yaml
        validator = jsonschema.Draft7Validator(json.loads((SOURCE / "docs/job.schema.json").read_text()))
        points = [[0, 0], [0.1, 5]]
        for drive, posture, valid in [
            ({"rotor_inertia": 1, "table": points, "damping": 2}, {"least_torque": 0.5}, True),
            ({"rotor_inertia": 1, "table": points, "stiffness": 3}, {"least_torque": 0.5}, False),
            ({"rotor_inertia": 1, "table": points, "hardening": [3]}, {"least_torque": 0.5}, False),
            ({"rotor_inertia": 1, "table": points[:1]}, {"least_torque": 0.5}, False),
            ({"rotor_inertia": 1, "table": [[0, 0], [1, 2, 3]]}, {"least_torque": 0.5}, False),
            ({"table": points}, {"least_torque": 0.5}, False),
            ({"rotor_inertia": 1, "table": points}, {}, False),
            ({"rotor_inertia": 1, "table": points}, {"least_torque": -1}, False),
        ]:
            link = lambda name, parent: {"name": name, "joint": {"parent": parent, "at": [0.5, 0, 0], "type": "revolute", "axis": "y"},
                                         "mass": 1, "com": [0.2, 0, 0], "inertia": {"yy": 1}, "drive": drive}
            job = {"tauflex": 1, "robot": {"links": [link("a", "world"), link("b", "a")], "frames": {"tool": {"link": "b", "at": [0.5, 0, 0]}}},
                   "task": {"outputs": ["tool.x"], "path": {"line": {"from": [1.3], "to": [1.2]}, "duration": 1, "profile": "polynomial11"},
                            "start": {"near": {"a": 0.3, "b": 0.6}}, "posture": posture}}
            self.assertEqual(not list(validator.iter_errors(job)), valid, job["task"])
            result = self.call("check", self.job(yaml.safe_dump(job)))
            self.assertEqual(result.returncode, 0 if valid else 3, result.stderr)

    def maps(self, node, place=""):
        """Every map of the job in which keys are fixed, and what it is."""
        if isinstance(node, dict):
            yield place, node
            for key, value in node.items():
                if key == "links" and isinstance(value, dict):  # of an overlay: by name
                    for link in value.values():
                        yield from self.maps(link, place + ".links")
                elif key not in ("frames", "near", "plant", "joints", "q", "v") and not (key == "points" and isinstance(value, dict)):
                    yield from self.maps(value, place + "." + key)
        elif isinstance(node, list):
            for value in node:
                yield from self.maps(value, place)


if __name__ == "__main__":
    unittest.main()
