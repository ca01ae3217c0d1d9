//! What each number means: a list at the end of the page, to which every heading leads.

use maud::{Markup, html};

use crate::chart::swatch;
use crate::kinds::Kind;
use counters::OF_COUNTERS;
use scale::NUMBERS;

mod counters;
pub(crate) mod scale;

/// Id, name, definition.
const METRICS: [(&str, &str, &str); 39] = [
    (
        "wall",
        "wall",
        "Time on the clock on the wall: of the run from the process's start to the end of the recording; of a region from parallel_begin to parallel_end, all calls together.",
    ),
    (
        "serialwait",
        "waiting",
        "The part of a serial stretch in which its thread neither computed nor lacked a processor: it waited for input, a child or another thread. Before the recording, a lower bound: what the other stretches leave no room for.",
    ),
    ("cpu", "CPU time", "Processor time of the process, all its threads, from the system."),
    (
        "accounted",
        "accounted",
        "The sum of the classes divided by the lifetimes of all threads: 100 % when every nanosecond has its class.",
    ),
    (
        "efficiency",
        "parallel efficiency",
        "Mean over the threads of their useful time, serial work included, divided by the recorded time. 1.00: every thread worked all the time.",
    ),
    (
        "concurrency",
        "average concurrency",
        "Useful time of all threads divided by the recorded time: how many threads worked on average.",
    ),
    ("calls", "calls", "How often a thread began the construct."),
    (
        "lb",
        "load balance",
        "What the threads of the team computed on average divided by what the busiest one did, summed over all calls. 1.00 is perfect. A thread that is blocked or lacks a processor computes nothing.",
    ),
    (
        "gain",
        "gain ≤, lost",
        "The lost time of all threads of the team divided by their number. If every thread had a processor it is called gain ≤: an upper bound of the wall time that a change wins which takes waiting away and no work; to win all of it is rarely possible. Else it is only what was lost: threads also waited for others that had no processor.",
    ),
    ("mostly", "mostly", "The class that has the largest part of the gain."),
    ("chunks", "chunks", "Parts of a loop's iterations that the runtime handed out one by one."),
    (
        "quarters",
        "cost by quarter",
        "The time of the chunks in each quarter of the iterations: costly first, costly last, or even. From a sample where chunks are short.",
    ),
    (
        "task-time",
        "time of a task",
        "Time in which a thread executed the task, without the tasks for which it waited.",
    ),
    (
        "between",
        "between two",
        "Mean time that passes between two tasks of a thread that has a task to execute: creation, scheduling, the runtime.",
    ),
    (
        "waited-for",
        "waited for",
        "Time of all threads in taskwait, or in barriers with no task ready, in which tasks of the construct ran; where several ran, each has an equal part. Only of recorded events.",
    ),
    (
        "creating",
        "creating one",
        "Mean time from the creation of a task to that of the next one by the same thread: a bound, for what the program does in between is in it.",
    ),
    (
        "tenths",
        "tasks at a time",
        "How many tasks of the region ran at the same time, on average, in each tenth of the time from the first task's begin to the last one's end, all calls together.",
    ),
    (
        "undeferred",
        "undeferred",
        "Tasks that the thread which creates them executes at once: those of if(false), and inside final ones.",
    ),
    (
        "detached",
        "detached",
        "Tasks whose code was over before their event (detach) was fulfilled: until then they had not completed.",
    ),
    ("stolen", "stolen", "Tasks that began on another thread than the one that created them."),
    ("depth", "depth", "The deepest task: children of implicit tasks have depth 1."),
    (
        "chain",
        "longest chain",
        "The longest path through the tasks' graph, by creation, dependences and waiting for children: no number of threads is faster. Work divided by it says how many threads the tasks can keep busy.",
    ),
    ("passes", "passes", "How often a thread passed the barrier."),
    (
        "wait",
        "wait",
        "Sum over all threads of the time from asking to being let through; tasks executed meanwhile are not in it.",
    ),
    (
        "lock-wait",
        "wait",
        "Sum over all threads of the time from asking for the lock to having it, and of the time for which they spin on tests of it that fail (omp_test_lock) and can do nothing else.",
    ),
    (
        "unreached-waiting",
        "waiting",
        "Threads that waited at the barrier when the recording ended.",
    ),
    (
        "unreached-ended",
        "ended",
        "Threads of the team that had ended in the region: they never come.",
    ),
    ("contended", "contended", "Acquisitions during whose wait another thread held the lock."),
    (
        "held",
        "meanwhile held by",
        "The places at which the holders had acquired the lock, by the part of the waits that fell into their holds.",
    ),
    (
        "handoff",
        "hand-off",
        "The part of the waits in which no thread held the lock: the release on its way to the next thread, and the call itself.",
    ),
    (
        "own",
        "own samples",
        "Samples whose innermost frame is the function, or lies on the line. What a library of the system does for a function is apart: function: what it called.",
    ),
    (
        "of-lines",
        "of region, shared lines",
        "The part of the region's samples that are at code which uses the cache lines, or directly behind it. A cache line is the 64 bytes of memory that processors move at once: a thread that uses one waits if another processor has written to it since, also to other bytes of it (false sharing).",
    ),
    (
        "of-atomics",
        "of region, atomic updates",
        "The part of the region's samples that are at the atomic update, or directly behind it: one instruction that reads, changes and writes a variable, so that threads which update the same one take turns.",
    ),
    (
        "of-spins",
        "of region, waiting loops",
        "The part of the region's samples that are in the loop, which only reads memory until another thread changes it.",
    ),
    (
        "threads-work",
        "threads work",
        "The part of the threads' time while the phase was under way that is useful and serial work; all threads that OpenMP knew then count, idle ones, too.",
    ),
    ("total", "total samples", "Samples in the function and in all that it called."),
    (
        "mpi",
        "MPI",
        "On a page of several processes: the part of the first thread's time outside of regions that its samples give to MPI's functions. Samples are taken by processor time, so it is too small where MPI waits without a processor.",
    ),
    (
        "mpi-waiting",
        "waiting for other ranks",
        "On a page of several processes: the part of the time in MPI's calls, all processes together, before the rank that was late began its own call: to send the message, to receive one too long to be sent before, or to take part in the collective operation.",
    ),
    (
        "computing",
        "computing",
        "On a page of several processes: the first thread's time in regions, waits for its own threads included, and outside of them without MPI; not time for which a processor was missing.",
    ),
];

