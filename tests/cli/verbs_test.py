"""The other verbs, and what all verbs have in common."""
import csv
import json
import shutil
import signal
import subprocess
import time
import unittest

from program_case import E12, PROGRAM, SOURCE, ProgramTest, example


class Verbs(ProgramTest):
    def test_simulate_holds_the_start(self):
        result = self.call("simulate", self.job(), "--duration", "0.2", "--rate", "100", "-o", "free")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "free/trajectory.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 21)
        self.assertAlmostEqual(float(rows[-1]["y.tool.x"]), 2.146, places=6)  # m; an unstable rest state

    def test_a_job_without_a_task_is_simulated(self):
        top = example("heavy_top")
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
        text = example("four_bar")
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
        text = example("computed_torque")
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
        self.assertEqual(self.call("examples", "e12_bdf").stdout, (SOURCE / "examples/e12_bdf.yaml").read_text())

    def test_modes_say_what_swings(self):
        arm = SOURCE / "examples/six_axis_elastic.yaml"
        self.assertRegex(self.call("modes", arm).stdout, "motors locked\n.*elastic energy in\n.*gear of axis")
        said = json.loads(self.call("modes", SOURCE / "examples/single_flexible_link.yaml", "--free", "--json").stdout)
        self.assertEqual(said["free_motions"], 1)
        self.assertEqual(said["modes"][0]["what"], "first bending of arm, 100 %")
        self.assertIn("0 modes", self.call("modes", SOURCE / "examples/rigid_2r.yaml").stdout)

    def test_modes_write_a_report(self):
        for _ in range(2):  # the second replaces the first
            done = self.call("modes", SOURCE / "examples/six_axis_elastic.yaml", "-o", "swing")
            self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads((self.folder / "swing/modes.json").read_text())
        self.assertEqual(sorted(said["files"]), sorted(p.name for p in (self.folder / "swing").iterdir()))
        scene = json.loads((self.folder / "swing/scene.json").read_text())
        self.assertEqual(scene["outcome"], "modes")
        self.assertAlmostEqual(scene["scene"]["modes"]["shapes"][0]["frequency"], said["modes"][0]["frequency"], places=5)
        (self.folder / "own").mkdir()
        (self.folder / "own/modes.json").write_text("mine")
        self.assertEqual(self.call("modes", SOURCE / "examples/six_axis_elastic.yaml", "-o", "own").returncode, 3)

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


if __name__ == "__main__":
    unittest.main()
