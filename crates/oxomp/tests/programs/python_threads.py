"""Threads of Python: one that never begins a region, one that does later, and one that ends at once
while others come. A comment `at NAME` marks a line that a test expects on a call path."""

import ctypes
import sys
import threading
import time

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work.argtypes = [ctypes.c_long]
seconds = float(sys.argv[2])


def spin(share):
    end = time.thread_time() + seconds * share
    count = 0
    while time.thread_time() < end:
        for number in range(1000):
            count += number * number  # at spin
    return count


def region():
    end = time.thread_time() + seconds
    total = 0.0
    while time.thread_time() < end:
        total += library.work(400000)  # at region
    return total


def alone():
    spin(1)  # at alone


def early_and_late():
    spin(1)  # at early
    region()  # at late
    spin(1)  # at afterwards


def short():
    spin(0.05)


def sleeping():
    forever.wait()


forever = threading.Event()
threading.Thread(target=sleeping, daemon=True).start()
region()  # at main
threads = [threading.Thread(target=target) for target in (alone, early_and_late)]
for thread in threads:
    thread.start()
for _ in range(20):
    thread = threading.Thread(target=short)
    thread.start()
    thread.join()
for thread in threads:
    thread.join()
print("done")
