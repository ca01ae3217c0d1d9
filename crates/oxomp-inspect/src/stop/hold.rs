//! The thread that holds a process.
//!
//! A tracee belongs to the thread that stopped it, so one is made for each stopped process. It
//! waits until the image is dropped, lets the process go on, and ends; the kernel lets go what
//! might be left then. If this whole process is killed, the kernel does the same: no thread of the
//! stopped process stays behind.

use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use super::attach::{Held, Threads};
use crate::error::{Error, Result};

/// Keeps a process stopped.
#[derive(Debug)]
pub(crate) struct Hold {
    /// Hanging up lets the process go on.
    line: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Hold {
    /// Stops the process, and tells how its threads stand.
    pub(crate) fn take(pid: i32) -> Result<(Self, Vec<Held>)> {
        let (answer, answers) = mpsc::channel();
        let (line, hung_up) = mpsc::channel::<()>();
        let thread = thread::Builder::new()
            .name("holds a process".to_owned())
            .spawn(move || match Threads::stop(pid) {
                Ok(threads) => {
                    let _ = answer.send(Ok(threads.look()));
                    // Nothing is ever sent: this returns when the other end is dropped.
                    let _ = hung_up.recv();
                    threads.let_go();
                }
                // Threads that were stopped before the failure are let go by the thread's end.
                Err(error) => {
                    let _ = answer.send(Err(error));
                }
            })
            .map_err(|error| Error::Process { pid, what: "a thread to hold it", error })?;
        let hold = Self { line: Some(line), thread: Some(thread) };
        let held = answers.recv().unwrap_or(Err(Error::Ended { pid }))?;
        Ok((hold, held))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        drop(self.line.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has ended the tracing as well.
            let _ = thread.join();
        }
    }
}
