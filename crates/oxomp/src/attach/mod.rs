//! The collector in a process that runs already, on oxomp's runtime: how it gets there, and how it
//! leaves.
//!
//! The command writes a wish into the process's memory and waits; the process is never stopped.
//! `oxomp_sys::attach` has the protocol.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use rustix::process::geteuid;

use crate::data_folder::{DataFolder, make_folder};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::messages::{reason, say};
use crate::progress::Progress;
use crate::variables::Variables;

mod process;
mod state;
mod user;

use process::Gone;
pub(crate) use process::Running;
use state::State;
use user::become_user;

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
    /// Makes the process load the collector, which records to `recordings`, that is `folder` or a
    /// new folder in it, with `variables` in the place of the environment's. `None` if the user
    /// interrupts before; then nothing was recorded.
    ///
    /// For a process of another user this command becomes that user.
    pub(crate) fn begin(
        running: &'a Running,
        folder: &DataFolder,
        recordings: &Path,
        variables: &Variables,
        asked_to_stop: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Failure> {
        let begins = || {
            let gone = |Gone| running.has_ended();
            let collector = prepare(running, folder)?;
            if recordings != folder.path() {
                make_folder(recordings)?;
            }
            if !await_runtime(running, asked_to_stop)? {
                return Ok(false);
            }
            let wish = request(running, &strings(running, &collector, recordings, variables));
            let Some(wish) = wish.map_err(gone)? else {
                return Err(refused(running, "the names of the folders are too long"));
            };
            await_begin(running, wish, asked_to_stop)
        };
        let begun = begins();
        if !matches!(begun, Ok(true)) {
            if recordings != folder.path() {
                fs::remove_dir(recordings).ok();
            }
            folder.discard_if_empty();
        }
        Ok(begun?.then_some(Self { running }))
    }

    /// Whether the collector records.
    pub(crate) fn is_on(&self) -> bool {
        self.running.state().is_ok_and(|state| state == State::Attached)
    }

    /// Makes the collector end the recording and leave, and waits until it has; if the process ends
    /// by itself, until it has ended the recording.
    pub(crate) fn leave(self) {
        let running = self.running;
        running.wish(0).ok();
        let end = Instant::now();
        let is_there = |state| matches!(state, State::Attached | State::Ending);
        while running.state().is_ok_and(is_there) {
            let why = if running.is_stopped() {
                "it is stopped"
            } else if end.elapsed() > LONGEST_END {
                "it has had ten seconds for that"
            } else {
                thread::sleep(LOOK);
                continue;
            };
            say(format_args!(
                "{} has not ended its recording, which is that of an interrupted run: {why}",
                running.named()
            ));
            return;
        }
    }
}

/// Makes sure that the process can write to the folder. Returns the collector's path.
fn prepare(running: &Running, folder: &DataFolder) -> Result<PathBuf, Failure> {
    let collector = Installation::find()?.collector()?;
    if let Some(user) = running.other_user().filter(|_| geteuid().is_root()) {
        become_user(folder.is_new().then(|| folder.path()), user).map_err(|error| {
            refused(running, &format!("its user cannot be taken on: {}", reason(&error)))
        })?;
    }
    folder.check_room()?;
    if !running.sees(folder.path()) {
        let why = format!(
            "it sees other files than this command, perhaps in a container: {} is another folder \
             for it, or none (run oxomp where the process runs)",
            folder.path().display()
        );
        return Err(refused(running, &why));
    }
    Ok(collector)
}

/// The strings of a request.
fn strings(
    running: &Running,
    collector: &Path,
    recordings: &Path,
    variables: &Variables,
) -> Vec<Vec<u8>> {
    let mut strings = vec![collector.as_os_str().as_bytes().to_vec()];
    let mut set = |name: &str, value: &[u8]| strings.push([name.as_bytes(), b"=", value].concat());
    set("OXOMP_OUT", recordings.as_os_str().as_bytes());
    let is_set = |wanted: &str| variables.as_slice().iter().any(|(name, _)| name == wanted);
    if running.is_filtered() && !is_set("OXOMP_SAMPLER") {
        // A filter may end a process for the system call, and few allow it.
        set("OXOMP_SAMPLER", b"timer");
    }
    for (name, value) in variables.as_slice() {
        set(&name.to_string_lossy(), value.as_bytes());
    }
    strings
}

