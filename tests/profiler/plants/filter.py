"""Filters an image with a library of C, and normalises it in a loop of Python in between."""
#//#Says:one thread runs Python between filter_library.c:13 and filter_library.c:13
#//#Repair:the library's normalisation, in parallel and in C
import ctypes
import os
import sys

library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
size = 400000
pixels = (ctypes.c_double * size)()

library.smooth(pixels, size)
for step in range(5):
    if os.environ.get("REPAIRED"):
        library.normalise(pixels, size)
    else:
        for i in range(size):
            pixels[i] = (pixels[i] - 0.5) * 0.25
    library.smooth(pixels, size)
sys.exit(0 if pixels[0] < 1e9 else 1)
