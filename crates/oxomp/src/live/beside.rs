//! A display on a thread of its own, while a program runs.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Display, Screen};

/// The longest time for which the end waits.
const LOOK: Duration = Duration::from_millis(50);

/// The display, until it is stopped.
#[derive(Debug)]
pub(crate) struct Beside {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Beside {
    /// Shows what the processes do that record to `folder`, on standard error.
    pub(crate) fn start(folder: PathBuf, interval: Duration) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut display = Display::of(&folder, interval, Screen::of_errors());
            while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                // Without standard error there is nothing to show.
                if display.show_if_due().is_err() {
                    return;
                }
            }
        });
        Self { stop, thread }
    }

    /// Ends the display.
    pub(crate) fn stop(self) {
        drop(self.stop);
        self.thread.join().ok();
    }
}
