"""Fill-in: our search (with CP-SAT behind it) against CP-SAT.

Run `python tests/bench/bench_fillin.py` with the extra `ortools` installed;
raw results go to `tests/bench/results/`.
"""

from paired import bench

if __name__ == "__main__":
    bench("fillin")
