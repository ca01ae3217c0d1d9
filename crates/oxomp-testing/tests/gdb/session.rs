//! A run of gdb that is fed commands.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process::{Child, Command, Stdio};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File as Needed, Program};

use crate::workplace::Workplace;

/// gdb's prompt, which stands before the output of each command.
const PROMPT: &str = "(gdb) ";

/// A program beside the debugger, which never ends by itself.
#[derive(Debug)]
pub(crate) struct Background(pub(crate) Child);

impl Background {
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // gdb may have ended it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the machine has gdb, the plug-in, and Debian's compilers.
pub(crate) fn is_possible() -> bool {
    let needed = [Program::Gdb, Program::Strip, Program::Timeout, Program::Gcc, Program::Clang];
    let mut needed: Vec<_> = needed.into_iter().map(Into::into).collect();
    needed.push(Needed::GdbPlugIn.into());
    has_all(&needed)
}

/// The command line of gdb with the plug-in, as the book has it.
pub(crate) fn with_plug_in(rest: &str) -> String {
    format!("{} -q -x {} {rest}", Program::Gdb.text(), Needed::GdbPlugIn.text())
}

/// What `debugger` says to each of `commands`. It kills its program at the end.
pub(crate) fn talk(workplace: &Workplace, debugger: &Command, commands: &[&str]) -> Vec<String> {
    let mut output = tempfile::tempfile().expect("a file");
    let mut timeout = Program::Timeout.command();
    workplace.prepare(&mut timeout).args(["-k", "5", "240"]);
    timeout.arg(debugger.get_program()).args(debugger.get_args());
    for (name, value) in debugger.get_envs() {
        if let Some(value) = value {
            timeout.env(name, value);
        }
    }
    let copy = |file: &File| Stdio::from(file.try_clone().expect("a descriptor"));
    timeout.stdin(Stdio::piped()).stdout(copy(&output)).stderr(copy(&output));
    let mut child = timeout.spawn().expect("timeout starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    for command in commands {
        writeln!(stdin, "{command}").expect("gdb reads");
    }
    drop(stdin);
    let status = child.wait().expect("gdb ends");
    output.rewind().expect("a file");
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes).expect("a file");
    let said = String::from_utf8_lossy(&bytes).into_owned();
    assert!(status.success(), "{status}:\n{said}");
    let answers: Vec<String> = said.split(PROMPT).skip(1).map(str::to_owned).collect();
    assert!(answers.len() >= commands.len(), "{commands:?}:\n{said}");
    answers[..commands.len()].to_vec()
}
