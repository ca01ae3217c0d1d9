//! Running a program bounded in time, and ending everything it started.

use std::fs::File;
use std::io;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use oxomp_prerequisites::Program;

use crate::directives::Ending;
use crate::needs::processors_of;

/// The most bytes of output that are kept.
const OUTPUT_LIMIT: u64 = 16 << 20;

/// Prefixes of variables that would change the behaviour of a program.
const FOREIGN: [&str; 6] = ["OMP_", "KMP_", "GOMP_", "LD_", "LIBOMP", "OXOMP_"];

/// The record of a program's run.
#[derive(Debug)]
pub struct Outcome {
    /// The process id it had.
    pub pid: u32,
    /// How long it lived.
    pub ran: Duration,
    /// How it ended; [`Ending::Signal`] with `SIGKILL` where `stacks` is set.
    pub ending: Ending,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The stacks of the program's threads, if it was killed after the time limit.
    pub stacks: Option<String>,
}

/// Makes `command` begin with the default action for the signals that a terminal's keys send. What
/// a shell starts in the background ignores these signals, and the programs that tests interrupt
/// would inherit that.
pub fn with_default_signals(command: &mut Command) -> &mut Command {
    let reset = || {
        for signal in [libc::SIGINT, libc::SIGQUIT] {
            // SAFETY: the new process has no handler of this process that could be replaced.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: signal(2) is async-signal-safe.
    unsafe { command.pre_exec(reset) }
}

/// Removes the variables from `command`'s environment that would change the behaviour of the
/// program.
pub fn clear_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if FOREIGN.iter().any(|beginning| name.to_string_lossy().starts_with(beginning)) {
            command.env_remove(&name);
        }
    }
}

/// A command as one types it.
pub fn shown(command: &Command) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
        if text.chars().all(plain) { text.to_owned() } else { format!("'{text}'") }
    };
    let mut words = Vec::new();
    if let Some(processors) = processors_of(command) {
        words.push(format!("taskset -c {} env", processors.display()));
    }
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let assignment = format!("{}={}", name.display(), quoted(&value.to_string_lossy()));
            words.push(assignment);
        }
    }
    words.push(command.get_program().display().to_string());
    words.extend(command.get_args().map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
}

/// Runs `command` to its end or to the end of its time.
///
/// # Errors
///
/// The program could not be started, or its output could not be kept.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Outcome> {
    let mut stdout = tempfile::tempfile()?;
    let mut stderr = tempfile::tempfile()?;
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0)
        .spawn()?;
    let (status, stacks) = match wait(&mut child, limit)? {
        Some(status) => (status, None),
        None => {
            let stacks = stacks_of(child.id());
            kill_group(child.id());
            (child.wait()?, Some(stacks))
        }
    };
    let ran = start.elapsed();
    // Children that the program left behind must not outlive the trial either.
    kill_group(child.id());
    Ok(Outcome {
        pid: child.id(),
        ran,
        ending: ending(status),
        stdout: content(&mut stdout)?,
        stderr: content(&mut stderr)?,
        stacks,
    })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn kill_group(leader: u32) {
    let group = leader.cast_signed();
    // SAFETY: killpg has no memory preconditions. The group is the child's own (`process_group(0)`)
    // and its id cannot have been given anew: the group exists as long as a member does, and
    // without members the call fails.
    unsafe { libc::killpg(group, libc::SIGKILL) };
}

/// The stacks of a process's threads, by gdb if the machine has it.
fn stacks_of(pid: u32) -> String {
    let debugger = Program::Timeout
        .command()
        .args(["20", Program::Gdb.text(), "-batch", "-nx", "-ex"])
        .args(["thread apply all backtrace 12", "-p"])
        .arg(pid.to_string())
        .stdin(Stdio::null())
        .output();
    match debugger {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter(|line| line.starts_with('#') || line.starts_with("Thread"))
            .map(|line| format!("{line}\n"))
            .collect(),
        _ => "(no stacks: gdb is missing or may not attach)".to_owned(),
    }
}

fn ending(status: ExitStatus) -> Ending {
    match status.signal() {
        Some(signal) => Ending::Signal(signal),
        None => Ending::Status(status.code().unwrap_or_default()),
    }
}

fn content(file: &mut File) -> io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Ending, Outcome, Program, run};
    use std::time::Duration;
    use std::time::Instant;

    fn shell(script: &str, limit_ms: u64) -> Outcome {
        run(Program::Sh.command().args(["-c", script]), Duration::from_millis(limit_ms))
            .expect("sh can be run")
    }

    #[test]
    fn output_and_status_come_back() {
        let outcome = shell("echo out; echo err >&2; exit 3", 10_000);
        assert_eq!(outcome.ending, Ending::Status(3));
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out\n", "err\n"));
        assert!(outcome.stacks.is_none());
    }

    #[test]
    fn a_signal_is_told_from_a_status() {
        assert_eq!(shell("kill -6 $$", 10_000).ending, Ending::Signal(6));
    }

    #[test]
    fn a_program_that_hangs_is_killed_with_its_children() {
        let start = Instant::now();
        let outcome = shell("sleep 60 & echo $!; wait", 200);
        assert!(outcome.stacks.is_some());
        assert!(start.elapsed() < Duration::from_secs(50));
        let orphan = format!("/proc/{}/stat", outcome.stdout.trim());
        let alive = || std::fs::read_to_string(&orphan).is_ok_and(|stat| !stat.contains(") Z "));
        // The signal is on its way when the call returns.
        while alive() {
            assert!(start.elapsed() < Duration::from_secs(50), "{orphan} is still there");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
