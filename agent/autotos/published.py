"""The figures of the published runs, for comparison: their own logs, the twenty 5x5 instances, depth-first search.

Source: the logs released with AutoToS (Cao et al., arXiv 2408.11326, repository IBM/AutoToS), runs without the extra
validation that ended at 20 of 20: expansions and generated states, summed over the instances.
"""

from __future__ import annotations

Sums = tuple[str, int, int]
"""Name of a run, expansions, generated."""

PUBLISHED: tuple[Sums, ...] = (
    ("gpt4, run 2", 7_417, 75_504),
    ("gpt4, run 3", 385_026, 33_171_265),
    ("deepseek-coder-v2, run 1", 462_616, 3_904_718),
    ("llama3.1-70b, run 1", 462_616, 3_904_718),
    ("gpt4-mini, run 5", 1_460_139, 12_716_800),
    ("gpt4-mini, run 2", 1_587_973, 13_705_798),
    ("llama3.1-405b, run 4", 4_568_109, 39_733_481),
)
"""Run, expansions, generated; a choice from the least to the most that strictly judged functions of them explain."""
