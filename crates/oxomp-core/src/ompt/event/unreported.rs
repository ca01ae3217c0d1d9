//! Mutexes that a thread acquires and releases without events, since the tool has lent it a table
//! in which they are counted (`oxomp_sys::unreported`).
//!
//! Only the thread itself reads and writes its table, so all accesses are relaxed. What it tells
//! other threads are the mutex's owner and the number of the acquisition: the mutex orders one
//! owner's stores before the next owner's, and a thread that waits may read either.

use core::ptr;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;
use oxomp_sys::unreported::{
    OXOMP_UNREPORTED_HELD, oxomp_mutex_owner_t, oxomp_unreported_hold_t, oxomp_unreported_place,
    oxomp_unreported_t,
};

use super::mask;
use super::record::ThreadRecord;

/// How a thread released a mutex that it had acquired without an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Released {
    /// Whether it was held, as it should be.
    pub(crate) was_held: bool,
    /// Another thread wants to know: the release is reported, after which
    /// [`ThreadRecord::end_report`] follows.
    pub(crate) is_wanted: bool,
}

impl ThreadRecord {
    /// Lends the calling thread, whose record this is, a table; null takes it away. Returns false
    /// if the runtime itself has to hear of each acquisition.
    pub(crate) fn lend_unreported(&self, table: *mut oxomp_unreported_t) -> bool {
        let may_lend = table.is_null() || !mask::has_own();
        if may_lend {
            self.unreported.store(table, Relaxed);
        }
        may_lend
    }

    /// The table of the calling thread, whose record this is.
    #[inline(always)]
    fn unreported(&self) -> Option<&'static oxomp_unreported_t> {
        // SAFETY: null, or a table that is valid as long as the process lives
        // (`oxomp_lend_unreported_t`).
        unsafe { self.unreported.load(Relaxed).as_ref() }
    }

    /// Takes a mutex by `take` without an event, if the tool does not want to hear of this
    /// acquisition. Returns false if the tool wants to hear of it, if another thread wants to know
    /// of the mutex's owners, or if the first attempt fails: then the mutex is to be acquired with
    /// events.
    #[inline(always)]
    pub(crate) fn acquire_unreported(
        &self,
        wait_id: u64,
        site: CallSite,
        take: impl FnOnce() -> bool,
    ) -> bool {
        let Some(table) = self.unreported() else { return false };
        let codeptr_ra = site.return_address() as u64;
        let place = &table.places[oxomp_unreported_place(wait_id, codeptr_ra)];
        let (left, depth) = (place.left.load(Relaxed), table.depth.load(Relaxed) as usize);
        let is_named =
            place.wait_id.load(Relaxed) == wait_id && place.codeptr_ra.load(Relaxed) == codeptr_ra;
        if left == 0 || !is_named || depth >= OXOMP_UNREPORTED_HELD || !is_open(table) {
            return false;
        }
        let Some(owner) = owner_at(place.owner.load(Relaxed)) else { return false };
        if owner.is_wanted() || !take() {
            return false;
        }
        place.left.store(left - 1, Relaxed);
        let acquisition = owner.own(codeptr_ra);
        let held = &table.held[depth];
        held.wait_id.store(wait_id, Relaxed);
        held.acquisition.store(acquisition, Relaxed);
        held.owner.store(ptr::from_ref(owner).cast_mut(), Relaxed);
        table.depth.store(depth as u64 + 1, Relaxed);
        true
    }

    /// Releases a mutex by `give_up`, if the thread has acquired it without an event. Returns
    /// `None` if it has not.
    #[inline(always)]
    pub(crate) fn release_unreported(
        &self,
        wait_id: u64,
        give_up: impl FnOnce() -> bool,
    ) -> Option<Released> {
        let table = self.unreported()?;
        let depth = table.depth.load(Relaxed) as usize;
        let top = table.held[..OXOMP_UNREPORTED_HELD.min(depth)].last()?;
        if top.wait_id.load(Relaxed) != wait_id && !bring_to_top(table, depth, wait_id) {
            return None;
        }
        // Before a signal handler may take another mutex in this place.
        let acquisition = top.acquisition.load(Relaxed);
        let owner = owner_at(top.owner.load(Relaxed))?;
        table.depth.store(depth as u64 - 1, Relaxed);
        table.released.store(table.released.load(Relaxed) + 1, Relaxed);
        let was_held = give_up();
        owner.leave(acquisition);
        let is_wanted = owner.is_wanted();
        if is_wanted {
            table.wanted.store(wait_id, Relaxed);
        }
        Some(Released { was_held, is_wanted })
    }

    /// The release that another thread wanted to know of has been reported.
    #[cold]
    pub(crate) fn end_report(&self) {
        if let Some(table) = self.unreported() {
            table.wanted.store(0, Relaxed);
        }
    }
}

