//! A sign of progress during long work, if standard error is a terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Shorter work needs no sign.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);

/// The terminal's line on which the seconds since the start of some work stand.
#[derive(Debug)]
pub(crate) struct Progress {
    begin: Instant,
    is_seen: bool,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn begin() -> Self {
        Self { begin: Instant::now(), is_seen: stderr().is_terminal(), is_shown: false }
    }

    /// Shows `what` and the seconds.
    pub(crate) fn show(&mut self, what: &str) {
        if self.is_seen {
            self.is_shown = true;
            write_over(&format!("oxomp: {what}, {} s", self.begin.elapsed().as_secs()));
        }
    }

    /// Leaves the line to other output.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            self.is_shown = false;
            write_over("");
        }
    }
}

/// Does `work`, showing `what` and the seconds since its start on a terminal.
pub(crate) fn show_while<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut progress = Progress::begin();
            while is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                progress.show(what);
            }
            progress.clear();
        });
        let result = work();
        drop(done);
        result
    })
}

/// Replaces the terminal's current line.
fn write_over(text: &str) {
    let mut terminal = stderr().lock();
    // The work goes on if the terminal has gone away.
    write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush()).ok();
}
