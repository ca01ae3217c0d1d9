//! The recent holds of each mutex: for blame without a record of every event.
//!
//! One slot per mutex, found by its wait id. The owner of the mutex writes the slot, so writers
//! exclude each other; a hold's end is stored just after the mutex was released, perhaps while the
//! next owner writes: it is a single store into the hold's own cell.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::{io, ptr, slice};

use oxomp_sys::unreported::oxomp_mutex_owner_t;

use crate::zeros;

/// The most mutexes that are followed at the same time; waits for others stay unattributed.
const SLOTS: usize = 4096;
/// Slots tried for a mutex.
const PROBES: usize = 16;
/// Holds remembered per mutex.
const HOLDS: usize = 32;

/// The process's table.
static TABLE: OnceLock<Holds> = OnceLock::new();

/// Makes the process's table. Without it waits at mutexes are blamed on no holder.
pub(crate) fn prepare() {
    if TABLE.get().is_none()
        && let Ok(holds) = Holds::new()
    {
        TABLE.get_or_init(|| holds);
    }
}

/// The process's table, unless there was no memory for it.
#[inline]
pub(crate) fn table() -> Option<&'static Holds> {
    TABLE.get()
}

/// The holds of every mutex.
#[derive(Debug)]
pub(crate) struct Holds {
    slots: &'static [Slot],
}

/// A mutex. Its owner writes the first line at each acquisition and release, and the holds only if
/// they are timed, or if a thread that waits wants them.
#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    /// The wait id; 0: free.
    id: AtomicU64,
    /// The last owner, and how many threads with a timed wait wait for the mutex. The runtime
    /// writes the owner where an acquisition goes unreported.
    owner: oxomp_mutex_owner_t,
    /// Holds begun so far, of those that are timed or wanted.
    count: AtomicU32,
    /// When the owner of a hold without a known begin released the mutex.
    left: AtomicU64,
    holds: [Hold; HOLDS],
}

#[derive(Debug)]
struct Hold {
    begin: AtomicU64,
    /// When the hold ended; 0 while that is not known.
    end: AtomicU64,
    code: AtomicU64,
}

/// A mutex, as a thread that asks for it has seen it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) slot: u32,
    /// Holds begun by then.
    count: u32,
    owner: u64,
    code: u64,
}

impl Seen {
    /// Whether another thread held the mutex.
    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.owner & 1 == 1
    }
}

/// A hold that has not ended: the mutex's slot, the number of the acquisition, and the number of
/// the hold if it is timed or wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticket {
    slot: u32,
    owner: u64,
    hold: Option<u32>,
}

impl Ticket {
    /// The mutex's slot.
    #[inline]
    pub(crate) fn slot(&self) -> u32 {
        self.slot
    }

    /// Whether the end of the hold is to be told.
    #[inline]
    pub(crate) fn is_timed(&self) -> bool {
        self.hold.is_some()
    }
}

impl Holds {
    /// An empty table, whose memory the system provides at the first use.
    pub(crate) fn new() -> io::Result<Self> {
        let table = zeros::map(size_of::<[Slot; SLOTS]>())?;
        // SAFETY: that many slots of zeros, which are valid, aligned to a page, never unmapped.
        let slots = unsafe { slice::from_raw_parts(table.cast::<Slot>().as_ptr(), SLOTS) };
        Ok(Self { slots })
    }

    /// Gives the mutex its slot.
    pub(crate) fn prepare(&self, id: u64) {
        self.slot(id);
    }

