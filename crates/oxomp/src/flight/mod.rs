//! A recording of the last seconds: they are written when the user or the program asks for them,
//! when a region takes long, and when the program ends.
//!
//! The processes record to a hidden folder, each into a file of bounded size in which the past is
//! overwritten. A thread of this command follows the files, and writes what is asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use oxomp_analysis::report::units::time;
use oxomp_analysis::symbols::Symbols;
use oxomp_trace::Rank;
use rustix::process::getpid;

use crate::data_folder::{DataFolder, make_folder, shown};
use crate::failure::Failure;
use crate::messages::say;
use crate::props::LastProps;
use crate::variables::Variables;

mod followed;
mod labels;

use followed::{Followed, Reason, Watch};
use labels::folder_name;

/// The time between two looks for a reason to write.
const LOOK: Duration = Duration::from_millis(50);
/// The hidden folder of the recordings that are overwritten.
const RING: &str = ".ring";
/// Why the last seconds of a process are written that has ended by itself.
pub(crate) const ENDED: &str = "the program ended";
/// The most excerpts that triggers write.
const MOST_TRIGGERED: u32 = 20;

/// Where the last seconds are recorded, and when they are written.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    props: LastProps,
    folder: PathBuf,
    ring: PathBuf,
    /// The rank of a job, in the names of its excerpts.
    rank: Option<u32>,
}

impl Flight {
    /// A recording of what `props` ask for, to `folder`.
    pub(crate) fn new(props: &LastProps, folder: &DataFolder, rank: Option<&Rank>) -> Self {
        let rank = rank.map(|rank| rank.number);
        let name = rank.map_or(RING.to_owned(), |rank| format!("{RING}-{rank}"));
        let ring = folder.path().join(name);
        let folder = folder.path().to_owned();
        Self { props: props.clone(), folder, ring, rank }
    }

    /// The folder to which the processes record, which is hidden and not made yet.
    pub(crate) fn ring(&self) -> &Path {
        &self.ring
    }

