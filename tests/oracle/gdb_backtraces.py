"""Run by gdb: prints the frames of all threads as JSON (gdb -batch -x gdb_backtraces.py ...)."""

import json

import gdb

KINDS = {gdb.NORMAL_FRAME: "normal", gdb.INLINE_FRAME: "inlined", gdb.TAILCALL_FRAME: "tail call",
         gdb.SIGTRAMP_FRAME: "signal"}
MOST_FRAMES = 100000


def told(frame):
    place = frame.find_sal()
    function = frame.function()
    return {"kind": KINDS.get(frame.type(), "other"), "address": frame.pc(),
            "name": frame.name(), "is_described": function is not None,
            "file": place.symtab.filename if place.symtab else None, "line": place.line}


def stack():
    frames = []
    frame = gdb.newest_frame()
    while frame and len(frames) < MOST_FRAMES:
        frames.append(told(frame))
        try:
            frame = frame.older()
        except gdb.error as error:
            frames.append({"kind": "error", "name": str(error)})
            break
    return frames


def main():
    threads = {}
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        threads[thread.ptid[1]] = stack()
    print("\nJSON " + json.dumps(threads))


gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace limit unlimited")
main()
