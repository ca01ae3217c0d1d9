//! The messages of `-v`, on standard error.

use std::path::Path;

use crate::messages::say;
use crate::ours::is_ours;
use crate::program::{Kind, Program};
use crate::runtime_choice::{Choice, Family, Means};
use crate::variables::Variables;

/// One line of `-v`: `what` it is about, and `text`.
pub(crate) fn say_detail(what: &str, text: &str) {
    say(format_args!("{what:<9} {text}"));
}

/// The decision: program, runtime and reason, variables, and what the loader makes of them.
pub(crate) fn say_decision(
    program: &Program,
    choice: &Choice,
    runtime: &Path,
    variables: &Variables,
) {
    say_detail("program", &format!("{} ({})", program.path.display(), describe(program)));
    let which = match choice.means {
        Means::Keep => "the program's own".to_owned(),
        Means::LibraryPath | Means::Preload => format!("{}, {}", runtime.display(), choice.means),
    };
    say_detail("runtime", &format!("{which}: {}", choice.reason));
    for (name, value) in variables.as_slice() {
        say_detail("set", &format!("{}={}", name.display(), value.display()));
    }
    let Some(loader) = &choice.loader else { return };
    for library in &loader.libraries {
        let file = library.name.rsplit('/').next().unwrap_or(&library.name);
        if Family::of(file).is_some() {
            let found = library
                .path
                .as_ref()
                .map_or_else(|| "not found".to_owned(), |path| path.display().to_string());
            say_detail("loader", &format!("{} => {found}", library.name));
        }
    }
    if choice.means == Means::Preload && !loader.loads(runtime) {
        say_detail(
            "loader",
            &format!("does not take {}; is it a program of this system?", runtime.display()),
        );
    }
    for complaint in &loader.complaints {
        say_detail("loader", complaint);
    }
}

/// A runtime seen in a running process.
pub(crate) fn say_mapped(pid: i32, file: &Path, runtime: &Path) {
    let whose = if is_ours(file, runtime) { "oxomp's runtime" } else { "another runtime" };
    say_detail("running", &format!("process {pid} has mapped {whose}: {}", file.display()));
}

/// The kind of a program, in words.
pub(crate) fn describe(program: &Program) -> String {
    match &program.kind {
        Kind::Script { interpreter } => format!("a script for {}", interpreter.display()),
        Kind::Elf(elf) if elf.is_static => "statically linked".to_owned(),
        Kind::Elf(_) => "dynamically linked".to_owned(),
    }
}
