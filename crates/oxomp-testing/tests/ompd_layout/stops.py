# Run by gdb: stops at each breakpoint function and says where, until the program ends. Goes on when it
# is told a line.
import os
import sys

import gdb

NAMES = os.environ["STOPS_AT"].split()

for setting in ["pagination off", "breakpoint pending on", "startup-with-shell off", "print thread-events off"]:
    gdb.execute("set " + setting)
for name in NAMES:
    for end in ["begin", "end"]:
        gdb.execute("break ompd_bp_%s_%s" % (name, end))
gdb.execute("run")
while gdb.selected_inferior().pid:
    name = gdb.selected_frame().name()
    stop = "stop name=%s lwp=%d pid=%d\n" % (
        name,
        gdb.selected_thread().ptid[1],
        gdb.selected_inferior().pid,
    )
    os.write(1, stop.encode())
    if not sys.stdin.readline():
        break
    gdb.execute("continue")
