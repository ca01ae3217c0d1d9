//! Stopping every thread of a process, and letting them go.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use oxomp_arch::read::Registers;
use oxomp_ptrace::{self as ptrace, SignalDetails, Status};

use super::refusal;
use crate::error::{Error, Result};
use crate::status::has_ended;

/// How long threads that were told to stop may take for it; one in a system call that cannot be
/// interrupted (a dead file server, the parent of vfork) is left out after that.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3);

/// A thread that is held.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) lwp: i32,
    /// `None` if it did not stop.
    pub(crate) registers: Option<Registers>,
    /// The signal for which it stopped, before the signal's delivery.
    pub(crate) signal: Option<SignalDetails>,
}

/// How far a thread has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It was told to stop.
    Told,
    /// It stands still; the signal, if not 0, is delivered when it goes on.
    Stopped { signal: i32 },
    /// It did not stop in time.
    Late,
}

/// The threads of a process that the calling thread traces.
#[derive(Debug, Default)]
pub(super) struct Threads {
    states: BTreeMap<i32, State>,
}

impl Threads {
    /// Stops every thread of the process.
    ///
    /// A thread that was not yet stopped may have created another one, so the list is read again
    /// until all of it stands still.
    pub(super) fn stop(pid: i32) -> Result<Self> {
        let mut threads = Self::default();
        loop {
            let new: Vec<i32> = match tasks(pid) {
                Ok(tasks) => {
                    tasks.into_iter().filter(|lwp| !threads.states.contains_key(lwp)).collect()
                }
                Err(_) => return Err(Error::Ended { pid }),
            };
            let mut taken = 0;
            for lwp in new {
                if threads.seize(pid, lwp)? {
                    taken += 1;
                }
            }
            if taken == 0 {
                break;
            }
            threads.wait(pid);
        }
        if threads.states.is_empty() {
            return Err(refusal::check(pid).err().unwrap_or(Error::Ended { pid }));
        }
        Ok(threads)
    }

    /// Begins to trace one thread, and tells it to stop. Returns whether it is traced now: it may
    /// have ended.
    fn seize(&mut self, pid: i32, lwp: i32) -> Result<bool> {
        if let Err(error) = ptrace::seize(lwp, 0) {
            // The kernel answers EPERM for a thread that is ending as well.
            return if has_ended(pid, lwp) {
                Ok(false)
            } else if error.kind() == io::ErrorKind::PermissionDenied {
                Err(refusal::explain(pid))
            } else {
                Err(Error::Process { pid, what: "stopping a thread", error })
            };
        }
        // An error means that it has ended since, which waiting for it tells.
        let _ = ptrace::interrupt(lwp);
        self.states.insert(lwp, State::Told);
        Ok(true)
    }

    /// Waits until every thread has stopped or ended, or patience is over.
    fn wait(&mut self, pid: i32) {
        let begin = Instant::now();
        let mut pause = Duration::from_micros(20);
        loop {
            self.states.retain(|&lwp, state| {
                if *state != State::Told {
                    return true;
                }
                match ptrace::wait_no_hang(lwp) {
                    // The kernel tells of the first thread's end only when the other threads have
                    // ended, too.
                    Ok(None) if has_ended(pid, lwp) => *state = State::Late,
                    Ok(None) => {}
                    Ok(Some(Status::Stopped { signal, event })) => {
                        // With an event, the signal belongs to a stop that lasts, and is not to be
                        // delivered.
                        *state = State::Stopped { signal: if event == 0 { signal } else { 0 } };
                    }
                    // It has ended, or another thread's execve(2) took its place.
                    Ok(Some(Status::Exited(_) | Status::Killed(_))) | Err(_) => return false,
                }
                true
            });
            if !self.states.values().any(|state| *state == State::Told) {
                return;
            }
            if begin.elapsed() > PATIENCE {
                self.states.values_mut().filter(|state| **state == State::Told).for_each(|state| {
                    *state = State::Late;
                });
                return;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// The registers and signals of the threads.
    pub(super) fn look(&self) -> Vec<Held> {
        self.states
            .iter()
            .map(|(&lwp, state)| match state {
                State::Stopped { signal } => Held {
                    lwp,
                    registers: ptrace::registers(lwp).ok(),
                    signal: (*signal != 0).then(|| ptrace::signal_details(lwp).ok()).flatten(),
                },
                State::Told | State::Late => Held { lwp, registers: None, signal: None },
            })
            .collect()
    }

    /// Lets all threads go on, with the signals for which they stopped.
    ///
    /// A thread that stopped in its group's stop stays in it: that is the kernel's rule for a
    /// tracee that is let go. One that did not stop in time is let go when the calling thread ends.
    pub(super) fn let_go(self) {
        for (lwp, state) in self.states {
            let signal = match state {
                State::Stopped { signal } => signal,
                State::Told | State::Late => match ptrace::wait_no_hang(lwp) {
                    Ok(Some(Status::Stopped { signal, event: 0 })) => signal,
                    Ok(Some(Status::Stopped { .. })) => 0,
                    _ => continue,
                },
            };
            // An error means that it was killed meanwhile.
            let _ = ptrace::detach(lwp, signal);
        }
    }
}

fn tasks(pid: i32) -> io::Result<Vec<i32>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(format!("/proc/{pid}/task"))? {
        found.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    Ok(found)
}
