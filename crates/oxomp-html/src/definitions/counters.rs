//! The numbers of counters, which only a page with counters has.

/// Id, name, definition.
pub(super) const OF_COUNTERS: [(&str, &str, &str); 6] = [
    (
        "ipc",
        "IPC",
        "Instructions per cycle of the processor, in user code: of the intervals between two readings in which the thread did nothing else, if there are at least eight of them.",
    ),
    (
        "cache-misses",
        "misses",
        "cache-misses divided by cache-references: of the last cache on Intel's processors, of the second level on AMD's.",
    ),
    (
        "memory-rate",
        "memory",
        "64 bytes for each cache line that came from memory (memory-lines), all threads together, in a second of the time in which the region ran. A lower bound: what is written back is not counted, nor on some processors what was fetched ahead.",
    ),
    (
        "memory-limit",
        "of limit",
        "The same as a part of what as many threads as the program may use processors fetch in a loop that does nothing else, measured before the run. From 70 % on a region is said to be bound by the bandwidth of memory.",
    ),
    (
        "remote-lines",
        "remote",
        "The part of these lines that came from memory of another NUMA node.",
    ),
    (
        "mixed",
        "mixed",
        "The part of the processor time in intervals between two readings in which the thread changed its region, its activity or passed a barrier: a part of what was counted in those belongs to what the thread did before.",
    ),
];
