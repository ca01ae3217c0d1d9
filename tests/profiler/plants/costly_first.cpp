// The upper triangle of a matrix in a method of a class: the first rows are the long ones.
//#Says[clang]:the first quarter of the iterations takes
//#Says[gcc]:schedule(dynamic
//#Says[clang]:schedule(dynamic|schedule(static,
//#Advises[clang]:schedule(
//#Repair:schedule(static,1)
#include <vector>

#include "burn.h"

class Triangle {
public:
    explicit Triangle(int size) : rows_(size, 0.0) {}

    void sweep()
    {
        const int size = static_cast<int>(rows_.size());
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) schedule(static, 1)
#else
#pragma omp parallel for num_threads(2) // PLANT
#endif
        for (int row = 0; row < size; row++)
            for (int column = row; column < size; column++)
                rows_[row] += burn(column, 150);
    }

    double corner() const { return rows_.front(); }

private:
    std::vector<double> rows_;
};

int main()
{
    Triangle triangle(600);
    for (int step = 0; step < 4; step++)
        triangle.sweep();
    return triangle.corner() > 0 ? 0 : 1;
}
