//! A snapshot: the situation of a stopped process, and the runtime that it is on.

mod build;
mod native;
mod runtime;
mod variables;
mod waits;

use oxomp_inspect::Image;
use oxomp_text::Style;

pub use runtime::Runtime;

use crate::graph::{Deadlock, Graph};
use crate::situation::{Activity, Situation};
use crate::text;

/// A stopped process, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its number.
    pub pid: i32,
    /// The file name of the program.
    pub program: String,
    /// Its OpenMP runtime.
    pub runtime: Runtime,
    /// Its threads, regions and tasks.
    pub situation: Situation,
}

impl Snapshot {
    /// The snapshot of a process. What cannot be read is missing there, and the text says so.
    ///
    /// The waits of threads in a system call count as lasting. A thread that spins may have been
    /// stopped between the end of its wait and the note of that end, so a wait that does not sleep
    /// counts only after [`Snapshot::settle`].
    #[must_use]
    pub fn take(image: &Image) -> Self {
        let (runtime, space, module) = runtime::find(image);
        Snapshot {
            pid: image.pid(),
            program: image.modules().first().map_or("", |module| module.name()).to_owned(),
            runtime,
            situation: build::situation(image, space.as_ref(), module),
        }
    }

    /// Compares with a snapshot of the same process, which ran between: a wait lasts if it is the
    /// same in both, and only then.
    pub fn settle(&mut self, earlier: &Snapshot) {
        let before = &earlier.situation;
        for thread in &mut self.situation.threads {
            let same = before.threads.iter().find(|other| other.lwp == thread.lwp);
            thread.settled = match (&thread.activity, same) {
                (Activity::Waits(_), Some(other)) => {
                    other.activity == thread.activity && other.path == thread.path
                }
                _ => false,
            };
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

    /// The verdict: a few sentences.
    #[must_use]
    pub fn verdict(&self) -> Vec<String> {
        let runtime = self.runtime.to_string();
        let mut sentences = Vec::new();
        if !runtime.is_empty() {
            sentences.push(runtime);
        }
        if matches!(self.runtime, Runtime::Oxomp { has_started: true, .. }) {
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
