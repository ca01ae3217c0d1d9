//! Stopping the whole program, and letting it go on.

use std::thread;
use std::time::{Duration, Instant};

use oxomp_ptrace::{self as ptrace, Status};

use super::{Child, Event, State};
use crate::status::has_ended;
use crate::stop::{Held, PATIENCE};

impl Child {
    /// Stops every thread that stops in time.
    pub(super) fn stop_all(&mut self) {
        let begin = Instant::now();
        let mut told: Vec<i32> = Vec::new();
        let mut pause = Duration::from_micros(20);
        loop {
            let moving: Vec<i32> = self
                .threads
                .iter()
                .filter(|(_, state)| !matches!(state, State::Held { .. }))
                .map(|(&lwp, _)| lwp)
                .collect();
            let mut waiting = false;
            for lwp in moving {
                if !told.contains(&lwp) {
                    // An error means that the thread has ended; waiting for it tells that.
                    let _ = ptrace::interrupt(lwp);
                    told.push(lwp);
                }
                match ptrace::wait_no_hang(lwp) {
                    // The kernel tells of the first thread's end only when the other threads have
                    // ended, too.
                    Ok(None) => waiting |= !has_ended(self.pid, lwp),
                    Ok(Some(Status::Stopped { signal, event })) => {
                        self.note(lwp, event);
                        self.threads.insert(lwp, State::Held { signal, event });
                        waiting = true;
                    }
                    Ok(Some(status)) => {
                        self.happened(lwp, status);
                    }
                    Err(_) => {
                        self.threads.remove(&lwp);
                    }
                }
            }
            if !waiting || begin.elapsed() > PATIENCE {
                return;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// How the threads stand.
    pub(super) fn look(&self) -> Vec<Held> {
        self.threads
            .iter()
            .map(|(&lwp, state)| match *state {
                State::Held { signal, event } => Held {
                    lwp,
                    registers: ptrace::registers(lwp).ok(),
                    signal: (event == 0 && signal != 0)
                        .then(|| ptrace::signal_details(lwp).ok())
                        .flatten(),
                },
                State::Running | State::Listening => Held { lwp, registers: None, signal: None },
            })
            .collect()
    }

    /// Lets the threads go on that [`Child::stop_all`] has stopped, and does what their stops ask
    /// for. A signal among them may be one to tell of; the threads behind it then stand until the
    /// next call.
    pub(super) fn release(&mut self) -> Option<Event> {
        let held: Vec<(i32, i32, i32)> = self
            .threads
            .iter()
            .filter_map(|(&lwp, state)| match *state {
                State::Held { signal, event } => Some((lwp, signal, event)),
                State::Running | State::Listening => None,
            })
            .collect();
        held.into_iter().find_map(|(lwp, signal, event)| self.stopped(lwp, signal, event))
    }
}
