"""Gogen: our propagation against CP-SAT.

Run `python tests/bench/bench_gogen.py` with the extra `ortools` installed;
raw results go to `tests/bench/results/`.
"""

from paired import bench

if __name__ == "__main__":
    bench("gogen", rounds=9)
