"""LightGBM, XGBoost and scikit-learn in one process, each with the OpenMP runtime of its wheel;
with the word `fork` the second round is a child's, forked after the first."""

import os
import sys

import lightgbm
import numpy
import xgboost
from sklearn.cluster import KMeans

from mapped import print_runtimes

random = numpy.random.RandomState(2)
points = random.rand(8000, 12)
values = numpy.cos(5 * points[:, 0]) * points[:, 1] + points[:, 2] + 0.1 * random.randn(8000)


def lightgbm_trains():
    options = {"deterministic": True, "force_row_wise": True, "seed": 3, "verbose": -1}
    model = lightgbm.LGBMRegressor(n_estimators=30, num_leaves=15, **options).fit(points, values)
    print("lightgbm", repr(float(model.predict(points).sum())))


def xgboost_trains():
    model = xgboost.XGBRegressor(n_estimators=30, max_depth=5, tree_method="hist", seed=4)
    model.fit(points, values)
    print("xgboost", repr(float(model.predict(points).astype(float).sum())))
    exact = xgboost.XGBRegressor(n_estimators=5, max_depth=4, tree_method="exact", seed=4)
    exact.fit(points, values)
    print("xgboost exact", repr(float(exact.predict(points).astype(float).sum())))


def kmeans_trains():
    model = KMeans(n_clusters=6, n_init=1, random_state=0).fit(points)
    print("kmeans", repr(float(model.inertia_)), model.n_iter_)


def all_train():
    lightgbm_trains()
    xgboost_trains()
    kmeans_trains()
    sys.stdout.flush()


all_train()
if "fork" in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        all_train()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status != 0:
        sys.exit(f"the child ended with {os.waitstatus_to_exitcode(status)}")
else:
    all_train()
print_runtimes()
