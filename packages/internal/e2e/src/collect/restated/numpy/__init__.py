"""What `art_trl_async.py` takes from numpy; lists serve as arrays."""

from statistics import pstdev as std

int64, float32 = int, float


def array(values, dtype):
    return [dtype(value) for value in values]
