"""A script of a program with an interpreter inside. A comment `at NAME` marks a line that a test
expects on a call path."""

import sys
import time

import program

seconds = float(sys.argv[1])


def region():
    end = time.thread_time() + seconds
    total = 0.0
    while time.thread_time() < end:
        total += program.work(400000)  # at region
    return total


def spin():
    end = time.thread_time() + seconds
    count = 0
    while time.thread_time() < end:
        for number in range(1000):
            count += number * number  # at spin
    return count


def everything():
    region()  # at everything_region
    spin()  # at everything_spin


everything()  # at main
print("done")
