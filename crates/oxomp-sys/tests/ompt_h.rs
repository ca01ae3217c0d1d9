//! `include/ompt.h` against the list of all names of the 2015 report, in C and C++, by gcc and
//! clang; and the list against the types and constants of `report_2015`.

use std::collections::BTreeSet;
use std::fs;

use oxomp_prerequisites::Program;

mod c_header;
mod report_2015_lines;

use c_header::{
    Callback, Folder, Line, OURS, compile, lines, program, run, unlisted, write_callbacks,
};
use report_2015_lines::{constants, types};

const HEADER: &str = "ompt.h";
const NAMES: &str = include_str!("ompt_h_names.txt");

macro_rules! define_callbacks {
    ($(
        $(#[$doc:meta])*
        $callback:ident($($argument:ident: $type:ty),* $(,)?) {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callbacks of the table of the report's events.
        const CALLBACKS: &[Callback] = &[$(Callback {
            name: stringify!($callback),
            arguments: &[$((stringify!($argument), stringify!($type))),*],
            answer: None,
            events: &[$((concat!("ompt_event_", stringify!($name)), stringify!($code))),*],
        }),*];
    };
}

oxomp_sys::for_each_callback_2015!(define_callbacks);

const LANGUAGES: [(Program, &str); 14] = [
    (Program::Gcc, "-std=c89"),
    (Program::Gcc, "-std=c99"),
    (Program::Gcc, "-std=c11"),
    (Program::Gcc, "-std=c17"),
    (Program::Clang, "-std=c89"),
    (Program::Clang, "-std=c99"),
    (Program::Clang, "-std=c11"),
    (Program::Clang, "-std=c17"),
    (Program::Gxx, "-std=c++98"),
    (Program::Gxx, "-std=c++11"),
    (Program::Gxx, "-std=c++20"),
    (Program::Clangxx, "-std=c++98"),
    (Program::Clangxx, "-std=c++11"),
    (Program::Clangxx, "-std=c++20"),
];

#[test]
fn the_header_has_every_name() {
    let folder = Folder::new("ompt-h");
    let lines = lines(NAMES);
    let all: Vec<_> = lines.iter().collect();
    for language in LANGUAGES {
        let said = run(&folder.0, language, &program(HEADER, &all), &[OURS]);
        assert_eq!(said, format!("{}\n", all.len()), "{language:?}");
    }
}

#[test]
fn a_tool_with_every_callback_and_entry_point_compiles() {
    let folder = Folder::new("ompt-h-tool");
    write_callbacks(&folder.0, CALLBACKS);
    for language in LANGUAGES {
        let said = run(&folder.0, language, include_str!("every_type_2015.c"), &[OURS]);
        assert_eq!(said, "69 callbacks, 31 entry points, version 2\n", "{language:?}");
    }
}

#[test]
fn a_wrong_line_would_be_found() {
    let folder = Folder::new("ompt-h-wrong");
    let lines: Vec<_> = ["constant ompt_state_idle 256", "type ompt_frame_t 24"]
        .map(|line| -> Line { line.split(' ').collect() })
        .into();
    let all: Vec<_> = lines.iter().collect();
    let said = run(&folder.0, (Program::Gcc, "-std=c89"), &program(HEADER, &all), &[OURS]);
    assert_eq!(said, "constant ompt_state_idle 256: 16\ntype ompt_frame_t 24: 16\n2\n");
}

/// Every name of the header is in the list, and nothing is there twice.
#[test]
fn the_list_has_every_name_of_the_header() {
    // An argument of the initializer.
    assert_eq!(unlisted(HEADER, &lines(NAMES)), ["ompt_version"]);
}

#[test]
fn one_file_cannot_include_both_headers_of_tools() {
    let folder = Folder::new("ompt-h-both");
    let own =
        "#include <omp.h>\n#include <ompt.h>\n#include <ompt.h>\nint main(void)\n{ return 0; }\n";
    for language in LANGUAGES {
        assert_eq!(run(&folder.0, language, own, &[OURS]), "", "{language:?}");
        for [first, second] in [["ompt.h", "omp-tools.h"], ["omp-tools.h", "ompt.h"]] {
            let source = format!("#include <{first}>\n#include <{second}>\nint main(void);\n");
            let output = compile(&folder.0, language, &source, &[OURS]);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{language:?} {first} {second}");
            assert!(said.contains("share names: a file may include one of them"), "{said}");
            // The message alone: no redefinition follows it.
            assert_eq!(said.matches("error:").count(), 1, "{said}");
        }
    }
}

/// The comment behind each event of the header names the type of its callback.
#[test]
fn the_header_gives_each_event_the_callback_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include/ompt.h");
    let header = fs::read_to_string(path).expect("the header is there");
    for Callback { name: callback, events, .. } in CALLBACKS {
        for (name, code) in *events {
            let line = [",", ""]
                .map(|comma| format!("    {name} = {code}{comma} /* {callback} */\n"))
                .iter()
                .any(|line| header.contains(line));
            assert!(line, "{name} = {code} /* {callback} */");
        }
    }
}

/// The lines of one of the sets only.
fn differences(kinds: &[&str], ours: &BTreeSet<String>) -> Vec<String> {
    let listed: BTreeSet<_> = lines(NAMES)
        .iter()
        .filter(|line| kinds.contains(&line[0]))
        .map(|line| line.join(" "))
        .collect();
    assert!(listed.len() > 100, "{kinds:?}");
    listed.symmetric_difference(ours).cloned().collect()
}

#[test]
fn the_constants_of_this_crate_are_those_of_the_list() {
    let none: [&str; 0] = [];
    assert_eq!(differences(&["constant"], &constants()), none);
}

#[test]
fn the_types_of_this_crate_are_those_of_the_list() {
    // Rust's `c_void` has a size.
    let opaque = ["type ompt_target_buffer_t 0", "type ompt_target_device_t 0"];
    assert_eq!(differences(&["type", "member"], &types()), opaque);
}
