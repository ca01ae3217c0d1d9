// Sharpens an image and counts its grey values.
//
// The lens was sharp on top and blurred below, so that the filter looks at more neighbours the
// lower a row lies. README.md makes the program faster in steps: STEP is how many are done.
//
// What `oxomp profile` advises first, by STEP:
//#Says[0]:critical
//#Says[0]:copy
//#Says[1]:schedule(dynamic
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef STEP
#define STEP 0
#endif

namespace {

constexpr int GREYS = 64;

class Image {
public:
    Image(int width, int height) : width_(width), height_(height), pixels_(width * height) {}

    int width() const { return width_; }
    int height() const { return height_; }
    float &at(int x, int y) { return pixels_[y * width_ + x]; }
    float at(int x, int y) const { return pixels_[y * width_ + x]; }

private:
    int width_, height_;
    std::vector<float> pixels_;
};

Image photograph(int width, int height)
{
    Image image(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image.at(x, y) = static_cast<float>((x * 31 + y * 17) % 256);
    return image;
}

// The mean of the pixels around one, without it.
float surroundings(const Image &image, int x, int y, int radius)
{
    float sum = 0;
    int count = 0;
    const int top = std::max(0, y - radius), bottom = std::min(image.height() - 1, y + radius);
    const int left = std::max(0, x - radius), right = std::min(image.width() - 1, x + radius);
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++) {
            sum += image.at(column, row);
            count++;
        }
    return (sum - image.at(x, y)) / static_cast<float>(count - 1);
}

void sharpen(const Image &from, Image &to)
{
#if STEP >= 2
#pragma omp parallel for schedule(dynamic, 2)
#else
#pragma omp parallel for
#endif
    for (int y = 0; y < from.height(); y++) {
        const int radius = 1 + 6 * y / from.height();
        for (int x = 0; x < from.width(); x++)
            to.at(x, y) = 2 * from.at(x, y) - surroundings(from, x, y, radius);
    }
}

void count(const Image &image, std::vector<int> &histogram)
{
    int *greys = histogram.data();
#if STEP >= 1
#pragma omp parallel for reduction(+ : greys[:GREYS])
#else
#pragma omp parallel for
#endif
    for (int y = 0; y < image.height(); y++)
        for (int x = 0; x < image.width(); x++) {
            const int grey = std::clamp(static_cast<int>(image.at(x, y)) / 4, 0, GREYS - 1);
#if STEP < 1
#pragma omp critical
#endif
            greys[grey]++;
        }
}

} // namespace

int main(int argc, char **argv)
{
    const int images = argc > 1 ? std::atoi(argv[1]) : 12;
    std::vector<int> histogram(GREYS);
    Image from = photograph(480, 360), to = from;
    for (int image = 0; image < images; image++) {
        sharpen(from, to);
        count(to, histogram);
        std::swap(from, to);
    }
    std::printf("darkest %d, brightest %d\n", histogram.front(), histogram.back());
    return 0;
}