/// Whether acquisitions may go unreported at present.
#[inline(always)]
fn is_open(table: &oxomp_unreported_t) -> bool {
    let word: *const AtomicU32 = table.is_open.load(Relaxed);
    // SAFETY: null, or a word that is valid as long as the process lives.
    unsafe { word.as_ref() }.is_some_and(|word| word.load(Relaxed) != 0)
}

/// The owner of a mutex that a table names: not null where acquisitions are left.
#[inline(always)]
fn owner_at(owner: *const oxomp_mutex_owner_t) -> Option<&'static oxomp_mutex_owner_t> {
    // SAFETY: null, or valid as long as the process lives (`oxomp_unreported_place_t`).
    unsafe { owner.as_ref() }
}

/// Makes the mutex the topmost of the `depth` that are held, if it is one of them: a program may
/// release its locks in any order.
#[cold]
#[inline(never)]
fn bring_to_top(table: &oxomp_unreported_t, depth: usize, wait_id: u64) -> bool {
    let held = &table.held[..OXOMP_UNREPORTED_HELD.min(depth)];
    let Some(at) = held.iter().rposition(|held| held.wait_id.load(Relaxed) == wait_id) else {
        return false;
    };
    for pair in held[at..].windows(2) {
        swap(&pair[0], &pair[1]);
    }
    true
}

