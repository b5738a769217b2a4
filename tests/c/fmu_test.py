"""`tauflex export --to fmu`: the description obeys the rules of FMI 2.0, and a small loader runs the unit through a whole co-simulation,
whose torques are those of the stepper: fmu_test.py LOADER TAUFLEX SOURCE LIBRARY"""
import ctypes
import math
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

LOADER, TAUFLEX, SOURCE, LIBRARY = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
KIND = 65536
TORQUE, INPUT = 1 * KIND, 6 * KIND

# A robot of a URDF file on a path of samples: an FMU has to hold both.
SAMPLED = """
tauflex: 1
robot:
  urdf: arm.urdf
  elastic: {links: {shoulder: {drive: {rotor_inertia: 1e-3, gear_ratio: 50}}, elbow: {drive: {rotor_inertia: 1e-3, gear_ratio: 50}}}}
task:
  outputs: [shoulder, elbow]
  path: {samples: {file: path.csv}}
"""
URDF = """<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="fore"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="100" velocity="9"/></joint>
<joint name="elbow" type="revolute"><origin xyz="0.4 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="100" velocity="9"/></joint>
</robot>"""


class Stepper:
    """The same job step by step through tauflex.h."""

    def __init__(self, job, step, preview=0.0):
        self.library = ctypes.CDLL(LIBRARY)
        self.library.tauflex_message.restype = ctypes.c_char_p
        self.robot = ctypes.c_int()
        status = self.library.tauflex_create_with_preview(str(job).encode(), ctypes.c_double(step), ctypes.c_double(preview), ctypes.byref(self.robot))
        assert status == 0, self.library.tauflex_message(0)
        self.library.tauflex_drive_count.restype = ctypes.c_size_t
        self.u = (ctypes.c_double * self.library.tauflex_drive_count(self.robot))()

    def step(self, y=None):
        given = None if y is None else (ctypes.c_double * len(y))(*y)
        assert self.library.tauflex_step(self.robot, given, self.u) == 0, self.library.tauflex_message(self.robot)
        return list(self.u)