/// Id, name, definition of the numbers on devices, which only a page with devices has.
const OF_DEVICES: [(&str, &str, &str); 8] = [
    (
        "target-time",
        "time of a construct",
        "From the construct's begin to its end on the thread that executed its host part: the one that encountered it, or one of the runtime's for a deferred construct.",
    ),
    (
        "kernels",
        "kernels",
        "The part of the construct's time in which its thread waited for kernels, with what it takes to start them.",
    ),
    (
        "transfer",
        "transfers",
        "The part of the construct's time in which its thread waited for data to be copied to the device, or from it.",
    ),
    (
        "target-other",
        "other",
        "The rest of the construct's time: allocating and freeing memory on the device, and the runtime itself.",
    ),
    (
        "host-works",
        "host works",
        "The part of the recorded time of the construct in which at least one thread of the host executed code of the program. Threads that execute a kernel, where the host is the device, do not count.",
    ),
    (
        "bandwidth",
        "bandwidth",
        "Bytes divided by the time of the transfers, without those of at most 64 KiB: starting these takes most of their time.",
    ),
    ("small", "≤ 64 KiB", "Transfers of at most 64 KiB, and the mean time of one."),
    (
        "again",
        "copied again",
        "Transfers of data, by host address and size, that were on the device already, or that went back to it later. With the time in which memory on the device was freed and allocated for them. An upper bound of what keeping the data there wins.",
    ),
];

/// Name and definition with `id`: of a number, or of a class of time.
fn definition(id: &str) -> Option<(&'static str, &'static str)> {
    let mut metrics = METRICS.iter().chain(&OF_DEVICES).chain(&OF_COUNTERS).chain(&NUMBERS);
    let metric = metrics.find(|metric| metric.0 == id).map(|metric| (metric.1, metric.2));
    metric.or_else(|| {
        let kind = Kind::ORDER.into_iter().find(|kind| kind.colour() == id)?;
        Some((kind.name(), kind.definition()))
    })
}

/// `words`, which explain themselves under a pointer and lead to the definition with `id`.
pub(crate) fn term(id: &str, words: &str) -> Markup {
    let text = definition(id).map_or("", |(_, text)| text);
    html! { a.def href={ "#d-" (id) } title=(text) { (words) } }
}

/// The definitions with `ids`, each once, for the place below the text with these terms: closed on
/// a screen, open on paper. Empty without ids.
pub(crate) fn terms<'a>(ids: impl Iterator<Item = &'a str>) -> Markup {
    let mut known: Vec<(&str, &str)> = Vec::new();
    for found in ids.filter_map(definition) {
        if !known.contains(&found) {
            known.push(found);
        }
    }
    html! {
        @if !known.is_empty() {
            details.terms {
                summary { "What the columns mean" }
                dl { @for (name, text) in known { div { dt { (name) } dd { (text) } } } }
            }
        }
    }
}

/// The section; `devices` and `counters` say whether the page has numbers on them.
pub(crate) fn section(devices: bool, counters: bool) -> Markup {
    let of_devices: &[_] = if devices { &OF_DEVICES } else { &[] };
    let of_counters: &[_] = if counters { &OF_COUNTERS } else { &[] };
    html! {
        section #definitions aria-labelledby="definitions-title" {
            h2 #definitions-title { "Definitions" }
            h3 { "Classes of time" }
            dl.definitions {
                @for kind in Kind::ORDER {
                    div id={ "d-" (kind.colour()) } {
                        dt { (swatch(kind)) (kind.name()) }
                        dd { (kind.definition()) }
                    }
                }
            }
            h3 { "Numbers" }
            dl.definitions {
                @for (id, name, definition) in METRICS.iter().chain(of_devices).chain(of_counters) {
                    div id={ "d-" (id) } { dt { (name) } dd { (definition) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{METRICS, OF_COUNTERS, OF_DEVICES, term};
    use std::collections::BTreeSet;

    #[test]
    fn every_definition_has_a_name_of_its_own() {
        let all = METRICS.iter().chain(&OF_DEVICES).chain(&OF_COUNTERS);
        let ids: BTreeSet<&str> = all.clone().map(|metric| metric.0).collect();
        assert_eq!(ids.len(), all.count());
        let link = term("lb", "LB").into_string();
        assert!(link.contains("href=\"#d-lb\"") && link.contains("computed on average"), "{link}");
    }
}
