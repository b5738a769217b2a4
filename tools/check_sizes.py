#!/usr/bin/env python3
"""Fails when a source file has more than 400 lines or a function more than 60: check_sizes.py [folder with the layers]"""
import pathlib
import re
import sys

HOUSE = pathlib.Path(__file__).resolve().parent.parent / "src/tauflex"
FILE_LINES = 400
FUNCTION_LINES = 60

# What may be longer, and why: "folder/file.cpp" for a file, "folder/file.cpp: name" for a function.
ALLOWED = {
    "mechanics/forward_dynamics.cpp: tree_accelerations": "the three passes over the tree of one algorithm",
    "mechanics/inverse_dynamics.cpp: inverse_dynamics_derivatives": "the two passes over the tree of one algorithm",
}

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/|^ *#(?:[^\n]*\\\n)*[^\n]*',
                      re.DOTALL | re.MULTILINE)
CONTAINER = re.compile(r"(template\s*<.*>\s*)?(inline\s+)?(namespace|struct|class|union|enum|extern)\b", re.DOTALL)


def functions(text):
    """(name, first line, number of lines) of each function; a lambda belongs to the function around it."""
    code = NOT_CODE.sub(lambda part: "\n" * part.group().count("\n"), text)
    opened = []  # per brace that is open outside of functions: where its function starts, None for a namespace, type or value
    begin = 0  # of the declaration that is being read
    inside = 0  # braces that are open inside of a function
    for brace in re.finditer(r"[{};]", code):
        end = brace.start()
        if brace.group() == "{":
            head = code[begin:end]
            is_function = "(" in head and not head.rstrip().endswith("=") and not CONTAINER.match(head.lstrip())
            if inside:
                inside += 1
            elif is_function:
                opened.append(begin + len(head) - len(head.lstrip()))
                inside = 1
            else:
                opened.append(None)
        elif brace.group() == "}":
            inside = max(inside - 1, 0)
            if not inside:
                start = opened.pop()
                if start is not None:
                    name = re.search(r"([\w:~]+|operator\s*[^\s\w(]+)\s*\(", code[start:end])
                    yield name.group(1), code.count("\n", 0, start) + 1, code.count("\n", start, end) + 1
        if not inside:
            begin = brace.end()


def faults(root):
    used = set()
    for path in sorted(root.rglob("*.[ch]pp")):
        text = path.read_text()
        file = str(path.relative_to(root))
        lengths = [(file, f"{path}", text.count("\n"), FILE_LINES)]
        lengths += [(f"{file}: {name}", f"{path}:{line}: {name}", count, FUNCTION_LINES) for name, line, count in functions(text)]
        for key, place, count, most in lengths:
            if count > most and key in ALLOWED:
                used.add(key)
            elif count > most:
                yield f"{place} has {count} lines, more than {most}"
    for key in ALLOWED:
        if root == HOUSE and key not in used:
            yield f"{key} is short enough or gone: take it out of ALLOWED"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HOUSE
    found = list(faults(root))
    print("\n".join(found) if found else "sizes: ok")
    sys.exit(1 if found else 0)
