"""Functions of every kind that lead to a region. A comment `at NAME` marks a line that a test
expects on a call path."""

import ctypes
import sys
import threading
import time

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work.argtypes = [ctypes.c_long]
function_type = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
library.call_back.restype = ctypes.c_double
library.call_back.argtypes = [function_type, ctypes.c_double]
seconds = float(sys.argv[2])


def region():
    end = time.thread_time() + seconds
    total = 0.0
    while time.thread_time() < end:
        total += library.work(400000)  # at region
    return total


def nested():
    def inner():
        return region()  # at inner

    return inner()  # at nested


def recursive(depth):
    if depth == 0:
        return region()  # at deepest
    return recursive(depth - 1)  # at recursive


def generator():
    yield region()  # at generator


class Model:
    @classmethod
    def fit(cls):
        return region()  # at fit

    def größe_漢𠀋(self):
        return region()  # at size


def back(value):
    return value + region()  # at back


def spin():
    end = time.thread_time() + seconds
    count = 0
    while time.thread_time() < end:
        for number in range(1000):
            count += number * number  # at spin
    return count


def everything():
    nested()  # at everything_nested
    recursive(3)  # at everything_recursive
    sum(generator())  # at everything_generator
    Model.fit()  # at everything_fit
    Model().größe_漢𠀋()  # at everything_size
    (lambda: region())()  # at everything_lambda
    [region() for _ in range(1)]  # at everything_list
    library.call_back(function_type(back), 1.0)  # at everything_back
    spin()  # at everything_spin


if __name__ == "__main__":
    everything()  # at main
    thread = threading.Thread(target=everything)
    thread.start()
    thread.join()
    print("done")
