"""The control loop of examples/control_loop in real time: control_loop_test.py PROGRAM SOURCE"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, SOURCE = sys.argv[1], Path(sys.argv[2])


class ControlLoop(unittest.TestCase):
    def run_loop(self, example, *options):
        return subprocess.run([PROGRAM, SOURCE / "examples" / f"{example}.yaml", *options], capture_output=True, text=True, timeout=60)

    def check(self, steps, error_mm, ran):
        self.assertEqual(ran.returncode, 0, ran.stderr)
        said = re.fullmatch(r"(\d+) steps of 1 ms: (\d+) late\ntorques after (\d+) us \(median\), (\d+) us \(longest\)\n"
                            r"the simulated robot is off its path by at most (\S+) mm\n", ran.stdout)
        self.assertIsNotNone(said, ran.stdout)
        count, late, median, longest = (int(x) for x in said.groups()[:4])
        self.assertEqual(count, steps)
        # how many are late depends on what else runs here; that they are counted does not
        if abs(longest - 1000) > 1:
            self.assertEqual(late > 0, longest > 1000, ran.stdout)
        self.assertLessEqual(median, longest)
        self.assertLess(float(said.group(5)), error_mm, ran.stdout)

    def test_a_second(self):
        # E12 falls with +2.6 per second without feedback; torques of order 4 at 1 ms err by 4 N m of 227,630
        self.check(300, 0.05, self.run_loop("e12", "0.3"))
        self.check(1000, 0.05, self.run_loop("six_axis_elastic", "1"))

    def test_with_a_preview(self):
        # between samples the torques are straight lines, which the hand feels
        self.check(400, 0.2, self.run_loop("e12_nonminimum", "0.4", "1000", "0.1"))

    def test_what_is_wrong_is_said(self):
        self.assertEqual(self.run_loop("e12", "-1").returncode, 2)
        self.assertEqual(self.run_loop("none").returncode, 3)
        ran = self.run_loop("e12_nonminimum")
        self.assertEqual(ran.returncode, 4)
        self.assertIn("ahead can answer (preview)", ran.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
