"""Reads CSV files of many exports with Spark, and writes Parquet. Not tested: no Spark was at hand.

usage: spark-submit with_spark.py DIRECTORY OUTPUT

DIRECTORY has a folder for each process that exported with --csv-dir=DIRECTORY/NAME. Rows of a file that several
exports have are the same, so duplicates are dropped.
"""

import sys

from pyspark.sql import SparkSession

TABLES = ("files", "paths", "units", "sources", "functions", "instances", "ranges", "arguments", "calls", "problems")

spark = SparkSession.builder.appName("inlinecall").getOrCreate()
for table in TABLES:
    rows = spark.read.csv(f"{sys.argv[1]}/*/{table}.csv", header=True, inferSchema=True, escape='"', multiLine=True)
    rows.dropDuplicates().write.mode("overwrite").parquet(f"{sys.argv[2]}/{table}.parquet")
