"""Code objects that come and go, on threads that come and go, while call paths are sampled. The
answer is the same in every run."""

import ctypes
import gc
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.sum_below.restype = ctypes.c_long
library.sum_below.argtypes = [ctypes.c_long]
rounds = int(sys.argv[2])
sys.setswitchinterval(1e-6)
sys.setrecursionlimit(5000)


def made(number):
    """A function of its own, with a text of another size for each number."""
    lines = ["def function_%d(argument):" % (number % 7)]
    lines += ["    argument += %d" % line for line in range(number % 40)]
    lines += ["    return argument", "result = function_%d(%d)" % (number % 7, number)]
    names = {}
    exec(compile("\n".join(lines), "file_%d_%s" % (number % 5, "ü漢𠀋"[number % 3]), "exec"), names)
    return names["result"]


def deep(depth):
    return 1 if depth == 0 else 1 + deep(depth - 1)


def counted(limit):
    for number in range(limit):
        yield number


def work(begin, results):
    total = library.sum_below(1000)
    for number in range(begin, begin + rounds):
        total += made(number)
        if number % 50 == 0:
            total += deep(900) + sum(counted(100)) + library.sum_below(2000)
            total += sum(map(lambda value: value + 1, sorted(range(200), key=lambda value: -value)))
        if number % 400 == 0:
            gc.collect()
    results[begin] = total


def short(results, number):
    results[number] = made(number) + library.sum_below(100)


results = {}
threads = [threading.Thread(target=work, args=(begin, results)) for begin in range(0, 4000, 1000)]
for thread in threads:
    thread.start()
passing = {}
for number in range(rounds // 10):
    thread = threading.Thread(target=short, args=(passing, number))
    thread.start()
    thread.join()
for thread in threads:
    thread.join()
print(sum(results.values()) + sum(passing.values()))
