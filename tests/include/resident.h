// KiB of the program that are in memory.
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stdio.h>

static long resident(void)
{
    char line[256];
    long size = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        sscanf(line, "VmRSS: %ld", &size);
    fclose(status);
    return size;
}

#endif
