#!/usr/bin/env python3
"""Writes pages of reference from what the program, the module and the headers say: reference_pages.py PROGRAM SRC_FOLDER OUT_FOLDER

job.md     every key of a job file, from `tauflex schema`
study.md   every key of a study file, from `tauflex schema study`
python.md  every name of `import tauflex`, from its docstrings (Sphinx reads them)
cpp.md     the types of tauflex/tauflex.hpp, from their headers
"""
import json
import pathlib
import re
import subprocess
import sys

# Sections of the job reference: definition, title, where it stands.
SECTIONS = [
    ("robot", "robot", "The robot in the job file, or a robot file: links, joints, drives, springs."),
    ("urdf_robot", "robot, from a URDF file", "Links and joints come from the URDF file."),
    ("overlay", "robot.elastic", "What a URDF file cannot say."),
    ("link", "robot.links", "A list; each link has the joint that carries it."),
    ("joint", "joint", "Of a link."), ("drive", "drive", "Of a link: the motor and gear of its joint."),
    ("spring", "spring", "Of a link: on the coordinate of its joint; also each direction of `springs`."),
    ("beam", "beam", "Of a link that bends."), ("inertia", "inertia", "Of a link, about its centre of mass in link axes, kg m^2."),
    ("frame", "robot.frames", "By name."), ("coupling", "robot.couplings", "A list."), ("transmission", "robot.transmissions", "A list."),
    ("constraint", "robot.constraints", "A list; each has a name and one rule."), ("frame_spring", "robot.springs", "A list: springs between frames, links or sums of joints."),
    ("task", "task", "What the tool shall do."), ("segment", "task.path", "One of these, or a list of them one after the other."),
    ("waypoints", "waypoints", "Of a path."), ("method", "method", "One of these, or its name alone."),
    ("verification", "verification", "The proof."), ("simulation", "simulation", "A forward run."), ("controller", "controller", "What sends the torques."),
]
TITLES = {name: title for name, title, _ in SECTIONS}


def kind(schema, definitions):
    """What may stand there, in a few words."""
    if schema.get("$ref") == "job.schema.json":
        return "a job"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        if name in TITLES:
            return f"[{TITLES[name]}](#{anchor(TITLES[name])})"
        words = {"number": "number", "positive": "number > 0", "not_negative": "number >= 0", "vector3": "three numbers", "numbers": "numbers", "names": "names",
                 "word": "name", "condition": "condition", "pair": "two numbers", "matrix": "matrix", "axis": "axis: `x`, `-z` or three numbers", "with_unit": "number with unit"}
        return words.get(name) or kind(resolved(schema["$ref"], definitions), definitions)
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(kind(option, definitions) for option in schema[key]))
    names = {"integer": "whole number", "boolean": "on or off", "string": "text", "object": "map", "number": "number", "null": "nothing", "array": "list"}
    if schema.get("type") == "array":
        inner = kind(schema["items"], definitions) if isinstance(schema.get("items"), dict) and schema["items"] else "values"
        return f"list of {inner}"
    if schema.get("type") == "number":
        return "number > 0" if schema.get("exclusiveMinimum") == 0 else "number >= 0" if schema.get("minimum") == 0 else "number"
    if isinstance(schema.get("type"), list):
        return " or ".join(names[one] for one in schema["type"])
    return names.get(schema.get("type"), "any")


def resolved(reference, definitions):
    found = definitions
    for name in reference.removeprefix("#/definitions/").split("/"):
        found = found[name]
    return found


def anchor(title):
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def properties(schema):
    """Keys of an object, and of all forms that it may have."""
    found = dict(schema.get("properties", {}))
    for key in ("oneOf", "anyOf", "allOf"):
        for option in schema.get(key, []):
            for name, value in properties(option).items():
                if isinstance(value, dict):
                    found.setdefault(name, value)
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def rows(schema, definitions, prefix=""):
    """A row per key; keys of maps that stand nowhere else follow by their dotted names."""
    for name, value in properties(schema).items():
        needed = name in schema.get("required", [])
        default = json.dumps(value["default"]) if "default" in value else ""
        yield f"`{prefix}{name}`", kind(value, definitions), "has to be given" if needed else f"`{default}`" if default else "", value.get("description", "")
        if value.get("type") == "object" or "properties" in value:
            yield from rows(value, definitions, f"{prefix}{name}.")


