"""Trains scikit-learn's histogram gradient boosting and prints how well it predicts."""

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from mapped import print_runtimes

random = numpy.random.RandomState(1)
points = random.rand(12000, 10)
values = numpy.sin(6 * points[:, 0]) + points[:, 1] * points[:, 2] + 0.1 * random.randn(12000)

regressor = HistGradientBoostingRegressor(max_iter=25, random_state=0).fit(points, values)
predicted = regressor.predict(points)
print("regressor", repr(float(regressor.score(points, values))), repr(float(predicted.sum())))

classes = (values > 0.5).astype(int) + (values > 1.0)
classifier = HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(points, classes)
print("classifier", *numpy.bincount(classifier.predict(points)))
print("probabilities", *(repr(float(p)) for p in classifier.predict_proba(points).mean(axis=0)))
print_runtimes()
