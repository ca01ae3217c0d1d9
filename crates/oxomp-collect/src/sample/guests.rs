//! Guests: threads of Python that OpenMP does not know, or not yet. They are sampled as those that
//! it knows, from the moment at which the helper finds them in the interpreter's list.
//!
//! Nothing is put in the way of the calls by which threads begin and end. The helper makes a source
//! of signals for a thread, and offers it a sampler, which the thread takes at its first signal. It
//! learns from the system that a thread has ended. Other threads that OpenMP does not know are left
//! alone: those of Python are ordinary threads of the C library, with variables of their own and a
//! stack that has room for a signal. One that blocks the signal is no guest, since it may be there
//! to wait for signals (sigwait(3)).

use std::ffi::c_void;
use std::sync::atomic::{Ordering, compiler_fence};
use std::{fs, ptr};

use super::offers;
use super::python;
use super::sampler::Sampler;
use super::source::{SIGNAL, Source};
use super::stack::Reader;
use super::table::{STOPPED, Samples};
use crate::mode::{MODE, Mode};
use crate::own_thread::own_thread;
use crate::slot;
use crate::store::Store;

/// Between two looks for threads, ns.
const PAUSE_NS: u64 = 50_000_000;
/// The most guests: each has a descriptor of the program's.
const MOST: usize = 256;
/// The most threads that are looked at.
const MOST_SEEN: usize = 1024;

/// The helper's part.
pub(crate) struct Host {
    reader: Box<Reader>,
    due: u64,
    /// The threads that were found last.
    found: Vec<u32>,
    /// Whether there are to be no guests: for one that the system has refused, it would again.
    is_refused: bool,
}

impl Host {
    pub(crate) fn new() -> Self {
        // A thread that was a guest of an earlier recording of the process still has the sampler of
        // that one.
        let is_refused = offers::were_there();
        Self { reader: Box::new(Reader::new()), due: 0, found: Vec::new(), is_refused }
    }

    /// Looks for threads if it is time to, at `now` on the monotonic clock. Returns after how many
    /// milliseconds to call this again; `None` without an interpreter.
    pub(crate) fn look(
        &mut self,
        samples: &Samples,
        store: &'static Store,
        now: u64,
    ) -> Option<u64> {
        if !python::is_there() || !samples.are_wanted() || self.is_refused {
            return None;
        }
        if now >= self.due {
            self.due = now + PAUSE_NS;
            samples.part_from_ended();
            if MODE.is(Mode::On) {
                self.invite(samples, store);
            }
        }
        Some((self.due - now) / 1_000_000 + 1)
    }

    fn invite(&mut self, samples: &Samples, store: &'static Store) {
        let Self { reader, found, .. } = self;
        found.clear();
        python::for_each_thread(reader, |tid| {
            if found.len() < MOST_SEEN && !found.contains(&tid) {
                found.push(tid);
            }
        });
        let known = samples.tids();
        let mut room = MOST.saturating_sub(samples.guests());
        for &tid in found.iter().filter(|tid| !known.contains(tid)) {
            // The list may be one that has just changed.
            if room == 0 || !is_alive(tid) || blocks_signal(tid) {
                continue;
            }
            room -= 1;
            if !samples.invite(store, tid) && is_alive(tid) {
                self.is_refused = true;
                return;
            }
        }
    }
}

impl Samples {
    /// OpenMP gets to know the calling thread, which is sampled already: if it was a guest, it is
    /// one of OpenMP's threads from now on.
    pub(super) fn keep_guest(&self) {
        let sampler = slot::sampler_slot().cast::<Sampler>();
        let Some(slot) = self.slots.iter().find(|slot| slot.has(sampler)) else { return };
        // The helper takes a sampler away only from a thread that has ended.
        if !slot.is_guest.swap(false, Ordering::Relaxed) {
            return;
        }
        slot::set_sampler_slot(ptr::null_mut());
        compiler_fence(Ordering::SeqCst);
        // SAFETY: this thread's sampler, which its handler does not find any more.
        if let Some(own) = unsafe { sampler.as_mut() } {
            own.is_guest = false;
        }
        self.count(sampler, own_thread().unsigned_abs());
        slot::set_sampler_slot(sampler.cast::<c_void>());
        compiler_fence(Ordering::SeqCst);
        // A signal that came meanwhile has asked for no further one.
        if let Some(sampler) = Sampler::of_thread() {
            sampler.arm();
        }
    }