def table(schema, definitions):
    lines = ["| key | value | when left out | |", "| --- | --- | --- | --- |"]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;") for cell in row) + " |" for row in rows(schema, definitions)])


def job_page(schema):
    definitions = schema["definitions"]
    page = ["# Every key of a job file", "Made from the descriptions that the program reads its files by (`tauflex schema`). [The job file](../job_file.md) explains them with examples; "
            "numbers may have a unit ([units](../poses.md#units)). An empty third column means that nothing is there, or that the description says what is taken.",
            "## A job", table({key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}, definitions)]
    for name, title, about in SECTIONS:
        page += [f"## {title}", about, table(definitions[name], definitions)]
    return "\n\n".join(page) + "\n"


def study_page(schema):
    definitions = schema["definitions"]
    shape = {key: value for key, value in definitions["study"].items() if key != "oneOf"}
    page = ["# Every key of a study file", "Made from the descriptions that the program reads its files by (`tauflex schema study`). [How much does my model have to be right?]"
            "(../sweeps.md) explains them with examples.", "## study", table(shape, definitions),
            "## study.vary", "Of each key of the job: a range such as `x0.8..x1.2`, or one of these.", table(definitions["varied"], definitions)]
    return "\n\n".join(page) + "\n"


def python_page():
    import tauflex

    functions = [name for name in tauflex.__all__ if callable(getattr(tauflex, name)) and not isinstance(getattr(tauflex, name), type)]
    classes = [name for name in tauflex.__all__ if isinstance(getattr(tauflex, name), type)]
    lines = ["# Python API", "[tauflex in Python](../python.md) is the introduction; this is every name. `help(tauflex)` prints the same.", "## Functions", "```{eval-rst}"]
    lines += [f".. autofunction:: tauflex.{name}" for name in functions]
    lines += ["```", "## Classes", "```{eval-rst}"]
    lines += [f".. autoclass:: tauflex.{name}\n   :members:\n" for name in classes]
    return "\n".join(lines + ["```"]) + "\n"


CPP = [("base/errors.hpp", ["ExitCode", "Error"]), ("jobs/job.hpp", ["Job", "read_job"]), ("model/robot_description.hpp", ["RobotDescription"]),
       ("problem/task.hpp", ["Task"]), ("solvers/method.hpp", ["Method"]), ("results/analyze.hpp", ["analyze"]), ("results/solvability.hpp", ["Solvability"]),
       ("results/run.hpp", ["run"]), ("results/record.hpp", ["Record"]), ("problem/solution.hpp", ["Solution"]), ("results/verification.hpp", ["Verification"])]


def declaration(text, name):
    """The comment and the declaration of a type or function in a header."""
    found = re.search(rf"((?:^//.*\n)*)^(?:(?:struct|class|enum class) {name}\b[^;{{]*\{{|using {name} =|[\w:<>]+ {name}\()", text, re.M)
    if not found:
        raise SystemExit(f"reference_pages.py: there is no {name} in its header")
    if not found[0].endswith("{"):
        return text[found.start():text.index(";", found.end()) + 1]
    depth, end = 1, found.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[found.start():text.index(";", end - 1) + 1]


def cpp_page(source):
    page = ["# C++ API", "`#include \"tauflex/tauflex.hpp\"` brings these. Errors are exceptions with an exit code; numbers are Eigen's vectors and matrices, one column per time; "
            "units are SI. Other headers may change from one version to the next. [Your own equations](../own_equations.md) shows the analysis of any F(t, x, x') = 0."]
    for header, names in CPP:
        text = (source / "tauflex" / header).read_text()
        for name in names:
            page += [f"## {name}", f"`tauflex/{header}`", f"```cpp\n{declaration(text, name)}\n```"]
    return "\n\n".join(page) + "\n"


if __name__ == "__main__":
    program, source, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    schemas = [json.loads(subprocess.run([program, "schema", kind], capture_output=True, text=True, check=True).stdout) for kind in ("job", "study")]
    (out / "job.md").write_text(job_page(schemas[0]))
    (out / "study.md").write_text(study_page(schemas[1]))
    (out / "python.md").write_text(python_page())
    (out / "cpp.md").write_text(cpp_page(source))
