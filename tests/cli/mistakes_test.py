"""The mistakes of new users, one after the other: each gets one sentence that has the place, the word at fault and a remedy, and nothing
wrong is taken silently."""
import json
import shutil
import subprocess
import unittest

from program_case import E12, PROGRAM, SOURCE, ProgramTest

LINE = next(l for l in E12.splitlines() if "path:" in l)
METHOD = next(l for l in E12.splitlines() if l.startswith("method:"))


def e12(old, new):
    assert old in E12, old
    return E12.replace(old, new, 1)


# (what a user wrote, exit code, what the sentence holds)
MISTAKES = [
    # signs of YAML
    (e12("      mass: 200", "\tmass: 200"), 3, "arm.yaml:21: this line is indented with a tab; YAML wants spaces"),
    (e12("com: [0.5, 0, 0]", "com: [0.5, 0, 0"), 3, "arm.yaml:10: '[' is opened here and not closed by ']'"),
    (e12("damping: 50}", "damping: 50"), 3, "arm.yaml:8: '{' is opened here and not closed by '}'"),
    (e12("mass: 200", "mass: 200\n      mass: 1"), 3, "arm.yaml:22: key 'mass' stands here twice"),
    # words
    (e12("mass: 200", "maas: 200"), 3, "arm.yaml:21: robot.links.hand.maas: unknown key 'maas'; did you mean 'mass'?"),
    (e12(METHOD, "method: jet"), 3, "arm.yaml:30: method: there is no method 'jet'; did you mean 'jets'?"),
    (e12("task:\n", "task:\n  payload: {link: hnad, mass: 1}\n"), 3, "arm.yaml:27: task.payload.link: there is no link 'hnad'; did you mean 'hand'?"),
    (E12 + "controller: {pd: {kp: [1, 2, 3], kd: [1, 1]}}\n", 3, "arm.yaml:32: controller.pd.kp: expected 2 numbers, one for each drive (upper, fore), got 3"),
    (e12("verification: {", "verification: {mode: feedback, feedback: {kp: [1], kd: [1]}, "), 3, "arm.yaml:31: verification.feedback.kp: expected 2 numbers, one for each drive (upper, fore), got 1"),
    # numbers and units
    (e12("mass: 200", "mass: 200 lb"), 3, "arm.yaml:21: robot.links.hand.mass: expected a number, or one in kg, g, t, got '200 lb'"),
    (e12("mass: 200", "mass: 200 m"), 3, "arm.yaml:21: robot.links.hand.mass: expected a number, or one in kg, g, t, got '200 m'"),
    (e12("damping: 50}", "damping: 50, limits: {torque: 12 N}}"), 3, "arm.yaml:8: robot.links.upper.drive.limits.torque: expected a number, or one in Nm, kNm, mNm, got '12 N'"),
    (e12("damping: 50}", "damping: 50 N s/m}"), 3, "arm.yaml:8: robot.links.upper.drive.damping: expected a number, or one in Nms/rad, got '50 N s/m'"),
    (e12("mass: 200", "mass: 1e300"), 3, "arm.yaml:21: robot.links.hand.mass: must be at most 1e+30 in size, got 1e300"),
    (e12("duration: 0.3", "duration: 1e-6").replace(METHOD, "method: jets"), 3, "arm.yaml:27: task.outputs: the path takes 1e-06 s, and 'tool.z' would have to move with up to"),
    (e12("fore: 0.3}", "fore: 38}"), 3, "arm.yaml:29: task.start.near: 'fore' at 38 rad, 6.0 turns: did you mean degrees? write '38 deg'"),
    (e12("from: [2.146, -0.345]", "from: start").replace("fore: 0.3}", "four: 0.3}"), 3, "arm.yaml:29: task.start.near: 'four' is not a joint; did you mean 'fore'?"),
    (e12("start: {near: {upper: 0.0, fore: 0.3}}", "start:\n    near:\n      upper: 0\n      fore: 300 mm"), 3, "arm.yaml:32: task.start.near: 'fore' is measured in rad, not in m"),
    (e12("mass: 200", "mass: 1,5"), 3, "arm.yaml:21: robot.links.hand.mass: expected a finite number, got '1,5'; write 1.5"),
    (E12 + "controller: {pd: {kp: 5, kd: [1, 1]}}\n", 3, "arm.yaml:32: controller.pd.kp: expected a list of numbers, [1, 2], got '5'"),
    (e12("duration: 0.3", "duration: 1e-320"), 3, "arm.yaml:28: task.path.duration: must be at least 1e-30, got 1e-320"),
    # names that no table could have in its header
    (E12.replace("fore", '"a;b"'), 3, "arm.yaml:12: robot.links.a;b: name 'a;b' must be a word without dots, commas, semicolons, double quotes, spaces, tabs and line ends"),
    (E12.replace("fore", '"a\\nb"'), 3, "arm.yaml:12: robot.links.1: name 'a?b' must be a word without dots,"),
    (e12("    tool: {", '    "a;b": {'), 3, "'a;b' cannot be the name of a frame: a word without dots,"),
    # plants and files
    (e12("verification: {", "verification: {plant: {links.upper.drive.limits: {torque: 1}}, "), 3,
     "arm.yaml:31: verification.plant.links.upper.drive.limits.torque: a plant has no limits of its own"),
    (e12("verification: {", "verification: {plant: {stifness: x0.8}, "), 3, "arm.yaml:31: verification.plant.stifness: the robot has no 'stifness' that could differ; did you mean 'stiffness'?"),
    (e12("verification: {", "verification: {plant: {stiffness: 0.8x}, "), 3, "arm.yaml:31: verification.plant.stiffness: '0.8x' is no number; a factor is written x0.8"),
    (E12.replace(LINE, "  path: {samples: {file: numbres.csv}}"), 3, "arm.yaml:28: task.path.samples.file: numbres.csv: no such file; did you mean 'numbers.csv'?"),
    # taken silently once
    (e12("      mass: 200\n", ""), 3, "arm.yaml:18: robot.links.hand: the link moves and has no mass; give its mass, or mass: 0 if it shall have none"),
    (E12 + "controller: {pd: {kp: [1, -1], kd: [1, 1]}}\n", 3, "arm.yaml:32: controller: pd.kp: must not be negative, got -1"),
    (e12("inertia: {yy: 50}", "inertia: {xx: 1, yy: 50, zz: 1}"), 3, "arm.yaml:18: robot.links.hand: no body has this inertia: its principal moments are 1, 1 and 50 kg m^2"),
    (e12("step: 0.0005", "step: 3"), 3, "arm.yaml:30: method.bdf.step: a step of 3 s is longer than the task, 0.3 s"),
    # outputs
    (e12("outputs: [tool.x, tool.z]", "outputs: [tool.x]"), 3, "arm.yaml:28: task.path.line.from: the task has 1 output (tool.x), so a point has 1 number, got 2"),
    (e12("outputs: [tool.x, tool.z]", "outputs: [upper, upper.absolute]").replace(LINE, "  path: {line: {from: [0, 0], to: [1, 1]}, duration: 1}"), 4,
     "arm.yaml:27: task.outputs: outputs 'upper' and 'upper.absolute' are linearly dependent wherever the robot is: each follows from the others; choose others"),
    (e12("outputs: [tool.x, tool.z]", "outputs: [tool.y, tool.z]").replace(LINE, "  path: {line: {from: [0, 0], to: [0, 1]}, duration: 1}"), 4,
     "arm.yaml:27: task.outputs: no joint moves output 'tool.y'; choose another"),
    # tables
    (E12.replace(LINE, "  path: {samples: {file: numbers.csv}}"), 3, "numbers.csv:1: expected a header line with the names of the columns, got numbers"),
    (E12.replace(LINE, "  path: {samples: {file: short.csv}}"), 3, "short.csv:4: expected 3 cells, got 2"),
]


