#!/usr/bin/python3 -B
"""The campaign's own checks see what is wrong: checks_of_checks.py PROGRAM. Answers and jobs are broken on purpose."""
import copy
import os
import pathlib
import sys
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
os.environ["TAUFLEX"] = str(PROGRAM)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import damage  # noqa: E402
import families  # noqa: E402
import laws  # noqa: E402
import oracle  # noqa: E402
import program  # noqa: E402
import robots  # noqa: E402
import shrink  # noqa: E402
import verdicts  # noqa: E402

TREE, LOOP = 8, 9  # seeds: elastic drives and gravity; a five-bar
CONTACT, BEAM = 2, 0  # of their families
BALL, FLOATING, UNIVERSAL, LEAST = 1, 14, 3, 0  # a load on an arm, an arm on a floating body; redundant: a rod with a universal joint, a four-bar


class Broken(unittest.TestCase):
    def answers(self, seed, family="trees"):
        answers = checks.Answers(families.FAMILIES[family](seed))
        self.assertEqual(checks.motion(answers, seed).state, "ran")
        return answers

    def test_torques_that_are_off_by_a_thousandth(self):
        for seed in (TREE, LOOP):
            answers = self.answers(seed)
            for name, column in answers.base().table.items():
                if name.startswith("u.") or name.startswith("lambda."):
                    column *= 1.001
            self.assertTrue(checks.motion(answers, seed).failed)

    def test_gravity_the_other_way(self):
        answers = self.answers(TREE)
        self.assertGreater(oracle.largest_residual(answers.job, answers.base().table, gravity_sign=-1)[0], 0.1)

    def test_every_part_of_a_robot_counts(self):
        def change(job, what):
            link = next(link for link in job["robot"]["links"] if "stiffness" in link.get("drive", {}))
            if what == "inertia":
                link["inertia"]["yy"] *= 1.01
            elif what == "com":
                link["com"][0] += 0.001
            else:
                link["drive"][what] = link["drive"].get(what, 1.0) * 1.01
        answers = self.answers(TREE)
        for what in ("inertia", "com", "stiffness", "rotor_inertia", "gear_ratio"):
            job = copy.deepcopy(answers.job)
            change(job, what)
            self.assertGreater(oracle.largest_residual(job, answers.base().table)[0], checks.RESIDUAL, what)

    def test_laws(self):
        answers = self.answers(TREE)
        for name in ("time x10", "length x1e-3", "gear x100", "renamed"):
            law = laws.LAWS[name]
            self.assertEqual(checks.law_check(name)(answers, TREE).state, "ran", name)

            def broken(job, rng, law=law):
                twin = law(job, rng)
                twin.job["robot"]["links"][0]["mass"] *= 1.0001
                return twin
            laws.LAWS[name] = broken
            self.addCleanup(laws.LAWS.__setitem__, name, law)
            self.assertTrue(checks.law_check(name)(answers, TREE).failed, name)

    def test_force_of_a_contact(self):
        answers = self.answers(CONTACT, "contacts")
        answers.base().table["lambda.contact"] *= 1.001
        self.assertTrue(checks.motion(answers, CONTACT).failed)

    def test_every_part_of_a_ball_joint_counts(self):
        answers = self.answers(BALL, "balls")
        for key, change in (("inertia", lambda x: {**x, "yy": 1.01 * x["yy"]}), ("com", lambda x: [x[0] + 0.001, *x[1:]]), ("mass", lambda x: 1.001 * x)):
            job = copy.deepcopy(answers.job)
            link = next(link for link in job["robot"]["links"] if link["joint"]["type"] == "spherical")
            link[key] = change(link[key])
            self.assertGreater(oracle.largest_residual(job, answers.base().table)[0], checks.RESIDUAL, key)

    def test_conventions_of_quaternions(self):
        for seed, link in ((BALL, "load"), (FLOATING, "base")):
            answers = self.answers(seed, "balls")
            table = answers.base().table
            inverse = {**table, **{f"q.{link}.q{c}": -table[f"q.{link}.q{c}"] for c in "xyz"}}
            slow = {**table, **{f"v.{link}.w{c}": 0.999 * table[f"v.{link}.w{c}"] for c in "xyz"}}
            longer = {**table, **{f"q.{link}.q{c}": 1.0001 * table[f"q.{link}.q{c}"] for c in "wxyz"}}
            for wrong in (inverse, slow, longer):
                self.assertGreater(oracle.largest_residual(answers.job, wrong)[0], 10 * checks.RESIDUAL)

    def test_moment_of_a_universal_joint_and_open_loops(self):
        answers = self.answers(UNIVERSAL, "redundant")
        table = answers.base().table
        moment = next(name for name in table if name.startswith("lambda.loop.r"))
        for wrong in ({**table, moment: 1.01 * table[moment]}, {**table, "q.rocker": table["q.rocker"] + 1e-4}):
            self.assertGreater(oracle.largest_residual(answers.job, wrong)[0], checks.RESIDUAL)

    def test_least_torque(self):
        for seed in (LEAST, UNIVERSAL):
            answers = self.answers(seed, "redundant")
            self.assertEqual(checks.least(answers, seed).state, "ran")
            drive = next(link["drive"] for link in answers.job["robot"]["links"] if "drive" in link)
            drive["stiffness"] *= 1.001  # another torque of the same motion
            self.assertTrue(checks.least(answers, seed).failed)

    def test_beams_in_other_units(self):
        answers = self.answers(BEAM, "beams")
        law = laws.LAWS["time x10"]
        self.assertEqual(checks.law_check("time x10")(answers, BEAM).state, "ran")

        def broken(job, rng):
            twin = law(job, rng)
            beam = next(link["beam"] for link in twin.job["robot"]["links"] if "beam" in link)
            beam["EI"] = {axis: 1.01 * x for axis, x in beam["EI"].items()}
            return twin
        laws.LAWS["time x10"] = broken
        self.addCleanup(laws.LAWS.__setitem__, "time x10", law)
        self.assertTrue(checks.law_check("time x10")(answers, BEAM).failed)

    def test_stated_errors(self):
        answers = self.answers(LOOP)
        self.assertEqual(verdicts.errors(answers, LOOP).state, "ran")
        for answer in answers.known.values():  # those with both tolerances
            for drive in answer.record["solution"]["drives"].values():
                drive["torque_error"] *= 1e-4
        self.assertTrue(verdicts.errors(answers, LOOP).failed)

    def test_statistics_of_errors(self):
        fine = [0.5] * 300
        self.assertEqual(verdicts.error_statistics(fine), [])
        for wrong in ([10.0] * 30, [1e-3] * 200, [1e-4] * 40):
            self.assertEqual(len(verdicts.error_statistics(fine[:300 - len(wrong)] + wrong)), 2 if wrong[0] == 1e-3 else 1)

    def test_verdicts(self):
        answers = self.answers(TREE)
        answers.get("analyze").code = 4
        self.assertTrue(verdicts.agreement(answers, TREE).failed)
        answers.base().code = 4  # refused, although jets prove it
        self.assertTrue(verdicts.refusal(answers, TREE).failed)

    def test_ends_of_damaged_files(self):
        self.assertEqual(damage.judged(3, "tauflex: job.yaml:3: robot.links: missing\n"), "")
        for code, text in ((-11, ""), (134, "terminate called after throwing an instance of 'std::bad_alloc'"), (99, "ERROR: AddressSanitizer"),
                           (1, ""), (3, ""), (3, "tauflex: job.yaml: std::out_of_range: map::at"), (-9, "")):
            self.assertTrue(damage.judged(code, text), (code, text))

    def test_shrinking_keeps_what_fails(self):
        job = robots.random_job(TREE)

        def fails(candidate):  # some joint still has a gear
            return program.run(candidate, "check").code == 0 and any("gear_ratio" in link.get("drive", {}) for link in candidate["robot"]["links"])
        small = shrink.smallest(job, fails, 60)
        self.assertLess(len(small["robot"]["links"]), len(job["robot"]["links"]))
        self.assertTrue(fails(small))


if __name__ == "__main__":
    unittest.main()
