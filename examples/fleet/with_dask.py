#!/usr/bin/env python3
"""Exports many packages on many machines, with Dask: a task for each package.

usage: with_dask.py SCHEDULER DESTINATION <LIST

SCHEDULER is the address of a scheduler, such as tcp://127.0.0.1:8786 (`dask-scheduler`, and `dask-worker
ADDRESS` on each machine). DESTINATION is an option of "inlinecall export" that all machines can reach, such
as --postgresql=postgresql://user@host/inlining. LIST has the name of a package, or the path of a .deb file, on
each line.

A task that fails, or whose worker dies, is tried again, on any worker: an export may be repeated any number of
times. Prints a line for each package that failed in the end, and exits with status 1 if there are any.
"""

import subprocess
import sys
from pathlib import Path

from distributed import Client, as_completed

EXPORT = str(Path(__file__).resolve().with_name("export-package"))
PROBLEMS = 2  # the export is done; what could not be read is in the table "problems"


def export(command, package, destination):
    """The task: runs where the worker is, which needs inlinecall and `command`."""
    done = subprocess.run([command, package, destination], capture_output=True, text=True, check=False)
    if done.returncode not in (0, PROBLEMS):
        raise RuntimeError(f"status {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.returncode


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    packages = sys.stdin.read().split()
    failed = 0
    with Client(sys.argv[1]) as client:
        tasks = {client.submit(export, EXPORT, package, sys.argv[2], key=f"export {package}", retries=3,
                               pure=False): package for package in packages}
        for task in as_completed(tasks):
            if task.status != "finished":
                failed += 1
                print(f"{tasks[task]}: {task.exception()}", file=sys.stderr)
    print(f"{len(packages) - failed} of {len(packages)} packages exported")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
