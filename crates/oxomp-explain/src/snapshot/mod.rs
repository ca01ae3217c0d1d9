//! A snapshot: the situation of a stopped process, and the runtime that it is on.

mod blocked;
mod build;
mod ended;
mod library;
mod native;
mod runtime;
mod variables;
mod waits;

use std::time::Duration;

use oxomp_inspect::Image;
use oxomp_text::Style;

pub use runtime::Runtime;

use crate::graph::{Deadlock, Graph};
use crate::situation::{Activity, Situation, Turn, Wait};
use crate::text;

/// Processor time in which a thread notes the end of its wait, and several times what the two stops
/// cost it in the kernel, which is about 10 microseconds. A thread that naps in its wait uses about
/// 20 each time that it looks, at least every 10 milliseconds.
const LONG_ENOUGH: Duration = Duration::from_micros(50);

/// A stopped process, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The process id.
    pub pid: i32,
    /// The file name of the program.
    pub program: String,
    /// Its OpenMP runtime.
    pub runtime: Runtime,
    /// Its threads, regions and tasks.
    pub situation: Situation,
    /// The processor time of each thread, where the process lives.
    clocks: Vec<Option<Duration>>,
}

impl Snapshot {
    /// The snapshot of a process. What cannot be read is missing there, and the text says so.
    ///
    /// The waits of threads that sleep in the kernel count as lasting. A thread that spins may have
    /// been stopped between the end of its wait and the note of that end, so its wait counts only
    /// after [`Snapshot::settle`].
    #[must_use]
    pub fn take(image: &Image) -> Self {
        let (runtime, space, module) = runtime::find(image);
        Snapshot {
            pid: image.pid(),
            program: image.modules().first().map_or("", |module| module.name()).to_owned(),
            runtime,
            situation: build::situation(image, space.as_ref(), module),
            clocks: image.threads().iter().map(|thread| thread.cpu_time).collect(),
        }
    }

    /// Compares with a snapshot of the same process, which ran between: the wait of a thread that
    /// spins lasts if it is the same in both, and the thread has had a processor long enough to
    /// leave it.
    pub fn settle(&mut self, earlier: &Snapshot) {
        let before = || earlier.situation.threads.iter().zip(&earlier.clocks);
        let threads = &mut self.situation.threads;
        // Of each thread: the processor time that it has used in the same wait.
        let waited: Vec<Option<Duration>> = threads
            .iter()
            .zip(&self.clocks)
            .map(|(thread, clock)| {
                let (other, earlier) = before().find(|(other, _)| other.lwp == thread.lwp)?;
                let is_same = other.activity == thread.activity && other.path == thread.path;
                let ran = clock.zip(*earlier).map(|(now, then)| now.saturating_sub(then));
                ran.filter(|_| is_same)
            })
            .collect();
        // Whether no waiting thread came to its wait between the looks.
        let all_wait = threads
            .iter()
            .zip(&waited)
            .all(|(thread, waited)| thread.wait().is_none() || waited.is_some());
        for (thread, waited_here) in threads.iter_mut().zip(&waited) {
            let has_looked = waited_here.is_some_and(|ran| ran >= LONG_ENOUGH);
            let others_wait = match &thread.activity {
                Activity::Waits(Wait::Turn {
                    is_polled: true, turn: Turn::OneOf(others), ..
                }) => {
                    // A thread that has posted between the looks is in another wait now.
                    others.iter().all(|other| waited[other.0].is_some())
                }
                Activity::Waits(Wait::Barrier { .. }) => all_wait,
                Activity::Waits(_) | Activity::Idle => true,
                Activity::Runs | Activity::Unknown => false,
            };
            thread.settled |= has_looked && others_wait;
        }
    }

    /// The deadlocks that are proven.
    #[must_use]
    pub fn deadlocks(&self) -> Vec<Deadlock> {
        Graph::new(&self.situation).deadlocks()
    }

    /// Whether some threads are proven to wait for ever.
    #[must_use]
    pub fn is_deadlock(&self) -> bool {
        !self.deadlocks().is_empty()
    }

    /// Whether some threads would be proven to wait for ever if every wait were known to last: then
    /// a later look is worth while, in which those threads have had a processor.
    #[must_use]
    pub fn may_be_deadlock(&self) -> bool {
        let mut situation = self.situation.clone();
        situation.threads.iter_mut().for_each(|thread| thread.settled = true);
        !Graph::new(&situation).deadlocks().is_empty()
    }

    /// The verdict: a few sentences.
    #[must_use]
    pub fn verdict(&self) -> Vec<String> {
        let runtime = self.runtime.to_string();
        let mut sentences = Vec::new();
        if !runtime.is_empty() {
            sentences.push(runtime);
        }
        // The C library's mutexes may prove a deadlock on other runtimes, too.
        let is_read = matches!(self.runtime, Runtime::Oxomp { has_started: true, .. });
        if is_read || self.is_deadlock() {
            sentences.extend(text::verdict(&self.situation));
        }
        sentences
    }

    /// The whole explanation.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        text::render(&self.verdict(), &self.title(), &self.situation, style)
    }

    fn title(&self) -> String {
        let on = match &self.runtime {
            Runtime::Oxomp { version, .. } => format!(", {version}"),
            Runtime::Other(library) => format!(", {library}"),
            Runtime::Unreadable(_) | Runtime::None => String::new(),
        };
        let threads = self.situation.threads.len();
        let plural = if threads == 1 { "" } else { "s" };
        format!("Process {} ({}){on}, {threads} thread{plural}", self.pid, self.program)
    }
}
