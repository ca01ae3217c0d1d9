//! The floors of `oxomp-analysis`: events, model, classes, sums, summary, words.

use super::{Allowed, Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/analysis.rs", include_str!("analysis.rs")),
    floors: &FLOORS,
    pairs: &PAIRS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 18] = [
    Floor {
        name: "numbers",
        what: "the profile's numbers: plain data; the processor that a recording names",
        rooms: &["summary", "processor"],
    },
    Floor {
        name: "model",
        what: "the threads' time in segments; sums that cannot overflow",
        rooms: &["model", "sums"],
    },
    Floor {
        name: "events",
        what: "from events to the model, and what one pass over the model finds",
        rooms: &["normalise", "constructs", "directives", "blame", "tasks/course"],
    },
    Floor {
        name: "classes",
        what: "the class of each time, and the code of each sample",
        rooms: &["resolve", "calls"],
    },
    Floor {
        name: "causes",
        what: "what could be won, and what threads waited for",
        rooms: &["gains", "serial_wait", "scheduler", "tasks", "offload"],
    },
    Floor {
        name: "sums",
        what: "what threads added up themselves, merged with what their events tell",
        rooms: &["folded", "loops", "stretches", "whole"],
    },
    Floor { name: "summary", what: "the numbers from all of these", rooms: &["summarize"] },
    Floor {
        name: "analysis",
        what: "one recording, and a part of one",
        rooms: &["analysis", "live"],
    },
    Floor { name: "job", what: "several recordings of one run", rooms: &["ranks"] },
    Floor {
        name: "words",
        what: "names, units and tables",
        rooms: &["report/names", "report/table", "report/units"],
    },
    Floor {
        name: "phrases",
        what: "parts of sentences: shares, distances, directives; what the command knows besides",
        rooms: &[
            "report/directives",
            "report/distances",
            "report/notes",
            "report/recording",
            "report/sampled_share",
            "report/scope",
        ],
    },
    Floor {
        name: "facts",
        what: "what verdict and advice both name",
        rooms: &["report/memory_waits", "report/spare_threads", "report/tasks/late_events"],
    },
    Floor { name: "verdict", what: "the largest loss in one sentence", rooms: &["verdict"] },
    Floor {
        name: "certainty",
        what: "how certain a gain is, and what it is called",
        rooms: &["report/certainty"],
    },
    Floor {
        name: "subjects",
        what: "a subject each: its part of the text, and the remedy for it",
        rooms: &[
            "report/atomics",
            "report/blocked",
            "report/budget",
            "report/calls",
            "report/counters",
            "report/iterations",
            "report/loops",
            "report/memory",
            "report/mpi",
            "report/offload",
            "report/phases",
            "report/quality",
            "report/regions",
            "report/scheduler",
            "report/slices",
            "report/shared_lines",
            "report/spins",
            "report/tasks",
            "report/waits",
        ],
    },
    Floor {
        name: "composed",
        what: "subjects that name another one",
        rooms: &["report/header", "report/resend", "report/serial", "report/smaller_team"],
    },
    Floor {
        name: "advice",
        what: "what to try first; several recordings side by side; a run under way",
        rooms: &["report/advice", "report/live", "report/ranks"],
    },
    Floor { name: "report", what: "the text of one recording", rooms: &["report"] },
];

/// Neighbours on a floor: the first room may use the second.
const PAIRS: [Allowed; 1] = [("stretches", "folded", "threads add up their serial code, too")];
