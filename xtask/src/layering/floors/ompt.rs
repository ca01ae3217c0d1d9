//! The floors of `ompt`, the SDK: what events show, the tool, and what a runtime calls.

use super::{Allowed, Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/ompt.rs", include_str!("ompt.rs")),
    floors: &FLOORS,
    pairs: &PAIRS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 12] = [
    Floor {
        name: "words",
        what: "the words, numbers and addresses of both interfaces, and how events are read",
        rooms: &[
            "answers",
            "data_word",
            "event/arguments",
            "event/read",
            "event_sets",
            "frame",
            "kind",
            "owner",
            "raw",
            "runtime",
            "thread_number",
        ],
    },
    Floor {
        name: "names",
        what: "events and objects by name, and what C's arguments point to; times, buffers and \
               errors of traces",
        rooms: &[
            "data/id",
            "event/argument",
            "event_set",
            "trace/error",
            "trace/settings",
            "trace/time",
        ],
    },
    Floor {
        name: "devices",
        what: "what the handles of devices have in common, and a runtime's answers about events",
        rooms: &["device", "registration"],
    },
    Floor {
        name: "models",
        what: "how events show objects; the whole of the 2015 report, which knows nothing above",
        rooms: &["data/live", "data/model", "event/quiet", "report_2015", "trace/functions"],
    },
    Floor { name: "gate", what: "the state of a tool's slot, without its type", rooms: &["gate"] },
    Floor {
        name: "runtime",
        what: "what a tool may ask a runtime and its devices",
        rooms: &["entry_points", "trace"],
    },
    Floor {
        name: "arguments",
        what: "the arguments of events",
        rooms: &["event/host", "event/target"],
    },
    Floor { name: "hooks", what: "what a model does where objects begin", rooms: &["data/hooks"] },
    Floor { name: "tool", what: "the trait, with a method per event", rooms: &["tool"] },
    Floor {
        name: "types",
        what: "what a tool's type brings: its data, and its slot",
        rooms: &["data", "slot"],
    },
    Floor {
        name: "callbacks",
        what: "what a runtime calls for a tool's type",
        rooms: &["event", "trace/callback"],
    },
    Floor {
        name: "start",
        what: "the exported symbol, and what is registered",
        rooms: &["register", "start"],
    },
];

/// Neighbours on a floor: the first room may use the second.
const PAIRS: [Allowed; 2] = [
    ("event", "trace/callback", "a device that begins gets the tool's functions for buffers"),
    ("start", "register", "the start of a tool registers its events"),
];
