//! The sessions that the book shows: their commands, and what it shows of the output.

use std::fs;
use std::process::{Command, Stdio};

use oxomp_arch::read::{Machine, SystemCall};
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::may_attach;
use oxomp_testing::compiler::Family;

use crate::FAMILIES;
use crate::debuggee::wait_until;
use crate::session::{Background, is_possible, talk};
use crate::transcript::{Step, are_like, comparable, sessions};
use crate::workplace::{Workplace, repository};

/// Runs the shell's lines and hands back the program that they leave in the background, if any, and
/// the debugger's command.
fn run_shell(place: &Workplace, lines: &[&str], family: Family) -> (Option<Background>, Command) {
    let mut background = None;
    let (debugger, before) = lines.split_last().expect("a session starts the debugger");
    for line in before {
        if let Some(line) = line.strip_suffix('&') {
            let mut command = place.command(line);
            let child = command.stdout(Stdio::null()).spawn().expect("the program starts");
            let running = Background(child);
            wait_until("the program pauses", || is_paused(running.pid()));
            background = Some(running);
            continue;
        }
        let line = match family {
            Family::Gcc => (*line).to_owned(),
            Family::Clang => line.replacen(Program::Gcc.text(), Program::Clang.text(), 1),
        };
        let status = place.command(&line).status().expect("the compiler runs");
        assert!(status.success(), "{line}: {status}");
    }
    let pid = background.as_ref().map_or(String::new(), |running| running.pid().to_string());
    let debugger = place.command(&debugger.replace("$!", &pid));
    (background, debugger)
}

/// Whether the main thread of a process is in `pause()`, which calls `ppoll` on processors whose
/// kernel has no such system call.
fn is_paused(pid: u32) -> bool {
    let call = fs::read_to_string(format!("/proc/{pid}/syscall")).unwrap_or_default();
    let number = call.split(' ').next().and_then(|number| number.parse().ok());
    let call = number.and_then(|number| Machine::OWN.system_call(number));
    matches!(call, Some(SystemCall::Pause | SystemCall::Ppoll))
}

fn replay(place: &Workplace, session: &[Step], family: Family) {
    // Each debugger has the shell's lines before it, and its own commands.
    let mut rest = session;
    let mut running = None;
    while !rest.is_empty() {
        let is_shell = |step: &&Step| matches!(step, Step::Shell(_));
        let (shell, steps) = rest.split_at(rest.iter().take_while(is_shell).count());
        let (steps, after) = steps.split_at(steps.iter().take_while(|it| !is_shell(it)).count());
        rest = after;
        let lines: Vec<&str> = shell
            .iter()
            .map(|step| match step {
                Step::Shell(line) => line.as_str(),
                Step::Debugger(..) => unreachable!("they were split off"),
            })
            .collect();
        let (background, debugger) = run_shell(place, &lines, family);
        running = background.or(running);
        let exchanges: Vec<(&str, &[String])> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Debugger(command, shown) => Some((command.as_str(), &shown[..])),
                Step::Shell(_) => None,
            })
            .collect();
        let commands: Vec<&str> = exchanges.iter().map(|(command, _)| *command).collect();
        let answers = talk(place, &debugger, &commands);
        for ((command, shown), answer) in exchanges.into_iter().zip(answers) {
            let said: Vec<String> = answer.lines().map(str::to_owned).collect();
            let (said, shown) = (comparable(&said, family), comparable(shown, family));
            assert!(
                are_like(&said, &shown),
                "{family:?}, {command}: gdb says\n{said:#?}\nand the book shows\n{shown:#?}\n\
                 {answer}"
            );
        }
    }
    drop(running);
}

/// The commands and their output, for programs of both compilers.
#[test]
fn gdb_says_what_the_book_shows() {
    if !is_possible() || !may_attach() {
        return;
    }
    let text = fs::read_to_string(repository().join("docs/src/debuggers.md")).expect("the page");
    let sessions = sessions(&text);
    assert_eq!(sessions.len(), 2, "one from the start, one of a running program and its core file");
    for family in FAMILIES {
        let place = Workplace::new();
        for session in &sessions {
            replay(&place, session, family);
        }
    }
}
