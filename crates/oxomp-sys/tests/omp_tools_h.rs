//! `include/omp-tools.h` against the table of events and the list of all other names of the
//! specification, in C and C++, by gcc and clang; and both against LLVM's header and against the
//! constants of this crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use oxomp_prerequisites::Program;

mod c_header;
mod constants;

use c_header::{
    Callback, Folder, Line, OURS, in_c, parameters, program, run, unlisted, write_callbacks,
};
use constants::all_constants;
use oxomp_sys::ompt::ompt_state_t;

const HEADER: &str = "omp-tools.h";

macro_rules! define_callbacks {
    ($(
        $(#[$doc:meta])*
        $callback:ident(
            $($role:ident $argument:ident: $type:ty),* $(,)? $(=> $answer:ty)?
        ) {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callbacks of the table of events.
        const CALLBACKS: &[Callback] = &[$(Callback {
            name: stringify!($callback),
            arguments: &[$((stringify!($argument), stringify!($type))),*],
            answer: [$(Some(stringify!($answer)),)? None][0],
            events: &[$((concat!("ompt_callback_", stringify!($name)), stringify!($code))),*],
        }),*];
    };
}

oxomp_sys::for_each_callback!(define_callbacks);

/// The lines of the list, and those that the table of events makes.
fn lines() -> Vec<Line> {
    let mut lines = c_header::lines(include_str!("omp_tools_names.txt"));
    for Callback { name, events, .. } in CALLBACKS {
        lines.push(vec!["type", name, "8"]);
        lines.extend(events.iter().map(|(event, code)| vec!["constant", event, code]));
    }
    lines
}

/// The words of LLVM's header, as its compiler reads it.
fn words_of_llvms_header() -> BTreeSet<String> {
    let folder = Folder::new("omp-tools-h-words");
    let source = folder.0.join("words.c");
    fs::write(&source, "#include <omp-tools.h>\n").expect("the folder is writable");
    let output = Program::Clang
        .command()
        .args(["-fopenmp", "-E"])
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("{} is needed for this test: {error}", Program::Clang));
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(|letter| !is_of_name(letter)).map(str::to_owned).collect()
}

const LANGUAGES: [(Program, &str); 8] = [
    (Program::Gcc, "-std=c99"),
    (Program::Gcc, "-std=c17"),
    (Program::Clang, "-std=c99"),
    (Program::Clang, "-std=c17"),
    (Program::Gxx, "-std=c++11"),
    (Program::Gxx, "-std=c++20"),
    (Program::Clangxx, "-std=c++11"),
    (Program::Clangxx, "-std=c++20"),
];

/// The names of 5.0 for an event and its callback, which the header has beside those of 5.1.
const FORMER: [(&str, &str); 2] = [
    ("ompt_callback_masked", "ompt_callback_master"),
    ("ompt_callback_masked_t", "ompt_callback_master_t"),
];

fn former(name: &str) -> Option<&'static str> {
    FORMER.iter().find(|(of, _)| *of == name).map(|(_, former)| *former)
}

/// The enumerators of `ompt_callbacks_t`.
fn enumerators() -> String {
    let mut events: Vec<_> = CALLBACKS.iter().flat_map(|callback| callback.events).collect();
    events.sort_by_key(|(_, code)| code.parse::<u32>().expect("a number"));
    let mut lines = Vec::new();
    for (event, code) in events {
        lines.push(format!("    {event} = {code}"));
        lines.extend(former(event).map(|former| format!("    {former} = {event}")));
    }
    lines.join(",\n") + "\n"
}

/// The types of the callbacks, with at most 100 columns.
fn types() -> String {
    let mut text = String::new();
    for callback @ Callback { name, answer, .. } in CALLBACKS {
        let answer = answer.map_or("void".into(), in_c);
        let mut line = format!("typedef {answer} (*{name})(");
        let mut indent = line.len();
        if indent > 50 {
            indent = 4;
            text += &line;
            line = format!("\n{:indent$}", "");
        }
        let parameters = parameters(callback).join(",\u{0} ") + ");";
        for (at, parameter) in parameters.split("\u{0} ").enumerate() {
            let blank = if at == 0 { "" } else { " " };
            if line.trim_start_matches('\n').len() + blank.len() + parameter.len() > 99 {
                text += &line;
                line = format!("\n{:indent$}{parameter}", "");
            } else {
                line += blank;
                line += parameter;
            }
        }
        text += &line;
        text.push('\n');
        text.extend(former(name).map(|former| format!("typedef {name} {former};\n")));
    }
    text
}

/// The text, with `new` between the first `begin` and the `end` behind it.
fn with_part(text: &str, [begin, end]: [&str; 2], new: &str) -> String {
    let (before, rest) = text.split_once(begin).expect("the part has a begin");
    let (_, after) = rest.split_once(end).expect("the part has an end");
    format!("{before}{begin}{new}{end}{after}")
}

/// `OXOMP_UPDATE_EXPECTED=1 cargo test -p oxomp-sys --test omp_tools_h` writes the header's events
/// and callbacks anew.
#[test]
fn the_header_has_the_events_and_callbacks_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include").join(HEADER);
    let present = fs::read_to_string(&path).expect("the header is there");
    let enumeration = ["typedef enum ompt_callbacks_t {\n", "} ompt_callbacks_t;"];
    let wanted = with_part(&present, enumeration, &enumerators());
    let callbacks = ["typedef void (*ompt_callback_t)(void);\n\n", "\n/* ---- Entry points"];
    let wanted = with_part(&wanted, callbacks, &types());
    if std::env::var_os("OXOMP_UPDATE_EXPECTED").is_some() {
        fs::write(path, &wanted).expect("the header can be written");
    } else if let Some((present, wanted)) =
        present.lines().zip(wanted.lines()).find(|(present, wanted)| present != wanted)
    {
        panic!("the header has `{present}`, and the table makes `{wanted}`");
    }
}

