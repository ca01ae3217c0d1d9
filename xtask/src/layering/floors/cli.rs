//! The floors of `oxomp`, the command line: commands stand on what finds programs and recordings.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/cli.rs", include_str!("cli.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 13] = [
    Floor {
        name: "parts",
        what: "the names of an installation's parts; times as users write them",
        rooms: &["duration", "part"],
    },
    Floor { name: "conditions", what: "what a command waits for", rooms: &["trigger"] },
    Floor {
        name: "plain",
        what: "messages, what a command is asked for, the terminal and signals",
        rooms: &[
            "alive",
            "file_size",
            "messages",
            "new_file",
            "props",
            "repetitions",
            "signals",
            "terminal",
        ],
    },
    Floor { name: "failure", what: "why a command ends", rooms: &["failure"] },
    Floor {
        name: "surroundings",
        what: "files, folders, variables and standard output",
        rooms: &[
            "data_folder",
            "elf",
            "locate",
            "names",
            "output",
            "progress",
            "readers",
            "scale/folder",
            "variables",
        ],
    },
    Floor {
        name: "subjects",
        what: "a program, a document, a folder without a recording, the runtime's files",
        rooms: &["document", "no_recording", "ours", "program"],
    },
    Floor {
        name: "choices",
        what: "the runtime that a program gets, and how it is launched; how a recording is read",
        rooms: &["launch", "recordings", "runtime_choice"],
    },
    Floor {
        name: "circumstances",
        what: "tools, explanations, what a running program has loaded and does, the collector in it",
        rooms: &[
            "attach",
            "bandwidth",
            "flight",
            "live",
            "mpi_calls",
            "slicing",
            "user_tools",
            "verbose",
            "watch",
        ],
    },
    Floor {
        name: "runs",
        what: "all recordings of a run, and runs to compare",
        rooms: &["process_profiles", "runs"],
    },
    Floor {
        name: "summaries",
        what: "what a job's ranks and a repetition print",
        rooms: &["median_run", "ranks"],
    },
    Floor {
        name: "profile",
        what: "the command that records, for others too",
        rooms: &["profile"],
    },
    Floor {
        name: "commands",
        what: "one room each; none knows another",
        rooms: &["advise", "debug", "diff", "doctor", "paths", "report", "run", "scale", "top"],
    },
    Floor { name: "command line", what: "arguments to plain data", rooms: &["cli"] },
];