class Mistakes(ProgramTest):
    def test_each_gets_its_sentence(self):
        (self.folder / "numbers.csv").write_text("0,0,0\n0.1,0,0\n")
        (self.folder / "short.csv").write_text("# a log\ntime,tool.x,tool.z\n0,1,1\n0.1,2\n")
        for text, code, sentence in MISTAKES:
            with self.subTest(sentence):
                self.refused(text, code, sentence)

    def test_of_the_command_line(self):
        self.job()
        for arguments, code, sentence in (
            (("rum", "arm.yaml"), 2, "there is no verb 'rum'; did you mean 'run'?"),
            (("run", "arm.yaml", "--rate", "0"), 2, "--rate: must be a number greater than 0, got 0"),
            (("check", "arm.yaml", "--set", "task.path.duration=1", "--set", "task.path.duration=2"), 2, "task.path.duration is set twice, before to 1"),
            (("check", "arm.yaml", "--set", "verification.plant.links.beam1.mass=2"), 3, "--set verification.plant.links.beam1.mass=2: there is no 'beam1' in 'robot.links'"),
            (("run", "arm.yaml", "--rat", "5"), 2, "there is no option '--rat'; did you mean '--rate'?"),
            (("pose", "arm.yaml", "--frame", "tol"), 2, "--frame: frame 'tol' does not exist; did you mean 'tool'?"),
            (("pose", "arm.yaml", "--at", "upper=200"), 2, "--at: 'upper' at 200 rad, 31.8 turns: did you mean degrees? write '200 deg'"),
        ):
            result = self.call(*arguments)
            self.assertEqual(result.returncode, code, result)
            self.assertIn(sentence, result.stderr)
            as_json = self.call(*arguments, "--json")
            self.assertEqual(json.loads(as_json.stdout)["exit_code"], code)

    def test_words_that_are_right_are_taken(self):
        for text in (e12(METHOD, "method: jets"), e12("mass: 200", "mass: 0.2 t"), e12("duration: 0.3", "duration: 300 ms")):
            self.assertEqual(self.call("check", self.job(text)).returncode, 0)
        self.assertEqual(subprocess.run([PROGRAM, "check", "-"], input=E12, capture_output=True, text=True, cwd=self.folder).returncode, 0)

    def test_files_of_other_kinds(self):
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder / "arm.urdf")
        self.assertIn("arm.urdf:1: this is an XML file, not a job; a job has robot: {urdf: arm.urdf} and a task, and tauflex pose arm.urdf shows the robot",
                      self.call("check", "arm.urdf").stderr)
        for name, text, sentence in (("a.sdf", "<sdf version='1.7'/>", "this is an SDF file; convert it to URDF"),
                                     ("a.xml", "<mujoco/>", "this is an MJCF file of MuJoCo; convert it to URDF"),
                                     ("a.urdf.xacro", "<robot><xacro:include filename='b'/></robot>", "this is a xacro file; expand it first: xacro a.urdf.xacro > a.urdf")):
            (self.folder / name).write_text(text)
            self.assertIn(sentence, self.call("pose", name).stderr)

    def test_a_degree_in_a_pose(self):
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder / "arm.urdf")
        job = """tauflex: 1
robot: {urdf: arm.urdf, elastic: {links: {axis1: {drive: {}}, axis2: {drive: {}}, axis3: {drive: {}}, axis4: {drive: {}}, axis5: {drive: {}}, axis6: {drive: {}}}}}
task:
  outputs: [flange.x, flange.y, flange.z, flange.orientation]
  path: {line: {from: [1.6, -0.25, 1.2, {rpy: [0, 80, 0]}], to: [1.6, 0.25, 1.2, start]}, duration: 0.5}
"""
        self.refused(job, 3, "arm.yaml:5: task.path.line.from.3.rpy: 80 rad is more than a turn: did you mean degrees? write '80 deg'")
        self.assertEqual(self.call("check", self.job(job.replace("80,", "80 deg,"))).returncode, 0)

    def test_a_urdf_file_has_no_drives(self):
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder / "arm.urdf")
        self.refused("tauflex: 1\nrobot: arm.urdf\ntask: {outputs: [axis1], path: {line: {from: [0], to: [1]}, duration: 1}}\n", 4,
                     "arm.yaml:3: task.outputs: 1 outputs but 0 drives; remove one of: axis1, or give the joints that have a motor a drive: drive: {} in "
                     "their links, or elastic: {links: {axis1: {drive: {}}}} beside urdf")

    def test_a_robot_by_its_urdf_file_alone(self):
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.folder / "arm.urdf")
        result = self.call("simulate", self.job("tauflex: 1\nrobot: arm.urdf\nsimulation: {duration: 0.01}\n"))
        self.assertEqual(result.returncode, 0, result.stderr)


