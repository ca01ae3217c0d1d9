//! Which process or core file is meant.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use crate::elf::{self, NotAProgram};
use crate::failure::Failure;

/// A process that can be looked at.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A running one.
    Process(Pid),
    /// The file that was written when it crashed.
    Core {
        path: PathBuf,
        /// The program, if it is not at the path that the file names.
        executable: Option<PathBuf>,
    },
}

/// Decides by the words that are not preceded by `--`: a number is a process, unless it is also the
/// name of a file.
pub(super) fn named(words: &[OsString]) -> Result<Subject, Failure> {
    let Some((first, rest)) = words.split_first() else {
        return Err(Failure::own("no process and no core file"));
    };
    let path = Path::new(first);
    if !path.exists() {
        if is_number(first) {
            if let [word, ..] = rest {
                return Err(Failure::own(format!(
                    "{}: a process brings its program with it, so nothing may follow {}",
                    word.display(),
                    first.display()
                )));
            }
            return process(first);
        }
        return Err(Failure::own(format!(
            "{0}: no such file, and not the number of a process; to run a program: `oxomp debug -- \
             {0}`",
            path.display()
        )));
    }
    require_core(path, rest)?;
    match rest {
        [] => Ok(Subject::Core { path: path.to_owned(), executable: None }),
        [executable] => {
            let executable = PathBuf::from(executable);
            require_program(&executable)?;
            Ok(Subject::Core { path: path.to_owned(), executable: Some(executable) })
        }
        [_, word, ..] => Err(Failure::own(format!(
            "{}: only the program of the core file may follow it",
            word.display()
        ))),
    }
}

/// The process of that number.
pub(super) fn process(number: &OsStr) -> Result<Subject, Failure> {
    let shown = number.display();
    let pid = number.to_str().filter(|_| is_number(number)).and_then(|text| text.parse().ok());
    let Some(pid) = pid.and_then(Pid::from_raw) else {
        return Err(Failure::own(format!("{shown}: not the number of a process")));
    };
    if !Path::new("/proc").join(number).exists() {
        return Err(Failure::own(format!("{shown}: there is no such process, and no such file")));
    }
    Ok(Subject::Process(pid))
}

fn is_number(word: &OsStr) -> bool {
    let text = word.as_encoded_bytes();
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

fn require_core(path: &Path, rest: &[OsString]) -> Result<(), Failure> {
    let shown = path.display();
    match elf::read(path) {
        Err(NotAProgram::OtherKind(kind)) if kind == elf::CORE => Ok(()),
        Ok(_) => {
            let words: Vec<String> =
                rest.iter().map(|word| format!(" {}", word.display())).collect();
            Err(Failure::own(format!(
                "{shown} is a program: to run it, use `oxomp debug -- {shown}{}`; for a core file, \
                 name that first",
                words.concat()
            )))
        }
        Err(NotAProgram::NotElf) => Err(Failure::own(format!(
            "{shown}: neither a core file nor the number of a process; to run a script: `oxomp \
             debug -- {shown}`"
        ))),
        Err(NotAProgram::OtherKind(kind)) => {
            Err(Failure::own(format!("{shown}: is {kind}, and no core file")))
        }
        Err(NotAProgram::OtherMachine(machine)) => Err(Failure::own(format!(
            "{shown}: is for {machine}, and no core file of this machine"
        ))),
        Err(NotAProgram::Damaged(reason)) => {
            Err(Failure::own(format!("{shown}: cannot be read: {reason}")))
        }
    }
}

/// Fails if the file is not a program.
fn require_program(path: &Path) -> Result<(), Failure> {
    match elf::read(path) {
        Ok(_) => Ok(()),
        Err(NotAProgram::Damaged(reason)) => {
            Err(Failure::own(format!("{}: cannot be read: {reason}", path.display())))
        }
        Err(_) => {
            Err(Failure::own(format!("{}: is not the program of a core file", path.display())))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::{OsStr, OsString};

    use super::{Subject, named, process};

    fn message(words: &[&str]) -> String {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        named(&words).expect_err("an error").message
    }

    #[test]
    fn a_number_is_a_process() {
        let own = std::process::id().to_string();
        let subject = named(&[OsString::from(&own)]);
        assert!(matches!(&subject, Ok(Subject::Process(_))), "{subject:?}");
        assert_eq!(subject, process(OsStr::new(&own)));
    }

    #[test]
    fn numbers_that_no_process_can_have_are_errors() {
        for number in ["0", "99999999999999999999", "-5", "", "4x"] {
            let failure = process(OsStr::new(number)).expect_err("an error");
            assert!(failure.message.contains("not the number of a process"), "{failure}");
        }
    }

    #[test]
    fn a_program_is_told_from_a_core_file() {
        let own = std::env::current_exe().expect("a path");
        let own = own.to_str().expect("text");
        let said = message(&[own, "-n", "5"]);
        assert!(said.contains(&format!("`oxomp debug -- {own} -n 5`")), "{said}");
    }

    #[test]
    fn what_is_nothing_is_said() {
        assert!(message(&["/nowhere"]).contains("no such file"));
        assert!(message(&["/etc"]).contains("no core file"));
        let text = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(message(&[text]).contains("neither a core file nor"));
    }
}
