//! Guests: threads that OpenMP does not know, or not yet. They are sampled as those that it knows,
//! from the moment at which the helper finds them in the system's list.
//!
//! Nothing is put in the way of the calls by which threads begin and end. The helper makes a source
//! of signals for a thread, and offers it a sampler, which the thread takes at its first signal. It
//! learns from the system that a thread has ended. A thread that the C library has not made refuses
//! the offer, since a sampler is found by a variable of the thread. One that blocks the signal is
//! no guest: it may be there to wait for signals (sigwait(3)).

use std::ffi::c_void;
use std::sync::atomic::{Ordering, compiler_fence};
use std::{fs, ptr};

use super::sampler::Sampler;
use super::source::{SIGNAL, Source};
use super::table::{STOPPED, Samples};
use super::{c_thread, offers, thread_list};
use crate::mode::{MODE, Mode};
use crate::own_thread::own_thread;
use crate::slot;
use crate::store::Store;

/// Between two looks whether threads are new, ns.
const PAUSE_NS: u64 = 50_000_000;
/// The longest time between two looks at the list, ns: one may have begun where another has ended.
const LIST_NS: u64 = 1_000_000_000;
/// The most guests: each has a descriptor of the program's, and at first an offer.
const MOST: usize = offers::MOST;
/// The most threads that are looked at, and that become guests in one look: one takes some 50 µs.
const MOST_SEEN: usize = 1024;
const MOST_NEW: usize = 16;
/// How often a thread is looked at that blocks the signal: the C library's do so as they begin.
const MOST_TRIES: u8 = 4;

/// The helper's part.
#[derive(Debug)]
pub(crate) struct Host {
    due: u64,
    list_due: u64,
    /// How many threads there were at the last look; `None` if the list is to be looked at again.
    count: Option<u64>,
    /// The threads that were found last.
    found: Vec<u32>,
    /// Threads that block the signal, with the number of looks at them; those that have refused.
    blocking: Vec<(u32, u8)>,
    strangers: Vec<u32>,
    /// Whether there are to be no guests: the system has refused one, and would again; the C
    /// library's threads cannot be told; or there were guests in an earlier recording.
    are_none: bool,
}

impl Host {
    /// The calling thread is the helper, which the C library has made.
    pub(crate) fn new() -> Self {
        // A thread that was a guest of an earlier recording of the process still has the sampler of
        // that one.
        let are_none = offers::were_there() || !c_thread::prepare();
        Self {
            due: 0,
            list_due: 0,
            count: None,
            found: Vec::new(),
            blocking: Vec::new(),
            strangers: Vec::new(),
            are_none,
        }
    }

    /// Looks for threads if it is time to, at `now` on the monotonic clock. Returns after how many
    /// milliseconds to call this again; `None` if there are to be no guests.
    pub(crate) fn look(
        &mut self,
        samples: &Samples,
        store: &'static Store,
        now: u64,
    ) -> Option<u64> {
        if !samples.are_wanted() || self.are_none {
            return None;
        }
        if now >= self.due {
            self.due = now + PAUSE_NS;
            self.strangers.extend(samples.part_from_ended());
            let count = Some(thread_list::count());
            if MODE.is(Mode::On) && (count != self.count || now >= self.list_due) {
                self.list_due = now + LIST_NS;
                let is_done = self.invite(samples, store);
                self.count = count.filter(|_| is_done);
            }
        }
        Some((self.due - now) / 1_000_000 + 1)
    }

    /// Makes new threads guests; false if some are to be looked at again soon.
    fn invite(&mut self, samples: &Samples, store: &'static Store) -> bool {
        thread_list::list(&mut self.found, MOST_SEEN);
        let Self { found, blocking, strangers, .. } = self;
        blocking.retain(|(tid, _)| found.contains(tid));
        strangers.retain(|tid| found.contains(tid));
        let known = samples.tids();
        let mut room = MOST.saturating_sub(samples.guests()).min(MOST_NEW);
        // Where there are the most guests, others have to wait until one has ended.
        let mut is_done = true;
        for &tid in found.iter().filter(|tid| !known.contains(tid) && !strangers.contains(tid)) {
            if room == 0 {
                return samples.guests() == MOST;
            }
            let tries = blocking.iter_mut().find(|(other, _)| *other == tid);
            if tries.as_ref().is_some_and(|(_, tries)| *tries == MOST_TRIES) {
                continue;
            }
            if blocks_signal(tid) {
                is_done = false;
                match tries {
                    Some((_, tries)) => *tries += 1,
                    None => blocking.push((tid, 1)),
                }
                continue;
            }
            room -= 1;
            if !samples.invite(store, tid) && is_thread_alive(tid) {
                self.are_none = true;
                return true;
            }
        }
        is_done
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
    /// OpenMP got to know at the same moment, and to those that do not take it: returns the numbers
    /// of these. Only the helper calls it, or the thread that ends the recording, when the helper
    /// has ended.
    pub(crate) fn part_from_ended(&self) -> Vec<u32> {
        let tids = self.tids();
        let mut strangers = Vec::new();
        for slot in self.used().filter(|slot| slot.is_guest.load(Ordering::Relaxed)) {
            let tid = slot.tid.load(Ordering::Relaxed);
            let is_twice = tids.iter().filter(|one| **one == tid).count() > 1;
            if let Some(refused) = offers::take_refused(tid) {
                strangers.push(tid);
                self.free(refused);
            } else if is_twice && let Some(offered) = offers::take(tid) {
                self.free(offered);
            } else if !is_thread_alive(tid) && slot.is_guest.swap(false, Ordering::Relaxed) {
                // It may have ended without a signal, or having refused the offer just now.
                let _ = offers::take(tid).or_else(|| offers::take_refused(tid));
                self.free(slot.sampler.load(Ordering::Relaxed));
            }
        }
        strangers
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
fn is_thread_alive(tid: u32) -> bool {
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

    use super::{blocks_signal, is_thread_alive};
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
        assert!(is_thread_alive(tid) && blocks_signal(tid));
        assert!(!blocks_signal(own_thread().unsigned_abs()));
        drop(end);
        other.join().unwrap();
        assert!(blocks_signal(0) && !is_thread_alive(0));
    }
}
