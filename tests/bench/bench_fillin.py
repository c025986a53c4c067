"""Fill-in: our search (in turns with CP-SAT, and alone) against CP-SAT; two dense ones of 18x18 are in `dense`.

Run `python tests/bench/bench_fillin.py` with the extra `ortools` installed;
raw results go to `tests/bench/results/`.
"""

from pathlib import Path

from paired import bench

if __name__ == "__main__":
    dense = sorted((Path(__file__).parent / "dense").glob("*.json"))
    bench("fillin", sides=("ours", "alone", "cp-sat"), more=dense)
