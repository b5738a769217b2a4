"""From a URDF file to proved torques with the first job file."""
import json
import shutil
import unittest

from program_case import SOURCE, ProgramTest


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


if __name__ == "__main__":
    unittest.main()
