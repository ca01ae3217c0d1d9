//! The floors of `oxomp-target`. A call goes down: a construct makes a guard, the guard tells an
//! event, its encoder calls the tool. So what is told and who is told stand below the constructs.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/target.rs", include_str!("target.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 14] = [
    Floor {
        name: "process",
        what: "locks and threads, the loader, lines on stderr, the end of the process",
        rooms: &["sync", "loader", "report", "ending"],
    },
    Floor {
        name: "callers",
        what: "what the host runtime, the user and compilers hand in",
        rooms: &[
            "host_runtime",
            "tool/host",
            "settings",
            "call_site",
            "map_type",
            "entry",
            "components",
        ],
    },
    Floor {
        name: "interfaces",
        what: "what a plug-in implements; where a construct stands in the program",
        rooms: &["plugin", "location"],
    },
    Floor {
        name: "parts",
        what: "list items, libraries; the mapping table of a device, and its trace",
        rooms: &["item", "library", "mapping", "trace"],
    },
    Floor {
        name: "devices",
        what: "the state of a device; why a construct fails",
        rooms: &["device", "report/mistake"],
    },
    Floor {
        name: "events",
        what: "what tools and the user are told",
        rooms: &["tool/event", "info"],
    },
    Floor { name: "tools", what: "who is told, and how", rooms: &["tool"] },
    Floor { name: "guards", what: "by what constructs tell tools", rooms: &["tool/guard"] },
    Floor { name: "transfers", what: "one transfer, and who is told", rooms: &["transfer"] },
    Floor { name: "programs", what: "how a device loads libraries", rooms: &["device/load"] },
    Floor { name: "runtime", what: "plug-ins, devices, libraries, policy", rooms: &["offload"] },
    Floor {
        name: "outcomes",
        what: "what constructs and routines share: failure, and copies between memories",
        rooms: &["policy", "copy"],
    },
    Floor {
        name: "constructs",
        what: "constructs, and the routines for devices",
        rooms: &["construct", "associate", "deferred", "interop", "memory"],
    },
    Floor { name: "fork", what: "fork(2): calls everything below", rooms: &["fork"] },
];