/// Writes a wish for a tool. Returns its number; `None` if the strings are too long.
fn request(running: &Running, strings: &[Vec<u8>]) -> Result<Option<u32>, Gone> {
    if !running.set_text(strings)? {
        return Ok(None);
    }
    let (_, answered) = running.wishes()?;
    let wish = answered.wrapping_add(1).max(1);
    running.wish(wish)?;
    running.raise_events()?;
    Ok(Some(wish))
}

fn refused(running: &Running, why: &str) -> Failure {
    Failure::own(format!("{} cannot be recorded: {why}", running.named()))
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

/// Waits until a tool can be attached; false if the user interrupts before. A command that died
/// may have left a wish, or a collector.
fn await_runtime(running: &Running, asked_to_stop: &dyn Fn() -> bool) -> Result<bool, Failure> {
    let gone = |Gone| running.has_ended();
    let mut wait = Wait::begin();
    let mut has_withdrawn = false;
    let name = &running.name;
    loop {
        let state = running.state().map_err(gone)?;
        let (wish, answered) = running.wishes().map_err(gone)?;
        let (awaited, news) = match state {
            State::Open | State::Failed if wish == 0 || wish == answered || has_withdrawn => {
                return Ok(true);
            }
            State::Taken => return Err(refused(running, "it has an OMPT tool already")),
            State::Unknown => return Err(refused(running, "its runtime is in no known state")),
            State::Open | State::Failed | State::Starting | State::Attached => {
                if !has_withdrawn {
                    has_withdrawn = true;
                    running.wish(0).map_err(gone)?;
                    say(format_args!(
                        "the command that recorded {name} before has not ended that: it ends now"
                    ));
                }
                (
                    "end an earlier recording",
                    "has not ended an earlier recording yet: it is recorded once it has",
                )
            }
            State::Closed => ("use OpenMP", "has not used OpenMP yet: it is recorded once it does"),
            State::Ending => ("end", "is about to end, and not recorded any more"),
        };
        if asked_to_stop() {
            return Ok(false);
        }
        wait.more(awaited, format_args!("{name} {news}{}", halt(running)));
    }
}

/// Waits until the collector is there, for which the command has written `wish`; false if the user
/// interrupts before.
fn await_begin(
    running: &Running,
    wish: u32,
    asked_to_stop: &dyn Fn() -> bool,
) -> Result<bool, Failure> {
    let gone = |Gone| running.has_ended();
    let mut wait = Wait::begin();
    let mut is_withdrawn = None;
    loop {
        let (_, answered) = running.wishes().map_err(gone)?;
        match running.state().map_err(gone)? {
            State::Attached => return Ok(true),
            State::Failed if answered == wish => {
                let why = running.reason().map_err(gone)?;
                return Err(refused(running, &why));
            }
            State::Open | State::Failed if is_withdrawn.is_some() => return Ok(false),
            State::Open | State::Failed => running.raise_events().map_err(gone)?,
            State::Closed | State::Ending if is_withdrawn.is_some() => return Ok(false),
            State::Closed | State::Ending | State::Starting => {}
            State::Taken | State::Unknown => {
                return Err(refused(running, "its runtime is in no known state"));
            }
        }
        if asked_to_stop() && is_withdrawn.is_none() {
            running.wish(0).map_err(gone)?;
            is_withdrawn = Some(Instant::now());
        }
        if is_withdrawn.is_some_and(|since: Instant| since.elapsed() > LONGEST_END) {
            return Err(refused(running, "its loader has not loaded the collector"));
        }
        let name = &running.name;
        wait.more(
            "begin a construct",
            format_args!(
                "{name} has begun no construct of OpenMP for a second: it is recorded from its \
                 next one on{}",
                halt(running)
            ),
        );
    }
}

/// What to know of a process that is stopped, as the end of a sentence.
fn halt(running: &Running) -> &'static str {
    if running.is_stopped() { " (it is stopped, by a signal or a debugger)" } else { "" }
}
