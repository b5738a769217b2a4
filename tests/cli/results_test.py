"""What runs and proofs write and say."""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from program_case import E12, PROGRAM, SANITIZED, SOURCE, ProgramTest, example


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

    def test_progress_moves_and_says_how_long(self):
        ours, its = os.openpty()
        job = SOURCE / "examples/six_axis_beams.yaml"
        slow = ("--set", "method={stable_inversion: {points: 40000}}")
        process = subprocess.Popen([PROGRAM, "run", job, *slow], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=its)
        os.close(its)
        text, parts = "", []
        while len(set(parts)) < 4 and process.poll() is None:
            try:
                text += os.read(ours, 4096).decode()
            except OSError:  # it has ended
                break
            parts = [int(part) for part in re.findall(r"\] +(\d+) %", text)]
        process.send_signal(signal.SIGINT)
        process.wait(30)
        os.close(ours)
        self.assertGreaterEqual(len(set(parts)), 4, text)  # it is not stuck
        self.assertEqual(parts, sorted(parts))  # and never goes back
        self.assertLess(max(parts), 100)
        self.assertRegex(text, r"solving \[=* *\] +\d+ %, about \d+ s left")

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
        self.assertEqual(len(scene["scene"]["motions"]["reached"]["frames"]), 7 * 3 * len(scene["scene"]["t"]))

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
        result = self.call("verify", "arm.yaml", "result/trajectory.csv")
        self.assertIn("the table states no error of its torques, the simulated motion alone decides", result.stdout)
        result = self.call("verify", "arm.yaml", "result/trajectory.csv", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(json.loads(result.stdout)["verification"]["max_tool_error_m"], 2e-4)

    def test_a_table_coarser_than_what_was_simulated_is_not_what_was_proved(self):
        said = "the verdict is not about this table"
        result = self.call("run", self.job(), "-o", "coarse", "--rate", "100")
        self.assertIn("proved", result.stdout)
        self.assertIn(said, result.stdout + result.stderr)
        self.assertIn("(--rate 100)", json.loads((self.folder / "coarse/record.json").read_text())["warnings"][-1])
        self.assertEqual(self.call("verify", "arm.yaml", "coarse/trajectory.csv").returncode, 6)
        result = self.call("run", self.job(), "-o", "fine", "--rate", "4000")
        self.assertNotIn(said, result.stdout + result.stderr)

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

    def test_an_exceeded_limit_is_the_reason_with_and_without_a_proof(self):
        job = self.job(E12.replace("damping: 50}", "damping: 50, limits: {torque: 100}}", 1))
        for verb in ("run", "invert"):
            result = self.call(verb, job, "--strict", "-o", "a")
            self.assertEqual(result.returncode, 6, result)
            self.assertIn("TF-606: a limit is exceeded and was to be obeyed", result.stderr)

    def test_what_is_made_of_a_result_goes_with_it(self):
        self.call("run", self.job(), "-o", "a")
        for _ in range(2):  # again, in place of the first
            for verb in (("export", "a", "--to", "csv"), ("export", "a", "--to", "npz"), ("report", "a")):
                done = self.call(*verb)
                if "built without npm" in done.stderr:
                    self.skipTest("built without npm")
                self.assertEqual(done.returncode, 0, done)
        derived = json.loads((self.folder / "a/record.json").read_text())["derived"]
        self.assertEqual(derived, ["compared.html", "export/arm.csv", "export/arm.npz"])
        (self.folder / "a/export/notes.txt").write_text("mine")
        self.assertEqual(self.call("run", "arm.yaml", "-o", "a", "--set", "task.path.duration=0.4").returncode, 0)
        self.assertEqual([p.name for p in (self.folder / "a/export").iterdir()], ["notes.txt"])
        self.assertFalse((self.folder / "a/compared.html").exists())
        self.assertNotIn("derived", json.loads((self.folder / "a/record.json").read_text()))

    def test_exports_and_pages_overwrite_nothing_of_others(self):
        self.call("run", self.job(), "-o", "a")
        mine = {"arm.csv": ("export", "a", "--to", "csv", "-o", "."), "a/arm.csv": ("export", "a", "--to", "csv", "-o", "a"),
                "a/compared.html": ("report", "a"), "page.html": ("report", "a", "-o", "page.html")}
        for name, verb in mine.items():
            (self.folder / name).write_text("mine")
            refused = self.call(*verb)
            self.assertEqual(refused.returncode, 3, refused)
            self.assertIn(f"{pathlib.Path(name).name}", refused.stderr)
            self.assertIn("lies there and", refused.stderr)
            self.assertEqual((self.folder / name).read_text(), "mine")
            (self.folder / name).unlink()
            for _ in range(2):
                self.assertEqual(self.call(*verb).returncode, 0, verb)
        self.assertEqual(json.loads((self.folder / "exported.json").read_text())["derived"], ["arm.csv"])
        self.assertEqual(self.call("run", "arm.yaml", "-o", ".").returncode, 0)
        self.assertTrue((self.folder / "arm.csv").exists())  # of the result in a

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

    @unittest.skipIf(SANITIZED, "the address sanitizer keeps what is freed")
    def test_memory_of_a_long_run_is_bounded_by_what_it_writes(self):
        # 200,000 samples, so that the rigid comparison waits for the proof; 1.8 times as much as the files when it did not
        command = [PROGRAM, "run", self.job(example("e12")), "--set", "task.hold.after=60", "-o", "long"]
        child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = child.stderr.read()
        child.stderr.close()
        _, status, usage = os.wait4(child.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 6, said)  # in segments, from samples that are linear in between
        written = sum(file.stat().st_size for file in (self.folder / "long").iterdir())
        self.assertGreater(written, 100e6)
        self.assertLess(1024 * usage.ru_maxrss, 1.1 * written + 20e6)  # the program itself is 20 MB

    def test_steps_of_a_long_hold_are_as_many_as_it_takes(self):
        # 20 ms of ringing at 8 Hz per step were the most over 300 s
        done = self.call("invert", self.job(example("e12")), "--set", "task.hold.after=200", "--set", "method={jets: {step: 0.05}}", "--json")
        self.assertEqual(done.returncode, 0, done)
        self.assertGreater(json.loads(done.stdout)["solution"]["integrator_steps"], 16384)


if __name__ == "__main__":
    unittest.main()
