"""What the scripts of figures share: where to draw, and how it looks."""
import argparse
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
RED, BLUE, GREY = "#c0392b", "#2471a3", "#7f8c8d"
matplotlib.rcParams.update({"svg.hashsalt": "tauflex", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "lines.linewidth": 1.4})


def figures_folder(description):
    """The folder of `--figures`, or None: then the script only prints its numbers."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--figures", type=pathlib.Path, help="draw the figures into this folder")
    folder = parser.parse_args().figures
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)
