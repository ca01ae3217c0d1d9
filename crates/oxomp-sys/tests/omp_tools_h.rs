//! `include/omp-tools.h` against the list of all names of the specification, in C and C++, by gcc
//! and clang; and the list against LLVM's header and against the constants of this crate.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::Program;

mod constants;

use constants::all_constants;

const NAMES: &str = include_str!("omp_tools_names.txt");

/// Where the project's header lies.
const OURS: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../include");

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

/// A line of the list: its words, and whether LLVM's header has the name.
struct Line {
    words: Vec<&'static str>,
    is_of_llvm: bool,
}

fn lines() -> Vec<Line> {
    let lines = NAMES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words: Vec<_> = line.split(' ').collect();
            let is_of_llvm = words.last() != Some(&"-");
            words.truncate(words.len() - usize::from(!is_of_llvm));
            Line { words, is_of_llvm }
        })
        .collect()
}

/// A C statement that prints the line if the header differs from it.
fn check(line: &Line) -> String {
    let (value, wanted) = match line.words[..] {
        ["constant", name, value] => (format!("(uintptr_t)({name})"), value),
        ["type", name, "0"] => (format!("sizeof({name} *)"), "8"),
        ["type", name, size] => (format!("sizeof({name})"), size),
        ["member", of, name, offset] => (format!("offsetof({of}, {name})"), offset),
        ["object", name] => (format!("sizeof({name})"), "8"),
        ["function", name] => (format!("sizeof(&{name})"), "8"),
        ["entry", name] => (format!("sizeof({name}_t)"), "8"),
        _ => panic!("{:?}: no such line", line.words),
    };
    // Enumerators have 32 bits, with a sign or without one.
    let bits = match wanted.parse::<u64>().expect("the last word is a number") {
        0..=0xffff_ffff => "0xffffffffu",
        _ => "~(uint64_t)0",
    };
    let words = line.words.join(" ");
    format!("    check(\"{words}\", (uint64_t)({value}) & {bits}, {wanted}u);\n")
}

/// A program that checks the lines, and prints how many.
fn program(lines: &[&Line]) -> String {
    let mut source = "#include <omp-tools.h>\n#include <stddef.h>\n#include <stdint.h>\n\
        #include <stdio.h>\nstatic int checked;\n\
        static void check(const char *line, uint64_t is, uint64_t wanted) {\n\
            checked++;\n\
            if (is != wanted)\n\
                printf(\"%s: %llu\\n\", line, (unsigned long long)is);\n\
        }\nint main(void) {\n"
        .to_owned();
    source.extend(lines.iter().map(|line| check(line)));
    writeln!(source, "    printf(\"%d\\n\", checked);\n    return 0;\n}}").expect("a string");
    source
}

/// The output of the program of `source`; the compiler must have nothing to say.
fn run(
    folder: &Path,
    (compiler, standard): (Program, &str),
    source: &str,
    flags: &[&str],
) -> String {
    let name = folder.join(match compiler {
        Program::Gxx | Program::Clangxx => "program.cpp",
        _ => "program.c",
    });
    fs::write(&name, source).expect("the folder is writable");
    let out = folder.join("program");
    let output = compiler
        .command()
        .args([standard, "-Wall", "-Wextra", "-pedantic", "-Werror"])
        .args(flags)
        .arg(&name)
        .arg("-o")
        .arg(&out)
        .output()
        .unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {standard}: {said}");
    let output = std::process::Command::new(&out).output().expect("it was made");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder for the programs of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_header_has_every_name() {
    let folder = Folder::new("omp-tools-h");
    let lines = lines();
    let all: Vec<_> = lines.iter().collect();
    for language in LANGUAGES {
        let said = run(&folder.0, language, &program(&all), &[OURS]);
        assert_eq!(said, format!("{}\n", all.len()), "{language:?}");
    }
}

#[test]
fn a_tool_with_every_callback_and_entry_point_compiles() {
    let folder = Folder::new("omp-tools-h-tool");
    for language in LANGUAGES {
        let said = run(&folder.0, language, include_str!("every_type.c"), &[OURS]);
        assert_eq!(said, "37 callbacks\n", "{language:?}");
    }
}

/// gcc has no such header of its own.
#[test]
fn the_list_is_true_of_llvms_header() {
    let folder = Folder::new("omp-tools-h-llvm");
    let lines = lines();
    let known: Vec<_> = lines.iter().filter(|line| line.is_of_llvm).collect();
    // LLVM's header is not free of warnings.
    let flags = ["-fopenmp", "-Wno-error", "-w"];
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(&known), &flags);
    assert_eq!(said, format!("{}\n", known.len()));
}

#[test]
fn a_wrong_line_would_be_found() {
    let folder = Folder::new("omp-tools-h-wrong");
    let lines: Vec<_> = ["constant ompt_state_idle 257", "type ompt_frame_t 16"]
        .map(|line| Line { words: line.split(' ').collect(), is_of_llvm: true })
        .into();
    let all: Vec<_> = lines.iter().collect();
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(&all), &[OURS]);
    assert_eq!(said, "constant ompt_state_idle 257: 256\ntype ompt_frame_t 16: 24\n2\n");
}

/// Every name of the header is in the list, and nothing is there twice.
#[test]
fn the_list_has_every_name_of_the_header() {
    let header = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include/omp-tools.h");
    let text = fs::read_to_string(header).expect("the header is there");
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let named: BTreeSet<_> = text
        .split(|letter| !is_of_name(letter))
        .filter(|word| word.starts_with("ompt_") || word.starts_with("ompd_"))
        .map(str::to_owned)
        .collect();
    let mut listed = BTreeSet::new();
    for line in lines() {
        let name = match line.words[..] {
            ["member", ..] => continue,
            ["entry", name] => format!("{name}_t"),
            _ => line.words[1].to_owned(),
        };
        assert!(listed.insert(name), "{:?} is there twice", line.words);
    }
    let missing: Vec<_> = named.difference(&listed).collect();
    // `ompt_task_` and the like, in comments.
    let missing: Vec<_> = missing.iter().filter(|name| !name.ends_with('_')).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_constants_of_this_crate_are_those_of_the_list() {
    let lines = lines();
    let listed: BTreeSet<(&str, u32)> = lines
        .iter()
        .filter(|line| line.words[0] == "constant" && line.words[1].starts_with("ompt_"))
        .filter(|line| !line.words[1].ends_with("_none"))
        .map(|line| (line.words[1], line.words[2].parse().expect("32 bits")))
        .collect();
    let ours: BTreeSet<_> = all_constants().into_iter().collect();
    // The crate gives a number one name.
    let former: BTreeSet<_> = [("ompt_callback_master", 21)].into();
    let differ: Vec<_> = listed.symmetric_difference(&ours).collect();
    assert_eq!(differ, former.iter().collect::<Vec<_>>());
}
