"""Bodies in a tree: the library sums their forces, and the script moves them.

README.md makes the program faster in steps: the variable STEP is how many are done. ROUNDS is how
often the bodies move.

What `oxomp profile` advises first, by STEP:
//#Says[0]:cut-off
//#Says[1]:one thread runs Python between bodies_library.c:36 and bodies_library.c:36
"""

import ctypes
import os
import sys

STEP = int(os.environ.get("STEP", "0"))
DEPTH = 17
BODIES = 1 << DEPTH
ROUNDS = int(os.environ.get("ROUNDS", "12"))

library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
library.forces.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
library.move.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
library.momentum.restype = ctypes.c_double
library.momentum.argtypes = [ctypes.c_void_p, ctypes.c_int]


def bodies():
    """Places that are a little apart."""
    return (ctypes.c_double * BODIES)(*(i * 0.001 for i in range(BODIES)))


def move(places, forces):
    """Moves each body by its force."""
    for i in range(BODIES):
        places[i] += 1e-6 * forces[i]


def main():
    """A few rounds of forces and movement."""
    places = bodies()
    forces = (ctypes.c_double * BODIES)()
    # Step 1: no tasks for the lower levels of the tree.
    cut_off = 6 if STEP >= 1 else DEPTH
    for _ in range(ROUNDS):
        library.forces(places, forces, BODIES, cut_off)
        # Step 2: the library moves the bodies, in parallel.
        if STEP >= 2:
            library.move(places, forces, BODIES)
        else:
            move(places, forces)
    print(f"momentum {library.momentum(places, BODIES):.3e}")


main()
