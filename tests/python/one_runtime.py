"""Which runtime serves libraries whose wheels bring copies of libgomp under names of their own,
when another one is preloaded: told by addresses of symbols, and by whose settings they see."""

import ctypes
import os

import lightgbm  # noqa: F401  loaded for its runtime
import numpy
import xgboost  # noqa: F401  as above
from sklearn.cluster import KMeans
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

from mapped import mapped_runtimes


class Place(ctypes.Structure):
    """What dladdr(3) tells of an address."""

    _fields_ = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


process = ctypes.CDLL(None)


def file_of(function):
    """The file in which a function lies."""
    place = Place()
    process.dladdr(ctypes.cast(function, ctypes.c_void_p), ctypes.byref(place))
    return os.path.realpath(place.file.decode())


points = numpy.random.RandomState(0).rand(2000, 8)
KMeans(n_clusters=4, n_init=1, random_state=0).fit(points)
for name in ("GOMP_parallel", "GOMP_barrier", "omp_get_max_threads", "__kmpc_fork_call"):
    print("process", name, file_of(getattr(process, name)))
process.omp_set_num_threads(7)
print("scikit-learn sees", _openmp_effective_n_threads())
for path in mapped_runtimes():
    if path != file_of(process.GOMP_parallel):
        copy = ctypes.CDLL(path)
        assert file_of(copy.omp_get_max_threads) == path
        print("copy", path, copy.omp_get_max_threads())