#[test]
fn the_header_has_every_name() {
    let folder = Folder::new("omp-tools-h");
    let lines = lines();
    let all: Vec<_> = lines.iter().collect();
    for language in LANGUAGES {
        let said = run(&folder.0, language, &program(HEADER, &all), &[OURS]);
        assert_eq!(said, format!("{}\n", all.len()), "{language:?}");
    }
}

#[test]
fn a_tool_with_every_callback_and_entry_point_compiles() {
    let folder = Folder::new("omp-tools-h-tool");
    write_callbacks(&folder.0, CALLBACKS);
    let events: usize = CALLBACKS.iter().map(|callback| callback.events.len()).sum();
    for language in LANGUAGES {
        let said = run(&folder.0, language, include_str!("every_type.c"), &[OURS]);
        assert_eq!(said, format!("{events} callbacks\n"), "{language:?}");
    }
}

/// gcc has no such header of its own. Of the events, LLVM's header may lack the newest ones.
#[test]
fn the_list_is_true_of_llvms_header() {
    let folder = Folder::new("omp-tools-h-llvm");
    let header = words_of_llvms_header();
    let has = |name: &&str| header.contains(*name);
    let of_table: Vec<_> = CALLBACKS.iter().flat_map(|callback| callback.events).collect();
    let number = |(_, code): &(&str, &str)| code.parse::<u32>().expect("a number");
    let newest = of_table.iter().filter(|event| has(&event.0)).map(|event| number(event)).max();
    let lacked = of_table.iter().filter(|event| !has(&event.0)).map(|event| number(event)).min();
    assert!(lacked.is_none_or(|lacked| Some(lacked) > newest), "{lacked:?} {newest:?}");
    let is_of_table = |name: &&str| {
        CALLBACKS.iter().any(|callback| callback.name == *name)
            || of_table.iter().any(|(event, _)| event == name)
    };
    let lines = lines();
    let known: Vec<_> = lines
        .iter()
        .filter(|line| line.last() != Some(&"-"))
        .filter(|line| !is_of_table(&line[1]) || has(&line[1]))
        .collect();
    // LLVM's header is not free of warnings.
    let flags = ["-fopenmp", "-Wno-error", "-w"];
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(HEADER, &known), &flags);
    assert_eq!(said, format!("{}\n", known.len()));
}

#[test]
fn a_wrong_line_would_be_found() {
    let folder = Folder::new("omp-tools-h-wrong");
    let lines: Vec<_> = ["constant ompt_state_idle 257", "type ompt_frame_t 16"]
        .map(|line| -> Line { line.split(' ').collect() })
        .into();
    let all: Vec<_> = lines.iter().collect();
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(HEADER, &all), &[OURS]);
    assert_eq!(said, "constant ompt_state_idle 257: 256\ntype ompt_frame_t 16: 24\n2\n");
}

/// Every name of the header is in the list, and nothing is there twice.
#[test]
fn the_list_has_every_name_of_the_header() {
    let missing = unlisted(HEADER, &lines());
    // `ompt_task_` and the like, in comments.
    let missing: Vec<_> = missing.into_iter().filter(|name| !name.ends_with('_')).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_constants_of_this_crate_are_those_of_the_list() {
    let lines = lines();
    let listed: BTreeSet<(&str, u32)> = lines
        .iter()
        .filter(|line| line[0] == "constant")
        .filter(|line| line[1].starts_with("ompt_") || line[1].starts_with("ompd_"))
        .filter(|line| !line[1].ends_with("_none") && line[1] != "ompd_icv_undefined")
        .map(|line| (line[1], line[2].parse().expect("32 bits")))
        .collect();
    let ours: BTreeSet<_> = all_constants().into_iter().collect();
    // The crate gives a number one name.
    let former: BTreeSet<_> = [("ompt_callback_master", 21)].into();
    let differ: Vec<_> = listed.symmetric_difference(&ours).collect();
    assert_eq!(differ, former.iter().collect::<Vec<_>>());
}

#[test]
fn names_are_unique() {
    let constants = all_constants();
    let names: BTreeSet<_> = constants.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), constants.len());
}

#[test]
fn a_value_without_a_name_is_kept() {
    let state = ompt_state_t(0x2AB);
    assert_eq!(state.name(), None);
    assert_eq!(ompt_state_t(0x100).name(), Some(c"ompt_state_idle"));
}
