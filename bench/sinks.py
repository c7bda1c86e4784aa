#!/usr/bin/env python3
"""How fast others write the records of `cargo run --release -p wrapwright-bench --bin sinks`.

    python3 bench/sinks.py 500000 /tmp/sinks        # needs scrapy, pyarrow and pandas

Rows are made before the clock starts, in portions of 10,000, so only writing is measured; ours also makes its records from
text and reads prices and dates. Prints a line of JSON for each.
"""

import json
import os
import pathlib
import sys
import time

PORTION = 10_000


def book(number):
    """The same record as the bench's."""
    return {
        "_record": "book",
        "_page": "http://shop.test/page",
        "title": "The %dth Tin Compass and Other Tales" % number,
        "year": 1900 + number % 120,
        "price": float("%d%03d.%02d" % (1 + number % 9, number % 1000, number % 100)),
        "released": "2019-%02d-%02d" % (1 + number % 12, 1 + number % 28),
        "tag": ["tag %d" % (number % 17), "shelf %d" % (number % 5)],
        "review": [{
            "by": "reader %d" % (number % 1000),
            "text": "Review %d of %d: a fair wind blows through it, and the maps alone are worth the price." % (which, number),
        } for which in range(2)],
    }


def portions(count):
    for begin in range(0, count, PORTION):
        yield [book(number) for number in range(begin, min(begin + PORTION, count))]


def measure(name, path, count, begin, write, end):
    path.unlink(missing_ok=True)
    spent = [0.0, 0.0]

    def timed(work, *arguments):
        wall, processor = time.perf_counter(), time.process_time()
        result = work(*arguments)
        spent[0] += time.perf_counter() - wall
        spent[1] += time.process_time() - processor
        return result

    state = timed(begin, path)
    for rows in portions(count):
        timed(write, state, rows)
    timed(end, state)
    seconds, used = spent
    size = path.stat().st_size
    line = {"target": name, "records": count, "seconds": round(seconds, 2),
            "records_per_second": round(count / seconds), "processor_seconds": round(used, 2),
            "records_per_processor_second": round(count / used), "bytes": size}
    print(json.dumps(line), flush=True)
    path.unlink()


def scrapy_exporter(kind, count, folder):
    from scrapy.exporters import CsvItemExporter, JsonLinesItemExporter
    exporter = {"ndjson": JsonLinesItemExporter, "csv": CsvItemExporter}[kind]

    def begin(path):
        file = open(path, "wb")
        made = exporter(file)
        made.start_exporting()
        return made, file

    def write(state, rows):
        for row in rows:
            state[0].export_item(row)

    def end(state):
        state[0].finish_exporting()
        state[1].close()

    measure("Scrapy " + kind, folder / ("scrapy." + kind), count, begin, write, end)


def arrow(count, folder):
    import pyarrow
    import pyarrow.parquet
    text = pyarrow.string()
    schema = pyarrow.schema([
        ("_record", text), ("_page", text), ("title", text), ("year", pyarrow.int64()), ("price", pyarrow.float64()),
        ("released", text), ("tag", pyarrow.list_(text)),
        ("review", pyarrow.list_(pyarrow.struct([("by", text), ("text", text)]))),
    ])

    def begin(path):
        return pyarrow.parquet.ParquetWriter(path, schema, compression="snappy")

    measure("pyarrow parquet", folder / "arrow.parquet", count, begin,
            lambda writer, rows: writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema)),
            lambda writer: writer.close())


def pandas(count, folder):
    import pandas as pd

    def write_csv(path, rows):
        pd.DataFrame(rows).to_csv(path, mode="a", header=not os.path.exists(path), index=False)

    def write_json(path, rows):
        pd.DataFrame(rows).to_json(path, mode="a", orient="records", lines=True)

    nothing = lambda path: path
    measure("pandas csv", folder / "pandas.csv", count, nothing, write_csv, nothing)
    measure("pandas ndjson", folder / "pandas.ndjson", count, nothing, write_json, nothing)


def main():
    count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    scrapy_exporter("ndjson", count, folder)
    scrapy_exporter("csv", count, folder)
    arrow(count, folder)
    pandas(count, folder)


if __name__ == "__main__":
    main()
