//! `oxomp debug -- ./app`: a program that is watched while it runs.
//!
//! oxomp is its tracer, so every signal to the program comes here first; between signals the
//! program runs undisturbed but for rare looks ([`super::stillness`]). A deadlock is told by the
//! second of two looks: at one alone, a thread that goes on may have been stopped on its way.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use oxomp_inspect::{Child, Event};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{
    SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGSTOP, SIGSYS, SIGTRAP, SIGTSTP,
};
use signal_hook::flag;
use signal_hook::low_level::{raise, signal_name};

use super::look::Look;
use super::report::Report;
use super::stillness::{Stillness, processor_time};
use crate::failure::Failure;
use crate::launch::{Ended, Launch};
use crate::locate::Installation;
use crate::program::Program;
use crate::props::{DebugProps, RuntimePolicy};
use crate::runtime_choice::choose;
use crate::signals::Relay;
use crate::variables::Variables;
use crate::verbose::{say, say_decision, say_mapped};
use crate::watch::Watch;

/// The status when a deadlock has ended the program: that of timeout(1), which scripts know.
const DEADLOCKED: u8 = 124;

/// The signals by which programs crash.
const CRASHES: [i32; 7] = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP];

/// A program that is to be ended gets so much time to do it by itself.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the program and explains it where it hangs or crashes; ends as the program ended.
pub(super) fn run(props: &DebugProps, words: &[OsString]) -> Result<ExitCode, Failure> {
    let program = Program::find(&words[0])?;
    let installation = Installation::find()?;
    let mut variables = Variables::new();
    let choice = choose(RuntimePolicy::Oxomp, &program, &installation, &mut variables)?;
    if env::var_os("OMP_DEBUG").is_none_or(|value| value.is_empty()) {
        variables.set("OMP_DEBUG", "enabled");
    }
    let report = Report::new(props.output.as_deref(), Report::Stderr)?;
    let runtime = installation.runtime()?;
    if props.verbose {
        say_decision(&program, &choice, &runtime, &variables);
    }

    let launch = Launch { program: &program, words, variables: &variables };
    let suspend = Arc::new(AtomicBool::new(false));
    let mut relay = Relay::prepare()
        .and_then(|relay| flag::register(SIGTSTP, Arc::clone(&suspend)).map(|_| relay))
        .map_err(|error| Failure::own(format!("cannot take over signals: {error}")))?;
    let child =
        Child::spawn(launch.command()).map_err(|error| Failure::cannot_run(error.to_string()))?;
    let pid =
        Pid::from_raw(child.pid()).ok_or_else(|| Failure::own("the program has no number"))?;
    relay.start(pid);
    let watch =
        props.verbose.then(|| Watch::start(pid, move |pid, file| say_mapped(pid, file, &runtime)));
    let stillness = Stillness::new(props.after, Instant::now());
    let name = program.path.display().to_string();
    let mut session =
        Session { child, pid, name, report, stillness, first: None, is_alone: false, suspend };
    let outcome = session.attend(props.end_on_deadlock);
    relay.finish();
    if let Some(watch) = watch {
        watch.stop();
    }
    match outcome? {
        Outcome::Deadlocked => Ok(ExitCode::from(DEADLOCKED)),
        Outcome::Ended(ended) => {
            if props.verbose
                && let Some(signal) = ended.by_signal()
            {
                say("ended", &signal);
            }
            Ok(ended.pass_on())
        }
    }
}

/// How the watch came to its end.
enum Outcome {
    Ended(Ended),
    /// We have ended the program.
    Deadlocked,
}

/// A program and what is known of it.
struct Session {
    child: Child,
    pid: Pid,
    /// As messages call it.
    name: String,
    report: Report,
    stillness: Stillness,
    /// The first of two looks at a program that stands still.
    first: Option<Look>,
    /// A deadlock has been reported: the program is left alone.
    is_alone: bool,
    /// Ctrl-Z was pressed.
    suspend: Arc<AtomicBool>,
}

impl Session {
    /// Waits for the program's end, and looks where there is a reason.
    fn attend(&mut self, end_on_deadlock: bool) -> Result<Outcome, Failure> {
        loop {
            match self.wait(self.stillness.period())? {
                Event::Exited(status) => return Ok(Outcome::Ended(Ended::exited(status))),
                Event::Killed(signal) => return Ok(Outcome::Ended(Ended::killed(signal))),
                Event::Stopped { signal, handled, .. } => self.signalled(signal, handled)?,
                Event::Interrupted => {}
                Event::Timeout => {
                    self.stop_with_the_program();
                    if !self.is_alone && self.is_worth_a_look() && self.is_deadlocked()? {
                        if end_on_deadlock {
                            self.end()?;
                            return Ok(Outcome::Deadlocked);
                        }
                        self.leave_alone()?;
                    }
                }
            }
        }
    }

