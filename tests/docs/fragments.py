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


class Judge:
    def __init__(self, schema_file):
        self.schema = json.loads(pathlib.Path(schema_file).read_text())
        self.schema["properties"]["task"] = {key: rule for key, rule in self.schema["definitions"]["task"].items() if key != "oneOf"}  # a part of a task

    def accepts(self, rule, value):
        return jsonschema.Draft7Validator({**rule, "definitions": self.schema["definitions"]}).is_valid(value)

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
