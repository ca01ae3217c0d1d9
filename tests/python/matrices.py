"""numpy's linear algebra, on whatever BLAS and LAPACK the loader finds."""

import numpy

from mapped import print_runtimes

random = numpy.random.RandomState(5)
left, right = random.rand(700, 500), random.rand(500, 600)
square = random.rand(500, 500) + 40 * numpy.eye(500)

for _ in range(5):
    product = left @ right
    print("product", repr(float(product.sum())), repr(float(product[699, 599])))
solution = numpy.linalg.solve(square, left.T[:500])
print("solve", repr(float(numpy.abs(solution).sum())))
print("cholesky", repr(float(numpy.linalg.cholesky(square @ square.T).trace())))
print("singular", repr(float(numpy.linalg.svd(square, compute_uv=False).sum())))
print_runtimes()