    fn wait(&mut self, limit: Duration) -> Result<Event, Failure> {
        self.child.wait(Some(limit)).map_err(|error| Failure::own(error.to_string()))
    }

    /// A signal is about to be delivered to the program.
    fn signalled(&mut self, signal: i32, handled: bool) -> Result<(), Failure> {
        let pid = self.pid.as_raw_nonzero();
        if signal == SIGQUIT {
            // Without the signal, lest it look like the reason of the stop.
            self.child.go_on(0);
            return self.show(&format!("{} (process {pid}), which goes on:", self.name));
        }
        if signal == SIGINT {
            self.show(&format!("{} (process {pid}) at the interrupt:", self.name))?;
        } else if CRASHES.contains(&signal) && !handled {
            let name = signal_name(signal).unwrap_or("a signal");
            self.show(&format!("{} (process {pid}) crashes by {name}:", self.name))?;
        }
        self.child.go_on(signal);
        Ok(())
    }

    /// Stops after Ctrl-Z, which has reached the program meanwhile, so that the shell takes over.
    /// Had we stopped at once, the program would get its signal only when all is to go on again.
    fn stop_with_the_program(&self) {
        if self.suspend.swap(false, Ordering::SeqCst) && is_stopped_by(self.pid, SIGTSTP) {
            raise(SIGSTOP).ok();
        }
    }

    /// Prints the state. A process that cannot be looked at is no reason to end the program.
    fn show(&mut self, heading: &str) -> Result<(), Failure> {
        match self.look() {
            Ok(look) => self.print(heading, &look),
            Err(failure) => {
                eprintln!("oxomp: {heading} {failure}");
                Ok(())
            }
        }
    }

    fn look(&mut self) -> Result<Look, Failure> {
        Look::of(self.child.image())
    }

    fn print(&mut self, heading: &str, look: &Look) -> Result<(), Failure> {
        let text = look.text(self.report.style());
        self.report.write(&format!("oxomp: {heading}\n{text}"))
    }

    /// Whether the program stands still, or was looked at for that reason once.
    fn is_worth_a_look(&mut self) -> bool {
        let Some(time) = processor_time(self.pid) else { return false };
        self.stillness.measure(time, Instant::now()) || self.first.is_some()
    }

    /// Looks; after the second of two looks, prints the explanation if it proves a deadlock.
    fn is_deadlocked(&mut self) -> Result<bool, Failure> {
        // A process that cannot be looked at now may be at the next time.
        let Ok(look) = self.look() else { return Ok(false) };
        let Some(first) = self.first.take() else {
            self.first = Some(look);
            return Ok(false);
        };
        let look = look.after(&first);
        if !look.finds_deadlock() {
            return Ok(false);
        }
        let pid = self.pid.as_raw_nonzero();
        self.print(&format!("{} (process {pid}) does not go on:", self.name), &look)?;
        Ok(true)
    }

    /// Lets the program run untraced, for other debuggers.
    fn leave_alone(&mut self) -> Result<(), Failure> {
        self.is_alone = true;
        self.child.let_go();
        let pid = self.pid.as_raw_nonzero();
        self.report.write(&format!("oxomp: Ctrl-C ends it; gdb looks closer: gdb -p {pid}\n"))
    }

    /// Ends the program, by force if it does not end by itself.
    fn end(&mut self) -> Result<(), Failure> {
        let begin = Instant::now();
        kill_process(self.pid, Signal::TERM).ok();
        let mut is_forced = false;
        loop {
            match self.wait(Duration::from_millis(100))? {
                Event::Exited(_) | Event::Killed(_) => return Ok(()),
                Event::Stopped { signal, .. } => self.child.go_on(signal),
                Event::Timeout | Event::Interrupted => {}
            }
            if !is_forced && begin.elapsed() > GRACE {
                is_forced = true;
                kill_process(self.pid, Signal::KILL).ok();
            }
        }
    }
}

/// Whether the signal stops the process, which neither handles nor ignores it.
fn is_stopped_by(pid: Pid, signal: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero()));
    let status = status.unwrap_or_default();
    let has = |set: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix(set)).map(str::trim);
        let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0);
        mask >> (signal - 1) & 1 == 1
    };
    !has("SigCgt:") && !has("SigIgn:")
}
