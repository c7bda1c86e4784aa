"""Columns of Arrow in Spark's terms."""

from __future__ import annotations

from typing import Any

import pyarrow
from pyspark.sql import types


def fields(schema: Any) -> list[Any]:
    """The columns of a schema of Arrow."""
    return [types.StructField(field.name, of(field.type), True) for field in schema]


def of(arrow: Any) -> Any:
    """One of the types that records and WARC files have. A time has no zone: engines differ in what they take a zone for."""
    if pyarrow.types.is_list(arrow):
        return types.ArrayType(of(arrow.value_type), True)
    if pyarrow.types.is_struct(arrow):
        return types.StructType(fields(arrow.field(at) for at in range(arrow.num_fields)))
    if pyarrow.types.is_timestamp(arrow):
        return types.TimestampNTZType()
    known = {
        pyarrow.int16(): types.ShortType(),
        pyarrow.int64(): types.LongType(),
        pyarrow.float64(): types.DoubleType(),
        pyarrow.bool_(): types.BooleanType(),
        pyarrow.date32(): types.DateType(),
        pyarrow.binary(): types.BinaryType(),
    }
    return known.get(arrow, types.StringType())
