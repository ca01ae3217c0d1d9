//! `oxomp debug -- ./app`: a program that is watched while it runs.
//!
//! oxomp is its tracer, so every signal to the program comes here first; between signals the
//! program runs undisturbed but for rare looks ([`super::stillness`]). Two looks must find the
//! same deadlock: at one alone, a thread that goes on may have been stopped on its way.

use std::env;
use std::ffi::OsString;
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

use super::look::{Look, MOST_DOUBTS};
use super::report::Report;
use super::stillness::{Stillness, processor_time};
use crate::failure::Failure;
use crate::launch::{Ended, Launch};
use crate::locate::Installation;
use crate::messages::reason;
use crate::program::Program;
use crate::props::{DebugProps, RuntimePolicy};
use crate::runtime_choice::choose;
use crate::signals::Relay;
use crate::variables::Variables;
use crate::verbose::{say_decision, say_detail, say_mapped};
use crate::watch::Watch;

/// The status when a deadlock has ended the program: timeout(1)'s, which scripts know.
const DEADLOCKED: u8 = 124;

/// The signals by which programs crash.
const CRASHES: [i32; 7] = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP];

/// A program that is to be ended gets this much time to end by itself.
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
        .map_err(|error| Failure::own(format!("cannot take over signals: {}", reason(&error))))?;
    let child =
        Child::spawn(launch.command()).map_err(|error| Failure::cannot_run(error.to_string()))?;
    let pid =
        Pid::from_raw(child.pid()).ok_or_else(|| Failure::own("the program has no number"))?;
    relay.start(pid);
    let watch =
        props.verbose.then(|| Watch::start(pid, move |pid, file| say_mapped(pid, file, &runtime)));
    let stillness = Stillness::new(props.after, Instant::now());
    let name = program.path.display().to_string();
    let mut session = Session {
        child,
        pid,
        name,
        report,
        stillness,
        earlier: None,
        doubts: 0,
        is_alone: false,
        suspend,
    };
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
                say_detail("ended", &signal);
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
    /// The last look at a program that stands still, which the next one is to confirm.
    earlier: Option<Look>,
    /// The looks since then that have left it in doubt.
    doubts: u32,
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
                Event::Stopped { signal, handled, .. } => self.signalled(signal, handled),
                Event::Timeout => {
                    self.stop_with_the_program();
                    if !self.is_alone && self.is_worth_a_look() && self.is_deadlocked() {
                        if end_on_deadlock {
                            self.end()?;
                            return Ok(Outcome::Deadlocked);
                        }
                        self.leave_alone();
                    }
                }
            }
        }
    }

    fn wait(&mut self, limit: Duration) -> Result<Event, Failure> {
        self.child.wait(Some(limit)).map_err(|error| Failure::own(error.to_string()))
    }

    /// A signal is about to be delivered to the program.
    fn signalled(&mut self, signal: i32, handled: bool) {
        let pid = self.pid.as_raw_nonzero();
        if signal == SIGQUIT {
            // Without the signal, lest it look like the reason of the stop.
            self.child.go_on(0);
            self.show(&format!("{} (process {pid}), which goes on:", self.name));
            return;
        }
        if signal == SIGINT {
            self.show(&format!("{} (process {pid}) at the interrupt:", self.name));
        } else if CRASHES.contains(&signal) && !handled {
            let name = signal_name(signal).unwrap_or("a signal");
            self.show(&format!("{} (process {pid}) crashes by {name}:", self.name));
        }
        self.child.go_on(signal);
    }

    /// Stops after Ctrl-Z, which has reached the program meanwhile, so that the shell takes over.
    /// Had we stopped at once, the program would get its signal only when all is to go on again.
    fn stop_with_the_program(&self) {
        if self.suspend.swap(false, Ordering::SeqCst) && !self.child.handles(SIGTSTP) {
            raise(SIGSTOP).ok();
        }
    }

    /// Prints the state. If the process cannot be looked at, the program goes on all the same.
    fn show(&mut self, heading: &str) {
        match self.look() {
            Ok(look) => self.print(heading, &look),
            Err(failure) => self.write(&format!("oxomp: {heading} {failure}\n")),
        }
    }

    fn look(&mut self) -> Result<Look, Failure> {
        Look::of(self.child.image())
    }

    fn print(&mut self, heading: &str, look: &Look) {
        let text = look.text(self.report.style());
        self.write(&format!("oxomp: {heading}\n{text}"));
    }

    /// Writes the text, to standard error if the file takes no more: a full disk must not make us
    /// leave the program, whether it goes on or has ended.
    fn write(&mut self, text: &str) {
        let Err(failure) = self.report.write(text) else { return };
        self.report = Report::Stderr;
        // Writing to standard error fails only where it has no reader.
        self.report.write(&format!("oxomp: {failure}\n{text}")).ok();
    }

    /// Whether the program stands still, or was looked at for that reason once.
    fn is_worth_a_look(&mut self) -> bool {
        let Some(time) = processor_time(self.pid) else { return false };
        self.stillness.measure(time, Instant::now()) || self.earlier.is_some()
    }

    /// Looks; prints the explanation if two looks have found the same deadlock.
    fn is_deadlocked(&mut self) -> bool {
        // A process that cannot be looked at now may be at the next time.
        let Ok(look) = self.look() else { return false };
        let Some(earlier) = self.earlier.take() else {
            self.earlier = Some(look);
            return false;
        };
        let look = look.after(&earlier);
        if !look.confirms(&earlier) {
            if look.finds_deadlock() {
                // Threads that spin are known to wait by the second look only, hence the third.
                (self.earlier, self.doubts) = (Some(look), 0);
            } else if look.is_in_doubt() && self.doubts < MOST_DOUBTS {
                // On a loaded machine threads that spin may have had no processor meanwhile.
                (self.earlier, self.doubts) = (Some(earlier), self.doubts + 1);
            } else {
                self.doubts = 0;
            }
            return false;
        }
        let pid = self.pid.as_raw_nonzero();
        self.print(&format!("{} (process {pid}) does not go on:", self.name), &look);
        true
    }

    /// Lets the program run untraced, for other debuggers.
    fn leave_alone(&mut self) {
        self.is_alone = true;
        self.child.let_go();
        let pid = self.pid.as_raw_nonzero();
        self.write(&format!("oxomp: Ctrl-C ends it; gdb looks closer: gdb -p {pid}\n"));
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
                Event::Timeout => {}
            }
            if !is_forced && begin.elapsed() > GRACE {
                is_forced = true;
                kill_process(self.pid, Signal::KILL).ok();
            }
        }
    }
}
