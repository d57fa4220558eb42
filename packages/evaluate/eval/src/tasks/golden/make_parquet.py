"""Writes the Parquet files of the tests with pyarrow: types, nulls, nested lists, compressions, row groups.

    uv run --with pyarrow make_parquet.py
"""

import datetime
import decimal
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
table = pa.table(
    {
        "question": ["What, now?", "2+2?", "schön\u2028?"],
        "answer": pa.array([4, 2**60 + 1, None], pa.int64()),
        "choices": pa.array([["a", "b"], [], None], pa.list_(pa.string())),
        "turns": pa.array([[[1, 2], [3]], None, [[]]], pa.list_(pa.list_(pa.int64()))),
        "meta": pa.array([{"level": "1", "n": 7}, None, {"level": None, "n": -(2**53) - 1}]),
        "score": pa.array([0.5, float("nan"), None], pa.float64()),
        "price": pa.array([decimal.Decimal("0.30"), decimal.Decimal("-12.05"), None], pa.decimal128(9, 2)),
        "at": pa.array([datetime.datetime(2026, 1, 31, 12), None, None], pa.timestamp("us")),
        "bytes": pa.array([b"\xff\x00", b"text", None], pa.binary()),
        "good": [True, False, None],
    }
)
for name in ("none", "snappy", "zstd"):
    pq.write_table(table, here / f"{name}.parquet", compression=name, row_group_size=2)