    /// How many guests there are.
    fn guests(&self) -> usize {
        self.used().filter(|slot| slot.is_guest.load(Ordering::Relaxed)).count()
    }

    /// Samples the thread `tid`, which OpenMP does not know, into `store` from now on; false if
    /// that cannot be. Only the helper calls it.
    fn invite(&self, store: &'static Store, tid: u32) -> bool {
        let Ok(kind) = self.kind else { return false };
        if STOPPED.load(Ordering::Relaxed) {
            return false;
        }
        let Ok(source) = Source::of_thread(kind, self.period_ns, tid) else { return false };
        let Some(sampler) = self.make(store, tid, Some(source), ptr::null_mut(), true) else {
            return false;
        };
        let arm = || {
            // SAFETY: until the offer is ready, the sampler is this thread's, and no handler finds
            // it. It is never unmapped.
            if let Some(source) = unsafe { &(*sampler).source } {
                source.arm();
            }
        };
        if !offers::offer(tid, sampler, arm) {
            self.free(sampler);
        }
        true
    }

    /// Ends the sampling of guests that have ended, and takes back what was offered to threads that
    /// OpenMP got to know at the same moment. Only the helper calls it, or the thread that ends the
    /// recording, when the helper has ended.
    pub(crate) fn part_from_ended(&self) {
        let tids = self.tids();
        for slot in self.used().filter(|slot| slot.is_guest.load(Ordering::Relaxed)) {
            let tid = slot.tid.load(Ordering::Relaxed);
            let is_twice = tids.iter().filter(|one| **one == tid).count() > 1;
            if is_twice && let Some(offered) = offers::take(tid) {
                self.free(offered);
            } else if !is_alive(tid) && slot.is_guest.swap(false, Ordering::Relaxed) {
                // It may have ended without a signal.
                let _ = offers::take(tid);
                self.free(slot.sampler.load(Ordering::Relaxed));
            }
        }
    }
}

/// Whether the thread blocks the signal of samples, or nobody can tell.
fn blocks_signal(tid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/self/task/{tid}/status")).unwrap_or_default();
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
    let blocked = blocked.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    blocked.is_none_or(|mask| mask >> (SIGNAL - 1) & 1 == 1)
}

/// Whether there is a thread of that number in this process.
fn is_alive(tid: u32) -> bool {
    if tid == 0 {
        return false;
    }
    // SAFETY: the signal 0 is none: the system only answers whether the thread is there.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, 0) == 0 }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::{mem, ptr, thread};

    use super::{blocks_signal, is_alive};
    use crate::own_thread::own_thread;
    use crate::sample::source::SIGNAL;

    #[test]
    fn the_system_tells_of_a_thread_whether_it_is_there_and_blocks_the_signal() {
        let (tell, told) = channel();
        let (end, wait) = channel::<()>();
        let other = thread::spawn(move || {
            // SAFETY: the set has room for the signal, and only this thread's mask changes.
            unsafe {
                let mut set = mem::zeroed::<libc::sigset_t>();
                libc::sigaddset(&mut set, SIGNAL);
                libc::pthread_sigmask(libc::SIG_BLOCK, &set, ptr::null_mut());
            }
            tell.send(own_thread().unsigned_abs()).unwrap();
            wait.recv().unwrap_err();
        });
        let tid = told.recv().unwrap();
        assert!(is_alive(tid) && blocks_signal(tid));
        assert!(!blocks_signal(own_thread().unsigned_abs()));
        drop(end);
        other.join().unwrap();
        assert!(blocks_signal(0) && !is_alive(0));
    }
}
