//! `oxomp profile --pid`: records a process that runs already, on oxomp's runtime.
//!
//! The command writes a request into the process's memory and waits; the process is never stopped.
//! `oxomp_sys::attach` has the states that both sides go through.

use std::fmt;
use std::io::{Write, stderr};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::chown;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_sys::attach::{ATTACHED, CLOSED, FAILED, LEAVING, OPEN, REQUESTED, STARTING};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::messages::{say, say_all};
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::progress::Progress;
use crate::props::AttachProps;
use crate::terminal::style_of;

mod process;

use process::{Events, Gone, Running};

/// The time between two looks at the process.
const LOOK: Duration = Duration::from_millis(10);
/// After this time without an event the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the collector may take to leave.
const LONGEST_END: Duration = Duration::from_secs(10);

/// Records the process until the time is over, the user interrupts, or the process ends; prints the
/// summary on standard error.
pub(crate) fn attach(props: &AttachProps) -> Result<ExitCode, Failure> {
    let running = Running::find(props.pid)?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&stop))
            .map_err(|error| Failure::own(format!("cannot take over signals: {error}")))?;
    }
    let asked_to_stop = || stop.load(Ordering::Relaxed);
    let folder = DataFolder::create(props.output.as_deref(), &running.name, None)?;
    let begins = || {
        if !await_runtime(&running, &asked_to_stop)? {
            return Ok(false);
        }
        let before = request(props, &running, &folder)?;
        await_begin(&running, before, &asked_to_stop)
    };
    if !begins().inspect_err(|_| folder.discard_if_empty())? {
        folder.discard_if_empty();
        return Err(Failure::own(format!("nothing was recorded of process {}", props.pid)));
    }
    if props.verbose {
        say(format_args!("recording process {} to {}", props.pid, shown(folder.path())));
    }
    await_end(&running, props.duration, &asked_to_stop);
    show(&folder)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks the runtime to load the collector.
fn request(props: &AttachProps, running: &Running, folder: &DataFolder) -> Result<Events, Failure> {
    let collector = Installation::find()?.collector()?;
    folder.check_room()?;
    if let Some((user, group)) = running.user() {
        // Without the right to give it away the folder is the process's own user's already, or the
        // collector says that it cannot write there.
        chown(folder.path(), Some(user), Some(group)).ok();
    }
    let mut strings = vec![collector.as_os_str().as_bytes().to_vec()];
    let mut set = |name: &str, value: &[u8]| strings.push([name.as_bytes(), b"=", value].concat());
    set("OXOMP_OUT", folder.path().as_os_str().as_bytes());
    if let Some(hz) = props.hz {
        set("OXOMP_HZ", hz.to_string().as_bytes());
    }
    for name in ["OXOMP_MAX_SIZE", "OXOMP_SAMPLER", "OXOMP_EVENTS"] {
        if let Some(value) = std::env::var_os(name) {
            set(name, value.as_bytes());
        }
    }
    let ask = || -> Result<Result<Events, &str>, Gone> {
        match running.state()? {
            OPEN | FAILED => {}
            REQUESTED | STARTING | ATTACHED | LEAVING => {
                return Ok(Err("another command records it"));
            }
            CLOSED => return Err(Gone),
            _ => return Ok(Err("it has an OMPT tool already")),
        }
        if !running.set_text(&strings)? {
            return Ok(Err("the names of the folders are too long"));
        }
        running.set_state(REQUESTED)?;
        running.raise_events().map(Ok)
    };
    match ask() {
        Ok(Ok(before)) => Ok(before),
        Ok(Err(why)) => Err(Failure::own(format!(
            "process {} ({}) cannot be recorded: {why}",
            props.pid, running.name
        ))),
        Err(Gone) => Err(running.has_ended()),
    }
}

/// A time of waiting for the process, of which the user hears when it becomes long.
struct Wait {
    begin: Instant,
    progress: Progress,
    has_told: bool,
}

impl Wait {
    fn begin() -> Self {
        Self { begin: Instant::now(), progress: Progress::begin(), has_told: false }
    }

