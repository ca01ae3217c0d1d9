// The name of an image, as the loader tells it, leads other processes to the image: debuggers and profilers
// open it. It is so while the image is loaded.
//#StockFails:it leaves its files behind
#define _GNU_SOURCE
#include "check.h"
#include "child.h"
#include <fcntl.h>
#include <link.h>
#include <string.h>

static char image[4096];

static int look(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (strncmp(object->dlpi_name, "/proc/", 6) == 0)
        strncpy(image, object->dlpi_name, sizeof image - 1);
    return 0;
}

int main(void)
{
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    dl_iterate_phdr(look, NULL);
    CHECK(image[0] != 0);
    pid_t child = fork();
    if (child == 0) {
        // Its own files are others.
        for (int file = 3; file < 1024; file++)
            close(file);
        char magic[4] = {0};
        int file = open(image, O_RDONLY);
        _exit(file >= 0 && read(file, magic, 4) == 4 && memcmp(magic, "\177ELF", 4) == 0 ? 0 : 1);
    }
    must_succeed(child);
    // The program's next file has a small number.
    int next = open("/dev/null", O_RDONLY);
    CHECK(next >= 0 && next < 40);
    return check_result();
}
