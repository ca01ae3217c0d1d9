//! The recent holds of each mutex: for blame without a record of every event.
//!
//! One slot per mutex, found by its wait id. The owner of the mutex writes the slot, so writers
//! exclude each other; a hold's end is stored just after the mutex was released, perhaps while the
//! next owner writes: it is a single store into the hold's own cell.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::{io, slice};

use crate::zeros;

/// The most mutexes that are followed at the same time; waits for others stay unattributed.
const SLOTS: usize = 4096;
/// Slots tried for a mutex.
const PROBES: usize = 16;
/// Holds remembered per mutex.
const HOLDS: usize = 32;

const RELAXED: Ordering = Ordering::Relaxed;

/// The holds of every mutex.
#[derive(Debug)]
pub(crate) struct Holds {
    slots: &'static [Slot],
}

#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    /// The wait id; 0: free.
    id: AtomicU64,
    /// Holds begun so far.
    count: AtomicU32,
    holds: [Hold; HOLDS],
}

#[derive(Debug)]
struct Hold {
    begin: AtomicU64,
    /// When the hold ended; 0 while that is not known.
    end: AtomicU64,
    code: AtomicU64,
}

/// A hold that has not ended: its slot, and its number there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticket {
    slot: u32,
    hold: u32,
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

    /// The calling thread, which waited from `asked` to `now`, owns the mutex. Calls `blame` with
    /// site and ticks for each hold in that time; returns the ticket of its own hold, none if
    /// there is no room, and the ticks whose holders are forgotten.
    #[inline]
    pub(crate) fn acquired(
        &self,
        id: u64,
        asked: u64,
        now: u64,
        code: u64,
        blame: impl FnMut(u64, u64),
    ) -> (Option<Ticket>, u64) {
        let Some(index) = self.slot(id) else { return (None, now - asked) };
        let slot = &self.slots[index];
        // Relaxed: the mutex itself orders one owner's stores before the next owner's loads.
        let count = slot.count.load(RELAXED);
        let newest = slot.holds[count.wrapping_sub(1) as usize % HOLDS].end.load(RELAXED);
        let free = newest != 0 && newest <= asked;
        let forgotten = if free { 0 } else { slot.explain(count, asked, now, blame) };
        let hold = &slot.holds[count as usize % HOLDS];
        hold.code.store(code, RELAXED);
        hold.end.store(0, RELAXED);
        hold.begin.store(now, RELAXED);
        slot.count.store(count.wrapping_add(1), RELAXED);
        (Some(Ticket { slot: index as u32, hold: count }), forgotten)
    }

    /// The hold has ended at `now`, or before if the next one has begun; returns its end, or 0 if
    /// so many have begun since that it is not known: the thread was without a processor between
    /// the release and this call.
    #[inline]
    pub(crate) fn released(&self, ticket: Ticket, now: u64) -> u64 {
        let slot = &self.slots[ticket.slot as usize];
        let count = slot.count.load(RELAXED);
        let behind = count.wrapping_sub(ticket.hold);
        if behind > HOLDS as u32 {
            return 0;
        }
        let mut end = now;
        if behind > 1 {
            let next = slot.holds[ticket.hold.wrapping_add(1) as usize % HOLDS].begin.load(RELAXED);
            end = end.min(next);
        }
        slot.holds[ticket.hold as usize % HOLDS].end.store(end, RELAXED);
        end
    }

    /// The slot of a mutex.
    #[inline]
    fn slot(&self, id: u64) -> Option<usize> {
        let start = (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
        let first = start % SLOTS;
        if self.slots[first].id.load(RELAXED) == id { Some(first) } else { self.probe(start, id) }
    }

    #[cold]
    fn probe(&self, start: usize, id: u64) -> Option<usize> {
        (0..PROBES).map(|probe| (start + probe) % SLOTS).find(|&index| {
            let place = &self.slots[index].id;
            let found = place.load(RELAXED);
            found == id
                || found == 0
                    && match place.compare_exchange(0, id, RELAXED, RELAXED) {
                        Ok(_) => true,
                        Err(other) => other == id,
                    }
        })
    }
}

impl Slot {
    /// Calls `blame` for each of `count` holds between `asked` and `now`; returns the ticks whose
    /// holders are forgotten.
    #[inline(never)]
    fn explain(&self, count: u32, asked: u64, now: u64, mut blame: impl FnMut(u64, u64)) -> u64 {
        // The earliest moment of the wait that is explained, walking back in time.
        let mut from = now;
        let remembered = count.min(HOLDS as u32);
        for back in 1..=remembered {
            let hold = &self.holds[(count - back) as usize % HOLDS];
            let begin = hold.begin.load(RELAXED);
            let end = match hold.end.load(RELAXED) {
                // Released, but the end is not stored yet: it ended at the latest when its
                // successor began.
                0 => from,
                end => end.min(from),
            };
            if end <= asked {
                from = asked;
                break;
            }
            let begin = begin.max(asked);
            if end > begin {
                blame(hold.code.load(RELAXED), end - begin);
            }
            from = begin.min(from);
            if from == asked {
                break;
            }
        }
        if count > HOLDS as u32 { from - asked } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{HOLDS, Holds};

    #[test]
    fn a_hold_that_is_released_late_ended_when_the_next_one_began() {
        for others in [1, 5, HOLDS as u64 - 1] {
            let holds = Holds::new().unwrap();
            let acquire = |at: u64| holds.acquired(7, at, at, 1, |_, _| {}).0.unwrap();
            let late = acquire(100);
            for number in 1..=others {
                let ticket = acquire(100 + 10 * number);
                assert_eq!(holds.released(ticket, 105 + 10 * number), 105 + 10 * number);
            }
            assert_eq!(holds.released(late, 100_000), 110, "after {others}");
            acquire(200_000);
            let forgotten = acquire(200_010);
            for number in 0..=HOLDS as u64 {
                acquire(300_000 + number);
            }
            assert_eq!(holds.released(forgotten, 400_000), 0);
        }
    }
}