    /// Waits until the next look. `awaited` is a part of a sentence, `news` a sentence.
    fn more(&mut self, awaited: &str, news: fmt::Arguments<'_>) {
        if self.begin.elapsed() > PATIENCE {
            self.progress.show(&format!("waiting for the program to {awaited}"));
            if !self.has_told {
                self.has_told = true;
                say(news);
            }
        }
        thread::sleep(LOOK);
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.progress.clear();
    }
}

/// Waits until the program has started the runtime; false if the user interrupts before.
fn await_runtime(running: &Running, asked_to_stop: &dyn Fn() -> bool) -> Result<bool, Failure> {
    let mut wait = Wait::begin();
    while running.state().map_err(|Gone| running.has_ended())? == CLOSED {
        if asked_to_stop() {
            return Ok(false);
        }
        let name = &running.name;
        wait.more(
            "use OpenMP",
            format_args!("{name} has not used OpenMP yet: it is recorded once it does"),
        );
    }
    Ok(true)
}

/// Waits until the collector is there; false if the user interrupts before.
fn await_begin(
    running: &Running,
    before: Events,
    asked_to_stop: &dyn Fn() -> bool,
) -> Result<bool, Failure> {
    let mut wait = Wait::begin();
    loop {
        match running.state() {
            Ok(ATTACHED) => return Ok(true),
            Ok(FAILED) => {
                let why = running.text().unwrap_or_default();
                return Err(Failure::own(format!("{} cannot be recorded: {why}", running.name)));
            }
            Ok(REQUESTED) if asked_to_stop() => {
                let withdrawn = running.set_state(OPEN).and_then(|()| running.restore(before));
                thread::sleep(LOOK);
                match withdrawn.and_then(|()| running.state()) {
                    Ok(OPEN) => return Ok(false),
                    // A thread has begun at the same moment.
                    Ok(_) => continue,
                    Err(Gone) => return Err(running.has_ended()),
                }
            }
            Ok(_) => {}
            Err(Gone) => return Err(running.has_ended()),
        }
        let name = &running.name;
        wait.more(
            "begin a construct",
            format_args!(
                "{name} has begun no construct of OpenMP for a second: it is recorded from its \
                 next one on"
            ),
        );
    }
}

/// Waits until the recording is to end, and ends it.
fn await_end(running: &Running, duration: Option<Duration>, asked_to_stop: &dyn Fn() -> bool) {
    let begin = Instant::now();
    let mut progress = Progress::begin();
    let is_over = || duration.is_some_and(|duration| begin.elapsed() >= duration);
    while running.state().is_ok_and(|state| state == ATTACHED) && !is_over() && !asked_to_stop() {
        progress.show("recording, Ctrl-C ends it");
        thread::sleep(LOOK);
    }
    progress.clear();
    if running.state().is_ok_and(|state| state == ATTACHED) {
        running.set_state(LEAVING).ok();
    }
    let end = Instant::now();
    while running.state().is_ok_and(|state| state == LEAVING) {
        if end.elapsed() > LONGEST_END {
            say(format_args!(
                "the collector has not left {} in {} s: the summary is that of an interrupted run",
                running.name,
                LONGEST_END.as_secs()
            ));
            return;
        }
        thread::sleep(LOOK);
    }
}

/// Prints the summary.
fn show(folder: &DataFolder) -> Result<(), Failure> {
    let mut run = RunProfiles::read(&folder.profiles()?);
    say_all(&run.unreadable);
    run.name_files(folder);
    run.keep_names();
    let notes = RunNotes {
        runtime_origin: Some("attached while the program ran".to_owned()),
        folder: Some(folder.path().to_owned()),
        ..RunNotes::default()
    };
    match run.render(&notes, style_of(&stderr())) {
        Some(text) => {
            // If standard error is closed, the summary is lost; the data stays.
            stderr().lock().write_all(text.as_bytes()).ok();
            Ok(())
        }
        None => Err(Failure::own(format!("nothing recorded in {}", shown(folder.path())))),
    }
}
