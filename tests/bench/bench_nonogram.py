"""Nonogram: our search (with CP-SAT behind it, and alone) against CP-SAT.

Run `python tests/bench/bench_nonogram.py` with the extra `ortools` installed;
raw results go to `tests/bench/results/`.
"""

from paired import bench

if __name__ == "__main__":
    bench("nonograms", rounds=3, sides=("ours", "alone", "cp-sat"))
