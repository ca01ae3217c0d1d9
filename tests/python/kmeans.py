"""Trains scikit-learn's KMeans and prints what it found; with the word `fork` once more in a child
that is forked after that, with `threads` in several threads at once: they have to find the same."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
from sklearn.cluster import KMeans

from mapped import print_runtimes

points = numpy.random.RandomState(0).rand(20000, 16)


def train(rows, clusters):
    model = KMeans(n_clusters=clusters, n_init=2, random_state=0).fit(points[:rows])
    sizes = sorted(numpy.bincount(model.labels_))
    return [repr(float(model.inertia_)), str(model.n_iter_)] + [str(size) for size in sizes]


print("kmeans", *train(20000, 12))
if "fork" in sys.argv[1:]:
    print("before", *train(5000, 5), flush=True)
    child = os.fork()
    if child == 0:
        print("after", *train(5000, 5), flush=True)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    print("child", os.waitstatus_to_exitcode(status))
    print("parent", *train(5000, 5))
if "threads" in sys.argv[1:]:
    with ThreadPoolExecutor(4) as pool:
        for number, found in enumerate(pool.map(lambda _: train(5000, 5), range(12))):
            print("thread", number, *found)
print_runtimes()