    /// The number of the mutex's slot; `None` if there is no room for it.
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        self.slot(id).map(|index| index as u32)
    }

    /// Whether a thread has the mutex of a slot.
    #[inline]
    pub(crate) fn is_held(&self, slot: u32) -> bool {
        self.slots[slot as usize].owner.acquisition.load(Relaxed) & 1 == 1
    }

    /// The mutex of a slot as it is now. Relaxed: the owner changes it meanwhile, so a wait may be
    /// charged to the next owner.
    #[inline]
    pub(crate) fn see(&self, number: u32) -> Seen {
        let slot = &self.slots[number as usize];
        Seen {
            slot: number,
            count: slot.count.load(Relaxed),
            owner: slot.owner.acquisition.load(Relaxed),
            code: slot.owner.codeptr_ra.load(Relaxed),
        }
    }

    /// A thread whose wait is timed begins to wait for the mutex.
    #[inline]
    pub(crate) fn want(&self, seen: Seen) {
        self.slots[seen.slot as usize].owner.wanted.fetch_add(1, Relaxed);
    }

    /// The thread that has called [`Self::want`] does not wait any more.
    #[inline]
    pub(crate) fn stop_wanting(&self, seen: Seen) {
        self.slots[seen.slot as usize].owner.wanted.fetch_sub(1, Relaxed);
    }

    /// The calling thread, which waited from `asked` to `now`, owns the mutex, and has not called
    /// [`Self::own`] yet. Calls `blame` with site and ticks for each hold in that time; returns the
    /// ticks whose holders are forgotten.
    #[inline]
    pub(crate) fn explain(
        &self,
        seen: Seen,
        (asked, now): (u64, u64),
        blame: impl FnMut(u64, u64),
    ) -> u64 {
        let slot = &self.slots[seen.slot as usize];
        if self.was_free(seen) { 0 } else { slot.explain(seen, asked, now, blame) }
    }

    /// Whether no other thread has had the mutex since the calling thread asked for it. The calling
    /// thread owns it now, and has not called [`Self::own`] yet.
    #[inline]
    pub(crate) fn was_free(&self, seen: Seen) -> bool {
        let slot = &self.slots[seen.slot as usize];
        // Relaxed: the mutex itself orders one owner's stores before the next owner's loads.
        !seen.is_held() && slot.owner.acquisition.load(Relaxed) >> 1 == seen.owner >> 1
    }

    /// The calling thread owns the mutex, which it has acquired at `code`.
    #[inline]
    pub(crate) fn own(&self, number: u32, code: u64) -> Ticket {
        let owner = self.slots[number as usize].owner.own(code);
        Ticket { slot: number, owner, hold: None }
    }

    /// Whether a thread with a timed wait waits for the mutex.
    #[inline]
    pub(crate) fn is_wanted(&self, ticket: Ticket) -> bool {
        self.slots[ticket.slot as usize].owner.is_wanted()
    }

    /// The owner's hold at `code` has begun at `now`.
    #[inline]
    pub(crate) fn begin(&self, ticket: Ticket, code: u64, now: u64) -> Ticket {
        let slot = &self.slots[ticket.slot as usize];
        let count = slot.count.load(Relaxed);
        let hold = &slot.holds[count as usize % HOLDS];
        hold.code.store(code, Relaxed);
        hold.end.store(0, Relaxed);
        hold.begin.store(now, Relaxed);
        // Release: pairs with the Acquire in `released`. A former owner, whom the mutex does not
        // order behind this one, sees the begin of the hold that it finds counted.
        slot.count.store(count.wrapping_add(1), Release);
        Ticket { hold: Some(count), ..ticket }
    }

    /// The owner has released the mutex. If the next owner has already called [`Self::own`], its
    /// word stands; a thread that asks in the few ns between the comparison and the store takes the
    /// mutex for free.
    #[inline]
    pub(crate) fn leave(&self, ticket: Ticket) {
        self.slots[ticket.slot as usize].owner.leave(ticket.owner);
    }

    /// A hold of the mutex of a slot, whose begin is not known, has ended at `now`.
    #[inline]
    pub(crate) fn tell_left(&self, slot: u32, now: u64) {
        self.slots[slot as usize].left.store(now, Relaxed);
    }

    /// The owner of the mutex of a slot, for the runtime to change.
    pub(crate) fn owner(&self, slot: u32) -> *mut oxomp_mutex_owner_t {
        ptr::from_ref(&self.slots[slot as usize].owner).cast_mut()
    }

    /// The hold has ended at `now`, or before that if the next one has begun. Returns its end; 0 if
    /// it is unknown, since too many holds have begun in the meantime: the thread was without a
    /// processor between the release and this call.
    #[inline]
    pub(crate) fn released(&self, ticket: Ticket, now: u64) -> u64 {
        let Some(number) = ticket.hold else { return now };
        let slot = &self.slots[ticket.slot as usize];
        // Acquire: pairs with the Release in `begin`.
        let count = slot.count.load(Acquire);
        let behind = count.wrapping_sub(number);
        if behind > HOLDS as u32 {
            return 0;
        }
        let mut end = now;
        if behind > 1 {
            let next = slot.holds[number.wrapping_add(1) as usize % HOLDS].begin.load(Relaxed);
            end = end.min(next);
        }
        slot.holds[number as usize % HOLDS].end.store(end, Relaxed);
        end
    }

    /// The slot of a mutex.
    #[inline]
    fn slot(&self, id: u64) -> Option<usize> {
        let start = (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
        let first = start % SLOTS;
        if self.slots[first].id.load(Relaxed) == id { Some(first) } else { self.probe(start, id) }
    }

    #[cold]
    fn probe(&self, start: usize, id: u64) -> Option<usize> {
        (0..PROBES).map(|probe| (start + probe) % SLOTS).find(|&index| {
            let place = &self.slots[index].id;
            let found = place.load(Relaxed);
            found == id
                || found == 0
                    && match place.compare_exchange(0, id, Relaxed, Relaxed) {
                        Ok(_) => true,
                        Err(other) => other == id,
                    }
        })
    }
}

