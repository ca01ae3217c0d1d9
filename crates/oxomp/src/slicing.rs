//! Time slices of the recordings of a run: a thread of this command follows the files while they
//! are written, and adds to each, once it has ended, what the threads did in each slice of time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use oxomp_trace::{Slicer, SlicesError};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::alive::is_alive;
use crate::data_folder::{DataFolder, shown};
use crate::messages::say;

/// The time between two looks for new recordings, and for those that have ended.
const LOOK: Duration = Duration::from_millis(50);
/// Looks take at most one such part of a processor's time.
const PART_OF_TIME: u32 = 20;

/// The thread that follows the recordings.
#[derive(Debug)]
pub(crate) struct Slicing {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Slicing {
    /// Begins to follow what is recorded to `folder`, in slices of this `length`.
    pub(crate) fn start(folder: DataFolder, length: Duration) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut recordings = Recordings { folder, length, followed: BTreeMap::new() };
            while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                recordings.round();
            }
            recordings.finish();
        });
        Self { stop, thread }
    }

    /// Adds the slices to the recordings that have ended and are not complete yet.
    pub(crate) fn finish(self) {
        drop(self.stop);
        self.thread.join().ok();
    }
}

/// A recording that is followed.
struct Followed {
    slicer: Slicer,
    pid: u32,
    /// When the next slice begins.
    due: Instant,
}

impl Followed {
    /// Follows the recording at `path`, if it has begun.
    fn open(path: &Path) -> Option<Self> {
        let slicer = Slicer::open(path).ok()?;
        let pid = slicer.pid().ok()?;
        Some(Self { slicer, pid, due: Instant::now() })
    }

    /// Begins the next slice, if it is time; false if it is not.
    fn look(&mut self, length: Duration) -> bool {
        let begin = Instant::now();
        if begin < self.due {
            return false;
        }
        let before = processor_time();
        // What cannot be read now may be read the next time.
        self.slicer.cut().ok();
        let distance = length.saturating_mul(self.slicer.longer());
        let cost = processor_time().saturating_sub(before);
        self.due = begin + distance.max(cost * PART_OF_TIME);
        true
    }
}

/// The recordings of the run.
struct Recordings {
    folder: DataFolder,
    length: Duration,
    /// Those that are followed; `None`: the slices are in the file.
    followed: BTreeMap<PathBuf, Option<Followed>>,
}

impl Recordings {
    /// Looks at each recording, and completes those that have ended with their process.
    fn round(&mut self) {
        self.find();
        for (path, place) in &mut self.followed {
            let Some(followed) = place else { continue };
            // Whether the file is in use is costly to know: it is asked once in a slice.
            if followed.look(self.length)
                && followed.slicer.has_ended()
                && !is_alive(followed.pid)
                && !is_in_use(path)
                && let Some(followed) = place.take()
            {
                complete(path, followed);
            }
        }
    }

    /// Takes up the recordings that have begun.
    fn find(&mut self) {
        // A folder that cannot be read now may be read the next time.
        for path in self.folder.own_profiles().unwrap_or_default() {
            if !self.followed.contains_key(&path)
                && let Some(followed) = Followed::open(&path)
            {
                self.followed.insert(path, Some(followed));
            }
        }
    }

    /// Completes the recordings that have ended, or whose process is gone.
    fn finish(mut self) {
        self.find();
        for (path, followed) in self.followed {
            let Some(mut followed) = followed else { continue };
            // The recording of a process that goes on may have ended.
            followed.slicer.cut().ok();
            if !followed.slicer.has_ended() && is_in_use(&path) {
                // A process without anything to record leaves no recording.
                if !followed.slicer.is_empty() {
                    say(format_args!("{}: without time slices: the process goes on", shown(&path)));
                }
                continue;
            }
            complete(&path, followed);
        }
    }
}

/// Adds the slices to the recording at `path`.
fn complete(path: &Path, followed: Followed) {
    // A longer file would be the end of this command, by a signal.
    let most = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
    // Of a recording that cannot be read the summary tells.
    if let Err(error @ SlicesError::Write(_)) = followed.slicer.finish(most) {
        say(format_args!("{}: without time slices: {error}", shown(path)));
    }
}

/// Whether a process has the file in its memory. Its number in the file says nothing where the
/// process has a namespace of numbers of its own.
fn is_in_use(path: &Path) -> bool {
    let name = path.as_os_str().to_string_lossy();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut maps = processes.filter_map(|one| fs::read_to_string(one.path().join("maps")).ok());
    maps.any(|maps| maps.lines().any(|line| line.ends_with(&*name)))
}

/// The processor time of the calling thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}
