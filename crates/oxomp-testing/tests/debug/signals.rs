//! Signals to `oxomp debug -- ./app`, and the end of a program in a deadlock.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::time::Instant;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::skipped::may_attach;
use oxomp_testing::compiler::Family;
use oxomp_testing::directives::Ending;

use crate::planted::{PATIENCE, Planted, ending, outcome, oxomp_debug, watched};
use crate::text::names_deadlock;

/// Fails with what was wrong.
type Test = fn() -> Result<(), String>;

/// The trials of this file.
pub(crate) fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 4] = [
        ("signals::quit_shows_the_state_and_the_program_goes_on", quit),
        ("signals::interrupt_shows_the_state_before_it_ends_the_program", interrupt),
        ("signals::each_thread_says_what_it_waits_in", waits),
        ("signals::a_deadlock_is_shown_once_and_left_to_the_user", deadlock),
    ];
    tests.map(|(name, test)| Trial::test(name, move || test().map_err(Failed::from))).into()
}

/// The command beside the program that it runs.
struct Session {
    command: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
    _watched: Sender<()>,
}

impl Session {
    fn start(name: &str, options: &[&str]) -> Result<Self, String> {
        let planted = Planted::named(name, Family::Gcc)?;
        let mut command = oxomp_debug();
        command.args(options).arg("--").arg(planted.executable()?);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = command.spawn().map_err(|error| error.to_string())?;
        let _watched = watched(command.id());
        let stderr = BufReader::new(command.stderr.take().expect("a pipe"));
        Ok(Self { command, stderr, said: String::new(), _watched })
    }

    /// Waits for the line `ready` of the program.
    fn wait_until_ready(&mut self) -> Result<(), String> {
        let stdout = self.command.stdout.as_mut().expect("a pipe");
        let mut said = Vec::new();
        let mut byte = [0];
        while !said.ends_with(b"ready\n") {
            if stdout.read(&mut byte).map_err(|error| error.to_string())? == 0 {
                return Err("the program ended before it was ready".to_owned());
            }
            said.push(byte[0]);
        }
        Ok(())
    }

    /// Reads the command's text up to a line that contains `text`.
    fn wait_for(&mut self, text: &str) -> Result<String, String> {
        loop {
            let mut line = String::new();
            let length = self.stderr.read_line(&mut line).map_err(|error| error.to_string())?;
            if length == 0 {
                return Err(format!("`{text}` was not said: {}", self.said));
            }
            self.said += &line;
            if line.contains(text) {
                return Ok(line);
            }
        }
    }

    fn signal(&self, signal: i32) {
        // SAFETY: kill has no memory preconditions; the process has not been waited for.
        unsafe { libc::kill(self.command.id().cast_signed(), signal) };
    }

    /// Ends the input, and returns the command's status and all texts after its end.
    fn end(mut self) -> Result<(ExitStatus, String, String), String> {
        drop(self.command.stdin.take());
        let text = |error: std::io::Error| error.to_string();
        self.stderr.read_to_string(&mut self.said).map_err(text)?;
        let output = self.command.wait_with_output().map_err(text)?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((output.status, stdout, self.said))
    }
}

fn quit() -> Result<(), String> {
    let mut session = Session::start("input_read.c", &[])?;
    session.wait_until_ready()?;
    for _ in 0..2 {
        session.signal(libc::SIGQUIT);
        session.wait_for("input_read.c:")?;
    }
    let (status, stdout, said) = session.end()?;
    if ending(status) != Ending::Status(0) || stdout != "over\n" {
        return Err(format!("it did not go on: {status}\n{stdout}\n{said}"));
    }
    Ok(())
}

fn interrupt() -> Result<(), String> {
    let mut session = Session::start("input_read.c", &[])?;
    session.wait_until_ready()?;
    session.signal(libc::SIGINT);
    session.wait_for("input_read.c:")?;
    // Without the signal it would wait for its input.
    let (status, stdout, said) = session.end()?;
    if ending(status) != Ending::Signal(libc::SIGINT) || !stdout.is_empty() {
        return Err(format!("it was not interrupted: {status}\n{stdout}\n{said}"));
    }
    Ok(())
}

/// The thread that gets the signal says what it waits in too.
fn waits() -> Result<(), String> {
    let name = "looked_at/waits.c";
    let mut session = Session::start(name, &[])?;
    session.wait_until_ready()?;
    session.signal(libc::SIGINT);
    session.wait_for("waits.c:")?;
    let (_, _, said) = session.end()?;
    if said.contains("SIGINT") {
        return Err(format!("a signal from outside is not why a thread waits: {said}"));
    }
    Planted::named(name, Family::Gcc)?.expectation.check(&said)
}

fn deadlock() -> Result<(), String> {
    let mut session = Session::start("locks_abba.c", &["--after", "0.5"])?;
    let hint = session.wait_for("gdb -p ")?;
    let pid = hint
        .rsplit_once("gdb -p ")
        .and_then(|(_, rest)| rest.split(|letter: char| !letter.is_ascii_digit()).next());
    let pid = pid.ok_or_else(|| format!("no number in: {hint}"))?.to_owned();
    if !names_deadlock(&session.said) {
        return Err(format!("no deadlock before the advice: {}", session.said));
    }
    // Nobody traces it any more: another debugger can look.
    // Each stop wakes the threads, which spin in their waits before they sleep again.
    let begin = Instant::now();
    while may_attach() {
        let again = outcome(oxomp_debug().arg(&pid))?;
        if names_deadlock(&again.stdout) {
            break;
        }
        if begin.elapsed() > PATIENCE / 2 {
            return Err(format!("it cannot be looked at: {}{}", again.stdout, again.stderr));
        }
    }
    session.signal(libc::SIGINT);
    let (status, _, said) = session.end()?;
    if ending(status) != Ending::Signal(libc::SIGINT) {
        return Err(format!("it was not interrupted: {status}\n{said}"));
    }
    let times = said.lines().filter(|line| names_deadlock(line)).count();
    if times != 1 {
        return Err(format!("the deadlock was shown {times} times: {said}"));
    }
    Ok(())
}
