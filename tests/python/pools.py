"""Trains scikit-learn's KMeans in this process and then in pools of others: with the word `fork` of
multiprocessing's fork context and joblib's multiprocessing backend, with `joblib` of its loky
backend, whose processes are new ones, and of its threads. All have to find the same."""

import multiprocessing
import sys

import joblib
import numpy
from sklearn.cluster import KMeans

from mapped import print_runtimes

points = numpy.random.RandomState(0).rand(4000, 8)


def train(clusters):
    model = KMeans(n_clusters=clusters, n_init=2, random_state=0).fit(points)
    sizes = sorted(numpy.bincount(model.labels_))
    return [repr(float(model.inertia_)), str(model.n_iter_)] + [str(size) for size in sizes]


def show(word, found):
    for clusters, each in enumerate(found, 4):
        print(word, clusters, *each, flush=True)


def train_by(backend):
    jobs = (joblib.delayed(train)(clusters) for clusters in range(4, 7))
    return joblib.Parallel(n_jobs=2, backend=backend)(jobs)


if __name__ == "__main__":
    show("own", map(train, range(4, 7)))
    if "fork" in sys.argv[1:]:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            show("forked", pool.map(train, range(4, 7)))
        multiprocessing.set_start_method("fork", force=True)
        show("joblib-forked", train_by("multiprocessing"))
        show("own", map(train, range(4, 7)))
    if "joblib" in sys.argv[1:]:
        show("loky", train_by("loky"))
        show("threads", train_by("threading"))
    print_runtimes()
