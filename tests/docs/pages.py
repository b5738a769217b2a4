"""What stands on a page of the documentation: commands, the lines they print, Python, files, and tables of numbers with their commands.

    ```console            commands after "$ ", each with lines that it prints; "..." stands for lines left out
    ```python             snippets, run one after the other
    ```yaml               a piece of a job file; a first line "# arm.yaml" makes it a file of that name
        tauflex run ..    a command in an indented block
    | .. | command | prints | ..     a row of a table: the command prints these words and numbers
"""
import dataclasses
import functools
import re

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
PROGRAMS = ("tauflex ", "./tauflex ", "python3 ")
# Commands that other tests run (./test, package.*), or that prepare a machine.
ELSEWHERE = ("sudo apt-get", "cmake ", "ctest ", "cpack ", "export ", "./test", "tests/", "tools/", "mkdir ", "pip install", "xacro ", "python3 out/")


@dataclasses.dataclass
class Command:
    line: int
    text: str
    prints: list  # lines, in this order; of a table in any
    ordered: bool = True


@dataclasses.dataclass
class Block:
    line: int
    language: str  # "" for an indented block
    text: str


def blocks(page):
    """Code of a page in its order, fenced and indented."""
    found, lines, i = [], page.split("\n"), 0
    while i < len(lines):
        fence = re.match(r"( *)(```+|~~~+)(.*)$", lines[i])
        if fence:
            end = next(k for k in range(i + 1, len(lines)) if lines[k].strip() == fence[2])
            found.append(Block(i + 2, fence[3].strip(), "\n".join(line[len(fence[1]):] for line in lines[i + 1:end])))
            i = end + 1
        elif lines[i].startswith("    ") and i and not lines[i - 1].strip() and not in_list(lines, i):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            found.append(Block(i + 1, "", "\n".join(line[4:] for line in lines[i:end]).rstrip()))
            i = end
        else:
            i += 1
    return found


def in_list(lines, i):
    """Whether line i goes on with an item of a list: the last line that is not indented so far starts one."""
    before = next((line for line in reversed(lines[:i]) if line.strip() and not line.startswith("    ")), "")
    return bool(re.match(r" *([-*]|\d+\.) ", before))


def commands(block):
    """Commands of a block, with what they print where the page says it."""
    if block.language == "console":
        found = []
        for offset, line in enumerate(block.text.split("\n")):
            if line.startswith("$ "):
                found.append(Command(block.line + offset, line[2:], []))
            elif line.strip() and line.strip() != "...":
                found[-1].prints.append(line)
        return found
    if block.language in ("", "sh"):
        return [Command(block.line + offset, re.sub(r"\s+#\s.*$", "", line), []) for offset, line in enumerate(block.text.split("\n"))
                if line.startswith(PROGRAMS) and not line.startswith("tauflex: ") or block.language == "sh" and line.strip() and not line.startswith("#")]
    return []


def rows(page):
    """Rows of tables that have the columns `command` and `prints`: commands with what they print."""
    found, columns = [], None
    for number, line in enumerate(page.split("\n"), 1):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if columns is None:
            columns = cells
        elif {"command", "prints"} <= set(columns) and not set(line) <= set("|-: "):
            row = dict(zip(columns, cells))
            code = lambda cell: [text.replace("\\|", "|") for text in re.findall(r"`([^`]*)`", row[cell])]
            found += [Command(number, text, code("prints"), ordered=False) for text in code("command")]
    return found


def matches(expected, printed):
    """Whether the words of `expected` stand in one line of `printed`, numbers equal to one unit of their last digit; "<1e-9" is any number
    below, ".." any text."""
    return any(in_line(expected, line) for line in printed.split("\n"))


def in_line(expected, line):
    end = 0
    for part in expected.split(" .. "):
        pattern, wanted = compiled(part)
        found = (match for start in range(end, len(line)) if (match := pattern.match(line, start)))
        end = next((match.end() for match in found if all(agrees(*pair) for pair in zip(wanted, match.groups()))), None)
        if end is None:
            return False
    return True


@functools.cache
def compiled(part):
    """A pattern for words and numbers, and the numbers that are wanted."""
    pattern, wanted = "", []
    for piece in re.split(rf"(< ?{NUMBER}|(?<![\w.]){NUMBER})", " ".join(part.split())):
        if re.fullmatch(rf"(< ?)?{NUMBER}", piece):
            pattern += rf"(?:< ?)?({NUMBER})"
            wanted.append(piece)
        else:
            pattern += re.sub(r"(\\ )+", r"\\s+", re.escape(piece))
    return re.compile(pattern), wanted


def agrees(wanted, value):
    if wanted.startswith("<"):
        return float(value) <= float(wanted[1:])
    mantissa, _, exponent = wanted.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return abs(float(value) - float(wanted)) <= 1.000001 * 10.0 ** (int(exponent or 0) - digits)


def missing(wanted, printed, ordered=True):
    """The first of the lines `wanted` that is not printed, in this order after those before it; None when all are there."""
    if not ordered:
        return next((line for line in wanted if not matches(line, printed)), None)
    lines, start = printed.split("\n"), 0
    for line in wanted:
        found = next((i for i in range(start, len(lines)) if matches(line, lines[i])), None)
        if found is None:
            return line
        start = found + 1
    return None