    /// Makes the folder to which the processes record.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        if self.ring.exists() {
            return Err(Failure::own(format!(
                "{}: holds the data of a run whose oxomp was killed; name another folder, or remove it",
                shown(&self.ring)
            )));
        }
        make_folder(&self.ring)
    }

    /// Sets the collector's variables, without that of the folder.
    pub(crate) fn set(&self, variables: &mut Variables) {
        variables.set("OXOMP_LIVE", "1");
        variables.set("OXOMP_LAST", self.props.last.as_secs_f64().to_string());
        if let Some(limit) = self.props.triggers.iter().map(|trigger| trigger.limit()).min() {
            variables.set("OXOMP_SLOW_REGION", limit.as_secs_f64().to_string());
        }
    }

    /// Begins to follow the recordings; `asked` says whether the user has asked for the last
    /// seconds since the last call.
    pub(crate) fn start(self, asked: impl Fn() -> bool + Send + 'static) -> Following {
        say(format_args!(
            "recording the last {}; `kill -USR1 {}` writes them",
            time(nanoseconds(self.props.last)),
            getpid().as_raw_nonzero()
        ));
        let (stop, stopped) = mpsc::channel::<String>();
        let thread = thread::spawn(move || {
            let mut follower = Follower {
                flight: self,
                recordings: BTreeMap::new(),
                symbols: Symbols::new(),
                written: 0,
                triggered: 0,
                quiet: None,
            };
            loop {
                match stopped.recv_timeout(LOOK) {
                    Err(RecvTimeoutError::Timeout) => follower.round(asked()),
                    Ok(why) => return follower.finish(&why),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Following { stop, thread }
    }

    /// Removes the hidden folder, if nothing was recorded.
    pub(crate) fn discard(&self) {
        fs::remove_dir(&self.ring).ok();
    }
}

/// The thread that follows the recordings.
#[derive(Debug)]
pub(crate) struct Following {
    stop: Sender<String>,
    thread: JoinHandle<()>,
}

impl Following {
    /// Writes the last seconds of each process into the folder, for the reason `why`.
    pub(crate) fn finish(self, why: &str) {
        self.stop.send(why.to_owned()).ok();
        self.thread.join().ok();
    }
}

/// The recordings that are followed.
struct Follower {
    flight: Flight,
    recordings: BTreeMap<PathBuf, Followed>,
    symbols: Symbols,
    /// Excerpts that were written, and those of them for a long region.
    written: u32,
    triggered: u32,
    /// Until when no region is a reason: what it shows has been written.
    quiet: Option<Instant>,
}

impl Follower {
    /// Looks at each recording, and writes the last seconds if there is a reason.
    fn round(&mut self, asked: bool) {
        self.find();
        let now = Instant::now();
        let is_quiet =
            self.triggered >= MOST_TRIGGERED || self.quiet.is_some_and(|until| now < until);
        let mut reasons = Vec::new();
        if asked {
            reasons.push(Reason::Asked);
        }
        for followed in self.recordings.values_mut() {
            let LastProps { last, triggers } = &self.flight.props;
            let watch = Watch { last: *last, triggers, is_quiet };
            reasons.extend(followed.look(watch, &mut self.symbols));
        }
        let request = reasons.iter().position(Reason::is_request);
        if let Some(reason) = reasons.get(request.unwrap_or(0)).cloned() {
            self.write(&reason);
        }
        self.forget(now);
    }

    /// Lets go the recordings of processes that were over before what is kept, but for the last of
    /// all.
    fn forget(&mut self, now: Instant) {
        let over = self.recordings.iter_mut().map(|(path, one)| (one.over(), path.clone()));
        let mut over: Vec<_> = over.filter_map(|(since, path)| Some((since?, path))).collect();
        over.sort();
        if over.len() == self.recordings.len() {
            over.pop();
        }
        let is_past =
            |since: Instant| now.saturating_duration_since(since) > self.flight.props.last;
        for (_, path) in over.into_iter().filter(|(since, _)| is_past(*since)) {
            self.recordings.remove(&path);
            fs::remove_file(&path).ok();
        }
    }

    /// Takes up the recordings that have begun.
    fn find(&mut self) {
        // A folder that cannot be read now may be read the next time.
        for path in DataFolder::open(&self.flight.ring).profiles().unwrap_or_default() {
            if !self.recordings.contains_key(&path)
                && let Some(followed) = Followed::open(&path, self.flight.props.last)
            {
                self.recordings.insert(path, followed);
            }
        }
    }

    /// Writes the last seconds of the processes that run into a folder of their own.
    fn write(&mut self, reason: &Reason) {
        self.written += 1;
        let name = folder_name(self.flight.rank, self.written, reason);
        let folder = self.flight.folder.join(name);
        if let Err(failure) = make_folder(&folder) {
            say(failure);
            return;
        }
        let (mut longest, mut has_failed) = (None, false);
        for (path, followed) in self.recordings.iter_mut().filter(|(_, one)| one.runs()) {
            let Some(name) = path.file_name() else { continue };
            match followed.write(&reason.to_string(), &folder.join(name)) {
                Ok(covered) => longest = longest.max(covered),
                Err(error) => {
                    has_failed = true;
                    say(format_args!("{}: {error}", shown(&folder.join(name))));
                }
            }
        }
        match longest {
            Some(covered) => {
                let last = time(covered);
                say(format_args!("{reason}: the last {last} are in {}", shown(&folder)));
            }
            None => {
                fs::remove_dir(&folder).ok();
                if !has_failed {
                    say(format_args!("{reason}, but nothing is recorded of a process that runs"));
                }
            }
        }
        if !reason.is_request() {
            self.quiet = Some(Instant::now() + self.flight.props.last / 2);
            self.triggered += 1;
            if self.triggered == MOST_TRIGGERED {
                say(format_args!(
                    "triggers have written {MOST_TRIGGERED} times, and write no more"
                ));
            }
        }
    }

    /// Writes the last seconds of a process into the folder of the run.
    fn close(&mut self, path: &Path, why: &str) {
        let Some((mut followed, name)) = self.recordings.remove(path).zip(path.file_name()) else {
            return;
        };
        let place = self.flight.folder.join(name);
        let is_done = match followed.write(why, &place) {
            Ok(_) if followed.runs() => {
                say(format_args!("a process goes on: its recording stays at {}", shown(path)));
                Ok(())
            }
            Ok(Some(_)) => fs::remove_file(path),
            // Of so short a recording nothing is overwritten.
            Ok(None) => fs::rename(path, &place),
            Err(error) => {
                say(format_args!("{}: {error}; {} stays", shown(&place), shown(path)));
                Ok(())
            }
        };
        is_done.ok();
    }

    /// Writes the last seconds of each process into the folder of the run.
    fn finish(mut self, why: &str) {
        // What was asked for, and what took long, just before the end.
        self.round(false);
        for path in self.recordings.keys().cloned().collect::<Vec<_>>() {
            self.close(&path, why);
        }
        for path in DataFolder::open(&self.flight.ring).profiles().unwrap_or_default() {
            // One that cannot be read as a recording.
            if Followed::open(&path, self.flight.props.last).is_none()
                && let Some(name) = path.file_name()
            {
                fs::rename(&path, self.flight.folder.join(name)).ok();
            }
        }
        self.flight.discard();
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
