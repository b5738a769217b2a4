"""Results for controllers and other programs, read back by what they are for."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy as np
import scipy.io
import yaml

from program_case import SOURCE, ProgramTest

# Gears, a screw-like translation, limits and a rigid drive: every unit differs from the others.
ARM = """
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - name: slide
      joint: {parent: world, type: prismatic, axis: x}
      drive: {rotor_inertia: 1e-3, gear_ratio: 2, lead: 0.02, limits: {torque: 8}}
      mass: 5
      inertia: {yy: 0.1}
    - name: upper
      joint: {parent: slide, type: revolute, axis: y}
      drive: {rotor_inertia: 1e-3, gear_ratio: 50, stiffness: 1e4, damping: 20, limits: {torque: 2}}
      mass: 3
      com: [0.2, 0, 0]
      inertia: {yy: 0.05}
  frames:
    tool: {link: upper, at: [0.4, 0, 0]}
task:
  outputs: [tool.x, tool.z]
  path: {line: {from: [0.5, 0.1], to: [0.7, -0.1]}, duration: 0.5, profile: polynomial11}
  start: {near: {slide: 0.1, upper: -0.2}}
"""
DRIVES = ["slide", "upper"]
GEAR = np.array([2 * 2 * np.pi / 0.02, 50])  # motor position per joint position


class Export(ProgramTest):
    def setUp(self):
        super().setUp()
        ran = self.call("run", self.job(ARM), "-o", "out")
        self.assertEqual(ran.returncode, 0, ran)
        header, *rows = (self.folder / "out/trajectory.csv").read_text().splitlines()
        self.columns = dict(zip(header.split(","), np.array([row.split(",") for row in rows], dtype=float).T))

    def motor(self, kind):
        """Positions or velocities of the motors: the slide's is rigid, the other has a rotor of its own."""
        return np.column_stack([GEAR[0] * self.columns[kind + ".slide"], self.columns[kind + ".upper.rotor"]])

    def exported(self, *options):
        result = self.call("export", "out", *options)
        self.assertEqual(result.returncode, 0, result)
        names = [line.removeprefix("written to ") for line in result.stderr.splitlines()]
        return [self.folder / name for name in names]

    def test_numpy_reads_every_column(self):
        [path] = self.exported("--to", "npz")
        with np.load(path) as arrays:
            for name, column in self.columns.items():
                np.testing.assert_array_equal(arrays[name], column)  # bit for bit
            np.testing.assert_array_equal(np.column_stack([arrays["position." + d] for d in DRIVES]), self.motor("q"))
            self.assertIn("torques: slide in N m, upper in N m", list(arrays["notes"]))

    def test_matlab_files_in_controller_units(self):
        [path] = self.exported("--to", "mat", "--side", "joint", "--angles", "deg", "--torques", "percent")
        table = scipy.io.loadmat(path)
        factor = np.array([1, 180 / np.pi])  # the slide stays in m
        u = np.column_stack([self.columns["u." + d] for d in DRIVES])
        rounding = dict(rtol=1e-14, atol=1e-14)
        np.testing.assert_allclose(table["position"], self.motor("q") / GEAR * factor, **rounding)
        np.testing.assert_allclose(table["velocity"], self.motor("v") / GEAR * factor, **rounding)
        np.testing.assert_allclose(table["torque"], u / np.array([8, 2]) * 100, **rounding)
        np.testing.assert_array_equal(table["u"], u)
        self.assertEqual([str(name[0]) for name in table["u_names"][:, 0]], DRIVES)
        self.assertEqual(table["t"].shape, (len(u), 1))
        if octave := shutil.which("octave-cli"):
            code = f"load('{path}'); printf('%.17g ', max(abs(u))); printf('%s ', u_names{{:}})"
            said = subprocess.run([octave, "--eval", code], capture_output=True, text=True, check=True).stdout.split()
            self.assertEqual([float(word) for word in said[:2]], list(abs(u).max(axis=0)))
            self.assertEqual(said[2:], DRIVES)

    def test_torques_behind_gears_do_the_same_work(self):
        [path] = self.exported("--to", "mat", "--side", "joint")
        table = scipy.io.loadmat(path)
        u = np.column_stack([self.columns["u." + d] for d in DRIVES])
        np.testing.assert_allclose(table["torque"] * table["velocity"], u * self.motor("v"), rtol=1e-12, atol=1e-12)  # rounding

    def test_ros_messages_are_read_back_as_paths(self):
        [path] = self.exported("--to", "ros", "--rate", "500")
        message = yaml.safe_load(path.read_text())
        self.assertEqual(message["joint_names"], DRIVES)
        times = [p["time_from_start"]["sec"] + 1e-9 * p["time_from_start"]["nanosec"] for p in message["points"]]
        self.assertEqual(np.round(np.diff(times), 9).tolist(), [0.002] * (len(times) - 1))
        at = self.motor("q") / GEAR
        for k in range(2):
            np.testing.assert_allclose([p["positions"][k] for p in message["points"]],
                                       np.interp(times, self.columns["t"] - self.columns["t"][0], at[:, k]), atol=1e-5)  # m, rad: straight between rows
        task = "  outputs: [slide, upper]\n  path: {samples: {file: out/export/arm.yaml, smoothness: 4}}\n"
        again = self.call("check", self.job(ARM[:ARM.index("  outputs")] + task, "again.yaml"))
        self.assertEqual(again.returncode, 0, again)

    def test_a_c_compiler_takes_the_arrays(self):
        paths = self.exported("--to", "c", "--rate", "1000", "--torques", "percent")
        self.assertEqual(sorted(path.name for path in paths), ["arm.c", "arm.h"])
        (self.folder / "main.c").write_text("""
#include <stdio.h>
#include "arm.h"
int main(void) {
  for (int i = 0; i < ARM_SAMPLES; ++i)
    printf("%.17g %.17g %.17g %.17g\\n", arm_time[i], arm_position[i][1], arm_velocity[i][1], arm_torque[i][1]);
  printf("%s %d %g\\n", arm_drives[1], ARM_DRIVES, ARM_PERIOD);
  return 0;
}
""")
        subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", "out/export", "main.c", "out/export/arm.c", "-o", "main"],
                       cwd=self.folder, check=True)
        *rows, last = subprocess.run([self.folder / "main"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(last, "upper 2 0.001")
        rows = np.array([row.split() for row in rows], dtype=float)
        for column, values in ((1, self.motor("q")[:, 1]), (2, self.motor("v")[:, 1]), (3, self.columns["u.upper"] / 2 * 100)):
            np.testing.assert_allclose(rows[:, column], np.interp(rows[:, 0], self.columns["t"], values),
                                       atol=1e-4 * abs(values).max())  # straight between rows

    def test_tables_come_back(self):
        """trajectory.csv and exported torques are read by every verb that reads tables."""
        [path] = self.exported("--to", "csv", "--rate", "4000")
        self.assertTrue(path.read_text().startswith("# positions, velocities and torques at the motors\n"))
        for table in (path, "out/trajectory.csv"):
            proof = json.loads(self.call("verify", "arm.yaml", table, "--json").stdout)
            self.assertEqual(proof["verdict"]["accuracy"], "proved", proof["verification"])
            simulated = self.call("simulate", "arm.yaml", "--torques", table)
            self.assertEqual(simulated.returncode, 0, simulated)
        samples = ARM[:ARM.index("  path:")] + "  path: {samples: {file: out/trajectory.csv, smoothness: 4}}\n"
        self.assertEqual(self.call("check", self.job(samples, "again.yaml")).returncode, 0)

    def test_other_units_are_not_taken_for_torques(self):
        [path] = self.exported("--to", "csv", "--torques", "percent")
        refused = self.call("verify", "arm.yaml", path)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("column 'u.slide' is missing", refused.stderr)

    def test_what_cannot_be(self):
        for options, part in ((("--to", "xml"), "must be csv, npz, mat, ros, c, mjcf or fmu, got xml"),
                              (("--to", "csv", "--rate", "-3"), "must be greater than 0")):
            result = self.call("export", "out", *options)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(part, result.stderr)
        for options, part in ((("--to", "ros", "--angles", "deg"), "messages of ROS are in rad"),
                              (("--to", "mjcf", "--rate", "1000"), "has its own step"),
                              (("--to", "npz", "--rate", "1e30"), "5e+29 samples; the most is 1e+08")):
            result = self.call("export", "out", *options)
            self.assertEqual(result.returncode, 3, result)
            self.assertIn(part, result.stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("not the folder of a result", self.call("export", "empty", "--to", "npz").stderr)
        self.call("run", self.job(ARM.replace(", limits: {torque: 8}", "")), "-o", "unlimited")
        unlimited = self.call("export", "unlimited", "--to", "npz", "--torques", "percent")
        self.assertEqual(unlimited.returncode, 3)
        self.assertIn("drive 'slide' has no torque limit", unlimited.stderr)

    def test_a_robot_in_another_folder_is_found(self):
        (self.folder / "deep").mkdir()
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder / "deep")
        drives = ", ".join(f"axis{i}: {{drive: {{rotor_inertia: 0.01, gear_ratio: 100}}}}" for i in range(1, 7))
        (self.folder / "deep/robot.yaml").write_text(f"urdf: six_axis.urdf\nelastic: {{links: {{{drives}}}}}\n")
        job = self.job("tauflex: 1\nrobot: deep/robot.yaml\ntask:\n  outputs: [axis1, axis2, axis3, axis4, axis5, axis6]\n"
                       "  path: {line: {from: [0, 0, 0, 0, 0.1, 0], to: [0.1, 0, 0, 0, 0.2, 0]}, duration: 1, profile: polynomial9}\n", "six.yaml")
        ran = self.call("run", job, "-o", "new/place")
        self.assertEqual(ran.returncode, 0, ran)
        result = self.call("export", "new/place", "--to", "csv", "--side", "joint")
        self.assertEqual(result.returncode, 0, result)

    @unittest.skipUnless(os.environ.get("MUJOCO_SHIM"), "run by ctest, which builds what it needs")
    def test_the_script_replays_the_motion_in_mujoco(self):
        names = {path.name: path for path in self.exported("--to", "mjcf")}
        self.assertEqual(sorted(names), ["arm.xml", "arm_torques.csv", "replay.py"])
        env = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[1] / "export/mujoco_shim"), "PYTHONDONTWRITEBYTECODE": "1"}
        said = subprocess.run([sys.executable, names["replay.py"]], capture_output=True, text=True, env=env)
        self.assertEqual(said.returncode, 0, said)
        frame, error = said.stdout.strip().split(": at most ")
        self.assertEqual(frame, "tool")
        self.assertLess(float(error.split()[0]), 1e-6)  # m, asked for
        self.assertGreater(float(error.split()[0]), 0)


if __name__ == "__main__":
    unittest.main()