class UrdfPoses(ProgramTest):
    """tauflex pose, on files as they are in the world."""

    def test_notes_changes_and_places_everywhere(self):
        nasty = SOURCE / "tests/model/nasty"
        for name in ("no_masses", "several_roots", "late_declaration", "impossible_part"):
            result = self.call("pose", nasty / f"{name}.urdf", "--at", "shoulder=0.3", "--frame", "fore")
            self.assertEqual(result.returncode, 0, result.stderr)
            # the same arm in all: 0.4 m (cos 0.2 cos 0.3 - sin 0.2 cos 0.1 sin 0.3)
            self.assertIn("position         0.35115 ", result.stdout)
        self.assertIn("note: no link has a mass: poses can be computed", self.call("pose", nasty / "no_masses.urdf").stderr)
        refused = self.call("pose", nasty / "impossible_inertia.urdf")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("write inertia: nearest", refused.stderr)
        taken = self.call("pose", nasty / "impossible_inertia.urdf", "--set", "inertia=nearest")
        self.assertEqual(taken.returncode, 0, taken.stderr)
        self.assertIn("the nearest possible ones were taken", taken.stderr)

    def test_a_place_in_the_plane_of_the_arm_is_found(self):
        for place in ("1.6 0 1.2", "1.6 1e-3 1.2", "1.2 0 0.7"):
            result = self.call("pose", SOURCE / "examples/six_axis.urdf", "--reach", place)
            self.assertEqual(result.returncode, 0, result)

    def test_torques_need_masses(self):
        shutil.copy(SOURCE / "tests/model/nasty/no_masses.urdf", self.folder / "arm.urdf")
        self.refused("tauflex: 1\nrobot: {urdf: arm.urdf, elastic: {links: {shoulder: {drive: {}}, elbow: {drive: {}}}}}\n"
                     "task: {outputs: [shoulder, elbow], path: {line: {from: [0, 0], to: [0.1, 0.1]}, duration: 1}}\n", 4,
                     "task.outputs: no link has a mass, and torques follow from masses; give them, in the URDF file or by links in its overlay")


if __name__ == "__main__":
    unittest.main()
