//! A sign of progress during long work, if standard error is a terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Shorter work needs no sign.
const PATIENCE: Duration = Duration::from_millis(500);

/// Does `work`, showing `what` and the seconds since its start on a terminal.
pub(crate) fn show_while<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let begin = Instant::now();
            let mut shown = false;
            while is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown = true;
                write_over(&format!("oxomp: {what}, {} s", begin.elapsed().as_secs()));
            }
            if shown {
                write_over("");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Replaces the terminal's current line.
fn write_over(text: &str) {
    let mut terminal = stderr().lock();
    // A terminal that has gone away is no reason to stop working.
    write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush()).ok();
}