impl Slot {
    /// Calls `blame` for each hold between `asked` and `now`; returns the ticks whose holders are
    /// forgotten.
    #[inline(never)]
    fn explain(&self, seen: Seen, asked: u64, now: u64, mut blame: impl FnMut(u64, u64)) -> u64 {
        // The earliest moment of the wait that is explained, walking back in time.
        let mut from = now;
        let count = self.count.load(Relaxed);
        let remembered = count.min(HOLDS as u32);
        for back in 1..=remembered {
            let hold = &self.holds[(count.wrapping_sub(back)) as usize % HOLDS];
            let begin = hold.begin.load(Relaxed);
            let end = match hold.end.load(Relaxed) {
                // Released, but the end is not stored yet: it ended at the latest when its
                // successor began.
                0 => from,
                end => end.min(from),
            };
            if end <= asked {
                break;
            }
            let begin = begin.max(asked);
            if end > begin {
                blame(hold.code.load(Relaxed), end - begin);
            }
            from = begin.min(from);
            if from == asked {
                return 0;
            }
        }
        if count.wrapping_sub(seen.count) >= HOLDS as u32 {
            return from - asked;
        }
        // The owner at the time of the request, if the begin of its hold is not known.
        let left = self.left.load(Relaxed);
        if seen.is_held() && from > asked {
            let end = if left > asked && left < from { left } else { from };
            blame(seen.code, end - asked);
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{HOLDS, Holds, Seen, Ticket};

    fn see(holds: &Holds) -> Seen {
        holds.see(holds.find(7).unwrap())
    }

    /// A thread acquires mutex 7 at `at`, without a wait, at code address 1.
    fn acquire(holds: &Holds, at: u64) -> Ticket {
        let ticket = holds.own(see(holds).slot, 1);
        holds.begin(ticket, 1, at)
    }

    /// A thread that has asked when the mutex was `seen`, and waited from `asked` to `now`: whom it
    /// waited for, and the ticks whose holders are forgotten.
    fn waited(holds: &Holds, seen: Seen, times: (u64, u64)) -> (Vec<(u64, u64)>, u64) {
        let mut blamed = Vec::new();
        let forgotten = holds.explain(seen, times, |code, ticks| blamed.push((code, ticks)));
        (blamed, forgotten)
    }

    #[test]
    fn a_hold_that_is_released_late_ended_when_the_next_one_began() {
        for others in [1, 5, HOLDS as u64 - 1] {
            let holds = Holds::new().unwrap();
            let late = acquire(&holds, 100);
            for number in 1..=others {
                let ticket = acquire(&holds, 100 + 10 * number);
                assert_eq!(holds.released(ticket, 105 + 10 * number), 105 + 10 * number);
            }
            assert_eq!(holds.released(late, 100_000), 110, "after {others}");
            acquire(&holds, 200_000);
            let forgotten = acquire(&holds, 200_010);
            for number in 0..=HOLDS as u64 {
                acquire(&holds, 300_000 + number);
            }
            assert_eq!(holds.released(forgotten, 400_000), 0);
        }
    }

    #[test]
    fn a_wait_is_charged_to_holds_that_are_not_timed() {
        let holds = Holds::new().unwrap();
        let first = holds.own(see(&holds).slot, 0xa);
        assert!(!holds.is_wanted(first));
        let seen = see(&holds);
        assert!(seen.is_held());
        holds.want(seen);
        assert!(holds.is_wanted(first));
        holds.leave(first);
        holds.tell_left(first.slot, 130);
        // Another thread comes before the one that waits.
        let second = holds.own(see(&holds).slot, 0xb);
        let second = holds.begin(second, 0xb, 150);
        holds.leave(second);
        assert_eq!(holds.released(second, 180), 180);
        assert_eq!(waited(&holds, seen, (100, 200)), (vec![(0xb, 30), (0xa, 30)], 0));
        holds.stop_wanting(seen);
        assert!(!holds.is_wanted(second));
    }

    #[test]
    fn a_free_mutex_has_no_holder() {
        let holds = Holds::new().unwrap();
        let first = holds.own(see(&holds).slot, 0xa);
        holds.leave(first);
        let seen = see(&holds);
        assert!(!seen.is_held());
        assert_eq!(waited(&holds, seen, (100, 200)), (vec![], 0));
        // An owner that tells late of its release does not undo the next one's word.
        let second = holds.own(seen.slot, 0xb);
        holds.leave(first);
        assert!(see(&holds).is_held());
        holds.leave(second);
        assert!(!see(&holds).is_held());
    }

    #[test]
    fn holders_of_long_ago_are_forgotten() {
        let holds = Holds::new().unwrap();
        acquire(&holds, 50);
        let seen = see(&holds);
        for number in 0..HOLDS as u64 {
            let ticket = acquire(&holds, 1000 + 10 * number);
            holds.released(ticket, 1005 + 10 * number);
        }
        let (blamed, forgotten) = waited(&holds, seen, (100, 2000));
        assert_eq!((blamed.len(), forgotten), (HOLDS, 900));
    }
}
