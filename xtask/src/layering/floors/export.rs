//! The floors of `oxomp-export`: formats stand on the timeline, and know no other format.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/export.rs", include_str!("export.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 3] = [
    Floor {
        name: "pieces",
        what: "what each thread did when; the bytes of a message",
        rooms: &["message", "timeline"],
    },
    Floor { name: "stacks", what: "the samples of a part of a run", rooms: &["stacks"] },
    Floor {
        name: "formats",
        what: "one file or folder each; none knows another",
        rooms: &[
            "chrome",
            "collapsed",
            "csv",
            "firefox",
            "json",
            "otf2",
            "perfetto",
            "pprof",
            "speedscope",
        ],
    },
];
