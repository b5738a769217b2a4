"""Figures of docs/papers/tsujita.md: python3 docs/scripts/tsujita.py --figures folder"""
import numpy as np

import tauflex
from drawing import BLUE, EXAMPLES, RED, figures_folder, plt, save

if __name__ == "__main__":
    folder = figures_folder(__doc__)
    if folder:
        finer = {"verification.plant": {"links.link2.beam.elements": 3}, "verification.force_tolerance": 0.1, "rigid": False}
        result = tauflex.run(EXAMPLES / "tsujita.yaml", set=finer)
        run, robot = result.simulated(), tauflex.load(EXAMPLES / "tsujita.yaml")
        figure, axes = plt.subplots(1, 3, figsize=(9.5, 2.9))
        for i, colour in enumerate((BLUE, RED)):
            axes[0].plot(result.t, result.u[:, i], color=colour, label=f"{result.drives[i]}")
        axes[0].set(xlabel="time, s", ylabel="motor torques, N m", title="no impulses at 0 and 0.5 s")
        axes[0].legend(fontsize=7)
        axes[1].plot(run["t"], run["lambda.contact"])
        axes[1].set(xlabel="time, s", ylabel="force on the surface, N", title="finer mesh, t_f = 0.5 s (Fig. 2)")
        for k in np.searchsorted(result.t, np.linspace(0, 0.5, 8)):
            q = result.q[k]
            points = np.array([[0, 0, 0]] + [robot.frame(name, q)[0] for name in ("link2", "hand", "tool")])
            axes[2].plot(points[:, 0], points[:, 2], "-o", color=BLUE, markersize=2, alpha=0.4 + 0.6 * k / len(result.t))
        axes[2].axhline(-0.7, color=RED)
        axes[2].set(xlabel="x, m", ylabel="z, m", aspect="equal", title="stick diagram (Fig. 4)")
        save(figure, folder, "tsujita")
