"""Pieces of job files on a page, judged by the schema: a piece may be any value that stands somewhere in a job under its key."""
import json
import pathlib
import re

import jsonschema
import yaml

# Where keys of pieces are looked up, and what items of a list may be.
PLACES = ("task", "robot", "overlay", "urdf_robot", "link", "segment", "verification", "simulation", "drive", "beam")
ITEMS = ("link", "constraint", "frame_spring", "coupling", "transmission")


class Loader(yaml.SafeLoader):
    """YAML as the program reads it: 3e6 is a number."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))


def is_piece(text):
    """Whether an indented block is a piece of a job file, and no formula, command, sentence or JSON."""
    first = next((line for line in text.split("\n") if not line.startswith("#")), "")
    return bool(re.match(r"- (\{|\w+: )|[a-z_]{2,}:( *(#.*)?$| [\[{&*'\"\d-]| \w+ *(#.*)?$)", first))


def pieces(text):
    """Values by key, one for each line that is not indented; alternatives may repeat a key."""
    for part in re.split(r"\n(?=[^\s#])", text.strip("\n")):
        if part.strip() and not part.lstrip().startswith("#"):
            yield part, yaml.load(part, Loader)


def study_validator(folder, rule=None):
    """Judges study files, or what stands under their key `study`; a job in them by the schema beside theirs."""
    schema = json.loads((pathlib.Path(folder) / "study.schema.json").read_text())
    job = json.loads((pathlib.Path(folder) / "job.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    judged = schema if rule is None else {**rule, "definitions": schema["definitions"]}
    return jsonschema.Draft7Validator(judged, resolver=jsonschema.RefResolver("", judged, store={"/job.schema.json": job, "job.schema.json": job}))


class Judge:
    def __init__(self, schema_file):
        self.folder = pathlib.Path(schema_file).parent
        self.schema = json.loads(pathlib.Path(schema_file).read_text())
        self.schema["properties"]["task"] = {key: rule for key, rule in self.schema["definitions"]["task"].items() if key != "oneOf"}  # a part of a task

    def accepts(self, rule, value):
        return jsonschema.Draft7Validator({**rule, "definitions": self.schema["definitions"]}).is_valid(value)

    def study_fault(self, text):
        """The same of a study file, or of some keys of one under `study:`."""
        file = yaml.load(text, Loader)
        if "tauflex" in file:
            validator, judged = study_validator(self.folder), file
        else:  # a part: nothing has to be there
            rule = json.loads((self.folder / "study.schema.json").read_text())["definitions"]["study"]
            validator, judged = study_validator(self.folder, {key: value for key, value in rule.items() if key not in ("required", "oneOf")}), file.pop("study")
            if file:
                return f"no study has the key '{next(iter(file))}'"
        error = next(validator.iter_errors(judged), None)
        return f"{'.'.join(map(str, error.absolute_path))}: {error.message}" if error else None

    def fault(self, text):
        """A sentence about the first piece that stands nowhere in a job; None when all do."""
        definitions = self.schema["definitions"]
        for part, value in pieces(text):
            if isinstance(value, list):
                if not all(any(self.accepts({"$ref": f"#/definitions/{name}"}, item) for name in ITEMS) for item in value):
                    return f"no list of a job has such an item: {part}"
                continue
            for key, inner in value.items():
                rules = [place["properties"][key] for place in [self.schema, *(definitions[name] for name in PLACES)] if isinstance(place.get("properties", {}).get(key), dict)]
                if not any(self.accepts(rule, inner) for rule in rules):
                    return f"no job has this under '{key}': {part}"
        return None
