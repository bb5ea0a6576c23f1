# A verdict on a polars frame: the lines that docs/howto/python.md shows, as somebody runs them who has installed the wheel.
import sys

import polars as pl

import gonogo

frame = pl.read_csv(sys.argv[1])
table = gonogo.Table.from_arrow(frame, features=["f_*"], reference="merge")
result = gonogo.audit(table, learner="ridge", refits=40, progress=False)
print(result.verdict)
print(pl.DataFrame(result.channels))
