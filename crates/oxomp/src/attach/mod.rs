//! The collector in a process that runs already, on oxomp's runtime: how it gets there, and how it
//! leaves.
//!
//! The command writes a request into the process's memory and waits; the process is never stopped.
//! `oxomp_sys::attach` has the states that both sides go through.

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::chown;
use std::thread;
use std::time::{Duration, Instant};

use oxomp_sys::attach::{ATTACHED, CLOSED, FAILED, LEAVING, OPEN, REQUESTED, STARTING};

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::locate::Installation;
use crate::messages::say;
use crate::progress::Progress;
use crate::variables::Variables;

mod process;

use process::{Events, Gone};

pub(crate) use process::Running;

/// The time between two looks at the process.
pub(crate) const LOOK: Duration = Duration::from_millis(10);
/// After this time without an event the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the collector may take to leave.
const LONGEST_END: Duration = Duration::from_secs(10);

/// The collector is in the process.
#[derive(Debug)]
pub(crate) struct Attachment<'a> {
    running: &'a Running,
}

impl<'a> Attachment<'a> {
    /// Makes the process load the collector, which records to `folder`, with `variables` in the
    /// place of the environment's. `None` if the user interrupts before; then nothing was recorded.
    pub(crate) fn begin(
        running: &'a Running,
        folder: &DataFolder,
        variables: &Variables,
        asked_to_stop: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Failure> {
        let begins = || {
            if !await_runtime(running, asked_to_stop)? {
                return Ok(false);
            }
            let before = request(running, folder, variables)?;
            await_begin(running, before, asked_to_stop)
        };
        let begun = begins();
        if !matches!(begun, Ok(true)) {
            folder.discard_if_empty();
        }
        Ok(begun?.then_some(Self { running }))
    }

    /// Whether the collector records.
    pub(crate) fn is_on(&self) -> bool {
        self.running.state().is_ok_and(|state| state == ATTACHED)
    }

    /// Makes the collector end the recording and leave.
    pub(crate) fn leave(self) {
        let running = self.running;
        if self.is_on() {
            running.set_state(LEAVING).ok();
        }
        let end = Instant::now();
        while running.state().is_ok_and(|state| state == LEAVING) {
            if end.elapsed() > LONGEST_END {
                say(format_args!(
                    "the collector has not left {} in {} s: the recording is that of an \
                     interrupted run",
                    running.name,
                    LONGEST_END.as_secs()
                ));
                return;
            }
            thread::sleep(LOOK);
        }
    }
}

/// Asks the runtime to load the collector.
fn request(
    running: &Running,
    folder: &DataFolder,
    variables: &Variables,
) -> Result<Events, Failure> {
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
    for (name, value) in variables.as_slice() {
        set(&name.to_string_lossy(), value.as_bytes());
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
        Ok(Err(why)) => Err(Failure::own(format!("{} cannot be recorded: {why}", running.named()))),
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
