/* Each pixel of an image becomes a little brighter. The threads fetch one pixel at a time, which
   takes longer than to change it. */
#include <stdio.h>

#define PIXELS 1000000
#define PASSES 10

static float image[PIXELS];

static void brighten(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < PIXELS; i++)
        image[i] = image[i] * 0.9f + 0.1f;
}

int main(void)
{
    for (int pass = 0; pass < PASSES; pass++)
        brighten();
    printf("brightness %.4f\n", image[PIXELS / 2]);
    return 0;
}
