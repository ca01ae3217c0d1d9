//! The longest chains of work up to the tasks that have accessed an address in a `depend` clause.
//!
//! When a task begins, the tasks that it depends on have ended, and the tasks that depend on it
//! have not begun. So for each address the longest chain that has ended is the one for which the
//! task had to wait.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

const SLOTS: usize = 4096;
const PROBES: usize = 8;

/// One address in one region.
#[derive(Debug)]
struct Slot {
    region: AtomicU64,
    address: AtomicU64,
    written: AtomicU64,
    read: AtomicU64,
}

static TABLE: [Slot; SLOTS] = [const {
    Slot {
        region: AtomicU64::new(0),
        address: AtomicU64::new(0),
        written: AtomicU64::new(0),
        read: AtomicU64::new(0),
    }
}; SLOTS];

/// The slot of an address in `region`, a region's number; `None` if there is no room. A slot of
/// another region is taken over: two threads that do so at the same time may lose a chain.
fn slot(region: u64, address: u64) -> Option<&'static Slot> {
    let start = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
    for probe in 0..PROBES {
        let slot = &TABLE[(start + probe) % SLOTS];
        let owner = slot.region.load(Relaxed);
        if owner == region && slot.address.load(Relaxed) == address {
            return Some(slot);
        }
        if owner != region && slot.region.compare_exchange(owner, region, Relaxed, Relaxed).is_ok()
        {
            slot.address.store(address, Relaxed);
            slot.written.store(0, Relaxed);
            slot.read.store(0, Relaxed);
            return Some(slot);
        }
    }
    None
}

/// The longest chain before a task that accesses `address`.
pub(crate) fn before(region: u64, address: u64, reads: bool) -> u64 {
    let Some(slot) = slot(region, address) else { return 0 };
    let written = slot.written.load(Relaxed);
    if reads { written } else { written.max(slot.read.load(Relaxed)) }
}

/// A task that accessed `address` has ended a chain. Returns false if there is no room for it.
pub(crate) fn ended(region: u64, address: u64, reads: bool, path: u64) -> bool {
    let Some(slot) = slot(region, address) else { return false };
    let place = if reads { &slot.read } else { &slot.written };
    place.fetch_max(path, Relaxed);
    true
}
