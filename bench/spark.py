#!/usr/bin/env python3
"""Measures wrappers over stored pages in Spark and in Sail, against plain extraction and against jobs with parsel.

    scripts/python --release && scripts/python --spark
    target/python-spark/bin/pip install --force-reinstall target/wheels-release/*.whl warcio
    target/python-sail/bin/pip install --force-reinstall target/wheels-release/*.whl
    target/python-spark/bin/python bench/spark.py --pages 20000
    target/python-spark/bin/python bench/spark.py --site movie-yahoo --pages 10000 --times 100   # a million, by links to the same files

Pages are those of a site of SWDE, in ../shared/bench/swde, repeated, in Parquet and in WARC. The wrapper is inferred from the site's
20 pages for training. Every job runs in a process of its own, and works on a few pages first, so that starting Java and compiling its
code is not measured. Time is that of the processor: of all processes of the job's session, before and after. Records of every
job of ours are counted, and those of Spark are compared with those of plain extraction as bytes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SWDE = ROOT.parent / "shared" / "bench" / "swde"
PLACE = ROOT / "target" / "spark-bench"
FILES = 8
SERVERS: list[Any] = []
"""Servers that must not be dropped while their clients ask."""
FIELDS = {
    "title": "//title/text()",
    "headings": "//h1//text()",
    "links": "//a/@href",
    "pictures": "//img/@alt",
    "labels": "//tr[td[2]]/td[1]//text()",
}


def processor() -> float:
    """Seconds of the processor that all processes of this session have used."""
    own, tick, total = os.getsid(0), os.sysconf("SC_CLK_TCK"), 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == own:
            # Its own time, and that of its children that have ended.
            total += sum(int(number) for number in fields[11:15])
    return total / tick


def site_pages(site: str) -> dict[str, bytes]:
    with tarfile.open(SWDE / f"{site}.tar.xz") as pack:
        found = {}
        for member in pack.getmembers():
            if "/pages/" in f"/{member.name}" and member.isfile():
                file = pack.extractfile(member)
                assert file is not None
                found[Path(member.name).stem] = file.read()
    return dict(sorted(found.items()))


def prepare(site: str, count: int, times: int) -> None:
    """Writes the wrapper, and the pages as Parquet and as WARC, unless they are there."""
    import gzip

    import pyarrow as pa
    import pyarrow.parquet as pq

    import wrapwright as ww

    made = PLACE / "made.json"
    if made.exists() and json.loads(made.read_text()) == [site, count, times]:
        return
    for old in PLACE.glob("many-*"):
        old.unlink()
    pages = site_pages(site)
    lines = (line.split() for line in (SWDE / "train20.txt").read_text().splitlines() if line.strip())
    train = {words[1] for words in lines if words[0] == site}
    PLACE.mkdir(parents=True, exist_ok=True)
    wrapper = ww.infer([pages[name] for name in sorted(train) if name in pages])
    wrapper.save(PLACE / "site.wrapper.json")
    schema = pa.schema([("url", pa.string()), ("html", pa.binary())])
    members = []
    for name, body in pages.items():
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        members.append((name, body, block))
    for kind, share in (("many", count), ("few", 200)):
        for number in range(FILES if kind == "many" else 2):
            of = FILES if kind == "many" else 2
            rows = [members[at % len(members)] for at in range(number, share, of)]
            names = [f"http://{site}.test/{number}/{at}/{row[0]}" for at, row in enumerate(rows)]
            with pq.ParquetWriter(PLACE / f"{kind}-{number}.parquet", schema, use_dictionary=False) as out:
                for begin in range(0, len(rows), 500):
                    part = rows[begin : begin + 500]
                    columns = [names[begin : begin + 500], [row[1] for row in part]]
                    out.write_batch(pa.record_batch(columns, schema=schema))
            with (PLACE / f"{kind}-{number}.warc.gz").open("wb") as file:
                for url, (_, _, block) in zip(names, rows, strict=True):
                    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-03-01T00:00:00Z\r\n"
                    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
                    file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
    for file in [path for path in PLACE.glob("many-*") if times > 1]:
        for time_ in range(1, times):
            os.link(file, PLACE / file.name.replace("many-", f"many-{time_}-"))
    made.write_text(json.dumps([site, count, times]))
    sizes = sum(len(body) for body in pages.values()) / max(len(pages), 1)
    print(f"{site}: {len(pages)} pages of {sizes / 1024:.0f} KB at a mean, repeated to {count * times}; {wrapper!r}")


def session(engine: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    if engine == "spark":
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.driver.memory", "3g").config("spark.sql.files.maxPartitionBytes", "1g")
        made = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "500").getOrCreate()
        made.sparkContext.setLogLevel("ERROR")
        return made
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer(port=0)
    server.start(background=True)
    SERVERS.append(server)
    return SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").getOrCreate()


def read(spark: Any, form: str, kind: str) -> Any:
    if form == "warc":
        from wrapwright import spark as ws

        ws.register(spark)
        return spark.read.format("warc").schema("url string, html binary").load(str(PLACE / f"{kind}-*.warc.gz"))
    return spark.read.parquet(str(PLACE / f"{kind}-*.parquet"))


def ours(engine: str, form: str) -> Any:
    import wrapwright as ww
    from wrapwright import spark as ws

    spark, wrapper = session(engine), ww.Wrapper.load(PLACE / "site.wrapper.json")

    def records(kind: str) -> Any:
        # Sail begins all tasks at once.
        partitions = 4 * (os.cpu_count() or 1) if engine == "sail" else None
        if form == "direct":
            return ws.extract_warc(spark, str(PLACE / f"{kind}-*.warc.gz"), wrapper, meta=True, partitions=partitions)
        if form == "stored":
            return ws.extract_parquet(spark, str(PLACE / f"{kind}-*.parquet"), wrapper, meta=True, partitions=partitions)
        return ws.extract(read(spark, form, kind), wrapper, meta=True)

    def run(kind: str) -> int:
        target = PLACE / f"out-{engine}-{form}"
        records(kind).write.mode("overwrite").parquet(str(target))
        return int(spark.read.parquet(str(target)).count())

    return run


def checked(engine: str) -> Any:
    import wrapwright as ww
    from wrapwright import spark as ws

    spark, wrapper = session(engine), ww.Wrapper.load(PLACE / "site.wrapper.json")
    return lambda kind: sum(ws.check(read(spark, "parquet", kind), wrapper).to_dict()["counts"].values())


def by_parsel() -> Any:
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    spark = session("spark")

    def texts(pages: Any) -> Any:
        from parsel import Selector

        def one(page: bytes) -> str:
            tree = Selector(body=bytes(page), type="html")
            return json.dumps({name: tree.xpath(path).getall() for name, path in FIELDS.items()})

        return pages.map(one)

    # Spark decides by the types, which must not be texts here.
    texts.__annotations__ = {"pages": pd.Series, "return": pd.Series}
    found = pandas_udf(texts, "string")

    def run(kind: str) -> int:
        made = read(spark, "parquet", kind).select(found("html").alias("found"))
        made.write.mode("overwrite").parquet(str(PLACE / "out-parsel"))
        return int(spark.read.parquet(str(PLACE / "out-parsel")).count())

    return run


def by_warcio() -> Any:
    """As cc-pyspark does it: records of WARC files one by one in Python, with warcio, and parsel for each page."""
    spark, fields = session("spark"), FIELDS

    def records(paths: Iterator[str]) -> Iterator[tuple[str]]:
        from parsel import Selector
        from warcio.archiveiterator import ArchiveIterator

        for path in paths:
            with open(path, "rb") as stream:
                for record in ArchiveIterator(stream):
                    if record.rec_type == "response":
                        tree = Selector(body=record.content_stream().read(), type="html")
                        yield (json.dumps({name: tree.xpath(xpath).getall() for name, xpath in fields.items()}),)

    def run(kind: str) -> int:
        files = sorted(str(path) for path in PLACE.glob(f"{kind}-*.warc.gz"))
        made = spark.sparkContext.parallelize(files, len(files)).mapPartitions(records)
        spark.createDataFrame(made, "found string").write.mode("overwrite").parquet(str(PLACE / "out-warcio"))
        return int(spark.read.parquet(str(PLACE / "out-warcio")).count())

    return run


def plain(form: str) -> Any:
    """One process, one thread: the command on WARC files, and the same batches in Python on Parquet."""
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    import wrapwright as ww

    wrapper = ww.Wrapper.load(PLACE / "site.wrapper.json")

    def command(kind: str) -> int:
        files = sorted(str(path) for path in PLACE.glob(f"{kind}-*.warc.gz"))
        target = str(PLACE / "out-plain.parquet")
        made = [sys.executable, "-m", "wrapwright", "extract", str(PLACE / "site.wrapper.json"), *files]
        subprocess.run([*made, "--jobs", "1", "--overwrite", "-q", "-o", target], check=False)
        return int(pq.read_metadata(target).num_rows)

    def batches(kind: str) -> int:
        pa.set_cpu_count(1)
        pages = ds.dataset(sorted(str(path) for path in PLACE.glob(f"{kind}-*.parquet")))
        reader = pages.scanner(batch_size=500, use_threads=False, batch_readahead=1, fragment_readahead=1).to_reader()
        table = pa.RecordBatchReader.from_stream(wrapper.extract_table(reader, meta=True))
        with pq.ParquetWriter(PLACE / "out-batches.parquet", table.schema) as out:
            for batch in table:
                out.write_batch(batch)
        return int(pq.read_metadata(PLACE / "out-batches.parquet").num_rows)

    return command if form == "warc" else batches


JOBS = {
    "extract, WARC, 1 thread": lambda: plain("warc"),
    "batches, Parquet, 1 thread": lambda: plain("parquet"),
    "Spark local[2], Parquet": lambda: ours("spark", "parquet"),
    "Spark local[2], WARC": lambda: ours("spark", "warc"),
    "Spark local[2], extract_warc": lambda: ours("spark", "direct"),
    "Spark local[2], extract_parquet": lambda: ours("spark", "stored"),
    "Sail, Parquet": lambda: ours("sail", "parquet"),
    "Sail, WARC": lambda: ours("sail", "warc"),
    "Sail, extract_warc": lambda: ours("sail", "direct"),
    "Sail, extract_parquet": lambda: ours("sail", "stored"),
    "check, Spark local[2], Parquet": lambda: checked("spark"),
    "Spark local[2], parsel in a pandas UDF, Parquet": by_parsel,
    "Spark local[2], warcio and parsel, WARC": by_warcio,
}


def job(name: str) -> None:
    """Runs one job and prints what it took, as JSON."""
    run = JOBS[name]()
    run("few")
    busy, clock = processor(), time.monotonic()
    records = run("many")
    print(json.dumps({"cpu": processor() - busy, "wall": time.monotonic() - clock, "records": records}), flush=True)
    # Servers and Java end with the session.
    os._exit(0)


def serialized(files: list[Path]) -> bytes:
    """The records of Parquet files as bytes, in a fixed order. Engines name the items of lists, and say what may be null, in
    their own ways, so all get the schema of plain extraction."""
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.parquet as pq

    schema = pq.read_schema(PLACE / "out-plain.parquet").remove_metadata()
    table = pa.concat_tables([pq.read_table(file) for file in files]).replace_schema_metadata(None).cast(schema)
    table = table.take(pa.compute.sort_indices(table, [("_page", "ascending")])).combine_chunks()
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as out:
        out.write_table(table)
    return sink.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20000)
    parser.add_argument("--slow-pages", type=int, default=2000, help="pages for the jobs with parsel")
    parser.add_argument("--times", type=int, default=1, help="as many times as many pages: all files have so many names")
    parser.add_argument("--site", default="nbaplayer-foxsports")
    parser.add_argument("--only", action="append")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.job:
        return job(args.job)
    made = (0, 0)
    print("| job | pages | pages per CPU-second | against extract | CPU s | wall s | records |\n|---|--:|--:|--:|--:|--:|--:|")
    base = None
    for name in args.only or JOBS:
        is_slow = "parsel" in name
        size = (args.slow_pages, 1) if is_slow else (args.pages, args.times)
        if size != made:
            prepare(args.site, *size)
            made = size
        count = size[0] * size[1]
        python = ROOT / "target/python-sail/bin/python" if name.startswith("Sail") else sys.executable
        command = [str(python), __file__, "--job", name]
        done = subprocess.run(command, capture_output=True, text=True, start_new_session=True, cwd=ROOT)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if not lines:
            print(f"| {name} | failed: {done.stderr.strip().splitlines()[-1:]} |", flush=True)
            continue
        took = json.loads(lines[-1])
        rate = count / took["cpu"]
        base = base or rate
        print(f"| {name} | {count} | {rate:.0f} | {rate / base:.2f} × | {took['cpu']:.1f} | {took['wall']:.1f} | {took['records']} |", flush=True)
        if name.startswith(("Spark local[2], Parquet", "Spark local[2], WARC", "Spark local[2], extract", "Sail,")):
            form = {"Parquet": "parquet", "WARC": "warc", "extract_warc": "direct", "extract_parquet": "stored"}[name.split(", ")[1]]
            folder = PLACE / f"out-{'sail' if name.startswith('Sail') else 'spark'}-{form}"
            same = serialized(sorted(folder.glob("*.parquet"))) == serialized([PLACE / "out-plain.parquet"])
            print(f"|  — the same bytes as extract: {same} |", flush=True)


if __name__ == "__main__":
    main()
