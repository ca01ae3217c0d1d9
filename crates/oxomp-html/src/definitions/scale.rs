//! The numbers on the page of several numbers of threads.

/// Id, name, definition.
pub(crate) const NUMBERS: [(&str, &str, &str); 9] = [
    (
        "scale-wall",
        "wall",
        "Time on the clock on the wall from the start of the process to the end of the recording, without pauses; of several runs the median.",
    ),
    (
        "scale-spread",
        "spread",
        "The longest run with the number of threads minus the shortest, divided by the median.",
    ),
    (
        "scale-speedup",
        "speed-up",
        "How many times as fast as with the fewest threads, by the medians.",
    ),
    (
        "scale-ideal",
        "ideal",
        "How many times as many processors the threads have: more threads than processors make nothing faster.",
    ),
    (
        "scale-amdahl",
        "Amdahl",
        "The speed-up by Amdahl's law if only the serial part, as it was measured with the fewest threads, did not become faster.",
    ),
    ("scale-efficiency", "efficiency", "Speed-up divided by the ideal."),
    (
        "scale-serial",
        "serial",
        "Wall time in no parallel region, of the median run: measured from the recording, not fitted.",
    ),
    (
        "scale-lost",
        "lost",
        "Wall time beyond that of the fewest threads divided by the ideal speed-up, of the median run. The causes sum to it; less than 0 is a gain.",
    ),
    (
        "scale-stops",
        "stops at",
        "The first number of threads at which the region, from the number before, gains less than half of what the added threads could give, beyond the noise as far as the runs tell it.",
    ),
];