fn swap(one: &oxomp_unreported_hold_t, other: &oxomp_unreported_hold_t) {
    other.wait_id.store(one.wait_id.swap(other.wait_id.load(Relaxed), Relaxed), Relaxed);
    let acquisition = one.acquisition.swap(other.acquisition.load(Relaxed), Relaxed);
    other.acquisition.store(acquisition, Relaxed);
    other.owner.store(one.owner.swap(other.owner.load(Relaxed), Relaxed), Relaxed);
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;
    use std::ptr;

    use core::sync::atomic::AtomicU32;
    use core::sync::atomic::Ordering::Relaxed;

    use oxomp_arch::CallSite;
    use oxomp_sys::unreported::{
        OXOMP_UNREPORTED_HELD, oxomp_mutex_owner_t, oxomp_unreported_place, oxomp_unreported_t,
    };

    use super::ThreadRecord;

    /// A table that lets a thread acquire the mutexes `wait_ids` so often at `site`.
    fn lent(
        wait_ids: &[u64],
        left: u64,
        site: CallSite,
    ) -> (ThreadRecord, &'static oxomp_unreported_t) {
        let table: &'static mut oxomp_unreported_t = Box::leak(Box::default());
        let open: &'static AtomicU32 = Box::leak(Box::new(AtomicU32::new(1)));
        table.is_open.store(ptr::from_ref(open).cast_mut(), Relaxed);
        let codeptr_ra = site.return_address() as u64;
        for &wait_id in wait_ids {
            let place = &table.places[oxomp_unreported_place(wait_id, codeptr_ra)];
            assert_eq!(place.wait_id.swap(wait_id, Relaxed), 0, "another mutex has the place");
            place.codeptr_ra.store(codeptr_ra, Relaxed);
            place.left.store(left, Relaxed);
            place.owner.store(Box::leak(Box::<oxomp_mutex_owner_t>::default()), Relaxed);
        }
        let record = ThreadRecord::new();
        record.unreported.store(ptr::from_mut(table), Relaxed);
        let table = record.unreported().expect("it is lent");
        (record, table)
    }

    fn owner(table: &oxomp_unreported_t, wait_id: u64) -> &oxomp_mutex_owner_t {
        let place = table.places.iter().find(|place| place.wait_id.load(Relaxed) == wait_id);
        // SAFETY: the tests' owners are never freed.
        unsafe { place.expect("a place").owner.load(Relaxed).as_ref() }.expect("an owner")
    }

    #[test]
    fn as_many_go_unreported_as_the_tool_says() {
        let site = CallSite::here();
        let (record, table) = lent(&[8], 2, site);
        assert!(!record.acquire_unreported(16, site, || true), "another mutex");
        assert!(!record.acquire_unreported(8, site, || false), "the first attempt fails");
        for _ in 0..2 {
            assert!(record.acquire_unreported(8, site, || true));
            let released = record.release_unreported(8, || true).expect("it is held");
            assert!(released.was_held && !released.is_wanted);
        }
        assert!(!record.acquire_unreported(8, site, || panic!("the tool hears of it")));
        assert!(record.release_unreported(8, || panic!("it was reported")).is_none());
        assert_eq!(table.released.load(Relaxed), 2);
        assert_eq!(owner(table, 8).acquisition.load(Relaxed), 4, "two acquisitions, and free");
    }

    #[test]
    fn none_goes_unreported_while_the_table_is_closed() {
        let site = CallSite::here();
        let (record, table) = lent(&[8], 2, site);
        assert!(record.acquire_unreported(8, site, || true));
        // SAFETY: the tests' words are never freed.
        unsafe { table.is_open.load(Relaxed).as_ref() }.expect("a word").store(0, Relaxed);
        assert!(!record.acquire_unreported(8, site, || panic!("the tool hears of it")));
        assert!(record.release_unreported(8, || true).is_some(), "it was acquired before");
        let none = ThreadRecord::new();
        assert!(!none.acquire_unreported(8, site, || panic!("there is no table")));
        assert!(none.release_unreported(8, || panic!("there is no table")).is_none());
    }

    #[test]
    fn locks_are_released_in_any_order() {
        let site = CallSite::here();
        let (record, table) = lent(&[8, 16, 24], 9, site);
        for wait_id in [8, 16, 24] {
            assert!(record.acquire_unreported(wait_id, site, || true));
            assert_eq!(owner(table, wait_id).acquisition.load(Relaxed), 3);
        }
        for wait_id in [8, 24, 16] {
            assert!(record.release_unreported(wait_id, || true).is_some());
            assert_eq!(owner(table, wait_id).acquisition.load(Relaxed), 2, "{wait_id}");
            assert!(record.release_unreported(wait_id, || true).is_none());
        }
        assert_eq!(table.depth.load(Relaxed), 0);
    }

    #[test]
    fn one_that_holds_many_reports_the_others() {
        let site = CallSite::here();
        let (record, table) = lent(&[8], 99, site);
        for _ in 0..OXOMP_UNREPORTED_HELD {
            assert!(record.acquire_unreported(8, site, || true));
        }
        assert!(!record.acquire_unreported(8, site, || panic!("there is no room")));
        assert_eq!(table.depth.load(Relaxed) as usize, OXOMP_UNREPORTED_HELD);
    }

    #[test]
    fn a_release_that_another_thread_waits_for_is_reported() {
        let site = CallSite::here();
        let (record, table) = lent(&[8], 9, site);
        assert!(record.acquire_unreported(8, site, || true));
        owner(table, 8).wanted.store(1, Relaxed);
        assert!(record.release_unreported(8, || true).is_some_and(|released| released.is_wanted));
        assert_eq!(table.wanted.load(Relaxed), 8);
        record.end_report();
        assert_eq!(table.wanted.load(Relaxed), 0);
        assert!(!record.acquire_unreported(8, site, || panic!("the tool hears of this owner")));
        owner(table, 8).wanted.store(0, Relaxed);
        // The next owner has told of its acquisition before the former one of its release.
        assert!(record.acquire_unreported(8, site, || true));
        owner(table, 8).acquisition.store(7, Relaxed);
        assert!(record.release_unreported(8, || false).is_some_and(|released| !released.was_held));
        assert_eq!(owner(table, 8).acquisition.load(Relaxed), 7);
    }
}
