"""Interpreters within the interpreter: each executes this script, too, and a thread may be in two of
them at once. A comment `at NAME` marks a line that a test expects on a call path."""

import ctypes
import sys
import time

path, seconds = sys.argv[1], float(sys.argv[2])
library = ctypes.CDLL(path)
library.work.restype = ctypes.c_double
library.work.argtypes = [ctypes.c_long]


def region():
    end = time.thread_time() + seconds
    total = 0.0
    while time.thread_time() < end:
        total += library.work(400000)  # at region
    return total


def spin():
    end = time.thread_time() + seconds
    count = 0
    while time.thread_time() < end:
        for number in range(1000):
            count += number * number  # at spin
    return count


def inside():
    region()  # at inside_region
    spin()  # at inside_spin


def run_in_another(script):
    """Executes a text in a new interpreter, by the module that this version has for that."""
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    if sys.version_info < (3, 12):
        interpreter = interpreters.create()
    elif sys.version_info < (3, 13):
        # ctypes does not yet work in interpreters with a lock of their own.
        interpreter = interpreters.create(isolated=False)
    else:
        interpreter = interpreters.create()
    failure = interpreters.run_string(interpreter, script)  # at another
    if failure is not None:
        sys.exit(str(failure))
    interpreters.destroy(interpreter)


def everything():
    text = "import runpy, sys; sys.argv = %r; runpy.run_path(%r, run_name='inside')"
    run_in_another(text % ([__file__, path, str(seconds)], __file__))  # at everything_another
    region()  # at everything_region


if __name__ == "inside":
    inside()  # at inside
elif __name__ == "__main__":
    import threading

    everything()  # at main
    thread = threading.Thread(target=everything)
    thread.start()
    region()
    thread.join()
    print("done")
