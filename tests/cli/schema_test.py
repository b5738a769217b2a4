"""The JSON Schema, the documentation and the program know the same keys."""
import json
import sys
import unittest

from program_case import SOURCE, ProgramTest

sys.path.append(str(SOURCE / "tests/docs"))
from fragments import Loader, study_validator  # noqa: E402


class Schema(ProgramTest):
    def definitions(self):
        return json.loads((SOURCE / "docs/job.schema.json").read_text())["definitions"]

    def test_the_committed_schema_is_what_the_program_prints(self):
        done = self.call("schema")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, (SOURCE / "docs/job.schema.json").read_text(), "tauflex schema > docs/job.schema.json")

    def test_the_committed_schema_of_studies_is_what_the_program_prints(self):
        done = self.call("schema", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, (SOURCE / "docs/study.schema.json").read_text(), "tauflex schema study > docs/study.schema.json")
        self.assertEqual(self.call("schema", "stdy").returncode, 2)

    def test_schema_and_program_agree_about_studies(self):
        import yaml
        validator = study_validator(SOURCE / "docs")
        slide = {"tauflex": 1, "robot": {"gravity": [0, 0, 0], "links": [{"name": "slide", "joint": {"parent": "world", "type": "prismatic", "axis": "x"},
                 "drive": {"rotor_inertia": 0, "limits": {"torque": 10}}, "mass": 2}]},
                 "task": {"outputs": ["slide"], "path": {"line": {"from": [0], "to": [0.5]}, "duration": 1, "profile": "polynomial5"}},
                 "method": {"exact": {"step": 0.1}}}
        (self.folder / "slide.yaml").write_text(yaml.safe_dump(slide))
        (self.folder / "points.csv").write_text("robot.links.slide.mass\n1\n2\n")
        mass, error = "robot.links.slide.mass", "verification.max_tool_error_m"
        whole = {"job": "slide.yaml", "sampling": {"sobol": 2}, "vary": {mass: "x0.8..x1.2"}}
        design = {"smallest": mass, "between": [1, 2], "where": "limits"}
        agreed = [  # what is put in the place of what stands in `whole`; None: left out
            ({}, True), ({"job": slide}, True), ({"job": {**slide, "tsk": 1}}, False), ({"job": 3}, False), ({"job": None}, False),
            ({"seed": 0}, True), ({"seed": -1}, False), ({"seed": 1.5}, False), ({"sede": 1}, False), ({"vary": None}, False), ({"vary": {}}, False),
            ({"sampling": None}, False), ({"sampling": "grid"}, None), ({"sampling": "sobol"}, False), ({"sampling": {"grid": 2}}, True),
            ({"sampling": {"grid": 0}}, False), ({"sampling": {"random": 2}}, True), ({"sampling": {"random": 0}}, False), ({"sampling": {"random": 1.5}}, False),
            ({"sampling": {"latin_hypercube": 2}}, True), ({"sampling": {"latin_hypercube": -1}}, False), ({"sampling": {"saltelli": 2}}, True),
            ({"sampling": {"saltelli": 0}}, False), ({"sampling": {"sobol": 2, "grid": 2}}, False), ({"sampling": {}}, False), ({"sampling": {"sobl": 2}}, False),
            ({"sampling": {"table": "points.csv"}}, False), ({"sampling": {"table": "points.csv"}, "vary": None}, True), ({"sampling": {"table": 3}, "vary": None}, False),
            ({"vary": {mass: 3}}, False), ({"vary": {mass: "3"}}, False), ({"vary": {mass: "1 kg..2 kg"}}, True), ({"vary": {mass: "+-0.1..+0.1"}}, True),
            ({"vary": {mass: {"uniform": [1, 2]}}}, True), ({"vary": {mass: {"uniform": [1]}}}, False), ({"vary": {mass: {"uniform": ["a", 2]}}}, False),
            ({"vary": {mass: {"normal": ["x1", "x0.1"]}}}, True), ({"vary": {mass: {"normal": ["x1", "x0.1", 3]}}}, False), ({"vary": {mass: {"log_normal": ["x1", 0.1]}}}, True),
            ({"vary": {mass: {"values": [1, "x2"]}}}, True), ({"vary": {mass: {"values": []}}}, False), ({"vary": {mass: {"values": 3}}}, False),
            ({"vary": {mass: {"values": [1], "uniform": [1, 2]}}}, False), ({"vary": {mass: {"uniform": [1, 2], "together": True}}}, True),
            ({"vary": {mass: {"uniform": [1, 2], "together": "perhaps"}}}, False), ({"vary": {mass: {"together": True}}}, False), ({"vary": {mass: {"unform": [1, 2]}}}, False),
            ({"keep": [error]}, True), ({"keep": []}, False), ({"keep": error}, False), ({"within": error + " < 1 mm"}, True), ({"within": [error + " < 1", "limits"]}, True),
            ({"within": error}, False), ({"within": "< 3"}, False), ({"within": 3}, False), ({"records": {"worst": 1}}, True), ({"records": {"worst": 2, "by": error}}, True),
            ({"records": {"worst": 0}}, False), ({"records": {"worst": 1001}}, False), ({"records": {"by": error}}, False), ({"records": {"worst": 1, "of": 2}}, False),
            ({"design": design}, True), ({"design": {**design, "looks": 3}}, True), ({"design": {**design, "looks": 2}}, False), ({"design": {**design, "tolerance": 0}}, False),
            ({"design": {**design, "tolerance": 0.5}}, True), ({"design": {**design, "tolerance": 1}}, False), ({"design": {**design, "largest": mass}}, False),
            ({"design": {"between": [1, 2], "where": "limits"}}, False), ({"design": {**design, "between": [1]}}, False), ({"design": {**design, "between": 3}}, False),
            ({"design": {"smallest": mass, "between": [1, 2]}}, False), ({"design": {**design, "where": "small"}}, False), ({"design": {**design, "loks": 3}}, False),
            ({"design": {"smallest": {mass: [1, 2]}, "where": "limits"}}, True), ({"design": {"smallest": {mass: 3}, "where": "limits"}}, False),
            ({"design": design, "sampling": None, "vary": None}, True), ({"design": design, "sampling": None}, False),
        ]
        for changes, right in agreed:
            study = {"tauflex": 1, "study": {key: value for key, value in {**whole, **changes}.items() if value is not None}}
            faults = [error.message for error in validator.iter_errors(study)]
            verb = "design" if "sampling" not in study["study"] and "design" in study["study"] else "sweep"
            done = self.call(verb, self.job(yaml.safe_dump(study), "study.yaml"), "-o", "out")
            if right is not None:  # the schema does not know that a grid of a range needs a number
                self.assertEqual(not faults, right, f"{changes}: {faults}")
            self.assertEqual(done.returncode in (0, 6), bool(right), f"{changes}: {done.stderr}")
        for study in sorted((SOURCE / "examples").glob("study_*.yaml")):
            self.assertEqual([error.message for error in validator.iter_errors(yaml.load(study.read_text(), Loader))], [], study)

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
        seen = set()
        for model in (SOURCE / "examples").glob("*.urdf"):
            (self.folder / model.name).write_bytes(model.read_bytes())
        jobs = [path for path in sorted((SOURCE / "examples").glob("*.yaml")) if not path.stem.startswith("study_")]
        for path in jobs:
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
                elif key not in ("frames", "near", "plant", "joints", "q", "v", "torques") and not (key == "points" and isinstance(value, dict)):
                    yield from self.maps(value, place + "." + key)
        elif isinstance(node, list):
            for value in node:
                yield from self.maps(value, place)


if __name__ == "__main__":
    unittest.main()