class Fmu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder ")  # with a blank, for the URI
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def exported(self, job, *options):
        subprocess.run([TAUFLEX, "invert", job, "-o", "out"], cwd=self.folder, check=True, capture_output=True)
        subprocess.run([TAUFLEX, "export", "out", "--to", "fmu", *options], cwd=self.folder, check=True, capture_output=True)
        (file,) = (self.folder / "out/export").glob("*.fmu")
        with zipfile.ZipFile(file) as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(self.folder / "unit")
        self.root = ElementTree.parse(self.folder / "unit/modelDescription.xml").getroot()
        self.identifier = self.root.find("CoSimulation").get("modelIdentifier")
        return self.folder / "unit"

    def variables(self, causality):
        return [v for v in self.root.find("ModelVariables") if v.get("causality") == causality]

    def simulated(self, step, steps, inputs=None):
        unit = self.folder / "unit"
        command = [LOADER, unit / f"binaries/linux64/{self.identifier}.so", (unit / "resources").as_uri(), self.root.get("guid"), str(step), str(steps),
                   str(TORQUE), str(sum(v.get("name").startswith("u.") for v in self.variables("output")))]
        if inputs:
            command += [str(INPUT), str(len(inputs[0]))]
        text = "\n".join(" ".join(repr(x) for x in row) for row in inputs) if inputs else None
        ran = subprocess.run(command, input=text, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [[float(x) for x in line.split()] for line in ran.stdout.splitlines()]

    def check_description(self):
        """FMI 2.0.4, sections 2.2 and 4.3."""
        root = self.root
        self.assertEqual((root.tag, root.get("fmiVersion")), ("fmiModelDescription", "2.0"))
        for attribute in ("modelName", "guid"):
            self.assertTrue(root.get(attribute))
        order = ["ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment", "VendorAnnotations",
                 "ModelVariables", "ModelStructure"]
        places = [order.index(part.tag) for part in root]
        self.assertEqual(places, sorted(set(places)))
        self.assertRegex(self.identifier, r"^[A-Za-z_][A-Za-z0-9_]*$")
        units = [unit.get("name") for unit in root.find("UnitDefinitions")]
        self.assertEqual(len(units), len(set(units)))
        variables = list(root.find("ModelVariables"))
        names = [v.get("name") for v in variables]
        self.assertEqual(len(names), len(set(names)))
        for variable in variables:
            (kind,) = variable
            start, initial = kind.get("start"), variable.get("initial")
            causality, variability = variable.get("causality"), variable.get("variability")
            self.assertIn(kind.tag, ("Real", "Boolean"))
            self.assertIn((causality, variability), [("output", "continuous"), ("input", "continuous"), ("parameter", "fixed")])
            # a start value exactly for inputs and what is exact or approximate in the beginning
            self.assertEqual(start is not None, causality == "input" or initial in ("exact", "approx"), variable.attrib)
            if causality == "input":
                self.assertIsNone(initial)
            if kind.get("unit") is not None:
                self.assertIn(kind.get("unit"), units)
        for tag in ("Real", "Boolean"):
            references = [int(v.get("valueReference")) for v in variables if v[0].tag == tag]
            self.assertEqual(len(references), len(set(references)))
            self.assertTrue(all(0 <= r < 2**32 for r in references))
        outputs = [i + 1 for i, v in enumerate(variables) if v.get("causality") == "output"]
        for part in ("Outputs", "InitialUnknowns"):  # outputs are calculated in the beginning
            self.assertEqual([int(u.get("index")) for u in root.find("ModelStructure").find(part)], outputs)
        experiment = root.find("DefaultExperiment")
        self.assertGreater(float(experiment.get("stopTime")), float(experiment.get("startTime")))

    def compare(self, rows, torques, accuracy):
        peak = max(abs(x) for row in torques for x in row)
        self.assertGreater(peak, 0)
        self.assertEqual(len(rows), len(torques) + 1)
        for row, expected in zip(rows[1:], torques):
            for a, b in zip(row[1:], expected):
                self.assertLessEqual(abs(a - b), accuracy * peak)

    def test_along_the_path_of_the_job(self):
        unit = self.exported(SOURCE / "examples/e12.yaml")
        self.check_description()
        self.assertEqual({v.get("name") for v in self.variables("output")},
                         {f"{kind}.{name}" for kind in ("u", "motor.position", "motor.velocity") for name in ("upper", "fore")}
                         | {f"{kind}.{name}" for kind in "qv" for name in ("upper", "fore", "hand", "upper.rotor", "fore.rotor")})
        self.assertEqual([v.get("name") for v in self.variables("parameter")], ["step", "preview", "follow_inputs"])
        stepper = Stepper(SOURCE / "examples/e12.yaml", 0.001)
        self.compare(self.simulated(0.001, 300), [stepper.step() for _ in range(300)], 0)  # the same code
        self.assertEqual(sorted(p.name for p in (unit / "resources").iterdir()), ["fmu.txt", "job.yaml"])

    def test_along_inputs_with_a_preview(self):
        self.exported(SOURCE / "examples/e12_nonminimum.yaml", "--preview", "0.03")
        self.check_description()
        self.assertEqual([v[0].get("start") for v in self.variables("parameter")], ["0.001", "0.03", "false"])
        start = [float(v[0].get("start")) for v in self.variables("input")]
        # a smooth detour of the tool, 30 ms ahead
        inputs = [[start[0] - 0.05 * (1 - math.cos(2 * math.pi * min(k, 200) / 200)) ** 4, start[1]] for k in range(1, 231)]
        stepper = Stepper(SOURCE / "examples/e12_nonminimum.yaml", 0.001, 0.03)
        self.compare(self.simulated(0.001, 230, inputs), [stepper.step(y) for y in inputs], 0)

    def test_holds_the_files_of_its_job(self):
        (self.folder / "arm.urdf").write_text(URDF)
        rows = ["t,y.shoulder,y.elbow"]
        for k in range(101):
            x = k / 100
            s = x**5 * (126 + x * (-420 + x * (540 + x * (-315 + 70 * x))))
            rows.append(f"{x},{0.1 + 0.5 * s},{0.2 - 0.4 * s}")
        (self.folder / "path.csv").write_text("\n".join(rows) + "\n")
        (self.folder / "job.yaml").write_text(SAMPLED)
        unit = self.exported("job.yaml", "--rate", "500")
        self.check_description()
        self.assertEqual(sorted(p.name for p in (unit / "resources").iterdir()), ["arm.urdf", "fmu.txt", "job.yaml", "path.csv"])
        stepper = Stepper(self.folder / "job.yaml", 0.002)
        torques = [stepper.step() for _ in range(400)]
        for name in ("arm.urdf", "path.csv", "job.yaml"):
            (self.folder / name).unlink()
        self.compare(self.simulated(0.002, 400), torques, 1e-9)  # numbers of the job are written again

    def test_the_same_result_is_the_same_file(self):
        self.exported(SOURCE / "examples/rigid_2r.yaml")
        (file,) = (self.folder / "out/export").glob("*.fmu")
        first = file.read_bytes()
        subprocess.run([TAUFLEX, "export", "out", "--to", "fmu"], cwd=self.folder, check=True, capture_output=True)
        self.assertEqual(first, file.read_bytes())
        self.assertRegex(self.root.get("guid"), r"^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$")

    def test_what_cannot_be_is_said(self):
        self.exported(SOURCE / "examples/e12.yaml")
        for options, code, sentence in [(["--preview", "0.03"], 4, "steps with a preview are not needed"), (["--angles", "deg"], 3, "leave out side, angles")]:
            ran = subprocess.run([TAUFLEX, "export", "out", "--to", "fmu", *options], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertTrue(re.search(sentence, ran.stderr), ran.stderr)
        ran = subprocess.run([TAUFLEX, "export", "out", "--to", "csv", "--preview", "1"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("preview is for an FMU only", ran.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
