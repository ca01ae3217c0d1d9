//! A header against the list of its names: a program that a compiler makes of the list compares
//! values, sizes and offsets.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::Program;

/// Where the project's header lies.
pub(crate) const OURS: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../include");

/// A callback of a table of events.
pub(crate) struct Callback {
    /// Its type in C.
    pub(crate) name: &'static str,
    /// The names and types of its arguments, as the table has them.
    pub(crate) arguments: &'static [(&'static str, &'static str)],
    /// The type of its answer.
    pub(crate) answer: Option<&'static str>,
    /// The names in C, and the numbers, of the events that have it.
    pub(crate) events: &'static [(&'static str, &'static str)],
}

/// C's text of a type of a table, as `stringify!` writes it.
pub(crate) fn in_c(rust: &str) -> String {
    let rust = &*rust.replace(' ', "");
    let pointer = |pointee: &str| match in_c(pointee) {
        pointer if pointer.ends_with('*') => format!("{pointer}*"),
        other => format!("{other} *"),
    };
    match rust {
        "c_int" => "int".into(),
        "c_uint" => "unsigned int".into(),
        "c_char" => "char".into(),
        "c_void" => "void".into(),
        "u32" => "uint32_t".into(),
        "u64" => "uint64_t".into(),
        "i64" => "int64_t".into(),
        "usize" => "size_t".into(),
        // A set of flags is an `int` where C passes it.
        _ if rust.ends_with("_flag_t") => "int".into(),
        _ => {
            if let Some(pointee) = rust.strip_prefix("*const") {
                format!("const {}", pointer(pointee))
            } else if let Some(pointee) = rust.strip_prefix("*mut") {
                pointer(pointee)
            } else if let Some(function) = rust.strip_prefix("Option<") {
                in_c(function.trim_end_matches('>'))
            } else {
                rust.trim_start_matches("c::").to_owned()
            }
        }
    }
}

/// The parameters of a function of the callback's type.
pub(crate) fn parameters(callback: &Callback) -> Vec<String> {
    let parameter = |(name, rust): &(&str, &str)| match in_c(rust) {
        pointer if pointer.ends_with('*') => format!("{pointer}{name}"),
        other => format!("{other} {name}"),
    };
    callback.arguments.iter().map(parameter).collect()
}

/// Writes `callbacks.h`, which the programs of every type include: a function of each callback's
/// type, and `set_all`, which calls `SET(event, type, function)` for each event.
pub(crate) fn write_callbacks(folder: &Path, callbacks: &[Callback]) {
    let (mut functions, mut set_all) =
        (String::new(), String::from("static void set_all(void) {\n"));
    for callback @ Callback { name, arguments, answer, events } in callbacks {
        let parameters = match arguments {
            [] => "void".to_owned(),
            _ => parameters(callback).join(", "),
        };
        let uses: String = arguments.iter().map(|(name, _)| format!(" (void){name};")).collect();
        let (answer, end) = match answer {
            Some(answer) => (in_c(answer), " return 0;"),
            None => ("void".to_owned(), ""),
        };
        writeln!(functions, "static {answer} on_{name}({parameters}) {{{uses}{end} }}")
            .expect("a string");
        for (event, _) in *events {
            writeln!(set_all, "    SET({event}, {name}, on_{name});").expect("a string");
        }
    }
    fs::write(folder.join("callbacks.h"), functions + &set_all + "}\n")
        .expect("the folder is writable");
}

/// The words of a line of the list; a last word `-` is a mark that only the list's test reads.
pub(crate) type Line = Vec<&'static str>;

pub(crate) fn lines(list: &'static str) -> Vec<Line> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect()).collect()
}

