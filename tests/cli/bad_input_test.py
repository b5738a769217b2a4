"""One helpful sentence for everything a person can get wrong."""
import json
import signal
import subprocess
import time
import unittest

from program_case import E12, PROGRAM, SOURCE, ProgramTest


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
            (("--set", "verification.plant={model: frame, step: 1e-13}"), ("verification.plant.step: 1e-13 s over 0.3 s are 3e+12 steps", "max_steps allows")),
            (("--set", "controller={pd: {}, sample: 1e-12}"), ("controller.sample: samples of 1e-12 s over 0.3 s are 3e+11 samples",)),
            (("--set", "robot.links.hand.mass=1e300"), ("robot.links.hand.mass: must be at most 1e+30 in size, got 1e300",)),
        ):
            self.refused(E12, 3, *parts, options=options)
        result = self.call("simulate", self.job(), "--duration", "1e9", "--rate", "1e9")
        self.assertEqual(result.returncode, 3, result)
        self.assertIn("1e+09 samples per second over 1e+09 s are 1e+18 samples", result.stderr)

    def test_interrupts_are_heard_everywhere(self):
        # between two samples of a simulation, hours of its time apart; in a search on meshes; in the methods of a study; among its trials
        for arguments in (("simulate", self.job(), "--duration", "20000", "--rate", "5e-5"),
                          ("run", SOURCE / "examples/two_flexible_links.yaml"),
                          ("compare", SOURCE / "examples/six_axis_elastic.yaml"),
                          ("fit", SOURCE / "examples/six_axis_elastic.yaml")):
            process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130)
            self.assertLess(time.monotonic() - begun, 4)  # s; 0.8 on a quiet machine
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

    def test_numbers_in_messages_are_short(self):
        result = self.call("pose", self.job(), "--at", "upper=1e300")
        self.assertEqual(result.returncode, 2, result)
        self.assertIn("1.59e+299 turns: did you mean degrees?", result.stderr)

    def test_help_is_a_verb(self):
        self.assertEqual(self.call("help").stdout, self.call("--help").stdout)
        self.assertEqual(self.call("help", "run").stdout, self.call("run", "--help").stdout)

    def test_errors_as_json(self):
        result = self.call("check", "nobody.yaml", "--json")
        self.assertEqual(json.loads(result.stdout), {"status": "error", "exit_code": 3, "message": result.stderr.strip()[len("tauflex: "):]})

    def test_refusals_have_codes(self):
        """docs/failures.md says more about each."""
        refused = self.call("check", self.job(), "--json", "--set", "task.outputs=[tool.x, tool.z, hand]",
                            "--set", "task.path.line={from: [2.146, -0.345, 0], to: [1.146, 1.645, 0]}")
        self.assertEqual(refused.returncode, 4)
        self.assertTrue(refused.stderr.endswith("remove one of: tool.x, tool.z, hand [TF-401]\n"), refused.stderr)
        self.assertEqual(json.loads(refused.stdout)["code"], "TF-401")
        missed = self.call("run", self.job(), "--set", "verification.tolerance=1e-9", "-o", "missed")
        self.assertEqual(missed.returncode, 6)
        self.assertIn("TF-601: the proof misses its tolerance; ", missed.stderr)
        self.assertEqual(json.loads((self.folder / "missed/record.json").read_text())["verdict"]["code"], "TF-601")
        proved = self.call("run", self.job(), "-o", "proved")
        self.assertNotIn("TF-", proved.stderr)
        self.assertIsNone(json.loads((self.folder / "proved/record.json").read_text())["verdict"]["code"])

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
        self.refused(self.changed("fore: 0.3}", "four: 0.3}"), 3, "arm.yaml:29: task.start.near: 'four' is not a joint; did you mean 'fore'?")

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


if __name__ == "__main__":
    unittest.main()