/// A C statement that prints the line if the header differs from it.
fn check(line: &[&str]) -> String {
    let line = line.strip_suffix(&["-"]).unwrap_or(line);
    let (value, wanted) = match *line {
        ["constant", name, value] => (format!("(uintptr_t)({name})"), value),
        ["type", name, "0"] => (format!("sizeof({name} *)"), "8"),
        ["tag", kind, name, size] => (format!("sizeof({kind} {name})"), size),
        ["type", name, size] => (format!("sizeof({name})"), size),
        ["member", of, name, offset] => (format!("offsetof({of}, {name})"), offset),
        ["macro", name] => (format!("sizeof(\"\" {name})"), "1"),
        ["object", name] => (format!("sizeof({name})"), "8"),
        ["function", name] => (format!("sizeof(&{name})"), "8"),
        ["entry", name] => (format!("sizeof({name}_t)"), "8"),
        _ => panic!("{:?}: no such line", line),
    };
    // Enumerators have 32 bits, with a sign or without one.
    let bits = match wanted.parse::<u64>().expect("the last word is a number") {
        0..=0xffff_ffff => "0xffffffffu",
        _ => "~(uint64_t)0",
    };
    let words = line.join(" ");
    format!("    check(\"{words}\", (uint64_t)({value}) & {bits}, {wanted}u);\n")
}

/// A program that checks the lines by `header`, and prints how many.
pub(crate) fn program(header: &str, lines: &[&Line]) -> String {
    let mut source = format!("#include <{header}>\n");
    source.push_str(
        "#include <stddef.h>\n#include <stdint.h>\n\
        #include <stdio.h>\nstatic int checked;\n\
        static void check(const char *line, uint64_t is, uint64_t wanted) {\n\
            checked++;\n\
            if (is != wanted)\n\
                printf(\"%s: %lu\\n\", line, (unsigned long)is);\n\
        }\nint main(void) {\n",
    );
    source.extend(lines.iter().map(|line| check(line)));
    writeln!(source, "    printf(\"%d\\n\", checked);\n    return 0;\n}}").expect("a string");
    source
}

/// The output of the program of `source`; the compiler must have nothing to say.
pub(crate) fn run(
    folder: &Path,
    language: (Program, &str),
    source: &str,
    flags: &[&str],
) -> String {
    let (compiler, standard) = language;
    let output = compile(folder, language, source, flags);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {standard}: {said}");
    let output = Command::new(folder.join("program")).output().expect("it was made");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compiles and links the program of `source`, with all warnings as errors.
pub(crate) fn compile(
    folder: &Path,
    (compiler, standard): (Program, &str),
    source: &str,
    flags: &[&str],
) -> Output {
    let name = folder.join(match compiler {
        Program::Gxx | Program::Clangxx => "program.cpp",
        _ => "program.c",
    });
    fs::write(&name, source).expect("the folder is writable");
    compiler
        .command()
        .args([standard, "-Wall", "-Wextra", "-pedantic", "-Werror"])
        .args(flags)
        .arg(&name)
        .arg("-o")
        .arg(folder.join("program"))
        .output()
        .unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"))
}

/// The names of OMPT and OMPD that the header has and the list has not; in the list, nothing may be
/// twice.
pub(crate) fn unlisted(header: &str, lines: &[Line]) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include").join(header);
    let text = fs::read_to_string(path).expect("the header is there");
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let named: BTreeSet<_> = text
        .split(|letter| !is_of_name(letter))
        .filter(|word| ["ompt_", "ompd_", "OMPT_"].iter().any(|start| word.starts_with(start)))
        .map(str::to_owned)
        .collect();
    let mut listed = BTreeSet::new();
    for line in lines {
        let name = match line[..] {
            ["member", ..] => continue,
            ["entry", name, ..] => {
                // The header has the type, its comments may have the name.
                listed.insert(name.to_owned());
                format!("{name}_t")
            }
            ["tag", _, name, ..] => name.to_owned(),
            _ => line[1].to_owned(),
        };
        assert!(listed.insert(name), "{line:?} is there twice");
    }
    named.difference(&listed).cloned().collect()
}

/// A folder for the programs of a test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
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
